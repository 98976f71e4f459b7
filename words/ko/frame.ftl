### 앱의 틀: 페이지 묶음, 페이지마다 한 문장, 모델 정보.

group-learn = 배우기
group-attention = 어텐션과 해석
group-transformer = 트랜스포머
group-decoding = 디코딩과 학습
group-others = 다른 아키텍처

fold-roles = 모든 헤드의 역할
fold-reading = 설명
fold-hypotheses = 가설
fold-curves = 학습 곡선
fold-papers = 논문
fold-claims = 논문의 주장과 헤드 제거
fold-numbers = 토큰, ID, 점수
fold-table = 수치
fold-about = 모델 정보
link-undo = 실행 취소
link-copy = 링크 복사
link-copied = 복사됨
settings = 설정
full-screen = 전체 화면
model-shown = 이 페이지의 모델: { $model }
embed-open = 어텐션 랩에서 열기
hidden-undo = 모두 가리기 해제
hidden-more = 자세히
hidden-more-help = 같은 단어를 가린 채로 “{ view-masks-change }” 보기를 엽니다. 토큰별 log p, 다음 토큰, 개입 전후의 어텐션을 볼 수 있습니다.

# 페이지 이름 아래에 나오는 한 문장.
subtitle-lessons = 답을 예상하고 실제 모델에서 확인합니다.
subtitle-glossary = 이 앱에 나오는 용어의 뜻과 출처입니다.
subtitle-attention = 헤드마다 어떤 단어에 주목하는지 봅니다.
subtitle-masks = 계산의 일부를 바꾸고 출력의 변화를 봅니다.
subtitle-positions = 단어의 순서를 알려 주는 방법을 봅니다.
subtitle-block = 토큰의 벡터가 층마다 바뀌는 과정을 봅니다.
subtitle-cost = 길이에 따른 시간, 메모리, 경로를 비교합니다.
subtitle-beam = 모델이 출력을 탐색하는 과정을 봅니다.
subtitle-training = 학습 중 헤드, 손실, 학습률의 변화를 봅니다.
subtitle-lineage = 벡터 하나에서 셀프 어텐션까지 비교합니다.
subtitle-captions = 캡션의 단어마다 모델이 주목하는 곳을 봅니다.
subtitle-documents = 리뷰를 분류하고 어텐션이 설명이 되는지 봅니다.
subtitle-masked = 마스킹한 단어를 양쪽 문맥으로 예측합니다.

# 페이지

page-doc = 이 모델들의 측정 결과, 표와 그림(docs/{ $file }, 영어)
