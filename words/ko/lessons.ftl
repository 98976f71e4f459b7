# 실습: 목록 페이지, 각 페이지 옆의 패널, 학습지, 발표 모드.

page-lessons = 실습
lesson_new = 처음이라면 실습 1부터
lesson-in-path = { $path } · { $n }/{ $of }
lesson-listed = { $path } · { $title }
lesson-guess = 예상 답
lesson_show = 결과 보기
lesson-said-right = 고른 답: { $said }. 이 모델에서는 정답입니다.
lesson-said-wrong = 고른 답: { $said }. 이 모델의 정답: { $right }.
lesson-right = 이 모델의 정답: { $right }.
lesson-right-measured = 측정한 정답: { $right }.
lesson-no-answer = 이 모델로는 답을 구할 수 없습니다. 필요한 어텐션이 없거나, 질문에 나온 단어가 번역에 없습니다.
lesson-elsewhere = 지금은 다른 화면을 보고 있습니다. 이 수치는 “{ $text }” 문장에서 나온 값입니다.
lesson_again = 실습 화면 다시 열기
lesson-first = 첫 화면 열기
lesson_next = 다음: { $title }
lesson-link = 이 단계의 링크 복사
lesson_all = 전체 실습
lesson_close = 닫기
lesson_vote = 투표
lesson-votes = { $words } · { $n }
lesson-vote-keys = 손을 든 사람마다 답을 클릭하거나 1부터 { $n }까지의 숫자 키를 사용하세요. 오른쪽 화살표 키로 결과를 볼 수 있습니다.
lesson-voted = 투표 결과:
lessons-intro = 실습마다 질문이 하나씩 있으며 2분쯤 걸립니다. 답을 예상한 다음 확인하세요. 답은 선택한 모델이나 질문에 나온 아키텍처의 모델로 계산하고, 오래 걸리는 답은 미리 측정해 둔 값을 씁니다. { $of }개 중 { $n }개를 완료했으며, 진행 상황은 이 페이지의 주소(URL)에 저장됩니다.
lessons-continue = 이어서: { $title }
lessons-begin = 시작: { $title }
lessons-complete = 모두 완료
lessons-of-path = { $n }/{ $of }
lessons-list = 실습 목록
path-heads = 어텐션 헤드
path-masks = 마스킹과 개입
path-positions = 위치 인코딩
path-search = 빔 서치
path-explain = 설명으로서의 어텐션
path-block = 트랜스포머 블록과 학습
path-relatives = 다른 아키텍처
lessons-teacher = 교사용
lessons-sheet = 인쇄용 학습지
lessons_slides = 슬라이드로 보기
lessons-teacher-text = 경로나 실습을 고르면 인쇄할 수 있는 학습지가 만들어집니다. 학습지에는 질문과 선택지, 답을 적을 칸, 앱에서 열 주소(URL)가 있고, 마지막 쪽에 이 모델의 정답이 있습니다.
lessons-choose-paths = 학습지에 넣을 경로
lessons-choose = 학습지에 넣을 실습
lessons-choose-none = 실습 선택
lessons-save = 학습지 저장
lessons-sheet-file = 학습지
sheet-title = 어텐션 랩 학습지
sheet-name = 이름:
sheet-seen = 무엇을 관찰했나요?
sheet-open = 앱에서 열기:
sheet-answers = 정답
sheet-answers-from = { $checkpoint } 모델({ $fingerprint })로 계산했습니다.
sheet-right = 이 모델의 정답: { $right }.
projector = 발표 모드
projector-help = 요약 문장을 1.4배로 키우고 그림을 화면에 꽉 차게 보여 주며 사이드바를 숨깁니다. 단축키: p는 이 모드를 켜거나 끄고, f는 그림을 전체 화면으로 보여 줍니다. 이 설정은 주소(URL)에 저장됩니다.
projector-page = 페이지
projector-back = 이전 보기
projector-next = 다음 보기
projector-leave = 발표 모드 끝내기

# 각 실습: 제목, 용어, 질문, 선택지, 각 단계의 결과, 다음 단계의 버튼.

lesson-head = 헤드 하나는 무슨 일을 할까?
lesson-head-term = 상호참조 헤드
lesson-head-question = “The animal didn’t cross the street because it was too tired.” 모델이 “it”을 인코딩할 때 헤드 하나가 어떤 명사에 주목합니다. 어느 명사일까요?
lesson-head-says-animal = “animal”
lesson-head-says-street = “street”
lesson-head-says-both = 두 명사를 비슷하게 봄
lesson-head-tired = { $choice ->
    [both] 두 명사를 구별하는 헤드가 없습니다. 가장 큰 가중치가 “{ $noun }”에서는 { $weight }, “{ $other }”에서는 { $best }입니다.
   *[other] { $layer }층 { $head }번 헤드는 “{ $noun }”에 { $weight }, “{ $other }”에 { $there }의 가중치를 줍니다.
  } 행렬에서 “it” 행을 보세요.
lesson-head-wide-open = “tired”를 “wide”로 바꾸기
lesson-head-wide = { $choice ->
    [both] “wide”로 바꾸면 두 명사를 구별하는 헤드가 없습니다. 가장 큰 가중치가 “{ $noun }”에서는 { $weight }, “{ $other }”에서는 { $best }입니다.
   *[other] “wide”로 바꾸면 { $layer }층 { $head }번 헤드가 “{ $noun }”에 { $weight }, “{ $other }”에 { $there }의 가중치를 줍니다. 너무 넓은 것은 길이고 너무 지친 것은 동물이므로, 단어 하나가 선행사를 정합니다.
  }
lesson-head-hidden-open = “animal”을 가리고 대명사 확인하기
lesson-head-hidden = { $choice ->
    [same] 모델 전체에서 “animal”을 가려도 대명사는 “{ $pronoun }” 그대로입니다. 번역: “{ $after }”
   *[other] 모델 전체에서 “animal”을 가리면 대명사가 “{ $pronoun }”에서 “{ $other }”{ JOSA($other, "으로/로") } 바뀝니다. 번역: “{ $after }”
  }

