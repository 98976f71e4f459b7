# 수치로 본 모델들, 그리고 차례로 놓은 논문들.

# 메뉴와 곡선에서 부르는 모델의 이름: 무엇인지, 그다음 논문.

system-cho = RNN 인코더-디코더(Cho 2014)
system-sutskever = LSTM, 원문 뒤집기(Sutskever 2014)
system-sutskever-forward = LSTM, 원문 순서대로(Sutskever 2014)
system-bahdanau = 가산 어텐션(Bahdanau 2015)
system-luong-global-general = 전역, general(Luong 2015)
system-luong-global-general-unfed = 전역, general, 피딩 없음(Luong 2015)
system-luong-global-dot = 전역, dot(Luong 2015)
system-luong-global-concat = 전역, concat(Luong 2015)
system-luong-global-location = 전역, location(Luong 2015)
system-luong-local-m-general = local-m, general(Luong 2015)
system-luong-local-m-dot = local-m, dot(Luong 2015)
system-luong-local-m-concat = local-m, concat(Luong 2015)
system-luong-local-p-general = local-p, general(Luong 2015)
system-luong-local-p-dot = local-p, dot(Luong 2015)
system-luong-local-p-concat = local-p, concat(Luong 2015)
system-transformer = 트랜스포머, 6,000스텝(Vaswani 2017)
system-transformer-2000 = 트랜스포머, 2,000스텝(Vaswani 2017)

# 모델 메뉴의 모델 계열

checkpoint-of-family = { $name } · { $family }
family-transformer = 트랜스포머
family-rnn-encoder-decoder = RNN 인코더-디코더
family-lstm-seq2seq = LSTM Seq2Seq
family-additive-attention = 가산 어텐션
family-luong-attention = Luong 어텐션

# 보기


# 길이

length_part = 곡선 종류
length_part-sentence = 길어지는 이 문장
length_part-joined = 이어 붙인 캡션
length_part-captions = 개별 캡션
length_part-places = 토큰 위치
length_systems = 모델
lineage-length-none = 선택한 모델에는 이 곡선이 없습니다. “설정”에서 다른 모델을 선택하세요.
lineage-length-along-joined = 원문 길이(단어, 평균)
lineage-length-along-captions = 원문 길이(단어, 평균)
lineage-length-along-places = 번역문의 토큰 위치
lineage-length-measure-joined = BLEU
lineage-length-measure-captions = BLEU
lineage-length-measure-places = 토큰당 평균 log p
lineage-length-caption = { $part ->
    [captions] 점은 단어 수가 비슷한 캡션끼리 묶어 구한 BLEU이고, 띠는 95% 부트스트랩 구간입니다.
    [places] 점은 이어 붙인 캡션에서 번역문 토큰 10개의 log p를 평균한 값이고, 띠는 95% 부트스트랩 구간입니다. 학습할 때는 어느 모델도 캡션을 { $seen }개 넘게 이어 붙인 텍스트를 읽지 않았습니다.
   *[joined] 점은 캡션 2–6개를 이어 붙인 텍스트의 BLEU이고, 띠는 95% 부트스트랩 구간입니다. 학습할 때는 어느 모델도 캡션을 { $seen }개 넘게 이어 붙인 텍스트를 읽지 않았습니다.
 }
lineage-length-found = { $part ->
    [places] 첫 토큰에서 마지막 토큰까지 **{ $most }** 모델의 평균 log p가
   *[other] 가장 짧은 텍스트에서 가장 긴 텍스트까지 **{ $most }** 모델의 BLEU가
 } { $most_from }에서 **{ $most_to }**{ JOSA($most_to, "으로/로") } 바뀝니다{ $n ->
    [1] .
   *[other] . 모델 { $n }개 가운데 가장 크게 낮아집니다.
 }
lineage-length-alt = 선택한 모델의 텍스트 길이별 { $measure }, 95% 구간 띠 포함.
lineage-length-file = 문장 길이 { $part }
lineage-curve-system = 모델
lineage-curve-low = 95% 신뢰구간 하한
lineage-curve-high = 95% 신뢰구간 상한
lineage-curve-texts = 텍스트 수
lineage-curve-seen = 학습 때보다 긴 텍스트

# 변경별 이득

