# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } 파일의 { $field } 항목이 손상되었습니다
format-not-read = { $file }: { $field } 항목의 값 { $value }은(는) 이 앱에서 읽을 수 없습니다
format-not-read-hint = 이 항목이 없는 형식으로 변환하거나 직접 패밀리를 작성하세요(docs/adding-a-model.md).

# torch.nn: opening its attention in place

open-attention = 이 모델의 어텐션은 열 수 없습니다: { $faults }.
open-attention-none = 모델에 torch.nn.MultiheadAttention이 없습니다
open-attention-unknown = { $name }: { $what } 사용
open-attention-hint = 가중치를 직접 AttentionProbe에 통과시키세요(docs/adding-a-model.md).

# State dicts of torch.nn.Transformer

format-torch-pickle = { $file }에는 { $classes } 객체가 들어 있고, 객체가 든 파일은 불러올 때 코드를 실행할 수 있습니다
format-torch-pickle-hint = 파일을 만든 프로그램에서 가중치만 저장하세요: torch.save(model.state_dict(), "weights.pt").
format-torch-old = { $file }은(는) torch 1.6 이전 형식입니다
format-torch-old-hint = 직접 만든 프로그램에서 불러와 다시 저장하세요: torch.save(state_dict, "weights.pt").
format-torch-vocabulary = 가중치 옆에 어휘 파일이 없습니다: { $files }
format-torch-vocabulary-hint = tokenizer.json이나, 한 줄에 단어 하나씩 적은 vocab.txt를 넣으세요. 어휘가 양쪽에 따로 있으면 source_vocab.txt와 target_vocab.txt로 나누세요.
format-torch-special = 특수 토큰이 없거나 소스와 타깃에서 id가 다릅니다: 소스 { $source }, 타깃 { $target }
format-torch-special-hint = 두 어휘에 시작 토큰과 끝 토큰이 같은 id로 있어야 합니다. 알려진 이름: { $bos_id }(시작), { $eos_id }(끝), { $unk_id }(미등록), { $pad_id }(패딩).
format-torch-option = --{ $name } 값이 { $value }입니다. 가능한 값: { $known }
format-torch-option-hint = 생략하면 시험하거나 묻습니다.
format-torch-none = 설정 { $n }가지 중 pairs.json을 재현하는 것이 없습니다. 가장 가까운 설정은 { $facts }이며, { $kind ->
    [ids] 출력 id의 { PERCENT($off) }가 다릅니다
   *[logits] 로짓의 차이가 가장 큰 로짓의 { SCIENTIFIC($off) }배까지 납니다
 }.
format-torch-none-hint = 쌍을 평가 모드에서, 타깃에 인과 마스크를 쓰고 패딩 없이 계산했는지 확인하세요. 맞다면 이 모델은 다르게 계산합니다. open_attention으로 여세요(docs/adding-a-model.md).
format-torch-open = { $n ->
    [0] 파일에는 층의 계산 방식이 들어 있지 않습니다. 필요한 정보:
   *[other] 쌍 { $n }개를 재현하는 설정이 둘 이상입니다. 더 필요한 정보:
 } { $facts }.
format-torch-open-hint = 아는 값을 주세요: { $command }. 또는 입력 1~3개와 그 로짓이나 출력 id를 가중치 옆의 pairs.json에 넣으면 모든 설정을 시험합니다(docs/adding-a-model.md).
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
format-option-ends = 소스에 끝 토큰 외에 시작 토큰도 있는지 여부
