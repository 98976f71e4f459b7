# 중요도 순서와 무작위 순서로 헤드를 하나씩 제거하기.

pruning-bleu = BLEU
pruning-pronoun = 맞은 대명사
pruning-aer = AER
pruning-ranked = 덜 중요한 헤드부터
pruning-random = 무작위 순서
pruning-order = 순서
pruning-left = 남은 헤드
pruning-value = 값
pruning-low = 최솟값
pruning-high = 최댓값
pruning-found = { $first ->
    [none] 헤드 { $n }개를 모두 제거할 때까지 10% 넘게 나빠지는 측정값이 없습니다.
   *[other] 덜 중요한 헤드부터 제거하면 **{ $name }** 값이 가장 먼저 무너집니다. 헤드 { $n }개 중 **{ $removed }**개를 제거하면 10% 넘게 나빠집니다.
 }
pruning-alt = { $site }에서 남은 헤드 수에 따른 측정값의 곡선. 중요도 순서와 무작위 순서로 제거했습니다.
pruning-file = 헤드 가지치기 { $site }
pruning-caption = 측정값마다 문장 { $n }개로 측정했습니다. 띠는 무작위 순서 { $seeds }가지의 범위입니다. AER(낮을수록 좋음)은 남은 크로스 어텐션 헤드 가운데 가장 좋은 헤드의 값입니다.
pruning-without-roles = { $name }의 헤드 중요도를 측정한 값이 없습니다. 먼저 python -m training roles 명령을 실행하세요.
