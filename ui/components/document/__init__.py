"""A document whose sentences and words are shaded by weight and can be removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.attention import Measure
from core.documents import Judgement, shown_weights
from core.tokens import visible
from ui.words import current_words, say

from .. import component, place_below, sent, sound_places, template

_mount = component("document")


@dataclass(frozen=True)
class Truth:
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
class Answer:
    taken: TakenOut
    number: int


def read_answer(value: Any, identity: str, lengths: Sequence[int]) -> Answer | None:
    """Return the browser's answer; None if it is invalid or about another document."""
    value = sent(value, identity)
    taken = places_taken(value.get("sentences"), value.get("words"), lengths)
    return None if taken is None else Answer(taken, value["number"])


def places_taken(sentences: Any, words: Any, lengths: Sequence[int]) -> TakenOut | None:
    """Return the removed parts that the browser names; None if an index is invalid."""
    rows, pairs = sound_places(sentences, len(lengths)), set()
    if rows is None or not isinstance(words, list):
        return None
    for each in words:
        row, word = each if isinstance(each, list) and len(each) == 2 else (None, None)
        row = place_below(row, len(lengths))
        word = None if row is None else place_below(word, lengths[row])
        if word is None:
            return None
        pairs.add((row, word))
    return TakenOut(frozenset(rows), frozenset(pairs))


def show_document(
    judged: Judgement,
    *,
    key: str,
    identity: str,
    colours: tuple[str, str],  # of sentence and word weights
    taken: TakenOut = TakenOut(),
    answered: int = 0,
    truth: Truth | None = None,
    measure: Measure = "weight",  # quantity in `judged`
    on_change: Callable[[], None] | None = None,  # nothing can be clicked without it
) -> None:
    """Mount the component; clicks arrive as ``st.session_state[key]["taken"]``."""
    measured, told = {"measure": measure}, ("word", "weight", "sentence", "shown")
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
                "document": say("documents-text", **measured),
                "sentence": template("documents-sentence-told", "n", "weight", **measured),
                "sentence_out": template("documents-sentence-out", "n"),
                "word": template("documents-word-told", *told, **measured),
                "word_out": template("documents-word-out", "word"),
                "unknown": say("documents-word-unknown"),
                "point": say(f"documents-point{'-clicks' if on_change else ''}", **measured),
            },
        },
        on_taken_change=on_change or (lambda: None),
    )


def show_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    identity: str,
    colour: str,
    told: Mapping[str, str],
) -> None:
    """Draw any texts with shaded words.

    `rows` are as from `rows_of`, `told` the component's messages for these texts.
    """
    data = {"identity": identity, "language": current_words().language, "rows": rows}
    data |= {"taken": {"sentences": [], "words": []}, "truth": None, "answered": 0}
    colours = {"sentence": colour, "word": colour}
    _mount(key=key, data={**data, "colours": colours, "clicks": False, "words": told})


def rows_of(judged: Judgement) -> list[dict[str, Any]]:
    """Return one entry per sentence: its weight, and its words with the text between them.

    A weight is None if it was not read; `shown` is the weight that shades a word.
    """
    shown = shown_weights(judged.words, judged.sentences)
    rows = []
    for place, sentence in enumerate(judged.src.sentences):
        end, words = 0, []
        for word, (start, stop) in enumerate(sentence.offsets):
            words.append(
                {
                    "before": visible(sentence.text[end:start]) if start > end else "",
                    "text": visible(sentence.text[start:stop]),
                    "weight": _known(judged.words[place][word]),
                    "shown": _known(shown[place][word]),
                    "unknown": sentence.unknown[word],
                }
            )
            end = stop
        rows.append({"weight": _known(judged.sentences[place]), "words": words})
    return rows


def _known(weight: float) -> float | None:
    # JSON has no NaN.
    return None if np.isnan(weight) else round(float(weight), 6)
