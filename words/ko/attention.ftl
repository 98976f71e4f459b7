# 어텐션 헤드 페이지.

# 브라우저에 그린 헤드.

heads-open = { $site }, { $layer }층 { $head }번 헤드
heads-open-single = { $site }
heads-open-layer = { $site } { $layer }층
heads-open-several = { $site }, { $layer }층 { $heads }번 헤드
heads-token = { $place }번 토큰, id { $id }. 클릭하면 선택됩니다. 토큰 앞의 “·”은 앞 단어에 이어진다는 표시입니다.
heads-unknown = { $place }번 토큰 “{ $token }”: 어휘에 없어 모델은 미등록 토큰(id { $id })으로 읽습니다.
heads-hide = “{ $word }” 가리기
heads-unhide = “{ $word }” 가리기 해제
heads-guided = ◆ 지정 학습(guided) 헤드
heads-masked = 마스킹됨
heads-framed = 선택한 행
heads-most = 행의 최댓값
heads-enlarge = 전체 화면
heads-leave = 전체 화면 끝내기
heads-closer = 행렬 확대
heads-farther = 행렬 축소
heads-point = 행에 마우스를 올리면 { $measure ->
    [weight] 가중치가
    [zeroing] 비율이
   *[other] 노름이
  } 막대로 표시됩니다. 클릭하면 고정됩니다.

# 헤드의 제목: 이 문장에서 주목하는 토큰.

attention-headline = { $n ->
    [1] { $query }에서
   *[other] 평균적으로 { $query }에서
  } { $key }{ JOSA($key, "을/를") } { $only ->
    [yes] 봅니다
   *[no] 가장 많이 봅니다
  }({ $weight }).
attention-headline-other = { $n ->
    [1] { $query }에서
   *[other] 평균적으로 { $query }에서
  } { $largest }{ JOSA($largest, "을/를") } 가장 많이 봅니다({ $most }). { $key } 쪽은 { $weight }입니다.
attention-headline-role = 이 문장에서 이 헤드는 { $does }({ $value }).
attention-headline-largest = 이 헤드는 { $query }에서 { $key }{ JOSA($key, "을/를") } 볼 때 가중치가 가장 큽니다({ $weight }).

# 가중치 대신 노름.

attention-measure = 표시할 값
attention-measure-weight = 가중치
attention-measure-length = 벡터 노름
attention-measure-normed = 출력 노름
attention-measure-zeroing = 밸류 제로화
attention-measure-length-told = 벡터 노름 ‖αf(x)‖: 각 키가 출력에 더하는 벡터의 크기를 한 행에서 차지하는 비율로 나타냅니다. 벡터는 가중치 × 밸류이며, 출력 투영이 있으면 W_O까지 곱합니다(Kobayashi et al. 2020).
attention-measure-normed-told = 출력 노름: 각 키가 층의 출력에 더하는 벡터의 크기를 한 행에서 차지하는 비율로 나타냅니다(Kobayashi et al. 2021). 모든 헤드를 합치고 잔차 연결과 층 정규화의 선형 부분까지 계산한 벡터입니다. { $residual ->
    [own] 대각선에는 쿼리 자신의 잔차도 들어 있습니다.
   *[other] 행의 나머지는 쿼리 자신의 잔차입니다.
  }
attention-measure-zeroing-told = 밸류 제로화: 인코더 한 층의 모든 헤드에서 키의 밸류를 0으로 바꿀 때 쿼리의 출력 방향이 달라지는 정도(1 − cos)입니다. 한 행에서 차지하는 비율로 나타냅니다(Mohebbi et al. 2023). 헤드별 맵은 없습니다.
attention-sink = { $site }에서 { $tokens }의 평균 비율은 다음과 같습니다(가중치 → 노름): { $layers }.
attention-sink-layer = { $open ->
    [1] **{ $layer }층 { PERCENT($weight, digits: 0) } → { PERCENT($norm, digits: 0) }**
   *[other] { $layer }층 { PERCENT($weight, digits: 0) } → { PERCENT($norm, digits: 0) }
  }

