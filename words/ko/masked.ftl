# 가려진 단어 페이지: 양쪽에서 읽는 인코더 하나.

page-masked = 가려진 단어
heading-masked = { $app }: 가려진 단어

view-masked = 가려진 단어 보기
view-masked-guess = 무엇이 있었을까?
view-masked-sides = 왜 양쪽인가?
view-masked-it = “it”은 무엇인가?
view-masked-agreement = is인가 are인가?
view-masked-measured = 측정 결과

family-masked-language-model = 가려진 단어 (BERT)
system-masked-lm = Devlin 2019 · 가려진 단어
need-masked-words = 가려진 자리에 무엇이 있었는지 묻는 기능이 여기에는 없습니다.

# 모델과 문장.

masked-none = 가려진 단어를 읽는 체크포인트가 설치되어 있지 않습니다. 다음 두 명령으로 학습하고 설치합니다:
masked-model = 읽는 모델: { $name }
masked-click = 단어를 눌러 가리세요
masked-click-help = 가린 단어는 [MASK]로 바뀝니다. 조각이 여럿이면 조각마다 하나씩 바뀝니다. 문장에 [MASK]를 직접 써도 됩니다.
masked-click-one = 위에서 단어를 누르거나 문장에 [MASK]를 써 보세요. 그 자리에 무엇이 있었을지 모델이 말합니다.
masked-all = 모든 단어를 가려서 문장의 길이 말고는 읽을 것이 없습니다. 모델이 가장 자주 본 것이 나옵니다.
masked-most = 조각 { $n }개를 가렸습니다. 후보는 앞에서부터 { $most }개까지 그립니다.
masked-apart = 논문에서처럼 가린 자리마다 따로 말하며, 다른 자리에서 무엇을 말하는지 모릅니다. 그래서 함께 놓으면 말이 안 될 수 있습니다.

# 후보.

masked-piece = “{ $token }” 자리
masked-typed = [MASK] 자리
masked-both = **양쪽에서.**
masked-left = **왼쪽만 보고.**
masked-both-title = 양쪽
masked-left-title = 왼쪽만
masked-own = 원래 있던 조각의 확률은 { $share }, 순위는 { $rank }위이고 엔트로피는 { $entropy }나트입니다.
masked-entropy = 엔트로피는 { $entropy }나트입니다.
masked-candidates-axis = 그 자리에 있었을 확률
masked-candidates-alt = 후보와 확률, 첫째는 { $token }, { $share }
masked-rests-title = 이 추측은 무엇에 기대고 있을까?
masked-rests-found = “{ $token }”까지 가릴 때 원래 있던 조각의 log p가 가장 크게, { $drop }나트만큼 떨어집니다.
masked-rests-none = 다른 조각을 더 가려도 원래 있던 조각의 log p는 낮아지지 않습니다.
masked-rests-heads = 잃는 양과 모든 헤드의 평균 가중치 사이의 순위 상관(스피어만)은 { $number }입니다.
masked-rests-nothing = 더 가릴 조각이 남아 있지 않습니다.
masked-rests-alt = 다른 조각 { $n }개를 하나씩 더 가릴 때, 가려진 자리에 있던 조각의 log p 변화
masked-rests-name = 추측이 기대는 것
masked-rests-caption = 다른 조각을 하나씩 더 가렸습니다. 첫 번째로 가린 자리를 양쪽에서 본 결과입니다.
masked-heads-title = 그 자리에서 헤드마다 보는 곳
masked-heads-alt = 문장의 토큰에 준 헤드 { $n }개의 가중치, 한 줄이 한 헤드
masked-heads-name = 가려진 단어의 헤드
masked-heads-caption = 모든 헤드의 { $place }번째 행, 첫 번째로 가린 자리입니다.
masked-open = 어텐션 페이지에서 모든 헤드 열기

# 양쪽.

masked-sides-found = 조각 { $n }개를 하나씩 가려 보았습니다. log p의 합은 양쪽에서 **{ $both }**나트, 왼쪽만 보고 **{ $left }**나트입니다. { $n }개 가운데 { $better }개는 양쪽에서 볼 때 확률이 더 높고, 차이가 가장 큰 것은 “{ $token }”입니다({ $gain }나트).
masked-sides-token = 조각
masked-sides-both = log p, 양쪽
masked-sides-left = log p, 왼쪽만
masked-sides-gain = 이득
masked-sides-alt = 조각마다 양쪽에서, 그리고 왼쪽만 보고 잰 log p
masked-sides-maps = 오른쪽이 보일 때와 보이지 않을 때의 같은 헤드
masked-sides-maps-alt = { $layer }층 헤드 { $head }, 양쪽을 볼 때와 왼쪽만 볼 때
masked-sides-name = 양쪽과 왼쪽만

