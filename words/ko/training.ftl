# 학습 페이지.

page-training = 학습
view-training = 학습 보기
view-training-forming = 헤드와 학습 곡선
view-training-warmup = 학습률 웜업
view-training-smoothing = 레이블 스무딩
view-training-here = 토이 모델 학습

training-step = 학습 스텝
training-column-steps = 학습 스텝 수
training-step-axis = 학습 스텝
training-recorded-axis = 기록한 스텝(간격은 다름)
training-run = 학습 실행
training-column-run = 학습 실행
training-column-checked = 검증 손실
training-column-score = BLEU
training-column-score-help = 학습에 쓰지 않은 생성 문장 쌍, 그리디 서치
training-place = 위치
training-probability = 확률
training-log-prob = log p(토큰)
training-likeliest = 확률 1위 토큰
training-tokens = 토큰 수

# 학습 중 헤드의 변화

forming_of = 학습 실행
forming_of-checkpoint = 학습: { $name }
forming_of-small = 학습: 작은 모델
forming_sentence = 스텝마다 읽힌 문장
forming_measure = 헤드 지표
forming_measure-sharpness = 집중도(0: 고르게 봄, 1: 한 토큰만 봄)
forming_measure-largest = 최대 가중치
forming_measure-previous = 앞 토큰 가중치
forming_measure-same = 자기 토큰 가중치
forming_measure-next = 다음 토큰 가중치
forming_measure-final = 최종 패턴과의 겹침
forming_measure-pair = 대명사 → 선행사 가중치
forming_measure-answer = 정답 글자 가중치
forming_measure-help = 모든 지표는 0에서 1 사이입니다. 집중도(sharpness)는 1 − 정규화 엔트로피로, 균등 어텐션이면 0, 한 토큰에 가중치가 모두 몰리면 1입니다. 최종 패턴과의 겹침은 마지막으로 기록한 어텐션 맵 가운데 그 스텝에 이미 나타난 비율입니다.
forming_does-sharpness = 적은 수의 토큰에 집중하는
forming_does-largest = 가중치를 한 토큰에 몰아주는
forming_does-previous = 앞 토큰에 주목하는
forming_does-same = 자기 토큰에 주목하는
forming_does-next = 다음 토큰에 주목하는
forming_does-final = 최종 패턴을 만드는
forming_does-pair = 대명사에서 선행사에 주목하는
forming_does-answer = 정답 글자에 주목하는
forming_head = 선택한 헤드

training-step-help = 학습 스텝: 슬라이더, 버튼, 화살표 키, 재생
training-at-step = 스텝 { GROUPED($step) }
training-no-formation = { $name } 학습에서는 헤드를 기록하지 않았습니다. 설정의 “formation_steps”에 스텝을 지정하면 학습하면서 기록하고, 내보낼 때 가중치와 함께 저장합니다. 아래는 무작위 가중치에서부터 기록한 작은 모델입니다.
training-began-trained = 스텝 { GROUPED($first) }부터 { GROUPED($last) }까지 { $n }번 기록했습니다. 이 실행은 이미 학습된 가중치에서 이어서 학습했으므로 헤드는 대부분 이미 형성되어 있었습니다. 여기에는 이 실행에서 생긴 변화만 나옵니다.
training-began-random = 스텝 { GROUPED($first) }부터 { GROUPED($last) }까지 { $n }번 기록했습니다. 이 실행은 무작위 가중치에서 시작했습니다.

training-tokens-alt = 번역문의 토큰 { $n }개와 선택한 스텝에서의 토큰별 확률
training-tokens-file = 번역문 토큰: { $text }
training-tokens-caption = 모델이 정답 번역문을 토큰 단위로 읽으며(교사 강요), 칸 안의 값은 정답 토큰의 확률입니다. { $likeliest ->
    [yes] 아래는 그 위치에서 확률이 가장 높은 토큰이고, 번역문과 다르면 빨간색입니다.
   *[no] 이 실행에서는 확률이 가장 높은 토큰을 기록하지 않았고, 새 실행에서는 기록합니다.
 }
