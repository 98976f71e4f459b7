"""The downloader: right text kept, wrong text refused, no half files, a clear word offline."""

from __future__ import annotations

import gzip
import hashlib
import io
import urllib.error
import zipfile

import pytest

from training import fetch as fetching
from training.__main__ import main
from training.corpus import CorpusError, read_pairs

EN = "A  man\u00a0sits.\nTwo dogs.\n"
DE = "Ein Mann sitzt.\nZwei Hunde\u200b.\n"
JOINED = "A man sits.\tEin Mann sitzt.\nTwo dogs.\tZwei Hunde.\n"


def archive(rows: str, name: str = "deu.txt") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(name, rows)
    return buffer.getvalue()


@pytest.fixture
def public_homes(monkeypatch):
    """Answers for every URL, and the list of what was asked for."""
    total = hashlib.sha256(JOINED.encode()).hexdigest()
    monkeypatch.setattr(fetching, "MULTI30K_SUMS", {"train": total, "val": total})
    rows = "".join(f"Go {i}.\tGeh {i}.\tCC-BY 2.0\n" for i in range(400))
    asked = []

    def get(url: str) -> bytes:
        asked.append(url)
        if url == fetching.TATOEBA_URL:
            return archive(rows)
        return gzip.compress((EN if ".en." in url else DE).encode())

    return get, asked


def test_fetched_files_are_readable_pairs_and_are_not_fetched_again(tmp_path, public_homes):
    get, asked = public_homes
    fetching.fetch(tmp_path, get=get, say=lambda _line: None)
    pairs = list(read_pairs(tmp_path / "multi30k-en-de" / "train.tsv.gz"))
    assert [(p.source, p.target) for p in pairs] == [
        ("A man sits.", "Ein Mann sitzt."),
        ("Two dogs.", "Zwei Hunde."),
    ]
    train = list(read_pairs(tmp_path / "tatoeba-en-de" / "train.tsv.gz"))
    assert train[0].source.startswith("Go ")
    asked.clear()
    fetching.fetch(tmp_path, get=get, say=lambda _line: None)
    assert asked == []


def test_text_with_another_checksum_is_refused(tmp_path, public_homes, monkeypatch):
    get, _ = public_homes
    monkeypatch.setattr(fetching, "MULTI30K_SUMS", {"train": "0" * 64})
    with pytest.raises(CorpusError, match=r"not the expected text.*expected 000"):
        fetching.fetch(tmp_path, get=get, say=lambda _line: None)
    assert not list(tmp_path.rglob("*.gz"))


def test_sides_of_unequal_length_are_refused(tmp_path):
    def get(url: str) -> bytes:
        return gzip.compress(b"one\ntwo\n" if ".en." in url else b"eins\n")

    with pytest.raises(CorpusError, match="2 English and 1 German"):
        fetching.fetch(tmp_path, get=get, say=lambda _line: None)


@pytest.mark.parametrize("broken", [b"not a zip", archive("x", name="readme.txt"), archive("")])
def test_a_broken_archive_is_named(broken):
    with pytest.raises(CorpusError, match="Tatoeba archive"):
        fetching.read_tatoeba(broken)


def test_translations_of_one_sentence_share_a_split():
    pairs = [(f"Go {i}!", f"{verb} {i}!") for i in range(300) for verb in ("Geh", "Lauf")]
    splits = fetching.split_tatoeba(pairs)
    sources = {name: {line.split("\t")[0] for line in lines} for name, lines in splits.items()}
    assert sum(len(lines) for lines in splits.values()) == 600
    assert not sources["train"] & (sources["val"] | sources["test"])
    assert len(splits["train"]) > 550


def test_offline_the_command_says_what_to_do(tmp_path, monkeypatch, capsys):
    def refuse(*_args, **_kwargs):
        raise urllib.error.URLError("Name or service not known")

    monkeypatch.setattr(fetching.urllib.request, "urlopen", refuse)
    assert main(["fetch", "--data", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "could not be downloaded" in message
    assert "--data" in message


def test_a_missing_data_folder_is_a_sentence_not_a_trace(tmp_path, capsys):
    config = fetching.Path(__file__).parent.parent / "training" / "configs" / "en-de-captions.json"
    where = ["--data", str(tmp_path), "--folder", str(tmp_path)]
    assert main(["--config", str(config), *where]) == 1
    assert "python -m training fetch" in capsys.readouterr().err
