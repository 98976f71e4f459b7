"""Write the tables of docs/ about stored results, and draw their figures.

    python -m scripts.results

Figures are ``docs/images/results/<name>-light.png`` and ``<name>-dark.png``. Each records in its
metadata the stored file from which it was drawn, with its checksum.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.files import Signature
from core.lineage import MeasuredLineage
from core.measurements import INTERVENTIONS, LINEAGE, PRUNING, Interventions
from core.pruning import pruning_table
from core.replacement import replacement
from core.storage import Kind, read_stored
from evaluation.doc_tables import HIDDEN, ROUTES, write_pages
from model.io.checkpoint import checkpoints_folder
from training.corpora.text_pairs import CorpusError
from training.files import DOCS
from viz.export import figure_png
from viz.figure import Figure
from viz.lineage import gain_dots
from viz.pronoun import flip_rates
from viz.pruning import pruning_lines
from viz.style import Look, has_words, say

IMAGES = "images/results"
"""Folder of the figures, relative to docs/."""
THEMES = ("light", "dark")
COLOURS = 64  # of a picture, including the shades of its edges


@dataclass(frozen=True)
class DocFigure:
    """A figure of the docs: the stored file that it shows, and the function that draws it."""

    file_kind: Kind
    draw: Callable[[Any], Figure]
    checkpoint: str = ""  # empty for a file that lies beside all checkpoints

    @property
    def path(self) -> Path:
        """Path of the stored file, from the folder of the checkpoints."""
        return Path(self.checkpoint, self.file_kind.file)

    def signature(self) -> Signature:
        """Return the stored file and its checksum, for the figure's metadata."""
        stored = (checkpoints_folder() / self.path).read_bytes()
        checksum = hashlib.sha256(stored).hexdigest()[:12]
        return {"measured": f"checkpoints/{self.path.as_posix()}", "sha256": checksum}

    def png(self, theme: str) -> bytes:
        """Draw the figure as PNG, since text in an SVG would depend on its reader's fonts.

        Raises CorpusError if the stored file is missing or damaged.
        """
        stored = read_stored(self.file_kind, checkpoints_folder() / self.checkpoint)
        if stored.part is None:
            raise CorpusError(f"{self.path} cannot be drawn: it is {stored.state}")
        look = Look(dark=theme == "dark")
        return _in_few_colours(
            look(lambda: figure_png(self.draw(stored.part), signature=self.signature()))
        )


def _in_few_colours(png: bytes) -> bytes:
    """Return the picture with a palette, at about a tenth of the bytes, and with its metadata."""
    texts = PngInfo()
    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        for name, value in picture.text.items():
            # Quantizing drops alpha and metadata: the background is opaque, and the texts are added
            # again.
            texts.add_itxt(name, value)
        picture.convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True, pnginfo=texts)
    return out.getvalue()


def _pruning(site: str) -> Callable[[Any], Figure]:
    """Return a function that draws the pruning curves of a site."""
    return lambda measured: pruning_lines(pruning_table(measured.sites[site]), site)


def _gains(measured: MeasuredLineage) -> Figure:
    """Draw the difference in BLEU of each change with its interval, beside those in the papers."""
    gains: list[dict[str, Any]] = []
    papers: list[dict[str, Any]] = []
    for row, gain in enumerate(measured.gains):
        id = f"lineage-gain-{gain.id}"
        name = say(id) if has_words(id) else f"{gain.ours} / {gain.others}"
        gains.append({"label": name, **gain.sets["captions"].bleu.to_values()})
        papers += [
            {
                "place": row,
                "value": published.bleu[1] - published.bleu[0],
                "source": published.source,
            }
            for published in gain.published
            if published.bleu
        ]
    return gain_dots(pd.DataFrame(gains), pd.DataFrame(papers), measured.seed)


def _flips(measured: Interventions) -> Figure:
    """Draw the share of forced pronouns that flip, for every place from which a word is hidden."""
    rows = {(row.where, row.word): row.all for row in measured.pronoun.forced}
    names = ("share", "low", "high", "n")
    lines = [
        {
            "place": route,
            "hidden": hidden,
            **{name: getattr(rows[where, word], name) for name in names},
        }
        for where, route in ROUTES.items()
        for word, hidden in HIDDEN.items()
    ]
    return flip_rates(pd.DataFrame(lines))


FIGURES = {
    "lineage-gains": DocFigure(LINEAGE, _gains),
    "pruning-encoder": DocFigure(PRUNING, _pruning("encoder"), "en-de"),
    "pruning-cross": DocFigure(PRUNING, _pruning("cross"), "en-de"),
    "pronoun-flips": DocFigure(INTERVENTIONS, _flips, "en-de"),
}


def figure_file(name: str, theme: str) -> str:
    """Return the file name of a figure in one theme."""
    return f"{name}-{theme}.png"


def write_figures(docs: Path = DOCS) -> None:
    """Draw every figure of the docs in both themes."""
    folder = docs / IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in FIGURES.items():
        for theme in THEMES:
            with replacement(folder / figure_file(name, theme)) as part:
                part.write_bytes(figure.png(theme))


if __name__ == "__main__":
    write_pages()
    write_figures()