training-heads-alt = 선택한 스텝의 전체 헤드 { $n }개, 헤드마다 작은 어텐션 맵 하나
training-heads-file = 학습 중 모든 헤드, { $measure }
training-one-alt = 선택한 스텝에서 { $head }의 어텐션 가중치
training-one-file = 학습 중 { $head }
training-one-known = 테두리는 각 행의 정답 글자, 즉 이 과제의 정답 위치입니다.
training-lines-alt = 학습 스텝에 따른 모든 헤드의 값: { $measure }
training-lines-file = 학습 중 변화: { $measure }
training-lines-formed = ● 배움: { $n }개 중 { $late }개 · 회색: 다른 헤드
training-lines-caption = 선 하나가 헤드 하나이고, 점은 값이 최종값의 절반 이상으로 유지되기 시작한 스텝입니다(빈 점: 처음부터). 선을 클릭하면 그 헤드가 선택됩니다.

training-formed-at = 학습 스텝 { GROUPED($before) }에서 { GROUPED($step) } 사이에 **{ $head }**{ JOSA($head, "이/가") } **{ $does }** 법을 배웁니다.
training-formed-before = 처음 기록한 스텝 { GROUPED($step) }에서 **{ $head }**{ JOSA($head, "은/는") } 이미 **{ $does }** 모습을 보였습니다.
training-formed-held = 이때 곡선의 값이 { $before }에서 { $at }{ JOSA($at, "으로/로") } 오르고, 그 뒤로는 최종값의 절반 이상을 유지합니다.
training-formed-never = **{ $head }**{ JOSA($head, "은/는") } 이 실행에서 **{ $does }** 법을 배우지 못했습니다.
training-formed-not-measured = { $head }에는 “{ $measure }” 값이 정의되지 않습니다.
training-formed-all = 이 실행에서 헤드 { $n }개 중 { $late }개가 이를 배웠습니다.

# 발표된 주장

