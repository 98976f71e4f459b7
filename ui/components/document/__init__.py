"""A document whose sentences and words are shaded by weight and can be removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.documents import Judgement, shown_weights
from core.records.attention import Measure
from core.records.tokens import visible
from ui.frame.messages import current_words, say

from .. import component, place_below, sent, sound_places, template

_mount = component("document")


@dataclass(frozen=True)
class DecisiveWords:
    """Words that decide the class of a document: their sentence and indices."""

    sentence: int
    words: tuple[int, ...]


@dataclass(frozen=True)
class TakenOut:
    """Removed parts of a document: indices of sentences, and (sentence, word) of words."""

    sentences: frozenset[int] = frozenset()
    words: frozenset[tuple[int, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sentences or self.words)


@dataclass(frozen=True)
class Removal:
    """Removed parts that the browser sent."""

    taken: TakenOut
    number: int


def read_removal(value: Any, identity: str, lengths: Sequence[int]) -> Removal | None:
    """Return what the browser removed; None if it is invalid or about another document."""
    value = sent(value, identity)
    taken = places_taken(value.get("sentences"), value.get("words"), lengths)
    return None if taken is None else Removal(taken, value["number"])


def places_taken(sentences: Any, words: Any, lengths: Sequence[int]) -> TakenOut | None:
    """Return the removed parts that the browser names; None if an index is invalid."""
    # One invalid index rejects all: half a removal would not be what was clicked.
    rows = sound_places(sentences, len(lengths))
    if rows is None or not isinstance(words, list):
        return None
    pairs = {_sound_word(item, lengths) for item in words}
    sound = {pair for pair in pairs if pair is not None}
    return TakenOut(frozenset(rows), frozenset(sound)) if sound == pairs else None


def _sound_word(item: Any, lengths: Sequence[int]) -> tuple[int, int] | None:
    """Return the indices of sentence and word that the browser sent, or None."""
    # The browser may send anything, so every index is checked before it is used.
    row, word = item if isinstance(item, list) and len(item) == 2 else (None, None)
    row = place_below(row, len(lengths))
    word = None if row is None else place_below(word, lengths[row])
    return None if row is None or word is None else (row, word)


def show_document(
    judged: Judgement,
    *,
    key: str,
    identity: str,
    colours: tuple[str, str],  # of sentence and word weights
    taken: TakenOut = TakenOut(),
    answered: int = 0,
    truth: DecisiveWords | None = None,
    measure: Measure = "weight",  # quantity in `judged`
    on_change: Callable[[], None] | None = None,  # nothing can be clicked without it
) -> None:
    """Mount the component; clicks arrive as ``st.session_state[key]["taken"]``."""
    point = "documents-point" if on_change is None else "documents-point-clicks"
    _mount(
        key=key,
        data={
            "identity": identity,
            "language": current_words().language,
            "rows": rows_of(judged),
            "taken": {"sentences": sorted(taken.sentences), "words": sorted(taken.words)},
            "truth": None if truth is None else asdict(truth),
            "answered": answered,
            "colours": dict(zip(("sentence", "word"), colours, strict=True)),
            "clicks": on_change is not None,
            "words": {
                "document": say("documents-text", measure=measure),
                "sentence": template("documents-sentence-told", "n", "weight", measure=measure),
                "sentence_out": template("documents-sentence-out", "n"),
                "word": template(
                    "documents-word-told", "word", "weight", "sentence", "shown", measure=measure
                ),
                "word_out": template("documents-word-out", "word"),
                "unknown": say("documents-word-unknown"),
                "point": say(point, measure=measure),
            },
        },
        # Streamlit keeps the value `taken` only if a callback of this name is there.
        on_taken_change=on_change or (lambda: None),
    )


def show_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    identity: str,
    colour: str,
    words: Mapping[str, str],
) -> None:
    """Draw any texts with shaded words.

    `rows` are as from `rows_of`, `words` the component's messages for these texts.
    """
    _mount(
        key=key,
        data={
            "identity": identity,
            "language": current_words().language,
            "rows": rows,
            "taken": {"sentences": [], "words": []},
            "truth": None,
            "answered": 0,
            "colours": {"sentence": colour, "word": colour},
            "clicks": False,
            "words": words,
        },
    )


def rows_of(judged: Judgement) -> list[dict[str, Any]]:
    """Return one entry per sentence: its weight, and its words with the text between them.

    A weight is None if it was not read; `shown` is the weight that shades a word.
    """
    shades = shown_weights(judged.words, judged.sentences)
    rows = []
    for row, sentence in enumerate(judged.src.sentences):
        words = []
        end = 0
        for word, (start, stop) in enumerate(sentence.offsets):
            words.append(
                {
                    "before": visible(sentence.text[end:start]) if start > end else "",
                    "text": visible(sentence.text[start:stop]),
                    "weight": _as_json(judged.words[row][word]),
                    "shown": _as_json(shades[row][word]),
                    "unknown": sentence.unknown[word],
                }
            )
            end = stop
        rows.append({"weight": _as_json(judged.sentences[row]), "words": words})
    return rows


def _as_json(weight: float) -> float | None:
    # JSON has no NaN.
    return None if np.isnan(weight) else round(float(weight), 6)
