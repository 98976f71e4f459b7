# 명령줄에서 쓰는 단어 정렬과 문장 파일.

align-command = 문장 쌍의 단어를 어텐션으로 연결하고, 쌍마다 링크를 한 줄씩 출력합니다(i-j, Pharaoh 형식).
align-path = 모델(checkpoints/ 아래의 이름이나 경로) 또는 어텐션 기록 파일(NPZ, JSON)
align-option-input = 문장 쌍 파일. 원문과 번역문을 탭이나 “|||”로 구분하거나 source와 target 열이 있는 표(TSV, JSON Lines, Parquet)로 쓰며, -는 표준 입력입니다. 기록 파일에는 필요하지 않습니다
align-option-head = 단어를 연결할 맵: 헤드(cross.1.8), 층(cross.1) 또는 모든 층(cross). 번호는 0부터 셉니다
align-option-measure = 어텐션 가중치, 가중치를 곱한 벡터의 노름, 또는 층 출력의 비율(ALTI)
align-option-row = 번역문 단어로 볼 디코더의 행: 단어를 읽는 행 또는 예측하는 행
align-option-symmetrize = 두 방향을 합치는 방법. forward는 번역문 단어마다, backward는 원문 단어마다 연결합니다
align-option-reverse = 반대 방향의 모델. 없으면 같은 맵의 열로 원문 단어를 연결합니다
align-option-reverse-head = 반대 방향 모델의 맵(기본값: 같은 이름)
align-option-gold = 정답 정렬 파일. 쌍마다 한 줄이며 0-0은 확실한 링크, 0p1은 가능한 링크입니다. AER을 출력합니다
align-option-first = 정답 파일에서 첫 단어의 번호. 0 또는 1
align-option-table = 탭으로 구분한 표로 출력합니다(원문, 번역문, 링크, 정답 링크). 앱의 “여러 문장”에서 열 수 있습니다
align-option-output = 결과를 쓸 파일. .parquet나 .jsonl로 끝나면 그 형식으로 씁니다(기본값: 표준 출력). 중단된 명령은 다시 실행하면 이어서 계산합니다
align-name = “{ $name }”: 어텐션 맵의 이름이 아닙니다.
align-hint = 사이트에 층과 헤드 번호를 0부터 세어 붙이세요: cross, cross.1, cross.1.8.
align-site = “{ $name }”: 번역문에서 원문으로 가는 어텐션 “{ $site }”{ JOSA($site, "이/가") } 없습니다. { $n ->
    [0] 이 모델에는 그런 어텐션이 하나도 없습니다.
   *[other] 사용할 수 있는 이름: { $known }.
 }
align-layer = “{ $name }”: { $site }에는 층이 { $n }개 있으며 번호는 0부터 { $last }까지입니다.
align-head = “{ $name }”: { $site }에는 헤드가 { $n }개 있으며 번호는 0부터 { $last }까지입니다.
align-alti = “{ $name }”: ALTI는 한 층 전체의 값입니다. 헤드 없이 { $site }.1처럼 지정하세요.
align-norm = “{ $name }”: 노름은 한 층에서 잽니다. 층 { $site }.1이나 헤드 { $site }.1.0처럼 지정하세요.
align-no-target = 기록 파일에 번역문 토큰이 없어 연결할 수 없습니다. 인코더-디코더의 target_tokens와 cross를 기록하세요(docs/recordings.md).
align-needs-input = 모델에는 문장 쌍이 필요합니다. 파일을 지정하세요: --input pairs.tsv.
align-own-pair = 기록 파일에 이미 문장 쌍이 있으므로 --{ $option } 옵션을 쓸 수 없습니다.
align-reverse-unused = --reverse는 원문 단어를 연결하는데 --symmetrize forward는 그 링크를 쓰지 않습니다. grow-diag-final-and 같은 다른 방법을 선택하세요.
align-told = { $name }: { $of ->
    [head] 앱에서는 { $layer }층 { $head }번 헤드입니다.
    [layer] 앱에서는 { $layer }층 모든 헤드의 평균입니다.
   *[site] 모든 층과 헤드의 평균입니다.
 }
align-rates = AER { PERCENT($error) }, 정밀도 { PERCENT($precision) }, 재현율 { PERCENT($recall) }(문장 쌍 { $n }개).
align-no-rates = AER을 계산할 수 없습니다. 정렬 결과와 정답 파일 모두에 링크가 없습니다. 두 파일이 이 문장 쌍의 것인지 확인하세요.

translate-command = 파일의 문장을 번역해 표로 출력합니다. 출력, log P, 토큰별 확률, </s> 같은 특수 토큰이 받은 평균 어텐션, 헤드별 역할이 들어 있습니다. 앱의 “여러 문장”에서 열 수 있습니다.
translate-path = 텍스트를 생성하는 모델(checkpoints/ 아래의 이름이나 경로)
translate-option-input = 한 줄에 한 문장씩 쓴 파일 또는 source 열이 있는 표(TSV, JSON Lines, Parquet). -는 표준 입력입니다
translate-option-json = 탭으로 구분한 표 대신 한 줄에 JSON 객체 하나씩 출력합니다
translate-option-beam = 빔 너비. 1이면 그리디 서치입니다
translate-option-alpha = 길이 페널티의 지수

