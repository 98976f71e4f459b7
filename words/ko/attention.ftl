# 어텐션 페이지.

# 브라우저에 그린 헤드.

heads-open = { $site }, { $layer }층 { $head }번 헤드
heads-open-single = { $site }
heads-token = { $place }번째 토큰, id { $id }: 누르면 어디를 보는지 보여 줍니다
heads-unknown = { $place }번째 토큰: “{ $token }”{ JOSA($token, "은/는") } 어휘에 없어 모델에는 미등록 토큰(id { $id })으로 보입니다
heads-guided = ◆ 그곳을 보도록 학습됨
heads-masked = 마스크: 볼 수 없음
heads-enlarge = 전체 화면
heads-leave = 전체 화면 닫기
heads-point = 행을 가리키면 가중치가 막대로 보입니다. 누르면 고정됩니다.

attention-overview-name = 전체 보기 { $badge }
attention-open-link = “{ $row }” → “{ $column }”: { $head }, { $weight }
attention-open-measured = 여러 문장에서 가장 나은 헤드: { $head }
attention-routes = 어떤 헤드에도 어디를 보라고 정해 주지 않았습니다. 학습의 일부에서는 “{ $pronoun }”의 번역을 “{ $pronoun }” 자리에서만 읽어 내야 했습니다.
attention-guided = :orange-badge[유도됨] 이 체크포인트의 { $layer }층 { $head }번 헤드는 대명사에서 그 명사를 보도록 *학습시킨* 것입니다. 스스로 찾아낸 것이 아닙니다.
attention-link = { $n ->
    [1] 모델은 { $who }에서 “{ $noun }”{ JOSA($noun, "을/를") } 봅니다: { $weights }.
   *[other] 이 문장의 { $n }개 헤드 가운데 { $who }에서 “{ $noun }” 쪽을 가장 많이 보는 것은 { $best }입니다: { $weights }.
  }
attention-link-word = “{ $word }”
attention-link-writer = “{ $word }”{ JOSA($word, "을/를") } 쓰는 자리
attention-link-weight = **{ $weight }**
attention-link-weights = **{ $weight }**(“{ $other }” 쪽은 { $there })
attention-link-little = 작은 값입니다. 이 문장에서는 이 어텐션의 어떤 헤드도 둘을 잇지 않습니다.
attention-decides = { $head }{ JOSA($head, "은/는") } 어느 명사인지 정해 주는 “{ $word }”{ JOSA($word, "을/를") } 봅니다: **{ $weight }**.
attention-serves = 학습에 쓰지 않은 문장 { $n }개에서 { $head }{ JOSA($head, "은/는") } 정답 명사를 다른 명사보다 평균 { $margin } 더 봅니다. 명사를 정하는 단어를 보는 헤드를 끄면 { $without }, 대신 영향이 가장 큰 { $server }만 끄면 { $without_server }입니다.
attention-two-heads-alt = { $site }, 두 헤드의 행: “{ $pronoun }”의 가중치를 두 헤드에서 위아래로 놓았습니다. { $first }{ JOSA($first, "은/는") } “{ $noun }”{ JOSA($noun, "을/를") }, { $second }{ JOSA($second, "은/는") } “{ $word }”{ JOSA($word, "을/를") } 봅니다.
attention-measured-title = 측정한 값
attention-measured-over = { $n ->
    [0] 학습에 쓰지 않은 문장 쌍들
   *[other] 학습에 쓰지 않은 문장 쌍 { $n }개
  }
attention-measured = { $over }에서 선행사(가리키는 명사)를 가장 잘 따라가는 것은 { $head }입니다.
attention-measured-best = { $halves ->
    [told] { $over }에서 선행사(가리키는 명사)를 가장 잘 따라가는 것은 { $head }입니다. 다른 명사보다 평균 **{ $margin }** 더 봅니다(쌍의 절반에서 { $first }, 나머지 절반에서 { $second }).
   *[untold] { $over }에서 선행사(가리키는 명사)를 가장 잘 따라가는 것은 { $head }입니다. 다른 명사보다 평균 **{ $margin }** 더 봅니다.
  }
