# 계보의 모델들을 잰 수치, 그리고 논문의 순서.

# 모델: 메뉴와 곡선에 쓰는 이름. 논문, 그리고 무엇인지.

system-cho = Cho 2014 · 벡터 하나
system-sutskever = Sutskever 2014 · 원문 뒤집기
system-sutskever-forward = Sutskever 2014 · 원문 그대로
system-bahdanau = Bahdanau 2015 · 가산 어텐션
system-luong-global-general = Luong 2015 · 전역, general
system-luong-global-general-unfed = Luong 2015 · 전역, general, 피딩 없음
system-luong-global-dot = Luong 2015 · 전역, dot
system-luong-global-concat = Luong 2015 · 전역, concat
system-luong-global-location = Luong 2015 · 전역, location
system-luong-local-m-general = Luong 2015 · local-m, general
system-luong-local-m-dot = Luong 2015 · local-m, dot
system-luong-local-m-concat = Luong 2015 · local-m, concat
system-luong-local-p-general = Luong 2015 · local-p, general
system-luong-local-p-dot = Luong 2015 · local-p, dot
system-luong-local-p-concat = Luong 2015 · local-p, concat
system-transformer = Vaswani 2017 · 작은 트랜스포머

# 체크포인트 메뉴의 모델 종류

checkpoint-of-family = { $name } · { $family }
family-transformer = 트랜스포머
family-rnn-encoder-decoder = 벡터 하나
family-lstm-seq2seq = 깊은 LSTM
family-additive-attention = 가산 어텐션
family-luong-attention = 전역·지역 어텐션

# 측정한 것

lineage-unmeasured = 아직 측정한 것이 없습니다. 다음 명령은 폴더에 있는 학습된 모델을 모두 재어 checkpoints/lineage.json에 기록합니다.
lineage-damaged = 측정한 수치를 보여 줄 수 없습니다. { $file } 파일이 손상되었습니다({ $error }). 다음 명령으로 다시 만듭니다.
lineage-interval = { $value } ({ $low } ~ { $high })

# 보기

view-lineage-length = 길이
view-lineage-table = 이득과 수치
view-lineage-timeline = 연표

# 길이

lineage-length = 무엇의 곡선인지
lineage-length-joined = 이어 붙인 캡션
lineage-length-captions = 캡션 하나
lineage-length-places = 글 안의 위치
lineage-length-systems = 모델 켜고 끄기
lineage-length-none = 켜 둔 모델 가운데 이 곡선이 있는 것이 없습니다.
lineage-length-along-joined = 원문의 단어 수, 평균
lineage-length-along-captions = 원문의 단어 수, 평균
lineage-length-along-places = 번역문의 토큰 번호
lineage-length-measure-joined = BLEU
lineage-length-measure-captions = BLEU
lineage-length-measure-places = 토큰당 평균 log p
lineage-length-about-joined = Multi30k 2016 테스트 캡션을 2~6개씩 이어 붙인 글이며 모든 모델에 같은 글을 씁니다. 빔 5, α 0.6. 학습에서는 모든 모델이 캡션 { $seen }개까지 이어 붙인 글을 보았고 더 긴 글은 보지 않았습니다. 띠: 글을 다시 뽑아 얻은 95 % 구간.
lineage-length-about-captions = Multi30k 2016 테스트 캡션 1,000개를 단어 수로 나눈 것이며 모든 모델에 같은 캡션을 씁니다. 빔 5, α 0.6. 띠: 캡션을 다시 뽑아 얻은 95 % 구간.
lineage-length-about-places = 이어 붙인 글의 참조 번역을 읽히고, 토큰의 log p를 10개씩 평균합니다. 그 구간 끝까지 이어지는 글만 셉니다. 학습에서는 캡션 { $seen }개까지 이어 붙인 글을 보았습니다. 띠: 글을 다시 뽑아 얻은 95 % 구간.
lineage-length-alt = 켜 둔 모델마다 글의 길이에 따른 { $measure }, 95 % 띠와 함께.
lineage-length-file = 계보 { $part }
lineage-curve-system = 모델
lineage-curve-low = 95 % 구간 시작
lineage-curve-high = 끝
lineage-curve-texts = 글의 수
lineage-curve-seen = 학습 때보다 긴 글

