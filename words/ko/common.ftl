# 여러 페이지에서 쓰는 문장.

head-name = { $layer }층 { $head }번 헤드
head-title = { $layer }층 { $head }번 헤드
head-single = 하나뿐인 헤드
head-single-title = 하나뿐인 헤드
quoted = “{ $text }”
interval = { $value } ({ $low }∼{ $high })

# 어텐션이 일어나는 곳: 문장 안에서, 전체 이름, 메뉴에서

site-encoder = 인코더
site-decoder = 디코더
site-cross = 인코더-디코더 어텐션
site-encoder-attention = 인코더 셀프 어텐션
site-decoder-attention = 디코더 셀프 어텐션
site-cross-attention = 인코더-디코더 어텐션
site-encoder-short = 인코더
site-decoder-short = 디코더
site-cross-short = 크로스
site-encoder-name = 인코더
site-decoder-name = 디코더
site-cross-name = 크로스
head-at = { $site } { $layer }.{ $head }

# 헤드를 고르는 메뉴.

layer = 층
head = 헤드
every = 전체
layers = 층

# 두 토큰 열 사이의 연결, 가중치를 끌어 바꿀 수 있는 행.

ribbons-heads = 헤드
ribbons-queries = 쿼리
ribbons-keys = 키
ribbons-chip = { $head }번 헤드
ribbons-chip-hint = 클릭: 켜기/끄기. 더블 클릭 또는 Shift+클릭: 이 헤드만 보기.
ribbons-every = 모든 헤드
ribbons-every-hint = 모든 헤드를 켭니다. 한 번 더 누르면 열린 헤드만 남습니다.
ribbons-query = { $place }번째 쿼리: { $token }
ribbons-key = { $place }번째 키: { $token }
ribbons-none = 켜진 헤드가 없습니다. 위의 번호를 누르세요.
ribbons-point = 토큰을 가리키면 그 연결만 보입니다. 누르면 고정됩니다.
ribbons-some = 연결 { $all }개 가운데 강한 { $most }개만 그렸습니다. 토큰을 가리키면 그 연결만 보입니다. 누르면 고정됩니다.
ribbons-end = { $token } { $weight }
ribbons-end-of = { $token } { $weight }({ $head }번 헤드)
ribbons-more = { $list } 외
ribbons-nothing = 그려진 연결 없음
ribbons-attends = { $who }에서 보는 곳 → { $list }. 숨은 몫: 이 행 가중치의 { $part }.
ribbons-attended = { $who } 자리를 보는 쿼리 ← { $list }. 숨은 몫: 받은 가중치의 { $part }.
row-bars = 행의 가중치
row-as-computed = 계산된 값 그대로
row-even = 균등하게
row-all-on-one = 한 곳에 모두
row-sum = 합 { $sum }

# 페이지.

app-title = 어텐션 랩
app-sentence = 신경망이 문장을 읽고 쓰는 동안 어디를 보는지, 직접 쓴 문장으로 모든 헤드를 살펴봅니다.
page-title = { $page } · { $app }
heading-attention = { $app }
heading-beam = { $app }: 빔 서치
heading-masks = { $app }: 마스크
heading-positions = { $app }: 위치 인코딩
heading-lineage = { $app }: 계보
heading-lessons = { $app }: 레슨
heading-glossary = { $app }: 용어집
page-attention = 어텐션
page-beam = 빔 서치
page-masks = 마스크
page-positions = 위치 인코딩
page-lineage = 계보

# 페이지의 언어, 그 언어로 쓴 이름.

language = 언어
language-own-name = 한국어
language-unknown = 주소에 적힌 언어 “{ $asked }”{ JOSA($asked, "은/는") } 여기에 없습니다. 고를 수 있는 언어는 { $known }이며, 지금은 { $used }{ JOSA($used, "으로/로") } 보여 줍니다.

# 페이지 주변: 모델, 문장, 탐색.

checkpoint = 체크포인트
checkpoint-unknown = 주소에서 요청한 “{ $asked }” 체크포인트가 설치되어 있지 않아 { $shown } 체크포인트를 열었습니다.
page-unknown = 주소에서 요청한 “{ $asked }” 페이지가 없어 { $shown } 페이지를 보여 줍니다.
checkpoint-help = config.json, model.safetensors, tokenizer.json이 들어 있는 checkpoints/ 아래의 폴더입니다.
sentence = { $language ->
    [en] 영어 문장
    [de] 독일어 문장
    [ko] 한국어 문장
    [scene] 글로 쓴 장면
   *[other] 문장
  }
