# Files of other people: what is wrong with them. A block for each format.

# 경로에 있는 모델 열기

format-unknown = { $name }{ JOSA($name, "은/는") } 이 앱에서 열 수 있는 모델이 아닙니다. 들어 있는 파일: { $found }. 지원 형식: { $known }
format-unknown-hint = 지원하는 형식으로 변환하거나 docs/adding-a-model.md를 참고하세요.
format-lies-here = 이 폴더에 { $file } 파일이 있습니다. 다음 명령으로 여세요: python -m model open { $path }
format-unread = { $name }{ JOSA($name, "을/를") } 읽을 수 없습니다: { $error }
format-many = { $name }에 파일이 { $n }개보다 많습니다
format-many-hint = 모델만 들어 있는 폴더를 지정하세요.
format-archive = { $file }{ JOSA($file, "은/는") } 압축 파일입니다. 압축을 풀고 그 폴더를 여세요.
format-pointer = { $files } 자리에 파일 자체가 아니라 Git LFS 포인터만 있습니다
format-pointer-hint = 파일을 받은 뒤 모델을 다시 여세요: git -C { $path } lfs pull
format-hub = 여기에는 { $name } 폴더가 없으며, 이 앱은 허브에서 모델을 내려받지 않습니다
format-hub-hint = 모델을 내려받은 뒤 그 폴더를 여세요: hf download { $name } --local-dir { $folder }
format-cache = { $path } 폴더에서 현재 스냅숏을 정할 수 없습니다. 찾은 스냅숏: { $found }
format-cache-hint = 그 안의 폴더 가운데 하나의 경로를 입력하세요.
format-link = { $file }{ JOSA($file, "은/는") } 폴더 밖을 가리키는 링크입니다
format-link-hint = 링크가 가리키는 파일까지 복사한 뒤 그 폴더를 여세요: cp -rL { $path } COPY
format-options = { $format } 형식에는 { $names } 옵션이 없습니다. 사용할 수 있는 옵션: { $known }
format-unfit-hint = 파일을 { $format } 형식으로 읽었습니다. 설정과 텐서가 같은 모델의 것인지 확인하세요.
format-fails = { $name }{ JOSA($name, "을/를") } { $format } 형식으로 읽을 수 없습니다: { $error }
format-name = { $folder } 폴더가 이미 있거나 체크포인트 폴더로 쓸 수 없습니다
format-name-hint = 다른 이름을 지정하세요: --name NAME
format-command = 다른 도구의 모델(폴더나 파일)을 엽니다. 변환하고, 문장 여덟 개로 모든 기능을 검사하고, checkpoints/ 아래에 저장합니다. 지원 형식: { $formats }.
format-opened = { $folder }에 저장했습니다. `{ $command }`{ JOSA($command, "을/를") } 실행한 뒤 http://localhost:8501/?checkpoint={ $name } 주소를 여세요
format-opened-alone = { $variable }{ JOSA($variable, "은/는") } 앱에 포함된 모델을 대체합니다. 함께 쓰려면 값 끝에 { $end }{ JOSA($end, "을/를") } 붙이세요.
format-proof = { $format } 형식에서 변환한 모델입니다. 문장 { $sentences }개로 검사한 결과 선언된 기능 { $claims }개 가운데 { $holding }개가 맞으며 최대 차이는 { $difference }입니다
format-unproved = 맞지 않아 제공하지 않는 기능: { $claims }

# 외부 패밀리

model-families-import = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }{ JOSA($module, "을/를") } 가져올 수 없습니다: { $error }
model-families-none = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }에 FAMILY나 FAMILIES라는 이름의 Family가 없습니다
model-families-taken = ATTENTION_LAB_FAMILIES에 적힌 모듈 { $module }의 패밀리 { $names }{ JOSA($names, "은/는") } 이미 있거나 두 번 나옵니다

# 형식에 관한 말