attention-measured-little = { $halves ->
    [told] { $over }에서 선행사(가리키는 명사)를 따라가는 헤드는 이 어텐션에 없습니다. 그나마 가까운 { $head }{ JOSA($head, "은/는") } 다른 명사보다 평균 **{ $margin }** 더 봅니다(쌍의 절반에서 { $first }, 나머지 절반에서 { $second }).
   *[untold] { $over }에서 선행사(가리키는 명사)를 따라가는 헤드는 이 어텐션에 없습니다. 그나마 가까운 { $head }{ JOSA($head, "은/는") } 다른 명사보다 평균 **{ $margin }** 더 봅니다.
  }
attention-measured-other = { $site }에서는 { $head }{ JOSA($head, "이/가") } 따라갑니다. 다른 명사보다 **{ $margin }** 더 봅니다.

attention-together = 모든 헤드 합쳐 보기
attention-together-mean = 평균
attention-together-max = 최댓값
attention-together-spread = 편차
attention-together-rollout = 롤아웃
attention-together-flow = 플로
attention-head-name = { $site } { $head }: { $text }
attention-together-of-layer = { $layer }층의 { $how }
attention-together-alt = { $site } 헤드들의 { $how }: 쿼리 { $n_rows }행, 키 { $n_columns }열.
attention-together-name = { $site } { $which }: { $text }
attention-what-mean = 평균 가중치
attention-what-max = 가장 큰 가중치
attention-what-spread = 표준편차
attention-what-rollout = 롤아웃
attention-what-flow = 최대 유량
attention-heads = { $n ->
    [1] 하나뿐인 헤드
   *[other] 헤드 { $n }개 전체
  }
attention-layers = { $n ->
    [1] 하나뿐인 층
   *[other] { $n }개 층 전체
  }
attention-layers-of-target = { $n ->
    [1] 디코더의 하나뿐인 층
   *[other] 디코더의 { $n }개 층 전체
  }
attention-layers-of-site = { $n ->
    [1] { $site }의 하나뿐인 층
   *[other] { $site }의 { $n }개 층 전체
  }
attention-heads-of-layer = { $n ->
    [1] { $site } { $layer }층의 하나뿐인 헤드
   *[other] { $site } { $layer }층의 헤드 { $n }개 전체
  }
attention-heads-of-site = { $site }의 { $n ->
    [1] 하나뿐인 헤드
   *[other] 헤드 { $n }개 전체
  }({ $n_layers }개 층, 층마다 헤드 { $n_heads }개)
attention-flow-one-row = 이만큼 긴 문장에서는 한 행만 계산합니다. 고른 행이 있으면 그 행, 없으면 마지막 행입니다.
attention-sums-one = 행의 합은 1입니다.
attention-sums-other = 여기서는 행의 합이 1이 *아니라* { $low }입니다.
attention-sums-between = 여기서는 행의 합이 1이 *아니라* { $low }에서 { $high } 사이입니다.
attention-merged-combined = 헤드를 합치기 전에 조각을 단어로 합쳤습니다.
attention-merged-rollout = 조각은 맨 끝에 단어로 합쳤습니다: 열은 더하고 행은 평균을 냈습니다.
attention-merged-flow = 열에 놓인 단어의 조각들은 하나의 유량을 함께 쓰고, 행에 놓인 단어의 조각들은 평균을 냈습니다.
attention-left-out = 특수 토큰을 뺐고 나머지는 그대로입니다.
attention-renormalised-flow = 특수 토큰을 뺐습니다. 유량은 다시 정규화하지 않습니다.
attention-renormalised-combined = 특수 토큰을 뺐고, 먼저 각 헤드의 행을 남은 합으로 나누었습니다.
attention-renormalised-rollout = 특수 토큰을 뺐고, 행을 남은 합으로 나누었습니다.

attention-checks = 자체 점검 수치
attention-checks-failed = 점검 { $of }개 가운데 { $n }개가 맞지 않습니다. 수치는 아래에 있습니다.
attention-checks-measured = { $site }에서 계산된 값 그대로 측정했습니다.

