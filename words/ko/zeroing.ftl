# 밸류 제로화: 한 토큰의 밸류가 없을 때 층이 잃는 것.

zeroing-found = { $layer }층: “{ $token }”의 가중치는 { PERCENT($weight, digits: 0) }, 층 출력에 미치는 영향은 { PERCENT($share, digits: 0) }입니다{ $known ->
    [yes] . 행 안에서 둘의 순위 상관은 평균 **{ $correlation }**입니다.
   *[no] {"."}
 }
