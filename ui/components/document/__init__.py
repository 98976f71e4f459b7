"""A document whose sentences and words are shaded by their weights, and can be taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from analysis.documents import shown_weights
from analysis.labels import visible
from records import Judgement
from ui.words import current_words, say

from .. import script, style, template, whole

_HERE = Path(__file__).resolve().parent
_HTML = """
<div class="document bare">
  <div class="status" role="status"></div>
  <div class="rows" role="group"></div>
</div>
"""

_mount = st.components.v2.component(
    "attention_lab_document",
    html=_HTML,
    css=style(_HERE, "document"),
    js=script(_HERE, "document"),
)


@dataclass(frozen=True)
class Truth:
    """What is known to decide a document: a sentence, and words of it by their places."""

    sentence: int
    words: tuple[int, ...]


@dataclass(frozen=True)
class TakenOut:
    """What the person took out: places of sentences, and (sentence, word) of words."""

    sentences: frozenset[int] = frozenset()
    words: frozenset[tuple[int, int]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sentences or self.words)


@dataclass(frozen=True)
class Answer:
    """What a browser sent, and the running number of it."""

    taken: TakenOut
    number: int


def read_answer(value: Any, identity: str, lengths: Sequence[int]) -> Answer | None:
    """What the browser sent; None where it makes no sense or is about another document."""
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    number = whole(value.get("number"))
    taken = places_taken(value.get("sentences"), value.get("words"), lengths)
    return None if number is None or taken is None else Answer(taken, number)


def places_taken(sentences: Any, words: Any, lengths: Sequence[int]) -> TakenOut | None:
    """Places of sentences and pairs of places, as far as there are such; None for anything else."""
    if not isinstance(sentences, list) or not isinstance(words, list):
        return None
    rows = [whole(each) for each in sentences]
    pairs = [
        tuple(map(whole, each)) if isinstance(each, list) and len(each) == 2 else (None, None)
        for each in words
    ]
    if any(row is None or not 0 <= row < len(lengths) for row in rows):
        return None
    if any(
        row is None or word is None or not 0 <= row < len(lengths) or not 0 <= word < lengths[row]
        for row, word in pairs
    ):
        return None
    return TakenOut(frozenset(rows), frozenset(pairs))


def show_document(
    judged: Judgement,
    *,
    key: str,
    identity: str,
    colours: tuple[str, str],
    taken: TakenOut = TakenOut(),
    answered: int = 0,
    truth: Truth | None = None,
    on_change: Callable[[], None] | None = None,
) -> None:
    """Show the component."""
    _mount(
        key=key,
        data={
            "identity": identity,
            "language": current_words().language,
            "rows": rows_of(judged),
            "taken": {
                "sentences": sorted(taken.sentences),
                "words": [list(pair) for pair in sorted(taken.words)],
            },
            "truth": None
            if truth is None
            else {"sentence": truth.sentence, "words": list(truth.words)},
            "answered": answered,
            "colours": dict(zip(("sentence", "word"), colours, strict=True)),
            "clicks": on_change is not None,
            "words": {
                "document": say("documents-text"),
                "sentence": template("documents-sentence-told", "n", "weight"),
                "sentence_out": template("documents-sentence-out", "n"),
                "word": template("documents-word-told", "word", "weight", "sentence", "shown"),
                "word_out": template("documents-word-out", "word"),
                "unknown": say("documents-word-unknown"),
                "point": say("documents-point-clicks" if on_change else "documents-point"),
            },
        },
        on_taken_change=on_change or (lambda: None),
    )


def rows_of(judged: Judgement) -> list[dict[str, Any]]:
    """One entry a sentence: its weight, and its words with what stands between them.

    A weight is None where nothing was read; `shown` is the weight that a word is shaded by.
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
    return None if np.isnan(weight) else round(float(weight), 6)