attention-overview-name = 전체 헤드, { $badge }
attention-open-link = { $head } 선택: “{ $row }” → “{ $column }”, { $weight }
attention-open-measured = { $head } 선택: 학습에 쓰지 않은 문장에서 1위
attention-routes = 어느 헤드에도 볼 곳을 지정하지 않았습니다. 다만 학습의 일부에서는 “{ $pronoun }” 위치의 인코더 상태만 보고 “{ $pronoun }”의 번역을 예측하게 했습니다.
attention-guided = :orange-badge[지정 학습] 이 모델의 { $layer }층 { $head }번 헤드는 { $site ->
    [cross] 두 언어의 단어를 정렬하도록
   *[other] 대명사에서 선행사를 보도록
 } *지정해서 학습시킨* 헤드입니다. 스스로 학습한 결과가 아닙니다.
attention-link = { $n ->
    [1] 모델이 { $who }에서 “{ $noun }”에 주는 가중치는 **{ $weight }**{ $other ->
        [none] {""}
       *[other] , “{ $other }” 쪽은 { $there }
     }입니다.
   *[other] 이 문장의 헤드 { $n }개 가운데 { $best }{ JOSA($best, "이/가") } { $who }에서 “{ $noun }”{ JOSA($noun, "을/를") } 가장 많이 봅니다(**{ $weight }**{ $other ->
        [none] {""}
       *[other] , “{ $other }” 쪽은 { $there }
     }).
 }{ $size ->
    [little] {" "}작은 값입니다. 이 문장에서는 이 어텐션에 둘을 연결하는 헤드가 없습니다.
   *[large] {""}
 }
attention-link-word = “{ $word }”
attention-link-writer = “{ $word }”{ JOSA($word, "을/를") } 예측하는 위치
attention-decides = { $head }{ JOSA($head, "은/는") } 대명사에서 선행사를 결정하는 단어 “{ $word }”에 주목합니다(**{ $weight }**).
attention-serves = { $head }에서 선행사의 가중치는 방해 명사보다 **{ $margin }** 큽니다(학습에 쓰지 않은 문장 { $n }개의 평균). 이 차이는 선행사를 결정하는 단어를 보는 헤드를 제거하면 **{ $without }**, 영향이 가장 큰 { $server }{ JOSA($server, "을/를") } 제거하면 **{ $without_server }**입니다.
attention-two-heads-alt = { $site }, 두 헤드에서 “{ $pronoun }”의 행을 위아래로 놓았습니다. { $first }{ JOSA($first, "은/는") } “{ $noun }”{ JOSA($noun, "을/를") }, { $second }{ JOSA($second, "은/는") } “{ $word }”{ JOSA($word, "을/를") } 봅니다.
attention-measured-title = 측정 결과
attention-measured-over = { $n ->
    [0] 학습에 쓰지 않은 문장 쌍
   *[other] 학습에 쓰지 않은 문장 쌍 { $n }개
  }
attention-measured = { $found ->
    [little] { $over }에서 선행사를 구별하는 헤드가 이 어텐션에는 없습니다. 가장 좋은 { $head }도 선행사의 가중치가 방해 명사보다 평균 **{ $margin }** 클 뿐입니다
    [best] { $over }에서 { $head }{ JOSA($head, "이/가") } 선행사를 가장 잘 구별합니다. 선행사의 가중치가 방해 명사보다 평균 **{ $margin }** 큽니다
   *[nothing] { $over }에서 { $head }{ JOSA($head, "이/가") } 선행사를 가장 잘 구별합니다
  }{ $halves ->
    [told] (문장 쌍을 반으로 나누면 { $first }, { $second }).
   *[untold] .
  }