training-claims-title = 논문의 두 주장 검증
training-words-claim = **번역 모델의 어텐션은 단어의 대응을 배울 때까지 균등하다가 그 뒤에 단어를 따라간다**(Snell et al. 2021). 단어 정보만으로 얻는 이득은 균등 어텐션에서 잽니다. *집중도*는 균등 어텐션이면 0, 키 하나에 몰리면 1입니다.
training-words-words-first = *논문의 주장과 일치합니다.* 단어 정보만으로 얻는 이득은 스텝 { GROUPED($words_step) }에서 상승폭의 절반에 이르렀고, 어텐션 집중도는 스텝 { GROUPED($focus_step) }에서야 절반에 이르렀습니다.
training-words-together = *판정할 수 없습니다.* 단어 정보만으로 얻는 이득과 어텐션 집중도가 같은 기록 스텝 { GROUPED($focus_step) }에서 상승폭의 절반에 이르렀습니다.
training-words-attention-first = *논문의 주장과 다릅니다.* 어텐션 집중도는 스텝 { GROUPED($focus_step) }에서 상승폭의 절반에 이르렀고, 단어 정보만으로 얻는 이득은 스텝 { GROUPED($words_step) }에서야 절반에 이르렀습니다.
training-words-not-uniform = *이 실행으로는 확인할 수 없습니다.* 기록한 첫 스텝에서 어텐션이 이미 균등하지 않았습니다. 집중도는 처음에 { $focus_first }, 마지막에 { $focus_last }이며, 0이면 균등 어텐션입니다.
training-words-unknown = *이 실행으로는 확인할 수 없습니다.* 어텐션은 처음에 균등했습니다(집중도 처음 { $focus_first }, 마지막 { $focus_last }). 하지만 단어 정보만으로 얻는 이득을 기록하지 않았거나 둘 중 하나가 끝까지 오르지 않았습니다.
training-words-unrecorded = 단어 정보만으로 얻는 이득도 기록하지 않았습니다. 새 실행에서는 기록합니다.
training-words-open = *문장이 적어 판정할 수 없습니다.* 단어 정보만으로 얻는 이득은 스텝 { GROUPED($words_step) }에서, 어텐션 집중도는 스텝 { GROUPED($focus_step) }에서 상승폭의 절반에 이르렀습니다. 하지만 부트스트랩 표본에서는 순서가 바뀌는 경우가 많습니다.
training-claims-basis = 문장 { $n }개로 측정했습니다({ $sites }). 부트스트랩 표본 1,000개 가운데 { PERCENT($same, digits: 0) }에서 판정이 같습니다.
training-claims-went-on = 두 주장 모두 이 실행으로는 확인할 수 없습니다. 둘 다 학습의 시작에 관한 주장인데, 이 실행은 이미 학습된 가중치에서 이어서 학습했습니다.
training-claims-window = *이 모델로는 확인할 수 없습니다.* 어텐션 윈도(window) 때문에 행이 잘려 합이 1보다 작습니다. 이런 행에는 엔트로피가 없고, 가중치를 비율로 볼 수도 없습니다.
training-words-no-cross = 이 모델에는 크로스 어텐션이 없습니다.
training-frequent-claim = **어텐션은 먼저 자주 나오는 토큰에 집중되었다가 퍼진다**(Chen et al. 2026, arXiv 2605.01199). 이 논문은 마르코프 데이터로 학습한 한 층짜리 모델을 다룹니다. 여기에서는 번역 모델에서 이 주장을 확인합니다.
training-frequent-gathers-spreads = *논문의 주장과 일치합니다.* 자주 나오는 토큰의 가중치는 균등 어텐션의 { $first }배에서 시작해 스텝 { GROUPED($step) }에서 { $highest }배까지 올랐습니다. 마지막에는 { $last }배입니다.
training-frequent-gathers = *절반만 맞습니다.* 자주 나오는 토큰의 가중치는 균등 어텐션의 { $first }배에서 시작해 스텝 { GROUPED($step) }에서 { $highest }배까지 올랐습니다. 그 뒤로는 10% 넘게 줄지 않았고, 마지막에는 { $last }배입니다.
training-frequent-spreads = *절반만 맞습니다.* 자주 나오는 토큰의 가중치는 10% 넘게 오른 적 없이 균등 어텐션의 { $first }배에서 { $last }배로 줄었습니다.
training-frequent-open = *문장이 적어 판정할 수 없습니다.* 자주 나오는 토큰의 가중치는 균등 어텐션에 비해 처음에 { $first }배, 스텝 { GROUPED($step) }에서 { $highest }배, 마지막에 { $last }배입니다. 하지만 부트스트랩 표본에서는 곡선의 모양이 달라지는 경우가 많습니다.
training-frequent-steady = *여기에서는 나타나지 않습니다.* 자주 나오는 토큰의 가중치는 균등 어텐션에 비해 처음에 { $first }배, 마지막에 { $last }배입니다. 10% 넘게 오르지 않았고, 가장 컸을 때보다 10% 넘게 줄어든 채 끝나지도 않았습니다.
training-frequent-pieces = 자주 나오는 토큰은 학습 원문의 절반 이상에 나오는 서브워드입니다: { $pieces }. 특수 토큰은 제외했고, 종료 토큰의 가중치는 계산에 넣지 않습니다.
training-frequent-guessed = 학습 데이터의 토큰 빈도를 기록하지 않아, 기록한 원문의 절반 이상에 나오는 서브워드를 자주 나오는 토큰으로 봅니다: { $pieces }.
training-frequent-none = 기록한 문장에는 자주 나온다고 알려진 서브워드가 없습니다.
training-claim-focus = 크로스 어텐션 집중도
training-claim-knowledge = 단어 정보의 이득(nat/토큰)
training-claim-ratio = 자주 나오는 토큰의 가중치(균등의 배수)
training-claim-alt = 학습 스텝에 따른 값: { $what }
training-claim-file = 학습 중 변화: { $what }
training-knock-title = 학습 중 헤드 제거(ablation)
training-knock-run = 이 학습을 더 짧게 다시 하면서 가중치를 저장한 실행 { $run }에서 측정했습니다.
knock_of = 지표
knock_of-token = log p(모든 토큰)
knock_of-pronoun = log p(대명사)
training-claim-log_prob = 정답 대명사의 log p
training-claim-noun_hidden = log p의 변화(선행사를 가림)
training-knock-needed = 인코더의 모든 헤드에서 “it”이 선행사 명사구를 보지 못하게 하면 정답 대명사의 log p가 **{ SIGNED($last) }** nat 변합니다(저장한 마지막 스텝). 이 효과는 스텝 { GROUPED($step) }에서 최댓값의 절반에 이릅니다. 방해 명사의 명사구를 가리면 { SIGNED($other) } nat 변합니다(학습에 쓰지 않은 문장 { $n }개).
training-knock-found-pronoun = 정답 대명사의 log p는 스텝 { GROUPED($step) }에서 { $head }{ JOSA($head, "을/를") } 제거할 때 가장 크게 떨어집니다(감소량 **{ $drop }** nat). 저장한 스텝 { $n }개마다 헤드를 하나씩 제거했습니다(0으로 대체).
training-knock-found-token = 기록한 문장의 log p는 스텝 { GROUPED($step) }에서 { $head }{ JOSA($head, "을/를") } 제거할 때 가장 크게 떨어집니다(감소량 토큰당 **{ $drop }** nat). 저장한 스텝 { $n }개마다 헤드를 하나씩 제거했습니다(0으로 대체).
training-knock-alt = 헤드를 하나씩 제거했을 때 log p의 변화, 열 하나가 한 스텝
training-knock-name = 헤드

