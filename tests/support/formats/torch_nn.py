"""Tiny models around `torch.nn.Transformer` as people write them, saved with what lies beside."""

from __future__ import annotations

import json
from pathlib import Path

import safetensors.torch
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from torch import Tensor, nn

from model.nets.sublayers import sinusoidal_encoding

WORDS = ("<pad>", "<unk>", "<bos>", "<eos>", "the", "cat", "dog", "sees", "a", "man", "runs")
READ = (([4, 5, 7, 8, 6, 3], [2, 4, 9, 10]), ([8, 9, 10, 3], [2, 6, 7]))
LENGTH = 20


class Own(nn.Module):
    """With one embedding or, as torch's tutorial has it, `sides` of their own."""

    def __init__(
        self,
        positions="learned",
        *,
        sides=False,
        scale=False,
        tied=False,
        width=12,
        heads=3,
        **told,
    ):
        super().__init__()
        names = ("src_tok_emb", "tgt_tok_emb") if sides else ("tok_emb",)
        self.tables = nn.ModuleDict({name: nn.Embedding(len(WORDS), width) for name in names})
        self.scale = width**0.5 if scale else 1.0
        sizes = {"dim_feedforward": 16, "num_encoder_layers": 2, "num_decoder_layers": 3}
        self.transformer = nn.Transformer(width, heads, batch_first=True, **(sizes | told))
        self.generator = nn.Linear(width, len(WORDS))
        if positions == "learned":
            self.position = nn.Embedding(LENGTH, width)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.5)
        if tied:
            self.generator.weight = self.tables[names[-1]].weight
        if positions != "learned":
            table = sinusoidal_encoding(LENGTH, width, layout=positions.split()[0])
            self.register_buffer("pe", table[:, None], persistent="unsaved" not in positions)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        tables = list(self.tables.values())
        places = self.pe[:, 0] if hasattr(self, "pe") else self.position.weight
        read = [
            table(ids) * self.scale + places[: ids.shape[1]]
            for table, ids in ((tables[0], src), (tables[-1], tgt))
        ]
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.shape[1])
        return self.generator(self.transformer(*read, tgt_mask=mask))


def make(folder: Path, file: str = "weights.safetensors", n_pairs: int = 1, **told) -> Own:
    """Write a folder; the model whose weights it holds."""
    torch.manual_seed(3)
    model = Own(**told).eval()
    save(model.state_dict(), folder / file)
    vocabulary(folder / "tokenizer.json")
    with torch.inference_mode():
        logits = [model(*(torch.tensor([ids]) for ids in pair))[0] for pair in READ[:n_pairs]]
    pairs = [
        {"input_ids": src, "target_ids": tgt, "logits": made.tolist()}
        for (src, tgt), made in zip(READ, logits, strict=False)
    ]
    if pairs:
        (folder / "pairs.json").write_text(json.dumps(pairs))
    return model


def save(state: object, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".safetensors":
        safetensors.torch.save_file({n: t.clone() for n, t in state.items()}, path)
    else:
        torch.save(state, path)


def vocabulary(path: Path, around: str = "$A <eos>") -> None:
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    if around:
        special = [(word, WORDS.index(word)) for word in ("<bos>", "<eos>")]
        tokenizer.post_processor = processors.TemplateProcessing(around, special_tokens=special)
    tokenizer.save(str(path))