attention-measured-other = { $site }에서는 { $head }{ JOSA($head, "이/가") } 선행사를 구별합니다. 선행사의 가중치가 방해 명사보다 **{ $margin }** 큽니다.

attention-together = 집계 방법
attention-together-mean = 평균
attention-together-max = 최댓값
attention-together-spread = 표준편차
attention-together-rollout = 어텐션 롤아웃
attention-together-flow = 어텐션 플로
attention-head-name = { $site } { $head }{ $measure ->
    [weight] {""}
    [zeroing] , 밸류 제로화
    [length] , 벡터 노름
   *[other] , 출력 노름
  }: { $text }
attention-together-of-layer = { $how }, { $layer }층
attention-together-alt = { $site } 헤드의 { $how }: 쿼리 { $n_rows }행, 키 { $n_columns }열, 그리고 헤드 { $n_heads }개 각각의 “{ $row }” 행.
attention-together-file = { $short } { $which }: { $text }
attention-together-largest = “{ $row }” 행에서 값이 가장 큰 키는 “{ $key }”입니다(**{ $value }**).
attention-together-agree = { $n ->
    [0] 이 키에 가장 많이 주목하는 헤드는 하나도 없습니다.
   *[other] **헤드 { $of }개 중 { $n }개**가 이 키에 가장 많이 주목합니다.
 }
attention-together-hides = 이 맵에서 드러나지 않는 { $head }{ JOSA($head, "은/는") } “{ $key }”에 주목합니다(**{ $weight }**).
attention-together-from = 이 값은 { $head }에서 왔습니다.
attention-together-range = 이 칸의 값은 헤드에 따라 { $low }–{ $high }입니다.
attention-what-mean = { $measure ->
    [weight] 평균 가중치
   *[other] 평균 노름 비율
  }
attention-what-max = { $measure ->
    [weight] 최대 가중치
   *[other] 최대 노름 비율
  }
attention-what-spread = { $measure ->
    [weight] 표준편차
   *[other] 노름 비율의 표준편차
  }
attention-what-rollout = 어텐션 롤아웃
attention-what-flow = 최대 유량
attention-heads = { $n ->
    [1] 유일한 헤드
   *[other] 헤드 { $n }개 전체
  }
attention-layers = { $n ->
    [1] 유일한 층
   *[other] { $n }개 층 전체
  }
attention-layers-of-target = { $n ->
    [1] 디코더의 유일한 층
   *[other] 디코더 { $n }개 층 전체
  }
attention-layers-of-site = { $n ->
    [1] { $site }의 유일한 층
   *[other] { $site } { $n }개 층 전체
  }
attention-heads-of-layer = { $n ->
    [1] { $site } { $layer }층의 유일한 헤드
   *[other] { $site } { $layer }층의 헤드 { $n }개 전체
  }
attention-heads-of-site = { $site }의 { $n ->
    [1] 유일한 헤드
   *[other] 헤드 { $n }개 전체
  }({ $n_layers }개 층, 층마다 헤드 { $n_heads }개)
attention-flow-one-row = 문장이 길어서 플로는 한 행만 계산합니다. 선택한 행이 있으면 그 행, 없으면 마지막 행입니다.
attention-sums-one = 각 행의 합은 1입니다.
attention-sums-other = 여기서는 행의 합이 1이 *아니라* { $low }입니다.
attention-sums-between = 여기서는 행의 합이 1이 *아니라* { $low }에서 { $high } 사이입니다.
attention-merged-combined = 헤드를 집계하기 전에 서브워드를 단어로 합쳤습니다.
attention-merged-rollout = 서브워드는 마지막에 단어로 합쳤습니다. 열은 더하고 행은 평균을 냈습니다.
attention-merged-flow = 서브워드를 단어로 합쳤습니다. 한 열의 서브워드는 유량 하나를 함께 쓰고, 한 행의 서브워드는 평균을 냈습니다.
attention-left-out = 특수 토큰을 숨겼고 나머지 가중치는 그대로입니다.
attention-renormalised-flow = 특수 토큰을 숨겼습니다. 유량은 다시 정규화하지 않습니다.
attention-renormalised-combined = 특수 토큰을 숨겼고, 집계하기 전에 각 헤드의 행을 다시 정규화했습니다.
attention-renormalised-rollout = 특수 토큰을 숨겼고, 행을 다시 정규화했습니다.

