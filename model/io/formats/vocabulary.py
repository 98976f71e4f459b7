"""Foreign vocabularies under this project's names of special tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

from tokenizers import AddedToken, Tokenizer, models

from core.storage import DamageError, checked
from words import Message, english

from ...config import TransformerConfig
from ...errors import CheckpointError
from ...special_tokens import SPECIAL, UNK
from ...tokenizer import ABSENT, TextTokenizer
from .reading import contradicts, damaged

SPELLED: Mapping[str, tuple[str, ...]] = {
    "pad_id": ("<pad>", "[PAD]", "<blank>"),
    "unk_id": ("<unk>", "[UNK]"),
    "bos_id": ("<s>", "<bos>", "<sos>", "<start>", "[BOS]", "[SOS]", "[CLS]"),
    "eos_id": ("</s>", "<eos>", "<end>", "[EOS]", "[SEP]"),
}
"""Names of special tokens elsewhere, by the entry of a config that holds their ids."""
_LANGUAGE = r"__\w+__|[a-z]{2,3}_[A-Z]\w+"
_SPOKEN = {
    "source": ("source_lang", "src_lang", "from_code"),
    "target": ("target_lang", "tgt_lang", "to_code"),
}
_PAIR = re.compile(
    r"(?:(?:.*[-_])?(?:opus|mt|nmt|marian|bart|translate|model|big|base|tiny|large|small)[-_.])?"
    r"([a-z]{2,3})[-_]([a-z]{2,3})(?:[-_.]v?\d[\w.]*)?"
)
_SHOWN = 12  # languages that an error lists
_PADDED_TO = (1, 8, 16, 32, 64, 128)  # multiples to which tables are padded for speed
# One line ``token: id`` of YAML, the token quoted or plain. A parser of YAML would be another
# dependency.
_LINE = re.compile(
    r"""(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)'|(?P<plain>[^\s"'].*?))\s*:\s+"""
    r"""(?P<id>\d{1,9})\s*"""
)
_LONGEST_LINE = 4096
_ESCAPE = re.compile(r"\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "N": "\x85", "_": "\xa0"}


def named_sides(
    config: TransformerConfig, source: Tokenizer, target: Tokenizer
) -> dict[str, TextTokenizer]:
    """Apply `named` to both sides by the ids and sizes of a config, once for a shared object."""
    ids = {entry: getattr(config, entry) for entry in SPECIAL}
    of_source = named(source, ids, config.source_vocab_size)
    of_target = of_source if target is source else named(target, ids, config.vocab_size)
    return {"source": of_source, "target": of_target}


def spoken(*facts: Mapping[str, Any], source: str = "", target: str = "") -> list[str]:
    """Return the languages of source and target.

    `source`, `target`: languages that the files themselves name. For a side without one, the first
    of `facts` that names a language counts; if none does, the side stands for itself.
    """
    languages = {"source": source, "target": target}
    for side, entries in _SPOKEN.items():
        stated = (settings.get(entry) for settings in facts for entry in entries)
        codes = (code for code in stated if isinstance(code, str) and code)
        languages[side] = languages[side] or next(codes, side)
    return [*languages.values()]


def named_languages(name: str) -> dict[str, str]:
    """Return the languages in which a model's name ends, as in ``opus-mt-en-de``."""
    match = _PAIR.fullmatch(name)
    codes = match.groups() if match else ()
    # An unknown code is its own name: then the two parts are no languages.
    if not codes or any(english.language_name(code) == code for code in codes):
        return {}
    return dict(zip(("source", "target"), codes, strict=True))


def language_of(tokenizer: Tokenizer, token_id: object) -> str:
    """Return the language whose token an id is, as spelled; "" if it is none."""
    token = token_at(tokenizer, token_id) if type(token_id) is int and token_id >= 0 else ""
    return token if re.fullmatch(_LANGUAGE, token) else ""


def language_id(tokenizer: Tokenizer, language: str) -> int:
    """Return the id of a language's token.

    `language` is its code, ``fr``, or its spelling: ``__fr__``, ``fra_Latn``, ``fr_XX``. Raises
    CheckpointError if there is none; an ordinary word with the same letters does not count.
    """
    token = language if re.fullmatch(_LANGUAGE, language) else f"__{language}__"
    token_id = tokenizer.token_to_id(token)
    if token_id is None:
        languages = sorted(filter(re.compile(_LANGUAGE).fullmatch, tokenizer.get_vocab()))
        first = ", ".join(languages[:_SHOWN]) or "–"
        raise CheckpointError(Message.of("format-language", language=repr(language), known=first))
    return token_id


def named(tokenizer: Tokenizer, ids: Mapping[str, int], vocab_size: int) -> TextTokenizer:
    """Rename the tokens with `ids`, keyed by the entry of a config, to the names of `SPECIAL`.

    All ids are kept. Another token with such a name gets a new one, and ids missing up to
    `vocab_size` are filled with tokens that nobody can type.
    """
    names: dict[str, str] = {}
    for entry, token_id in ids.items():
        spelled = tokenizer.id_to_token(token_id)
        wanted = SPECIAL[entry]
        other = tokenizer.token_to_id(wanted)
        if other not in (None, token_id):
            names.setdefault(wanted, f"{wanted[:-1]}-{other}>")
        if spelled not in (None, wanted):
            names[spelled] = wanted
    # `tokenizers` cannot rename a token in place.
    spec = json.loads(tokenizer.to_str())
    if names:
        spec = _renamed(spec, names)
    # Truncation and padding belong to training; here a text is read whole and alone.
    renamed = Tokenizer.from_str(json.dumps({**spec, "padding": None, "truncation": None}))
    of_ids = {token_id: SPECIAL[entry] for entry, token_id in ids.items()}
    missing = range(renamed.get_vocab_size(), vocab_size)
    tokens = [of_ids.get(token_id, f"<unused-{token_id}>") for token_id in missing]
    renamed.add_special_tokens([AddedToken(token, normalized=False) for token in tokens])
    return TextTokenizer(renamed)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a JSON value in which every string and key in `names` is replaced."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def token_at(tokenizer: Tokenizer, token_id: int) -> str:
    """Return the token of an id as its file spells it; "" if there is none."""
    return (tokenizer.id_to_token(token_id) or "").removesuffix(ABSENT)


