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
family-lstm-seq2seq = LSTM seq2seq
family-additive-attention = 가산 어텐션
family-luong-attention = Luong 어텐션

# 측정한 것


# 보기

view-lineage-table = 측정 결과

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
    [captions] 점은 단어 수가 비슷한 캡션들의 BLEU이고, 띠는 95% 부트스트랩 구간입니다.
    [places] 점은 이어 붙인 캡션에서 번역문 토큰 10개의 log p를 평균한 값이고, 띠는 95% 부트스트랩 구간입니다. 학습에서는 모든 모델이 캡션을 { $seen }개까지만 이어 붙인 텍스트를 읽었습니다.
   *[joined] 점은 캡션 2–6개를 이어 붙인 텍스트의 BLEU이고, 띠는 95% 부트스트랩 구간입니다. 학습에서는 모든 모델이 캡션을 { $seen }개까지만 이어 붙인 텍스트를 읽었습니다.
 }
lineage-length-found = { $part ->
    [places] 토큰 위치 { $from }에서 { $to }까지 평균 log p는
   *[other] { $from }단어에서 { $to }단어까지 BLEU는
 } { $most } { $most_from } → **{ $most_to }**{ $n ->
    [1] { "" }
   *[other] , { $least } { $least_from } → **{ $least_to }**
 }입니다.
lineage-length-alt = 선택한 모델의 텍스트 길이별 { $measure }, 95% 구간 띠 포함.
lineage-length-file = 문장 길이 { $part }
lineage-curve-system = 모델
lineage-curve-low = 95% 하한
lineage-curve-high = 95% 상한
lineage-curve-texts = 텍스트 수
lineage-curve-seen = 학습 때보다 긴 텍스트

# 변경별 이득

lineage-gains = 변경별 이득
lineage-gains-none = 이 표에서 비교할 두 모델을 아직 측정하지 않았습니다.
lineage-gains-found = 가장 큰 이득은 **{ SIGNED($value, digits: 1) } BLEU**입니다({ $step }). 변경 { $of }개 가운데 { $n }개는 차이가 시드를 바꿨을 때의 { FIXED($bleu, digits: 1) } BLEU보다 큽니다.
lineage-gains-chart-alt = 변경 { $n }개의 BLEU 이득, 95% 구간, 논문에 실린 이득.
lineage-gains-chart-file = BLEU 이득
lineage-gains-alt = 변경별 BLEU 차이와 퍼플렉시티 비율, 95% 구간, 논문에 실린 값.
lineage-gains-caption = 실측값은 Multi30k 캡션 1,000개를 영어에서 독일어로 번역해 구했으며, 괄호 안은 95% 구간입니다. 퍼플렉시티 비율이 1보다 작으면 개선입니다. 논문과는 같은 것을 바꾼 경우에만, 부호만 비교하세요.
lineage-gains-one = { $one ->
    [0] 이득 { $n }개 모두 두 모델의 차이점이 여러 가지이므로, 그 효과를 합친 이득입니다.
   *[other] 이득 { $n }개 가운데 두 모델의 차이점이 한 가지뿐인 것은 { $one }개입니다: { $steps }. 나머지는 차이점이 여러 가지이므로, 그 효과를 합친 이득입니다.
 }
lineage-gains-seed = 모든 모델을 시드 하나로 한 번만 학습했습니다. 이 프로젝트에서 시드를 바꿔 다시 학습한 한 번의 사례에서는 한 데이터셋의 BLEU가 최대 { FIXED($bleu, digits: 1) } 달라졌습니다. { $n ->
    [0] 여기의 BLEU 차이는 모두 그보다 큽니다.
   *[other] 그보다 작은 차이는 시드 때문일 수 있습니다: { $steps }.
 }
lineage-gain-beyond = 예
lineage-gain-within = 아니요
lineage-gain-same = { $source }: { $first } → { $second }
lineage-gain-near = { $source }: { $first } → { $second }(참고용)
lineage-differs-attention = 어텐션
lineage-differs-score = 점수 함수
lineage-differs-heads = 헤드 수({ $ours }/{ $others })
lineage-differs-feeding = 인풋 피딩
lineage-differs-cell = 순환 셀 또는 합성곱
lineage-differs-layers = 층 수({ $ours }/{ $others })
lineage-differs-hidden = 은닉 유닛 수({ $ours }/{ $others })
lineage-differs-directions = 인코더 방향 수({ $ours }/{ $others })
lineage-differs-order = 원문 순서
lineage-differs-width = 임베딩 차원({ $ours }/{ $others })
lineage-differs-steps = 학습 스텝 수({ $ours }/{ $others })
lineage-differs-rate = 최고 학습률({ $ours }/{ $others })
lineage-gain-column-step = 변경
lineage-gain-column-differs = 차이점(모델/기준 모델)
lineage-gain-column-bleu = ΔBLEU(실측)
lineage-gain-column-beyond_seed = 시드 차이보다 큼
lineage-gain-column-published_bleu = ΔBLEU(논문)
lineage-gain-column-perplexity = 퍼플렉시티 비율(실측)
lineage-gain-column-published_perplexity = 퍼플렉시티 비율(논문)
lineage-gain-column-joined = ΔBLEU, 이어 붙인 캡션
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
lineage-gain-open = { $measure ->
    [bleu] { $step }: 실측 ΔBLEU는 { $ours }이며, 구간에 0이 포함됩니다. 논문에서는 차이가 보고되었습니다({ $source }).
   *[perplexity] { $step }: 실측 퍼플렉시티 비율은 { $ours }이며, 구간에 1이 포함됩니다. 논문에서는 차이가 보고되었습니다({ $source }).
 }