# 곡선

curve_runs = 학습 실행
training-curves-range = 스텝 범위
training-curves-found = **{ $run }**: 검증 손실은 스텝 { GROUPED($val_loss_step) }에서 가장 낮습니다(**{ $val_loss_least }**). 학습 손실은 **{ $loss_least }**까지 내려갑니다.
training-curves-none-chosen = 학습 실행을 고르면 학습 곡선이 나옵니다.
training-curves-empty = 이 스텝 범위에는 기록된 값이 없습니다.
training-curves-alt = 학습 스텝에 따른 학습 곡선: { $names }
training-curves-file = 학습 곡선: { $names }
training-curves-caption = 구간을 끌면 확대되고 더블 클릭하면 초기화되며, 도구 모음으로 이동할 수도 있습니다. 마우스를 올리면 그 스텝에서 모든 학습 실행의 값이 나옵니다.
training-curves-went-on = { $runs }: 학습된 가중치에서 이어서 학습했으므로 손실이 처음부터 낮고 조금만 줄어듭니다.
training-curves-table-alt = 선택한 학습 실행의 마지막 값
training-curves-table-caption = 손실은 스무딩 없이 측정한 토큰당 음의 로그 가능도(nat)입니다. 데이터나 어휘가 다른 실행의 검증 손실은 서로 비교할 수 없습니다.
training-no-metrics = { $name } 체크포인트에는 학습 곡선이 저장되어 있지 않습니다(metrics.jsonl).
training-metrics-cut = { $name } 학습 곡선에서 { $n }줄을 읽을 수 없어 제외했습니다. 학습이 강제로 종료되면 이런 줄이 남습니다.
training-measure-loss = 학습 손실
training-measure-val_loss = 검증 손실
training-measure-lr = 학습률
training-measure-gradient_norm = 기울기 노름
training-column-loss = 마지막 학습 손실
training-column-lowest = 최저 검증 손실
training-column-bleu = BLEU
training-column-where = BLEU 데이터셋
training-bleu-held-out = 학습에 쓰지 않은 생성 문장 쌍, 그리디 서치

small-run-plain = 작은 모델, 기준
small-run-no-warmup = 작은 모델, 웜업 없음
small-run-ten-times = 작은 모델, 학습률 10배
small-run-smoothed = 작은 모델, 레이블 스무딩

# 웜업