sentence-none = 문장을 입력하세요
language-en = 영어
language-de = 독일어
language-fr = 프랑스어
language-ko = 한국어
language-source = 원문 언어
language-target = 번역문 언어
examples = 예문
examples-none = 예문 고르기
example = { $group }: { $text }
example-riddle = 무엇을 가리킬까?
example-caption = 캡션
example-everyday = 일상
example-notes = 강의 노트
example-own = 자체 예문
search-width = 빔 너비
search-width-help = 스텝마다 남겨 두는 가설(후보 문장)의 수입니다. 1이면 그리디 서치(탐욕적 탐색)가 됩니다.
alpha = 길이 페널티 α
alpha-help = 점수는 로그 확률을 페널티로 나눈 값이고, 페널티는 길이와 α에 따라 커집니다. α가 0이면 페널티가 사라져 짧은 번역이 유리해집니다.
search-more = 탐색 설정 더 보기
runners-up = 스텝마다 보여 줄 탈락 후보
runners-up-help = 아깝게 탈락한 후보를 트리에 그리기 위해 남겨 둡니다. 탐색 결과는 달라지지 않습니다.
least-tokens = 최소 토큰 수
least-tokens-help = 끝 기호도 셉니다. 이 길이 전에는 문장을 끝낼 수 없습니다.
most-tokens = 최대 토큰 수
most-tokens-none = 자동
most-tokens-help = 비워 두면 원문 토큰 수의 두 배에 10을 더한 값입니다. 끝나지 않는 번역은 여기서 멈춥니다.
least-above-most = 최소 길이 { $least }{ JOSA($least, "이/가") } 최대 길이 { $most }보다 커서 최소 길이는 쓰지 않습니다.
penalty = 로그 확률을 나누는 값
penalty-help = ((5 + 길이) / 6)^α는 Wu et al.(2016) 식 14의 페널티입니다. 길이^α에서 α = 1이면 토큰당 평균 로그 확률이 됩니다.
penalty-wu = ((5 + 길이) / 6)^α
penalty-length = 길이^α
penalty-none = 1: 페널티 없음
penalise = 페널티 적용 시점
penalise-help = 최종 순위에서는 끝난 번역끼리의 순서를 정합니다. 가지치기에도 쓰면, 끝난 번역이 빔에 자리를 지키면서 더 긴 후보와 점수로 겨룹니다.
penalise-final = 최종 순위에서만
penalise-pruning = 가지치기에도

# 각 페이지의 보기.

view-attention = 보기
view-attention-matrix = 행렬
view-attention-ribbons = 연결선
view-attention-find = 헤드 찾기
view-attention-arithmetic = 계산 과정
view-attention-together = 모든 헤드 합쳐 보기
view-attention-pair = 두 문장 비교

view-beam = 탐색 보기
view-beam-tree = 트리
view-beam-hypotheses = 가설
view-beam-methods = 방법 비교
view-beam-width = 빔 너비
view-beam-errors = 오류

view-masks = 마스크 보기
view-masks-seen = 볼 수 있는 범위
view-masks-change = 바꿔 보기
view-masks-knockout = 헤드 끄기
view-masks-pronoun = “it” 시험하기
view-masks-trace = 결정 추적하기
view-masks-explain = 어텐션은 설명이 될 수 있을까?

view-positions = 위치 보기
view-positions-encoding = 인코딩
view-positions-order = 필요한 이유
view-positions-model = 이 모델에서
view-positions-heads = 위치를 따르는 헤드

view-lineage = 계보 보기
view-lineage-systems = 모든 시스템
view-lineage-step = 한 스텝
view-lineage-bottleneck = 벡터 하나에 담기

# 어텐션을 보여 주는 방법.

