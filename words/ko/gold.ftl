# 헤드를 정답 단어 정렬과 비교합니다.

gold_part = 보기
gold_part-heads = 모든 헤드
gold_part-pair = 문장 쌍
gold_reading = 정렬에 쓸 행
gold_reading-reads = 입력 토큰(AWI)
gold_reading-writes = 출력 토큰(AWO)
gold_reading-help = 번역문 단어의 행을 정하는 방법입니다. 단어를 입력으로 읽은 행(AWI)이나 단어를 예측하는 행(AWO)을 씁니다. 아래층에서는 AWI가, 위층에서는 AWO가 더 정확하게 정렬합니다(Kobayashi et al. 2020).
gold_set = 테스트 세트
gold_set-rwth-de-en = RWTH 독일어–영어
gold_set-rwth-de-en-short = RWTH 12단어 이하
gold_set-pud-en-ko = PUD 영어–한국어
gold_set-pud-en-ko-short = PUD 12단어 이하
gold_pair = 정답이 있는 쌍
gold-own = 직접 입력
gold_source = 원문
gold_target = 번역문
gold_links = 정답 정렬
gold_links-help = “0-0 1p2” 같은 Pharaoh 형식입니다. 원문 단어의 번호, 확실하면 -, 가능하면 p, 번역문 단어의 번호 순서로 씁니다. 단어는 공백으로 나누고 번호는 0부터 셉니다.

gold-map-weight = 크로스 L{ $layer } H{ $head }
gold-map-length = 크로스 L{ $layer } H{ $head }, 노름
gold-map-mean = { $layer }층 평균
gold-map-summed = { $layer }층 노름의 합
gold-map-shares = { $layer }층 ALTI
gold-map-all = 모든 층 평균
gold-map-diagonal = 대각선
gold-of-head = 크로스 어텐션 헤드
gold-of-layer = 헤드 평균
gold-of-control = 대조군
gold-map = 맵
gold-error = 정렬 오류율(AER)
gold-low = 95% 신뢰구간 하한
gold-high = 95% 신뢰구간 상한
gold-precision = 정밀도
gold-recall = 재현율
gold-by-MGIZA = MGIZA
gold-by-fast_align = fast_align
gold-by-local = Luong local-m
gold-by-global = Luong global

gold-found = **{ $head }**{ JOSA($head, "이/가") } 단어를 가장 정확하게 정렬합니다. 사람이 만든 정답과 비교하면 오류율(AER)은 **{ PERCENT($rate, digits: 0) }입니다**.
gold-measured = 문장 쌍 { $n }개에서 AER은 { $error }이고, 대각선을 따라 연결하면 { PERCENT($diagonal) }입니다.
gold-rates-alt = 모든 맵의 정렬 오류율과 95% 신뢰구간을 낮은 순서로 표시한 그림. 가장 낮은 맵은 { $best }, AER은 { $error }.
gold-rates-file = 정렬 오류율 { $set }
gold-rates-caption = 헤드, 층 평균, 대조군의 AER과 95% 신뢰구간입니다. 낮을수록 정확하지만, AER은 단어 정렬의 척도일 뿐 번역 품질의 척도가 아닙니다.{ $published ->
    [0] {""}
   *[other] {" "}점선은 더 많은 데이터로 학습한 통계적 정렬기와 신경망 정렬기의 논문 결과입니다.
 } 헤드를 클릭하면 어텐션 행렬이 열립니다.

gold-target = 번역문 단어
gold-source = 원문 단어
gold-share = 행에서의 비율
gold-link = 정답 정렬
gold-sure = 확실
gold-possible = 가능
gold-in-file = 파일의 링크
gold-linked = 연결됨
gold-mean = 모든 헤드의 평균
gold-panel = { $map }: 확실한 정답 { $sure }개 중 { $met }개
gold-pair-other = 입력한 문장에는 정답 정렬이 없어 다음 예문으로 보여 줍니다: “{ $source }”
gold-pair-found = { $mean ->
    [none] 사람이 만든 확실한 정답 { $sure }개 가운데 { $head }{ JOSA($head, "은/는") } **{ $met }개**를 찾습니다.
   *[other] { $reading ->
        [reads] 확실한 정답 { $sure }개 가운데 { $head }{ JOSA($head, "은/는") } 단어를 읽는 행에서 **{ $met }개**, 모든 헤드의 평균은 단어를 쓰는 한 행 앞에서 **{ $shifted }개**를 찾습니다.
       *[writes] 확실한 정답 { $sure }개 가운데 { $head }{ JOSA($head, "은/는") } 단어를 쓰는 행에서 **{ $met }개**, 모든 헤드의 평균은 단어를 읽는 한 행 뒤에서 **{ $shifted }개**를 찾습니다.
    }
 }
gold-pair-numbers = 정답은 사람이 만들었습니다. 이 헤드의 정렬 오류율(AER)은 { PERCENT($error) }입니다(0이면 완벽).{ $mean ->
    [none] {""}
   *[other] {" "}그림과 같은 행에서는 평균이 { $mean }개를 찾습니다.
 }
gold-pair-none = { $head }: 링크 { $n }개. 비교할 정답 정렬을 입력하세요.
gold-pair-alt = 번역문 단어와 원문 단어의 맵 두 개 위에 정답 정렬을 표시한 그림. { $head }의 링크 { $n }개 중 { $right }개가 정답이며, 다른 맵은 모든 헤드의 평균입니다.
gold-pair-file = 정답 정렬 { $text }
gold-pair-caption = 채운 점은 확실한 정답, 고리는 가능한 정답입니다. 빨간 테두리는 행마다 비율이 가장 큰 원문 단어, 즉 헤드의 링크입니다. 비율이 `</s>`에서 가장 크면 링크가 없습니다.{ $sure ->
    [0] {""}
   *[other] {" "}정밀도는 { PERCENT($precision, digits: 0) }, 재현율은 { PERCENT($recall, digits: 0) }입니다(확실한 정답 { $sure }개 중 { $met }개).
 }
gold-ours = 이 문장 쌍과 정답은 이 앱에서 직접 만들었습니다.

gold-too-many = 링크가 { $n }개입니다. { $most }개까지만 읽으므로 목록을 줄이세요.
gold-no-link = “{ $part }”{ JOSA($part, "은/는") } 링크가 아닙니다. 0-0(확실)이나 1p2(가능)처럼 쓰고 공백으로 나누세요.
gold-no-source-word = “{ $part }”에 적힌 번호의 원문 단어가 없습니다. 원문은 { $n }단어이며 번호는 0부터 { $last }까지입니다.
gold-no-target-word = “{ $part }”에 적힌 번호의 번역문 단어가 없습니다. 번역문은 { $n }단어이며 번호는 0부터 { $last }까지입니다.