rate_warmup = 웜업 스텝
rate_warmup-help = 웜업 동안 학습률이 선형으로 증가하고, 그다음에는 스텝의 제곱근에 반비례해 감소합니다.
rate_factor = 학습률 배율
rate_factor-help = 공식의 학습률에 곱하는 값입니다. 논문에는 이런 배율이 없습니다.
rate_d_model = $d_{"{"}model{"}"}$
training-warmup-ends = 웜업 끝(스텝 { $n })
training-rate-alt = 학습 스텝에 따른 공식의 학습률(최댓값은 스텝 { $warmup })과 실제로 쓴 학습률
training-rate-file = 학습률, 웜업 { $warmup }, d_model { $d_model }
training-rate-formula = 공식
training-rate-caption = 학습률 배율은 선 전체의 높이를 바꿉니다. 최댓값은 여기서 { FIXED($peak, digits: 5) }, 논문의 기본 모델(d_model = 512, 웜업 4,000스텝)에서 { FIXED($paper, digits: 5) }입니다.
training-rate-peak = 공식의 학습률은 처음 **{ GROUPED($step) }**스텝 동안 올라갔다가(웜업) 그 뒤로 내려갑니다. 처음에 가중치를 조금씩만 바꾸기 위해서입니다.
training-rate-own = 금색 선은 { $name } 학습에서 실제로 쓴 학습률이며, 스텝 { GROUPED($step) }에서 최댓값 **{ FIXED($rate, digits: 5) }**에 이릅니다.
training-rate-restart = 스텝 { GROUPED($step) }에서는 학습률이 더 낮은 값까지 한 번 더 올라갑니다(웜 리스타트).
training-rate-unknown = { $name } 학습에서 쓴 학습률은 저장되어 있지 않습니다.
training-rate-plain = 모델 카드의 설정을 넣은 공식과 같으며, 차이는 모든 스텝에서 { SCIENTIFIC($error) } 이하입니다.
training-rate-shaped = 이 선은 일부러 공식과 다르게 정했습니다. 스텝 { $n }개에 직접 지정한 배율을 공식에 곱하고 그 사이는 보간합니다. 공식에 이 배율을 곱하면 금색 선이 됩니다(최대 차이 { SCIENTIFIC($error) }).
training-warmup-found = 작은 모델의 최종 검증 손실은 웜업이 있으면 **{ $plain }**, 없으면 **{ $without }**입니다. 학습률이 10배나 높으면 웜업이 있어도 소용이 없습니다.
training-warmup-read = 손실: 모델이 정답 토큰에 준 확률이 낮을수록 크며, 0이 가장 좋습니다. 학습률: 한 스텝에 가중치를 움직이는 정도.
training-rate-title = 이 모델의 학습률 일정
training-small-table-caption = 작은 모델들은 모두 같은 무작위 가중치에서 시작해 생성 문장 쌍 { GROUPED($pairs) }개로 학습했습니다(명령: `{ $command }`, 장비: { $hardware }).
training-small-table-alt = 학습에 쓰지 않은 문장 쌍에서 측정한 작은 모델들의 결과
training-column-perplexity = 퍼플렉시티
training-column-perplexity-help = 학습에 쓰지 않은 문장 쌍에서 교사 강요로 측정한 토큰당 −log p의 평균에 exp를 취한 값입니다. 낮을수록 좋습니다.
training-column-calibration = 기대 보정 오차(ECE)
training-column-calibration-help = 확신도를 열 구간으로 나누고, 구간별 확신도와 정확도의 차이를 평균한 값입니다(Guo et al. 2017). 낮을수록 좋습니다.

# 레이블 스무딩

