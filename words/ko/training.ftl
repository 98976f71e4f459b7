# 학습 페이지.

page-training = 학습
heading-training = { $app }: 학습
view-training = 학습 보기
view-training-forming = 헤드가 생기는 과정
view-training-curves = 곡선
view-training-warmup = 웜업
view-training-smoothing = 레이블 스무딩
view-training-here = 여기서 학습하기

training-step = 스텝
training-steps = 스텝 수
training-step-axis = 학습 스텝
training-run = 학습
training-place = 위치
training-probability = 확률
training-log-prob = log p
training-likeliest = 그 자리의 1위
training-tokens = 토큰
training-whose = 누구의 값
training-made = 측정: `{ $command }`.

# 헤드가 생기는 과정

forming_of = 보여 줄 학습
forming_of-checkpoint = { $name }
forming_of-small = 무작위 가중치에서 시작한 작은 모델
forming_sentence = 기록한 문장
forming_measure = 헤드 아래의 숫자
forming_measure-sharpness = 뾰족함
forming_measure-largest = 가장 큰 가중치
forming_measure-previous = 앞 토큰에
forming_measure-same = 같은 토큰에
forming_measure-next = 다음 토큰에
forming_measure-final = 마지막 맵과의 겹침
forming_measure-pair = 대명사에서 그 명사로
forming_measure-answer = 맞는 글자에
forming_measure-help = 뾰족함은 모든 곳을 똑같이 보면 0, 한 토큰에 가중치를 모두 주면 1입니다. “마지막 맵과의 겹침”은 헤드가 마지막에 하는 일을 그때 벌써 얼마나 하고 있는지를 나타냅니다. 모든 숫자는 0에서 1까지입니다.
forming_head = 열린 헤드

training-dial-help = 학습의 스텝: 슬라이더, 버튼, 화살표 키, 재생
training-at-step = 스텝 { $step }
training-no-formation = { $name } 학습에서는 헤드를 기록하지 않았습니다. 설정의 “formation_steps”에 스텝을 적어 두면 학습하면서 기록하고, 내보낼 때 가중치 옆에 저장합니다. 아래는 무작위 가중치일 때부터 기록한 작은 모델입니다.
training-began-trained = { $first }부터 { $last }까지 스텝 { $n }개를 기록했습니다. 이 학습은 이미 학습한 가중치를 이어받았으므로 스텝 { $first }{ JOSA($first, "이/가") } 진짜 처음은 아닙니다. 헤드 대부분은 그전과 같고, 여기서 새로 생기는 것이 이 학습에서 더해진 것입니다.
training-began-random = { $first }부터 { $last }까지 스텝 { $n }개를 기록했습니다. 무작위 가중치에서 시작한 학습입니다.

training-tokens-alt = 번역문의 토큰 { $n }개와, 슬라이더의 스텝에서 토큰마다의 log p
training-tokens-name = 기대한 토큰 { $text }
training-tokens-likeliest = 정답 번역문을 토큰 하나씩 알려 주며 읽힙니다(교사 강요). 토큰 아래에는 log p가, 그 아래에는 그 자리의 1위 토큰이 있습니다. 번역문과 다른 토큰은 빨간색입니다.
training-tokens-unrecorded = 정답 번역문을 토큰 하나씩 알려 주며 읽힙니다(교사 강요). 토큰 안에 log p가 있습니다. 이 학습에서는 그 자리의 1위 토큰을 기록하지 않았고, 새 학습에서는 기록합니다.
training-heads-alt = 슬라이더의 스텝에서 헤드 { $n }개 전체, 헤드마다 작은 맵 하나
training-heads-name = 학습에 따른 모든 헤드, { $measure }
training-one-alt = 슬라이더의 스텝에서 { $head }의 가중치
training-one-name = 학습에 따른 { $head }
training-one-known = 빨간 테두리는 행마다 찾는 글자, 곧 이 과제의 정답 위치입니다.
training-lines-alt = 학습 스텝에 따른 모든 헤드의 값: { $measure }
training-lines-name = 학습에 따른 값: { $measure }
training-lines-caption = 선 하나가 헤드 하나이고, 기록한 스텝은 같은 간격으로 놓았습니다. 점은 헤드가 마지막에 하는 일의 절반에 이르고 그 뒤로 다시 내려가지 않은 곳입니다. 선을 누르면 그 헤드가 열립니다.

