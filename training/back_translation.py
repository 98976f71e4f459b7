"""Back-translation (Sennrich et al. 2016): a model writes sources for sentences by people.

`python -m training back-translate --checkpoint en-ko --sets tatoeba-en-de ... --folder back-ko-en`
lets an English-to-Korean checkpoint translate the English side of sets, and writes the pairs,
Korean first, as a set of its own. A config gives them a tag (Caswell et al. 2019) and no validation
part.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from tqdm import tqdm

from core.replacement import replacement
from model import load_translator
from model.teacher_forcing import likeliest_outputs
from model.tokenizer import TextTokenizer

from .corpora.pairs import read_pairs
from .corpora.text_pairs import TextPair

MOST_PIECES = 40
BATCH = 128


def english_of(data: Path, folders: Sequence[str], most: int | None = None) -> list[str]:
    """Return the distinct first sides of the sets in `folders`, in their order, at most `most`."""
    texts = (
        pair.source for folder in folders for pair in read_pairs(data / folder / "train.tsv.gz")
    )
    return list(dict.fromkeys(texts))[:most]


def batches_of(
    texts: Sequence[str], tokenizer: TextTokenizer, size: int = BATCH
) -> Iterator[list[tuple[str, list[int]]]]:
    """Yield (text, ids) in batches of equal length, without texts of more than `MOST_PIECES`."""
    by_length: dict[int, list[tuple[str, list[int]]]] = defaultdict(list)
    for text, ids in zip(texts, tokenizer.encode_batch(texts), strict=True):
        if len(ids) <= MOST_PIECES:
            by_length[len(ids)].append((text, ids))
    # Equal lengths need no padding, hence no mask.
    for _, rows in sorted(by_length.items()):
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


@torch.inference_mode()
def back_translate(checkpoint: str | Path, texts: Sequence[str]) -> Iterator[TextPair]:
    """Yield a pair (translation, text) for each text that the model translates greedily.

    Texts whose translation does not end within its limit, or holds an unknown piece, are left out.
    """
    translator = load_translator(checkpoint)
    model = translator.model
    tokenizer = translator.tokenizer
    n_texts = 0
    with tqdm(total=len(texts), unit="sentence") as bar:
        for batch in batches_of(texts, tokenizer):
            src = torch.tensor([ids for _, ids in batch])
            # Twice the source and a little: a longer output is a loop, and is dropped below as
            # unfinished.
            limits = [2 * src.shape[1] + 8] * len(batch)
            for (text, _), ids in zip(batch, likeliest_outputs(model, src, limits), strict=True):
                if ids and ids[-1] == model.config.eos_id and model.config.unk_id not in ids:
                    yield TextPair(tokenizer.decode(ids).text, text)
            n_texts += len(batch)
            bar.update(len(batch))


def write_back_translation(checkpoint: str | Path, texts: Sequence[str], folder: Path) -> int:
    """Write ``train.tsv.gz`` of a set to `folder` and return the number of pairs."""
    folder.mkdir(parents=True, exist_ok=True)
    n_pairs = 0
    with (
        replacement(folder / "train.tsv.gz") as part,
        gzip.open(part, "wt", encoding="utf-8") as file,
    ):
        for pair in back_translate(checkpoint, texts):
            # A tab in the translation would add a column to the file.
            if pair.source and "\t" not in pair.source:
                file.write(f"{pair.source}\t{pair.target}\n")
                n_pairs += 1
    return n_pairs
