"""Measure how well documents are classified, and whether attention explains the predictions.

Every model of a config is measured alike: accuracy; how often the prediction stays with uniform or
permuted weights (Wiegreffe and Pinter 2019); the pointing game on generated reviews, whose deciding
sentence and words are known; the correlation of attention with leave-one-out and gradients, and how
different a map with the same probabilities can be (Jain and Wallace 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.bootstrap import compared, mean, one_each
from core.documents import (
    DocumentChange,
    Importance,
    Judgement,
    Weighing,
    joint_weights,
    points_at,
    total_variation,
)
from core.measurements import DOCUMENTS
from core.records.sources import DocumentSource
from model import DocumentReader, InputError, load_model
from model.experiments.explain import rank_correlation
from model.io.assembly import WEIGHTS
from model.io.checkpoint import CONFIG, checkpoints_folder
from model.readers.documents import Level
from training.card import hardware, stored_card, write_card
from training.corpora.pairs import set_pairs, training_pairs
from training.corpora.reviews import Review, review_pair, reviews_of
from training.corpora.text_pairs import BETWEEN, TextPair
from training.files import LISTS, drawn_values, interval_values, write_between
from training.settings import read_config

from .bag_of_words import fit, folded
from .measurement import Measurement, ResultPart, Save, nowhere
from .templating import rendered

DOCS = Path("docs/documents.md")
MARKS = "<!-- measured -->", "<!-- end -->"
SETS = ("polarity", "reviews")
WEIGHED: tuple[Weighing, ...] = ("uniform", "shuffled")
LEVELS: tuple[Level, ...] = ("words", "sentences")
AGAINST = ("drops", "gradient")
EXPLAINED = {"polarity": 30, "reviews": 200}
"""Documents of each set whose words are left out one by one."""
SOUGHT = {"polarity": 15, "reviews": 60}
"""Documents for which an adversarial map is sought."""
FAR = 0.4
"""Divergence in nats from which Jain and Wallace call a map different; log 2 = 0.69 is the most."""
FOLDS = 10
BAG = "bag"


@dataclass(frozen=True)
class Document:
    """A document and its class; a generated review brings the words that decide it."""

    pair: TextPair
    review: Review | None = None

    def source(self, reader: DocumentReader) -> DocumentSource:
        """Return the document as `reader` reads it, sentence by sentence."""
        return reader.of_sentences(self.pair.source.split(BETWEEN))


@dataclass(frozen=True)
class DocumentTexts:
    """Sets that all systems are measured on, and the texts that they learnt from.

    `train` holds written and generated reviews, `written` the written ones alone, `all_polarity`
    every written one, held-out ones included.
    """

    polarity: list[Document]
    reviews: list[Document]
    train: list[TextPair]
    written: list[TextPair]
    all_polarity: list[TextPair]

    def of(self, name: str) -> list[Document]:
        return getattr(self, name)


def texts_for(data: Path, sources: dict[str, Any], limit: int | None = None) -> DocumentTexts:
    """Return the fixed split of the written reviews, and held-out generated ones."""
    train = training_pairs(data, sources)
    (entry,) = sources["sets"]
    held_out = set_pairs(data, entry, "val")
    spec = sources["reviews"]
    reviews = reviews_of(spec, held_out=True)
    learnt = train[entry["folder"]]
    return DocumentTexts(
        [Document(pair) for pair in held_out[:limit]],
        [Document(review_pair(review), review) for review in reviews[:limit]],
        [*learnt, *map(review_pair, reviews_of(spec))],
        learnt,
        [*learnt, *held_out],
    )


# -- one system -----------------------------------------------------------------------------


def measure(reader: DocumentReader, texts: DocumentTexts) -> dict[str, Any]:
    """Return all measurements of one system."""
    # With fixed weights there is no attention to explain or to exchange.
    learns = reader.card.config["attention"] == "learned"
    result: dict[str, Any] = {"learns": learns, "right": {}}
    for name in SETS:
        documents = texts.of(name)
        judged = [
            reader.judge(document.source(reader))
            for document in tqdm(documents, desc=name, unit="text")
        ]
        right = _right(judged, documents)
        result["right"][name] = [int(flag) for flag in right]
        result[name] = {"accuracy": interval(right), "documents": len(documents)}
        if learns:
            result[name]["weights"] = _with_other_weights(reader, documents, judged)
            result[name]["other"] = _other_maps(reader, judged[: SOUGHT[name]], name)
        explained = [
            (judgement, reader.importance(judgement.src))
            for judgement in tqdm(
                judged[: EXPLAINED[name]], desc=f"{name} leave-one-out", unit="text"
            )
        ]
        if learns:
            result[name]["correlation"] = _correlations(explained)
        if name == "reviews":
            result["pointing"] = _pointing(documents, judged, explained)
    return result


def _right(judged: Sequence[Judgement], documents: Sequence[Document]) -> list[bool]:
    return [
        judgement.classes[judgement.decided] == document.pair.target
        for judgement, document in zip(judged, documents, strict=True)
    ]


def _with_other_weights(
    reader: DocumentReader, documents: Sequence[Document], judged: Sequence[Judgement]
) -> dict[str, Any]:
    """Return the stability of decisions and probabilities under other weights."""
    result: dict[str, Any] = {}
    for weights in WEIGHED:
        change = DocumentChange(word_weights=weights, sentence_weights=weights)
        again = [reader.judge(old.src, change) for old in tqdm(judged, desc=weights, unit="text")]
        pairs = list(zip(judged, again, strict=True))
        result[weights] = {
            "same": interval([a.decided == b.decided for a, b in pairs]),
            "distance": interval([total_variation(a.probs, b.probs) for a, b in pairs]),
            "accuracy": interval(_right(again, documents)),
        }
    return result


def measures_of(importance: Importance, level: str) -> dict[str, np.ndarray]:
    """Return the rows that a map is compared with: sizes of the drops and of the gradients."""
    rows = (
        (np.concatenate(importance.word_drops), np.concatenate(importance.word_gradients))
        if level == "words"
        else (importance.sentence_drops, importance.sentence_gradients)
    )
    return dict(zip(AGAINST, map(np.abs, rows), strict=True))


def map_of(judged: Judgement, level: Level) -> np.ndarray:
    """Return the weights of a level in one row; word weights are times those of their sentence."""
    if level == "words":
        return joint_weights(judged.words, judged.sentences)
    return judged.sentences


def _correlations(explained: Sequence[tuple[Judgement, Importance]]) -> dict[str, Any]:
    """Return Kendall's tau of the maps with drops and gradients, and of these with each other."""
    result: dict[str, Any] = {}
    for level in LEVELS:
        values: dict[str, list[float]] = {name: [] for name in (*AGAINST, "each_other")}
        for judgement, importance in explained:
            weights = map_of(judgement, level)
            against = measures_of(importance, level)
            for name in AGAINST:
                values[name].append(float(rank_correlation(weights, against[name], "kendall")))
            drops, gradients = against.values()
            values["each_other"].append(float(rank_correlation(drops, gradients, "kendall")))
        result[level] = {name: interval(taus) for name, taus in values.items()}
        result[level]["documents"] = len(explained)
    return result


