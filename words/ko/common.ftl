# 여러 페이지에서 쓰는 문장.

head-name = { $layer }층 { $head }번 헤드
head-title = { $layer }층 { $head }번 헤드
layer-name = { $layer }층
layer-title = { $layer }층
head-single = 유일한 헤드
head-single-title = 유일한 헤드
quoted = “{ $text }”
interval = { $value } ({ $low }, { $high })

# 어텐션이 일어나는 곳: 문장 안에서, 전체 이름, 메뉴에서

site-encoder = 인코더
site-decoder = 디코더
site-cross = 크로스 어텐션
site-encoder-attention = 인코더 셀프 어텐션
site-decoder-attention = 디코더 셀프 어텐션
site-cross-attention = 크로스 어텐션
site-encoder-short = 인코더
site-decoder-short = 디코더
site-cross-short = 크로스
site-encoder-name = 인코더
site-decoder-name = 디코더
site-cross-name = 크로스
head-at = { $site } L{ $layer } H{ $head }

# 헤드를 고르는 메뉴.

layer = 층
head = 헤드
every = 전체
layers = 층
layers-all = 모든 층

# 두 열 또는 두 행의 토큰 사이의 연결, 가중치를 끌어 바꿀 수 있는 행.

ribbons-heads = 헤드
ribbons-queries = 쿼리
ribbons-keys = 키
ribbons-chip = { $head }번 헤드
ribbons-chip-hint = 클릭: 이 헤드 표시/숨기기. 더블 클릭 또는 Shift+클릭: 이 헤드만 표시.
ribbons-every = 모든 헤드
ribbons-every-hint = 모든 헤드를 표시합니다. 다시 클릭하면 선택한 헤드만 남습니다.
ribbons-query = { $place }번 쿼리: { $token }
ribbons-key = { $place }번 키: { $token }
ribbons-none = 표시한 헤드가 없습니다. 위의 헤드 번호를 클릭하세요.
ribbons-point = 토큰에 마우스를 올리면 그 토큰의 연결만 보입니다. 클릭하면 고정되고, Shift+클릭하면 토큰을 더 고릅니다.
ribbons-some = 연결 { $all }개 가운데 강한 { $most }개만 그렸습니다. 토큰에 마우스를 올리면 그 토큰의 연결만 보입니다. 클릭하면 고정되고, Shift+클릭하면 토큰을 더 고릅니다.
ribbons-several = 여러 개 선택
ribbons-several-hint = 켜면 클릭할 때마다 토큰을 더하거나 뺍니다. Shift+클릭과 Ctrl+클릭은 항상 그렇게 작동합니다.
ribbons-clear = 선택 지우기
ribbons-end = { $token } { $weight }
ribbons-end-of = { $token } { $weight }({ $head }번 헤드)
ribbons-end-several = { $token } { $weight }({ $sum })
ribbons-end-several-of = { $token } { $weight }({ $sum }, { $head }번 헤드)
ribbons-more = { $list } 등
ribbons-nothing = 그린 연결 없음
ribbons-attends = { $who } 쿼리가 보는 키: { $list }. 그리지 않은 연결의 가중치는 이 행의 { $part }입니다.
ribbons-attends-several = { $who } 쿼리 { $n }개의 평균(합): { $list }. 평균의 총합은 { $mean }, 합의 총합은 { $sum }입니다. 그리지 않은 연결의 가중치는 이 행 가중치의 { $part }입니다.
ribbons-attended = { $who } 키를 보는 쿼리: { $list }. 그리지 않은 연결의 가중치는 이 키가 받은 가중치의 { $part }입니다.
row-bars = 행의 가중치
row-as-computed = 초기화
row-even = 균등하게 하기
row-all-on-one = 키 하나에 몰기
row-sum = 합 { $sum }

# 페이지.

app-title = 어텐션 랩
page-title = { $page } · { $app }
page-attention = 어텐션 헤드
page-beam = 빔 서치
page-masks = 마스킹과 개입
page-positions = 위치 인코딩
page-lineage = RNN에서 트랜스포머로

# 페이지의 언어, 그 언어로 쓴 이름.

language = 언어
language-own-name = 한국어
language-unknown = 주소(URL)에 적힌 언어 “{ $asked }”{ JOSA($asked, "은/는") } 지원하지 않습니다. 지원 언어는 { $known }이며, 지금은 { $used }{ JOSA($used, "으로/로") } 표시합니다.

# 페이지 주변: 모델, 문장, 탐색.

