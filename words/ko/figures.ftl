# What charts say: titles of axes and colour bars, tooltips, words beside the marks.

figures-query = 쿼리
figures-head = 헤드
figures-head-code = L{ $layer } H{ $head }
figures-layer-code = L{ $layer }
figures-head-of = { $site } { $layer }층 { $head }번 헤드
figures-key = 키
figures-layer = 층
figures-looks-at = 키
figures-probability = 확률
figures-probability-of-being-next = 다음 토큰 확률
figures-source-token = 원문 토큰
figures-token = 토큰
figures-value = 값
figures-weight = 가중치
figures-weight-short = 가중치
figures-length-short = 노름
figures-normed-short = 노름
figures-zeroing-short = 비율
figures-length = 벡터 노름 ‖αf(x)‖, 행 비율
figures-normed = 출력 노름(크기), 행 비율
figures-zeroing = 밸류 제로화의 영향, 행 비율

## Matrices of tokens by tokens

figures-matrix-key = 키(열)
figures-matrix-query = 쿼리(행)
figures-matrix-query-attends = 쿼리(행)가 보는 키 →

## One head in detail

figures-heatmap-top = { $what }, 색은 0–{ $top }
figures-heatmap-contrast = { $what } ÷ 행의 최댓값
figures-heatmap-product = 내적 q·k
figures-heatmap-score = 스케일링한 점수 q·k / √d_k
figures-heatmap-may-look = 마스크: 허용
figures-heatmap-rank = 행 내 순위
figures-heatmap-row-sum = 행의 합
figures-heatmap-column-sum = 열의 합
figures-together-single = 한 헤드의 { $what }
figures-together-group = 헤드 { $n }개: { $key }

## Two sentences

figures-pairs-key = 공통 키(열)
figures-pairs-query = 공통 쿼리(행)가 보는 키 →
figures-pairs-first = 첫 번째 문장
figures-pairs-second = 두 번째 문장
figures-pairs-difference = Δ 가중치
figures-pairs-second-minus-first-weight = Δ 가중치(두 번째 − 첫 번째)
figures-pairs-second-minus-first-length = Δ 벡터 노름(두 번째 − 첫 번째)
figures-pairs-second-minus-first-normed = Δ 출력 노름(두 번째 − 첫 번째)

## What a change does

figures-effect-before = 개입 전
figures-effect-after = 개입 후
figures-effect-after-minus-before-weight = Δ 가중치(개입 후 − 개입 전)
figures-effect-after-minus-before-length = Δ 벡터 노름(개입 후 − 개입 전)
figures-effect-after-minus-before-normed = Δ 출력 노름(개입 후 − 개입 전)
figures-effect-change = Δ log p
figures-effect-change-of-log-p = log p의 변화
figures-effect-log-p-before = 개입 전 log p
figures-effect-log-p-after = 개입 후 log p
figures-effect-rank-before = 개입 전 순위
figures-effect-rank-after = 개입 후 순위
figures-effect-forbidden = 개입으로 차단됨

## Attention beside other measures

figures-explain-asks-attention = 어텐션이 향하는 곳
figures-explain-asks-drop = 가릴 때의 손실(하나씩 제거, LOO)
figures-explain-asks-gradient = 조금 바꿀 때의 변화
figures-explain-attention = 어텐션 가중치
figures-explain-attention-short = 어텐션
figures-explain-drop = 가렸을 때 로그 확률 감소량
figures-explain-rank = { FIXED($value) }({ $rank }위)
figures-explain-fall = { PERCENT($before) } → { PERCENT($after) }
figures-explain-gradient = 기울기 × 입력
figures-explain-correlation = 순위 상관

## All heads at a glance

figures-overview-by-layer = { $site }의 층

## Heads switched off

figures-knockout-output = 출력
figures-knockout-without = 제거한 헤드

## Words hidden
figures-pronoun-flips = 바뀐 비율
figures-pronoun-from = 가린 위치
figures-pronoun-hidden = 가린 단어
figures-pronoun-hidden-from = 가린 위치
figures-pronoun-interval-from = 95% 신뢰구간 하한
figures-pronoun-interval-to = 95% 신뢰구간 상한
figures-pronoun-pronoun-flips = 대명사가 바뀐 비율
figures-pronoun-sentences = 문장 수

## Ribbons

figures-ribbons-key = → 주목받는 토큰(키)
figures-ribbons-key-up = ↑ 주목받는 토큰(키)
figures-ribbons-mean = 평균
figures-ribbons-query = 주목하는 토큰(쿼리) →
figures-ribbons-query-up = ↑ 주목하는 토큰(쿼리)
figures-ribbons-sum = 합
figures-ribbons-note = { $n ->
   *[other] { $layer }층: 연결 { $links }개. 그리지 않은 가중치: 전체의 { $hidden }
 }