attention-checks = 자체 점검 결과
attention-checks-failed = 점검 항목 { $of }개 중 { $n }개를 통과하지 못했습니다. 자세한 수치는 “자체 점검 결과”를 열면 나옵니다.
attention-checks-measured = { $site }에서 모델이 계산한 가중치를 그대로 점검했습니다.

attention-strongest = { $queries }에서 { $keys }{ JOSA($keys, "으로/로") } 가는 { $measure ->
    [weight] 가중치가
    [zeroing] 영향의 비율이
   *[other] 노름의 비율이
  } 가장 큰 { $measure ->
    [normed] 층은
    [zeroing] 층은
   *[other] 헤드는
  } { $n }개 중 **{ $best }**입니다(**{ $weight }**).{ $rank ->
    [1] {""}
   *[other] {" "}선택한 { $open }{ JOSA($open, "은/는") } { $here }{ JOSA($here, "으로/로") } { $rank }위입니다.
  }
attention-strongest-summed = 여러 키의 { measured }{ JOSA(measured, "은/는") } 더하고, 여러 쿼리는 평균을 냈습니다.

attention-share = 표시할 가중치 비율
attention-share-help = 쿼리와 헤드마다 가중치가 큰 연결부터, 그 합이 한 행의 가중치에서 이 비율이 될 때까지 그립니다. 그리지 않은 비율은 그림 아래에 적혀 있습니다.
ribbons_layout = 배치
ribbons_layout-vertical = 세로
ribbons_layout-horizontal = 가로
ribbons_layout-help = 세로 배치에서는 쿼리가 왼쪽, 키가 오른쪽에 있습니다. 가로 배치는 같은 그림을 왼쪽으로 돌려, 쿼리가 아래, 키가 위에 있습니다.
attention-ribbons-name = 헤드 뷰, { $head }
attention-ribbons-none = 표시한 헤드가 없어 연결을 그리지 않았습니다.
attention-ribbons-drawn = { $layer }층 { $n_heads ->
    [1] { $heads }번 헤드
   *[other] { $heads }번 헤드
  }의 연결을 { $n ->
    [0] 하나도 그리지 않았습니다.
   *[other] { GROUPED($n) }개 그렸습니다.
  } 그리지 않은 연결이 전체 { $measure ->
    [weight] 가중치의
   *[other] 노름의
  } { PERCENT($hidden) }{ JOSA(PERCENT($hidden), "을/를") } 차지합니다.
attention-ribbons-drawn-single = { $n ->
    [0] 연결을 하나도 그리지 않았습니다.
   *[other] 연결을 { GROUPED($n) }개 그렸습니다.
  } 그리지 않은 연결이 전체 { $measure ->
    [weight] 가중치의
   *[other] 노름의
  } { PERCENT($hidden) }{ JOSA(PERCENT($hidden), "을/를") } 차지합니다.
attention-ribbons-lost = 연결이 아주 많은 헤드는 강한 연결만 그립니다. 그래서 그리지 않은 가중치가 한 헤드에서 많게는 { PERCENT($share) }입니다.

# 긴 텍스트에서 그림에 나오는 일부.