lineage-gain-opposite = { $measure ->
    [bleu] { $step }: 실측 ΔBLEU는 { $ours }입니다. 논문의 부호와 반대입니다({ $source }).
   *[perplexity] { $step }: 실측 퍼플렉시티 비율은 { $ours }입니다. 논문과 방향이 반대입니다({ $source }).
 }

# 모든 모델

lineage-systems-all = 전체 모델
lineage-systems-all-alt = 측정한 모든 모델의 퍼플렉시티, BLEU, 정렬 정확도, 속도, 크기.
lineage-systems-all-caption = 정렬 정확도는 번역문 단어의 가장 큰 가중치가 대응하는 원문 단어에 있는 비율입니다. LOO 열은 가중치 대신 하나씩 제거(LOO) 중요도를 씁니다. 속도는 프로세서 시간 1초당 문장 수입니다({ $hardware }).
lineage-systems-all-system = 모델
lineage-systems-all-perplexity = 퍼플렉시티
lineage-systems-all-captions = BLEU, 캡션
lineage-systems-all-joined = BLEU, 이어 붙인 캡션
lineage-systems-all-everyday = BLEU, 일상
lineage-systems-all-generated = BLEU, 생성
lineage-systems-all-points = 정렬 정확도(%)
lineage-systems-all-left_out = LOO 정렬 정확도(%)
lineage-systems-all-uniform = 균등 어텐션 기준값
lineage-systems-all-greedy = 그리디(문장/초)
lineage-systems-all-beam = 빔 5(문장/초)
lineage-systems-all-parameters = 파라미터
lineage-systems-all-operations = 번역문 토큰당 FLOPs
lineage-systems-all-training = 학습 시간
lineage-no-map = 어텐션 없음
lineage-millions = { FIXED($n, digits: 1) }M
lineage-minutes = { FIXED($n, digits: 0) }분
lineage-commands-measure = 학습 실행 폴더에 있는 모든 모델을 측정하는 명령입니다:
lineage-commands-train = { $n ->
    [1] 가중치가 설치되지 않은 모델을 학습하는 명령입니다:
   *[other] 가중치가 설치되지 않은 모델들을 학습하는 명령입니다:
 }

# 차례로 놓은 논문

timeline-title = 타임라인
timeline-papers = 논문
timeline-caption = 빨간 고리는 위 맵에 나온 모델입니다. 점을 클릭하면 그 모델을 보이거나 숨깁니다. 흐린 점에는 이 문장을 읽을 수 있는 모델이 없습니다.
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
timeline-rnn-encoder-decoder-new = 순환 신경망 하나가 문장을 벡터 **c**로 인코딩하고, 다른 하나가 c로 번역을 생성합니다. c는 모든 스텝에 들어갑니다. 게이트가 있는 유닛(GRU)도 이 논문에서 처음 나왔습니다. 문장이 아무리 길어도 고정 길이 벡터 하나를 거쳐야 합니다.
timeline-lstm-seq2seq = 원문을 뒤집은 심층 LSTM(Sutskever et al.)
timeline-lstm-seq2seq-new = 게이트 유닛 한 층 대신 LSTM을 네 층 쌓습니다. 원문을 거꾸로 읽으므로 원문의 첫 단어들이 번역의 첫 단어들과 가까워집니다.
timeline-additive-attention = 가산 어텐션(Bahdanau et al.)
timeline-additive-attention-new = 하나뿐이던 벡터가 사라집니다. 스텝마다 먼저 작은 신경망이 원문 단어와 디코더 상태를 비교해 점수를 계산하고, 원문 상태를 그 가중치로 더해 문맥 벡터를 만듭니다. 이것이 어텐션입니다.
timeline-luong-attention = 전역·지역 어텐션과 세 가지 점수(Luong et al.)
timeline-luong-attention-new = 어텐션을 디코더 스텝 앞이 아니라 뒤에서 계산하며, 작은 신경망 대신 곱셈으로 점수를 구할 수 있습니다. 지역 어텐션에는 움직이는 윈도가 있습니다. 인풋 피딩은 어텐션 벡터를 다음 스텝에 넣어 지난 정렬을 반영하게 합니다.
timeline-captioner = 이미지 캡셔닝 어텐션(Xu et al.)
timeline-captioner-new = 같은 어텐션을 이미지의 격자 칸에 적용합니다. 키에는 순서도 단어도 필요하지 않습니다.
timeline-hierarchical-attention = 계층적 어텐션 네트워크(Yang et al.)
timeline-hierarchical-attention-new = 디코더가 없는 어텐션입니다. 학습한 쿼리로 문장의 단어에, 그다음 문서의 문장에 가중치를 줍니다.
timeline-transformer = 트랜스포머(Vaswani et al.)
timeline-transformer-new = 순환도 사라집니다. 쿼리, 키, 밸류를 모두 같은 문장에서 만들고 여러 헤드로 동시에 계산합니다. 문장을 차례로 읽지 않으므로 위치 인코딩을 더합니다.
timeline-masked-language-model = BERT(Devlin et al.)
timeline-masked-language-model-new = 인코더만 남깁니다. 마스킹한 단어를 양쪽 문맥으로 예측하도록 학습한 다음, 다른 언어 과제에 다시 사용합니다.
