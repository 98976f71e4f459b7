# 수치로 본 계보의 시스템들, 그리고 차례로 놓은 논문들.

# 메뉴와 곡선에서 부르는 시스템의 이름: 논문, 그다음 무엇인지.

system-cho = Cho 2014 · 벡터 하나
system-sutskever = Sutskever 2014 · 원문 뒤집기
system-sutskever-forward = Sutskever 2014 · 원문 그대로
system-bahdanau = Bahdanau 2015 · 가산 어텐션
system-luong-global-general = Luong 2015 · 전역, general
system-luong-global-general-unfed = Luong 2015 · 전역, general, 인풋 피딩 없음
system-luong-global-dot = Luong 2015 · 전역, dot
system-luong-global-concat = Luong 2015 · 전역, concat
system-luong-global-location = Luong 2015 · 전역, location
system-luong-local-m-general = Luong 2015 · local-m, general
system-luong-local-m-dot = Luong 2015 · local-m, dot
system-luong-local-m-concat = Luong 2015 · local-m, concat
system-luong-local-p-general = Luong 2015 · local-p, general
system-luong-local-p-dot = Luong 2015 · local-p, dot
system-luong-local-p-concat = Luong 2015 · local-p, concat
system-transformer = Vaswani 2017 · 작은 트랜스포머, 6,000스텝
system-transformer-2000 = Vaswani 2017 · 작은 트랜스포머, 2,000스텝

# 체크포인트 메뉴의 모델 계열

checkpoint-of-family = { $name } · { $family }
family-transformer = 트랜스포머
family-rnn-encoder-decoder = 벡터 하나
family-lstm-seq2seq = 깊은 LSTM
family-additive-attention = 가산 어텐션
family-luong-attention = 전역 / 지역 어텐션

# 측정한 것


# 보기

view-lineage-length = 길이
view-lineage-table = 이득과 수치
view-lineage-timeline = 연표

# 길이

lineage-length = 곡선으로 볼 것
lineage-length-joined = 이어 붙인 캡션
lineage-length-captions = 캡션 하나
lineage-length-places = 글 안의 자리
lineage-length-systems = 시스템 켜고 끄기
lineage-length-none = 이 곡선이 있는 시스템이 켜져 있지 않습니다.
lineage-length-along-joined = 원문의 단어 수, 평균
lineage-length-along-captions = 원문의 단어 수, 평균
lineage-length-along-places = 번역문의 토큰 위치
lineage-length-measure-joined = BLEU
lineage-length-measure-captions = BLEU
lineage-length-measure-places = 토큰당 평균 log p
lineage-length-about-joined = Multi30k 2016 테스트 세트의 캡션을 2∼6개씩 이은 글이며, 모든 시스템에 같은 글을 주었습니다. 빔 5, α 0.6. 학습에서는 모든 시스템이 캡션을 { $seen }개까지 이은 글을 보았고, 그보다 긴 것은 보지 않았습니다. 띠는 글을 다시 뽑아 구한 95% 구간입니다.
lineage-length-about-captions = Multi30k 2016 테스트 세트의 캡션 1,000개를 단어 수에 따라 나눈 것이며, 모든 시스템에 같은 캡션을 주었습니다. 빔 5, α 0.6. 띠는 캡션을 다시 뽑아 구한 95% 구간입니다.
lineage-length-about-places = 이은 글의 참조 번역을 읽으면서 토큰의 log p를 10토큰 구간마다 평균했습니다. 그 구간의 끝까지 가는 글만 셉니다. 학습에서는 캡션을 { $seen }개까지 이은 글을 보았습니다. 띠는 글을 다시 뽑아 구한 95% 구간입니다.
lineage-length-alt = 글의 길이에 따른, 켜진 모든 시스템의 { $measure }, 95% 구간의 띠와 함께.
lineage-length-file = 계보 { $part }
lineage-curve-system = 시스템
lineage-curve-low = 95% 하한
lineage-curve-high = 상한
lineage-curve-texts = 글의 수
lineage-curve-seen = 학습에서 본 것보다 긺

# 단계마다 얻는 이득

lineage-gains = 단계마다 얻는 이득
lineage-gains-none = 서로 견줄 두 시스템을 아직 측정하지 않았습니다.
lineage-gains-alt = 계보의 단계마다 BLEU의 차이와 퍼플렉시티의 비를 구간과 함께, 논문에 적힌 값 옆에 놓았습니다.
lineage-gains-about = 우리 값: Multi30k 2016 테스트 세트의 캡션 1,000개, 영어에서 독일어로, 같은 글로 학습한 작은 신경망. 구간은 두 시스템에서 같은 문장을 1,000번 다시 뽑아 구한 95% 구간입니다. 논문 값: 데이터, 크기, 언어가 다르며, 어텐션이 있는 Luong의 시스템은 원문을 거꾸로 읽지만 우리 시스템은 그대로 읽습니다. 그래서 부호만 비교할 수 있고, 그것도 논문이 같은 것을 바꿔 본 경우에만 가능합니다. 나머지는 비슷한 비교로만 적었습니다. 퍼플렉시티 배수가 1보다 작으면 이득입니다.
lineage-gains-one = 이득 { $n }개 가운데 한 가지만 다른 두 시스템의 차이는 { $one }개입니다{ $one ->
    [0] .
   *[other] : { $steps }.
 } 나머지는 여러 가지가 함께 다르므로 그 모두를 합친 이득입니다.