lesson-decides = “it”의 뜻을 정하는 단어는 무엇일까?
lesson-decides-term = 위노그라드 스키마
lesson-decides-question = 인코더의 모든 헤드를 평균하면, “it”이 가장 많이 주목하는 단어는 무엇일까요?
lesson-decides-says-animal = 선행사인 “animal”
lesson-decides-says-tired = 선행사를 정하는 단어 “tired”
lesson-decides-says-because = “because”
lesson-decides-says-end = 종료 토큰(EOS)
lesson-decides-tired = 헤드를 모두 평균하면 “{ $word }”의 가중치는 { $share }, “animal”의 가중치는 { $animal }입니다. 헤드마다 다르며, “{ $word }”에 가장 많이 주목하는 헤드는 { $layer }층 { $head }번입니다.
lesson-decides-wide-open = “tired”를 “wide”로 바꾸기
lesson-decides-wide = 이번에는 “{ $word }”의 평균 가중치가 { $share }입니다. 이 단어에 절반 넘는 가중치를 주는 헤드는 { $of }개 중 { $heads ->
    [0] 하나도 없습니다.
   *[other] { $heads }개입니다.
  } 다른 토큰을 골라, 그 토큰에 주목하는 헤드를 찾아보세요.

lesson-many = 모든 헤드가 같은 일을 할까?
lesson-many-term = 멀티 헤드 어텐션, 헤드의 역할 분담
lesson-many-question = “it”에서 “animal”에 절반 넘는 가중치를 주는 인코더 헤드는 몇 개일까요?
lesson-many-says-none = 없음
lesson-many-says-few = 1–4개
lesson-many-says-many = 5개 이상
lesson-many-count = { $n ->
    [0] 헤드 { $of }개 중 하나도 없습니다.
   *[other] 헤드 { $of }개 중 { $n }개입니다.
  } 가중치는 { $layer }층 { $head }번 헤드에서 { $weight }{ JOSA($weight, "으로/로") } 가장 큽니다. 나머지 헤드는 “it”에서 주로 다른 토큰에 주목합니다.
lesson-many-mean-open = 모든 헤드의 평균 보기
lesson-many-mean = 헤드 { $of }개를 평균하면 “it”에서 “animal”로 가는 가중치는 { $mean }입니다. 하지만 그중 한 헤드의 가중치는 { $weight }입니다. 평균만 보면 헤드 각각이 하는 일을 알 수 없습니다.

lesson-layers = 모든 층이 같은 일을 할까?
lesson-layers-term = 어텐션 거리, 엔트로피
lesson-layers-question = 어텐션 거리는 헤드가 몇 토큰 떨어진 곳에 주목하는지를 나타냅니다. 평균 거리가 가장 큰 인코더 층은 어디일까요?
lesson-layers-says-first = 첫 번째 층
lesson-layers-says-middle = 중간층
lesson-layers-says-last = 마지막 층
lesson-layers-far = { $of }개 층 중 { $layer }층이 가장 먼 곳에 주목하며, 평균 거리는 { $value }토큰입니다. 층별 거리: { $all }. 각 헤드 밑의 숫자가 그 헤드의 어텐션 거리입니다.
lesson-layers-sharp-open = 가장 집중된 층 찾기
lesson-layers-sharp = { $of }개 층 중 { $layer }층의 어텐션 엔트로피가 { $value }비트로 가장 낮습니다. 모든 가중치가 토큰 하나에 몰리면 0비트입니다. 층별 엔트로피: { $all }.

lesson-sinks = 헤드는 왜 문장 끝에 주목할까?
lesson-sinks-term = 어텐션 싱크
lesson-sinks-question = 마침표와 종료 토큰은 “it”의 선행사를 찾는 데 도움이 되지 않습니다. 인코더 마지막 층에서 이 두 토큰이 받는 가중치는 모두 얼마나 될까요?
lesson-sinks-says-less = 균등 어텐션보다 훨씬 적음
lesson-sinks-says-even = 균등 어텐션과 비슷함
lesson-sinks-says-more = 균등 어텐션보다 훨씬 많음
lesson-sinks-last = { $layer }층에서 두 토큰이 받는 가중치는 { $share }입니다. 토큰 { $of }개에 균등하게 나누면 { $even }입니다. { $choice ->
    [more] 소프트맥스를 거친 가중치의 합은 항상 1입니다. 그래서 주목할 토큰이 마땅히 없는 헤드는 결과에 해가 되지 않는 토큰에 가중치를 몰아줍니다. 이를 어텐션 싱크(attention sink)라고 합니다.
    [less] 이 모델에서는 두 토큰이 어텐션 싱크가 아닙니다.
   *[other] 균등 어텐션과 큰 차이가 없습니다.
  }
lesson-sinks-without-open = 종료 토큰 숨기기
lesson-sinks-without = 이 층에서 { $end }{ JOSA($end, "을/를") } 받던 종료 토큰을 숨기고, 각 행의 합이 1이 되도록 다시 나누었습니다. 이 사실은 페이지에도 적혀 있습니다. 적어 두지 않으면 헤드가 실제보다 더 집중하는 것처럼 보이기 때문입니다.

lesson-norm = 가중치가 크면 기여도 클까?
lesson-norm-term = 벡터 노름
lesson-norm-question = 한 인코더 층에서 종료 토큰이 어텐션 가중치를 많이 받습니다. 그런데 가중치를 곱하는 밸류 벡터의 크기(노름)는 작을 수도 있습니다. 가중치 대신 벡터의 노름으로 따지면 이 토큰의 비율은 어떨까요?
lesson-norm-says-less = 훨씬 작다
lesson-norm-says-same = 거의 같다
lesson-norm-says-more = 훨씬 크다
lesson-norm-length = { $layer }층의 헤드와 행을 평균하면 이 토큰은 가중치의 { $share }, 노름 ‖αf(x)‖의 { $length }{ JOSA($length, "을/를") } 차지합니다. { $choice ->
    [less] 밸류 벡터의 노름이 작아, 가중치는 커도 기여는 작습니다.
    [more] 밸류 벡터의 노름이 커서, 가중치는 작아도 기여는 큽니다.
   *[other] 여기서는 가중치와 기여가 비슷합니다.
  }

