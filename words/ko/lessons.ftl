# 레슨: 목록 페이지, 각 페이지 위의 띠, 수업용 활동지, 발표 화면.

page-lessons = 레슨
lesson-new = 처음이라면: 레슨 1
lesson-title = 레슨 { $n }/{ $of } · { $title }
lesson-listed = { $n } · { $title }
lesson-guess = 어떻게 생각하나요?
lesson-show = 보여 주기
lesson-guess-first = 먼저 답을 하나 고르세요. 틀려도 괜찮습니다.
lesson-said-right = 고른 답: { $said }. 이 모델에서도 그렇습니다.
lesson-said-wrong = 고른 답: { $said }. 이 모델의 답: { $right }.
lesson-right = 이 모델의 답: { $right }.
lesson-no-answer = 지금 화면의 모델로는 답할 수 없습니다. 그런 어텐션을 여기서는 알 수 없거나, 번역에 묻는 단어가 없습니다.
lesson-elsewhere = 페이지는 이제 다른 것을 보여 줍니다. 이 수치는 “{ $text }”의 것입니다.
lesson-again = 다시 열기
lesson-try = 이어서 해 보기:
lesson-first = 첫 화면
lesson-next = 다음 레슨
lesson-all = 모든 레슨
lesson-close = 닫기
lessons-intro = 레슨마다 질문이 하나 있습니다. 답을 짐작하고 “보여 주기”를 누르면, 화면의 모델로 계산한 답이 있는 곳이 열립니다. 하나에 2분쯤 걸립니다.
lessons-done = { $n ->
    [0] 아직 마친 레슨이 없습니다.
   *[other] { $of }개 가운데 { $n }개를 마쳤습니다. 이 페이지의 주소에 남아 있습니다.
  }
lessons-teacher = 가르치는 분께: 수업용 활동지
lessons-teacher-text = 레슨을 고르면 인쇄할 페이지를 하나 만듭니다. 답을 표시할 칸이 있는 질문, 적을 자리, 열어 볼 주소, 그리고 마지막 쪽에 이 모델의 답이 들어갑니다.
lessons-choose = 활동지에 넣을 레슨
lessons-choose-none = 레슨 고르기
lessons-save = 활동지 저장
lessons-sheet-file = 수업용-활동지
sheet-title = 어텐션 랩: 수업용 활동지
sheet-name = 이름:
sheet-seen = 무엇을 보았나요?
sheet-open = 랩에서 열기:
sheet-answers = 답
sheet-answers-from = { $checkpoint } 체크포인트({ $fingerprint })로 계산했습니다.
sheet-right = 이 모델의 답: { $right }.
projector = 발표 화면
projector-help = 글자를 키우고 사이드바를 숨깁니다. 주소에 남습니다.
projector-leave = 발표 화면 닫기

# 각 레슨: 제목, 질문, 선택지, 각 단계에서 알아낸 것, 다음 단계의 버튼.

lesson-head = 헤드 하나는 무슨 일을 할까?
lesson-head-question = “The animal didn't cross the street because it was too tired.” 모델이 “it”을 읽을 때 헤드 하나가 어떤 명사를 봅니다. 어느 명사일까요?
lesson-head-says-animal = “animal”
lesson-head-says-street = “street”
lesson-head-says-both = 둘을 똑같이
lesson-head-tired = { $choice ->
    [both] 두 명사를 구별하는 헤드가 없습니다. “{ $noun }” 쪽에 가장 많이 준 값은 { $weight }, “{ $other }” 쪽은 { $best }입니다.
   *[other] { $layer }층 { $head }번 헤드는 어텐션의 { $weight }{ JOSA($weight, "을/를") } “{ $noun }”에, { $there }{ JOSA($there, "을/를") } “{ $other }”에 줍니다. 그러라고 정해 준 것이 아닙니다.
  } 아래 행렬에서 “it”의 행입니다.
