# Files of other people: what is wrong with them. A block for each format.

# 경로에 있는 모델 열기

format-unknown = { $name }{ JOSA($name, "은/는") } 이 앱에서 열 수 있는 모델이 아닙니다. 들어 있는 파일: { $found }. 지원 형식: { $known }
format-unknown-hint = 지원하는 형식으로 변환하거나 docs/adding-a-model.md를 참고하세요.
format-lies-here = 이 폴더에 { $file } 파일이 있습니다. 다음 명령으로 여세요: python -m model open { $path }
format-unread = { $name }{ JOSA($name, "을/를") } 읽을 수 없습니다: { $error }
format-many = { $name }에 파일이 { $n }개보다 많습니다
format-many-hint = 모델만 들어 있는 폴더를 지정하세요.
format-link = { $file }{ JOSA($file, "은/는") } 폴더 밖을 가리키는 링크입니다
format-link-hint = 링크가 가리키는 파일까지 복사한 뒤 그 폴더를 여세요: cp -rL { $path } COPY
format-options = { $format } 형식에는 { $names } 옵션이 없습니다. 사용할 수 있는 옵션: { $known }
format-unfit-hint = 파일을 { $format } 형식으로 읽었습니다. 설정과 텐서가 같은 모델의 것인지 확인하세요.
format-fails = { $name }{ JOSA($name, "을/를") } { $format } 형식으로 읽을 수 없습니다: { $error }
format-name = { $folder } 폴더가 이미 있거나 체크포인트 폴더로 쓸 수 없습니다
format-name-hint = 다른 이름을 지정하세요: --name NAME
format-command = 다른 도구의 모델(폴더나 파일)을 엽니다. 변환하고, 문장 여덟 개로 모든 기능을 검사하고, checkpoints/ 아래에 저장합니다. 지원 형식: { $formats }.
format-opened = { $folder }에 저장했습니다. `make app`을 실행한 뒤 http://localhost:8501/?checkpoint={ $name } 주소를 여세요
format-proof = { $format } 형식에서 변환한 모델입니다. 문장 { $sentences }개로 검사한 결과 선언된 기능 { $claims }개 가운데 { $holding }개가 맞으며 최대 차이는 { $difference }입니다
format-unproved = 맞지 않아 제공하지 않는 기능: { $claims }

# 외부 패밀리

model-families-import = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }{ JOSA($module, "을/를") } 가져올 수 없습니다: { $error }
model-families-none = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }에 FAMILY나 FAMILIES라는 이름의 Family가 없습니다
model-families-taken = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }의 패밀리 { $names }{ JOSA($names, "은/는") } 이미 있습니다

# 형식에 관한 말

format-damaged = { $file } 파일의 { $field } 항목이 손상되었습니다
format-not-read = { $file }: { $field } 항목의 값 { $value }은(는) 이 앱에서 읽을 수 없습니다
format-not-read-hint = 이 항목이 없는 형식으로 변환하거나 직접 패밀리를 작성하세요(docs/adding-a-model.md).

# CTranslate2

format-ctranslate2-pieces = { $side ->
    [source] 원문
   *[target] 번역문
 } 어휘에 { $piece } 같은 단어 조각이 있지만, 텍스트를 조각으로 나누는 방법이 파일에 없습니다
format-ctranslate2-pieces-hint = 모델의 SentencePiece 파일을 model.bin과 같은 폴더에 sentencepiece.model 또는 source.spm과 target.spm이라는 이름으로 넣으세요.
format-ctranslate2-start = config.json의 decoder_start_token이 null입니다. 번역문의 언어처럼 맨 앞에 둘 토큰을 직접 지정해야 합니다
format-ctranslate2-start-hint = 대상 어휘에 있는 토큰을 지정하세요: --start TOKEN
format-option-start = 파일에 시작 토큰이 정해져 있지 않을 때 번역문 맨 앞에 둘 토큰(CTranslate2)

# Marian
format-option-guided = yes: 지정 정렬(guided alignment)로 학습한 모델이므로 단어를 정렬하는 헤드를 표시합니다(Marian)
format-marian-several = 이 폴더에는 Marian 모델이 여러 개 있습니다: { $files }. 그중 한 파일의 경로를 입력하세요.
format-marian-vocabulary = { $file } 옆에는 두 언어가 함께 쓰는 .spm 파일 하나, 또는 이름에 “src”와 “trg”가 들어간 파일 두 개가 있어야 합니다. 찾은 파일: { $found ->
    [none] 없음
   *[other] { $found }
 }
format-marian-card = Marian의 { $file } 파일을 변환했습니다. 지정 정렬(guided alignment)로 학습한 모델이라면 크로스 어텐션 { $layer }층 1번 헤드는 단어를 정렬하도록 학습시킨 헤드입니다. 그렇게 학습했는지는 파일에 적혀 있지 않습니다.
