# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } 파일의 { $field } 항목이 손상되었습니다
format-not-read = { $file }: { $field } 항목의 값 { $value }은(는) 이 앱에서 읽을 수 없습니다
format-not-read-hint = 이 항목이 없는 형식으로 변환하거나 직접 패밀리를 작성하세요(docs/adding-a-model.md).

# Hugging Face

format-large = 이 모델의 파라미터는 { GROUPED($n) }개인데, { GROUPED($most) }개까지만 열 수 있습니다
format-large-hint = 더 큰 모델은 가속기 없이 모든 헤드를 보여 주기에 너무 느립니다. opus-mt나 t5-small처럼 더 작은 모델을 선택하세요.
format-pickle = { $file } 파일은 { $classes } 클래스를 요구하는 pickle 파일입니다. 여기서는 pickle 파일에서 텐서만 읽습니다
format-pickle-hint = transformers에서 다시 저장하세요. AutoModelForSeq2SeqLM.from_pretrained(folder).save_pretrained(folder)를 실행하면 model.safetensors 파일이 만들어집니다.
format-start-in-two = transformers에서 목표 문장은 두 토큰, 즉 시작 토큰과 언어 토큰처럼 강제로 주어지는 토큰으로 시작합니다. 여기서는 첫 토큰만 주어지고 두 번째 토큰은 모델이 직접 고릅니다.