kind = 어텐션
rows = 행 이름으로 쓸 토큰
rows-help = 디코더의 각 위치는 토큰 하나를 읽고 다음 토큰을 만듭니다. 행의 이름만 달라지고 가중치는 같습니다.
rows-read = 읽은 토큰
rows-produced = 만든 토큰
special = 특수 토큰
special-help = 볼 것이 없는 헤드는 끝 기호에 큰 가중치를 줍니다. 끝 기호를 빼면 나머지가 잘 보이지만, 다시 나누지 않으면 행의 합이 1이 되지 않습니다.
special-show = 보이기
special-hide = 빼고 가중치는 그대로
special-renormalise = 빼고 행의 합을 다시 1로
display = 표시
merge-words = 조각을 단어로 합치기
merge-words-help = 키 쪽 조각의 가중치는 더하고, 쿼리 쪽 조각의 가중치는 평균을 냅니다. 행의 합은 그대로 1입니다.
contrast = 행마다 대비 높이기
contrast-help = 각 행을 그 행의 가장 큰 가중치로 나누어 색만 바꿉니다. 숫자는 그대로입니다.
badge = 헤드 아래의 숫자
badge-weight = 가장 큰 가중치, 행 평균
badge-weight-row = 고른 쿼리의 가장 큰 가중치
badge-weight-pair = 고른 쌍의 가중치
badge-entropy = 엔트로피(비트), 행 평균
badge-distance = 거리(토큰), 행 평균
badge-previous = 앞 토큰에 준 가중치, 행 평균
badge-same = 같은 토큰에 준 가중치, 행 평균
badge-next = 다음 토큰에 준 가중치, 행 평균
badge-special = 특수 토큰에 준 가중치, 행 평균
item = 맵
none = 없음
more = 외 { $n }개
focus-row = { $n ->
    [0] 쿼리(행)
    [1] 쿼리(행)
   *[other] 쿼리(행), { $n }개 중 첫째
  }
focus-column = { $n ->
    [0] 키(열)
    [1] 키(열)
   *[other] 키(열), { $n }개 중 첫째
  }
guided = 유도됨

# 모델이 읽고 쓴 것.

run-nothing = *모델이 문장을 곧바로 끝냈습니다.*
run-numbers = 토큰과 id: 입력 { $n_src }개, 출력 { $n_tgt }개 · 빔 { $beam }, 점수 { $score }
run-numbers-read = 읽은 위치 { $n }개
run-sites = 어텐션이 일어나는 곳: { $sites }.
run-unknown = 조각 { $of }개 가운데 { $n }개(아래 빨간색)는 어휘에 없습니다: { $pieces }. 모델에는 모두 똑같은 미등록 토큰으로 보입니다.
confidence-other = 이 모델이 읽는 언어는 { $language }인데, 이 문장은 { $other }{ JOSA($other, "으로/로") } 보입니다. 그래도 번역은 하지만 결과를 믿지 마세요.
confidence-not = 이 모델이 읽는 언어는 { $language }인데, 이 문장은 { $language }{ JOSA($language, "으로/로") } 보이지 않습니다. 그래도 번역은 하지만 결과를 믿지 마세요.
confidence-open = { $source } → { $target } 열기
confidence-low = 확신 낮음
confidence-middle = 확신 중간
confidence-high = 확신 높음
confidence-low-told = 이 모델에서는 드물게 낮은 확신도입니다. 이만큼 확신이 낮았던 검증 문장의 번역은 chrF 평균이 { $chrf }입니다. 주의해서 읽으세요.
confidence-help = 출력한 토큰을 모델이 얼마나 확신했는지 나타냅니다. 평균 log p는 { $value }입니다. 검증 문장 { $of }개 가운데 { $n }개가 같은 구간에 있었고, 그 번역의 chrF(0∼100, 사람 번역과 겹치는 글자의 비율)는 평균 { $chrf }, 50 이상인 것은 { $good }개였습니다.
confidence-auc = 참고용입니다. 좋은 번역과 나쁜 번역을 하나씩 놓고 비교하면 100번 가운데 { $auc }번은 좋은 쪽의 평균 log p가 더 높았습니다.
confidence-auc-within = (95% 구간: { $low }∼{ $high }번) 두 번역이 같은 종류의 글에서 나왔을 때는 { $within }번입니다.
confidence-by-set = 글의 종류별로는 { $least }∼{ $most }입니다.
run-unfinished = 문장이 끝나기 전에 최대 길이에 이르러 번역이 중간에 멈췄습니다.
compare = 비교: { $text }

# 어텐션의 한 행, 가중치에 한 일.

row = { $n ->
    [1] { $who }에서 보는 곳 → { $keys }.
   *[other] { $who }에서 평균적으로 보는 곳 → { $keys }.
  }
