# 마스크 언어 모델 페이지: 양쪽 문맥을 보는 인코더 하나.

page-masked = 마스크 언어 모델(BERT)

view-masked = 마스크 언어 모델 보기
view-masked-guess = 마스크 채우기
view-masked-agreement = 주어-동사 수 일치

family-masked-language-model = 마스크 언어 모델(BERT)
system-masked-lm = BERT 방식 마스크 언어 모델(Devlin 2019)
need-masked-words = 마스킹한 토큰의 예측을 여기서는 볼 수 없습니다.

# 모델과 문장.

masked-none = 마스크 언어 모델이 설치되어 있지 않습니다. 다음 두 명령으로 모델을 학습하고 설치합니다:
masked_words = 마스킹할 단어
masked_words-help = 단어를 클릭하면 마스킹합니다. 단어의 토큰이 각각 [MASK]로 바뀝니다. 문장에 [MASK]를 직접 입력해도 됩니다.
masked-click-one = 단어를 클릭하거나 문장에 [MASK]를 입력하세요. 모델이 그 위치의 토큰을 예측합니다.
masked-all = 모든 단어를 마스킹하면 모델이 알 수 있는 정보는 문장의 길이뿐이므로, 학습에서 가장 자주 본 토큰을 예측합니다.
masked-most = 토큰 { $n }개를 마스킹했습니다. 예측은 앞에서부터 { $most }개까지 표시합니다.
masked-apart = 논문과 같이 마스킹한 토큰을 각각 따로 예측하므로, 예측한 토큰을 함께 놓으면 말이 안 될 수도 있습니다.
masked-found-typed = 확률이 가장 높은 토큰은 양방향 문맥에서는 “{ $both }”(**{ PERCENT($both_share) }**), 왼쪽 문맥만 보면 “{ $left }”({ PERCENT($left_share) })입니다.
masked-found = “{ $token }”의 확률은 양방향 문맥에서는 **{ PERCENT($both) }**({ $both_rank ->
    [1] 모든 토큰 가운데 가장 높음
   *[other] 가장 높은 토큰은 “{ $top }”
 }), 왼쪽 문맥만 보면 { PERCENT($left) }입니다.

# 예측.

masked-piece = 마스킹한 토큰 “{ $token }”
masked-typed = 직접 입력한 [MASK]
masked-both = **양방향 문맥**
masked-left = **왼쪽 문맥만**
masked-both-title = 양방향 문맥
masked-left-title = 왼쪽 문맥만
masked-own = 원래 토큰의 확률은 { PERCENT($share) }({ GROUPED($rank) }위)입니다. { masked-entropy }
masked-entropy = { $choices ->
    [1] 모델은 거의 망설이지 않습니다(엔트로피 { $entropy } nat).
   *[other] 모델은 확률이 같은 토큰 { GROUPED($choices) }개 가운데 고를 때만큼 확신이 없습니다(엔트로피 { $entropy } nat).
 }
masked-candidates-axis = 확률
masked-candidates-file = 마스킹한 토큰의 예측 { $side ->
    [both] 양방향 문맥
   *[alone] 왼쪽 문맥만
 }
masked-candidates-alt = 예측한 토큰과 확률, 1위는 { $token }, { PERCENT($share) }
masked-rests-title = 토큰을 하나 더 마스킹
masked-rests-found = “{ $token }”도 마스킹하면 원래 토큰의 로그 확률이 가장 크게({ $drop }) 떨어집니다.
masked-rests-raised = “{ $token }”{ JOSA($token, "을/를") } 마스킹하면 오히려 가장 크게({ $rise }) 오릅니다. 이 단어가 없을 때 원래 토큰이 더 잘 어울린다는 뜻입니다.
masked-rests-none = 다른 토큰을 더 마스킹해도 원래 토큰의 로그 확률은 떨어지지 않습니다.
masked-rests-heads = 감소량(−Δ log p)과 { measured-all }({ $measure ->
    [normed] 층
   *[other] 헤드
 } 평균)의 순위 상관(스피어만)은 { SIGNED($number) }입니다(+1: 같은 순서, 0: 무관, −1: 반대 순서).