lesson-head-wide-open = “wide”로 바꾸어 보기
lesson-head-wide = { $choice ->
    [both] “wide”에서는 두 명사를 구별하는 헤드가 없습니다: “{ $noun }” { $weight }, “{ $other }” { $best }.
   *[other] “wide”에서는 { $layer }층 { $head }번 헤드가 “{ $noun }”에 { $weight }, “{ $other }”에 { $there }{ JOSA($there, "을/를") } 줍니다. 길은 넓고(wide) 동물은 지칩니다(tired). 단어 하나가 정합니다.
  }
lesson-head-hidden-open = “animal”을 가리고 대명사 보기
lesson-head-hidden = { $choice ->
    [same] 모델 전체에서 “animal”을 가려도 대명사는 그대로 “{ $pronoun }”입니다: “{ $after }”
   *[other] 모델 전체에서 “animal”을 가리면 “{ $pronoun }” 대신 “{ $other }”{ JOSA($other, "이/가") } 나옵니다: “{ $after }”
  }

lesson-decides = “it”이 무엇인지 무엇을 보고 알까?
lesson-decides-question = 인코더의 모든 헤드를 합쳐서 봅니다. “it”에서 가장 많이 보는 단어는 무엇일까요?
lesson-decides-says-animal = 가리키는 명사 “animal”
lesson-decides-says-tired = 무엇을 가리키는지 정해 주는 “tired”
lesson-decides-says-because = “because”
lesson-decides-says-end = 문장 끝의 기호
lesson-decides-tired = 평균하면 “{ $word }”에 { $share }, “animal”에 { $animal }{ JOSA($animal, "이/가") } 갑니다. { $heads ->
    [0] “{ $word }”에 절반 넘게 주는 헤드는 { $of }개 가운데 하나도 없습니다.
   *[other] { $of }개 가운데 { $heads }개 헤드가 “{ $word }”에 절반 넘게 줍니다.
  } 가장 많이 주는 것은 { $layer }층 { $head }번 헤드입니다({ $weight }).
lesson-decides-wide-open = “wide”로 바꾸어 보기
lesson-decides-wide = 이제 “{ $word }”에 평균 { $share }{ JOSA($share, "이/가") } 가고, 절반 넘게 주는 헤드는 { $of }개 가운데 { $heads ->
    [0] 하나도 없습니다
   *[other] { $heads }개입니다
  }. 아래에서 다른 토큰을 골라 누가 그 토큰을 보는지 살펴보세요.

lesson-many = 모든 헤드가 같은 일을 할까?
lesson-many-question = 인코더의 헤드 가운데 “it”의 가중치를 절반 넘게 “animal”에 주는 헤드는 몇 개일까요?
lesson-many-says-none = 없다
lesson-many-says-few = 몇 개, 많아야 네 개
lesson-many-says-many = 네 개보다 많다
lesson-many-count = { $n ->
    [0] { $of }개 가운데 하나도 없습니다.
   *[other] { $of }개 가운데 { $n }개입니다.
  } 가장 많이 주는 것은 { $layer }층 { $head }번 헤드입니다: { $weight }. 다른 헤드는 다른 이유로 “it”을 읽습니다.
lesson-many-mean-open = 모든 헤드의 평균 보기
lesson-many-mean = { $of }개 헤드를 평균하면 “it”에서 “animal”로 가는 가중치는 { $mean }입니다. 그런데 헤드 하나는 { $weight }{ JOSA($weight, "을/를") } 줍니다. 평균은 헤드 하나하나가 하는 일을 가립니다.

