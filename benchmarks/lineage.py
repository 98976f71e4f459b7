"""Time the page "From RNNs to Transformers": one sentence through every model, on one thread.

`python -m benchmarks.lineage [--repeats N]`

For a sentence, the page searches with every installed model, reads each translation once more, and
leaves out each source token in turn if a model has no attention. The second measurement is its work
for a sentence that grows.
"""

from __future__ import annotations

import sys
from functools import partial

import torch

from model.experiments.explain import drops_without
from model.experiments.step import score_each, window_centres
from training.commands import alone

from .commands import Repeats
from .timing import interleave

SENTENCE = "The animal didn't cross the street because it was too tired."
MORE = "A man plays the guitar while two children run through the snow. " * 4
LANGUAGES = ("en", "de")
WITHIN = {"systems": 1.0, "growing": 2.0}  # seconds on a quiet core


def main(repeats: Repeats = 5) -> None:
    # By a call: torch read the variables of the environment when it was imported above.
    torch.set_num_threads(1)
    print(report(repeats))


def report(repeats: int) -> str:
    """Return the median time of each part, by system and in total, as a table."""
    from core.lineage import prefixes
    from model import list_checkpoints, load_translator
    from model.io.checkpoint import outline_of

    outlines = filter(None, map(outline_of, list_checkpoints()))
    names = [o.name for o in outlines if o.of_lineage and o.languages == LANGUAGES]
    texts = [text for _, text in prefixes(SENTENCE, MORE, 24)]
    rows = []
    sums = dict.fromkeys(WITHIN, 0.0)
    target = ""
    for name in names:
        translator = load_translator(name)
        # All systems read the first one's translation, so that their work is alike.
        target = target or translator.translate(SENTENCE).text or SENTENCE
        cases = {
            "systems": partial(_one, translator, target),
            "growing": partial(score_each, translator, texts, target),
        }
        timings = interleave(cases, repeats=repeats, warmup=1)
        times = {part: timing.median_ms / 1000 for part, timing in timings.items()}
        rows.append(f"| {name} | {times['systems']:.3f} | {times['growing']:.3f} |")
        sums = {part: sums[part] + seconds for part, seconds in times.items()}
    rows.append(f"| together | {sums['systems']:.3f} | {sums['growing']:.3f} |")
    rows.append("| wanted of six | " + " | ".join(f"{most:.1f}" for most in WITHIN.values()) + " |")
    return "\n".join(["| system | sentence, s | growing sentence, s |", "|---|---:|---:|", *rows])


def _one(translator, target: str) -> None:
    """Do the page's work for one sentence and one system."""
    translator.translate(SENTENCE)
    record, _ = translator.read_pair(SENTENCE, target)
    if not translator.sites:
        drops_without(translator, record.src, record.tgt)
    if any(site.window for site in translator.sites):
        window_centres(translator, record.src, record.tgt)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.lineage", __doc__))