lesson-rollout = “it”의 정보는 어디에서 올까?
lesson-rollout-term = 어텐션 롤아웃
lesson-rollout-question = 어텐션 롤아웃(rollout)은 각 층의 어텐션을 차례로 곱해, 입력 단어가 “it”의 벡터에 얼마나 기여하는지 추정합니다. 가장 크게 기여하는 단어는 무엇일까요?
lesson-rollout-says-animal = “animal”
lesson-rollout-says-tired = “tired”
lesson-rollout-says-it = “it” 자신
lesson-rollout-says-end = 종료 토큰(EOS)
lesson-rollout-paths = 롤아웃으로 추정하면 “{ $word }”의 기여가 { $share }{ JOSA($share, "으로/로") } 가장 크고, 그다음은 “{ $second }”({ $less })입니다. 롤아웃은 헤드를 모두 평균하고, 층마다 정보의 절반은 잔차 연결로 전달된다고 가정합니다. 그래서 한 토큰에 집중하는 헤드가 하나 있어도 평균에 묻힙니다.

lesson-cross = 독일어 단어는 어디에서 올까?
lesson-cross-term = 크로스 어텐션
lesson-cross-question = 모델이 “Tier”를 생성할 때 크로스 어텐션(인코더-디코더 어텐션)은 영어 문장에 주목합니다. 모든 헤드를 평균하면 어느 단어의 가중치가 가장 클까요?
lesson-cross-says-the = 관사 “the”
lesson-cross-says-animal = “animal”
lesson-cross-says-street = “street”
lesson-cross-says-end = 종료 토큰(EOS)
lesson-cross-noun = “{ $word }”의 가중치가 { $share }{ JOSA($share, "으로/로") } 가장 크고, 그다음은 “{ $second }”({ $less })입니다. { $choice ->
    [animal] “{ $row }”{ JOSA($row, "은/는") } 바로 이 단어의 번역입니다.
   *[other] “{ $row }”{ JOSA($row, "은/는") } 이 단어의 번역이 아닙니다.
  }
lesson-cross-pronoun-open = 대명사 “es” 선택하기
lesson-cross-pronoun = “{ $row }”{ JOSA($row, "을/를") } 생성할 때는 “{ $word }”의 가중치가 { $share }{ JOSA($share, "으로/로") } 가장 크고, 그다음은 “{ $second }”({ $less })입니다. { $choice ->
    [it] 디코더는 명사가 아니라 “it”에 주목합니다. 인코더의 “it” 상태에 이미 선행사 정보가 있을 수 있습니다. 이를 확인하는 실습: { lesson-cut }
    [animal] 디코더가 대명사를 생성하면서 명사에 직접 주목합니다.
   *[other] 대명사도 선행사도 가중치가 가장 크지 않습니다.
  }

lesson-align = 어순이 다르면 어떻게 될까?
lesson-align-term = 단어 정렬(alignment)
lesson-align-question = “The old man who lives next door bought a new car yesterday.” 독일어에서는 “gekauft”가 맨 끝에 옵니다. 이 단어를 생성할 때 크로스 어텐션의 가중치가 가장 큰 단어는 무엇일까요?
lesson-align-says-car = “car”
lesson-align-says-yesterday = 똑같이 맨 끝에 있는 “yesterday”
lesson-align-says-bought = 앞쪽에 있는 “bought”
lesson-align-verb = “{ $word }”의 가중치가 { $share }{ JOSA($share, "으로/로") } 가장 크고, 그다음은 “{ $second }”({ $less })입니다. { $choice ->
    [bought] 이 문장에서 크로스 어텐션은 위치가 아니라 대응하는 단어를 따라갑니다.
   *[other] 대응하는 동사 “bought”의 가중치가 가장 크지는 않습니다.
  }
lesson-align-adverb-open = “gestern” 선택하기
lesson-align-adverb = “{ $row }”{ JOSA($row, "을/를") } 생성할 때는 “{ $word }”의 가중치가 { $share }{ JOSA($share, "으로/로") } 가장 크고, 그다음은 “{ $second }”({ $less })입니다.

lesson-causal = 디코더는 어디까지 볼 수 있을까?
lesson-causal-term = 인과 마스크
lesson-causal-question = 디코더가 번역문 중간에 있는 “weil”까지 읽었습니다. 이때 볼 수 있는 위치는 몇 개일까요?
lesson-causal-says-one = “weil”만
lesson-causal-says-before = “weil”과 그 앞의 모든 위치
lesson-causal-says-all = 모든 위치
lesson-causal-mask = 위치 { $of }개 중 { $n }개를 볼 수 있습니다. { $choice ->
    [before] 현재 위치인 { $place }번과 그 앞의 모든 위치입니다.
    [one] 현재 위치인 { $place }번뿐입니다.
   *[other] 미래의 위치도 포함됩니다.
  } 미래 토큰은 디코더가 예측해야 하는 토큰입니다. 미리 볼 수 있다면 예측하는 대신 복사만 하면 됩니다.
lesson-causal-peek-open = 인과 마스크 끄기
lesson-causal-peek = 마스크를 끄고 출력 전체를 한 번에 읽으면 모델이 생성한 출력의 log P가 { $sum }에서 { $changed }{ JOSA($changed, "으로/로") } 바뀝니다. 위치마다 예측해야 할 토큰까지 보기 때문이며, 학습할 때는 없던 일입니다. 탐색할 때는 미래 토큰을 아직 생성하지 않았으므로 볼 수 없고, 그래서 출력이 그대로일 수 있습니다.

lesson-padding = 패딩은 무엇일까?
lesson-padding-term = 패딩 마스크
lesson-padding-question = “A dog runs.”를 더 긴 문장과 한 배치로 묶으면 뒤에 패딩 토큰이 채워집니다. 패딩을 마스크로 가리지 않아도 번역이 같을까요?
lesson-padding-says-same = 같다(패딩에는 뜻이 없으므로)
lesson-padding-says-other = 달라진다
lesson-padding-unmasked = { $choice ->
    [same] 인코더 어텐션의 { $share }{ JOSA($share, "이/가") } 패딩 토큰 { $n }개로 가지만 번역은 “{ $before }” 그대로입니다.
   *[other] 인코더 어텐션의 { $share }{ JOSA($share, "이/가") } 패딩 토큰 { $n }개로 가고, “{ $before }” 대신 다른 번역이 나옵니다. 번역: “{ $after }”
  }
