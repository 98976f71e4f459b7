"""What the tests of the masks page share: the page, a checkpoint that was measured, a known run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import harness
import numpy as np
import pytest
from conftest import make_model
from streamlit.testing.v1 import AppTest

from core.search import Decoding
from model import load_translator, save_checkpoint
from ui.state import Choices, Run

TIRED = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."
N_HEADS = 24  # 2 layers of 4 heads at each of three sites
FLIP = {
    "n": 100,
    "flips": 40,
    "right": 60,
    "share": 0.4,
    "low": 0.31,
    "high": 0.5,
    "share_right": 0.6,
}


def open_page(look: str, text: str = SHORT, **address: str) -> AppTest:
    known = {"mask_look": look, "text": text, "max_len": "8", "beam": "2"}
    return harness.open_page("masks", **(known | address))


def interventions() -> dict:
    """What a checkpoint of this size would store."""
    rng = np.random.default_rng(0)
    means = {kind: rng.normal(size=(2, 4, 4)).tolist() for kind in ("encoder", "decoder", "cross")}
    grid = {"mean": [[0.1, 0.2, 0.3, 0.4]] * 2, "std": [[0.05] * 4] * 2, "n": [[9] * 4] * 2}
    whole = {"mean": 0.25, "std": 0.1, "n": 9}
    return {
        "command": "python -m training intervene --checkpoint en-de --data data --write",
        "fingerprint": "0",
        "hardware": "one core",
        "head_means": means,
        "settings": {
            "decoding": {"beam_size": 1}, "pronoun": {"control": "a word drawn at random"}
        },
        "pronoun": {
            "plain": {},
            "heads": {"encoder": {"layer": 0, "head": 1}, "cross": {"layer": 1, "head": 2}},
            "forced": [
                {"where": where, "word": word, "first": FLIP, "second": FLIP,
                 "all": FLIP | {"log_odds_change": -0.5}}
                for where in ("both", "encoder_from_it")
                for word in ("control", "antecedent")
            ],
            "searched": [],
        },
        "explain": {
            "sentences": 9,
            "rows": [
                {"against": against, "method": method, "heads": grid, "average": whole,
                 "gradient": whole, "permuted_heads": whole, "permuted_average": whole,
                 "layers": {name: values[0] for name, values in grid.items()}}
                for against in ("both", "cross", "gradient")
                for method in ("spearman", "kendall")
            ],
        },
    }  # fmt: skip


@pytest.fixture(scope="session")
def measured_root(tmp_path_factory, tiny_tokenizer) -> Path:
    """A folder whose checkpoint stores what `interventions` says."""
    root = tmp_path_factory.mktemp("measured")
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=160)
    card = {"title": "Random weights", "languages": ["en", "de"], "licence": "MIT"}
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card=card)
    text = json.dumps(
        interventions() | {"fingerprint": load_translator(root / "en-de").card.fingerprint}
    )
    (root / "en-de" / "interventions.json").write_text(text)
    return root


@pytest.fixture
def measured(measured_root, monkeypatch) -> Path:
    """The app takes its checkpoints from `measured_root`."""
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(measured_root))
    return measured_root


@pytest.fixture(scope="session")
def view(tiny_translator) -> Run:
    """The sentence with "it" and a translation that is known, whatever the weights."""
    decoding = Decoding(beam_size=1, max_len=8)
    translation = tiny_translator.translate(TIRED, decoding)
    tgt = tiny_translator.tokenize("Das Tier überquerte die Straße nicht, weil es zu müde war.")
    attention, log_probs = tiny_translator.read_again(translation.src, tgt)
    translation = replace(translation, tgt=tgt, log_probs=log_probs, attention=attention)
    return Run(Choices("en-de", TIRED, decoding), tiny_translator, translation)