lineage-gain-column-step = 변경
lineage-gain-column-bleu = ΔBLEU(실측)
lineage-gain-column-published_bleu = ΔBLEU(논문)
lineage-gain-column-papers = 논문의 비교 대상
lineage-gain-reversed = 원문 뒤집기(LSTM)
lineage-gain-additive = 고정 길이 벡터 → 가산 어텐션(GRU)
lineage-gain-additive-lstm = 원문을 뒤집은 LSTM → 가산 어텐션
lineage-gain-global-gru = 고정 길이 벡터(GRU) → 전역 어텐션(LSTM)
lineage-gain-global = 원문을 뒤집은 LSTM → 전역 어텐션과 인풋 피딩
lineage-gain-feeding = 인풋 피딩
lineage-gain-local = 전역 → local-p 어텐션
lineage-gain-self = 순환 → 셀프 어텐션
lineage-gain-self-longer = 순환 → 셀프 어텐션(스텝 3배)
lineage-gain-score-global-location = general → location 점수
lineage-gain-score-global-dot = general → dot 점수
lineage-gain-score-global-concat = general → concat 점수
lineage-gain-score-local-m-general = 전역 → local-m 어텐션
lineage-gain-score-local-m-dot = 전역, general → local-m, dot
lineage-gain-score-local-m-concat = 전역, general → local-m, concat
lineage-gain-score-local-p-dot = 전역, general → local-p, dot
lineage-gain-score-local-p-concat = 전역, general → local-p, concat

# 차례로 놓은 논문

timeline-title = 타임라인
timeline-caption = 빨간 고리는 위 맵에 나온 모델입니다. 점을 클릭하면 그 모델을 표시하거나 숨깁니다. 흐린 점에는 이 문장을 읽을 수 있는 모델이 없습니다.
timeline-alt = { $first }년부터 { $last }년까지의 논문 { $n }편. 색은 원문을 전달하는 방식입니다.
timeline-file = 타임라인 { $first }–{ $last }
timeline-kind-vector = 고정 길이 벡터
timeline-kind-attention = 어텐션이 있는 순환 신경망
timeline-kind-self = 순환 없는 어텐션
timeline-open = 모델 선택
timeline-open-help = 모든 페이지에서 “{ $title }” 모델을 사용합니다.
timeline-opened = 지금 선택한 모델입니다.
timeline-not-installed = 앱이 지원하는 아키텍처이지만 체크포인트가 설치되어 있지 않습니다.
timeline-rnn-encoder-decoder = RNN 인코더-디코더(Cho et al.)
timeline-rnn-encoder-decoder-new = 순환 신경망 하나가 문장을 벡터 **c**로 인코딩하고, 다른 하나가 c에서 번역을 생성합니다. c는 모든 스텝에 들어갑니다. 게이트가 있는 유닛(GRU)도 이 논문에서 처음 나왔습니다. 문장이 아무리 길어도 고정 길이 벡터 하나를 거쳐야 합니다.
timeline-lstm-seq2seq = 원문을 뒤집은 심층 LSTM(Sutskever et al.)
timeline-lstm-seq2seq-new = 게이트 유닛 한 층 대신 LSTM을 네 층 쌓은 Seq2Seq(sequence to sequence) 모델입니다. 원문을 거꾸로 읽으므로 원문의 첫머리가 번역의 첫머리와 가까워집니다.
timeline-additive-attention = 가산 어텐션(Bahdanau et al.)
timeline-additive-attention-new = 더 이상 문장을 벡터 하나로 압축하지 않습니다. 스텝마다 먼저 작은 신경망이 원문 단어와 디코더 상태를 비교해 점수를 계산하고, 인코더 상태를 그 가중치로 더해 문맥 벡터를 만듭니다. 이것이 어텐션입니다.
timeline-luong-attention = 전역·지역 어텐션과 세 가지 점수(Luong et al.)
timeline-luong-attention-new = 어텐션을 디코더 스텝 앞이 아니라 뒤에서 계산하고, 작은 신경망 대신 내적으로 점수를 구할 수 있습니다. 지역 어텐션은 윈도 안만 봅니다. 윈도는 스텝마다 한 토큰씩 움직이거나(단조 정렬, local-m) 모델이 중심을 예측합니다(예측 정렬, local-p). 인풋 피딩은 어텐션 벡터를 다음 스텝에 넣습니다.
timeline-captioner = 이미지 캡셔닝 어텐션(Xu et al.)
timeline-captioner-new = 같은 어텐션을 이미지의 격자 칸에 적용합니다. 키는 단어일 필요도, 순서가 있을 필요도 없습니다.
timeline-hierarchical-attention = 계층적 어텐션 네트워크(Yang et al.)
timeline-hierarchical-attention-new = 디코더가 없는 어텐션입니다. 학습한 쿼리로 문장의 단어에, 그다음 문서의 문장에 가중치를 줍니다.
timeline-transformer = 트랜스포머(Vaswani et al.)
timeline-transformer-new = 순환까지 없애 모든 위치를 병렬로 계산합니다. 셀프 어텐션에서는 먼 두 토큰도 한 층에서 이어지므로 장기 의존성(long-term dependency)을 배우기 쉽습니다. 여러 헤드가 나란히 계산하고(멀티 헤드 어텐션), 순서를 알도록 위치 인코딩을 더합니다.
timeline-masked-language-model = BERT(Devlin et al.)
timeline-masked-language-model-new = 인코더만 남깁니다. 마스킹한 단어를 양쪽 문맥으로 예측하도록 학습한 다음, 다른 언어 과제에 다시 사용합니다.