lesson-layers = 모든 층이 같은 일을 할까?
lesson-layers-question = 인코더의 어느 층에서 헤드가 읽고 있는 토큰으로부터 가장 먼 곳을 볼까요?
lesson-layers-says-first = 첫 층
lesson-layers-says-middle = 중간의 어느 층
lesson-layers-says-last = 마지막 층
lesson-layers-far = { $of }개 층 가운데 { $layer }층이며, 평균 { $value }토큰 떨어진 곳을 봅니다. 층별 값: { $all }. 아래 각 헤드 밑에 숫자가 있습니다.
lesson-layers-sharp-open = 가장 확신하는 층은?
lesson-layers-sharp = { $of }개 층 가운데 { $layer }층이며, 엔트로피는 { $value }비트입니다. 0비트는 한 토큰에 모두 준다는 뜻입니다. 층별 값: { $all }.

lesson-sinks = 헤드는 왜 문장 끝을 볼까?
lesson-sinks-question = 마침표와 끝 기호는 “it”에 대해 아무것도 말해 주지 않습니다. 인코더 마지막 층의 어텐션에서 둘이 함께 받는 몫은 얼마나 될까요?
lesson-sinks-says-less = 균등하게 나눈 몫보다 적다
lesson-sinks-says-even = 균등하게 나눈 몫과 비슷하다
lesson-sinks-says-more = 그보다 훨씬 많다
lesson-sinks-last = { $layer }층에서 { $share }입니다. { $of }개 토큰에 균등하게 나누면 둘의 몫은 { $even }입니다. { $choice ->
    [more] 소프트맥스는 가중치를 어딘가에는 주어야 합니다. 찾는 것이 없는 헤드는 해가 없는 곳에 둡니다. 이런 자리를 싱크(sink)라고 합니다.
    [less] 이 모델은 그 두 토큰에 가중치를 몰아주지 않습니다.
   *[other] 우연보다 크지 않습니다.
  }
lesson-sinks-without-open = 끝 기호 빼기
lesson-sinks-without = 이 층에서 { $end }{ JOSA($end, "을/를") } 받던 끝 기호를 빼고 행의 합이 1이 되도록 다시 나누었습니다. 이 페이지는 그렇게 했다고 알려 줍니다. 알리지 않고 빼면 헤드가 실제보다 확신하는 것처럼 보입니다.

lesson-rollout = 경로를 따라 내려가기
lesson-rollout-question = 롤아웃(rollout)은 층을 차례로 곱해서 문장의 어떤 단어가 “it”의 벡터에 닿는지 봅니다. 가장 크게 이바지하는 것은 무엇일까요?
lesson-rollout-says-animal = “animal”
lesson-rollout-says-tired = “tired”
lesson-rollout-says-it = “it” 자신
lesson-rollout-says-end = 문장 끝의 기호
lesson-rollout-paths = “{ $word }” { $share }, 그다음은 “{ $second }” { $less }입니다. 롤아웃은 헤드를 모두 평균하고, 층마다 절반을 입력으로 칩니다. 뾰족한 헤드 하나는 그 안에 묻힙니다.

lesson-cross = 독일어 단어는 어디에서 올까?
lesson-cross-question = “Tier”를 쓰는 동안 인코더-디코더 어텐션은 영어 문장을 봅니다. 모든 헤드를 합치면 어디를 가장 많이 볼까요?
lesson-cross-says-the = 바로 옆 단어 “the”
lesson-cross-says-animal = “animal”
lesson-cross-says-street = “street”
lesson-cross-says-end = 문장 끝의 기호
lesson-cross-noun = “{ $word }”: { $share }, 그다음은 “{ $second }”: { $less }. { $choice ->
    [animal] 사전을 준 적이 없는데 어느 단어가 어느 단어와 짝인지 배웠습니다.
   *[other] “{ $row }”의 원문 단어가 아닙니다.
  }
