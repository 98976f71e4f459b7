# 모델 구조도: 상자의 이름과 상자가 여는 페이지.

architecture-open = 모델 구조도
architecture-hint = 상자를 클릭하면 그 부분을 설명하는 페이지가 열립니다. 빨간색은 지금 페이지의 주제입니다.
architecture-close = 구조도 닫기
architecture-play = ▶ 토큰 따라가기
architecture-pause = 일시 정지
architecture-step = 토큰이 지나는 단계
architecture-length = { $part }: 토큰 벡터의 노름 { $length }
architecture-at = “{ $token }”: { $part }
# 한 층에 있는 헤드의 평균.
architecture-most = “{ $token }” → “{ $key }”(평균 { $weight })
architecture-positions-short = 임베딩
architecture-decoder-short = 마스크드 어텐션
architecture-feed-forward-short = 피드포워드
architecture-softmax-short = 소프트맥스
architecture-guess-short = 소프트맥스
architecture-ssru-short = SSRU
architecture-door = { $part }. “{ $page }” 페이지를 엽니다
architecture-heads = 헤드 { $n }개
architecture-layer = { $n }층 중 { $i }층
architecture-layers = { $n }층
architecture-lane-encoder = 인코더
architecture-lane-decoder = 디코더
architecture-lane-both = 인코더

architecture-positions = 임베딩 + 위치 인코딩
architecture-embedding = 임베딩
architecture-encoder = 셀프 어텐션
architecture-decoder = 마스크드 셀프 어텐션
architecture-cross = 크로스 어텐션
architecture-feed-forward = 피드포워드 네트워크
architecture-norm = 잔차 합 + 정규화
architecture-only-norm = 정규화
architecture-ssru = 순환(SSRU)
architecture-softmax = 선형 변환 + 소프트맥스
architecture-guess = 선형 변환 + 소프트맥스
architecture-search = 빔 서치
architecture-recurrence = 순환 신경망
architecture-vector = 벡터 하나
architecture-convolution = 합성곱(GLU)
architecture-scene = 이미지 격자
architecture-gaze = 이미지 어텐션
architecture-words = 단어 어텐션
architecture-sentences = 문장 어텐션
architecture-classes = 선형 변환 + 소프트맥스
