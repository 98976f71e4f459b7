# 밸류 제로화: 한 토큰의 밸류가 없을 때 층이 잃는 것.

zeroing-layer = { $layer }층
zeroing-share = 밸류 제로화(행에서의 비율)
zeroing-weight = 가중치(헤드 평균)
zeroing-found = { $layer }층: “{ $token }”의 가중치는 { PERCENT($weight, digits: 0) }, 층 출력에 미치는 영향은 { PERCENT($share, digits: 0) }입니다{ $known ->
    [yes] . 행 안에서 둘의 순위 상관은 평균 **{ $correlation }**입니다.
   *[no] {"."}
 }
zeroing-alt = 토큰 { $n }개에 대한 { $layer }층의 맵 두 개. 한 토큰의 밸류를 0으로 바꿀 때 각 출력이 달라지는 정도와 어텐션 가중치(헤드 평균)입니다.
zeroing-file = 밸류 제로화 { $text }
zeroing-caption = 왼쪽: 키 토큰의 밸류가 있을 때와 없을 때 층 출력의 코사인을 1에서 뺀 값을 행에서의 비율로 나타냅니다. 오른쪽: 같은 층의 어텐션 가중치입니다.