lesson-cross-pronoun-open = 대명사 “es”는?
lesson-cross-pronoun = “{ $row }”{ JOSA($row, "을/를") } 쓰는 자리에서는 “{ $word }”{ JOSA($word, "을/를") } 가장 많이 보고({ $share }), 그다음으로 “{ $second }”{ JOSA($second, "을/를") } 봅니다({ $less }). { $choice ->
    [it] “it”이 무엇을 뜻하는지는 그 전에 인코더에서 정해졌습니다.
    [animal] 대명사를 쓰는 동안 명사를 찾아봅니다.
   *[other] 대명사도 그 명사도 가장 많이 보이지 않습니다.
  }

lesson-align = 어순이 다르면?
lesson-align-question = “The old man who lives next door bought a new car yesterday.” 독일어에서는 “gekauft”가 맨 끝에 옵니다. 그 단어를 쓰는 동안 인코더-디코더 어텐션은 어디를 볼까요?
lesson-align-says-car = “car”
lesson-align-says-yesterday = 똑같이 끝에 있는 “yesterday”
lesson-align-says-bought = 앞으로 돌아가 “bought”
lesson-align-verb = “{ $word }” { $share }, 그다음은 “{ $second }” { $less }입니다. { $choice ->
    [bought] 어텐션은 문장 끝을 뛰어넘어 되돌아갑니다. 자리가 아니라 단어를 따라갑니다.
   *[other] “bought”를 가장 먼저 찾지는 못합니다.
  }
lesson-align-adverb-open = “gestern”은?
lesson-align-adverb = “{ $row }”{ JOSA($row, "을/를") } 쓰는 자리에서는 “{ $word }”{ JOSA($word, "을/를") } 가장 많이 보고({ $share }), 그다음으로 “{ $second }”{ JOSA($second, "을/를") } 봅니다({ $less }).

lesson-causal = 디코더는 무엇을 볼 수 있을까?
lesson-causal-question = 디코더가 자기 문장 중간의 “weil”을 막 읽었습니다. 몇 개의 위치를 볼 수 있을까요?
lesson-causal-says-one = “weil”만
lesson-causal-says-before = “weil”과 그 앞의 모두
lesson-causal-says-all = 모두
lesson-causal-mask = { $of }개 중 { $n }개: { $choice ->
    [before] 자기 자리인 { $place }번째와 그 앞의 모든 위치입니다.
    [one] 자기 자리인 { $place }번째뿐입니다.
   *[other] 자기 자리인 { $place }번째보다 뒤의 위치도 봅니다.
  } 뒤에 올 것은 예측해야 하는 것이므로, 그것을 보면 베끼는 셈이 됩니다.
lesson-causal-peek-open = 뒤를 보게 하기
lesson-causal-peek = 마스크를 걷고 다시 읽으면 모델 자신의 번역이 log P { $sum } 대신 { $changed }{ JOSA($changed, "을/를") } 받습니다. 학습할 때는 뒤에 올 것을 본 적이 없습니다.

lesson-padding = 패딩은 무엇일까?
lesson-padding-question = “A dog runs.”가 더 긴 문장과 한 배치에 들어가 패딩 토큰으로 채워집니다. 모델이 패딩을 볼 수 있어도 혼자일 때와 똑같이 번역할까요?
lesson-padding-says-same = 그렇다, 패딩에는 뜻이 없다
lesson-padding-says-other = 아니다
lesson-padding-unmasked = { $choice ->
    [same] 인코더 어텐션의 { $share }{ JOSA($share, "이/가") } 패딩 토큰 { $n }개에 가지만 번역은 그대로 “{ $before }”입니다.
   *[other] 인코더 어텐션의 { $share }{ JOSA($share, "이/가") } 패딩 토큰 { $n }개에 가고, “{ $before }” 대신 다른 번역이 나옵니다: “{ $after }”
  }
lesson-padding-masked-open = 마스크 되돌리기
lesson-padding-masked = 마스크가 있으면 패딩 토큰은 아무것도 받지 못합니다. 배치에서는 “{ $masked }”, 혼자일 때는 “{ $before }”

