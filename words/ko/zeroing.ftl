# 밸류 제로화: 한 토큰의 밸류가 없을 때 층이 잃는 것.

zeroing-found = { $layer }층에서 “{ $token }”의 가중치는 { PERCENT($weight, digits: 0) }, 층 출력에 미치는 영향은 **{ PERCENT($share, digits: 0) }입니다**.