window-queries = 첫 번째 토큰
window-keys = 첫 번째 키
window-queries-help = 텍스트가 길어 한 번에 다 그릴 수 없습니다. 처음에는 선택한 토큰의 주변을 보여 주며, 슬라이더를 움직이면 다른 부분을 볼 수 있습니다.
window-keys-help = 텍스트가 길어 한 번에 다 그릴 수 없습니다. 처음에는 선택한 키나 값이 가장 큰 키의 주변을 보여 주며, 슬라이더를 움직이면 다른 부분을 볼 수 있습니다.
window-shown = 일부만 그렸습니다. 쿼리는 { $of }개 중 { $first }–{ $last }번, 키는 { $of_keys }개 중 { $first_key }–{ $last_key }번입니다. { $head }에서 이 쿼리들은 { $measure ->
    [weight] 가중치의
    [zeroing] 영향의
   *[other] 노름의
  } { PERCENT($outside) }{ JOSA(PERCENT($outside), "을/를") } 그림 밖의 키에 줍니다.

attention-pair-badge-first = 첫 번째 문장
attention-pair-badge-second = 두 번째 문장
attention-pair-second = 두 번째 문장
attention-pair-second-none = 단어 하나만 다른 문장을 입력하세요
attention-pair-use = 이 문장 사용: { $text }
attention-pair-first-stays = 첫 번째 문장은 그대로입니다.
attention-pair-ended = → *출력 없음: 모델이 문장을 곧바로 끝냈습니다*
attention-pair-row = { $row }(두 번째 문장에서는 { $second })
attention-pair-first-alt = 첫 번째 문장에서 { $site }의 { $head }: 쿼리 { $n_rows }행, 키 { $n_columns }열.
attention-pair-second-alt = 두 번째 문장에서 { $site }의 { $head }: 쿼리 { $n_rows }행, 키 { $n_columns }열.
attention-pair-first-file = { $file }
attention-pair-second-file = { $file }
attention-pair-difference = Δ { measured }(두 번째 − 첫 번째), { $head }
attention-pair-difference-alt = { $head }의 { measured }, 두 번째 문장에서 첫 번째 문장을 뺀 값: 공통 쿼리 { $n_rows }행, 공통 키 { $n_columns }열. 크게 바뀐 값은 텍스트로도 적혀 있습니다.
attention-pair-difference-file = { measured } 차이, { $file }, { $text }
attention-pair-heads = 변화가 큰 헤드
attention-pair-heads-name = 헤드
attention-pair-heads-moved = 이동한 가중치
attention-pair-heads-moved-help = 공통 키에서 잰 총변동 거리(total variation distance)입니다. 한 행에서 차이의 절댓값을 모두 더해 반으로 나누고, 공통 행끼리 평균합니다.
attention-pair-heads-first = 첫 번째
attention-pair-heads-second = 두 번째
attention-pair-heads-weight = 마지막 두 열은 두 문장에서 { $row } → { $column } { measured }입니다.
attention-pair-heads-alt = { $n ->
    [1] { $site }의 유일한 헤드.
   *[other] { $site }의 헤드 { $n }개 전체, 변화가 큰 순서.
  }