lineage-gains-seed = 시드는 하나씩입니다. 모든 시스템을 한 번만 학습했습니다. 이 프로젝트에서 시드를 바꿔 두 번 해 본 학습에서는 한 세트의 BLEU가 최대 { $bleu } 달라졌습니다. { $n ->
    [0] 여기의 BLEU 차이는 모두 그보다 큽니다.
   *[other] 그보다 작은 차이는 시드를 바꿔도 생길 수 있습니다: { $steps }.
 }
lineage-gain-beyond = 예
lineage-gain-within = 시드 때문일 수 있음
lineage-gain-same = { $source }: { $first } → { $second }
lineage-gain-near = { $source }: { $first } → { $second }(비슷한 비교)
lineage-differs-attention = 어텐션
lineage-differs-score = 점수 함수
lineage-differs-heads = 헤드 수({ $ours }/{ $others })
lineage-differs-feeding = 인풋 피딩
lineage-differs-cell = 순환 셀
lineage-differs-layers = 층 수({ $ours }/{ $others })
lineage-differs-hidden = 은닉 유닛 수({ $ours }/{ $others })
lineage-differs-directions = 인코더 방향 수({ $ours }/{ $others })
lineage-differs-order = 원문을 읽는 순서
lineage-differs-width = 임베딩 차원({ $ours }/{ $others })
lineage-differs-steps = 스텝 수({ $ours }/{ $others })
lineage-differs-rate = 최고 학습률({ $ours }/{ $others })
lineage-gain-column-step = 단계
lineage-gain-column-differs = 다른 점(우리 / 상대)
lineage-gain-column-bleu = BLEU, 우리
lineage-gain-column-beyond_seed = 시드를 바꾼 차이보다 큼
lineage-gain-column-published_bleu = BLEU, 논문
lineage-gain-column-perplexity = 퍼플렉시티 배수, 우리
lineage-gain-column-published_perplexity = 퍼플렉시티 배수, 논문
lineage-gain-column-joined = 이은 글의 BLEU, 우리
lineage-gain-column-papers = 논문 값의 출처
lineage-gain-reversed = 원문 뒤집기(LSTM)
lineage-gain-additive = 벡터 하나 대신 가산 어텐션(GRU)
lineage-gain-additive-lstm = 원문을 뒤집은 LSTM 대신 가산 어텐션
lineage-gain-global-gru = 벡터 하나 대신 전역 어텐션(GRU 대신 LSTM)
lineage-gain-global = 원문을 뒤집은 LSTM 대신 전역 어텐션과 인풋 피딩
lineage-gain-feeding = 인풋 피딩
lineage-gain-local = 전역 대신 local-p 어텐션
lineage-gain-self = 순환 대신 셀프 어텐션
lineage-gain-self-longer = 순환 대신 셀프 어텐션(스텝 세 배)
lineage-gain-score-global-location = general 대신 location 점수
lineage-gain-score-global-dot = general 대신 dot 점수
lineage-gain-score-global-concat = general 대신 concat 점수
lineage-gain-score-local-m-general = 전역 대신 local-m 어텐션
lineage-gain-score-local-m-dot = 전역 general 대신 local-m dot
lineage-gain-score-local-m-concat = 전역 general 대신 local-m concat
lineage-gain-score-local-p-dot = 전역 general 대신 local-p dot
lineage-gain-score-local-p-concat = 전역 general 대신 local-p concat
lineage-gain-open = { $measure ->
    [bleu] { $step }: BLEU의 차이는 { $ours }이고 구간에 0이 들어 있습니다. { $source }에는 차이가 있습니다.
   *[perplexity] { $step }: 퍼플렉시티는 상대의 { $ours }배이고 구간에 1이 들어 있습니다. { $source }에는 차이가 있습니다.
 }
lineage-gain-opposite = { $measure ->
    [bleu] { $step }: BLEU의 차이는 { $ours }, { $source }의 값과 반대 방향입니다.
   *[perplexity] { $step }: 퍼플렉시티는 상대의 { $ours }배, { $source }의 값과 반대 방향입니다.
 }

# 모든 시스템

