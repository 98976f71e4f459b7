"""What the practices of a training bring: by another way of counting, resumed, as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
import torch

from support.models import SENTENCES, read_json
from support.runs import TINY_RUN, TRAINING, write_pairs, write_run
from training import practices as module
from training.__main__ import main
from training.corpus import CorpusError, Pair
from training.families import model_for
from training.practices import MARKS, PLAIN, Practices
from training.storing import DOCS

PAIRS = [Pair(text, SENTENCES[i - 1]) for i, text in enumerate(SENTENCES)]
SETTINGS: dict[str, Any] = TINY_RUN | {
    "name": "pair-short", "description": "", "licence": "", "tokenizer": {},
    "data": {
        "sets": [
            *({"folder": "books"}, {"folder": "talks"}),
            {"folder": "manuals", "tag": "<manual>"},
            {"folder": "other-way", "reversed": True, "validate": False},
        ]
    },
    "model": TINY_RUN["model"] | {"max_len": 160},
    "training": TRAINING | {"max_steps": 10},
}  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory, tiny_tokenizer) -> Path:
    root = tmp_path_factory.mktemp("practices")
    for seed, variant in enumerate((None, "no-parent", "no-tags")):
        settings = SETTINGS | ({"variant": variant, "name": f"pair-{variant}"} if variant else {})
        torch.manual_seed(seed)
        model = model_for(settings, tiny_tokenizer).eval()
        write_run(root / (variant or settings["name"]), settings, model, tiny_tokenizer, 10)
    return root


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("data")
    for folder, pairs in {"books": PAIRS[:3], "talks": PAIRS[3:5], "manuals": PAIRS[5:]}.items():
        lines = ((pair.source, pair.target) for pair in pairs)
        write_pairs(root / folder / "val.tsv.gz", lines)
    return root


def test_scores_and_differences_by_sacrebleu(runs, data, monkeypatch):
    said = {"pair-short": "reference", "no-parent": "nothing", "no-tags": "half"}
    kinds = {
        "reference": lambda pair: pair.target,
        "nothing": lambda pair: "?",
        "half": lambda pair: pair.target[: len(pair.target) // 2],
    }

    def texts(run, sets, *, write):
        return {p.source: kinds[said[run.name]](p) for pairs in sets.values() for p in pairs}

    monkeypatch.setattr(module, "translations", texts)
    result = Practices(runs, data).measure()
    assert list(result) == [PLAIN, "no-parent", "no-tags"]
    assert list(result[PLAIN]["sets"]) == ["books", "talks"], "a person types no tag"
    assert result[PLAIN]["sets"]["books"] == {"bleu": 100.0, "chrf": 100.0, "sentences": 3}
    assert result[PLAIN]["chrf"].value == pytest.approx(100)
    halves = [sacrebleu.sentence_chrf(kinds["half"](p), [p.target]).score for p in PAIRS[:5]]
    assert result["no-tags"]["chrf"].value == pytest.approx(np.mean(halves))
    assert result["no-tags"]["brings"].value == pytest.approx(np.mean(halves) - 100)
    assert result["no-parent"]["brings"].high < result["no-tags"]["brings"].low < 0
    assert result[PLAIN]["brings"] is None


def test_what_was_translated_is_not_translated_again(runs, data, monkeypatch):
    first = Practices(runs, data, 2, keep=True).measure()
    monkeypatch.setattr(module, "translate_all", lambda *_: pytest.fail("translated again"))
    again = Practices(runs, data, 2, keep=True).measure()
    assert Practices.report(again) == Practices.report(first)
    stored = runs / "no-tags" / module.FILE
    stored.write_text(json.dumps(read_json(stored) | {"fingerprint": "other weights"}))
    with pytest.raises(pytest.fail.Exception, match="translated again"):
        Practices(runs, data, 2, keep=True).measure()
    stored.unlink()


def test_the_table_stands_in_the_page_of_the_checkpoint(runs, data, capsys, tmp_path):
    page = tmp_path / "pair.md"
    page.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n", encoding="utf-8")
    Practices(runs, data).carry_out(page, write=True)
    table = capsys.readouterr().out.removesuffix("\n")
    text = page.read_text(encoding="utf-8")
    assert text == f"before\n{MARKS[0]}\n{table}\n{MARKS[1]}\nafter\n"
    rows = [line.split(" | ") for line in table.splitlines()]
    assert rows[0][:2] == ["| Run", "Steps"]
    assert "BLEU, books" in rows[0]
    assert [row[0] for row in rows[2:]] == [f"| {PLAIN}", "| no-parent", "| no-tags"]
    assert len({len(row) for row in rows}) == 1


def test_variants_alone_are_compared_with_nothing(runs, data, tmp_path):
    (tmp_path / "no-tags").symlink_to(runs / "no-tags")
    with pytest.raises(CorpusError, match="variants only"):
        Practices(tmp_path, data).measure()


def test_the_command_names_a_folder_that_holds_no_run(tmp_path, capsys):
    config = str(DOCS.parent / "training/configs/ko-en.json")
    assert main(["practices", "--config", config, "--runs", str(tmp_path)]) == 1
    assert "holds no trained weights" in capsys.readouterr().err