attention-pair-heads-caption = 선택한 { $head }{ JOSA($head, "은/는") } 표의 { $line }행에 있습니다(전체 { $of }행). 행 왼쪽의 칸을 클릭하면 그 헤드가 선택됩니다.
attention-pair-choose = 위에서 쿼리와 키를 하나씩 선택하면 그 { measured }{ JOSA(measured, "을/를") } 두 문장에서 비교할 수 있습니다.
attention-pair-weight = { $row } 행의 { measured }(첫 번째 문장 → 두 번째 문장): { $weights }.
attention-pair-largest = 모든 헤드에서 가장 크게 바뀌는 것은 { $head }의 { $row }에서 { $column }{ JOSA($column, "으로/로") } 가는 가중치입니다(**{ $before }** → **{ $after }**).
attention-pair-most = 모든 헤드 가운데 가장 큰 변화입니다.
attention-pair-open = { $head } 열기
attention-pair-weight-to = { $column } **{ $before }** → **{ $after }**
attention-pair-weight-most = 헤드 { $n }개 가운데 { $column }의 { measured }{ JOSA(measured, "이/가") } 이 헤드보다 크게 바뀌는 헤드는 없습니다.
attention-pair-weight-other = 헤드 { $n }개 가운데 { $column }의 { measured }{ JOSA(measured, "이/가") } 가장 크게 바뀌는 헤드는 { $head }입니다(**{ $before }** → **{ $after }**).
attention-pair-missing-rows = 첫 번째 문장의 { $rows }에 대응하는 토큰이 두 번째 문장에 없어 선택한 { measured }{ JOSA(measured, "을/를") } 비교할 수 없습니다.
attention-pair-missing-columns = 첫 번째 문장의 { $columns }에 대응하는 토큰이 두 번째 문장에 없어 선택한 { measured }{ JOSA(measured, "을/를") } 비교할 수 없습니다.
attention-pair-missing-rows-columns = 첫 번째 문장의 { $rows }, { $columns }에 대응하는 토큰이 두 번째 문장에 없어 선택한 { measured }{ JOSA(measured, "을/를") } 비교할 수 없습니다.
attention-pair-moved = 이 헤드에서는 한 행의 { measured } 가운데 평균 **{ PERCENT($share) }가** 다른 키로 옮겨 갑니다(공통 행 { $n }개). { $row } 행에서 가장 많이 옮겨 갑니다({ PERCENT($most) }).

attention-token-read = “{ $token }”(입력 토큰)
attention-token-produced = “{ $token }”(출력 토큰)
attention-arithmetic-pieces = 다른 보기에서는 서브워드를 단어로 합쳤지만, 모델은 서브워드로 계산하므로 여기에는 서브워드가 나옵니다.
attention-arithmetic-first = 선택한 쿼리 { $n }개 가운데 첫 번째인 { $query }의 계산입니다.
attention-arithmetic-last = 선택한 쿼리가 없어 마지막 쿼리의 계산을 보여 줍니다.
attention-arithmetic-step = 단계
attention-arithmetic-step-weight = 가중치
attention-arithmetic-step-output = 출력
attention-arithmetic-step-scaling = √d_k 없이
attention-arithmetic-step-additive = 가산
attention-arithmetic-product = { $query } → { $key }: :blue[q]·:orange[k] = **{ COMPACT($dot) }**(곱 { $d_k }개의 합){ JOSA(COMPACT($dot), "을/를") } √{ $d_k }{ JOSA($d_k, "으로/로") } { $biased ->
    [yes] 나누면 **{ COMPACT($quotient) }**, 위치 편향까지 더한 점수는 **{ COMPACT($score) }**
   *[no] 나눈 점수는 **{ COMPACT($quotient) }**
 }이고, 키 { $n }개에 소프트맥스를 적용한 가중치는 **{ FIXED($weight) }**입니다.
attention-arithmetic-softmax = :blue[q]·:orange[k] = { COMPACT($dot) }{ JOSA(COMPACT($dot), "을/를") } √{ $d_k } = { $root }{ JOSA($root, "으로/로") } 나누면 { $biased ->
    [yes] { COMPACT($quotient) }입니다. 이 헤드의 상대 위치 편향이 이 거리에서 { COMPACT($relative) }{ JOSA(COMPACT($relative), "을/를") } 더하므로 점수는 { COMPACT($score) }입니다.
   *[no] { COMPACT($score) }입니다.
 }
attention-arithmetic-weight = { $masked ->
    [0] 여기에는 마스킹된 키가 없습니다.
   *[other] 마스크는 이 키에 0을, 미래의 키 { $masked }개에 −∞를 더합니다.
 } 수치 안정성을 위해 행에서 가장 큰 점수 { COMPACT($largest) }{ JOSA(COMPACT($largest), "을/를") } 뺍니다. exp({ COMPACT($score) } − { $bracketed }) = { FIXED($term) }이고 모든 키의 합은 { FIXED($total) }이므로, 가중치는 **{ FIXED($weight) }**입니다.
