# 문서 분류 페이지: 계층적 어텐션 네트워크(HAN)로 리뷰를 분류합니다.

page-documents = 문서 분류(HAN)

view-documents = 문서 분류 보기
view-documents-read = 어텐션 가중치
view-documents-agree = 설명으로서의 어텐션

site-words = 단어 어텐션
site-words-attention = 단어 어텐션
site-words-short = 단어
site-words-name = 단어
site-sentences = 문장 어텐션
site-sentences-attention = 문장 어텐션
site-sentences-short = 문장
site-sentences-name = 문장
family-hierarchical-attention = 계층적 어텐션 네트워크(HAN)
system-documents-han = HAN(Yang 2016)
system-documents-uniform = HAN, 균등 어텐션(대조 모델)
system-documents-no-mixing = HAN, 문맥 없는 인코더(대조 모델)
set-polarity = 사람이 쓴 리뷰
set-reviews = 생성한 리뷰

# 모델과 문서.

documents-none = 문서 분류 모델이 설치되어 있지 않습니다. 다음 두 명령으로 모델을 학습하고 설치합니다:
document_model = 모델
document = 예문
documents-review = 리뷰
document-others = 다른 사람의 의견
document-negated = 부정된 단어
document-expected = 기대와 의견
document-verb = 동사로 나타낸 의견
document-not = 부정된 의견
document-late = 뒤집히는 의견
document-pretty = 칭찬 뒤의 비판
document-mixed = 엇갈리는 평가
document_text = 영어 영화 리뷰
document_text-help = 텍스트를 자유롭게 붙여 넣으세요. 마침표, 물음표, 느낌표, 줄바꿈에서 문장이 끝납니다.
document_text-none = 리뷰를 붙여 넣거나 예문을 고르세요
documents-still = 이전 텍스트 표시 중: { $text }
documents-unknown = 단어 { $of }개 가운데 { $n }개({ PERCENT($share, digits: 0) })가 영어 영화 리뷰로 만든 어휘에 없습니다. 모델은 이런 단어를 모두 같은 미등록 토큰으로 읽으므로 예측을 믿기 어렵습니다.
documents-short = 텍스트가 매우 짧지만 모델은 리뷰로 보고 분류합니다.
documents-text = 문장별 { measured-all }{ JOSA(measured-all, "을/를") } 표시한 문서

# 예측과 변경.

document_weights = 어텐션 가중치
document_weights-own = 학습된 가중치
document_weights-uniform = 균등
document_weights-shuffled = 무작위로 섞음
document_weights-help = 단어와 문장의 가중치를 바꾸고 모델의 나머지는 그대로 둡니다.
document_how = 제거 방식
document_how-unread = 입력에서 삭제
document_how-unseen = 가중치를 0으로
document_how-help = 삭제하면 처음부터 없던 텍스트처럼 읽습니다. 가중치만 0으로 하면 인코더는 그대로 읽으므로 이웃 벡터에 정보가 남습니다.
document_another = 다시 섞기
document_put_back = 모두 되돌리기
documents-truth = 생성한 리뷰라서 예측을 결정하는 문장과 단어를 알 수 있으며, 선으로 표시했습니다. 정답: “{ $label }”
documents-class-pos = 호평
documents-class-neg = 혹평
documents-moved = { SIGNED($points, digits: 1) }%p
documents-probabilities = 예측 확률
documents-level-sentence = 문장
documents-level-word = 문장의 단어
documents-share-of = 텍스트
documents-share = 문서에서의 비율
documents-sentence = 문장
documents-shares-alt = 한 줄에 놓인 문장 { $n }개와 그 아래의 단어가 문서의 { measured-all }에서 차지하는 비율
documents-shares-file = 문서에서 차지하는 비율
documents-shares-caption = 블록의 너비는 문서 전체에서 차지하는 비율입니다. 위는 문장, 아래는 그 단어(단어 { measured } × 문장 { measured })이며, 문장을 제거하면 나머지 문장이 그 자리를 나누어 차지합니다.
documents-judged = 예측은 **{ $label }**(**{ PERCENT($prob) }**)입니다.
documents-turned = 예측이 { $before }에서 **{ $label }**(**{ PERCENT($prob) }**){ JOSA($label, "으로/로") } 바뀝니다.
documents-stays = 예측은 **{ $label }**(**{ PERCENT($prob) }**) 그대로입니다.
documents-largest = { measured-all }{ JOSA(measured-all, "은/는") } { $n }번 문장에서 가장 크고(**{ PERCENT($share, digits: 0) }**), 그중 { $deciding ->
    [yes] 예측을 결정하는 단어
   *[no] 단어
 } “{ $word }”에서 가장 큽니다.
documents-sentence-told = { $n }번 문장: 문서 안의 { measured } { $weight }
documents-sentence-out = { $n }번 문장: 입력에서 삭제됨
documents-word-told = “{ $word }”: { $measure ->
    [weight] √(문장 가중치) · 단어 가중치
   *[other] √(문장 노름) · 단어 노름
 } = √{ $sentence } · { $weight } = { $shown }.
documents-word-out = “{ $word }”: 입력에서 삭제됨
documents-word-unknown = 어휘에 없는 단어입니다.
documents-point = 단어나 문장 번호에 마우스를 올리거나 탭하면 { measured }{ JOSA(measured, "이/가") } 나타납니다.
documents-point-clicks = 단어나 문장 번호에 마우스를 올리면 { measured }{ JOSA(measured, "이/가") } 나타나고, 클릭하거나 탭하면 제거됩니다.