masked-rests-nothing = 더 마스킹할 토큰이 없습니다.
masked-rests-alt = 다른 토큰 { $n }개를 하나씩 더 마스킹할 때 원래 토큰의 log p 변화
masked-rests-file = 토큰을 하나 더 마스킹
masked-rests-caption = 이미 마스킹한 토큰에 더해 다른 토큰을 하나씩 마스킹합니다. 막대는 첫 번째로 마스킹한 토큰의 로그 확률 변화(Δ log p, 양방향 문맥)이며, 낮을수록 그 토큰이 중요합니다.
masked-heads-title = 마스킹한 토큰의 { measured-mass }
masked-heads-alt = 문장의 토큰에 대한 { $measure ->
    [normed] 층
   *[other] 헤드
 } { $n }개의 { measured-all }, 한 줄에 하나씩
masked-heads-file = 마스킹한 토큰의 { measured-mass }
masked-heads-caption = 줄 하나가 { $measure ->
    [normed] 층
   *[other] 헤드
 } 하나이며, 첫 번째로 마스킹한 토큰(위치 { $place })이 어디에 주목하는지 보여 줍니다.
masked_open = 어텐션 헤드 페이지 열기

# 양방향 문맥.

masked_part = 마스킹할 토큰
masked_part-chosen = 고른 단어
masked_part-each = 모든 토큰을 하나씩
masked-sides-found = { $better ->
    [0] { $n ->
        [1] 양방향 문맥에서도 “{ $token }”의 확률이 더 높아지지 않습니다.
       *[other] 양방향 문맥에서 확률이 더 높은 토큰은 { $n }개 가운데 하나도 없습니다.
    }
   *[other] { $n ->
        [1] 양방향 문맥에서 “{ $token }”의 확률이 더 높습니다
       *[other] 양방향 문맥에서 확률이 가장 크게 높아지는 토큰은 { $n }개 가운데 “{ $token }”입니다
    }(왼쪽 문맥만 { PERCENT($left) }, 양방향 문맥 **{ PERCENT($both) }**).
 }
masked-sides-caption = 토큰 { $n }개를 하나씩 마스킹했습니다. 그중 { $better }개는 양방향 문맥에서 확률이 더 높습니다. 토큰별 로그 확률(log p)의 합은 양방향 문맥에서는 { FIXED($both, digits: 1) } nat, 왼쪽 문맥만 보면 { FIXED($left, digits: 1) } nat입니다.
masked-sides-axis = 원래 토큰의 확률
masked-sides-alt = 양방향 문맥과 왼쪽 문맥만으로 구한 토큰 { $n }개의 확률
masked-sides-file = 토큰마다 마스킹 { $text }
masked-sides-maps = 양방향 문맥과 왼쪽 문맥
masked-sides-maps-alt = { $head }의 { measured-all }, 양방향 문맥과 왼쪽 문맥만
masked-sides-maps-file = { measured } 양방향 문맥과 왼쪽 문맥

# 상호참조.

masked-it-title = 대명사 “it”의 어텐션
masked-it-found = { $head }에서 “it”이 선행사에 주는 가중치와 방해 명사에 주는 가중치의 차이는 평균 { SIGNED($margin) }입니다(학습에 쓰지 않은 문장 { $n }개). 선행사의 가중치가 더 큰 문장은 { PERCENT($right, digits: 0) }입니다.
masked-it-alt = 문장의 토큰에 대한 “it”의 { measured-all }({ $measure ->
    [normed] 층
   *[other] 헤드
 } { $n }개), 한 줄에 하나씩
masked-it-file = “it”의 { measured-mass }
masked-it-caption = 줄 하나가 { $measure ->
    [normed] 층
   *[other] 헤드
 } 하나이며, “it”이 어디에 주목하는지 보여 줍니다.

# 수 일치.