attention-arithmetic-future = 이 키는 쿼리보다 뒤에 있습니다. 마스크가 −∞를 더하고 exp(−∞) = 0이므로 가중치는 **정확히 0**입니다.
attention-arithmetic-equal = q와 k로 다시 계산한 가중치가 모델의 가중치와 일치합니다(최대 차이 { SCIENTIFIC($difference) }).
attention-arithmetic-unequal = q와 k로 다시 계산한 가중치가 모델의 가중치와 최대 { SCIENTIFIC($difference) }만큼 다릅니다.
attention-arithmetic-values = 각 키의 :green[밸류] 벡터에 가중치를 곱해 모두 더하면 이 쿼리에서 헤드의 출력(문맥 벡터)이 됩니다. { $key }의 가중치가 { FIXED($weight) }{ JOSA(FIXED($weight), "으로/로") } 가장 큽니다.
attention-arithmetic-smallest = 가장 작은 { $n }개 항은 한 행으로 합쳐 그렸습니다.
attention-arithmetic-output = { $n ->
    [1] 유일한 헤드의 출력({ $n } × { $d_k } = { $d_model }차원)을 W_O로 투영합니다. 헤드가 기여하는 벡터의 노름은 { $length }, 전체 출력의 노름은 { $whole }입니다.
   *[other] 헤드 { $n }개의 출력을 이어 붙여({ $n } × { $d_k } = { $d_model }차원) W_O로 투영합니다. 이 헤드가 기여하는 벡터의 노름은 { $length }{ JOSA($length, "으로/로") } { $n }개 중 { $rank }위입니다. 전체 출력의 노름은 { $whole }입니다.
  }
attention-arithmetic-scaling = 이 행의 최대 가중치는 **{ $largest }**이고, √{ $d_k }{ JOSA($d_k, "으로/로") } 나누지 않으면 **{ $largest_off }**입니다.
attention-arithmetic-additive-largest = 같은 벡터로 내적 어텐션은 { $key }에 가장 큰 가중치({ FIXED($weight) })를 줍니다. 학습하지 않은 가산 어텐션은 { $same ->
    [yes] 같은 키에 { FIXED($additive) }{ JOSA(FIXED($additive), "을/를") } 줍니다
   *[no] { $other }에 가장 큰 가중치({ FIXED($additive) })를 줍니다
 }.
attention-arithmetic-dot-product = 내적
attention-arithmetic-additive =
    가산
    (학습하지 않음)
attention-arithmetic-costs = d_k = { $d_k }인 헤드 하나가 벡터에서 가중치를 구하는 비용을 이 컴퓨터의 CPU에서 float32로 측정했습니다. 시간은 세 번 실행한 값의 중앙값이고, 메모리는 계산 중에 만든 모든 텐서의 크기입니다.
attention-costs-size = 쿼리 × 키
attention-costs-dot-time = 내적: 시간
attention-costs-additive-time = 가산: 시간
attention-costs-dot-memory = 내적: 메모리
attention-costs-additive-memory = 가산: 메모리
attention-costs-here = { $size }(이 문장)
attention-arithmetic-stages-alt = 쿼리, 키, 둘을 곱한 값의 성분을 막대로 그렸습니다. 그 아래에는 키마다 내적, 스케일링한 점수, 마스크, 지수, 가중치를 그렸습니다. 선택한 키의 수치는 텍스트로도 적혀 있습니다.
attention-arithmetic-values-alt = 키마다 가중치 × 밸류의 성분 { $d_k }개를 그렸습니다. 마지막 행은 그 합입니다.
attention-arithmetic-output-alt = 이어 붙인 모든 헤드의 출력, W_O를 거친 각 출력의 노름, 더하면 전체 출력이 되는 구성 요소를 그렸습니다.
attention-arithmetic-scaling-alt = d_k의 제곱근으로 나눈 이 행의 가중치와 나누지 않은 가중치입니다.
attention-arithmetic-curves-alt = 성분이 1개에서 512개까지인 무작위 벡터에서 d_k의 제곱근으로 나눌 때와 나누지 않을 때의 최대 가중치, 엔트로피, 소프트맥스의 기울기입니다.
attention-arithmetic-additive-alt = 이 쿼리에서 구한 내적 어텐션의 가중치와 학습하지 않은 가산 어텐션의 가중치입니다.
attention-arithmetic-stages-file = 스케일링, 마스크, 소프트맥스, { $head }
attention-arithmetic-values-file = 밸류의 가중합, { $head }
attention-arithmetic-output-file = W_O 투영, { $head }
attention-arithmetic-scaling-file = 스케일링, { $head }
attention-arithmetic-curves-file = 스케일링 곡선, { $head }
attention-arithmetic-additive-file = 가산 어텐션, { $head }