training-formed-at = **{ $head }**{ JOSA($head, "은/는") } 스텝 { $before }{ JOSA($before, "과/와") } 스텝 { $step } 사이에서 이 일을 하게 되었습니다({ $measure }: 처음 { $first }, 마지막 { $last }).
training-formed-before = **{ $head }**{ JOSA($head, "은/는") } 기록을 시작한 스텝 { $step }에서 이미 이 일을 하고 있었습니다({ $measure }: 처음 { $first }, 마지막 { $last }).
training-formed-never = **{ $head }**{ JOSA($head, "은/는") } 마지막에도 이 일을 하지 않습니다({ $measure }: 처음 { $first }, 마지막 { $last }).
training-formed-not-measured = “{ $measure }” 값으로는 { $head }에 대해 알 수 없습니다.
training-formed-all = 헤드 { $n }개 가운데 학습 도중에 이 일을 하게 된 헤드는 { $late ->
    [0] 없고
   *[other] { $late }개이고
  }, 기록을 시작할 때부터 이미 하던 헤드는 { $early ->
    [0] 없습니다
   *[other] { $early }개입니다
  }.

# 발표된 주장

training-claims-title = 이 학습에서 확인한 두 주장
training-words-claim = **번역 모델의 어텐션은 단어를 하나하나 알게 될 때까지 균등하게 퍼져 있다가, 그다음에 단어를 따라간다**(Snell et al. 2021).
training-words-words-first = *발표된 대로입니다.* 단어 정보만으로 얻는 이득은 스텝 { $words_step }에서 절반에 이르렀고, 어텐션은 스텝 { $focus_step }에 와서야 절반에 이르렀습니다. 이득은 토큰당 { $words_first }나트에서 { $words_last }나트로, 뾰족함은 { $focus_first }에서 { $focus_last }{ JOSA($focus_last, "으로/로") } 바뀌었습니다.
training-words-together = *판정할 수 없습니다.* 기록한 스텝 가운데 같은 스텝 { $focus_step }에서 둘 다 절반에 이르렀습니다. 단어 정보만으로 얻는 이득은 토큰당 { $words_first }나트에서 { $words_last }나트로, 뾰족함은 { $focus_first }에서 { $focus_last }{ JOSA($focus_last, "으로/로") } 바뀌었습니다.
training-words-attention-first = *발표와 다릅니다.* 어텐션은 스텝 { $focus_step }에서 절반에 이르렀고, 단어 정보만으로 얻는 이득은 스텝 { $words_step }에 와서야 절반에 이르렀습니다. 이득은 토큰당 { $words_first }나트에서 { $words_last }나트로, 뾰족함은 { $focus_first }에서 { $focus_last }{ JOSA($focus_last, "으로/로") } 바뀌었습니다.
training-words-not-uniform = *이 학습으로는 알 수 없습니다.* 기록을 시작할 때 어텐션이 이미 균등하지 않았습니다. 뾰족함이 그때 { $focus_first }, 마지막에 { $focus_last }이며, 0이면 균등한 것입니다.
training-words-unknown = *이 학습으로는 알 수 없습니다.* 어텐션은 균등하게 시작했지만(뾰족함 { $focus_first }, 마지막 { $focus_last }), 단어 하나하나를 얼마나 아는지는 기록하지 않았거나 끝까지 늘지 않았습니다.
training-words-unrecorded = 단어 하나하나를 얼마나 아는지도 기록하지 않았습니다. 새 학습에서는 기록합니다.
training-words-open = *이렇게 적은 문장으로는 알 수 없습니다.* 단어 정보만으로 얻는 이득은 스텝 { $words_step }에서, 어텐션은 스텝 { $focus_step }에서 절반에 이르렀지만, 다른 문장이었다면 순서가 바뀌는 일이 너무 잦습니다. 이득은 토큰당 { $words_first }나트에서 { $words_last }나트로, 뾰족함은 { $focus_first }에서 { $focus_last }{ JOSA($focus_last, "으로/로") } 바뀌었습니다.
training-claims-basis = 문장 { $n }개로 쟀습니다({ $sites }). 이 문장들에서 다시 뽑은 1,000벌 가운데 { $same }에서 판정이 같습니다.
training-claims-went-on = 두 주장 모두 이 학습에서는 확인할 수 없습니다. 둘 다 학습의 시작에 관한 것인데, 이 학습은 이미 학습한 가중치에서 이어졌습니다.
training-claims-window = *이 모델로는 알 수 없습니다.* 행이 창으로 잘려 합이 1보다 작으므로 엔트로피가 없고, 토큰에 준 가중치는 비율이 아닙니다.
training-words-no-cross = 이 모델에는 한쪽에서 다른 쪽을 보는 어텐션이 없습니다.
training-words-name = 학습에 따른 단어와 어텐션
training-frequent-claim = **어텐션은 먼저 자주 나오는 토큰에 모였다가 퍼진다**(Chen et al. 2026, arXiv 2605.01199). 이 논문은 마르코프 데이터를 학습한 한 층짜리 모델을 다룹니다. 여기서는 번역 모델에서도 그런지 봅니다.
training-frequent-gathers-spreads = *발표된 대로입니다.* 자주 나오는 토큰에 준 가중치는 균등하게 볼 때의 { $first }배로 시작해 스텝 { $step }에서 가장 컸고({ $highest }배), 마지막에는 { $last }배입니다.
training-frequent-gathers = *절반만 맞습니다.* 자주 나오는 토큰에 준 가중치는 균등하게 볼 때의 { $first }배에서 { $highest }배로 늘었지만(스텝 { $step }), 그 뒤로 10분의 1도 줄지 않았습니다. 마지막에는 { $last }배입니다.
training-frequent-spreads = *절반만 맞습니다.* 자주 나오는 토큰에 준 가중치는 균등하게 볼 때의 { $first }배에서 { $last }배로 줄기만 했습니다.
training-frequent-open = *이렇게 적은 문장으로는 알 수 없습니다.* 자주 나오는 토큰에 준 가중치는 균등하게 볼 때와 견주어 처음에 { $first }배, 스텝 { $step }에서 { $highest }배, 마지막에 { $last }배입니다. 다른 문장이었다면 다르게 움직였을 일이 너무 잦습니다.
training-frequent-steady = *여기서는 보이지 않습니다.* 자주 나오는 토큰에 준 가중치는 균등하게 볼 때의 { $first }배로 시작해 마지막에 { $last }배입니다. 도중에는 { $lowest }배에서 { $highest }배 사이에 있었습니다. 10분의 1만큼 늘지 않았고, 가장 컸을 때보다 10분의 1만큼 줄어든 채 끝나지도 않았습니다.
training-frequent-pieces = 여기서 자주 나오는 토큰이란 학습 원문의 절반 이상에 나오는 조각이며 특수 토큰은 뺐습니다: { $pieces }. 문장 끝 토큰에 준 가중치는 세지 않습니다.
training-frequent-guessed = 조각이 학습에 얼마나 자주 나왔는지 기록하지 않았습니다. 여기서 자주 나오는 토큰이란 기록한 원문의 절반 이상에 나오는 조각입니다: { $pieces }.
training-frequent-none = 기록한 문장에는 자주 나온다고 알려진 조각이 없습니다.
training-frequent-name = 학습에 따른 자주 나오는 토큰에 준 가중치
training-claim-focus = 인코더-디코더 어텐션의 뾰족함
training-claim-knowledge = 단어 정보만으로 얻는 이득, 토큰당 나트
training-claim-ratio = 자주 나오는 토큰에 준 가중치 ÷ 균등하게 볼 때
training-claim-alt = 학습 스텝에 따른 값: { $what }
training-knock-title = 여러 스텝에서 헤드 하나씩 끄기
training-knock-run = 이 학습을 짧게 되풀이하며 가중치를 남겨 둔 다른 학습 { $run }에서 쟀습니다.
knock_of = log p를 재는 곳
knock_of-token = 모든 토큰
knock_of-pronoun = 맞는 대명사
training-pronoun-name = 학습 스텝에 따른 대명사
training-claim-log_prob = 맞는 대명사의 log p
training-claim-noun_hidden = 변화: “it”에서 그 명사를 가림
training-knock-needed = 대명사에는 언제부터 그 명사가 필요할까요? 명사가 둘이고 학습에 쓰지 않은 문장 { $n }개에서, 모든 인코더 헤드의 “it”에서 그 명사구를 가렸을 때와 모두 보일 때 맞는 대명사의 log p 차이를 쟀습니다: 가중치를 남겨 둔 첫 스텝에서 { $first }나트, 마지막 스텝에서 { $last }나트. 가장 크게 줄어든 값의 절반에 이른 것은 스텝 { $step }입니다. 다른 명사구를 가리면 마지막 스텝에서 { $other }나트입니다.
training-knock-found-pronoun = 가중치를 남겨 둔 스텝 { $n }개에서 모든 헤드를 하나씩 끄고(0) 맞는 대명사의 log p 변화를 쟀습니다. 가장 크게 떨어진 것은 스텝 { $step }에서 { $head }{ JOSA($head, "을/를") } 껐을 때입니다: { $drop }나트.
training-knock-found-token = 가중치를 남겨 둔 스텝 { $n }개에서 모든 헤드를 하나씩 끄고(0) 기록한 문장의 토큰당 log p 변화를 쟀습니다. 가장 크게 떨어진 것은 스텝 { $step }에서 { $head }{ JOSA($head, "을/를") } 껐을 때입니다: 토큰당 { $drop }나트.
training-knock-alt = 헤드를 하나씩 껐을 때 토큰당 log p의 변화, 열 하나가 한 스텝