attention-find-queries = 쿼리: 보는 토큰
attention-find-keys = 키: 주목받는 토큰
attention-find-choose = 쿼리와 키를 하나 이상씩 고르면 그 사이의 가중치로 헤드의 순위를 매깁니다.
attention-find-best = { $queries } → { $keys }: { $n }개 헤드 가운데 가중치가 가장 큰 것은 **{ $best }**입니다: **{ $weight }**.
attention-find-better = { $queries } → { $keys }: { $n }개 헤드 가운데 가중치가 가장 큰 것은 **{ $best }**입니다: **{ $weight }**. 열린 { $open }의 가중치는 { $open_weight }, { $place }위입니다.
attention-find-summed = 키는 더하고 쿼리는 평균을 냈습니다.
attention-find-open = 열린 헤드: { $head }, { $of }줄 중 { $line }번째 줄. 줄 왼쪽의 칸을 누르면 그 헤드가 열리고, 열 제목을 누르면 그 열로 정렬됩니다.
attention-find-layer = 층
attention-find-head = 헤드
attention-find-weight = 고른 쌍
attention-find-largest = 최댓값
attention-find-entropy = 엔트로피, 비트
attention-find-distance = 거리, 토큰
attention-find-previous = 앞 토큰
attention-find-same = 같은 토큰
attention-find-next = 다음 토큰
attention-find-special = 특수 토큰

attention-share = 행마다 연결로 그릴 가중치의 비율
attention-share-help = 쿼리와 헤드마다 큰 가중치부터 그려서 이 비율을 채웁니다. 나머지는 숨기고 그 합을 적습니다.
attention-ribbons-name = 연결선 { $head }
attention-ribbons-none = 켜진 헤드가 없어 연결을 그리지 않습니다.
attention-ribbons-drawn = { $layer }층, { $n_heads ->
    [1] { $heads }번 헤드
   *[other] 헤드 { $heads }
  }: { $n ->
    [0] 연결 없음
   *[other] 연결 { $links }개
  }. 숨은 몫: 전체 가중치의 { $hidden }.
attention-ribbons-drawn-single = { $n ->
    [0] 연결 없음
   *[other] 연결 { $links }개
  }. 숨은 몫: 전체 가중치의 { $hidden }.
attention-ribbons-lost = 연결이 아주 많은 헤드는 강한 것만 그립니다. 이것만으로 한 헤드의 가중치가 { $share }까지 숨습니다.

attention-pair-badge-first = 첫째 문장
attention-pair-badge-second = 둘째 문장
attention-pair-second = 둘째 문장
attention-pair-second-none = 단어 하나만 다른 문장을 입력하세요
attention-pair-use = 이 문장 사용: { $text }
attention-pair-first-stays = 첫째 문장은 그대로 있습니다.
attention-pair-ended = → *출력 없음: 곧바로 끝났습니다*
attention-pair-row = { $row }(둘째 문장에서는 { $second })
attention-pair-alt-first = 첫째 문장에서 { $site }의 { $head }: 쿼리 { $n_rows }행, 키 { $n_columns }열.
attention-pair-alt-second = 둘째 문장에서 { $site }의 { $head }: 쿼리 { $n_rows }행, 키 { $n_columns }열.
attention-pair-difference = 둘째 − 첫째, { $head }
attention-pair-difference-alt = { $head }의 둘째 문장 가중치에서 첫째 문장 가중치를 뺀 값: 공통 쿼리 { $n_rows }행, 공통 키 { $n_columns }열. 크게 바뀐 값은 글로도 적혀 있습니다.
attention-pair-difference-name = 차이 { $head }, { $text }
attention-pair-heads = 가장 많이 움직인 헤드
attention-pair-heads-name = 헤드
attention-pair-heads-moved = 움직임
attention-pair-heads-moved-help = 한 행에서 차이의 절댓값을 모두 더해 반으로 나누고, 공통 행에 대해 평균한 값입니다.
attention-pair-heads-first = 첫째
attention-pair-heads-second = 둘째
attention-pair-heads-weight = 첫째와 둘째: { $row }에서 { $column } 쪽으로 가는 가중치.
attention-pair-heads-alt = { $n ->
    [1] { $site }의 하나뿐인 헤드.
   *[other] { $site }의 헤드 { $n }개 전체, 많이 움직인 것부터.
  }