def _other_maps(reader: DocumentReader, judged: Sequence[Judgement], name: str) -> dict[str, Any]:
    """Return how far a map can diverge while the probabilities stay within `EPSILON`."""
    result: dict[str, Any] = {}
    for level in LEVELS:
        maps = []
        for judgement in tqdm(judged, desc=f"{name} adversarial {level}", unit="text"):
            try:
                # Refused if no other map exists, as in a document of one word or sentence.
                maps.append(reader.other_map(judgement.src, level))
            except InputError:
                continue
        result[level] = {
            "divergence": interval([other.divergence for other in maps]),
            "distance": interval([other.distance for other in maps]),
            "far": interval([other.divergence > FAR for other in maps]),
            "documents": len(maps),
        }
    return result


# -- where it points ------------------------------------------------------------------------


@dataclass(frozen=True)
class DecidingPositions:
    """Positions in a generated review: the deciding sentence, and its deciding words.

    `words` count within the sentence, `first` is the position of the sentence in the document.
    """

    sentence: int
    words: tuple[int, ...]
    first: int  # position of the sentence's first word in the document

    @property
    def in_document(self) -> tuple[int, ...]:
        """The deciding words, counted over the document."""
        return tuple(self.first + word for word in self.words)


def deciding_positions(src: DocumentSource, review: Review) -> DecidingPositions:
    """Return the positions of what decides a review, in the pieces that the model reads."""
    sentence = src.sentences[review.deciding]
    words = tuple(word for span in review.words for word in sentence.pieces_at(*span))
    first = sum(map(len, src.sentences[: review.deciding]))
    return DecidingPositions(review.deciding, words, first)


