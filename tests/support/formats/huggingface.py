"""Tiny folders as transformers writes them, with random weights and vocabularies of a few words."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

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
_MARIAN = {**_BART, "activation_function": "swish", "scale_embedding": True}
_BERT = {"num_attention_heads": 4, "hidden_size": 16, "intermediate_size": 24}
_BERT |= {"max_position_embeddings": 40, "hidden_act": "gelu"}
_T5 = {"num_heads": 4, "d_kv": 6, "d_ff": 24, "num_layers": 2, "decoder_start_token_id": 0}
_GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
KINDS = {
    "bart": ("bart", _BART),
    "mbart": ("mbart", {**_BART, "scale_embedding": True, "decoder_start_token_id": 5}),
    "m2m100": ("m2m_100", _BART),
    "nllb": ("m2m_100", {**_BART, "activation_function": "gelu"}),
    "marian": ("marian", _MARIAN),
    "marian-two": ("marian", {**_MARIAN, "share_encoder_decoder_embeddings": False}),
    "pegasus": ("pegasus", {**_BART, "activation_function": "relu", "scale_embedding": True}),
    "fsmt": ("fsmt", {**_BART, "activation_function": "relu", "langs": ["en", "de"]}),
    "bert2bert": ("encoder-decoder", {}),
    "t5": ("t5", _T5),
    "gated-t5": ("t5", {**_T5, **_GATED}),
    "mt5": ("mt5", {**_T5, **_GATED}),
}


def make(kind: str, folder: Path, **changes):
    """Write a folder of one of `KINDS`; the library's own tokenizer and model of what it holds."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    name, settings = KINDS[kind]
    tokenizer = _tokenizer(kind, folder)
    tokenizer.save_pretrained(folder)
    config = transformers.AutoConfig.for_model(
        name, **{**settings, **_sizes(kind, tokenizer), **changes}
    )
    torch.manual_seed(3)
    model = transformers.AutoModelForSeq2SeqLM.from_config(config)
    with torch.no_grad():  # no bias is zero, and no norm one
        for path, parameter in model.named_parameters():
            if "embed_positions" not in path or kind in ("bart", "mbart"):  # sines stay sines
                parameter += torch.randn_like(parameter) * 0.3
    model.save_pretrained(folder)
    return tokenizer, transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()


def _sizes(kind: str, tokenizer) -> dict:
    """Entries of a config that follow from the vocabularies."""
    ids = {f"{role}_token_id": getattr(tokenizer, f"{role}_token_id") for role in ("pad", "eos")}
    if kind == "bert2bert":
        ids |= {"eos_token_id": tokenizer.sep_token_id}
        ids |= {"decoder_start_token_id": tokenizer.cls_token_id, "tie_word_embeddings": False}
        of_both = {**_BERT, "model_type": "bert", "vocab_size": len(tokenizer)}
        decoder = {"is_decoder": True, "add_cross_attention": True, "num_hidden_layers": 3}
        return ids | {
            "encoder": {**of_both, "num_hidden_layers": 2},
            "decoder": {**of_both, **decoder},
        }
    if kind == "fsmt":
        sizes = {"src_vocab_size": len(tokenizer.encoder), "tgt_vocab_size": len(tokenizer.decoder)}
        return sizes | {"pad_token_id": 1, "eos_token_id": 2, "d_model": 16}
    ids |= {"vocab_size": len(tokenizer) + 9 + 100 * (kind == "m2m100"), "d_model": 16}
    if "marian" in kind:
        ids["decoder_start_token_id"] = ids["pad_token_id"]
    if kind == "marian-two":
        # Each vocabulary ends in its own padding, by which a target begins.
        ids["vocab_size"] = len(tokenizer)
        ids["decoder_vocab_size"] = len(tokenizer.target_encoder)
        ids["decoder_start_token_id"] = tokenizer.target_encoder["<pad>"]
    return ids


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
    if kind == "bert2bert":
        words = _bert_words()
        return transformers.BertTokenizer({word: number for number, word in enumerate(words)})
    if kind == "fsmt":
        return _fsmt_tokenizer(folder)
    if kind == "pegasus":
        return transformers.PegasusTokenizer(_pegasus_pieces(), offset=8)
    if "t5" in kind:
        return transformers.T5Tokenizer(_pieces(**_ENDS_OF_T5)[1])
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
    if kind == "marian-two":
        return _marian_of_two(folder, pieces, read)
    return transformers.MarianTokenizer(*read, str(of_words))