# 곡선

training-curves-runs = 보여 줄 학습
training-curves-range = 보여 줄 스텝
training-curves-none-chosen = 학습을 하나 고르면 곡선이 나옵니다.
training-curves-empty = 이 스텝들에는 기록된 것이 없습니다.
training-curves-alt = 학습 스텝에 따른 손실, 검증 손실, 학습률, 기울기 크기: { $names }
training-curves-name = 곡선 { $names }
training-curves-zoom = 끌면 움직이고, 휠로 확대하고, 더블 클릭하면 전체가 보입니다. 가리키면 값이 나옵니다.
training-curves-table-alt = 고른 학습들의 마지막 값
training-curves-validation = 손실은 스무딩 없이 잰 토큰당 음의 로그 가능도(나트)입니다. 데이터나 어휘가 다른 학습의 검증 손실은 서로 비교할 수 없습니다.
training-no-metrics = { $name } 학습의 곡선이 체크포인트 옆에 없습니다(metrics.jsonl).
training-metrics-cut = { $name } 곡선에서 { $n }줄을 읽을 수 없어 뺐습니다. 학습이 강제로 멈추면 이런 줄이 생깁니다.
training-measure-loss = 손실
training-measure-val_loss = 검증 손실
training-measure-lr = 학습률
training-measure-gradient_norm = 기울기 크기
training-last-loss = 마지막 손실
training-lowest-val-loss = 가장 낮은 검증 손실
training-bleu = BLEU
training-bleu-where = BLEU를 잰 곳
training-bleu-held-out = 학습에 쓰지 않은 생성 문장 쌍, 그리디

