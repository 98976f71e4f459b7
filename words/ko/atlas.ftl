# 모든 헤드를 점으로 나타낸 그림과 헤드 하나의 카드.

view-worth-atlas = 헤드 아틀라스

atlas-x = 가로축
atlas-y = 세로축
atlas-colour = 색
atlas_head = 헤드
atlas_decile = 문장의 십분위
atlas_decile-help = 이 헤드의 최대 가중치 순서로 나눈 문장입니다. 10은 가중치가 가장 큰 10%, 1은 가장 작은 10%입니다.

atlas-axis-kind = 어텐션
atlas-axis-layer = 층
atlas-axis-head = 헤드
atlas-axis-role = 헤드 역할
atlas-axis-depth = 층
atlas-axis-entropy = 엔트로피(비트)
atlas-axis-distance = 어텐션 거리(토큰)
atlas-axis-largest = 최대 가중치
atlas-axis-previous = 앞 토큰 가중치
atlas-axis-same = 자기 토큰 가중치
atlas-axis-next = 다음 토큰 가중치
atlas-axis-special = 특수 토큰 가중치
atlas-axis-rare = 희귀 토큰(우연 대비)
atlas-axis-rare-help = 최대 가중치가 가장 희귀한 두 토큰 가운데 하나에 있는 쿼리의 비율에서 우연히 그럴 비율을 뺀 값입니다.
atlas-axis-syntax = 구문(고정 오프셋 대비)
atlas-axis-syntax-help = 최대 가중치가 구문 관계의 상대 단어에 있는 단어의 비율에서 가장 좋은 고정 오프셋의 비율을 뺀 값입니다.
atlas-axis-pronoun = 선행사 − 방해 명사 가중치
atlas-axis-pronoun-help = “it”이 선행사에 주는 가중치에서 방해 명사에 주는 가중치를 뺀 값입니다.
atlas-left = ← 헤드 { $n }개
atlas-below = ↓ 헤드 { $n }개
atlas-axis-off = 제거할 때 log p의 변화
atlas-axis-off-help = 헤드의 출력을 0으로 바꿀 때 토큰당 log p의 평균 변화량입니다.
atlas-axis-error = 정렬 오류율(AER)
atlas-axis-root = { $axis }, 제곱근 눈금

atlas-open = **{ $head }**: { $does }.
atlas-open-none = **{ $head }**: 측정으로 확인된 역할이 없습니다.
atlas-open-off = 이 헤드가 없으면 토큰당 log p가 **{ SIGNED($off) }** 변합니다.
atlas-few = 제거하면 토큰당 log p(로그 확률)가 { FIXED($loss) } 넘게 떨어지는 헤드는 { $of }개 중 { $n }개입니다.
atlas-found = 역할이 있는 헤드는 { GROUPED($n) }개 중 { $roles }개입니다(문장 { GROUPED($sentences) }개).
atlas-next = 손실이 큰 헤드
atlas-next-head = { $head } · { $role }: { SIGNED($off) }
atlas-both = 두 축의 값이 모두 있는 헤드는 { GROUPED($n) }개입니다.
atlas-depth = :gray[:small[같은 층의 헤드는 번호 순서로 나란히 놓았습니다.]]
atlas-root = :gray[:small[“{ $axis }”{ JOSA($axis, "은/는") } 제곱근 눈금입니다. 선형 눈금에서는 { $head }({ SIGNED($value) })처럼 멀리 있는 헤드 때문에 나머지 헤드가 한곳에 몰립니다.]]
atlas-points-alt = 헤드 { $n }개를 점으로 나타낸 그림: 가로축 { $x }, 세로축 { $y }.
atlas-points-file = 헤드 아틀라스
atlas-table-alt = 헤드 { $n }개의 측정값.

atlas-tested =
    - **{ $role }**: { $value }
    - { $control }: { $against }
atlas-relation = 구문: 단어의 **{ PERCENT($value) }에서** 최대 가중치가 { $to ->
    [head] 의존어에서 지배어로
   *[dependent] 지배어에서 의존어로
 } 향합니다(“{ $name }”, 단어 { GROUPED($n) }개). 가장 좋은 고정 오프셋은 { PERCENT($offset) }입니다.
atlas-similar = 가장 비슷한 헤드(젠슨-섀넌 발산, 비트):
atlas-near = { $head }: { FIXED($apart) }
atlas_matrix = 이 헤드의 행렬 보기
atlas-matrix = 이 헤드의 행렬 보기

atlas-examples = 이 헤드의 가중치가 큰 문장(십분위별)
atlas-examples-how = 이 프로젝트의 문장 { GROUPED($n) }개(생성한 문장과 예문)에서 골랐습니다. 줄마다 가중치가 가장 큰 쿼리를 보여 줍니다. 특수 토큰인 쿼리와 키, 볼 수 있는 키가 하나뿐인 쿼리는 세지 않습니다.
atlas-reading = 문장을 읽는 중…
atlas-query = { $written ->
    [none] { $read } →
   *[other] { $read }({ $written } 예측) →
 }
atlas-told-text = 토큰을 가중치에 따라 칠한 문장
atlas-told-sentence = { $n }번 문장: 최대 가중치는 { $weight }입니다.
atlas-told-word = “{ $word }”: 가중치는 { $weight }입니다.
atlas-told-point = 토큰에 마우스를 올리면 가중치가 보입니다.

atlas-occurring = 실제로 나타나는 쌍
atlas-possible = 가중치 행렬만으로 구한 쌍
atlas-pair-query = 쿼리
atlas-pair-key = 키
atlas-pair-occurring = 평균 가중치
atlas-pair-possible = 점수
atlas-pair-written = { $token }(예측)
atlas-pair-value = { FIXED($value) } (n = { GROUPED($n) })