format-damaged = { $file } 파일의 { $field } 항목이 손상되었습니다
format-not-read = { $file }: { $field } 항목의 값 { $value }{ JOSA($value, "은/는") } 이 앱에서 읽을 수 없습니다
format-not-read-hint = 이 항목이 없는 형식으로 변환하거나 직접 패밀리를 작성하세요(docs/adding-a-model.md).
format-contradicts = { $file } 파일과 { $other } 파일이 같은 모델의 것이 아닙니다: { $fault }
format-contradicts-hint = 같은 배포본의 { $file } 파일과 { $other } 파일을 한 폴더에 넣으세요.
format-contradicts-size = { $file } 파일의 토큰은 { GROUPED($n) }개인데 모델의 임베딩은 { GROUPED($rows) }행입니다
format-contradicts-special = { $entry } 값은 { $id }이고 어휘에서 이 id의 토큰은 { $token }인데, { $name } 토큰의 id는 { $found }입니다
format-contradicts-token = { $entry } 토큰으로 지정된 { $token }{ JOSA($token, "이/가") } 어휘에 없습니다
format-contradicts-order = { $token } 토큰의 id가 앞 파일에서는 { $id }, 뒤 파일에서는 { $found }입니다
format-contradicts-pieces = 토큰 { GROUPED($n) }개 가운데 { GROUPED($common) }개만 두 파일에 모두 있습니다
format-contradicts-ids = 특수 토큰의 id가 앞 파일에서는 { $ids }, 뒤 파일에서는 { $others }입니다
format-model-type = config.json: model_type이 { $value }인데, { $part ->
    [encoder] 디코더가 없는 인코더입니다. 이 앱은 인코더-디코더({ $known })를 엽니다
    [decoder] 인코더가 없는 디코더입니다. 이 앱은 인코더-디코더({ $known })를 엽니다
   *[other] 이 앱이 지원하는 인코더-디코더({ $known })가 아닙니다
 }
format-record-hint = 어텐션은 기록 파일로 볼 수 있습니다. 모델을 불러올 때 `{ $eager }` 인자를 주고, viz.notebook의 record를 가져와 `{ $record }` 코드를 실행하세요. `{ $save }` 코드로 저장한 파일을 *어텐션 헤드* 페이지에 끌어다 놓으면 됩니다(docs/recordings.md).

# CTranslate2

format-ctranslate2-pieces = { $side ->
    [source] 원문
   *[target] 번역문
 } 어휘에 { $piece } 같은 서브워드가 있지만, 텍스트를 서브워드로 나누는 방법이 어느 파일에도 없습니다
format-ctranslate2-pieces-hint = 모델의 SentencePiece 파일을 model.bin과 같은 폴더에 sentencepiece.model 또는 source.spm과 target.spm이라는 이름으로 넣거나, tokenizer.json을 넣으세요.
format-ctranslate2-start = config.json의 decoder_start_token이 null입니다. 번역문의 언어처럼 맨 앞에 둘 토큰을 직접 지정해야 합니다
format-ctranslate2-start-hint = 번역문 어휘에 있는 토큰을 지정하세요: --start TOKEN
format-option-start = 파일에 시작 토큰이 정해져 있지 않을 때 번역문 맨 앞에 둘 토큰(CTranslate2)

# Marian
format-option-guided = yes: 지정 정렬(guided alignment)로 학습한 모델이므로 단어를 정렬하는 헤드를 표시합니다(Marian, CTranslate2)
format-marian-several = 이 폴더에는 Marian 모델이 여러 개 있습니다: { $files }. 그중 한 파일의 경로를 입력하세요.
format-marian-vocabulary = { $file } 옆에는 두 언어가 함께 쓰는 { $kind } 파일 하나, 또는 이름에 “src”와 “trg”가 들어간 파일 두 개가 있어야 합니다. 찾은 파일: { $found ->
    [none] 없음
   *[other] { $found }
 }
format-marian-card = Marian의 { $file } 파일을 변환했습니다. 지정 정렬(guided alignment)로 학습한 모델이라면 크로스 어텐션 { $layer }층 1번 헤드는 단어를 정렬하도록 학습시킨 헤드입니다. 그렇게 학습했는지는 파일에 적혀 있지 않습니다.
# Hugging Face