lesson-order = 어텐션은 순서를 알까?
lesson-order-question = 위치를 없애고 “I go home”과 “home go I”를 읽습니다. 인코더가 만든 “home”의 벡터가 서로 다를까요?
lesson-order-says-same = 아니다, 똑같다
lesson-order-says-other = 다르다
lesson-order-vectors = 위치가 없으면 단어 벡터의 차이는 최대 { $without }, 위치가 있으면 { $with }입니다. { $choice ->
    [same] 어텐션만으로는 단어 주머니를 볼 뿐입니다. 남은 차이는 반올림 오차입니다.
   *[other] 이 모델은 그래도 순서를 구별합니다.
  }
lesson-order-absent-open = 위치 없이 번역하기
lesson-order-absent = { $choice ->
    [same] 그래도 나온 번역: “{ $after }”
   *[other] “{ $before }” 대신 나온 번역: “{ $after }”
  }

lesson-waves = 사인은 무엇을 말할까?
lesson-waves-question = 위치 3과 8은 다섯 칸 떨어져 있고, 23과 28도 그렇습니다. 두 쌍의 인코딩은 얼마나 비슷할까요?
lesson-waves-says-same = 똑같이 비슷하다
lesson-waves-says-nearer = 앞의 쌍이 더 비슷하다
lesson-waves-says-farther = 뒤의 쌍이 더 비슷하다
lesson-waves-similar = 위치 { $first }{ JOSA($first, "과/와") } 그 { $step }칸 뒤의 내적은 { $near }, 위치 { $second }{ JOSA($second, "과/와") } 그 { $step }칸 뒤의 내적은 { $far }입니다. { $choice ->
    [same] 어디에 있든 거리만 중요합니다.
   *[other] 이 모델에서는 자리도 중요합니다.
  }
lesson-waves-rotation-open = 왜 그럴까?
lesson-waves-rotation = { $step }칸을 옮기면 사인과 코사인의 쌍은 어디서 시작하든 같은 각만큼 돕니다. 그래서 내적이 그대로입니다: { $near }, { $far }.

lesson-shift = 자리 자체가 중요할까?
lesson-shift-question = 문장이 1이 아니라 위치 6에서 시작한다고 인코더에 알려 줍니다. 번역이 바뀔까요?
lesson-shift-says-same = 바뀌지 않는다
lesson-shift-says-other = 바뀐다
lesson-shift-later = { $choice ->
    [same] 그대로 “{ $after }”이고, log P는 { $sum } 대신 { $changed }입니다. 거리는 같기 때문입니다.
   *[other] “{ $before }” 대신 “{ $after }”{ JOSA($after, "이/가") } 나오고, 앞의 번역은 log P { $sum } 대신 { $changed }{ JOSA($changed, "을/를") } 받습니다.
  }
lesson-shift-reversed-open = 끝에서부터 세기
lesson-shift-reversed = 위치를 거꾸로 세면 { $choice ->
    [same] 그래도 같은 번역이 나옵니다: “{ $after }”
   *[other] 나오는 번역: “{ $after }”
  }

lesson-scaling = 왜 √d_k로 나눌까?
lesson-scaling-question = 점수는 소프트맥스에 들어가기 전에 { "d_k" }의 제곱근으로 나눕니다. 나누지 않으면 한 행의 가장 큰 가중치는 어떻게 될까요?
lesson-scaling-says-smaller = 작아진다
lesson-scaling-says-same = 그대로이다
lesson-scaling-says-larger = 커진다
lesson-scaling-undivided = { "d_k" } = { $d_k }일 때 인코더의 모든 행을 평균하면 { $divided } 대신 { $plain }입니다. { $choice ->
    [larger] 점수가 크면 소프트맥스가 토큰 하나만 고르고, 그러면 그 너머로는 거의 배울 수 없습니다.
   *[other] 이 모델에서는 점수가 작아서 거의 차이가 없습니다.
  }