checkpoint = 모델
open-model = 모델 열기
open-path = 폴더나 파일의 경로
open-path-none = /path/to/model
open-path-told = 이 컴퓨터에 있는 모델을 이 세션에서만 엽니다. 지원 형식: { $formats }. 계속 쓰려면 `python -m model open PATH`를 실행하세요.
open-path-alone = 메뉴에는 앱에 포함된 모델 대신 { $variable }에 지정한 모델이 나옵니다.
checkpoint-unknown = 주소(URL)에 적힌 “{ $asked }” 모델이 설치되어 있지 않아 { $shown } 모델을 사용합니다.
checkpoint-path = 주소(URL)에 { $asked } 경로의 모델이 적혀 있습니다. 경로는 앱을 자신의 컴퓨터에서 실행할 때만(`make app`) 열 수 있습니다. 지금은 { $shown }{ JOSA($shown, "으로/로") } 표시합니다.
page-unknown = 주소(URL)에 적힌 “{ $asked }” 페이지가 없어 “{ $shown }” 페이지를 표시합니다.
checkpoint-help = 학습된 모델입니다. 각 모델은 checkpoints/ 아래의 폴더(체크포인트)이며, config.json, model.safetensors, tokenizer.json이 들어 있습니다.
sentence = { $language ->
    [scene] 장면 설명
    [source] 문장
   *[other] { $name } 문장
  }
sentence-none = 문장을 입력하고 Enter
language-source = 원문 언어
language-target = 번역문 언어
examples = 예문
example-long = 긴 문장
example-beams = 빔 ≠ 그리디
example-word-order = 어순
example-relative = 관계절
example-idiom = 관용 표현
example-no-subject = 주어 생략
example-two-meanings = 중의성
sentence-unread = 이 보기에는 입력한 문장을 사용하지 않습니다.
sentence-send = 실행
search-width = 빔 너비
search-width-help = 스텝마다 유지하는 가설의 수입니다(Hugging Face의 `num_beams`). 1이면 그리디 서치입니다.
alpha = 길이 페널티 α
alpha-help = 가설의 점수는 log P를 길이 페널티로 나눈 값입니다. 페널티는 길이와 α가 클수록 커집니다. α가 0이면 페널티가 없어 짧은 출력이 유리합니다.
search-more = 탐색 설정
runners-up = 스텝별 탈락 후보 수
runners-up-help = 스텝마다 확률이 높은 순서로 그릴 탈락 후보의 수입니다. 표시에만 쓰이며 탐색은 달라지지 않습니다.
least-tokens = 최소 길이(토큰)
least-tokens-help = 종료 토큰도 길이에 포함합니다. 이 길이가 될 때까지 종료 토큰을 막습니다.
most-tokens = 최대 길이(토큰)
most-tokens-none = 자동
most-tokens-help = 출력은 이 길이에서 잘립니다. 비워 두면 원문 토큰 수의 두 배에 10을 더한 값입니다.
least-above-most = 최소 길이 { $least }{ JOSA($least, "이/가") } 최대 길이 { $most }보다 커서 최소 길이를 적용하지 않습니다.
penalty = 길이 정규화
penalty-help = 점수는 log P를 이 값으로 나눈 값입니다. ((5 + 길이) / 6)^α는 Wu et al.(2016)의 식 14입니다. 길이^α는 Hugging Face의 방식(`length_penalty`)이며, α = 1이면 토큰당 평균 log p가 됩니다.
penalty-wu = ((5 + 길이) / 6)^α
penalty-length = 길이^α
penalty-none = 없음
penalise = 길이 페널티 적용
penalise-help = 최종 순위에서는 끝난 가설끼리 순서를 정합니다. 가지치기에도 적용하면, 끝난 가설이 빔에 남아 정규화한 점수로 더 긴 가설과 경쟁합니다.
penalise-final = 최종 순위만
penalise-pruning = 최종 순위와 가지치기

# 각 페이지의 보기.

view-attention = 어텐션 보기
view-attention-matrix = 행렬
view-attention-ribbons = 헤드 뷰
view-attention-arithmetic = Q·K·V 계산
view-attention-together = 헤드 집계
view-attention-pair = 최소 대립쌍

view-beam = 탐색 보기
view-beam-tree = 탐색 트리와 가설
view-beam-methods = 디코딩 전략
view-beam-width = 빔 너비
view-beam-errors = 탐색 오류와 모델 오류
view-beam-many = 여러 문장

