# 없어진 보기의 내용이 옮겨 간 곳.

moved-pruning = 헤드 가지치기는 이제 `docs/results.md`의 그림으로 볼 수 있습니다. 이 보기에서는 위 문장에서 헤드를 하나씩 제거합니다.
moved-hallucination = 환각 탐지는 이제 `docs/results.md`에 있습니다. 이 보기는 생성한 토큰이 원문에 얼마나 의존하는지 보여 줍니다.
moved-positional-heads = 위치 헤드는 이제 헤드의 역할로 볼 수 있습니다. 여러 문장에서 다음 토큰이나 앞 토큰에 주목하는 헤드입니다.
moved-results = 이전 탭 ‘결과’의 표는 이제 이 보기 아래에 적힌 문서에 있습니다.
moved-checks = 수치 검증은 이제 모든 페이지 아래의 ‘이 모델에 대하여’에 있습니다. 모든 모델의 값은 `docs/checks.md`에 있습니다.
