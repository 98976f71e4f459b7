# 그림마다 무엇을 검증하는지 보여 주는 페이지.

page-proofs = 수치 검증
subtitle-proofs = 그림마다 무엇과 같아야 하고, 실제 차이가 얼마인지 확인합니다.

view-proofs = 수치 검증 보기
view-proofs-identities = 등식
view-proofs-views = 보기별 검증

# 버튼

proofs-check = 다시 검증
proofs-check-help = 선택한 모델의 모든 등식을 앱이 실행되는 컴퓨터에서 다시 계산합니다.
proofs-stop = 중지
proofs-working = 등식을 검증하는 중…

# 결과

proofs-found = { $false ->
    [0] { $now ->
        [yes] 이 컴퓨터에서{" "}
       *[no] {""}
     }등식 **{ $n }**개가 모두 성립합니다. 가장 큰 차이는 “{ $claim }”의 **{ $difference }**입니다(허용 오차 { $most }).
   *[other] { $now ->
        [yes] 이 컴퓨터에서{" "}
       *[no] {""}
     }등식 **{ $false }**개가 성립하지 않습니다. 가장 큰 차이는 “{ $claim }”의 **{ $difference }**입니다(허용 오차 { $most }).
 }
proofs-none = { $view ->
    [cost-counted] – (공식으로 계산)
    [training-warmup] – (공식으로 그린 곡선)
    [training-here] – (페이지에서 학습하는 모델)
   *[other] – (저장된 측정 결과: 보기 아래의 명령으로 다시 측정 가능)
 }

# 열 이름과 그림

proofs-column-page = 페이지
proofs-column-view = 보기
proofs-column-checkpoint = 모델
proofs-column-identity = 등식
proofs-column-views = 관련 보기
proofs-column-difference = 최대 차이
proofs-column-difference-help = 같은 수를 두 가지 방법으로 계산한 결과의 최대 차이입니다. 1보다 큰 수에서는 그중 가장 큰 값으로 나눕니다.
proofs-column-now = 현재
proofs-column-now-help = 방금 이 컴퓨터에서 계산한 최대 차이입니다.
proofs-column-when = 날짜
proofs-column-hardware = 장비
proofs-of = 결과
proofs-of-other = 다른 모델(저장값)
proofs-of-open = 선택한 모델(저장값)
proofs-of-now = 선택한 모델(현재)
proofs-no-number = 값 없음
proofs-allowed = 허용 오차 { $most }
proofs-dots-alt = 등식 { $n }개를 한 줄에 하나씩 놓고 모델 { $checkpoints }개의 최대 차이를 로그 축에 나타낸 그림. 점선은 허용 오차 { $most }.
proofs-dots-caption = 같은 수를 두 가지 방법으로 계산한 결과의 최대 차이를 모델마다 점 하나로 나타냅니다. 점선의 왼쪽에 있으면 등식이 성립합니다.
proofs-dots-file = 수치 검증
proofs-table-alt = { $n }행 표: 모델, 등식, 관련 보기, 최대 차이, 날짜, 장비.
proofs-views-alt = { $n }행 표: 선택한 모델의 보기마다 관련 등식과 최대 차이.

# 등식의 이름

proof-search = 탐색 스텝 = 경로 전체
proof-teacher-forcing = 예측 = 접두부만 읽은 예측
proof-scores = 점수의 소프트맥스 = 가중치
proof-vectors = q · k / √d = 점수
proof-positions = 임베딩 + 사인파 = 입력
proof-learned-positions = 더한 벡터 = 표의 행
proof-relative-positions = 점수 − q · k / √d = 상대 위치 편향
proof-values = 항의 합 = 스텝의 점수
proof-documents = 문장 묶음 = 문서
proof-masked-words = 마스킹한 토큰 = 임의의 토큰
proof-order = 순서를 바꾼 벡터 = 인코더
proof-padding = 패딩한 문장 = 원래 문장
proof-block = 서브레이어의 합 = 은닉 상태
proof-tree-attention = 트리의 어텐션 = 경로만 읽기
proof-changes = 개입 없음 = 일반 실행
proof-change-hide = 가린 토큰 = 가중치 0
proof-change-unread = 건너뛴 토큰 = 없는 토큰
proof-change-mask = 차단한 연결 = 점수 없음
proof-change-ablate = 제거한 헤드 = 출력 0
proof-change-row = 지정한 행 = 사용한 행
proof-change-positions = 0만큼 이동 = 일반 실행
proof-change-causal = 인과 마스크 없음 = 모든 점수
proof-change-residual = 잔차 없음 = 자기 출력
proof-change-norm = 층 정규화 없음 = 합 그대로
proof-rows = 행의 합 = 1
proof-contributions = 벡터의 합 = 층의 출력
proof-score-split = 성분의 합 = 점수
proof-source-share = 원문 + 접두부 기여 = 1
proof-rollout = 롤아웃 행의 합 = 1