view-masks = 마스킹과 개입 보기
view-masks-seen = 인과·패딩 마스크
view-masks-change = 개입
view-masks-knockout = 헤드 제거(ablation)
view-masks-explain = 설명으로서의 어텐션

view-positions = 위치 인코딩 보기
view-positions-encoding = 위치 벡터
view-positions-order = 어순

view-lineage = 모델 보기
view-lineage-systems = 모델 비교와 타임라인
view-lineage-step = 디코더 스텝
view-lineage-bottleneck = 병목과 길이

# 어텐션을 보여 주는 방법.

kind = 어텐션
rows = 디코더 행 이름
rows-help = 디코더의 각 위치는 시작 토큰부터 토큰을 하나씩 읽고 다음 토큰을 예측합니다. 행의 이름만 바뀌고 가중치는 그대로입니다.
rows-read = 입력 토큰
rows-produced = 출력 토큰
special = 특수 토큰
special-help = 주목할 것이 없는 헤드는 종료 토큰에 큰 가중치를 줍니다(어텐션 싱크). 특수 토큰을 숨기면 나머지가 잘 보입니다. 이때 행을 다시 정규화하지 않으면 합이 1보다 작아집니다.
special-show = 표시
special-hide = 숨기기
special-renormalise = 숨기고 행 재정규화
display = 표시 설정
merge-words = 서브워드를 단어로 합치기
merge-words-help = 키 쪽 서브워드의 가중치는 더하고, 쿼리 쪽은 평균을 냅니다. 행의 합은 그대로 1입니다.
merge-sentences = 토큰을 문장으로 합치기
merge-sentences-help = 키 쪽 문장에 속한 토큰의 가중치는 더하고, 쿼리 쪽 문장은 평균을 냅니다. 특수 토큰은 따로 남습니다.
contrast = 행별 색상 정규화
contrast-help = 각 행의 색만 그 행의 가장 큰 가중치로 나눕니다. 숫자는 그대로입니다.
sums = 행과 열의 합 표시
sums-help = 토큰을 숨기지 않으면 가중치 한 행의 합은 1입니다. 열의 합은 그 키가 모든 쿼리에서 받는 어텐션입니다.
badge = 헤드 아래 지표
badge-weight = 최대 { $measure ->
    [weight] 가중치
    [zeroing] 비율
   *[other] 노름
  }(쿼리 평균)
badge-weight-row = 선택한 쿼리의 최대 { $measure ->
    [weight] 가중치
    [zeroing] 비율
   *[other] 노름
  }
badge-weight-pair = 선택한 쌍의 { $measure ->
    [weight] 가중치
    [zeroing] 비율
   *[other] 노름
  }
badge-entropy = 어텐션 엔트로피(비트)
badge-distance = 어텐션 거리(토큰)
badge-previous = 앞 토큰 가중치
badge-same = 자기 토큰 가중치
badge-next = 다음 토큰 가중치
badge-special = 특수 토큰 가중치
item = 어텐션 맵
more = 외 { $n }개
guided = 지정 학습

# 모델이 읽고 쓴 것.

run-nothing = *출력이 비어 있습니다. 모델이 처음부터 종료 토큰을 예측했습니다.*
run-numbers = 원문 토큰 { $n_src }개 · 출력 토큰 { $n_tgt }개 · 빔 너비 { $beam } · 점수 { FIXED($score) }
run-numbers-read = 입력 위치는 { $n }개입니다.
run-sites = 이 모델의 어텐션: { $sites }
run-unknown = 토큰 { $of }개 가운데 { $n }개(아래 빨간색)가 어휘에 없습니다: { $pieces }. 모델에는 모두 같은 미등록 토큰(`<unk>`)으로 입력됩니다.
language-other = 이 모델의 입력 언어는 { $language }인데, 입력한 문장은 { $other }{ JOSA($other, "으로/로") } 보입니다. 번역 결과를 신뢰하기 어렵습니다.
language-not = 이 모델의 입력 언어는 { $language }인데, 글자로 볼 때 드문 표기입니다(드문 단어, 오타 또는 다른 언어). 번역 결과를 신뢰하기 어려울 수 있습니다.
language-open = { $source } → { $target } 모델로 바꾸기
run-unfinished = 종료 토큰이 나오기 전에 최대 길이에 이르러 출력이 잘렸습니다.
compare = 비교하기: { $text }

# 문장 안에서 그려진 값을 부르는 말.

measured = { $measure ->
    [weight] 가중치
    [zeroing] 영향의 비율
    [length] 벡터 노름
   *[other] 출력 노름
 }