def _marian_of_two(folder: Path, pieces, read):
    """Tokenizer whose source has fewer pieces than its target, in another order."""
    ends = ["</s>", "<unk>"]
    words = [piece for piece, _ in pieces if piece not in (*ends, "<s>")]
    sides = {"vocab.json": words, "target_vocab.json": [*words[::-1], "nur", "▁Ziel"]}
    for file, of_side in sides.items():
        ids = {piece: number for number, piece in enumerate((*ends, *of_side, "<pad>"))}
        (folder / file).write_text(json.dumps(ids))
    files = (str(folder / file) for file in sides)
    return transformers.MarianTokenizer(*read, *files, separate_vocabs=True)


def _pieces(kind: str = "unigram", **settings):
    written = io.BytesIO()
    fixed = {"vocab_size": 40, "hard_vocab_limit": kind == "bpe", "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_TEXTS), model_writer=written, model_type=kind, **fixed, **settings
    )
    made = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return written.getvalue(), [(made.id_to_piece(i), made.get_score(i)) for i in range(len(made))]


_MASKS = ["<mask_1>", "<mask_2>", *(f"<unk_{number}>" for number in range(2, 8))]
_ENDS_OF_T5 = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}


def _pegasus_pieces() -> list[tuple[str, float]]:
    """Pieces of Pegasus with their scores: masks stand after padding and the end."""
    pad, eos, *pieces = _pieces(**_ENDS_OF_T5)[1]
    return [pad, eos, *((mask, 0.0) for mask in _MASKS), *pieces]


def write_pieces(kind: str, folder: Path) -> None:
    """Write the vocabulary of a kind as its older tokenizer keeps it, instead of tokenizer.json."""
    if kind == "pegasus":
        (folder / "spiece.model").write_bytes(_pieces(**_ENDS_OF_T5)[0])
    else:
        (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in _bert_words()))


def _bert_words() -> list[str]:
    ends = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = sorted(set("".join(_TEXTS).lower()) - {" "})
    return [*ends, *letters, *(f"##{letter}" for letter in letters), ",", "!", "the", "##at"]


class _Words:
    """Words and signs of a text, in place of the tokenizer of sacremoses."""

    def __init__(self, lang: str = "en") -> None:
        self.normalize = str

    def tokenize(self, text: str, **_options) -> list[str]:
        return re.findall(r"\w+|[^\w\s]", text)


def _fsmt_tokenizer(folder: Path):
    """Tokenizer with a piece that merges make and the vocabulary of its source lacks."""
    letters = sorted(set("".join(_TEXTS)) - {" "})
    ends = ["<s>", "<pad>", "</s>", "<unk>", "madeupword0000"]
    merges = [
        ("t", "h"),
        ("th", "e</w>"),
        ("a", "t</w>"),
        ("c", "at</w>"),
        ("H", "u"),
        ("o", "g</w>"),
    ]
    pieces = [
        *letters,
        *(f"{sign}</w>" for sign in (*letters, ",", "!")),
        "the</w>",
        "at</w>",
        "og</w>",
    ]
    sides = {"vocab-src.json": pieces, "vocab-tgt.json": [*reversed(pieces), "th", "Hu", "cat</w>"]}
    for file, of_side in sides.items():
        ids = {piece: number for number, piece in enumerate((*ends, *of_side))}
        (folder / file).write_text(json.dumps(ids))
    (folder / "merges.txt").write_text("".join(f"{one} {other} 1\n" for one, other in merges))
    files = [str(folder / file) for file in (*sides, "merges.txt")]
    stand_in = SimpleNamespace(MosesPunctNormalizer=_Words, MosesTokenizer=_Words)
    with patch.dict(sys.modules, sacremoses=stand_in):
        return transformers.FSMTTokenizer(["en", "de"], *files)