figures-ribbons-note-part = { $n ->
   *[other] { $layer }층: 연결 { $links }개 중 { $drawn }개 표시. 그리지 않은 가중치: 전체의 { $hidden }
 }
figures-ribbons-note-rows = { $n_heads ->
    [1] { $queries }: 평균의 총합은 { $mean }, 합의 총합은 { $sum }입니다
   *[other] { $queries }: 헤드 { $n_heads }개의 평균이며, 평균의 총합은 { $mean }, 합의 총합은 { $sum }입니다
 }

## Masks

figures-mask = 마스크
figures-mask-exp = exp(· − 행의 최댓값)
figures-mask-may-look = 허용
figures-mask-may-not-look = 마스킹
figures-mask-score = 점수
figures-mask-share-moved = 마스킹 비율
figures-mask-weight = 가중치

## The arithmetic of one row

figures-arithmetic-bias = 편향
figures-arithmetic-component = 성분
figures-arithmetic-context = 합 = 헤드 출력
figures-arithmetic-divided = 스케일링(÷ √d_k)
figures-arithmetic-end-to-end = 이어 붙인 헤드(concat)
figures-arithmetic-entropy = 엔트로피(비트)
figures-arithmetic-exp = exp(· − 최댓값)
figures-arithmetic-gradient = 소프트맥스의 기울기
figures-arithmetic-largest = 최대 가중치
figures-arithmetic-length-of-context = ‖W_O · 헤드 출력‖(노름)
figures-arithmetic-length-of-head = ‖W_O · 헤드‖(노름)
figures-arithmetic-mask = + 마스크
figures-arithmetic-not-divided = 스케일링 없음
figures-arithmetic-other-heads = W_O · 다른 헤드
figures-arithmetic-others = 나머지 { $n }개
figures-arithmetic-output = 합 = 출력
figures-arithmetic-part = 구성 요소
figures-arithmetic-relative = + 상대 편향
figures-arithmetic-row = 행
figures-arithmetic-scaled = 스케일링(÷ √{ $d_k })
figures-arithmetic-this-head = W_O · 이 헤드
figures-arithmetic-unscaled = 스케일링 없음
figures-arithmetic-weight = ÷ 합 = 가중치
figures-arithmetic-weight-times-value = 가중치 × 밸류

## Rules of attention, measured

figures-check-finite = 모든 가중치가 유한한 수
figures-check-finite-measured = 가중치 { $of }개 중 유한하지 않은 값 { $n }개
figures-check-no-negative = 음수 가중치 없음
figures-check-no-negative-measured = 최소 가중치 { $smallest }
figures-check-vectors = 벡터의 합이 출력과 일치(상대 오차 { SCIENTIFIC($error) })
figures-check-vectors-measured = 벡터의 합과 모델이 계산한 값 사이의 최대 상대 거리 { SCIENTIFIC($error) }, 허용 오차 { SCIENTIFIC($most) }
figures-check-rows = 행의 합은 1
figures-check-rows-measured = 헤드 { $heads }개, 각 { $rows }행에서 1과의 최대 차이 { $deviation }
figures-check-rows-free = 여기서는 행의 합이 1이 아니어도 됨
figures-check-rows-free-measured = 헤드 { $heads }개, 각 { $rows }행에서 합은 최소 { $least }, 최대 { $most }
figures-check-padding = 패딩의 가중치는 0
figures-check-padding-measured = 원문에 패딩 토큰 { $n_source }개, 번역문에 { $n_target }개를 붙여 다시 실행하면 패딩의 최대 가중치는 { SCIENTIFIC($weight) }, 나머지 가중치의 최대 변화는 { SCIENTIFIC($change) }
figures-check-future = 미래 토큰의 가중치는 정확히 0
figures-check-future-measured = 헤드 { $heads }개의 마스킹한 가중치 { $of }개 중 0이 아닌 값 { $n }개, 최대 { $largest }
figures-check-shown-and-hidden = 표시한 가중치와 숨긴 가중치의 합은 1
figures-check-shown-and-hidden-measured = 표시한 가중치 { $shown }, 숨긴 가중치 { $hidden }({ $rows }개 행의 평균)
figures-check-rows-as-shown = 표시된 행의 합은 1
figures-check-rows-as-shown-measured = { $empty ->
    [0] { $rows }개 행에서 1과의 최대 차이 { $deviation }
   *[other] { $rows }개 행에서 1과의 최대 차이 { $deviation }(남은 가중치가 없는 { $empty }개 행 제외)
 }

## 점으로 나타낸 쿼리와 키

figures-space-axis = 주성분 { $n }(분산의 { $share })
figures-space-edge = 가중치 ≥ { $least }
figures-space-largest = 큰 가중치
figures-mask-on-masked = 마스킹된 키의 가중치