# 모델이 무너지는 순간: 무엇을 했는지, 그리고 문장과 출력 옆에 붙는 설명.
attention-breaks = 무너지는 순간
attention-breaks-chip = { $name } →
attention-breaks-opens = “{ $page }” 페이지로 이동합니다.
attention-breaks-greedy = 그리디 서치
attention-breaks-hidden = 단어 가리기
attention-breaks-padding = 패딩 마스크 없음
attention-breaks-residual = 잔차 제거(L4)
attention-breaks-first = 잔차 제거(L1)
attention-breaks-positions = 위치 정보 없음
attention-breaks-reversed = 위치 역순
attention-breaks-sense = 동음이의어 오역
attention-breaks-beer = 조사 “로” 오역
attention-breaks-en-de-greedy = “식탁을 위해 둘 식탁을 예약하고 싶다”라는 뜻입니다. 빔 서치는 이 오류를 피합니다.
attention-breaks-en-de-hidden = “길이 너무 피곤해서 길을 건너지 않았다”라는 뜻입니다. “animal”을 가리면 “street”이 주어 자리까지 차지합니다.
attention-breaks-en-de-padding = 이 문장을 15토큰이 되도록 패딩으로 채우면 번역문 뒤에 지어낸 단어와 엉뚱한 기호가 붙습니다.
attention-breaks-en-de-residual = “우리 형제가 톱을 먹는다. 그것은 고장 났다”라는 뜻입니다. 인코더 4층에서 셀프 어텐션의 출력만 다음으로 넘겼습니다.
attention-breaks-en-de-first = “수의사.”라는 뜻입니다. 인코더 1층에서 셀프 어텐션의 출력만 다음으로 넘겼습니다.
attention-breaks-en-de-positions = “책 한 권을 원합니다”라는 뜻입니다. 순서를 알 수 없어 동사 “book(예약하다)”을 명사 “책”으로 읽었습니다.
attention-breaks-en-de-reversed = “공 안에서 노는 눈이 개를 논다”라는 뜻입니다.
attention-breaks-ko-en-greedy = 옳은 번역은 “I’m in a bad mood because I failed the exam.”이며, 빔 서치는 이 번역을 찾습니다.
attention-breaks-ko-en-sense = 옳은 번역은 “I took a boat and ate a pear.”입니다. 타는 배와 먹는 배를 구별하지 못했습니다.
attention-breaks-ko-en-beer = “나는 맥주가 되겠다”라는 뜻입니다. 주문하는 말이므로 옳은 번역은 “I’ll have a beer.”입니다.
attention-breaks-ko-en-padding = 옳은 번역은 “The cat is sleeping.”입니다. 같은 배치에 있는 긴 문장의 길이까지 패딩으로 채웠습니다.
attention-breaks-ko-en-first = 두 번째 문장(“그녀는 학교에서 아이들을 가르친다.”)이 사라집니다. 인코더 1층에서 셀프 어텐션의 출력만 다음으로 넘겼습니다.
attention-breaks-ko-en-positions = 위치 정보가 없으면 순서를 알 수 없어, “선생님” 자리에 “아이들”이 들어갑니다.
