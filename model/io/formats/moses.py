"""Words of the Moses tokenizer cut by byte-pair encoding, as in the translation models of fairseq.

Moses (Koehn et al. 2007) sets signs apart from words and writes some of them as entities; the last
piece of a word ends in ``</w>``. The rules are those of its script, but without its lists of
abbreviations, which no model contains: a period is set apart after "Mr" as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from ...special_tokens import UNK

END_OF_WORD = "</w>"
_ENTITIES = {
    "&": "&amp;",  # first, since the others contain it
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_L = r"\p{L}\p{M}"
_N = r"\p{N}"
_SIGN = rf"[^{_L}{_N}\s.',-]"
# Rules of both scripts as (pattern, replacement), in their order. What they keep of the text stands
# in lookarounds, because a replacement cannot refer to it.
_SAME_PUNCTUATION = (
    ("[„“”«»《》「」]|''", '"'),
    ("[’‘‚´`]", "'"),
    ("…", "..."),
    ("—", " - "),
    ("[–━]", "-"),
    (r"[。．]\s*", ". "),
    *zip("，、∶：？！（）；～〈〉【】％", ",,::?!();~<>[]%", strict=True),
    *((wide, str(digit)) for digit, wide in enumerate("０１２３４５６７８９")),
    (r"\p{C}", ""),
    (r"(?<=\d) %", "%"),
    (r" (?=[:;])", ""),
)
# A comma or a period stands before a closing quotation mark in English, and after it elsewhere.
_QUOTES = {
    "en": (('",', ',"'), (r'"\.', '."')),
    **dict.fromkeys(("de", "es", "fr"), ((',"', '",'), (r'\."(?=\s*[^<])', '".'))),
}
_WORDS = (
    (r"\s+", " "),
    (rf"(?<={_SIGN})|(?={_SIGN})", " "),
    (rf"(?<=[{_L}{_N}])-(?=[{_L}{_N}])", " @-@ "),
    (r"(?<!\.)(?=\.\.)|(?<=\.\.)(?!\.)", " "),
    (rf"(?<=[^{_N}]),|,(?=[^{_N}])|,\z", " , "),
)
_APOSTROPHES = {
    "en": (
        (rf"(?<=[^{_L}])'(?=[^{_L}])|(?<=[^{_L}{_N}])'(?=[{_L}])|(?<=[{_L}])'(?=[^{_L}])", " ' "),
        (rf"(?<!'[{_L}])(?<=[{_L}])'(?=[{_L}])|(?<={_N})'(?=s)", " '"),
    ),
    "fr": (
        (rf"(?<=[^{_L}])'(?=.)|(?<=[{_L}])'(?=[^{_L}])", " ' "),
        (rf"(?<=[{_L}])'(?=[{_L}])", "' "),
    ),
    "": (("'", " ' "),),
}
# A word keeps its period if it has another one, or if the next word is in lower case.
_PERIODS = ((rf"(?<!\S)(?:[^\s.]+|[^\s{_L}]*[^\s.{_L}])\K\.(?!\S)(?! *\p{{Ll}})", " ."),)


def moses_tokenizer(
    vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], language: str, *, lower: bool
) -> Tokenizer:
    """Return a tokenizer of `vocabulary`, which holds every piece that `merges` need or make.

    `language` decides on apostrophes and quotation marks; with `lower`, text is read in lower case.
    """
    tokenizer = Tokenizer(
        models.BPE(dict(vocabulary), list(merges), unk_token=UNK, end_of_word_suffix=END_OF_WORD)
    )
    tokenizer.normalizer = normalizers.Sequence(list(_normalizers(language, lower=lower)))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = _decoder()
    return tokenizer


def _normalizers(language: str, *, lower: bool) -> Iterator[normalizers.Normalizer]:
    if lower:
        yield normalizers.Lowercase()
    key = {"it": "fr"}.get(language, language)
    apostrophes = _APOSTROPHES.get(key, _APOSTROPHES[""])
    rules = (*_SAME_PUNCTUATION, *_QUOTES.get(language, ()), *_WORDS, *apostrophes, *_PERIODS)
    for pattern, replacement in rules:
        yield normalizers.Replace(Regex(pattern), replacement)
    for sign, entity in _ENTITIES.items():
        yield normalizers.Replace(sign, entity)


def _decoder() -> decoders.Decoder:
    """Build what joins pieces into text: no entities, and no space before or after some signs."""
    joining = [decoders.Replace(END_OF_WORD, " "), decoders.Fuse(), decoders.Replace(" @-@ ", "-")]
    joining += [decoders.Replace(entity, sign) for sign, entity in reversed(_ENTITIES.items())]
    joining += [
        decoders.Replace(Regex(r" (?=[,.?!:;%)\]}]+(?:\s|\z))"), ""),
        decoders.Replace(Regex(r"(?<=[(\[{¿¡]) "), ""),
        decoders.Replace(Regex(rf"(?<=[{_L}]) (?='[{_L}])|(?<=[{_L}]') (?=[{_L}])"), ""),
        decoders.Strip(" ", 0, 1),
    ]
    return decoders.Sequence(joining)
