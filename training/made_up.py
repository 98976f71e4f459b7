"""How well do the signs of `core.made_up` tell translations that people found faulty?

Stored as ``made_up.json`` beside the weights: the signs of 3,415 pairs that people judged
(Guerreiro et al. 2023, "Looking for a Needle in a Haystack"), which of them have which fault, and
the AUROC of each sign. No text is stored. A model of the other direction reads the translation.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.auc import auc_interval
from core.made_up import JUDGED, KINDS, SIGNS, is_faulty, is_sound
from core.measurements import MADE_UP
from core.measurements import MadeUp as Found
from core.stored import Interval
from model import InputError
from model.experiments.made_up import signs_of

from .corpus import CorpusError
from .measuring import Measurement, Part
from .storing import LISTS, OBJECTS, interval_values, number

FILE = Path("hallucination/annotated_corpus.csv")
ORDER = ("repetition", "names", "omission", "strong", "detached")
"""What the last columns of the file say of a translation."""


class MadeUp(Measurement):
    name = "made_up"
    kind = MADE_UP
    on_a_line = (LISTS, OBJECTS)

    def frame(self) -> dict[str, Any]:
        if self.of.card.languages not in (JUDGED, JUDGED[::-1]):
            raise CorpusError(f"the judged pairs are not of {self.of.card.languages}")
        return {**self.made(), "languages": JUDGED}

    def parts(self) -> Iterator[Part]:
        for name in ("signs", "faults", "auroc"):
            yield Part((name,), lambda name=name: self._measured[name])

    @cached_property
    def _measured(self) -> dict[str, Any]:
        order, signs, flags = 1 if self.of.card.languages == JUDGED else -1, [], []
        pairs = islice(judged_pairs(self.data / FILE), self.limit)
        for texts, found in tqdm([*pairs], desc="pairs"):
            with suppress(InputError):  # longer than the model takes
                signs.append(signs_of(self.of, *texts[::order]))
                flags.append(found)
        faulty = dict(zip(ORDER, np.array(flags).T, strict=True))
        faulty["unsupported"] = faulty["strong"] | faulty["detached"]
        values = {sign: [getattr(each, sign) for each in signs] for sign in SIGNS}
        measured = Found(
            "",
            languages=JUDGED,
            signs={sign: [*map(number, of)] for sign, of in values.items() if None not in of},
            faults={kind: np.flatnonzero(faulty[kind]).tolist() for kind in KINDS},
            auroc={},
        )
        auroc = {
            kind: {sign: interval_values(auroc_of(measured, sign, kind)) for sign in measured.signs}
            for kind in KINDS
        }
        return measured.to_values() | {"auroc": auroc}


def auroc_of(found: Found, sign: str, kind: str) -> Interval:
    """How well a sign tells pairs with a fault of that kind from pairs without any fault."""
    sound = is_sound(found)
    chosen = sound | is_faulty(found, kind)
    return auc_interval(np.array(found.signs[sign])[chosen], sound[chosen])


def judged_pairs(path: Path) -> Iterator[tuple[tuple[str, str], tuple[bool, ...]]]:
    """Source and translation with what people found, in this `ORDER`. A comma in a source is not
    always quoted.

    Raises CorpusError where the file is missing.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for row in islice(csv.reader(lines), 1, None):
                yield (",".join(row[1:-7]), row[-7]), tuple(flag == "1" for flag in row[-5:])
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from error
