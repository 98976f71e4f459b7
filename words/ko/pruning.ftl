# 중요도 순서와 무작위 순서로 헤드를 하나씩 제거하기.

pruning-bleu = BLEU
pruning-pronoun = 대명사 정확도
pruning-aer = AER
pruning-ranked = 덜 중요한 헤드부터
pruning-random = 무작위 순서
pruning-order = 순서
pruning-left = 남은 헤드
pruning-value = 값
pruning-low = 최솟값
pruning-high = 최댓값
pruning-without-roles = { $name }의 헤드 중요도를 측정한 값이 없습니다. 먼저 python -m evaluation roles 명령을 실행하세요.