def _pointing(
    documents: Sequence[Document],
    judged: Sequence[Judgement],
    explained: Sequence[tuple[Judgement, Importance]],
) -> dict[str, Any]:
    """Return shares of reviews whose largest weight lies on what decides, and chance level.

    "word_there" looks within the deciding sentence alone. Leave-one-out and gradients are measured
    on the first reviews only.
    """
    truths = [
        deciding_positions(judgement.src, document.review)
        for judgement, document in zip(judged, documents, strict=True)
        if document.review is not None
    ]
    attention = [
        _points(
            (judgement.sentences, map_of(judgement, "words"), judgement.words[truth.sentence]),
            truth,
        )
        for judgement, truth in zip(judged, truths, strict=True)
    ]
    by_chance = [
        _chance(judgement.src, truth) for judgement, truth in zip(judged, truths, strict=True)
    ]
    result = {"attention": _summed(attention), "chance": _summed(by_chance), "reviews": len(truths)}
    for name in AGAINST:
        rows = [
            _points(_measured(importance, name, truth), truth)
            # Only the first reviews were explained, hence no strict zip.
            for (_, importance), truth in zip(explained, truths, strict=False)
        ]
        result[name] = _summed(rows)
    result["explained"] = len(explained)
    return result


POINTED_AT = ("sentence", "word", "word_there")


def _measured(
    importance: Importance, name: str, truth: DecidingPositions
) -> tuple[np.ndarray, ...]:
    words = measures_of(importance, "words")[name]
    there = importance.word_drops if name == "drops" else importance.word_gradients
    return measures_of(importance, "sentences")[name], words, np.abs(there[truth.sentence])


def _points(maps: Sequence[np.ndarray], truth: DecidingPositions) -> list[float]:
    right = ((truth.sentence,), truth.in_document, truth.words)
    return [points_at(weights, deciding) for weights, deciding in zip(maps, right, strict=True)]


def _chance(src: DocumentSource, truth: DecidingPositions) -> list[float]:
    """Return the chance level of each of `POINTED_AT`."""
    n_there = len(src.sentences[truth.sentence])
    return [1 / len(src.sentences), len(truth.words) / len(src), len(truth.words) / n_there]


def _summed(rows: Sequence[Sequence[float]]) -> dict[str, Any]:
    return dict(zip(POINTED_AT, map(interval, zip(*rows, strict=True)), strict=True))


# -- all of them ----------------------------------------------------------------------------


def interval(values: Sequence[float]) -> dict[str, float | None] | None:
    """Return the mean of the values that are not NaN, with its interval; None without any."""
    numbers = [float(value) for value in values if not np.isnan(value)]
    if not numbers:
        return None
    return drawn_values(one_each(numbers), mean)