masked-agreement-how = 동사를 마스킹하고 두 형태의 확률을 비교합니다. 주어와 동사 사이에 단수·복수가 주어와 다른 명사(attractor)가 있으면, 가장 가까운 명사를 따르는 형태는 오답입니다.
masked-agreement-found = 문장 { $n }개 가운데 맞는 동사 형태의 확률이 더 높은 문장은 양방향 문맥에서는 **{ $both }개**, 왼쪽 문맥만 보면 **{ $left }개**입니다.
masked-agreement-lowest = 가장 낮은 비율은 { PERCENT($share, digits: 0) }입니다: “{ $text }”
masked-agreement-open = 마스크 채워 보기
masked-agreement-sentence = { $text }
masked-agreement-examples = 맞는 동사 형태의 확률
masked-agreement-axis = 맞는 형태의 확률(두 형태 가운데)
masked-agreement-accuracy = 맞는 형태를 고른 문장의 비율
masked-agreement-chance = 무작위: 50%
masked-agreement-edge = ← 틀린 형태 | 맞는 형태 →
masked-agreement-side = 문맥
masked-agreement-dots-alt = 동사를 마스킹한 문장 { $n }개에서 맞는 형태의 비율(양방향 문맥과 왼쪽 문맥)
masked-agreement-dots-file = 문장 { $n }개의 수 일치
masked-agreement-accuracies-alt = 주어와 동사 사이의 내용에 따른 동사 형태의 정확도와 95% 구간(양방향 문맥과 왼쪽 문맥)
masked-agreement-accuracies-file = 수 일치의 정확도
masked-agreement-accuracies-caption = 고리: 양방향 문맥에서 복수 동사만 따로 본 비율. 선은 95% 구간입니다. 50%보다 왼쪽이면 무작위로 고르는 것만 못합니다.
masked-agreement-text = 문장
masked-agreement-right = 맞는 형태
masked-agreement-both = 양방향
masked-agreement-left = 왼쪽만
masked-agreement-dots-caption = 동사를 마스킹했습니다. 점은 두 형태의 확률을 더한 값에서 [괄호 안의] 맞는 형태가 차지하는 비율입니다. 50%보다 왼쪽이면 틀린 형태의 확률이 더 높습니다.
masked-agreement-caption = 두 형태의 확률을 더한 값에서 맞는 형태가 차지하는 비율입니다. 50%는 우연 수준입니다.
masked-agreement-alt = 동사를 마스킹한 문장 { $n }개에서 맞는 형태의 비율
masked-agreement-measured = 많은 문장에서 맞힌 비율
masked-agreement-measured-alt = 주어와 동사 사이의 내용에 따른 동사 형태의 정확도
masked-agreement-kind = 주어와 동사 사이
masked-agreement-plural-alone = 복수
masked-agreement-n = 문장 수
masked-agreement-plain = 주어와 동사 사이에 명사 없음
masked-agreement-same = 단수·복수가 같은 명사
masked-agreement-other = 단수·복수가 다른 명사(attractor)
masked-agreement-preposition = 다른 명사, 학습에 없던 전치사
masked-agreement-phrases = 다른 명사 둘
masked-agreement-clause = 다른 명사가 있는 관계절
masked-agreement-singular = 단수 주어
masked-agreement-plural = 복수 주어
masked-agreement-told = { $verdict ->
    [frames] 그러나 이 모델은 수 일치의 일반 규칙을 학습하지 못했습니다.
   *[open] 무작위로 고르면 50%입니다.
 } 복수 동사만 따로 보면(고리), 맞히는 비율은 단수 명사가 하나 낄 때 { PERCENT($other, digits: 0) }, 학습에 없던 관계절이 낄 때 { PERCENT($clause, digits: 0) }입니다.
masked-agreement-written = 제한 없음(사람이 쓴 문장)

# 글의 종류.

set-multi30k-en-de = 캡션
set-tatoeba-en-de = 일상 문장
set-tatoeba-extra-en-de = 일상 문장(최신)
set-chat-en-de = 채팅
set-ted-en-de-nc = 강연
set-stories-en-de = 동화
set-formality-en-de = 전화와 채팅
set-riddles = “it”이 있는 생성 문장
set-agreement = 수 일치 생성 문장

# 모델.

model-masked-empty = 모델이 모든 문장에 붙이는 특수 토큰 말고는 읽을 것이 없습니다.