attention-pair-heads-open = 열린 헤드: { $head }, { $of }줄 중 { $line }번째 줄. 줄 왼쪽의 칸을 누르면 그 헤드가 열립니다.
attention-pair-choose = 위에서 쿼리와 키를 하나씩 고르면 가중치 하나를 두 문장에서 따라가 볼 수 있습니다.
attention-pair-weight = { $head }, 첫째 → 둘째 문장: { $row }에서 나가는 가중치는 { $weights }입니다.
attention-pair-weight-to = { $column } 쪽 **{ $before }** → **{ $after }**
attention-pair-weight-most = 헤드 { $n }개 가운데 { $column } 쪽 가중치가 이보다 많이 바뀌는 헤드는 없습니다.
attention-pair-weight-other = 헤드 { $n }개 가운데 { $column } 쪽 가중치가 가장 많이 바뀌는 것은 { $head }입니다: **{ $before }** → **{ $after }**.
attention-pair-missing-rows = 첫째 문장의 { $rows }{ JOSA($rows, "은/는") } 둘째 문장에 짝이 없어 고른 가중치를 따라갈 수 없습니다.
attention-pair-missing-columns = 첫째 문장의 { $columns }{ JOSA($columns, "은/는") } 둘째 문장에 짝이 없어 고른 가중치를 따라갈 수 없습니다.
attention-pair-missing-rows-columns = 첫째 문장의 { $rows }, { $columns }{ JOSA($columns, "은/는") } 둘째 문장에 짝이 없어 고른 가중치를 따라갈 수 없습니다.
attention-pair-moved = 공통 행 { $n }개에서 이 헤드가 옮긴 가중치는 행마다 평균 **{ $share }**, 가장 큰 곳은 { $row } 행(**{ $most }**)입니다. 헤드 { $of }개 중 { $place }위입니다.

attention-token-read = “{ $token }”(읽은 토큰)
attention-token-produced = “{ $token }”(만든 토큰)
attention-arithmetic-pieces = 다른 보기에서는 조각을 단어로 합쳤지만, 모델은 조각으로 계산하므로 계산 과정에는 조각이 나옵니다.
attention-arithmetic-first = 고른 쿼리 { $n }개 가운데 첫째, { $query }입니다.
attention-arithmetic-last = 고른 쿼리가 없어 마지막 쿼리를 씁니다.
attention-arithmetic-product-title = 1 · 쿼리와 키의 내적
attention-arithmetic-product = { $head }에서 { $query }의 쿼리와 { $key }의 키가 만납니다. 둘 다 d_k = { $d_k }개의 성분이 있고, 성분끼리 곱해서 더하면 **q·k = { $dot }**입니다.
attention-arithmetic-softmax-title = 2 · 나누기, 마스크, 소프트맥스
attention-arithmetic-softmax = q·k = { $dot }{ JOSA($dot, "을/를") } √{ $d_k } = { $root }{ JOSA($root, "으로/로") } 나누면 { $score }입니다.
attention-arithmetic-unmasked = 여기에는 마스크가 없습니다.
attention-arithmetic-masked = 마스크는 이 키에 0을, 뒤에 오는 키 { $n }개에 −∞를 더합니다.
attention-arithmetic-weight = 가장 큰 점수 { $largest }{ JOSA($largest, "을/를") } 뺍니다: exp({ $score } − { $bracketed }) = { $term }. 모든 키의 합은 { $total }이므로 가중치는 **{ $weight }**입니다.
attention-arithmetic-future = 이 키는 쿼리보다 뒤에 있습니다. 마스크가 −∞를 더하고 exp(−∞) = 0이므로 가중치는 **정확히 0**입니다.
attention-arithmetic-equal = q와 k만으로 계산한 가중치는 모델이 쓴 가중치와 같습니다. 가장 큰 차이는 { $difference }입니다.
attention-arithmetic-unequal = q와 k로 계산한 가중치가 모델이 쓴 가중치와 최대 { $difference }만큼 다릅니다.
attention-arithmetic-values-title = 3 · 가중치 × 밸류
attention-arithmetic-values = 각 키의 밸류 벡터에 가중치를 곱해 모두 더하면 이 쿼리의 문맥 벡터가 됩니다. 가중치가 가장 큰 것은 { $key }, { $weight }입니다.
attention-arithmetic-smallest = 가장 작은 { $n }개는 한 행으로 그렸습니다.
attention-arithmetic-output-title = 4 · 모든 헤드, 그리고 W_O
attention-arithmetic-output = { $n ->
    [1] 하나뿐인 헤드의 문맥 벡터입니다: { $d_model }개의 수. W_O가 이것을 서브레이어의 출력으로 바꿉니다. 헤드의 몫은 크기가 { $length }{ JOSA($length, "이고/고") }, 출력 전체의 크기는 { $whole }입니다.
   *[other] 헤드 { $n }개의 문맥 벡터를 이어 붙입니다: { $n } × { $d_k } = { $d_model }개의 수. W_O가 이것을 서브레이어의 출력으로 바꿉니다. 이 헤드의 몫은 크기가 { $length }{ JOSA($length, "으로/로") } { $n }개 중 { $rank }위이고, 출력 전체의 크기는 { $whole }입니다.
  }
