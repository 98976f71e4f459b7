# Files of other people: what is wrong with them. A block for each format.

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
