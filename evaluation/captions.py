"""Score captions and image attention of a captioner against the objects of scenes."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.captions import PARTS, Verdict, caption_of, captions_of, read_caption
from core.gaze import Pointed, movement, pointing, sharpness
from core.measurements import GAZE
from core.records.attention import AttentionRecord
from core.records.scenes import Caption, Scene, cells_of, random_scene
from core.records.search import Decoding
from model import Translator
from model.io.checkpoint import checkpoints_folder
from training.card import CONFIGS, measured_in
from training.files import DOCS, OBJECTS, SHARE_DIGITS, number, write_between
from training.objectives.captioning import scene_sets
from training.settings import read_config

from .attention_links import share
from .bleu import corpus_bleu
from .measurement import Measurement, ResultPart
from .templating import rendered

SCENES = 300
SEEDS = {"seen": "scenes measured", "held_out": "scenes held out"}
"""Seeds of scenes as in training, and of scenes with a new pairing of shape and colour."""
REFERENCES = 8
MARKS = "<!-- numbers -->", "<!-- /numbers -->"


def scenes_of(
    split: str, n: int = SCENES, language: str = "en", without: Collection[str] = ()
) -> tuple[tuple[Scene, Caption], ...]:
    """Return `n` scenes with a true caption each, the same on every call.

    Scenes in `without` are left out, so that fewer than `n` may remain.
    """
    rng = random.Random(SEEDS[split])
    scenes = [random_scene(rng, held_out=split == "held_out") for _ in range(n)]
    pairs = [(scene, caption_of(scene, rng, language)) for scene in scenes]
    return tuple((scene, caption) for scene, caption in pairs if str(scene) not in without)


def trained_scenes(sources: Mapping[str, Any]) -> frozenset[str]:
    """Return the scenes in a config's training data, as text."""
    spec = sources.get("scenes")
    return frozenset(pair.source for pair in scene_sets(spec)[0]) if spec else frozenset()


class CaptionsMeasurement(Measurement):
    """Scores of captions by a beam of 5, and of gazes while true captions are read.

    Both kinds of scenes are measured; scenes of the training are left out.
    """

    name = "captions"
    file_kind = GAZE
    on_a_line = (OBJECTS,)

    def frame(self) -> dict[str, Any]:
        provenance = self.provenance()
        del provenance["hardware"]
        return provenance | {"beam": Decoding().beam_size}

    def parts(self) -> Iterator[ResultPart]:
        for split in SEEDS:
            yield ResultPart((split,), partial(self._of_split, split))

    def _of_split(self, split: str) -> dict[str, Any]:
        language = self.of.card.languages[1]
        scenes = scenes_of(split, self.limit or SCENES, language, trained_scenes(self.sources))
        return measured_scenes(self.of, split, scenes)

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        super().publish(folder, result)
        variants = read_config(CONFIGS / "captions.json")["variants"]
        if models := measured_models(checkpoints_folder(), variants):
            write_tables(DOCS / "captions.md", models)


def measured_scenes(
    translator: Translator, split: str, scenes: Sequence[tuple[Scene, Caption]]
) -> dict[str, Any]:
    """Return all scores of one kind of scenes, as ``gaze.json`` keeps them."""
    verdicts: list[tuple[Verdict, Scene]] = []
    in_output: list[Pointed] = []
    in_reference: list[Pointed] = []
    gazes: list[tuple[float, float]] = []
    boxes: list[np.ndarray] = []
    texts: list[str] = []
    references: list[list[str]] = []
    language = translator.card.languages[1]
    for scene, caption in tqdm(scenes, desc=f"scenes, {split}", unit="scene"):
        translation = translator.translate(str(scene))
        verdict = read_caption(translation.text, scene, language)
        verdicts.append((verdict, scene))
        in_output += _pointed(translation.attention, verdict.words, scene)
        record = translator.attend(str(scene), caption.text)
        pointed = _pointed(record, caption.words, scene)
        in_reference += pointed
        boxes += [cells_of(scene.things[gaze.word.thing].box) for gaze in pointed]
        weights = record.of("gaze").weights[0, 0]
        rows = [row for gaze in pointed for row in gaze.rows]
        # Distance that the gaze moves between words on things, and number of cells that it spreads
        # over.
        gazes.append((movement(weights, rows), sharpness(weights[rows])))
        texts.append(translation.text)
        references.append(references_of(scene, language))
    return {
        "scenes": len(scenes),
        "exact": exactness(verdicts),
        "bleu": bleu(texts, references),
        "own": by_part(in_output),
        "read": by_part(in_reference),
        # Things that are named first tend to stand further up. This is the best share that a gaze
        # reaches which rests on one cell for ever.
        "still": number(float(np.mean(boxes, axis=0).max())),
        "movement": _mean([moved for moved, _ in gazes]),
        "cells": _mean([spread for _, spread in gazes]),
    }


