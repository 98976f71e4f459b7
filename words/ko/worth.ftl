# 어텐션 가중치가 무엇을 뜻하는지 보는 페이지.

page-worth = 어텐션 가중치의 의미
subtitle-worth = 어텐션 가중치가 어디에서 나오고, 무엇을 전달하며, 무엇을 설명하지 못하는지 살펴봅니다.

view-worth = 어텐션 가중치의 의미 보기
view-worth-why = 점수 분해
view-worth-share = 원문 기여도
view-worth-made-up = 환각 탐지
view-worth-gold = 정답 정렬
view-worth-pruning = 가지치기
