# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } 파일의 { $field } 항목이 손상되었습니다
format-not-read = { $file }: { $field } 항목의 값 { $value }은(는) 이 앱에서 읽을 수 없습니다
format-not-read-hint = 이 항목이 없는 형식으로 변환하거나 직접 패밀리를 작성하세요(docs/adding-a-model.md).

# Marian
format-marian-several = 이 폴더에는 Marian 모델이 여러 개 있습니다: { $files }. 그중 한 파일의 경로를 입력하세요.
format-marian-vocabulary = { $file } 옆에는 두 언어가 함께 쓰는 .spm 파일 하나, 또는 이름에 “src”와 “trg”가 들어간 파일 두 개가 있어야 합니다. 찾은 파일: { $found ->
    [none] 없음
   *[other] { $found }
 }
format-marian-card = Marian의 { $file } 파일을 변환했습니다. 지정 정렬(guided alignment)로 학습한 모델이라면 크로스 어텐션 { $layer }층 1번 헤드는 단어를 정렬하도록 학습시킨 헤드입니다. 그렇게 학습했는지는 파일에 적혀 있지 않습니다.