lineage-systems-all = 모든 시스템
lineage-systems-all-alt = 측정한 모든 시스템의 퍼플렉시티, BLEU, 정렬 정확도, 속도, 크기.
lineage-systems-about = 퍼플렉시티는 캡션에서 교사 강요로 잰 토큰당 값입니다. BLEU는 sacreBLEU(대소문자 구별), 빔 5, α 0.6으로 캡션 1,000개, 캡션 2∼6개를 이은 글, 일상 문장 500개(Tatoeba 검증), 학습에 쓰지 않은 생성 문장 400개에서 쟀습니다. 정렬 정확도: 생성 문장에서 문법으로 짝을 알 수 있는 단어 가운데, 가장 큰 가중치가 그 짝에 있는 단어의 비율입니다. 맵이 하나면 그 맵으로, 여럿이면 다른 문장에서 가장 나았던 헤드로 봅니다. 하나씩 뺐을 때: 뺐을 때 log p가 가장 크게 떨어지는 단어가 바로 그 짝인 비율입니다. 속도는 프로세서 시간 1초당 문장 수로, 모든 시스템을 번갈아 스레드 하나로 쟀습니다: { $hardware }. 연산은 번역문 토큰당 행렬 곱만 셉니다.
lineage-column-system = 시스템
lineage-column-perplexity = 퍼플렉시티
lineage-column-captions = BLEU, 캡션
lineage-column-joined = BLEU, 이은 글
lineage-column-everyday = BLEU, 일상
lineage-column-generated = BLEU, 생성
lineage-column-points = 정렬 정확도, %
lineage-column-left_out = 정렬 정확도, 하나씩 뺐을 때, %
lineage-column-uniform = 균등한 어텐션
lineage-column-greedy = 그리디, 초당
lineage-column-beam = 빔 5, 초당
lineage-column-parameters = 파라미터
lineage-column-operations = 연산
lineage-column-training = 학습
lineage-no-map = 맵 없음
lineage-millions = { $n }M
lineage-minutes = { $n }분
lineage-commands = 명령
lineage-commands-measure = 학습 폴더에 있는 모든 시스템을 측정합니다:
lineage-commands-train = { $n ->
    [1] 가중치 없이 수치만 있는 시스템을 학습합니다:
   *[other] 가중치 없이 수치만 있는 시스템들을 학습합니다:
 }

# 차례로 놓은 논문

timeline-open = 열기
timeline-open-help = 모든 페이지에서 { $title } 체크포인트를 엽니다.
timeline-opened = 지금 열려 있습니다.
timeline-not-installed = 이 모델 계열은 랩에 있지만 체크포인트가 설치되어 있지 않습니다.
timeline-cho = Cho et al.: 인코더와 디코더
timeline-cho-new = 순환 신경망 하나가 문장을 읽어 벡터 **c**에 담고, 다른 하나가 그 벡터로 번역을 씁니다. c는 스텝마다 들어갑니다. 게이트가 있는 유닛도 여기서 처음 나왔습니다. 문장이 아무리 길어도 모두 벡터 하나를 거쳐야 합니다.
timeline-sutskever = Sutskever et al.: 깊은 LSTM, 원문 뒤집기
timeline-sutskever-new = 게이트 유닛 한 층 대신 LSTM을 네 층 쌓고, 한 가지 요령을 더했습니다. 문장을 거꾸로 읽으면 원문의 첫 단어들이 번역의 첫 단어들과 가까워집니다.
timeline-bahdanau = Bahdanau et al.: 정렬하며 번역하기
timeline-bahdanau-new = 하나뿐이던 벡터가 사라집니다. 스텝에 앞서 작은 신경망이 원문의 단어를 디코더의 상태와 견주어 점수를 매기고, 문맥 벡터는 그 점수로 가중해 더한 것입니다. 이것이 어텐션입니다.
timeline-luong = Luong et al.: 전역, 지역, 그리고 세 가지 점수
timeline-luong-new = 어텐션을 스텝 앞이 아니라 뒤에서, 작은 신경망이 아니라 곱셈으로 구합니다. 문장을 따라 움직이는 지역 창도 있습니다. 어텐션 벡터를 다음 스텝에 넣어 주어 앞에서 무엇을 골랐는지 알게 합니다(인풋 피딩).
timeline-captioner = Xu et al.: 보고, 주목하고, 말하기
timeline-captioner-new = 같은 어텐션을 그림의 칸에 씁니다(이미지 캡셔닝). 키에는 순서도 단어도 필요하지 않습니다.
timeline-hierarchical = Yang et al.: 계층적 어텐션
timeline-hierarchical-new = 디코더가 없는 어텐션: 학습한 쿼리가 문장의 단어에, 그다음 문서의 문장에 가중치를 줍니다.
timeline-vaswani = Vaswani et al.: 트랜스포머
timeline-vaswani-new = 순환도 사라집니다. 같은 문장의 쿼리, 키, 밸류가 여러 헤드에서 한꺼번에 서로를 봅니다. 순서대로 읽는 대신 위치 인코딩을 더합니다.
timeline-bert = Devlin et al.: BERT
timeline-bert-new = 인코더만 씁니다. 가린 단어를 양쪽을 보고 맞히도록 학습한 다음(마스크 언어 모델), 글에 대해 묻는 일이라면 무엇에든 씁니다.