smoothing_token = 출력 토큰
smoothing_epsilon = 스무딩 ε
smoothing_epsilon-help = 목표 확률 가운데 모든 토큰에 균등하게 나누는 비율입니다. 논문에서는 0.1입니다.
training-target-smoothed = 스무딩한 목표(ε = { FIXED($epsilon) })
training-target-plain = 스무딩하지 않은 목표
training-target-model = 모델이 예측한 확률
training-target-whose = 막대
training-target-right = 정답 토큰 “{ $token }”
training-target-others = 나머지 토큰 { GROUPED($n) }개를 모두 합한 값
training-target-alt = 막대: 정답 토큰 “{ $token }”, 그리고 나머지 모든 토큰에 대한 스무딩 전후의 목표 확률과 모델이 예측한 확률
training-target-found = 레이블 스무딩에서는 “{ $token }”의 목표 확률이 100%가 아니라 **{ PERCENT($on_label) }이고**, 나머지는 어휘 전체에 나눕니다. 모델이 예측한 확률은 **{ PERCENT($given) }입니다**.
training-target-caption = 나머지 토큰 { GROUPED($others) }개의 목표 확률은 하나에 { $on_others }입니다. 손실(목표와 모델의 교차 엔트로피, 단위 nat)은 { FIXED($smoothed) }이고 최솟값은 { FIXED($least) }입니다(스무딩하지 않으면 { FIXED($plain) }).
training-smoothing-effect = 학습에 미치는 효과(작은 모델 두 개)
training-smoothing-perplexity-more = 레이블 스무딩을 쓰면 퍼플렉시티(모델이 망설이는 토큰의 수, 1이 가장 좋음)가 **{ FIXED($plain, digits: 1) }**에서 **{ FIXED($smoothed, digits: 1) }**{ JOSA(FIXED($smoothed, digits: 1), "으로/로") } 바뀌어 논문처럼 나빠집니다.
training-smoothing-perplexity-less = 레이블 스무딩을 쓰면 퍼플렉시티(모델이 망설이는 토큰의 수, 1이 가장 좋음)가 **{ FIXED($plain, digits: 1) }**에서 **{ FIXED($smoothed, digits: 1) }**{ JOSA(FIXED($smoothed, digits: 1), "으로/로") } 바뀌어 논문과 달리 나빠지지 않습니다.
training-smoothing-bleu-more = 레이블 스무딩을 쓰면 BLEU(참조 번역과 겹치는 정도, 100이 가장 좋음)가 **{ FIXED($plain, digits: 1) }**에서 **{ FIXED($smoothed, digits: 1) }**{ JOSA(FIXED($smoothed, digits: 1), "으로/로") } 바뀌어 논문처럼 높아집니다.
training-smoothing-bleu-less = 레이블 스무딩을 쓰면 BLEU(참조 번역과 겹치는 정도, 100이 가장 좋음)가 **{ FIXED($plain, digits: 1) }**에서 **{ FIXED($smoothed, digits: 1) }**{ JOSA(FIXED($smoothed, digits: 1), "으로/로") } 바뀌어 논문과 달리 높아지지 않습니다.
training-smoothing-calibration-error-more = 레이블 스무딩을 쓰면 보정 오차(확신도와 정확도의 평균 차이)가 **{ PERCENT($plain) }에서** **{ PERCENT($smoothed) }{ JOSA(PERCENT($smoothed), "으로/로") }** 바뀌어 보정이 나빠집니다.
training-smoothing-calibration-error-less = 레이블 스무딩을 쓰면 보정 오차(확신도와 정확도의 평균 차이)가 **{ PERCENT($plain) }에서** **{ PERCENT($smoothed) }{ JOSA(PERCENT($smoothed), "으로/로") }** 바뀌어 보정이 나빠지지 않습니다.
training-target-file = { $token }의 스무딩한 목표: { $text }
training-smoothing-empty = 이 페이지의 출력이 비어 있어 표시할 토큰이 없습니다.
training-calibration-chart-alt = 신뢰도 다이어그램: 레이블 스무딩 유무에 따른 확신도와 정확도
training-calibration-chart-file = 레이블 스무딩 유무에 따른 신뢰도 다이어그램
training-calibration-chart-caption = 점선은 확신도와 정확도가 같은 곳입니다. 점선 아래는 과신, 위는 과소 확신입니다. 스무딩한 모델은 확신하지 않도록 학습하므로 대체로 위에 있습니다. 실행마다 시드가 하나이므로 작은 차이는 우연일 수 있습니다.
training-sure = 확신도(예측한 토큰의 확률)
training-right = 정확도(맞힌 토큰의 비율)

# 토이 모델 학습