# "It".

masked-it-none = 이 문장에는 “it”이 없습니다. 길을 건너지 않은 동물처럼 “it”이 있는 문장을 써 보세요.
masked-it-found = 명사가 둘이고 학습에 쓰지 않은 문장 { $n }개에서 쟀습니다. 다른 문장으로 고른 { $head }{ JOSA($head, "은/는") } “it”의 선행사에 준 가중치에서 다른 명사에 준 가중치를 뺀 값이 평균 { $margin }이고(두 절반에서 { $first }, { $second }), 문장의 { $right }에서 선행사를 더 많이 봅니다. 그렇게 하도록 학습시킨 것은 아닙니다. 번역 모델에서 가장 나은 헤드의 수치는 그 모델의 카드에 있습니다.
masked-it-name = it의 헤드
masked-it-caption = 모든 헤드에서 “it”의 행입니다.

# 일치.

masked-agreement-how = 동사를 가리고 두 가지 꼴의 확률을 묻습니다. 사이에 다른 명사가 있으면 가까운 것과 문법에 맞는 것이 갈립니다.
masked-agreement-sentence = 문장
masked-agreement-right = 맞는 꼴
masked-agreement-both = 양쪽
masked-agreement-left = 왼쪽만
masked-agreement-share = 두 꼴의 확률을 합한 것 가운데 맞는 꼴의 몫입니다. 절반이면 찍은 것과 같습니다.
masked-agreement-alt = 동사를 가린 문장 { $n }개와 맞는 꼴의 몫
masked-agreement-measured = 학습에서 생성한 문장에 없던 주어로 잰 결과
masked-agreement-measured-alt = 주어와 동사 사이에 있는 것에 따른 맞는 동사의 비율
masked-agreement-between = 주어와 동사 사이
masked-agreement-sentences = 문장
masked-agreement-plain = 없음
masked-agreement-same = 수가 같은 다른 명사
masked-agreement-other = 수가 다른 다른 명사
masked-agreement-preposition = 수가 다른 명사, 학습에 없던 전치사
masked-agreement-phrases = 수가 다른 명사 둘
masked-agreement-clause = 관계절, 수가 다른 명사
masked-agreement-singular = 주어 단수
masked-agreement-plural = 주어 복수
masked-agreement-told = 양쪽을 볼 때, 학습에 쓴 틀에서 수가 다른 명사 하나가 사이에 있으면 복수 주어의 동사를 { $other } 맞힙니다. 학습 문장에 없던 틀에서는 다른 전치사 뒤에서 { $preposition }, 전치사구 두 개 뒤에서 { $phrases }, 관계절 뒤에서 { $clause } 맞힙니다. { $verdict ->
    [frames] 절반에 못 미치는 곳에서는 찍느니만 못합니다. 주어가 어디에 있든 동사를 주어에 맞춘다는 규칙을 배운 것은 아닙니다.
   *[open] 찍으면 절반을 맞힙니다.
 }
masked-agreement-written = 무엇이든: 사람이 쓴 문장의 동사

# 측정 결과.

masked-measured-set = 글
masked-measured-pieces = 가린 조각
masked-measured-both-right = 정확도, 양쪽
masked-measured-left-right = 정확도, 왼쪽만
masked-measured-both-perplexity = MLM 퍼플렉시티, 양쪽
masked-measured-left-perplexity = MLM 퍼플렉시티, 왼쪽만
masked-measured-alt = 글 { $n }종류에서 잰 정확도와 MLM 퍼플렉시티
set-multi30k-en-de = 캡션
set-tatoeba-en-de = 일상 문장
set-tatoeba-extra-en-de = 더 새로운 일상 문장
set-chat-en-de = 채팅
set-ted-en-de-nc = 강연
set-stories-en-de = 동화
set-formality-en-de = 전화와 채팅
set-riddles = “it”이 있는 생성 문장
set-agreement = 동사가 일치하는 생성 문장

# 모델.

model-masked-empty = 모델이 모든 문장의 앞뒤에 붙이는 기호 말고는 읽을 것이 없습니다.
