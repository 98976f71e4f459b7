"""Vocabularies of others under the names that this project calls special tokens by."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tokenizers import AddedToken, Tokenizer, models

from words import Message

from ..config import TransformerConfig
from ..errors import CheckpointError
from ..tokenizer import SPECIAL, UNK, TextTokenizer

_LANGUAGE = r"__\w+__|[a-z]{2,3}_[A-Z]\w+"
_SHOWN = 12  # languages in a refusal


def named_sides(
    config: TransformerConfig, source: Tokenizer, target: Tokenizer
) -> dict[str, TextTokenizer]:
    """`named` of both sides by the ids and sizes of a config, once where one object serves both."""
    ids = {entry: getattr(config, entry) for entry in SPECIAL}
    own = named(source, ids, config.source_vocab_size)
    other = own if target is source else named(target, ids, config.vocab_size)
    return {"source": own, "target": other}


def language_id(tokenizer: Tokenizer, language: str) -> int:
    """The id of the token of a language, told by its code, ``fr``, or as it is spelt: ``__fr__``,
    ``fra_Latn``, ``fr_XX``. A word of a text with the same letters is none."""
    token = language if re.fullmatch(_LANGUAGE, language) else f"__{language}__"
    if (found := tokenizer.token_to_id(token)) is None:
        known = sorted(filter(re.compile(_LANGUAGE).fullmatch, tokenizer.get_vocab()))
        shown = ", ".join(known[:_SHOWN]) or "–"
        raise CheckpointError(Message.of("format-language", language=repr(language), known=shown))
    return found


def named(tokenizer: Tokenizer, ids: Mapping[str, int], vocab_size: int) -> TextTokenizer:
    """The same vocabulary, all ids kept, in which the tokens with `ids`, by the entry of a config,
    have the names of `SPECIAL`. A token that has such a name and is another gets a new one, and
    what is missing up to `vocab_size` is filled up with tokens that nobody can type."""
    names: dict[str, str] = {}
    for entry, token_id in ids.items():
        own, wanted = tokenizer.id_to_token(token_id), SPECIAL[entry]
        other = tokenizer.token_to_id(wanted)
        if other not in (None, token_id):
            names.setdefault(wanted, f"{wanted[:-1]}-{other}>")
        if own not in (None, wanted):
            names[own] = wanted
    spec = json.loads(tokenizer.to_str())
    if names:
        spec = _renamed(spec, names)
    # Cut and filled rows belong to training; here a text is read whole and alone.
    made = Tokenizer.from_str(json.dumps({**spec, "padding": None, "truncation": None}))
    of_ids = {token_id: SPECIAL[entry] for entry, token_id in ids.items()}
    missing = range(made.get_vocab_size(), vocab_size)
    tokens = [of_ids.get(token_id, f"<unused-{token_id}>") for token_id in missing]
    made.add_special_tokens([AddedToken(token, normalized=False) for token in tokens])
    return TextTokenizer(made)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value of JSON in which every text and key that is one of `names` is exchanged."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def of_words(words: Sequence[str], unknown: int) -> Tokenizer:
    """A vocabulary that is a list of words, whose ids are their lines; what splits a text and joins
    it again is the caller's to set."""
    vocabulary = {word: number for number, word in enumerate(words)}
    return Tokenizer(models.WordLevel(vocabulary, unk_token=words[unknown] if words else UNK))