small-run-plain = 작은 모델, 웜업 있음
small-run-no-warmup = 작은 모델, 웜업 없음
small-run-ten-times = 작은 모델, 학습률 열 배
small-run-smoothed = 작은 모델, 레이블 스무딩

# 웜업

training-warmup-label = 웜업 스텝
training-warmup-help = 웜업 동안 학습률이 직선으로 오르고, 그다음에는 스텝의 제곱근에 반비례해 내려갑니다.
training-factor-label = 배율
training-factor-help = 공식의 학습률에 배율을 곱하는 학습도 있습니다. 논문에서는 곱하지 않습니다.
training-warmup-ends = 웜업 끝, 스텝 { $n }
training-rate-alt = 스텝에 따른 공식의 학습률(가장 높은 곳은 스텝 { $warmup })과 학습이 실제로 쓴 학습률
training-rate-name = 학습률, 웜업 { $warmup }, d_model { $d_model }
training-rate-peak = 가장 높은 학습률: 스텝 { $warmup }에서 { $peak }. 논문의 기본 모델(너비 512, 웜업 4,000스텝)은 { $paper }에 이릅니다.
training-rate-own = 모래색 선은 { $name } 학습이 실제로 쓴 학습률입니다: 스텝 { $step }에서 최대 { $rate }.
training-rate-unknown = { $name } 학습이 쓴 학습률은 알려져 있지 않습니다.
training-rate-plain = 카드에 적힌 설정을 넣은 공식과 같습니다. 차이는 어디서나 { $error } 이하입니다.
training-rate-shaped = 설정에 따라 점 { $n }개로 정한 배율을 공식의 학습률에 곱해 끝에서 낮아지게 했습니다. 그 배율까지 넣으면 공식과 같고, 차이는 어디서나 { $error } 이하입니다.
training-warmup-runs-title = 웜업이 있을 때와 없을 때, 학습률이 열 배일 때
training-small-made = 생성 문장 쌍 { $pairs }개로, 모두 같은 무작위 가중치에서 시작해 `{ $command }` 명령으로 { $hardware }에서 학습한 작은 모델들입니다. “웜업 없음”은 가장 높은 학습률에서 시작해 웜업이 끝날 스텝까지 그대로 두며, 그 뒤로는 둘 다 똑같이 내려갑니다.
training-small-table-alt = 학습에 쓰지 않은 문장 쌍에서 작은 학습들의 결과
training-perplexity = 퍼플렉시티
training-perplexity-help = 학습에 쓰지 않은 문장 쌍에서 교사 강요로 잽니다. 토큰당 −log p의 평균에 exp를 취한 값이며, 낮을수록 좋습니다.
training-calibration = 보정 오차
training-calibration-help = 확신한 정도를 열 구간으로 나누고, 구간마다 확신한 정도와 실제로 맞은 비율의 차이를 구해 평균한 값입니다(Guo et al. 2017). 낮을수록 좋습니다.