row-more = { $who } 외 { $n }개
row-chosen = 고른 키: { $key } **{ $weight }**, { $of }개 중 { $rank }위.
row-chosen-together = 고른 키 { $n }개의 합: **{ $weight }**.
token-at = “{ $token }”({ $position }번째)
note-words = 조각을 단어로 합쳤습니다: 키는 더하고 쿼리는 평균을 냈습니다.
note-hide = 특수 토큰을 뺐습니다. 한 행에서 차지하던 몫은 평균 { $share }입니다. 나머지 가중치는 모델이 계산한 그대로이므로 행의 합이 1이 되지 않습니다.
note-renormalise = 특수 토큰을 뺐습니다. 한 행에서 차지하던 몫은 평균 { $share }입니다. 나머지 가중치를 남은 합으로 나누었으므로 행의 합이 다시 1입니다.
note-words-hide = 조각을 단어로 합쳤습니다: 키는 더하고 쿼리는 평균을 냈습니다. 특수 토큰도 뺐습니다. 한 행에서 차지하던 몫은 평균 { $share }입니다. 나머지 가중치는 모델이 계산한 그대로이므로 행의 합이 1이 되지 않습니다.
note-words-renormalise = 조각을 단어로 합쳤습니다: 키는 더하고 쿼리는 평균을 냈습니다. 특수 토큰도 뺐습니다. 한 행에서 차지하던 몫은 평균 { $share }입니다. 나머지 가중치를 남은 합으로 나누었으므로 행의 합이 다시 1입니다.
grid-alt-site = { $site }({ $n_layers }개 층 × 헤드 { $n_heads }개)
matrix-alt = { $site }의 헤드 하나의 가중치: 쿼리 { $n_rows }행, 키 { $n_columns }열. 아래에는 한 행의 가중치를 막대로 그렸습니다. 고른 행의 큰 가중치는 글로도 적혀 있습니다.

# 모델에 대하여.

model-size = { $architecture }, 파라미터 { $millions }M
licence = 데이터와 라이선스: { $text }
score-bleu = { $set } BLEU { $value }
score-accuracy = { $set } 정확도 { $value }
score-always = {" "}(항상 “{ $word }”: { $value })
set-multi30k_test_2016_flickr = Multi30k 테스트 2016
set-multi30k_test_2017_flickr = 테스트 2017
set-multi30k_test_2018_flickr = 테스트 2018
set-multi30k_val = Multi30k 검증
set-tatoeba_val = Tatoeba 검증
set-coreference = 학습에 쓰지 않은 대명사
set-natural = 사람이 쓴 문장
set-natural_validation = 사람이 쓴 검증 문장
set-chains = 이어 붙인 문장
set-ko-en-tatoeba = Tatoeba
set-ko-en-tatoeba-extra = 새 Tatoeba
set-ko-en-kss-nc = 교재 문장(KSS)

# 표시하지 못한 것과 되돌아가는 길

mishap = 입력한 내용이 아니라 앱의 오류 때문에 이 부분을 표시하지 못했으며, 자세한 내용은 로그에 남겼습니다.
mishap-again = 다시 시도
mishap-start = 시작 페이지로

# 모델에 맞지 않는 보기: 모델에 아예 없는 것과 여기서 보여 줄 수 없는 것.

view-shown-with = **{ $open }**: { $why } 이 페이지는 대신 **{ $other }** 모델로 보여 줍니다.
view-none = 이 페이지의 보기 가운데 이 모델에 맞는 것이 없습니다.
view-unfit = 이 모델에는 해당하지 않음: { $views }. { $why }
view-unshown = 이 모델로는 여기서 보여 줄 수 없음: { $views }. { $why }
none-writing = 텍스트를 생성하지 않습니다.
none-text = 텍스트를 읽지 않습니다.
none-scene = 장면을 읽지 않습니다.
none-attention = 어텐션이 없습니다.
none-self-attention = 셀프 어텐션이 없습니다.
none-causal-attention = 인과 마스크를 쓰는 어텐션이 없습니다.
none-several-heads = 어텐션 헤드가 둘 이상 있지 않습니다.
none-positions = 순환 신경망이며 위치 인코딩이 없습니다.
none-layer-norm = 층 정규화가 없습니다.
need-withdrawn = 이 구조는 “{ $claim }”라고 하지만, 더 느린 방법으로 확인해 보니 { $known ->
    [yes] 두 값이 { $difference }만큼 달랐습니다.
   *[no] 견줄 값이 나오지 않았습니다.
 }