# 하나씩 제거, 기울기, 적대적 어텐션.

importance-progress = 단어를 하나씩 제거하며 예측하는 중…
other-map-progress = 적대적 어텐션을 찾는 중…
document_level = 단위
document_level-sentences = 문장
document_level-words = 단어
document_test = 검증 방법
document_test-importance = 어텐션과 중요도
document_test-adversarial = 적대적 어텐션
documents-agree-long = 단어가 { GROUPED($n) }개입니다. 이 분석은 { GROUPED($most) }개까지만 할 수 있으니 텍스트를 줄이세요.
documents-agree-one = 문장이나 단어가 하나뿐이라 비교할 것이 없습니다. 더 긴 텍스트를 입력하세요.
documents-agree-differ = { measured }{ JOSA(measured, "은/는") } { $level ->
    [sentences] { $most }번 문장에서
   *[words] “{ $most }”에서
 } 가장 크지만(**{ PERCENT($share, digits: 0) }**), “{ $label }” 확률은 { $level ->
    [sentences] { $needed }번 문장을
   *[words] “{ $needed }”{ JOSA($needed, "을/를") }
 } 뺄 때 가장 크게 바뀝니다(**{ FIXED($points, digits: 0) }%p**).
documents-agree-same = { measured }{ JOSA(measured, "은/는") } { $level ->
    [sentences] { $most }번 문장에서
   *[words] “{ $most }”에서
 } 가장 크고(**{ PERCENT($share, digits: 0) }**), “{ $label }” 확률도 이 부분을 뺄 때 가장 크게 바뀝니다(**{ FIXED($points, digits: 0) }%p**). 여기서는 둘이 일치합니다.
documents-agree-idle = 그런데 { $level ->
    [sentences] { $name }번 문장은
   *[words] “{ $name }”{ JOSA($name, "은/는") }
 } { PERCENT($share, digits: 0) }인데, 빼도 확률은 거의 바뀌지 않습니다({ PERCENT($change, digits: 0) }).
documents-agree-most-sentences = 문장 { $of }개 가운데 { measured-all }{ JOSA(measured-all, "이/가") } 큰 { $n }개를 그렸습니다. 아래 상관은 전체 문장으로 구합니다.
documents-agree-most-words = 단어 { $of }개 가운데 { measured-all }{ JOSA(measured-all, "이/가") } 큰 { $n }개를 그렸습니다. 아래 상관은 전체 단어로 구합니다.
documents-agree-often = 리뷰 하나로는 알 수 없습니다. 생성한 리뷰 { $n }편에서 가중치의 순서와 영향의 순서 사이의 순위 상관(켄달 τ)은 평균 **{ SIGNED($tau) }**입니다. +1은 같은 순서, 0은 무관, −1은 반대 순서입니다.
documents-agree-alt = { $level ->
    [words] 단어
   *[sentences] 문장
 } { $n }개의 { measured-mass }, 하나씩 제거(LOO) 중요도, 기울기 × 입력을 나란히 비교한 그림.
documents-agree-sentences = 문장
documents-agree-words = 단어
documents-agree-drop = 확률 감소량
documents-agree-file = { measured-mass }{ JOSA(measured-mass, "과/와") } 중요도 { $text }
documents-tau-drops = { measured-mass }{ JOSA(measured-mass, "과/와") } 하나씩 제거(LOO) 중요도의 순위 상관(켄달 τ): { $tau }
documents-tau-gradient = { measured-mass }{ JOSA(measured-mass, "과/와") } 기울기 × 입력의 켄달 τ: { $tau }
documents-tau-both = LOO와 기울기 × 입력의 켄달 τ(어텐션 가중치를 쓰지 않음): { $tau }
documents-tau-none = 정의되지 않음(한쪽 값이 모두 같음)
documents-tau-mean-polarity = 사람이 쓴 리뷰 { $n }편의 어텐션 평균 τ: LOO { $drops }, 기울기 × 입력 { $gradient }
documents-tau-mean-reviews = 생성한 리뷰 { $n }편의 어텐션 평균 τ: LOO { $drops }, 기울기 × 입력 { $gradient }
documents-other-found = 어떤 확률도 { PERCENT($epsilon, digits: 0) } 넘게 바뀌지 않는데, 적대적 어텐션은 학습된 어텐션과 **{ $divergence }** nat만큼 다릅니다(JS 발산, 최대 0.69).
documents-other-none = 확률 변화가 { PERCENT($epsilon, digits: 0) } 이내인 적대적 어텐션을 찾지 못했습니다. 학습된 어텐션으로 구한 “{ $label }”의 확률은 { PERCENT($before) }입니다.
documents-other-no-norms = 적대적 어텐션은 어텐션 가중치로 찾고, 그 거리도 가중치로 잽니다.
documents-map-own = 학습된 어텐션
documents-map-other = 적대적 어텐션
documents-other-mean-polarity = 사람이 쓴 리뷰 { $n }편에서 적대적 어텐션은 평균 { $divergence } nat만큼 다릅니다. 0.4 nat보다 크게 다른 리뷰는 { PERCENT($share, digits: 0) }입니다.
documents-other-mean-reviews = 생성한 리뷰 { $n }편에서 적대적 어텐션은 평균 { $divergence } nat만큼 다릅니다. 0.4 nat보다 크게 다른 리뷰는 { PERCENT($share, digits: 0) }입니다.