measured-all = { $measure ->
    [weight] 어텐션 가중치
    [zeroing] 밸류 제로화의 영향
    [length] 벡터 노름
   *[other] 출력 노름
 }
measured-mass = { $measure ->
    [weight] 어텐션
    [zeroing] 영향
    [length] 벡터 노름
   *[other] 출력 노름
 }

# 어텐션의 한 행, 가중치에 한 일.

row = { $n ->
    [1] { $who } 쿼리가 가장 많이 보는 키: { $keys }.
   *[other] { $who } 쿼리가 평균적으로 가장 많이 보는 키: { $keys }.
  }
row-norm = { $n ->
    [1] { $who } 쿼리의 행에서 벡터의 크기(노름)가 가장 큰 키: { $keys }.
   *[other] { $who } 쿼리의 행에서 벡터의 평균 크기(노름)가 가장 큰 키: { $keys }.
  }
row-zeroing = { $n ->
    [1] { $who } 쿼리의 출력에 미치는 영향이 가장 큰 키: { $keys }.
   *[other] { $who } 쿼리의 출력에 평균적으로 미치는 영향이 가장 큰 키: { $keys }.
  }
row-more = { $who } 외 { $n }개
row-chosen = 선택한 키: { $key } **{ FIXED($weight) }**, { $of }개 중 { $rank }위.
row-chosen-together = 선택한 키 { $n }개의 합은 **{ FIXED($weight) }**입니다.
token-at = “{ $token }”({ $position }번)
note-words = 서브워드를 단어로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다.
note-hide = 특수 토큰을 숨겼습니다(한 행에서 평균 { PERCENT($share) }). 나머지 가중치는 그대로이므로 행의 합이 1보다 작습니다.
note-renormalise = 특수 토큰을 숨기고(한 행에서 평균 { PERCENT($share) }), 행의 합이 1이 되도록 다시 정규화했습니다.
note-sentences = 토큰을 문장으로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다.
note-sentences-hide = 토큰을 문장으로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다. 특수 토큰을 숨겼으므로(한 행에서 평균 { PERCENT($share) }) 행의 합이 1보다 작습니다.
note-sentences-renormalise = 토큰을 문장으로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다. 특수 토큰을 숨기고(한 행에서 평균 { PERCENT($share) }), 행의 합이 1이 되도록 다시 정규화했습니다.
note-words-hide = 서브워드를 단어로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다. 특수 토큰을 숨겼으므로(한 행에서 평균 { PERCENT($share) }) 행의 합이 1보다 작습니다.
note-words-renormalise = 서브워드를 단어로 합쳤습니다. 키 쪽은 가중치를 더하고 쿼리 쪽은 평균을 냅니다. 특수 토큰을 숨기고(한 행에서 평균 { PERCENT($share) }), 행의 합이 1이 되도록 다시 정규화했습니다.
grid-alt-site = { $site }({ $n_layers }개 층 × 헤드 { $n_heads }개)
matrix-alt = { $measure ->
    [weight] { $site }에 있는 헤드 하나의 어텐션 가중치입니다. 쿼리 { $n_rows }행, 키 { $n_columns }열입니다. 아래의 막대는 한 행의 가중치입니다. 선택한 행의 가장 큰 가중치는 텍스트로도 적혀 있습니다.
    [zeroing] { $site } 한 층의 밸류 제로화: 키의 밸류가 없을 때 각 출력이 달라지는 정도를 행에서의 비율로 나타냅니다. 쿼리 { $n_rows }행, 키 { $n_columns }열입니다. 아래 막대는 한 행의 비율이며, 선택한 행의 가장 큰 비율은 텍스트로도 적혀 있습니다.
    [length] { $site }의 헤드 하나가 더하는 벡터의 노름을 행에서의 비율로 나타냅니다. 쿼리 { $n_rows }행, 키 { $n_columns }열입니다. 아래의 막대는 한 행의 노름입니다. 선택한 행의 가장 큰 노름은 텍스트로도 적혀 있습니다.
   *[other] { $site }의 한 층에서 키가 더하는 벡터의 잔차 연결과 층 정규화 후 노름을 행에서의 비율로 나타냅니다. 쿼리 { $n_rows }행, 키 { $n_columns }열입니다. 아래의 막대는 한 행의 노름입니다. 선택한 행의 가장 큰 노름은 텍스트로도 적혀 있습니다.
  }

# 모델에 대하여.

