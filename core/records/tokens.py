"""Labels of the pieces that a model reads or writes, which a reader can tell apart."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

import numpy as np
import pandas as pd

SPACE = "▁"
INSIDE_WORD = "·"
MAX_LABEL = 16
_FIRST = "\u2068"  # FIRST STRONG ISOLATE
_LAST = "\u2069"  # POP DIRECTIONAL ISOLATE
_APART = re.compile(f"{_FIRST}([^{_FIRST}{_LAST}]*){_LAST}")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


# Cached, because a page asks for the same few pieces hundreds of times, letter by letter.
@lru_cache(maxsize=4096)
def token_label(token: str, *, special: bool = False, max_length: int = MAX_LABEL) -> str:
    """Return the text to show for one piece.

    A piece that starts a word loses its ``▁``; one that continues a word gets a leading ``·``;
    punctuation and special tokens stay as they are. Control characters become visible and
    right-to-left text is isolated (`isolated`), so that a label can neither vanish nor reorder its
    neighbours. Labels wider than `max_length` narrow letters end in ``…``.
    """
    starts_word = token.startswith(SPACE)
    text = _with_signs(token.removeprefix(SPACE).replace(SPACE, " "))
    continues_word = not special and not starts_word and text[:1].isalnum()
    label = INSIDE_WORD + text if continues_word else text or "␣"
    fits = n_columns(label) <= max_length
    return isolated(label if fits else _cut(label, max_length - 1) + "…")


def is_word(token: str) -> bool:
    """Return True if a piece begins a word or continues one; punctuation and ``</s>`` do neither.

    >>> [is_word(token) for token in ("▁dog", "gies", "▁.", "</s>")]
    [True, True, False, False]
    """
    return token.removeprefix(SPACE)[:1].isalnum()


def isolated(text: str) -> str:
    """Return `text` between isolates if it has right-to-left letters.

    Its neighbours then keep their places (Unicode Standard Annex 9, section 2.7).
    """
    return f"{_FIRST}{text}{_LAST}" if _has_right_to_left(text) else text


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def cut(text: str, most: int) -> str:
    """Return the first `most` characters of a text made by `visible`, with ``…`` for the rest."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    # Close the isolates that the cut left open.
    return kept + "…" + _LAST * (kept.count(_FIRST) - kept.count(_LAST))


def n_columns(text: str) -> int:
    """Return the width in narrow letters; wide scripts and emoji count double, isolates zero."""
    signs = (c for c in text if unicodedata.category(c) != "Cf")
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in signs)


def _cut(text: str, most: int) -> str:
    """Shorten a text to `most` columns."""
    while n_columns(text) > most:
        text = text[:-1]
    return text


def token_labels(tokens: Sequence[str]) -> list[str]:
    """Return the `token_label` of each token."""
    return [token_label(token) for token in tokens]


def distinct_labels(tokens: Sequence[str]) -> list[str]:
    """Return the `token_label` of each token, repeated words with their numbers: the₁, the₂."""
    return repeats_numbered(token_labels(tokens))


def repeats_numbered(labels: Sequence[str]) -> list[str]:
    """Return `labels` without repetition: those that occur again get numbers."""
    counts = Counter(labels)
    taken = set(labels)
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
    distinct = []
    for label in labels:
        numbered = label
        while counts[label] > 1 and numbered in taken:
            numbered = label + str(next(numbers[label])).translate(_SUBSCRIPTS)
        taken.add(numbered)
        distinct.append(numbered)
    return distinct


def numbered_labels(tokens: Sequence[str]) -> list[str]:
    """Return labels for a menu, with the position (from 1) that tells repeated words apart."""
    return [f"{i} · {label}" for i, label in enumerate(token_labels(tokens), start=1)]


def head_title(site: str, layer: int, head: int) -> str:
    """Return the name of a head, counted from 1: "cross L2 H1"."""
    return f"{site} L{layer + 1} H{head + 1}"


@lru_cache(maxsize=512)
def visible(text: str) -> str:
    """Return `text` with control and direction characters replaced by visible signs, `isolated`.

    Parts that are isolated already stay so.
    """
    # `split` returns the text between isolates at odd indices.
    parts = _APART.split(text)
    if not all(map(_has_right_to_left, parts[1::2])):
        return isolated(_with_signs(text))
    return "".join(isolated(_with_signs(part)) for part in parts)


def _with_signs(text: str) -> str:
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    """Return a sign for a character that would be invisible, else the character."""
    # Unicode has pictures of control characters (␊), but few fonts do.
    if character in _ESCAPES:
        return f"‹{_ESCAPES[character]}›"
    if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"):
        return f"‹{ord(character):X}›"
    return character


def candidate_lines(
    tokens: Sequence[str], log_probs: Sequence[float], token_ids: Sequence[int]
) -> pd.DataFrame:
    """Return one row a token that could come next, in the order given.

    Columns place (from 0), label, token (a longer label), token_id, probability, log_prob (natural)
    and rank (from 1).

    Raises
    ------
    ValueError : the three sequences differ in length or are empty.
    """
    if not len(tokens) == len(log_probs) == len(token_ids) or not len(tokens):
        raise ValueError(
            f"expected as many log_probs and token_ids as tokens, and one at least; found "
            f"{len(tokens)}, {len(log_probs)} and {len(token_ids)}"
        )
    lines = token_lines(tokens)
    logs = np.asarray(log_probs, dtype=np.float64)
    ids = np.asarray(token_ids, np.int32)
    return lines.assign(token_id=ids, probability=np.exp(logs), log_prob=logs, rank=lines.index + 1)


def log_prob_lines(tokens: Sequence[str], log_probs: Sequence[float]) -> pd.DataFrame:
    """Return one row a token: place (from 0), label, token, log_prob and sum (of all so far).

    Raises
    ------
    ValueError : the two sequences differ in length.
    """
    if len(tokens) != len(log_probs):
        raise ValueError(f"{len(log_probs)} log-probabilities for {len(tokens)} tokens")
    logs = np.asarray(log_probs, dtype=np.float64)
    return token_lines(tokens).assign(log_prob=logs, sum=np.cumsum(logs))


def token_lines(tokens: Sequence[str]) -> pd.DataFrame:
    """Return one row a token: place (from 0), label, token (a longer label)."""
    positions = np.arange(len(tokens), dtype=np.int32)
    whole = [token_label(token, max_length=48) for token in tokens]
    return pd.DataFrame({"place": positions, "label": token_labels(tokens), "token": whole})