format-large = 이 모델의 파라미터는 { GROUPED($n) }개인데, { GROUPED($most) }개까지만 열 수 있습니다
format-large-hint = 더 큰 모델은 GPU가 없으면 모든 헤드를 보여 주는 페이지에 쓰기에는 너무 느립니다. opus-mt나 t5-small처럼 더 작은 모델을 선택하거나, 모델을 실행하는 곳에서 어텐션을 기록하세요(docs/recordings.md).
format-pickle = { $file } 파일은 { $classes } 클래스를 요구하는 pickle 파일입니다. 여기서는 pickle 파일에서 텐서만 읽습니다
format-pickle-hint = transformers에서 다시 저장하세요. AutoModelForSeq2SeqLM.from_pretrained(folder).save_pretrained(folder)를 실행하면 model.safetensors 파일이 만들어집니다.
format-start-in-two = transformers에서는 모든 번역문이 시작 토큰과 언어 토큰 같은 강제 토큰, 이 두 토큰으로 시작합니다. 여기서는 시작 토큰만 지정하고 두 번째 토큰은 모델이 고릅니다. 두 토큰을 모두 지정하려면 --language에 어휘에 있는 언어를 넣어 여세요.
format-begins = 모든 번역문은 transformers에서처럼 시작 토큰과 { $token }, 두 토큰으로 시작합니다. 디코더는 { $token } 토큰을 읽지만, 이 토큰은 번역문 텍스트에 들어가지 않습니다.
format-language = 어휘에 { $language } 언어의 토큰이 없습니다. 있는 언어 토큰: { $known }
format-option-language = 번역문의 언어. 코드 또는 어휘에 있는 토큰으로 지정: fr, fra_Latn, fr_XX(Hugging Face)
# torch.nn: opening its attention in place

open-attention = 이 모델의 어텐션은 열 수 없습니다: { $faults }.
open-attention-none = 모델에 torch.nn.MultiheadAttention이 없습니다
open-attention-unknown = { $name }: { $what } 사용
open-attention-hint = 가중치를 직접 AttentionProbe에 통과시키세요(docs/adding-a-model.md).

# State dicts of torch.nn.Transformer

format-torch-pickle-hint = 파일을 만든 프로그램에서 가중치만 저장하세요: torch.save(model.state_dict(), PATH).
format-torch-vocabulary = 가중치 옆에 어휘 파일이 없습니다: { $files }
format-torch-vocabulary-hint = tokenizer.json이나, 한 줄에 단어 하나씩 적은 vocab.txt를 넣으세요. 어휘가 양쪽에 따로 있으면 source_vocab.txt와 target_vocab.txt로 나누세요.
format-torch-special = 특수 토큰이 없거나 원문과 번역문에서 id가 다릅니다: 원문 { $source }, 번역문 { $target }
format-torch-special-hint = 두 어휘에 시작 토큰과 종료 토큰이 같은 id로 있어야 합니다. 알려진 이름: { $bos_id }(시작), { $eos_id }(종료), { $unk_id }(미등록), { $pad_id }(패딩).
format-torch-option = --{ $name } 값이 { $value }입니다. 가능한 값: { $known }
format-torch-option-hint = 생략하면 가능한 값을 모두 시험하고, 그래도 정할 수 없으면 되묻습니다.
format-torch-none = 설정 { $n }가지 중 pairs.json을 재현하는 것이 없습니다. 가장 가까운 설정은 { $facts }이며, { $kind ->
    [ids] 출력 id의 { PERCENT($off) }{ JOSA(PERCENT($off), "이/가") } 다릅니다
   *[logits] 로짓의 차이가 가장 큰 로짓의 { SCIENTIFIC($off) }배까지 납니다
 }.
format-torch-none-hint = 쌍을 평가 모드에서, 번역문에 인과 마스크를 쓰고 패딩 없이 계산했는지 확인하세요. 쌍에 문제가 없다면 모델의 계산 방식이 다른 것이므로 open_attention으로 여세요(docs/adding-a-model.md).
format-torch-open = { $n ->
    [0] 파일에는 층의 계산 방식이 들어 있지 않습니다. 필요한 정보:
   *[other] 쌍 { $n }개를 재현하는 설정이 둘 이상입니다. 더 필요한 정보:
 } { $facts }.
format-torch-open-hint = 아는 값을 지정하세요: { $command }. 또는 입력 한 개에서 세 개와 그 로짓이나 출력 id를 가중치 옆의 pairs.json에 넣으면 모든 설정을 시험합니다(docs/adding-a-model.md).
format-torch-found = torch.nn.Transformer, { $facts }{ $n ->
    [0] {""}
   *[other] : 예시 쌍 { $n }개를 재현, 차이 최대 { SCIENTIFIC($off) }
 }
format-torch-fact = { $what } (--{ $option }: { $values })
format-option-heads = 어텐션 헤드 수(nhead)
format-option-norm = LayerNorm이 서브레이어의 앞인지 뒤인지(norm_first)
format-option-activation = 피드포워드 네트워크의 활성화 함수
format-option-scale = 임베딩에 √d_model을 곱하는지 여부
format-option-positions = 위치 인코딩의 방식(파일에 표가 없을 때)
format-option-ends = 원문에 종료 토큰 외에 시작 토큰도 있는지 여부
