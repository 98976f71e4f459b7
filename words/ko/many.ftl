# 여러 문장의 표: 파일, 열, 정렬.

many-open = 파일 열기
many-file = 문장, 문장 쌍 또는 표
many-file-help = 한 줄에 한 문장씩 쓴 텍스트(500문장까지), 원문과 번역문을 탭이나 “|||”로 구분한 문장 쌍, python -m model translate나 align 명령으로 만든 표를 열 수 있습니다. 파일은 이 세션의 메모리에만 있습니다.
many-links = 이 문장 쌍의 정렬
many-links-help = Pharaoh 형식이며 표의 행마다 한 줄입니다. “0-0 2-1”의 0-0은 원문 0번 단어와 번역문 0번 단어를 연결합니다. python -m model align 명령으로 만들 수 있습니다.
many-first = 정답의 첫 단어 번호
many-first-0 = 0
many-first-1 = 1
many-first-help = 정답 파일에서 문장의 첫 단어를 세는 번호입니다.
many-gold = 정답 정렬
many-gold-help = 사람이 만든 링크이며 행마다 한 줄입니다. “0-0”은 확실한 정답, “1p2”는 가능한 정답입니다.
many-close = 파일 닫기
many-cancel = 취소
many-again = 다시 계산
many-again-help = 지금 선택한 모델과 탐색 설정으로 파일을 다시 계산합니다.
many-working = { $file }의 문장 { GROUPED($n) }개를 모델에 입력하고 있습니다. 취소하면 열려 있던 표가 그대로 남습니다.
many-kept = 아래에는 “{ $file }” 표가 그대로 표시됩니다.
translate-table-progress = 문장 번역 중…
force-table-progress = 문장 쌍 계산 중…

many-column-line = 행
many-column-source = 원문
many-column-target = 번역문
many-column-target-help = 파일에 있던 번역문입니다. 수치는 이 번역문을 교사 강요로 입력해 계산했습니다.
many-column-output = 출력
many-column-log_prob = log P
many-column-log_prob-help = 출력 전체의 확률에 자연로그를 취한 값으로, 토큰별 log p의 합입니다.
many-column-score = 점수
many-column-score-help = log P를 길이 페널티로 나눈 값이며, 파일에 있는 그대로입니다.
many-column-lowest = 최저 확률
many-column-lowest-help = 출력에서 확률이 가장 낮은 토큰의 확률입니다.
many-column-probabilities = 토큰별 확률
many-column-probabilities-help = 첫 토큰부터 </s>까지 출력 토큰의 확률입니다. 막대의 범위는 0에서 1입니다.
many-column-end_share = </s> 비율
many-column-end_share-help = 원문의 </s> 같은 특수 토큰에 주는 크로스 어텐션의 비율로, 모든 층, 헤드, 출력 토큰의 평균입니다.
many-column-roles = 역할을 하는 헤드
many-column-roles-help = 역할이 측정된 헤드 가운데 이 문장에서 그 역할을 보이는 헤드의 비율입니다. 행들의 평균이 역할의 최솟값에 이르면 보이는 것으로 셉니다(docs/roles.md). 정렬과 선행사 헤드는 단어 쌍을 알아야 하므로 제외합니다.
many-column-aer = 오류율(AER)
many-column-aer-help = 이 문장의 정렬 오류율입니다. 파일의 링크 A, 확실한 정답 S, 전체 정답 P로 1 − (|A∩S| + |A∩P|) / (|A| + |S|)를 계산합니다(Och and Ney 2003).
many-column-error = 오류
many-table-alt = 문장 { $n }개의 출력, log P와 그 밖의 수치를 담은 표. 행을 클릭하면 그 문장이 열립니다.

many-found = { $place }행: 출력에서 확률이 가장 낮은 토큰은 “{ $token }”(**{ PERCENT($lowest, digits: 0) }**)입니다. 출력 전체의 log P는 **{ FIXED($log_prob) }입니다**.
many-weakest = 문장 { $n }개 가운데 확률이 50%보다 낮은 토큰이 있는 문장은 { $unsure }개입니다. { $weakest ->
    [0] 가장 낮은 토큰은 이 행에 있습니다.
   *[other] 가장 낮은 토큰은 { $weakest }행에 있습니다({ PERCENT($least, digits: 0) }).
 }
many-log-prob = { $place }행: log P는 **{ FIXED($log_prob) }**입니다.
many-opened = 모든 페이지에 { $place }행이 열려 있습니다.
many-none = 표의 행 { $n }개에 위의 문장이 없습니다. 행을 클릭하면 그 문장이 모든 페이지에서 열립니다.
many-aligned = 정렬 오류율(AER)은 문장 쌍 { $n }개에서 { $place ->
    [0] { PERCENT($rate) }입니다.
   *[other] **{ PERCENT($rate) }**, { $place }행에서 { PERCENT($own) }입니다.
 }
many-row = { $place }행: { $source } → { $written }
many-columns = log P: 0이면 확실. 토큰별 확률: 막대 0–100%. </s> 비율: 특수 토큰의 크로스 어텐션. 역할을 하는 헤드: 여기서도 역할대로 주목하는 비율.
many-roles = 역할이 있는 헤드 { $n }개 가운데 { $shown }개가 이 문장에서도 역할대로 주목합니다. { $roles }
many-role = { $role } { $n }개 중 { $shown }개

many-examples = 이 모델의 예문입니다. 문장 파일이나 명령으로 만든 표를 열어 보세요.
many-from-file = { $file }: 모델과 상관없이 파일에 있는 수치입니다.
many-made-sentences = { $file }: 모델 { $model }의 번역입니다(빔 너비 { $width }, 길이 페널티 α = { SHORT($alpha) }).
many-made-pairs = { $file }: 파일의 번역문을 모델 { $model }에 교사 강요로 입력했습니다.

many-long = 이 쌍은 한쪽의 단어가 { $most }개보다 많아 알아볼 수 있는 격자로 그릴 수 없습니다. 더 짧은 쌍을 고르세요.
many-no-words = 이 쌍은 한쪽이 비어 있어 연결할 단어가 없습니다. 다른 행을 고르세요.
many-links-alt = { $line }행의 번역문 단어(행)와 원문 단어(열)의 격자. 파일의 링크는 { $n }개{ $rated ->
    [yes] , 그중 정답 링크는 { $right }개이며 AER은 { PERCENT($rate) }
   *[no] {""}
 }.
many-links-file = 링크 { $text }
many-links-caption = 채운 칸은 파일의 링크입니다.{ $gold ->
    [0] {""}
   *[other] {" "}점은 확실한 정답, 고리는 가능한 정답입니다. 링크 { $n }개 중 { $right }개가 정답 링크입니다.
 }
