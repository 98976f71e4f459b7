"""Download the training data from its public sources, for people without the folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import unicodedata
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from core.replacement import replacement

from .corpora.text_pairs import CorpusError

MULTI30K_URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
TATOEBA_URL = "https://www.manythings.org/anki/deu-eng.zip"

# SHA-256 of the joined text before compression: gzip headers differ. Multi30k is frozen, so its
# sums must agree.
MULTI30K_SUMS = {
    "train": "2b93efb2a2575aee81ddef98979f2f0cb7a4a4f3eac09ac0bd94e73fa95aa942",
    "val": "994de411af5f2b249143f3a44eae97d018a95d4f79e0e64813884f1630c2d535",
    "test_2016_flickr": "5a087b0b6254fc8da010153b56c4450c369a2709abed12cce8b9ef6db260db35",
    "test_2017_flickr": "dceac71a43a5030d168dccb2642afba8a5fed4e6191154c50a5649267605116a",
    "test_2017_mscoco": "23514e75224760f4c0691ffdc1abf67117527990f6514dd1d816e8e1bfe61bbb",
    "test_2018_flickr": "e61a72b4266a9c339530cb44de6cb5fe985509066da9bb5df24c499debea81b4",
}
# manythings.org offers only its newest export; these sums belong to the one of 2018-05-13, on which
# the shipped checkpoint was trained.
TATOEBA_SUMS = {
    "train": "cd1a0caf1036842958658bf0b860d8ebd4a5db0ad89891e30e90b3f90c6aaf36",
    "val": "63e0fa08238ed72ef2cd53593a63fc55fb8af1e26382df51f35b5750874da06e",
}

Download = Callable[[str], bytes]


def download(url: str) -> bytes:
    """Return the bytes behind a URL.

    Raises CorpusError if there is no connection or the server refuses.
    """
    # Servers may refuse urllib's own user agent.
    request = urllib.request.Request(url, headers={"User-Agent": "attention-lab"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read()
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise CorpusError(
            f"{url} could not be downloaded ({reason}). Check the connection and run the command "
            "again; what has arrived is kept. Offline, point --data at a folder with "
            "multi30k-en-de/ and tatoeba-en-de/."
        ) from error


def clean(text: str) -> str:
    """Return `text` in NFC, without control and zero-width characters, spaces collapsed."""
    text = unicodedata.normalize("NFC", text)
    kept = "".join(
        " " if unicodedata.category(c) == "Zs" or c == "\t" else c
        for c in text
        if c == "\t" or unicodedata.category(c) not in ("Cc", "Cf")
    )
    return re.sub(" +", " ", kept).strip()


def fetch(data: Path, *, get: Download = download, say: Callable[[str], None] = print) -> None:
    """Write ``multi30k-en-de/`` and ``tatoeba-en-de/`` below `data`; finished files are kept.

    Raises CorpusError if a download fails, or if Multi30k is not the expected text.
    """
    for split in MULTI30K_SUMS:
        path = data / "multi30k-en-de" / f"{split}.tsv.gz"
        if path.exists():
            say(f"{path} is there")
        else:
            text = multi30k(split, get)
            n_pairs = text.count("\n")
            write_gzip(path, text)
            say(f"{path}: {n_pairs} pairs, checksum right")
    fetch_tatoeba(data / "tatoeba-en-de", get, say)


def multi30k(split: str, get: Download) -> str:
    """Return the lines ``source<TAB>target`` of a split of Multi30k.

    Raises CorpusError if a download fails, or if it is not the expected text.
    """
    english, german = (
        gzip.decompress(get(f"{MULTI30K_URL}/{split}.{language}.gz")).decode("utf-8").splitlines()
        for language in ("en", "de")
    )
    if len(english) != len(german):
        raise CorpusError(
            f"Multi30k {split}: {len(english)} English and {len(german)} German lines"
        )
    text = "".join(f"{clean(s)}\t{clean(t)}\n" for s, t in zip(english, german, strict=True))
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest != MULTI30K_SUMS[split]:
        raise CorpusError(
            f"Multi30k {split} is not the expected text: its SHA-256 is {digest}, expected "
            f"{MULTI30K_SUMS[split]}"
        )
    return text


def fetch_tatoeba(folder: Path, get: Download, say: Callable[[str], None]) -> None:
    """Write the splits of Tatoeba; finished ones are kept.

    Raises CorpusError if the download fails, or if the archive is damaged.
    """
    if all((folder / f"{split}.tsv.gz").exists() for split in TATOEBA_SUMS):
        say(f"{folder} is there")
        return
    for split, lines in split_tatoeba(read_tatoeba(get(TATOEBA_URL))).items():
        text = "".join(lines)
        digest = hashlib.sha256(text.encode()).hexdigest()
        write_gzip(folder / f"{split}.tsv.gz", text)
        # A newer export is used all the same: it can no longer be the old one.
        same = digest == TATOEBA_SUMS.get(split)
        note = "the export the shipped checkpoint knows" if same else "a newer export than ours"
        say(f"{folder / split}.tsv.gz: {len(lines)} pairs, {note}, SHA-256 {digest}")


def read_tatoeba(archive: bytes) -> list[tuple[str, str]]:
    """Return English-German pairs of a manythings.org archive.

    Raises CorpusError if the archive is not a zip, or holds no ``deu.txt`` of tab-separated pairs.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as file:
            text = file.read("deu.txt").decode("utf-8")
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError) as error:
        raise CorpusError(f"the Tatoeba archive is not what it was: {error}") from error
    rows = [line.split("\t") for line in text.splitlines() if line]
    # Newer exports have a third column, the attribution.
    pairs = [(clean(row[0]), clean(row[1])) for row in rows if len(row) >= 2]
    if not pairs:
        raise CorpusError("the Tatoeba archive holds no sentence pairs")
    return pairs


def split_tatoeba(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Split pairs into train (about 97 %), val and test (1.5 % each).

    The split is a hash of the English words.

    All translations of one English sentence land in one split.
    """
    splits: dict[str, list[str]] = {"train": [], "val": [], "test": []}
    for source, target in pairs:
        words = " ".join(re.findall(r"\w+", source.lower()))
        share = int(hashlib.sha256(words.encode()).hexdigest()[:8], 16) / 16**8
        split = "train" if share < 0.97 else "val" if share < 0.985 else "test"
        splits[split].append(f"{source}\t{target}\n")
    return splits


def write_gzip(path: Path, text: str) -> None:
    """Write compressed text under a temporary name first, so that no half-written file remains."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement(path) as part:
        # Without a time stamp the same text gives the same bytes.
        part.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