# 레이블 스무딩

smoothing_token = 번역문의 토큰
training-epsilon-label = 스무딩 ε
training-epsilon-help = 목표 가운데 모든 토큰에 균등하게 나누어 주는 몫입니다. 논문은 0.1을 씁니다.
training-target-model = 모델
training-target-smoothed = 스무딩한 목표
training-target-alt = 모델과 스무딩한 목표가 “{ $token }”{ JOSA($token, "과/와") } 경쟁 토큰에 주는 확률
training-target-name = { $token }의 스무딩한 목표: { $text }
training-smoothing-empty = 이 페이지의 번역이 비어 있어 볼 토큰이 없습니다.
training-smoothing-token = ε = { $epsilon }이면 목표는 “{ $token }”에 { $on_label }, 어휘의 나머지 토큰 { $n }개에 각각 { $on_others }{ JOSA($on_others, "을/를") } 줍니다. 모델은 “{ $token }”에 { $given }{ JOSA($given, "을/를") } 줍니다.
training-smoothing-loss = 이 토큰의 손실: 스무딩하지 않은 목표로 { $plain }나트, 스무딩한 목표로 { $smoothed }나트. 스무딩한 목표로는 { $least } 아래로 내려갈 수 없습니다. 그 값이 목표 자체의 엔트로피이기 때문입니다. 그래서 지나치게 확신하는 모델은 손실이 커집니다.
training-smoothing-runs-title = 스무딩이 있는 학습과 없는 학습
training-smoothing-perplexity-more = 레이블 스무딩을 하면 논문대로 퍼플렉시티가 나빠집니다: { $perplexity_plain }에서 { $perplexity_smoothed }.
training-smoothing-perplexity-less = 논문과 달리 여기서는 레이블 스무딩을 해도 퍼플렉시티가 나빠지지 않습니다: { $perplexity_plain }에서 { $perplexity_smoothed }.
training-smoothing-bleu-more = BLEU는 논문대로 높아집니다: { $bleu_plain }에서 { $bleu_smoothed }.
training-smoothing-bleu-less = 논문과 달리 여기서는 BLEU가 높아지지 않습니다: { $bleu_plain }에서 { $bleu_smoothed }.
training-smoothing-calibration-error-more = 확률을 그대로 믿기가 더 어려워집니다: 보정 오차 { $calibration_error_plain }에서 { $calibration_error_smoothed }.
training-smoothing-calibration-error-less = 확률이 더 믿을 만해집니다: 보정 오차 { $calibration_error_plain }에서 { $calibration_error_smoothed }.
training-calibration-alt = 레이블 스무딩이 있을 때와 없을 때, 확신한 정도와 맞은 비율
training-calibration-name = 레이블 스무딩이 있을 때와 없을 때의 보정
training-calibration-caption = 점선에 놓이면 확신한 만큼 맞은 것입니다. 점선보다 아래면 지나치게 확신한 것이고, 위면 덜 확신한 것입니다. 시드는 하나씩이므로 작은 차이는 우연일 수 있습니다.
training-sure = 확신한 정도(평균 확률)
training-right = 맞은 비율