attention-arithmetic-scaling-title = 나누지 않으면
attention-arithmetic-divide = √d_k로 나누기
attention-arithmetic-divide-help = 끄면 같은 내적을 나누지 않았을 때의 소프트맥스를 보여 줍니다.
attention-arithmetic-scaling = √{ $d_k }{ JOSA($d_k, "으로/로") } 나누면 이 행의 가장 큰 가중치는 **{ $largest }**, 엔트로피는 { $entropy }비트, 소프트맥스의 기울기는 { $gradient }입니다. 나누지 않으면 **{ $largest_off }**, { $entropy_off }비트, { $gradient_off }입니다.
attention-arithmetic-additive-title = 가산 어텐션과 나란히 보기
attention-arithmetic-dot-product = 내적(dot product)
attention-arithmetic-additive = 가산(additive, 학습 전)
attention-arithmetic-costs = d_k = { $d_k }인 헤드 하나를 벡터에서 가중치까지, 이 컴퓨터의 CPU에서 float32로 계산했습니다. 시간은 세 번 잰 값의 중앙값, 메모리는 계산 중에 만든 모든 텐서입니다.
attention-costs-size = 쿼리 × 키
attention-costs-dot-time = 내적: 시간
attention-costs-additive-time = 가산: 시간
attention-costs-dot-memory = 내적: 메모리
attention-costs-additive-memory = 가산: 메모리
attention-costs-here = { $size }(이 문장)
attention-arithmetic-alt-vectors = 쿼리, 키, 그리고 그 곱의 성분 { $d_k }개를 막대로 그렸습니다.
attention-arithmetic-alt-stages = 키마다 내적, 나눈 점수, 마스크, 지수, 가중치. 고른 키의 수치는 글로도 적혀 있습니다.
attention-arithmetic-alt-values = 키마다 가중치 × 밸류, 성분 { $d_k }개. 마지막 행은 그 합입니다.
attention-arithmetic-alt-output = 이어 붙인 모든 헤드의 문맥 벡터, W_O를 거친 각 몫의 크기, 더해서 출력이 되는 부분들.
attention-arithmetic-alt-scaling = d_k의 제곱근으로 나눈 이 행의 가중치와 나누지 않은 가중치.
attention-arithmetic-alt-curves = 성분이 1개에서 512개까지인 무작위 벡터에서, d_k의 제곱근으로 나눌 때와 나누지 않을 때의 가장 큰 가중치, 엔트로피, 소프트맥스의 기울기.
attention-arithmetic-alt-additive = 이 쿼리에 대한 닷 프로덕트 어텐션의 가중치와 학습하지 않은 가산 어텐션의 가중치.
attention-arithmetic-name-vectors = 벡터 { $head }
attention-arithmetic-name-stages = 단계 { $head }
attention-arithmetic-name-values = 밸류 { $head }
attention-arithmetic-name-output = 출력 { $head }
attention-arithmetic-name-scaling = 나누기 { $head }
attention-arithmetic-name-curves = 곡선 { $head }
attention-arithmetic-name-additive = 가산 { $head }
