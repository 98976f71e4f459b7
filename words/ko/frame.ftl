### 앱의 틀: 페이지 묶음, 페이지마다 한 문장, 모델 정보.

group-learn = 배우기
group-attention = 어텐션과 해석
group-transformer = 트랜스포머
group-decoding = 디코딩과 학습
group-others = 다른 아키텍처

fold-roles = 모든 헤드의 역할
fold-reading = 설명
fold-breaks = 이 모델이 무너지는 순간
fold-numbers = 토큰, ID, 점수
fold-about = 모델 정보
link-undo = 되돌리기
link-copy = 링크 복사
link-copied = 복사됨
settings = 설정
embed-open = 어텐션 랩에서 열기
hidden-undo = 모두 다시 보이기
hidden-more = 자세히
hidden-more-help = 같은 단어를 가린 채로 “{ view-masks-change }” 보기를 엽니다. 토큰별 log p, 다음 토큰, 개입 전후의 어텐션을 볼 수 있습니다.

# 페이지 이름 아래에 나오는 한 문장.
subtitle-lessons = 질문을 읽고 답을 예상한 뒤, 실제 모델에서 측정한 결과로 확인합니다.
subtitle-glossary = 이 랩에 나오는 용어의 뜻과 출처, 코드에서의 이름을 찾아봅니다.
subtitle-attention = 문장을 입력하면 모델의 모든 어텐션 헤드가 어디에 주목하는지 볼 수 있습니다.
subtitle-masks = 토큰과 연결을 가리거나 헤드를 끄고, 출력이 어떻게 바뀌는지 확인합니다.
subtitle-positions = 순서 정보가 없는 네트워크에 단어의 순서를 알려 주는 방법을 살펴봅니다.
subtitle-block = 토큰 하나가 어텐션, 피드포워드, 잔차 연결, 층 정규화를 거치는 과정을 따라갑니다.
subtitle-cost = 시퀀스가 길어질 때 계산 시간, 메모리, 경로 길이가 어떻게 늘어나는지 비교합니다.
subtitle-beam = 모델이 번역 후보 가운데 하나를 고르는 과정을 보고 디코딩 전략을 비교합니다.
subtitle-training = 학습이 진행되면서 어텐션 헤드, 손실, 학습률이 어떻게 변하는지 살펴봅니다.
subtitle-lineage = 고정 길이 벡터에서 셀프 어텐션까지, 여러 모델에 같은 문장을 넣어 비교합니다.
subtitle-captions = 장면을 그리면 캡션의 단어마다 모델이 그림의 어디에 주목하는지 보여 줍니다.
subtitle-documents = 리뷰를 분류하고, 어텐션 가중치가 예측을 설명하는지 확인합니다.
subtitle-masked = 문장의 단어를 마스킹하면 인코더(BERT)가 양쪽 문맥으로 그 단어를 예측합니다.

# 페이지

page-doc = 이 모델들의 측정 결과(표와 그림): `docs/{ $file }`(영어)
