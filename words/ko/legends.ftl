# 그림의 행, 열, 색, 숫자의 뜻. 보기의 주장 뒤에 표시합니다.

legend-beam-tree = 열: 디코더 스텝. 원: 토큰, 진할수록 확률이 높음. 흐린 원: 탈락한 토큰.
legend-beam-methods = 행: 전략별 출력. 점: 점수, 오른쪽일수록 높음.
legend-beam-width = 행: 출력과 그 출력을 낸 빔 너비. 점: 점수.
legend-beam-errors = 행: 출력. 점: 점수, 오른쪽일수록 높음.
legend-captions-gaze = 밝은 곳: 큰 어텐션 가중치. 백분율: 도형 상자 안의 가중치.
legend-cost-counted = 행: 층 종류. 막대: 층 하나의 연산 수. 띠: 두 토큰 사이의 경로.
legend-cost-measured = 선: 층 종류. 아래일수록 빠름.
legend-documents-read = 막대: 문장의 어텐션 가중치. 색의 진하기: 단어의 가중치.
legend-documents-agree = 행: 문장 또는 단어. 막대: 가중치, 그리고 영향을 재는 두 지표.
legend-lineage-systems = 행: 출력 단어. 열: 원문 단어. 진한 칸: 큰 가중치. 보라색: 선택한 모델과 다른 단어.
legend-lineage-step = 왼쪽: 원문 토큰의 가중치. 오른쪽: 다음 토큰의 확률.
legend-lineage-bottleneck = 선: 모델. 위일수록 번역의 확률이 높음.
legend-masked-guess = 막대: 마스크 자리에 올 단어의 확률. 검은 테두리: 원래 단어.
legend-masked-agreement = 점: 맞는 동사 형태의 확률 또는 맞힌 비율.
legend-training-forming = 행: 쿼리. 열: 키. 헤드 아래 숫자: 헤드 지표.
legend-training-warmup = 선: 학습 실행. 손실: 낮을수록 좋음.
legend-training-smoothing = 점: 어휘의 토큰. 높이: 확률.
legend-training-here = 행: 출력 글자. 열: 입력 글자. 테두리: 정답 글자.