lesson-padding-masked-open = 패딩 마스크 켜기
lesson-padding-masked = 마스크를 켜면 패딩 토큰은 가중치를 받지 못합니다. 배치로 번역하면 “{ $masked }”, 따로 번역하면 “{ $before }”입니다.

lesson-order = 어텐션은 단어의 순서를 알까?
lesson-order-term = 순열 등변성
lesson-order-question = 위치 인코딩을 제거하고 “I go home”과 “home go I”를 읽습니다. 인코더가 계산한 “home”의 벡터가 서로 다를까요?
lesson-order-says-same = 같다
lesson-order-says-other = 다르다
lesson-order-vectors = 같은 단어의 두 벡터는 위치 인코딩이 없으면 최대 { $without }, 있으면 최대 { $with }만큼 다릅니다. { $choice ->
    [same] 어텐션만으로는 문장이 순서 없는 단어 주머니(BoW)와 같습니다. 남은 차이는 반올림 오차입니다.
   *[other] 이 모델은 위치 인코딩이 없어도 순서를 구별합니다.
  }
lesson-order-absent-open = 위치 인코딩 없이 번역하기
lesson-order-absent = { $choice ->
    [same] 그래도 번역이 같습니다. 번역: “{ $after }”
   *[other] “{ $before }” 대신 다른 번역이 나옵니다. 번역: “{ $after }”
  }

lesson-waves = 사인파에는 어떤 정보가 담길까?
lesson-waves-term = 사인파 인코딩
lesson-waves-question = 위치 3과 8은 다섯 칸 떨어져 있고, 23과 28도 그렇습니다. 어느 쌍의 인코딩이 더 비슷할까요?
lesson-waves-says-same = 두 쌍의 유사도가 같다
lesson-waves-says-nearer = 3과 8이 더 비슷하다
lesson-waves-says-farther = 23과 28이 더 비슷하다
lesson-waves-similar = { $step }칸 떨어진 두 위치의 내적은 위치 { $first }에서 { $near }, 위치 { $second }에서 { $far }입니다. { $choice ->
    [same] 내적은 어디에서 시작하든 두 위치의 거리에만 의존합니다.
   *[other] 이 모델에서는 내적이 위치에 따라서도 달라집니다.
  }
lesson-waves-rotation-open = 이유 보기
lesson-waves-rotation = 위치를 { $step }칸 옮기면 사인과 코사인의 쌍이 회전합니다. 회전각은 어디에서 시작하든 같으므로 내적이 변하지 않습니다({ $near }, { $far }).

lesson-shift = 절대 위치가 중요할까?
lesson-shift-term = 이동 불변성
lesson-shift-question = 인코더의 위치 인코딩을 이동해, 문장이 위치 1이 아니라 6에서 시작하게 합니다. 번역이 바뀔까요?
lesson-shift-says-same = 바뀌지 않는다
lesson-shift-says-other = 바뀐다
lesson-shift-later = { $choice ->
    [same] 번역은 “{ $after }” 그대로이고, log P는 { $changed }입니다(원래 { $sum }). 단어 사이의 거리가 그대로이기 때문입니다.
   *[other] “{ $before }” 대신 “{ $after }”{ JOSA($after, "이/가") } 나오고, 원래 번역의 log P는 { $sum }에서 { $changed }{ JOSA($changed, "으로/로") } 바뀝니다.
  }
lesson-shift-reversed-open = 위치를 거꾸로 매기기
lesson-shift-reversed = { $choice ->
    [same] 위치를 거꾸로 매겨도 번역이 같습니다. 번역: “{ $after }”
   *[other] 위치를 거꾸로 매기면 번역이 달라집니다. 번역: “{ $after }”
  }

lesson-scaling = 왜 √d_k로 나눌까?
lesson-scaling-term = 스케일드 닷 프로덕트 어텐션
lesson-scaling-question = 어텐션 점수는 소프트맥스에 넣기 전에 √d_k로 나눕니다. 나누지 않으면 행의 최대 가중치는 어떻게 될까요?
lesson-scaling-says-smaller = 작아진다
lesson-scaling-says-same = 그대로이다
lesson-scaling-says-larger = 커진다
lesson-scaling-undivided = 최대 가중치를 인코더의 모든 행에서 평균하면, 나눌 때는 { $divided }이고 나누지 않으면 { $plain }입니다(d_k = { $d_k }). { $choice ->
    [larger] 점수가 크면 소프트맥스가 포화됩니다. 토큰 하나가 가중치를 거의 다 차지하고 기울기는 거의 사라집니다.
   *[other] 이 모델은 점수가 작아서 나누지 않아도 거의 차이가 없습니다.
  }

lesson-greedy = 확률이 가장 높은 다음 단어가 최선일까?
lesson-greedy-term = 그리디 서치와 빔 서치
lesson-greedy-question = “I would like to book a table for two.” 그리디 서치(탐욕적 탐색)는 스텝마다 확률이 가장 높은 토큰을 고르고, 빔 너비가 5인 빔 서치는 가설 다섯 개를 유지합니다. 그리디 서치로 얻은 번역의 확률은 어떨까요?
lesson-greedy-says-less = 빔 서치보다 낮다
lesson-greedy-says-same = 같은 번역이다
lesson-greedy-says-more = 빔 서치보다 높다
lesson-greedy-one = 그리디 서치: “{ $first }” (log P { $sum }). 빔 너비 { $wide }: “{ $second }” ({ $other }). { $choice ->
    [less] 당장 확률이 높은 토큰을 고른 탓에 더 나은 문장을 놓쳤습니다. 그리디 서치는 되돌아갈 수 없습니다.
    [more] 여기서는 그리디 서치가 유지한 가설이 빔에서 탈락했습니다.
   *[other] 여기서는 가설 하나로 충분합니다.
  }
lesson-greedy-five-open = 빔 너비를 5로 바꾸기
lesson-greedy-five = 빔 너비 { $wide }에서는 “{ $second }”{ JOSA($second, "이/가") } 다른 가설보다 점수가 낮을 때도 탈락하지 않습니다. 탐색 트리에서 이 경로를 따라가 보세요. 그리디 서치의 번역: “{ $first }”