lines-none = { $file }: 파일이 비어 있습니다. 텍스트가 한 줄 이상 있어야 합니다.
lines-encoding = { $file } { $line }행: UTF-8 텍스트가 아닙니다.
lines-encoding-hint = 파일을 UTF-8로 저장하세요.
lines-columns = { $file } { $line }행: 텍스트가 두 개 있어야 하는데 { $n }개 있습니다.
lines-columns-hint = 한 줄에 원문과 번역문을 탭이나 “|||”로 구분해 쓰세요.
lines-count = { $file }: { $n }행이지만 문장 쌍은 { $expected }개입니다. 쌍마다 한 행씩 같은 순서로 적으세요.
lines-gold = { $file } { $line }행: { $fault }
lines-gold-hint = 링크는 원문 단어 번호, -(확실) 또는 p(가능), 번역문 단어 번호의 순서입니다: 0-0 1p2. 1부터 세는 파일에는 --first 1을 쓰세요.
lines-failed = { $line }행: { $fault }
lines-failures = 결과가 없는 행이 { $n }개 있습니다.

table-large = { $file }: { $most }MB보다 큰 파일은 읽지 않습니다. 여러 파일로 나누세요.
table-lines = { $file }: { GROUPED($n) }행입니다. 여기서는 { GROUPED($most) }행까지 열 수 있습니다. 파일을 나누거나 명령(python -m model translate)을 쓰세요.
table-letters = { $file } { $line }행: { GROUPED($n) }자입니다. { GROUPED($most) }자까지 쓸 수 있으니 줄이거나 여러 행으로 나누세요.
table-twice = { $file } 1행: “{ $column }” 열이 두 개입니다. 하나의 이름을 바꾸세요.
table-many-columns = { $file }: 열이 { $n }개입니다. { $most }개까지 쓸 수 있으니 필요 없는 열을 지우세요.
table-columns = { $file } { $line }행: 1행처럼 열이 { $expected }개 있어야 하는데 { $n }개 있습니다. 빠지거나 남는 탭이 있는지 확인하세요.
table-quotes = { $file } { $line }행: 따옴표가 닫히지 않았거나 닫힌 뒤에 글자가 있습니다.
table-quotes-hint = 따옴표를 닫거나, 표를 한 줄에 객체 하나씩 JSON으로 쓰세요.
table-object = { $file } { $line }행: JSON 객체가 아닙니다.
table-object-hint = python -m model translate --json 명령은 한 줄에 객체 하나씩 출력합니다.
table-value = { $file } { $line }행 “{ $column }” 열: { $expected ->
    [number] 숫자가
    [log-prob] 확률의 로그(0 이하의 수)가
    [share] 0에서 1 사이의 수가
    [line] 1 이상의 정수가
    [list] 목록이
    [roles] next 3/4와 같은 헤드 역할이
   *[text] 5,000자 이하의 텍스트가
 } 있어야 하는데 “{ $found }”{ JOSA($found, "이/가") } 있습니다.
table-lengths = { $file } { $line }행: 토큰은 { $n }개인데 확률은 { $expected }개입니다. 토큰마다 확률이 하나씩 있어야 합니다.

corpus-option-engine = local은 이 프로세스에서, ray는 이 컴퓨터나 클러스터의 코어에서 계산합니다(선택 사항인 추가 패키지 “cluster”). ray에는 --output이 필요합니다
corpus-option-workers = Ray 프로세스의 수. 하나가 코어 하나와 모델 하나를 사용합니다(기본값: 코어마다 하나). --engine ray가 필요합니다
corpus-needs-output = --engine ray에는 결과를 쓸 파일이 필요합니다. 파일을 지정하세요: --output table.parquet.
corpus-no-ray = --engine ray에는 Ray가 필요하지만 설치되어 있지 않습니다.
corpus-no-ray-hint = 저장소 폴더에서 설치하세요: { $command }
corpus-cores = 프로세스 { $n }개에는 같은 수의 코어가 필요하지만 Ray가 쓸 수 있는 코어는 { $cores }개입니다. --workers 값을 줄이세요.
corpus-workers-local = --workers는 Ray 프로세스의 수입니다. --engine ray를 추가하거나 --workers를 빼세요.
corpus-busy = 같은 --output을 지정한 다른 명령이 실행 중이며 { $folder }에 쓰고 있습니다.
corpus-busy-hint = 그 명령이 끝날 때까지 기다리거나 다른 --output을 지정하세요.
corpus-other-job = { $folder }에 다른 작업의 결과 일부가 있습니다. 옵션이나 파일이 다르거나 모델이 바뀌었습니다.
corpus-other-job-hint = 이전 명령을 다시 실행해 끝내거나, 폴더를 지우거나, 다른 --output을 지정하세요.
corpus-parquet = { $file }: Parquet 파일이 아니거나 손상된 파일입니다.
corpus-column = { $file }: “{ $column }” 열이 없습니다. 파일의 열: { $names }.
corpus-text = { $file } { $line }행 “{ $column }” 열: 텍스트가 있어야 하는데 { $value }{ JOSA($value, "이/가") } 있습니다.