# 여기서 학습하기

toy_task = 과제
toy_task-copy = 베끼기
toy_task-reverse = 뒤집기
toy_task-sort = 오름차순 정렬
toy_task-help = 단어는 그리스 문자 네 개에서 여덟 개로 되어 있고, 같은 글자가 두 번 나오지 않습니다.
toy_word = 단어
training-here-what = 양쪽에 층이 하나씩, 헤드 { $heads }개, { $d_model }차원인 트랜스포머가 글자 { $letters }개로 된 단어를 베끼거나 뒤집거나 오름차순으로 정렬하는 법을 { $steps }스텝 동안 배웁니다. 어디를 보라고 알려 주지는 않습니다. 하지만 어디를 보아야 맞는지는 정해져 있으므로, 언제부터 그곳을 보는지 이 페이지가 알려 줍니다.
training-seed-label = 시드
training-seed-help = 무작위 가중치와 단어를 여기서 뽑습니다. 시드가 같으면 학습도 같습니다.
training-here-start = 학습하기
training-here-stop = 멈추기
training-here-begin = 과제를 고르고 “학습하기”를 누르세요. 30초쯤 걸립니다.
training-here-starting = 시작하는 중
training-here-refused = { $n ->
    [1] 지금 다른 방문자가 학습하고 있고, 이 서버는 한 번에 모델 { $n }개를 학습합니다. 잃은 것은 없으니 1분 뒤에 다시 해 보세요.
   *[other] 지금 다른 방문자들이 학습하고 있고, 이 서버는 한 번에 모델 { $n }개를 학습합니다. 잃은 것은 없으니 1분 뒤에 다시 해 보세요.
  }
training-here-progress = 스텝 { $step }/{ $last }, 손실 { $loss }, 처음 보는 단어에서 맞은 글자 { $right }
training-here-word = { $source } → { $target }, 스텝 { $step }
training-here-head = { $head }: 맞는 글자에 { $weight }
training-here-alt = 스텝 { $step }에서 인코더-디코더 어텐션의 헤드 { $n }개
training-here-done = **{ $task }** 학습이 끝났습니다: { $step }스텝, 처음 보는 단어에서 맞은 글자 { $right }.
training-here-stopped = **{ $task }** 학습을 스텝 { $step }에서 멈췄습니다. 처음 보는 단어에서 맞은 글자 { $right }. 그때까지 배운 것이 아래에 있습니다.
training-here-out-of-time = **{ $task }** 학습이 스텝 { $step }에서 끝났습니다. 서버가 바빠 정해진 시간이 다 되었습니다. 처음 보는 단어에서 맞은 글자 { $right }. 그때까지 배운 것이 아래에 있습니다.
training-here-failed = 학습이 실패했습니다. 다른 것에는 영향이 없습니다. “학습하기”를 다시 누르세요.
training-here-found = 스텝 { $step }부터 어텐션이 맞는 글자를 찾았습니다. 지금은 { $head }{ JOSA($head, "이/가") } 가중치의 { $weight }{ JOSA($weight, "을/를") } 그곳에 줍니다.
training-here-not-found = 어텐션이 아직 맞는 글자를 찾지 못했습니다. 가장 나은 { $head }{ JOSA($head, "이/가") } 가중치의 { $weight }{ JOSA($weight, "을/를") } 그곳에 줍니다.
training-here-learnt = 스텝 { $step }부터 글자의 95% 이상을 맞힙니다.
