### 포스터: 화면의 모델과 문장을 담은 인쇄용 한 장.

poster = 포스터
poster-help = 이 모델과 이 텍스트를 인쇄용 포스터로 저장
poster-told = A3 인쇄용 한 장에 모델 맵, 이 텍스트와 모델의 출력, 주요 헤드, 탐색 트리, 이 페이지의 주소를 담습니다.
poster-attention = 헤드가 주목하는 위치
poster-search = 빔 서치, 빔 너비 { $n }
poster-role = { $does }. { $over } 평균 { FIXED($value) }({ $control }: { FIXED($against) })
poster-largest = 쿼리별 최대 가중치의 평균: { FIXED($value) }
