# 번역이 지어낸 것인가? 환각의 징후와 사람의 판정 비교.

made_up_way = 번역 방향
made_up_example = 예시
made_up_example-own = 원래 번역
made_up_example-other = 다른 문장의 번역
made_up_example-half = 번역의 앞 절반
made_up_fault = 오류 유형
made_up_fault-unsupported = 이탈(완전 또는 심한)
made_up_fault-detached = 완전 이탈
made_up_fault-strong = 심한 이탈
made_up_fault-repetition = 반복
made_up_fault-omission = 누락
made_up_fault-names = 개체명
made_up_source = 원문
made_up_source-none = 원문
made_up_translation = 번역
made_up_translation-none = 번역
made-up-pair = { $source } → { $target }
made-up-log_p = 토큰당 log p
made-up-without = 다른 텍스트 없이 구한 토큰당 log p
made-up-gain = 토큰당 Δ log p
made-up-sharp = 정렬 선명도
made-up-share = 원문 비율
made-up-sound = 오류 없음
made-up-faulty = 오류
made-up-group = 판정
made-up-pairs = 문장 쌍의 비율
made-up-found = 아래 척도 가운데 AUROC가 가장 높은 것은 { $model }의 { $name }입니다({ $auroc }, { $auroc_low }–{ $auroc_high }). 그 값({ $value })이 가장 비슷한 판정 쌍 { $n }개 가운데 { PERCENT($near, digits: 0) }({ PERCENT($near_low, digits: 0) }–{ PERCENT($near_high, digits: 0) })가 { $kind ->
    [detached] **완전 이탈**
    [strong] **심한 이탈**
    [repetition] **반복** 오류
    [omission] **누락** 오류
    [names] **개체명** 오류
   *[unsupported] **원문 이탈**
 } 판정을 받았습니다(전체는 { PERCENT($base, digits: 0) }).
made-up-not-calibrated = { $pair } 방향은 사람이 판정한 자료가 없으므로, 아래 수치에는 판정을 붙이지 않습니다.
made-up-no-reverse = { $pair } 모델이 설치되어 있지 않아 정방향 수치만 표시합니다.
made-up-unread = 이 모델의 출력이 비어 있거나 너무 길어 문장 쌍으로 읽을 수 없습니다. 위에 원문과 번역을 입력하세요.
made-up-same = 번역이 원문과 같은 텍스트입니다. 그대로 복사한 텍스트에는 이 수치가 의미가 없습니다.
made-up-language = “{ $text }” 텍스트는 { $language } 문장으로 보이지 않습니다{ $other ->
    [none] {""}
   *[other] ({ $other } 추정)
 }. 이런 쌍에는 판정 자료를 적용할 수 없습니다.
made-up-title-sign = { $name }, { $model }
made-up-title-auroc = AUROC { $auroc }({ $auroc_low }–{ $auroc_high })
made-up-alt = 판정된 { $all }쌍에서 척도 { $panels }개의 분포를 오류가 있는 쌍과 없는 쌍으로 나누어 그린 그래프. 빨간 선은 화면의 문장 쌍.
made-up-file = 환각 척도 { $name }
made-up-caption = 곡선은 오류가 있는 쌍과 없는 쌍의 분포를 각각 나타냅니다. 빨간 선은 화면의 문장 쌍입니다. 두 곡선이 겹치는 곳에서는 이 척도로 판단할 수 없습니다. 원문을 읽는 모델은 번역을, 번역을 읽는 모델은 원문을 예측합니다.
made-up-span = { $value }({ $low }–{ $high })
made-up-signs-alt = 척도 { $n }개의 값, AUROC, 비슷한 쌍의 오류 비율.
made-up-column-model = 모델
made-up-column-sign = 척도
made-up-column-value = 이 쌍
made-up-column-auroc = AUROC(95% 구간)
made-up-column-near = 비슷한 쌍의 오류 비율
made-up-numbers-alt = 화면의 문장 쌍에 대한 모델 { $n }개의 척도.
made-up-numbers-model = 모델
made-up-numbers-pair = 읽기 → 예측
made-up-numbers-log_p = log p
made-up-numbers-without = 다른 텍스트 없이 구한 log p
made-up-numbers-gain = Δ log p
made-up-numbers-sharp = 정렬 선명도
made-up-numbers-share = 원문 비율
made-up-numbers-caption = 모델이 한 텍스트를 읽고 예측하는 다른 텍스트의 토큰 평균(nats)입니다. 원문 비율은 모델이 읽은 텍스트의 비율입니다.