lesson-length = 왜 짧은 출력이 유리할까?
lesson-length-term = 길이 페널티
lesson-length-question = 토큰이 하나 늘 때마다 출력의 확률에 1보다 작은 수가 곱해집니다. 길이 페널티가 없으면(α = 0) 1위 번역이 α = 0.6일 때보다 짧을까요?
lesson-length-says-shorter = 더 짧다
lesson-length-says-same = 길이가 같다
lesson-length-says-longer = 더 길다
lesson-length-plain = 길이 페널티가 없을 때: “{ $plain }” ({ $n }토큰). α = { $alpha }일 때: “{ $divided }” ({ $m }토큰). { $choice ->
    [same] 여기서는 차이가 없습니다.
   *[other] log P는 앞의 번역이 더 높지만, 길이로 나누면 뒤의 번역이 이깁니다.
  }
lesson-length-divided-open = 길이 페널티 다시 적용하기
lesson-length-divided = α = { $alpha }일 때의 1위 가설: “{ $divided }” α를 바꾸며 선이 만나는 지점을 찾아보세요.

lesson-search = 빔 서치가 가장 좋은 출력을 놓칠 수 있을까?
lesson-search-term = 탐색 오류
lesson-search-question = “The children who are playing in the garden are tired.” 빔 너비를 5로 해도 20일 때와 같은 번역을 찾을까요?
lesson-search-says-found = 찾는다(5면 충분하다)
lesson-search-says-missed = 확률이 더 높은 번역을 놓친다
lesson-search-width = 빔 너비 { $narrow }: “{ $first }” (log P { $sum }). 빔 너비 { $wide }: “{ $second }” ({ $other }). { $choice ->
    [missed] 이것이 탐색 오류입니다. 모델은 두 번째 번역에 더 높은 확률을 주지만, 좁은 빔에서는 탐색 도중에 탈락했습니다.
   *[other] 여기에는 탐색 오류가 없습니다.
  }
lesson-search-wide-open = 빔 너비를 20으로 바꾸기
lesson-search-wide = 빔 너비 { $wide }에서는 “{ $first }” ({ $sum }) 대신 “{ $second }” ({ $other }) 번역을 찾습니다. 트리 위에서 빔 너비를 바꾸며 이 번역이 언제부터 나오는지 확인해 보세요.

lesson-model = 탐색의 오류일까, 모델의 오류일까?
lesson-model-term = 모델 오류
lesson-model-question = “I would like to book a table for two.” 사람이 쓴 참조 번역은 “Ich würde gern einen Tisch für zwei Personen reservieren.”입니다. 모델은 왜 이 번역을 출력하지 않을까요?
lesson-model-says-search = 탐색이 놓쳤다
lesson-model-says-model = 모델이 자기 번역에 더 높은 확률을 준다
lesson-model-says-penalty = 길이 페널티 때문이다
lesson-model-says-none = 이 번역을 출력한다
lesson-model-verdict = 모델의 출력은 “{ $output }”(log P { $sum })이고, 참조 번역의 log P는 { $other }입니다. { $choice ->
    [search] 점수는 참조 번역이 더 높으므로 탐색 오류입니다.
    [model] 모델이 자기 출력에 더 높은 확률을 주므로, 탐색을 바꾸어도 참조 번역은 나오지 않습니다.
    [penalty] 둘의 순위는 길이 페널티 때문에 갈립니다.
   *[other] 둘이 같습니다.
  }

lesson-knock = 모델에 그 헤드가 필요할까?
lesson-knock-term = 헤드 제거(ablation)
lesson-knock-question = 헤드 하나가 “it”에서 “animal”에 주목합니다. 이 헤드의 출력을 0으로 대체하면 번역이 바뀔까요?
lesson-knock-says-same = 바뀌지 않는다
lesson-knock-says-other = 바뀐다
lesson-knock-one = { $choice ->
    [same] { $layer }층 { $head }번 헤드를 제거해도 번역은 “{ $after }” 그대로이고, log P는 { $changed }입니다(원래 { $sum }). 헤드가 주목한다고 해서 모델에 꼭 필요한 것은 아닙니다.
   *[other] { $layer }층 { $head }번 헤드를 제거하면 “{ $before }” 대신 “{ $after }”{ JOSA($after, "이/가") } 나옵니다.
  }
lesson-knock-each-open = 헤드를 하나씩 제거하기
lesson-knock-each = 하나만 제거했을 때 번역이 바뀌는 헤드는 { $of }개 중 { $n ->
    [0] 하나도 없습니다.
   *[other] { $n }개입니다.
  } 영향이 가장 큰 헤드는 { $site ->
    [cross] 크로스 어텐션
    [encoder] 인코더
   *[other] 디코더
  }의 { $layer }층 { $head }번 헤드이며, 이 헤드를 제거했을 때 log P의 변화는 { $change }입니다.

lesson-explain = 어텐션은 설명이 될 수 있을까?
lesson-explain-term = 충실성(faithfulness)
lesson-explain-question = 영어 단어를 하나씩 가립니다. 가렸을 때 log p가 크게 떨어질수록 중요한 단어입니다. 크로스 어텐션 헤드의 가중치는 이 중요도 순위와 얼마나 일치할까요?
lesson-explain-says-strong = 잘 일치한다(상관 0.7 이상)
lesson-explain-says-middle = 어느 정도 일치한다(0.4–0.7)
lesson-explain-says-weak = 거의 일치하지 않는다(0.4 미만)
lesson-explain-drops = 헤드 { $of }개의 순위 상관은 평균 { $mean }이고, 가장 높은 헤드({ $layer }층 { $head }번)는 { $best }입니다. 순위가 같으면 1입니다. { $choice ->
    [weak] 가중치는 헤드가 어디에 주목하는지 보여 줍니다. 출력이 무엇에 의존하는지는 별개의 문제입니다.
   *[other] 여기서는 가중치를 보면 출력이 어느 단어에 의존하는지 어느 정도 알 수 있습니다.
  }
lesson-explain-it-open = 대명사가 의존하는 단어 보기
lesson-explain-it = “{ $pronoun }”{ JOSA($pronoun, "을/를") } 생성할 때 크로스 어텐션은 “{ $looked }”에 가장 많이 주목합니다. 인코더에서 가렸을 때 log p가 가장 크게 떨어지는 단어는 “{ $needed }”입니다({ $drop }). { $choice ->
    [same] 여기서는 둘이 같습니다.
   *[other] 그 단어의 정보가 인코더에서 이미 “{ $looked }”{ JOSA($looked, "으로/로") } 전달되었을 수 있습니다.
  }