def bag(texts: DocumentTexts) -> dict[str, Any]:
    """Measure a bag of words on the same sets.

    Also measured: the written reviews by what was learnt from such reviews alone, and
    cross-validation over all of them.
    """
    model = fit(texts.train)
    alone = fit(texts.written).right([document.pair for document in texts.polarity])
    right = {name: model.right([document.pair for document in texts.of(name)]) for name in SETS}
    folds = folded(texts.all_polarity, FOLDS)
    return {
        "right": {name: [int(flag) for flag in rows] for name, rows in right.items()},
        **{
            name: {"accuracy": interval(list(rows)), "documents": len(rows)}
            for name, rows in right.items()
        },
        "alone": {"accuracy": interval(list(alone)), "documents": len(alone)},
        "folds": {"accuracy": interval(list(folds)), "documents": len(folds), "folds": FOLDS},
    }


class DocumentsMeasurement(Measurement):
    """The bag of words and every checkpoint, by the name of its system.

    Stored results of the same weights are kept.
    """

    name = "documents"
    file_kind = DOCUMENTS
    on_a_line = (LISTS,)

    @classmethod
    def of_config(cls, config: Path, data: Path, limit: int | None) -> DocumentsMeasurement:
        """Return the measurement of those checkpoints of a config's variants that are installed."""
        settings = read_config(config)
        folder = checkpoints_folder()
        names = {name: folder / f"{settings['name']}-{name}" for name in settings["variants"]}
        installed = {name: path for name, path in names.items() if path.is_dir()}
        return cls(installed, data, limit, settings)

    def frame(self) -> dict[str, Any]:
        command = self.file_kind.command.replace("DIR", "data")
        return {"command": command, "hardware": hardware(), "systems": {}}

    def parts(self) -> Iterator[ResultPart]:
        texts = texts_for(self.data, self.sources, self.limit)
        yield ResultPart(("systems", BAG), partial(bag, texts))
        for name, folder in self.of.items():
            reader: Any = load_model(folder)
            card = reader.card

            # Defaults bind reader and folder now; a closure would see those of the last round.
            def system(reader: DocumentReader = reader, folder: Path = folder) -> dict[str, Any]:
                return {
                    "checkpoint": folder.name,
                    "fingerprint": reader.card.fingerprint,
                    "command": reader.card.training.get("command", ""),
                    **measure(reader, texts),
                }

            yield ResultPart(("systems", name), system, fingerprint=card.fingerprint)

    def measure(
        self, stored: Mapping[str, Any] | None = None, save: Save = nowhere
    ) -> dict[str, Any]:
        result = super().measure(stored, save)
        # Worked out anew in every run: their intervals need the rows of all systems.
        result["differences"] = _differences(result["systems"])
        save(result)
        return result

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return all tables as Markdown."""
        return rendered("documents.md.j2", result=result, systems=result["systems"], far=FAR)

    @classmethod
    def write(cls, folder: Path, result: Mapping[str, Any]) -> None:
        """Store everything beside the checkpoints, and the accuracies in the card of each."""
        super().write(folder, result)
        for system in result["systems"].values():
            path = folder / system.get("checkpoint", BAG)
            if (path / CONFIG).is_file() and (path / WEIGHTS).is_file():
                measured = {name: system[name]["accuracy"] for name in SETS}
                accuracies = {
                    name: {"accuracy": share["value"], "low": share["low"], "high": share["high"]}
                    for name, share in measured.items()
                }
                scores = stored_card(path).get("scores", {})
                write_card(path, {"scores": scores | accuracies})

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        write_between(DOCS, self.report(result), MARKS)


def _differences(systems: Mapping[str, Any]) -> dict[str, Any]:
    """Return the accuracy of the first system minus each other's, by paired bootstrap."""
    # The config names the whole network first; the others lack a part of it.
    first, *networks = (name for name in systems if name != BAG)
    others = [*networks, BAG]
    return {
        f"{first}-{other}": {
            name: interval_values(
                compared(_rows(systems[first], name), _rows(systems[other], name), mean)
            )
            for name in SETS
        }
        for other in others
    }


def _rows(system: Mapping[str, Any], name: str) -> np.ndarray:
    return one_each(system["right"][name])