toy_task = 과제
toy_task-copy = 복사
toy_task-reverse = 뒤집기
toy_task-sort = 오름차순 정렬
toy_task-help = 단어는 서로 다른 그리스 문자 네 개에서 여덟 개로 이루어집니다.
toy_word = 단어
training-here-what = 작은 트랜스포머가 글자 { $letters }종류로 만든 단어를 복사하거나 뒤집거나 오름차순으로 정렬하는 법을 { GROUPED($steps) }스텝 동안 학습합니다. 인코더와 디코더는 한 층씩이고 헤드는 { $heads }개, { $d_model }차원입니다. 헤드에 볼 곳을 지정하지는 않지만 정답 위치가 정해져 있어, 어텐션이 언제 그 위치를 찾는지 확인할 수 있습니다.
toy_seed = 시드
toy_seed-help = 무작위 가중치와 단어를 정합니다. 시드가 같으면 학습 결과도 같습니다.
toy_start = 학습 시작
toy_stop = 중지
training-here-begin = 학습 전의 어텐션은 우연 수준입니다. 가장 나은 헤드도 학습에 쓰지 않은 단어에서 평균적으로 정답 글자에 가중치의 **{ PERCENT($weight, digits: 0) }** 정도만 줍니다(우연 수준: { PERCENT($chance, digits: 1) }). “학습 시작”을 클릭하면 정답 글자를 찾아가는 모습을 30초쯤 볼 수 있습니다.
training-here-starting = 시작하는 중
training-here-refused = { $n ->
    [1] 지금 다른 사용자가 학습하고 있습니다. 이 서버는 한 번에 모델 { $n }개를 학습합니다. 설정은 그대로 있으니 1분 뒤에 다시 시도하세요.
   *[other] 지금 다른 사용자들이 학습하고 있습니다. 이 서버는 한 번에 모델 { $n }개를 학습합니다. 설정은 그대로 있으니 1분 뒤에 다시 시도하세요.
  }
training-here-progress = 스텝 { GROUPED($step) }/{ GROUPED($last) }, 손실 { $loss }, 학습에 쓰지 않은 단어의 글자 정확도 { PERCENT($right, digits: 0) }
training-here-word = { $source } → { $target }, 스텝 { GROUPED($step) }
training-here-head = { $head }, 테두리 칸: 평균 **{ PERCENT($mean, digits: 0) }**, 이 단어 { PERCENT($weight, digits: 0) }
training-here-done = **{ $task }** 학습이 { GROUPED($step) }스텝에서 끝났습니다(학습에 쓰지 않은 단어의 글자 정확도: **{ PERCENT($right, digits: 0) }**).
training-here-stopped = **{ $task }** 학습을 스텝 { GROUPED($step) }에서 중지했습니다(학습에 쓰지 않은 단어의 글자 정확도: **{ PERCENT($right, digits: 0) }**). 그때까지의 결과가 아래에 있습니다.
training-here-out-of-time = 서버가 바빠 **{ $task }** 학습이 스텝 { GROUPED($step) }에서 제한 시간을 넘겼습니다(학습에 쓰지 않은 단어의 글자 정확도: **{ PERCENT($right, digits: 0) }**). 그때까지의 결과가 아래에 있습니다.
training-here-failed = 학습에 실패했습니다. 다른 기능에는 영향이 없습니다. “학습 시작”을 다시 클릭해 보세요.
training-here-found = 스텝 { GROUPED($step) }부터 어텐션이 정답 글자를 찾았습니다. 지금은 { $head }{ JOSA($head, "이/가") } 가중치의 **{ PERCENT($weight, digits: 0) }{ JOSA(PERCENT($weight, digits: 0), "을/를") }** 그 글자에 줍니다(학습에 쓰지 않은 단어의 평균).
training-here-not-found = 어텐션이 아직 정답 글자를 찾지 못했습니다. 정답 글자에 가중치를 가장 많이 주는 헤드는 { $head }입니다(**{ PERCENT($weight, digits: 0) }**, 학습에 쓰지 않은 단어의 평균).
training-here-learnt = 스텝 { GROUPED($step) }부터 글자 정확도가 95% 이상입니다.