def _pointed(record: AttentionRecord, words: Sequence[Any], scene: Scene) -> tuple[Pointed, ...]:
    assert record.tgt is not None  # a caption is written or teacher-forced
    return pointing(record.of("gaze").weights[0, 0], record.tgt, words, scene)


def _mean(values: Sequence[float], digits: int = 4) -> float | None:
    # NaN is the mean of no rows: a caption without a word on a thing.
    sound = [value for value in values if not math.isnan(value)]
    return number(float(np.mean(sound)), digits) if sound else None


def references_of(scene: Scene, language: str = "en") -> list[str]:
    """Return up to `REFERENCES` distinct true captions, spread evenly over the grammar."""
    texts = list(dict.fromkeys(caption.text for caption in captions_of(scene, language)))
    # A stride, since captions next to each other differ in one word.
    step = len(texts) / min(len(texts), REFERENCES)
    return [texts[int(i * step)] for i in range(min(len(texts), REFERENCES))]


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return corpus BLEU against several references for each text, by sacreBLEU."""
    score, signature = corpus_bleu(texts, *zip_longest(*references))
    return {
        "bleu": round(score.score, 1),
        "orders": [round(precision, 1) for precision in score.precisions],
        "references": REFERENCES,
        "signature": signature,
    }


def exactness(verdicts: Sequence[tuple[Verdict, Scene]]) -> dict[str, Any]:
    """Return for each part of captions the number of mentions and the share of true ones."""
    truths: dict[str, list[bool]] = defaultdict(list)
    for verdict, _ in verdicts:
        truths["caption"].append(verdict.exact)
        truths["grammar"].append(verdict.relation is not None)
        for part, true in (("relation", verdict.relation_true), ("count", verdict.count_true)):
            if true is not None:
                truths[part].append(true)
        for phrase in verdict.phrases:
            truths["thing"].append(phrase.true)
            for part, true in phrase.right:
                truths[part].append(true)
    order = ("caption", "grammar", "thing", *PARTS, "relation", "count")
    return {part: counted(sum(truths[part]), len(truths[part])) for part in order}


def by_part(pointed: Sequence[Pointed]) -> dict[str, Any]:
    """Return for each part of captions the share of hits, beside gazes that ignore the words."""
    groups = {"all": list(pointed)} | {
        part: [gaze for gaze in pointed if gaze.word.part == part] for part in PARTS
    }
    return {
        part: counted(sum(gaze.hit for gaze in group), len(group))
        | {
            "mass": _mean([gaze.mass for gaze in group], SHARE_DIGITS),
            "even": _mean([gaze.chance for gaze in group], SHARE_DIGITS),
            "first": _mean([float(gaze.first) for gaze in group], SHARE_DIGITS),
            "random": _mean([gaze.random for gaze in group], SHARE_DIGITS),
            "elsewhere": _mean([float(gaze.elsewhere) for gaze in group], SHARE_DIGITS),
        }
        for part, group in groups.items()
    }


def counted(k: int, n: int) -> dict[str, Any]:
    """Return a count and the share `k` of `n` with its bounds."""
    return {"n": n} | share(k, n, "share")


def write_tables(page: Path, models: Mapping[str, dict[str, Any]]) -> None:
    """Write the numbers of several models, by title, between the two marks of a page."""
    write_between(page, "\n" + rendered("captions.md.j2", models=models), MARKS)


def measured_models(folder: Path, variants: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return stored measurements of a config's variants, by the part of the title that differs."""
    paths = {name: folder / f"captions-{name}" for name in variants}
    return {
        # Titles begin with "Show, Attend and Tell, ", whose own comma is the first of two.
        variants[name]["title"].split(", ", 2)[2]: gaze
        for name, path in paths.items()
        if path.is_dir() and (gaze := measured_in(path, GAZE))
    }