lesson-greedy = 가장 그럴듯한 다음 단어가 최선일까?
lesson-greedy-question = 그리디 서치(탐욕적 탐색)는 스텝마다 가장 그럴듯한 토큰을 고르고, 빔은 시작 부분 다섯 개를 남깁니다. “I would like to book a table for two.” 그리디 번역의 확률도 그만큼 높을까요?
lesson-greedy-says-less = 더 낮다
lesson-greedy-says-same = 같은 번역이다
lesson-greedy-says-more = 더 높다
lesson-greedy-one = 그리디: “{ $first }”, log P { $sum }. 빔 너비 { $wide }: “{ $second }”, log P { $other }. { $choice ->
    [less] 좋아 보인 다음 단어가 길을 잘못 이끌었고, 그리디 서치는 되돌아갈 수 없습니다.
    [more] 여기서는 그리디 서치가 지킨 것을 빔이 잃었습니다.
   *[other] 여기서는 시작 부분 하나로 충분합니다.
  }
lesson-greedy-five-open = 빔 너비 5로 보기
lesson-greedy-five = 빔 너비 { $wide }에서는 “{ $second }”{ JOSA($second, "이/가") } 경쟁 후보보다 못해 보이는 동안에도 살아남습니다. 트리에서 그 경로를 보세요. 그리디 서치가 찾은 것: “{ $first }”

lesson-length = 왜 짧은 출력이 유리할까?
lesson-length-question = 토큰이 하나 늘 때마다 1보다 작은 확률을 곱합니다. 길이 페널티가 없으면(α = 0) 최선의 번역이 α = 0.6일 때보다 짧을까요?
lesson-length-says-shorter = 더 짧다
lesson-length-says-same = 길이가 같다
lesson-length-says-longer = 더 길다
lesson-length-plain = 페널티가 없으면 { $n }토큰: “{ $plain }”({ $sum }). α = { $alpha }이면 { $m }토큰: “{ $divided }”({ $other }). { $choice ->
    [same] 여기서는 차이가 없습니다.
   *[other] log P로는 앞의 것이, 길이로 나누면 뒤의 것이 이깁니다.
  }
lesson-length-divided-open = 페널티 되돌리기
lesson-length-divided = α = { $alpha }에서 최선은 “{ $divided }”입니다. 아래에서 α를 움직여 선이 만나는 곳을 보세요.

lesson-search = 빔이 최선을 놓칠 수 있을까?
lesson-search-question = “The children who are playing in the garden are tired.” 빔 너비 5로 빔 너비 20이 찾는 것을 찾을까요?
lesson-search-says-found = 그렇다, 다섯이면 충분하다
lesson-search-says-missed = 아니다, 더 그럴듯한 것을 놓친다
lesson-search-width = 빔 너비 { $narrow }: “{ $first }”, log P { $sum }. 빔 너비 { $wide }: “{ $second }”, log P { $other }. 그리디 서치는 { $greedy }입니다. { $choice ->
    [missed] 탐색 오류입니다. 모델은 더 나은 것을 알았지만 탐색이 도중에 떨어뜨렸습니다.
   *[other] 여기에는 탐색 오류가 없습니다.
  }
lesson-search-wide-open = 빔 너비 20으로 보기
lesson-search-wide = 시작 부분을 { $wide }개 남기면 “{ $first }”({ $sum }) 대신 “{ $second }”({ $other }) 번역을 찾습니다. 사이드바에서 너비를 움직여 언제 나오는지 보세요.

