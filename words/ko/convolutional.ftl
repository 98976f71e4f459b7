# The convolutional encoder–decoder of Gehring et al. 2017.

family-convolutional = 합성곱 Seq2Seq
system-convolutional = 합성곱(Gehring 2017)
timeline-convolutional = 합성곱 Seq2Seq(Gehring et al.)
timeline-convolutional-new = 순환을 합성곱으로 바꿉니다. 층마다 이웃한 토큰 몇 개를 합치므로, 학습할 때 모든 위치를 한꺼번에 계산합니다. 게이트 선형 유닛(GLU)에서는 층 출력의 절반이 나머지 절반을 조절합니다. 디코더의 층마다 어텐션이 있습니다. 합성곱만으로는 토큰이 문장의 어디에 있는지 알 수 없으므로 학습한 위치 임베딩을 더합니다.
lineage-gain-convolution = 순환 → 합성곱
lineage-gain-convolution-self = 합성곱 → 셀프 어텐션(스텝 3배)

# One step in equations

value-query = 쿼리
value-part-around = 양방향
equation-annotations-convolution = 원문 토큰마다 인코더 출력 **z**와 임베딩 **e**를 더합니다. √0.5를 곱하면 합의 분산이 그대로 유지됩니다.
equation-state-convolution = 디코더의 마지막 층은 이 토큰과 앞선 몇 토큰의 아래층 출력을 합칩니다. 게이트 선형 유닛 v는 결과의 절반에 나머지 절반의 시그모이드를 곱합니다.
equation-query-convolution = 층 하나를 거쳐 상태를 임베딩 차원에 맞추고, 이전 토큰의 임베딩 **g**를 더합니다.
equation-score-convolution = 원문 토큰의 점수는 쿼리와 그 토큰의 인코더 출력의 내적입니다. 점수는 디코더 층마다 따로 계산하며, 여기에는 마지막 층의 점수가 나옵니다.
equation-output-convolution = 문맥 벡터에 √m(m은 원문 토큰 수)을 곱해 상태에 더합니다. 이 합으로 어휘의 토큰마다 로짓을 계산하고, 소프트맥스로 확률을 구합니다.