lesson-cut = “it”이 “animal”을 꼭 봐야 할까?
lesson-cut-term = 어텐션 연결 마스킹
lesson-cut-question = 모든 인코더 헤드에서 “it”이 “animal”에 주목하지 못하게 마스킹합니다. 독일어 대명사가 바뀔까요?
lesson-cut-says-same = 바뀌지 않고 “es” 그대로다
lesson-cut-says-other = 바뀐다
lesson-cut-row = { $choice ->
    [same] 대명사는 “{ $pronoun }” 그대로이고 log P는 { $changed }입니다(원래 { $sum }). 명사의 정보가 다른 토큰을 거쳐 “it”에 전달되거나 디코더에 직접 전달됩니다.
   *[other] “{ $pronoun }”{ JOSA($pronoun, "이/가") } “{ $other }”{ JOSA($other, "으로/로") } 바뀝니다. 번역: “{ $after }”
  }
lesson-cut-encoder-open = 인코더 전체에서 “animal” 가리기
lesson-cut-encoder = { $choice ->
    [same] 이때도 대명사는 “{ $pronoun }” 그대로입니다. 번역: “{ $after }”
   *[other] 이제 “{ $pronoun }”{ JOSA($pronoun, "이/가") } “{ $other }”{ JOSA($other, "으로/로") } 바뀝니다. 디코더는 여전히 “animal”을 볼 수 있지만, 그 의미를 전달받은 다른 토큰이 없습니다. 번역: “{ $after }”
  }

lesson-place = 헤드는 단어를 따를까, 위치를 따를까?
lesson-place-term = 위치 헤드
lesson-place-question = 여러 문장에서 단어와 상관없이 다음 토큰이나 앞 토큰에 가중치를 많이 주는 인코더 헤드가 있습니다. 그런 헤드는 몇 개일까요?
lesson-place-says-none = 없다
lesson-place-says-few = 절반 이하
lesson-place-says-most = 절반이 넘는다
lesson-place-heads = 헤드 { $of }개 중 { $n }개에 이런 역할이 있습니다. 가장 뚜렷한 헤드는 { $layer }층 { $head }번으로, { $where ->
    [next] 다음
   *[previous] 앞
 } 토큰에 가중치의 { $share }{ JOSA($share, "을/를") } 줍니다. { $choice ->
    [most] 대부분의 헤드가 위치를 따릅니다.
   *[other] 나머지 헤드는 역할이 다르거나, 시험한 역할 가운데 맞는 것이 없습니다.
  }

lesson-offset = 헤드는 단어를 볼까, 정해진 거리를 볼까?
lesson-offset-term = 고정 오프셋 기준선
lesson-offset-question = 여러 문장에서 “it”의 선행사에 주목하는 인코더 헤드가 있습니다. 모델이 없어도, 항상 “it”에서 정해진 칸수만큼 앞에 있는 토큰만 보는 규칙은 만들 수 있습니다. 가장 잘 맞는 칸수를 고르면 이 규칙은 선행사에 가중치를 얼마나 줄까요?
lesson-offset-says-less = 헤드가 주는 가중치의 절반에 못 미친다
lesson-offset-says-near = 헤드가 주는 가중치의 절반을 넘는다
lesson-offset-says-same = 헤드만큼 준다
lesson-offset-rule = 문장 { $n }개에서 { $layer }층 { $head }번 헤드는 평균적으로 가중치의 { $share }{ JOSA($share, "을/를") } 선행사에 줍니다. 가장 좋은 고정 오프셋, 즉 항상 같은 칸수만큼 앞만 보는 헤드라면 { $rule }{ JOSA($rule, "을/를") } 줍니다. { $choice ->
    [same] 거리만 학습한 헤드일 수 있으므로 역할이 있다고 볼 수 없습니다.
   *[other] 대조군보다 뚜렷하게 높으므로 역할이 있다고 볼 수 있습니다.
  }
lesson-offset-failed-open = 대조군을 넘지 못한 헤드 보기
lesson-offset-failed = { $choice ->
    [none] 모든 위치에서 같은 토큰에 주목하는 인코더 헤드 { $of }개는 모두, 행끼리 일치하는 정도가 가중치를 섞은 행보다 높습니다.
   *[other] 인코더 헤드 { $of }개가 모든 위치에서 같은 토큰에 주목하는 것처럼 보입니다. 그런데 그중 { $n }개는 가중치를 무작위로 섞은 행끼리도 거의 그만큼 일치합니다. { $layer }층 { $head }번 헤드의 일치도는 { $value }, 섞은 행의 일치도는 { $against }입니다. 그래서 이 헤드에는 역할 이름을 붙이지 않습니다.
  }

lesson-token = 다음에 올 토큰은?
lesson-token-term = 다음 토큰 예측
lesson-token-question = “I would like to book a table for two.” 모델이 “{ $begin }”까지 생성했습니다. 다음 토큰 후보 가운데 확률이 높은 네 개입니다. 확률이 가장 높은 토큰은 무엇일까요?
lesson-token-says-a = “{ $a }”
lesson-token-says-b = “{ $b }”
lesson-token-says-c = “{ $c }”
lesson-token-says-d = “{ $d }”
lesson-token-likeliest = “{ $word }”의 확률이 { $share }{ JOSA($share, "으로/로") } 가장 높습니다. 1위 가설은 “{ $taken }”({ $less }){ JOSA($taken, "으로/로") } 이어집니다. 탐색 트리에서 그 경로를 따라가 보세요. 확률이 낮은 토큰이 더 좋은 문장으로 이어질 수 있으므로 빔 서치는 여러 가설을 유지합니다.

