# 헤드가 하는 일.

role = 헤드 역할
badge-role = 헤드 역할
role-title-all = 모든 헤드
role-none = 역할 없음
role-none-tile = 이 헤드에 맞는 역할이 시험한 역할 가운데 없습니다.

# 역할의 이름: 작은 그림 아래의 단어로 시작.
role-noun = 선행사
role-aligns = 정렬
role-aligns-read = 입력
role-next = 다음
role-previous = 앞
role-itself = 자신
role-end = 특수
role-column = 같은
role-spread = 넓게

role-tile = { $title }: 여러 문장을 평균하면 { $does }({ $many }). { $state ->
    [shown] 이 문장에서는 { $here }입니다.
    [faint] 이 문장에서는 나타나지 않습니다({ $here }).
    [absent] 이 문장에는 해당하는 토큰 쌍이 없습니다.
   *[untested] 이 문장에서는 시험하지 않았습니다.
 }

role-spelled = { $word } = { $title }
role-title-noun = 선행사
role-title-aligns = 정렬(출력 토큰)
role-title-aligns-read = 정렬(입력 토큰)
role-title-next = 다음 토큰
role-title-previous = 앞 토큰
role-title-itself = 자기 토큰
role-title-end = 특수 토큰
role-title-column = 같은 키
role-title-spread = 넓게 분포

role-does-noun = 대명사에서 선행사에 주목합니다
role-does-aligns = 예측할 토큰에 해당하는 원문 단어에 주목합니다
role-does-aligns-read = 방금 읽은 토큰에 해당하는 원문 단어에 주목합니다
role-does-next = 다음 토큰에 주목합니다
role-does-previous = 앞 토큰에 주목합니다
role-does-itself = 자기 토큰에 주목합니다
role-does-end = 시작 토큰이나 종료 토큰 같은 특수 토큰에 주목합니다
role-does-column = 모든 쿼리가 같은 토큰에 주목합니다
role-does-spread = 가중치를 모든 토큰에 고르게 나눕니다

role-control-uniform = 균등 어텐션
role-control-mean = 평균 헤드
role-control-offset = 가장 좋은 고정 오프셋
role-control-other = 방해 명사
role-control-shuffled = 섞은 행

role-over = { $of ->
    [noun] 학습에 쓰지 않은{" "}{ $pronoun ->
        [none] {""}
       *[other] “{ $pronoun }”{" "}
    }문장 { GROUPED($n) }개
    [rows] 문장 { GROUPED($n) }개
   *[other] 단어 { GROUPED($n) }개
 }
role-many = { $head } · { $title }: { $over }의 평균은 { $value }입니다.{ $state ->
    [faint] {" "}현재 문장에서는 그보다 약합니다({ $here }).
    [absent] {" "}현재 문장에는 해당하는 토큰 쌍이 없습니다.
   *[shown] {""}
 }
role-unmarked = “it”과 달리 “{ $word }”의 번역은 가리키는 명사에 따라 달라지지 않습니다.
role-earlier = 앞선 단어 가운데 가장 많이 보는 단어는 { $key }입니다({ $most }).
role-finding-none = { $head } · 역할 없음. { $why ->
    [little] 가장 가까운 “{ $word }”의 값은 { $over } 평균 { $value }이고, 역할로 인정하려면 { $least } 이상이어야 합니다.
   *[control] 가장 가까운 “{ $word }”도 대조군보다 뚜렷하게 높지 않습니다({ $over } 평균 { $value }, { $control }: { $against }).
 }

role-column-head = 헤드
role-column-role = 헤드 역할
role-column-candidate = 가장 가까운 후보
role-column-here = 이 문장
role-column-many = 여러 문장
role-column-low = 95% 신뢰구간 하한
role-column-high = 95% 신뢰구간 상한
role-column-control = 대조군
role-column-against = 대조군 값
role-column-off = Δ log p
role-column-off-help = 헤드의 출력을 0으로 바꿀 때 토큰당 log p의 평균 변화량입니다.
role-table-alt = 헤드 { $n }개의 역할: 여러 문장에서의 값, 95% 신뢰구간, 가장 가까운 대조군, 헤드를 제거할 때 log p의 변화량.

role-off = { $how }: 토큰당 log p의 변화량은 { $matters ->
    [yes] **{ FIXED($change, digits: 3) }**입니다(95% 신뢰구간 { FIXED($low, digits: 3) }, { FIXED($high, digits: 3) }).
   *[no] 0과 구별되지 않습니다({ FIXED($change, digits: 3) }, 95% 신뢰구간 { FIXED($low, digits: 3) }, { FIXED($high, digits: 3) }).
 }
role-off-zero = 출력을 0으로 바꾸면
role-off-mean = 출력을 평균으로 바꾸면
role-link = 이 헤드로 가는 링크
role-atlas = 이 헤드의 모든 측정값: 헤드 아틀라스