model-size = { $architecture }, 파라미터 { FIXED($millions, digits: 1) }M
licence = 데이터와 라이선스: { $text }
score-bleu = { $set }: BLEU { FIXED($value, digits: 1) }
score-accuracy = { $set }: 정확도 { PERCENT($value) }
score-always = , 기준선(항상 “{ $word }”) { PERCENT($value) }
set-multi30k_test_2016_flickr = Multi30k 테스트 2016
set-multi30k_test_2017_flickr = Multi30k 테스트 2017
set-multi30k_test_2018_flickr = Multi30k 테스트 2018
set-multi30k_val = Multi30k 검증
set-tatoeba_val = Tatoeba 검증
set-coreference = 학습에 쓰지 않은 최소 대립쌍의 대명사
set-natural = 사람이 쓴 문장의 대명사
set-natural_validation = 사람이 쓴 검증 문장의 대명사
set-chains = 대명사, 학습에 쓰지 않은 명사의 문장 쌍
set-ko-en-tatoeba = Tatoeba
set-ko-en-tatoeba-extra = 최근 Tatoeba
set-ko-en-kss-nc = 교재 문장(KSS)

# 표시하지 못한 것과 되돌아가는 길

mishap = 앱의 오류 때문에 이 부분을 표시하지 못했습니다. 입력한 내용의 문제가 아니며, 자세한 내용은 앱의 로그에 있습니다.
mishap-again = 다시 시도
mishap-start = 시작 페이지로 가기

# 모델에 맞지 않는 보기: 모델에 아예 없는 것과 여기서 보여 줄 수 없는 것.

view-shown-with = **{ $open }**: 이 페이지에 맞지 않는 모델입니다. { $why } 대신 **{ $other }** 모델을 사용합니다.
view-brought = **{ $view }** 보기는 **{ $other }** 모델로 표시합니다. { $open } 모델에서는 지원하지 않습니다.
view-none = 이 페이지에는 이 모델로 볼 수 있는 보기가 없습니다.
view-unfit = 여기서 볼 수 없는 보기: { $views }. { $why }
view-unshown = 이 모델에서 지원하지 않는 보기: { $views }. { $why }
none-writing = 텍스트를 생성하지 않는 모델입니다.
none-text = 텍스트를 입력으로 받지 않는 모델입니다.
none-scene = 장면을 입력으로 받지 않는 모델입니다.
none-attention = 어텐션이 없는 모델입니다.
none-self-attention = 셀프 어텐션이 없는 모델입니다.
none-recurrence = 이 모델의 디코더에는 인과적 셀프 어텐션 대신 순환이 있습니다. 게이트는 “{ page-block }” 페이지의 “{ view-block-stream }” 보기에서 볼 수 있습니다.
none-causal-attention = 인과 마스크를 쓰는 어텐션이 없는 모델입니다.
none-source-attention = 번역문에서 원문으로 향하는 어텐션이 없는 모델입니다.
none-several-heads = 어텐션 헤드가 하나 이하인 모델입니다.
none-positions = 순환 신경망이라 위치 인코딩이 없는 모델입니다.
none-layer-norm = 층 정규화가 없는 모델입니다.
need-withdrawn = 이 아키텍처가 선언한 성질이 성립하지 않습니다: { $claim }. { $known ->
    [yes] 더 느린 방법으로 계산한 값과의 차이는 { $difference }입니다.
   *[no] 더 느린 방법으로 계산해도 비교할 값이 나오지 않았습니다.
 }