lesson-aligner = 정렬을 잘하는 헤드가 설명도 잘할까?
lesson-aligner-term = 정렬과 충실성
lesson-aligner-question = 사람이 만든 단어 정렬과 비교했을 때 가장 정확한 크로스 어텐션 헤드가 있습니다. 영어 단어를 하나씩 가리고 log p가 떨어지는 정도로 순위를 매깁니다. 이 순위와의 일치도로 보면 그 헤드는 모든 헤드 가운데 어디쯤일까요?
lesson-aligner-says-best = 상위 4분의 1
lesson-aligner-says-middle = 중간
lesson-aligner-says-worst = 하위 4분의 1
lesson-aligner-rank = { $layer }층 { $head }번 헤드가 가장 정확하게 정렬하지만, LOO 중요도와의 순위 상관은 { $own }{ JOSA($own, "으로/로") } 헤드 { $of }개 중 { $rank }위입니다. 가장 높은 헤드는 { $best }입니다. { $choice ->
    [worst] 헤드가 정렬하는 단어와 출력이 의존하는 단어는 다릅니다.
    [best] 이 문장에서는 정렬하는 단어가 출력이 의존하는 단어이기도 합니다.
   *[other] 정렬을 잘하는 것과 설명을 잘하는 것은 별개입니다.
  }

lesson-othermap = 설명은 하나뿐일까?
lesson-othermap-term = 적대적 어텐션
lesson-othermap-question = 분류 모델이 리뷰를 읽고 한 문장에 가장 많이 주목합니다. 다른 문장에 가장 많이 주목해도 예측이 같을 수 있을까요?
lesson-othermap-says-yes = 그럴 수 있다
lesson-othermap-says-no = 그럴 수 없다
lesson-othermap-other = 가중치의 { $share }{ JOSA($share, "이/가") } { $n }번 문장에 있고, 예측은 { $label }({ $before })입니다. { $choice ->
    [yes] 가중치를 바꾸어 { $second }번 문장에 가장 많이 주목하게 해도 예측은 그대로입니다. 따라서 가중치만으로는 이유를 알 수 없습니다.
   *[other] 다른 문장에 가장 많이 주목하면서 예측이 같은 가중치는 찾지 못했습니다.
  }

lesson-residual = 잔차 연결은 무엇을 전달할까?
lesson-residual-term = 잔차 연결
lesson-residual-question = 인코더 1층에서 셀프 어텐션의 잔차 연결만 없애고 나머지는 그대로 둡니다. 번역이 같을까요?
lesson-residual-says-same = 다른 층이 그대로이므로 같다
lesson-residual-says-other = 다르다
lesson-residual-attention = { $choice ->
    [same] 번역은 “{ $after }” 그대로입니다.
   *[other] 번역이 “{ $before }”에서 “{ $after }”{ JOSA($after, "으로/로") } 바뀝니다. 잔차 연결은 단어 자체의 정보를 전달하므로, 없애면 셀프 어텐션의 출력만 남습니다.
  }
lesson-residual-feedforward-open = 피드포워드의 잔차 연결 없애기
lesson-residual-feedforward = { $choice ->
    [same] 같은 층에서 피드포워드의 잔차 연결을 없애도 번역은 “{ $after }” 그대로이고 log P는 { $changed }입니다(원래 { $sum }).
   *[other] 같은 층에서 피드포워드의 잔차 연결을 없애면 번역이 “{ $before }”에서 “{ $after }”{ JOSA($after, "으로/로") } 바뀝니다.
  }

lesson-lens = 다음 단어는 어디에서 정해질까?
lesson-lens-term = 로짓 렌즈
lesson-lens-question = 로짓 렌즈는 디코더의 상태마다 예측을 읽어 냅니다. 어느 상태부터 “Tier”의 확률이 가장 높을까요?
lesson-lens-says-input = 입력부터
lesson-lens-says-early = 디코더 앞쪽 절반에서
lesson-lens-says-late = 디코더 뒤쪽 절반에서
lesson-lens-word = { $choice ->
    [never] 어느 상태에서도 “{ $word }”의 확률이 가장 높지는 않습니다.
   *[other] “{ $word }”의 확률은 { $place }부터 가장 높습니다. 바로 앞 상태에서는 { $rank }위였습니다.
  } 토큰 { $of }개 중 { $n }개는 예측이 뒤쪽 절반에서 정해집니다.

lesson-cost = 어텐션은 RNN보다 빠를까?
lesson-cost-term = 층별 계산 복잡도
lesson-cost-question = 셀프 어텐션은 모든 토큰 쌍을 비교하고 GRU는 토큰을 하나씩 읽습니다. d = 256에서 측정하면 길이가 얼마부터 셀프 어텐션이 더 느릴까요?
lesson-cost-says-short = 200토큰이 되기 전부터
lesson-cost-says-middle = 200토큰에서 2,000토큰 사이부터
lesson-cost-says-never = 2,000토큰을 넘은 뒤부터, 또는 끝까지 느려지지 않는다
lesson-cost-measured = { $choice ->
    [never] 토큰 { $n }개까지는 셀프 어텐션이 더 느리지 않습니다.
   *[other] 두 곡선은 토큰 { $n }개에서 만납니다. 그보다 짧으면 모든 위치를 병렬로 계산하는 셀프 어텐션이 더 빠릅니다.
  } 토큰 쌍은 n²에 비례해 늘어나므로 긴 텍스트에서는 비용이 커집니다.
lesson-cost-wide-open = 차원을 두 배인 512로 바꾸기
lesson-cost-wide = { $choice ->
    [never] d = { $d }에서는 토큰 { $n }개까지 만나지 않습니다.
   *[other] d = { $d }에서는 토큰 { $n }개에서 만납니다.
  } 차원이 커지면 만나는 점이 이동합니다. GRU의 비용은 d²에 비례하지만 어텐션 점수의 비용은 d에 비례하기 때문입니다.

lesson-warmup = 학습 방법이 중요할까?
lesson-warmup-term = 학습률 웜업
lesson-warmup-question = 작은 트랜스포머를 같은 문장 쌍으로 두 번 학습합니다. 한 번은 학습률을 천천히 높이며 시작하고, 한 번은 그렇게 하지 않습니다. 웜업이 없으면 결과가 어떨까요?
lesson-warmup-says-worse = BLEU가 더 낮다
lesson-warmup-says-same = 거의 같다
lesson-warmup-says-better = BLEU가 더 높다
lesson-warmup-without = BLEU는 웜업이 없으면 { $other }, 있으면 { $bleu }입니다. { $choice ->
    [worse] 웜업이 없으면 결과가 더 나쁩니다. 흔히 처음의 큰 업데이트 때문이라고 설명하지만(Xiong et al. 2020), 이 비교로는 확인할 수 없습니다.
   *[other] 이 비교에서는 웜업이 없어도 결과가 나쁘지 않습니다.
  }