need-any-attention = 어디에 어텐션을 두는지 여기서는 알 수 없습니다.
need-self-attention = 셀프 어텐션이 있는지 여기서는 알 수 없습니다.
need-causal-attention = 인과 마스크를 쓰는 어텐션이 있는지 여기서는 알 수 없습니다.
need-several-heads = 헤드가 둘 이상인지 여기서는 알 수 없습니다.
need-text = 소스를 한 문장으로 읽는 모델이 아닙니다.
need-documents = 문서를 판단하게 하는 기능이 여기에는 없습니다.
need-search = 한 스텝씩 탐색하는 기능이 여기에는 없습니다.
need-teacher-forcing = 주어진 출력을 읽게 하는 기능이 여기에는 없습니다.
need-scores = 소프트맥스 이전의 점수를 여기서는 알 수 없습니다.
need-vectors = 헤드의 쿼리, 키, 밸류 벡터를 여기서는 읽어 낼 수 없습니다.
need-positions = 위치를 인코딩하는지, 어떻게 인코딩하는지 여기서는 보여 줄 수 없습니다.
need-rollout = 층을 따라 입력까지 거슬러 가는 기능이 여기에는 없습니다.
need-trace = 결정을 헤드별 몫으로 나누는 기능이 여기에는 없습니다.
need-order = 구성 요소를 따로 떼어 다른 순서로 실행하는 기능이 여기에는 없습니다.
need-padding = 패딩한 배치를 어떻게 읽는지 여기서는 보여 줄 수 없습니다.
need-tree-attention = 탐색의 모든 노드가 어디를 보는지 한 배치로 계산하는 기능이 여기에는 없습니다.
need-leave-out = 토큰을 가리는 기능이 여기에는 없습니다.
need-values = 스텝을 값까지 넣은 식으로 보여 주는 기능이 여기에는 없습니다. 헤드의 계산 과정을 보여 줄 수 있는 모델이면 첫 페이지에 있습니다.
need-changes = 모델을 바꿔 보는 기능이 여기에는 없습니다.
need-change-hide = 토큰을 가리는 기능이 여기에는 없습니다.
need-change-unread = 토큰을 읽지 않고 건너뛰게 하는 기능이 여기에는 없습니다.
need-change-mask = 칸에 마스크를 씌우는 기능이 여기에는 없습니다.
need-change-ablate = 헤드를 끄는 기능이 여기에는 없습니다.
need-change-row = 행에 다른 가중치를 주는 기능이 여기에는 없습니다.
need-change-positions = 위치를 바꾸는 기능이 여기에는 없습니다.
need-change-causal = 인과 마스크를 걷어 내는 기능이 여기에는 없습니다.
need-block = 블록을 나눠서 보는 기능이 여기에는 없습니다.
need-feed-forward = 피드포워드 층의 유닛을 여기서는 보여 줄 수 없습니다.
need-change-residual = 잔차 연결을 빼는 기능이 여기에는 없습니다.
need-change-norm = 층 정규화를 빼는 기능이 여기에는 없습니다.

# 파일 메뉴.

export = 내보내기
export-heads = 모든 헤드 내보내기

# 계산하는 동안, 그리고 계산할 수 없을 때.

loading = 모델을 불러오는 중…
# 여러 사람이 함께 쓸 때의 기다림.

door-full = { $n ->
    [1] 한 번에 한 사람만 쓸 수 있는데 지금 누군가 쓰고 있습니다.
   *[other] 한 번에 { $n }명까지 쓸 수 있는데 지금 자리가 모두 찼습니다.
  } 이 페이지는 몇 초마다 다시 확인하고, 자리가 나면 저절로 열립니다. 주소는 그대로 남아 있어 요청한 문장과 보기가 열립니다.
door-again = 지금 다시 시도
long-queue = { $n ->
    [1] 오래 걸리는 측정은 다른 사람이 기다리지 않도록 한 번에 몇 개만 합니다. 바로 다음 차례이며 저절로 시작됩니다.
   *[other] 오래 걸리는 측정은 다른 사람이 기다리지 않도록 한 번에 몇 개만 합니다. 대기 순서는 { $n }번째이며 저절로 시작됩니다.
  } 그동안 다른 것을 고르면 이 측정 대신 그것을 합니다.

still-showing = “{ $text }”의 결과를 계속 보여 줍니다(체크포인트 { $checkpoint }).
other-checkpoints = 다른 체크포인트는 사이드바에서 고를 수 있습니다.
