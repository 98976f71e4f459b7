# What charts say: titles of axes and colour bars, tooltips, words beside the marks.

figures-query = 쿼리
figures-head = 헤드
figures-head-code = L{ $layer } H{ $head }
figures-head-of = { $site } { $layer }층 { $head }번 헤드
figures-key = 키
figures-layer = 층
figures-looks-at = 주목받는 토큰(키)
figures-probability = 확률
figures-probability-of-being-next = 다음 토큰일 확률
figures-share = 비율
figures-source-token = 원문 토큰
figures-token = 토큰
figures-value = 값
figures-weight = 가중치

## Matrices of tokens by tokens

figures-matrix-key = 키(열)
figures-matrix-query = 쿼리(행)
figures-matrix-query-attends = 쿼리(행)가 보는 키 →

## One head in detail

figures-heatmap-contrast = { $what } ÷ 행의 최댓값
figures-heatmap-product = 점수 q·k
figures-heatmap-score = 스케일링: ÷ √d_k
figures-heatmap-may-look = 마스크: 볼 수 있음
figures-heatmap-rank = 행 안의 순위
figures-heatmap-row-sum = 행의 합
figures-heatmap-column-sum = 열의 합

## Two sentences

figures-pairs-key = 공통 키(열)
figures-pairs-query = 공통 쿼리(행)가 보는 키 →
figures-pairs-first = 첫째 문장
figures-pairs-second = 둘째 문장
figures-pairs-difference = 차이
figures-pairs-second-minus-first = 둘째 − 첫째

## What a change does

figures-effect-before = 변경 전
figures-effect-after = 변경 후
figures-effect-after-minus-before = 변경 후 − 변경 전
figures-effect-change = 변화
figures-effect-change-of-log-p = log p의 변화
figures-effect-log-p-before = 변경 전 log p
figures-effect-log-p-after = 변경 후 log p
figures-effect-rank-before = 변경 전 순위
figures-effect-rank-after = 변경 후 순위
figures-effect-forbidden = 변경으로 차단됨

## Attention beside other measures

figures-explain-attention = 어텐션 가중치
figures-explain-attention-short = 어텐션
figures-explain-drop = 가렸을 때 log p 감소량
figures-explain-gradient = 기울기 × 입력
figures-explain-correlation = 순위 상관

## All heads at a glance

figures-overview-by-layer = { $site }, 층별

## Heads switched off

figures-knockout-all-heads = { $token } { $probability }, 모든 헤드
figures-knockout-output = 출력
figures-knockout-probability = 그 자리의 확률
figures-knockout-without = 끈 헤드

## Words hidden

figures-hiding-flips = 바뀐 비율
figures-hiding-from = 가린 곳
figures-hiding-hidden = 가린 단어
figures-hiding-hidden-from = 가린 곳
figures-hiding-interval-from = 95% 하한
figures-hiding-interval-to = 95% 상한
figures-hiding-nothing = 가리지 않음
figures-hiding-pronoun-flips = 대명사가 바뀐 비율
figures-hiding-sentences = 문장 수

## Ribbons

figures-ribbons-head = ━ { $head }번 헤드
figures-ribbons-key = → 키(열)
figures-ribbons-query = 쿼리(행) →
figures-ribbons-note = { $n ->
   *[other] { $layer }층: 연결 { $links }개. 숨은 몫: 전체 가중치의 { $hidden }
 }
figures-ribbons-note-part = { $n ->
   *[other] { $layer }층: 연결 { $links }개 중 { $drawn }개 표시. 숨은 몫: 전체 가중치의 { $hidden }
 }

## A decision traced

figures-trace-change = 끊었을 때 로그 오즈 변화
figures-trace-cross = 크로스 { $layer }
figures-trace-decoder = 디코더 { $layer }
figures-trace-encoder = 인코더 { $layer }
figures-trace-for-rival = 경쟁 토큰
figures-trace-for-token = 이 토큰
figures-trace-from = 보는 토큰
figures-trace-size = |로그 오즈 변화|
figures-trace-speaks = 연결이 지지하는 쪽

