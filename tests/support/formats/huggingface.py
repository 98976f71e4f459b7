"""Tiny folders as transformers writes them, with random weights and vocabularies of a few words."""

from __future__ import annotations

import io
import json
from pathlib import Path

import sentencepiece
import torch
import transformers

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
_TEXTS = ("the cat sat on the mat", "a dog sees a cat", "der Hund sieht die Katze") * 9
_BART = {
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 24),
    **{"encoder_layers": 2, "decoder_layers": 3, "max_position_embeddings": 40},
}
_T5 = {"num_heads": 4, "d_kv": 6, "d_ff": 24, "num_layers": 2, "decoder_start_token_id": 0}
_GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
KINDS = {
    "bart": ("bart", _BART),
    "mbart": ("mbart", {**_BART, "scale_embedding": True, "decoder_start_token_id": 5}),
    "m2m100": ("m2m_100", _BART),
    "nllb": ("m2m_100", {**_BART, "activation_function": "gelu"}),
    "marian": ("marian", {**_BART, "activation_function": "swish", "scale_embedding": True}),
    "t5": ("t5", _T5),
    "gated-t5": ("t5", {**_T5, **_GATED}),
    "mt5": ("mt5", {**_T5, **_GATED}),
}


def make(kind: str, folder: Path, **changes):
    """Write a folder of one of `KINDS`; the library's own tokenizer and model of what it holds."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer(kind, folder)
    tokenizer.save_pretrained(folder)
    name, settings = KINDS[kind]
    ids = {"vocab_size": len(tokenizer) + 9 + 100 * (kind == "m2m100"), "d_model": 16}
    ids |= {f"{role}_token_id": getattr(tokenizer, f"{role}_token_id") for role in ("pad", "eos")}
    if kind == "marian":
        ids["decoder_start_token_id"] = ids["pad_token_id"]
    config = transformers.AutoConfig.for_model(name, **{**settings, **ids, **changes})
    torch.manual_seed(3)
    model = transformers.AutoModelForSeq2SeqLM.from_config(config)
    with torch.no_grad():  # no bias is zero, and no norm one
        for parameter in model.parameters():
            parameter += torch.randn_like(parameter) * 0.3
    model.save_pretrained(folder)
    return tokenizer, transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()


def _tokenizer(kind: str, folder: Path):
    if kind == "bart":
        letters = sorted(transformers.BartTokenizer().backend_tokenizer.pre_tokenizer.alphabet())
        return transformers.BartTokenizer({t: i for i, t in enumerate(SPECIAL + letters)}, [])
    if kind == "mbart":
        vocabulary = [(t, 0.0) for t in (*SPECIAL, "en_XX", "de_DE")] + _pieces()[1][3:]
        return transformers.MBartTokenizer(vocabulary, src_lang="en_XX")
    if kind == "nllb":
        words = {t: i for i, t in enumerate((*SPECIAL, *sorted(set("▁".join(_TEXTS)))))}
        return transformers.NllbTokenizer(words, [], src_lang="eng_Latn")
    if "t5" in kind:
        return transformers.T5Tokenizer(_pieces(pad_id=0, eos_id=1, unk_id=2, bos_id=-1)[1])
    proto, pieces = _pieces("bpe" if kind == "m2m100" else "unigram")
    words = ["nur▁Ziel", "<pad>", *(piece for piece, _ in reversed(pieces))]
    of_words = folder / "vocab.json"
    of_words.write_text(json.dumps({piece: number for number, piece in enumerate(words)}))
    joint = kind == "m2m100"
    files = ("sentencepiece.bpe.model",) if joint else ("source.spm", "target.spm")
    for file in files:
        (folder / file).write_bytes(proto)
    read = [str(folder / file) for file in files]
    if joint:
        return transformers.M2M100Tokenizer(str(of_words), *read, src_lang="de")
    return transformers.MarianTokenizer(*read, str(of_words))


def _pieces(kind: str = "unigram", **settings):
    written = io.BytesIO()
    fixed = {"vocab_size": 40, "hard_vocab_limit": kind == "bpe", "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_TEXTS), model_writer=written, model_type=kind, **fixed, **settings
    )
    made = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return written.getvalue(), [(made.id_to_piece(i), made.get_score(i)) for i in range(len(made))]