# 단계마다 얻는 것

lineage-gains = 단계마다 얻는 것
lineage-gains-none = 한 가지만 다른 두 모델을 아직 측정하지 않았습니다.
lineage-gains-alt = 단계마다 BLEU의 차이와 퍼플렉서티의 비율을 구간과 함께, 논문의 수치 옆에 보여 줍니다.
lineage-gains-about = 여기: Multi30k 2016 테스트 캡션 1,000개, 영어에서 독일어로, 작은 네트워크, 모두 같은 학습. 95 % 구간은 두 모델에 같은 문장을 1,000번 다시 뽑아 얻습니다. 논문: 데이터, 크기, 언어가 달라서 부호만 견줄 수 있습니다. 퍼플렉서티 비율은 1보다 작으면 이득입니다.
lineage-gain-column-step = 단계
lineage-gain-column-bleu = BLEU, 여기
lineage-gain-column-published_bleu = BLEU, 논문
lineage-gain-column-perplexity = 퍼플렉서티 비율, 여기
lineage-gain-column-published_perplexity = 퍼플렉서티 비율, 논문
lineage-gain-column-joined = 이어 붙인 글의 BLEU, 여기
lineage-gain-column-papers = 논문의 어디
lineage-gain-noted = { $source } (논문이 아니라 메모에서)
lineage-gain-reversed = 원문 뒤집기 (LSTM)
lineage-gain-additive = 벡터 하나 대신 가산 어텐션 (GRU)
lineage-gain-additive-lstm = 뒤집은 LSTM 대신 가산 어텐션
lineage-gain-global-gru = 벡터 하나 대신 전역 어텐션 (LSTM과 GRU)
lineage-gain-global = 뒤집은 LSTM 대신 전역 어텐션과 인풋 피딩
lineage-gain-feeding = 인풋 피딩
lineage-gain-local = 전역 대신 local-p 어텐션
lineage-gain-self = 순환 대신 셀프 어텐션
lineage-gain-score-global-location = general 대신 location 점수
lineage-gain-score-global-dot = general 대신 dot 점수
lineage-gain-score-global-concat = general 대신 concat 점수
lineage-gain-score-local-m-general = 전역 대신 local-m 어텐션
lineage-gain-score-local-m-dot = 전역 general 대신 local-m dot
lineage-gain-score-local-m-concat = 전역 general 대신 local-m concat
lineage-gain-score-local-p-dot = 전역 general 대신 local-p dot
lineage-gain-score-local-p-concat = 전역 general 대신 local-p concat
lineage-gain-open = { $measure ->
    [bleu] { $step }: 여기서 BLEU의 차이는 { $ours }, 구간에 차이 없음도 들어 있습니다. 차이가 있다는 곳: { $source }.
   *[perplexity] { $step }: 여기서 퍼플렉서티의 비율은 { $ours }, 구간에 차이 없음도 들어 있습니다. 차이가 있다는 곳: { $source }.
 }
lineage-gain-opposite = { $measure ->
    [bleu] { $step }: 여기서 BLEU의 차이는 { $ours }, 방향이 반대입니다. 논문: { $source }.
   *[perplexity] { $step }: 여기서 퍼플렉서티의 비율은 { $ours }, 방향이 반대입니다. 논문: { $source }.
 }

# 모든 모델