## Masks

figures-mask = 마스크
figures-mask-exp = exp(· − 행의 최댓값)
figures-mask-log-p = 토큰의 log p(자연로그)
figures-mask-may-look = 볼 수 있음
figures-mask-may-not-look = 볼 수 없음
figures-mask-mean-share = 평균 비율
figures-mask-mean-share-of-row = 행에서 차지하는 평균 비율
figures-mask-moved = 마스크로 옮겨진 비율
figures-mask-score = 점수
figures-mask-score-and-mask = 점수 + 마스크
figures-mask-share-moved = 마스크가 옮기는 비율
figures-mask-share-of-row = 행에서 차지하는 비율
figures-mask-share-of-sum = ÷ 행의 합
figures-mask-sum = { $run }: 합 { $sum }
figures-mask-weight = ÷ 행의 합 = 가중치
figures-mask-with = 마스크 있음
figures-mask-without = 마스크 없음(점수는 그대로)

## The arithmetic of one row

figures-stages-bias = 편향
figures-stages-component = 성분
figures-stages-context = 합 = 문맥
figures-stages-divided = √d_k로 나눔
figures-stages-end-to-end = 이어 붙인 헤드
figures-stages-entropy = 엔트로피(비트)
figures-stages-exp = exp(· − 최댓값)
figures-stages-gradient = 소프트맥스의 기울기
figures-stages-largest = 최대 가중치
figures-stages-length-of-context = ‖W_O · 문맥‖
figures-stages-length-of-head = ‖W_O · 헤드‖
figures-stages-mask = + 마스크
figures-stages-not-divided = 나누지 않음
figures-stages-other-heads = W_O · 다른 헤드
figures-stages-others = 나머지 { $n }개
figures-stages-output = 합 = 출력
figures-stages-part = 항
figures-stages-row = 행
figures-stages-scaled = ÷ √{ $d_k } 적용
figures-stages-this-head = W_O · 이 헤드
figures-stages-unscaled = 미적용
figures-stages-weight = ÷ 합 = 가중치
figures-stages-weight-times-value = 가중치 × 밸류

## Rules of attention, measured

figures-check-finite = 모든 가중치가 유한한 수
figures-check-finite-measured = 가중치 { $of }개 중 유한하지 않은 것 { $n }개
figures-check-no-negative = 음수 가중치 없음
figures-check-no-negative-measured = 최소 가중치 { $smallest }
figures-check-rows = 행의 합은 1
figures-check-rows-measured = 헤드 { $heads }개의 { $rows }개 행에서 1과의 차이 최대 { $deviation }
figures-check-rows-free = 여기서는 행의 합이 1이 아니어도 됨
figures-check-rows-free-measured = 헤드 { $heads }개의 { $rows }개 행에서 합은 최소 { $least }, 최대 { $most }
figures-check-padding = 패딩의 가중치는 0
figures-check-padding-measured = 원문 뒤에 패딩 토큰 { $n_source }개, 번역문 뒤에 { $n_target }개를 붙여 다시 실행: 패딩에 준 가중치 최대 { $weight }, 나머지 가중치의 변화 최대 { $change }
figures-check-future = 미래 토큰의 가중치는 정확히 0
figures-check-future-measured = 헤드 { $heads }개에서 마스크된 가중치 { $of }개 중 0이 아닌 것 { $n }개, 최대 { $largest }
figures-check-shown-and-hidden = 표시한 가중치와 숨긴 가중치의 합은 1
figures-check-shown-and-hidden-measured = 표시한 가중치 { $shown }, 숨긴 가중치 { $hidden }({ $rows }개 행의 평균)
figures-check-rows-as-shown = 화면에 보이는 행의 합은 1
figures-check-rows-as-shown-measured = { $empty ->
    [0] { $rows }개 행에서 1과의 차이 최대 { $deviation }
   *[other] { $rows }개 행에서 1과의 차이 최대 { $deviation }. 남은 가중치가 없는 { $empty }개 행은 제외
 }
