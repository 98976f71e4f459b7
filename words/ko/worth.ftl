# 어텐션 가중치만으로는 알 수 없는 것을 보는 페이지.

page-worth = 어텐션 가중치를 넘어서
subtitle-worth = 가중치가 무엇을 설명하고 못 하는지 봅니다.

view-worth = 어텐션 가중치를 넘어선 척도
view-worth-why = 점수 분해
view-worth-share = 원문 기여도(ALTI+)
view-worth-gold = 단어 정렬(AER)
