# 다른 보기로 합쳐진 보기의 주소로 들어왔을 때 하는 말.

moved-trace = “연결 차단” 보기는 없어졌습니다. 이 보기는 예측에 기여하는 헤드의 순위를 매깁니다. 연결 하나를 마스킹하려면 “{ view-masks-change }” 보기를 여세요.
moved-trajectories = “토큰 궤적” 보기는 없어졌습니다. 이 보기는 서브레이어마다 토큰의 벡터에 더하는 값을 보여 줍니다.
moved-neurons = “FFN 뉴런” 보기는 없어졌습니다. 이 보기는 피드포워드 층마다 토큰에 더하는 값을 보여 줍니다. 어떤 출력 토큰의 확률이 높아지는지는 “{ view-block-lens }”에서 볼 수 있습니다.
moved-space = “쿼리–키 공간” 보기는 없어졌습니다. 이 보기는 쿼리와 키, 그 내적을 모든 차원으로 보여 줍니다.
moved-hypotheses = 가설은 탐색 트리 아래의 *가설*에 있습니다.
moved-curves = 학습 곡선은 헤드 아래의 *학습 곡선*에 있습니다.
moved-timeline = 타임라인은 맵 아래에, 논문은 차이 맵 아래에 있습니다.
moved-pronoun = 마지막 예문처럼 “it”이 있는 문장에서는 각 헤드가 “it”에서 주목하는 토큰이 예측 아래에 나옵니다.
moved-find = “헤드 찾기” 보기는 없어졌습니다. 여기에서는 헤드마다 아래에 선택한 쌍의 가중치가 나오고, 가장 큰 값의 절반보다 작은 헤드는 흐리게 표시됩니다.
moved-zeroing = “밸류 제로화”는 이제 이 보기의 “{ attention-measure }” 메뉴에 있습니다. 같은 메뉴에서 “{ attention-measure-weight }”{ JOSA(attention-measure-weight, "을/를") } 선택하면 가중치와 비교할 수 있습니다.
moved-coreference = 상호참조 실험은 이 보기의 프리셋입니다. 선행사, 방해 명사, 대조 단어를 가릴 수 있습니다.
moved-positions = 위치 인코딩을 바꾸는 실험은 이 보기의 프리셋이며, 개입 유형에서도 고를 수 있습니다.
moved-ablation = 잔차 연결과 층 정규화 제거는 이 보기의 프리셋입니다. 하나만 제거하려면 “{ change_tool-sublayers }”{ JOSA(change_tool-sublayers, "을/를") } 고르세요.
moved-pruning = 헤드 가지치기는 이제 `docs/results.md`의 그림으로 볼 수 있습니다. 이 보기에서는 위 문장에서 헤드를 하나씩 제거합니다.
moved-hallucination = 환각 탐지는 이제 `docs/results.md`에 있습니다. 이 보기는 생성한 토큰이 원문에 얼마나 의존하는지 보여 줍니다.
moved-positional-heads = 위치 헤드는 이제 헤드의 역할로 볼 수 있습니다. 여러 문장에서 다음 토큰이나 앞 토큰에 주목하는 헤드입니다.
moved-results = 이전 보기 “결과”의 표는 이제 이 보기 아래에 적힌 문서에 있습니다.
moved-checks = 수치 검증은 이제 모든 페이지 아래의 “모델 정보”에 있습니다. 모든 모델의 값은 `docs/checks.md`에 있습니다.