def special_id(tokenizer: Tokenizer, entry: str) -> int | None:
    """Return the id of the token that has one of the usual names for an entry, or None."""
    ids = map(tokenizer.token_to_id, SPELLED[entry])
    return next((token_id for token_id in ids if token_id is not None), None)


def typed_codes(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer in which a typed ``>>deu<<``, a requested language, is one piece."""
    typed = Tokenizer.from_str(re.sub(f'(">>[^"]+<<){ABSENT}"', r'\1"', tokenizer.to_str()))
    codes = [piece for piece in typed.get_vocab() if piece[:2] == ">>" and piece[-2:] == "<<"]
    typed.add_tokens([AddedToken(code, normalized=False) for code in sorted(codes)])
    return typed


def read_ids(file: Traversable) -> dict[str, int]:
    """Read the ids of tokens from JSON, or from lines ``token: id`` of Marian's YAML."""
    data = file.read_bytes()
    if file.name.endswith(".json"):
        try:
            return checked(data, dict[str, int], finite=False)
        except DamageError as error:
            raise damaged(file.name, str(error)) from error
    ids: dict[str, int] = {}
    for number, line in enumerate(data.decode(errors="replace").split("\n"), start=1):
        if not line.strip() or line.strip() in ("---", "..."):
            continue
        match = _LINE.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if match is None or (token := _unquoted(match)) in ids:
            raise damaged(file.name, f"line {number}")
        ids[token] = int(match["id"])
    return ids


def _unquoted(line: re.Match[str]) -> str:
    """Return the token of a YAML line without quotes and escapes."""
    if line["double"] is not None:
        text = _ESCAPE.sub(lambda escape: _signs(escape[1]), line["double"])
        # YAML may write a character as two escaped surrogates, which UTF-16 joins.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return line["plain"] if line["single"] is None else line["single"].replace("''", "'")


def _signs(escape: str) -> str:
    """Return the character of a YAML escape."""
    code = escape[1:]
    return chr(int(code, 16)) if code and int(code, 16) < 0x110000 else _ESCAPED.get(escape, escape)


def refuse_size(file: str, tokenizer: Tokenizer, weights: str, n_rows: int, spare: int = 0) -> None:
    """Raise CheckpointError if a vocabulary does not fit a table of `n_rows`.

    It may be shorter by the padding of tables or by `spare` rows, and must have a token for every
    id.
    """
    ids = {*tokenizer.get_vocab().values()}
    n_tokens = len(ids)
    if missing := set(range(n_tokens)) - ids:
        raise damaged(file, f"id {min(missing)}")
    padded = {n_tokens + -n_tokens % multiple for multiple in _PADDED_TO}
    if n_rows not in padded and not n_tokens <= n_rows <= n_tokens + spare:
        fault = Message.of("format-contradicts-size", file=file, n=n_tokens, rows=n_rows)
        raise contradicts(file, weights, fault)


def refuse_special(
    file: str,
    tokenizer: Tokenizer,
    config: str,
    ids: Mapping[str, int],
    names: Mapping[str, str] | None = None,
) -> None:
    """Raise CheckpointError if the vocabulary's token of a special name has another id than `ids`.

    The names are those of `names`, or else of `SPELLED`.
    """
    for entry, token_id in ids.items():
        spelled = (names[entry],) if names and entry in names else SPELLED[entry]
        id_of = {name: i for name in spelled if (i := _id_of(tokenizer, name)) is not None}
        if id_of and token_id not in id_of.values():
            name, in_vocabulary = next(iter(id_of.items()))
            fault = Message.of(
                "format-contradicts-special",
                name=name,
                found=in_vocabulary,
                entry=entry,
                id=token_id,
                token=repr(token_at(tokenizer, token_id)),
            )
            raise contradicts(file, config, fault)


def refuse_order(
    file: str,
    ids: Mapping[str, int],
    other: str,
    others: Mapping[str, int],
    *,
    shifted: bool = False,
) -> None:
    """Raise CheckpointError if two files give different ids to a token that both have.

    With `shifted`, ids that all differ by one constant are accepted.
    """
    differences: dict[int, str] = {}
    for token, token_id in ids.items():
        if token in others:
            differences.setdefault(others[token] - token_id, token)
    if len(differences) > 1 or (differences and not shifted and 0 not in differences):
        token = list(differences.values())[-1]
        fault = Message.of(
            "format-contradicts-order", token=repr(token), id=ids[token], found=others[token]
        )
        raise contradicts(file, other, fault)


def _id_of(tokenizer: Tokenizer, token: str) -> int | None:
    """Return the id of a token, typed or not, or None."""
    token_id = tokenizer.token_to_id(token)
    return tokenizer.token_to_id(token + ABSENT) if token_id is None else token_id


def of_words(words: Sequence[str], unknown: int) -> Tokenizer:
    """Return a vocabulary of words whose ids are their lines.

    Splitting and joining text is the caller's to set.
    """
    vocabulary = {word: number for number, word in enumerate(words)}
    return Tokenizer(models.WordLevel(vocabulary, unk_token=words[unknown] if words else UNK))