lesson-model = 누구의 오류일까?
lesson-model-question = 예약 문장을 사람은 “Ich würde gern einen Tisch für zwei Personen reservieren.”으로 번역합니다. 모델은 다르게 씁니다. 왜일까요?
lesson-model-says-search = 탐색이 놓쳤다
lesson-model-says-model = 모델이 자기 번역을 더 좋아한다
lesson-model-says-penalty = 길이 페널티가 정했다
lesson-model-says-none = 똑같이 쓴다
lesson-model-verdict = 모델의 번역은 “{ $output }”(log P { $sum }), 사람 번역의 log P는 { $other }입니다. { $choice ->
    [search] 점수는 사람 번역이 { $below }, 모델 번역이 { $score }{ JOSA($score, "으로/로") } 사람 쪽이 높습니다. 탐색 오류입니다.
    [model] 모델은 자기 번역이 더 그럴듯하다고 봅니다. 탐색을 넓혀도 달라지지 않습니다.
    [penalty] 페널티만이 차이를 만듭니다: 점수 { $score }, { $below }.
   *[other] 둘은 같습니다.
  } 읽는 사람은 둘 다 받아들일 만해도 BLEU는 100점에 { $bleu }점을 줍니다.

lesson-knock = 모델에 그 헤드가 필요할까?
lesson-knock-question = 헤드 하나가 “it”에서 “animal”을 봅니다. 그 헤드를 끄면 번역이 바뀔까요?
lesson-knock-says-same = 바뀌지 않는다
lesson-knock-says-other = 바뀐다
lesson-knock-one = { $layer }층 { $head }번 헤드를 끄면 { $choice ->
    [same] 번역은 그대로 “{ $after }”이고, log P는 { $sum }에서 { $changed }{ JOSA($changed, "이/가") } 됩니다. 헤드가 보여 주는 것이 곧 모델에 필요한 것은 아닙니다.
   *[other] “{ $before }” 대신 “{ $after }”{ JOSA($after, "이/가") } 나옵니다.
  }
lesson-knock-each-open = 헤드를 하나씩 끄기
lesson-knock-each = 하나만 꺼서 번역이 바뀌는 헤드는 { $of }개 가운데 { $n ->
    [0] 하나도 없습니다
   *[other] { $n }개입니다
  }. 껐을 때 영향이 가장 큰 것은 { $site ->
    [cross] 인코더-디코더 어텐션
    [encoder] 인코더
   *[other] 디코더
  }의 { $layer }층 { $head }번 헤드입니다: log P 변화 { $change }. 나머지는 다른 헤드가 대신합니다.

lesson-explain = 어텐션은 설명이 될 수 있을까?
lesson-explain-question = 영어 단어를 하나씩 가려 봅니다. 가렸을 때 가장 많이 잃는 단어가 가장 필요한 단어입니다. 인코더-디코더 어텐션 헤드 하나의 가중치는 이 순위를 얼마나 잘 맞힐까요?
lesson-explain-says-strong = 잘 맞힌다: 상관 0.7 이상
lesson-explain-says-middle = 조금 맞힌다: 0.4∼0.7
lesson-explain-says-weak = 잘 못 맞힌다: 0.4 미만
lesson-explain-drops = { $of }개 헤드의 평균은 { $mean }, 가장 높은 것은 { $best }입니다({ $layer }층 { $head }번 헤드). 순위가 같으면 1입니다. { $choice ->
    [weak] 가중치는 헤드가 어디를 보는지 보여 줍니다. 모델에 무엇이 필요한지는 다른 물음입니다.
   *[other] 여기서는 가중치가 필요한 것을 어느 정도 알려 줍니다.
  }
lesson-explain-it-open = 대명사에는 무엇이 필요할까?
lesson-explain-it = “{ $pronoun }”{ JOSA($pronoun, "을/를") } 쓰는 자리에서 인코더-디코더 어텐션은 “{ $looked }”{ JOSA($looked, "을/를") } 가장 많이 봅니다. 인코더에서 가렸을 때 log P가 가장 크게 떨어지는 것은 “{ $needed }”입니다({ $drop }만큼). { $choice ->
    [same] 여기서는 둘이 같습니다.
   *[other] 어텐션이 보는 자리에는 그 내용이 훨씬 전부터 담겨 있었습니다.
  }