need-any-attention = 이 모델의 어디에 어텐션이 있는지 앱에서 알 수 없습니다.
need-self-attention = 이 모델에 셀프 어텐션이 있는지 앱에서 알 수 없습니다.
need-causal-attention = 이 모델에 인과 마스크를 쓰는 어텐션이 있는지 앱에서 알 수 없습니다.
need-source-attention = 이 모델에 번역문에서 원문으로 향하는 어텐션이 있는지 앱에서 알 수 없습니다.
need-lineage = 트랜스포머 이전의 모델 가운데 이 언어를 읽는 모델이 없습니다.
need-several-heads = 이 모델의 헤드가 둘 이상인지 앱에서 알 수 없습니다.
need-text = 입력을 한 문장으로 읽는 모델이 아닙니다.
need-documents = 이 아키텍처에는 문서 분류가 구현되어 있지 않습니다.
need-search = 이 아키텍처에는 스텝별 탐색이 구현되어 있지 않습니다.
need-teacher-forcing = 이 아키텍처에는 교사 강요가 구현되어 있지 않습니다.
need-scores = 이 모델의 소프트맥스 이전 점수는 앱에서 읽을 수 없습니다.
need-vectors = 이 모델의 쿼리, 키, 밸류 벡터는 앱에서 읽을 수 없습니다.
need-learned-positions = 이 모델에 학습된 위치 임베딩이 있는지 앱에서 알 수 없습니다.
need-positions = 이 모델이 임베딩에 위치 인코딩을 더하는지 앱에서 알 수 없습니다.
need-relative-positions = 이 모델에 상대 위치 편향이 있는지 앱에서 알 수 없습니다.
need-position-table = 이 모델이 위치를 어떻게 인코딩하는지 앱에서 알 수 없습니다.
need-rollout = 이 아키텍처에는 어텐션 롤아웃이 구현되어 있지 않습니다.
need-order = 이 아키텍처에는 입력 순서 바꾸기가 구현되어 있지 않습니다.
need-padding = 이 아키텍처에는 패딩한 배치 읽기가 구현되어 있지 않습니다.
need-tree-attention = 이 아키텍처에는 탐색 트리 전체의 어텐션 계산이 구현되어 있지 않습니다.
need-leave-out = 이 아키텍처에는 토큰 가리기가 구현되어 있지 않습니다.
need-values = 이 아키텍처에는 스텝별 수식과 은닉 상태가 구현되어 있지 않습니다. 트랜스포머의 계산은 “어텐션 헤드” 페이지의 “Q·K·V 계산”에서 볼 수 있습니다.
need-changes = 이 아키텍처에는 개입이 구현되어 있지 않습니다.
need-change-hide = 이 아키텍처에는 토큰 가리기가 구현되어 있지 않습니다.
need-change-unread = 이 아키텍처에는 토큰 삭제가 구현되어 있지 않습니다.
need-change-mask = 이 아키텍처에는 연결 차단이 구현되어 있지 않습니다.
need-change-ablate = 이 아키텍처에는 헤드 제거(ablation)가 구현되어 있지 않습니다.
need-change-row = 이 아키텍처에는 어텐션 가중치 지정이 구현되어 있지 않습니다.
need-change-positions = 이 아키텍처에는 위치 인코딩 변경이 구현되어 있지 않습니다.
need-change-causal = 이 아키텍처에는 인과 마스크 해제가 구현되어 있지 않습니다.
need-block = 이 아키텍처에는 서브레이어별 분석이 구현되어 있지 않습니다.
need-change-residual = 이 아키텍처에는 잔차 연결 제거가 구현되어 있지 않습니다.
need-change-norm = 이 아키텍처에는 층 정규화 제거가 구현되어 있지 않습니다.

# 파일 메뉴.

export = 내보내기
export-heads = 모든 헤드 내보내기

# 계산하는 동안, 그리고 계산할 수 없을 때.

loading = 모델을 불러오는 중…
# 페이지가 나타나기 전에 모든 언어로 나란히 보이는 말.
page-coming = 페이지를 준비하고 있습니다. 서버를 시작한 뒤 처음 여는 데는 몇 초가 걸립니다.
# 여러 사람이 함께 쓸 때의 기다림.

door-full = { $n ->
    [1] 접속 인원이 가득 찼습니다. 한 번에 한 명만 접속할 수 있습니다.
   *[other] 접속 인원이 가득 찼습니다. 한 번에 { $n }명까지 접속할 수 있습니다.
  } 몇 초마다 다시 확인하고, 자리가 나면 자동으로 열립니다. 문장과 보기는 그대로 유지됩니다.
door-again = 지금 다시 시도
long-queue = { $n ->
    [1] 오래 걸리는 계산은 한 번에 몇 개만 실행합니다. 바로 다음 차례이며 자동으로 시작됩니다.
   *[other] 오래 걸리는 계산은 한 번에 몇 개만 실행합니다. 대기 순서는 { $n }번이며 자동으로 시작됩니다.
  } 기다리는 동안 다른 항목을 선택하면 그 계산을 대신 실행합니다.

still-showing = “{ $text }”의 결과를 계속 표시합니다({ $checkpoint } 모델).
other-checkpoints = 사이드바에서 다른 모델을 선택하세요.

stepper-back = 이전 스텝
stepper-play = 재생
stepper-pause = 일시 정지
stepper-on = 다음 스텝

fault-missing = “{ $name }”: 없음
fault-too-large = 중첩이 너무 깊거나 크기가 너무 큼
fault-unsaid = 이유를 알 수 없음