lesson-warmup-smoothed-open = 레이블 스무딩과 비교하기
lesson-warmup-smoothed = 레이블 스무딩을 쓰면 퍼플렉시티가 { $perplexity }에서 { $more }{ JOSA($more, "으로/로") } 바뀝니다. { $choice ->
    [better] 그래도 BLEU는 논문처럼 { $other }{ JOSA($other, "으로/로") } 좋아집니다. 다만 한 번씩만 학습했으므로 우연일 수도 있습니다.
   *[other] BLEU는 { $other }입니다. 더 좋아지지는 않았습니다.
  }

lesson-gain = 어떤 변화의 효과가 가장 컸을까?
lesson-gain-term = 모델 비교
lesson-gain-question = 2014년부터 2017년까지 번역 모델은 단계적으로 발전했습니다. 여기에서는 모든 모델을 같은 데이터로 다시 학습했습니다. BLEU가 가장 많이 오른 단계는 무엇일까요?
lesson-gain-says-reversed = 원문 순서 뒤집기(2014)
lesson-gain-says-additive = 벡터 하나 대신 어텐션(2015)
lesson-gain-says-self-longer = 어텐션을 쓰는 RNN 대신 트랜스포머(2017)
lesson-gain-gains = 가장 크게 향상된 단계는 { $name }입니다: BLEU { $gain }(95% 신뢰구간 { $low }, { $high }). 그다음은 { $second }입니다. 모두 작은 모델이고 한 번씩만 학습했으므로 작은 차이는 우연일 수 있습니다.

lesson-fall = 긴 텍스트에 강한 모델은?
lesson-fall-term = 길이 일반화
lesson-fall-question = 캡션을 이어 붙여 텍스트를 점점 길게 만듭니다. 가장 짧을 때와 가장 길 때를 비교하면 세 모델 중 BLEU가 가장 많이 떨어지는 모델은 무엇일까요?
lesson-fall-says-sutskever = 벡터 하나를 쓰는 RNN(Sutskever 2014)
lesson-fall-says-bahdanau = 어텐션을 쓰는 RNN(Bahdanau 2015)
lesson-fall-says-transformer = 트랜스포머(2017)
lesson-fall-length = { $name }의 BLEU가 { $begin }에서 { $end }{ JOSA($end, "으로/로") } 가장 많이 떨어집니다. 그다음은 { $second }입니다. { $choice ->
    [transformer] 학습할 때 본 길이를 넘는 위치는 이 모델에 새로운 위치입니다. 처음 점수가 낮은 모델은 하락이 드러나지 않을 수도 있습니다.
   *[other] 처음 점수가 낮은 모델은 크게 떨어질 수 없습니다.
  }

lesson-gaze = 캡션 모델은 봐야 할 곳을 볼까?
lesson-gaze-term = 이미지 어텐션
lesson-gaze-question = 모델이 장면의 캡션을 단어 단위로 생성합니다. 도형을 나타내는 단어 가운데, 가장 주목한 칸이 그 도형 위에 있는 단어는 얼마나 될까요?
lesson-gaze-says-all = 전부
lesson-gaze-says-some = 일부
lesson-gaze-says-none = 없다
lesson-gaze-words = 단어 { $of }개 중 { $n }개가 그렇습니다. 캡션: “{ $text }” 평균적으로 가중치의 { $share }{ JOSA($share, "이/가") } 그 도형 위에 있으며, 균등 어텐션이라면 { $even }입니다. 단어를 선택해 위치를 확인하세요.

lesson-masked = 오른쪽 단어도 도움이 될까?
lesson-masked-term = 마스크 언어 모델(BERT)
lesson-masked-question = “The dogs near the house are ▢ old.” 모델이 마스크의 양쪽을 볼 때와 왼쪽만 볼 때를 비교합니다. 마스킹한 단어 “very”의 확률은 양쪽을 볼 때 더 높을까요?
lesson-masked-says-more = 뚜렷하게 더 높다
lesson-masked-says-same = 거의 같다
lesson-masked-says-less = 더 낮다
lesson-masked-very = “very”의 확률은 양쪽을 보면 { $both }, 왼쪽만 보면 { $left }입니다(왼쪽만 볼 때의 1위는 “{ $first }”). { $choice ->
    [more] 오른쪽 문맥이 도움이 됩니다. 어느 토큰이 중요한지는 “토큰을 하나 더 마스킹” 차트에서 볼 수 있습니다.
   *[other] 이 경우에는 오른쪽 문맥이 도움이 되지 않습니다.
  }
lesson-masked-house-open = “house” 마스킹하기
lesson-masked-house = “{ $word }”의 확률은 양쪽을 보면 { $both }, 왼쪽만 보면 { $left }입니다. { $choice ->
    [more] 이 경우에도 오른쪽 문맥이 도움이 됩니다.
   *[other] 문맥이 많다고 맞는 단어의 확률이 항상 높아지지는 않습니다.
  }

lesson-recurrence = 셀프 어텐션 없이 디코더는 무엇을 기억할까?
lesson-recurrence-term = 순환(SSRU)
lesson-recurrence-question = 이 모델의 디코더에는 셀프 어텐션이 없습니다. 토큰마다 셀 c를 다음 토큰에 넘기고, 0과 1 사이의 망각 게이트 f가 그중 얼마를 남길지 정합니다. 셀에 담긴 값 가운데 앞 토큰에서 온 비율은 얼마나 될까요?
lesson-recurrence-says-most = 3분의 2보다 많다
lesson-recurrence-says-some = 3분의 1에서 3분의 2 사이다
lesson-recurrence-says-few = 3분의 1보다 적다
lesson-recurrence-gates = 1층에서는 두 번째 토큰부터 평균 { $share }{ JOSA($share, "이/가") } 앞 토큰에서 옵니다. 게이트의 값은 { $gates }이고(모든 유닛의 평균), “{ $word }”에서 가장 높습니다. 앞 토큰을 다시 보지 않고 f = σ(xW_f + b_f), c = f · c′ + (1 − f) · xW, ReLU(c)만 계산합니다(SSRU, Kim et al. 2019).