lineage-systems-all = 모든 모델
lineage-systems-all-alt = 측정한 모델마다 퍼플렉서티, BLEU, 옳은 단어를 가리키는 비율, 속도, 크기.
lineage-systems-about = 퍼플렉서티는 참조 번역을 읽힐 때 캡션의 토큰당 값입니다. BLEU: sacreBLEU, 대소문자 구분, 빔 5, α 0.6. 캡션 1,000개, 캡션을 2~6개 이어 붙인 글, 일상 문장 500개(Tatoeba 검증), 학습에 쓰지 않은 생성 문장 400개. 옳게 가리킴: 문법이 짝을 아는 생성 문장의 단어 가운데 가장 큰 가중치가 그 짝에 놓인 비율이며, 맵이 하나면 그 맵, 여럿이면 다른 문장에서 가장 나았던 헤드로 셉니다. 가장 아쉬움: 읽지 않았을 때 가장 아쉬운 단어가 그 짝인 비율. 속도는 프로세서 시간 1초당 문장 수이며 모든 모델이 번갈아, 스레드 하나로 잽니다: { $hardware }. 연산은 번역문 토큰 하나당 행렬 곱만 셉니다.
lineage-column-system = 모델
lineage-column-perplexity = 퍼플렉서티
lineage-column-captions = BLEU, 캡션
lineage-column-joined = BLEU, 이어 붙인 글
lineage-column-everyday = BLEU, 일상 문장
lineage-column-generated = BLEU, 생성 문장
lineage-column-points = 옳게 가리킴, %
lineage-column-left_out = 가장 아쉬움, %
lineage-column-uniform = 고른 어텐션
lineage-column-greedy = 그리디, 초당
lineage-column-beam = 빔 5, 초당
lineage-column-parameters = 파라미터
lineage-column-operations = 연산
lineage-column-training = 학습
lineage-no-map = 맵 없음
lineage-millions = { $n }백만
lineage-minutes = { $n }분
lineage-commands = 명령
lineage-commands-measure = 폴더에 있는 학습된 모델을 모두 측정합니다.
lineage-commands-train = { $n ->
    [one] 가중치 없이 수치만 있는 모델 하나를 학습합니다.
   *[other] 가중치 없이 수치만 있는 모델 { $n }개를 학습합니다.
 }

# 논문의 순서

timeline-open = 열기
timeline-open-help = 모든 페이지에서 이 체크포인트를 엽니다: { $title }
timeline-opened = 지금 열려 있습니다.
timeline-not-installed = 이 종류는 랩에 있지만 설치된 체크포인트가 없습니다.
timeline-none = 아직 랩에 없습니다.
timeline-cho = Cho 외: 인코더와 디코더
timeline-cho-new = 순환 네트워크 하나가 문장을 벡터 **c** 하나로 읽고, 다른 하나가 그 벡터에서 씁니다. c는 모든 단계에 들어갑니다. 게이트 유닛(GRU)도 여기서 새로 나왔습니다. 문장이 아무리 길어도 모두 벡터 하나를 지나갑니다.
timeline-sutskever = Sutskever 외: 깊은 LSTM, 원문 뒤집기
timeline-sutskever-new = 게이트 층 하나 대신 LSTM 네 층, 그리고 한 가지 요령: 문장을 거꾸로 읽어 원문의 첫 단어를 번역문의 첫 단어 가까이에 둡니다.
timeline-bahdanau = Bahdanau 외: 정렬하며 번역하기
timeline-bahdanau-new = 벡터 하나라는 제한이 사라집니다. 단계마다 작은 네트워크가 원문의 모든 단어를 디코더의 상태에 비추어 점수를 매기고, 그 가중합이 문맥 벡터가 됩니다. 이것이 어텐션입니다.
timeline-luong = Luong 외: 전역과 지역, 세 가지 점수
timeline-luong-new = 어텐션을 단계 앞이 아니라 뒤에 두고, 네트워크 대신 곱으로 점수를 냅니다. 움직이는 지역 창이 있고, 어텐션 벡터를 다음 단계에 넣어 지난 선택을 알게 합니다.
timeline-captioner = Xu 외: 보고, 주목하고, 말하기
timeline-captioner-new = 같은 어텐션을 그림의 칸에 씁니다. 키에는 순서도 단어도 필요 없습니다.
timeline-hierarchical = Yang 외: 계층적 어텐션
timeline-hierarchical-new = 디코더 없는 어텐션: 학습된 쿼리가 문장의 단어에, 그다음 문서의 문장에 가중치를 줍니다.
timeline-vaswani = Vaswani 외: 트랜스포머
timeline-vaswani-new = 순환도 사라집니다. 같은 문장의 쿼리, 키, 밸류가 여러 헤드에서 한꺼번에 서로를 봅니다. 순서대로 읽는 대신 위치를 더합니다.
timeline-bert = Devlin 외: BERT
timeline-bert-new = 인코더만으로, 가려진 단어를 양쪽 문맥에서 맞히도록 학습한 뒤 글에 관한 여러 과제에 씁니다.
