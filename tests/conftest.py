"""Fixtures: tiny models and a checkpoint with random weights, made by the project itself."""

from __future__ import annotations

import functools
import gc
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import torch

from model import load_translator, save_checkpoint
from model.families.transformer import Transformer
from model.tokenizer import build_tokenizer
from support.mishaps import MISHAPS, Mishaps, pytest_runtest_call  # noqa: F401 (a hook)
from support.models import ROOT, SENTENCES, make_model
from support.runs import write_pairs


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite", action="store_true", help="write the figures' specifications anew"
    )
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="files, and the tests in each, in random order"
    )


# A busy machine is slow, but not wrong.
hypothesis.settings.register_profile(
    "lab", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("lab")

# Several tests run side by side: each takes one core, and so do the servers that they start.
torch.set_num_threads(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Import and collect without looking for garbage, and never look through it again.

    Half a million objects of the libraries stay until the end; each full look at them costs 0.2 s.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a whole file to a worker, and all tests in a browser to one (``--dist loadfile``).

    So fixtures of a module are made once, and the app is served once. Groups come from the node
    ids: marks for ``--dist loadgroup`` have no effect with pytest 9.2 (pytest-xdist issue 1386).
    """
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "browser" if file.startswith("tests/browser/") else file

    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that open a browser, and shuffle when asked to."""
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker("browser")
            item.add_marker("slow")
    if (seed := config.getoption("--shuffle")) is not None:
        items[:] = shuffled(items, random.Random(seed))


def shuffled(items: list[pytest.Item], order: random.Random) -> list[pytest.Item]:
    """Files and the tests of each in random order; the tests of a file stay together.

    pytest then puts those together again that share a parameter of a fixture of their module.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    together = list(files.values())
    order.shuffle(together)
    for tests in together:
        order.shuffle(tests)
    return [item for tests in together for item in tests]


@pytest.fixture
def mishaps() -> Mishaps:
    """Log of what could not be drawn; a test that expects an entry takes it out."""
    return MISHAPS


@pytest.fixture
def tiny_model() -> Transformer:
    return make_model()


@pytest.fixture(scope="session")
def tiny_tokenizer():
    return build_tokenizer(SENTENCES * 3, vocab_size=200)


@pytest.fixture(scope="session")
def checkpoints_root(tmp_path_factory, tiny_tokenizer) -> Path:
    """A folder like `checkpoints/` that holds "en-de" with random weights."""
    root = tmp_path_factory.mktemp("checkpoints")
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=160)
    card = {"title": "Random weights", "languages": ["en", "de"], "licence": "MIT"}
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card=card)
    return root


@pytest.fixture(scope="session")
def tiny_checkpoint(checkpoints_root) -> Path:
    """The path of a checkpoint with random weights."""
    return checkpoints_root / "en-de"


@pytest.fixture(scope="session")
def tiny_translator(tiny_checkpoint):
    return load_translator(tiny_checkpoint)


@pytest.fixture(scope="session")
def record(tiny_translator):
    """The attention of a sentence and its reference, read as they stand."""
    return tiny_translator.attend(SENTENCES[0], SENTENCES[1])


@pytest.fixture(scope="session")
def en_de():
    """The shipped translator from English to German."""
    return load_translator(str(ROOT / "checkpoints" / "en-de"))


@pytest.fixture(scope="session")
def measured_data(tmp_path_factory) -> Path:
    """A data folder with three pairs in every file that searches and changes are measured on."""
    from evaluation.measured_sets import measured_sets

    root, sets = tmp_path_factory.mktemp("data"), measured_sets(("en", "de"))
    for file in (sets.swept[1], *sets.files.values()):
        write_pairs(root / file, zip(SENTENCES[::2], SENTENCES[1::2], strict=True))
    return root


@pytest.fixture(scope="module")
def on_the_cpu() -> Iterator[None]:
    """Runs are one process on the CPU, with a pool of dropout masks that is quickly made."""
    from training import loop

    small_pool = functools.partial(loop.use_pooled_dropout, pool_size=1 << 18)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WORLD_SIZE", raising=False)
        patch.setattr(loop, "pick_device", lambda: torch.device("cpu"))
        patch.setattr(loop, "use_pooled_dropout", small_pool)
        yield


@pytest.fixture
def mine(tiny_checkpoint, tmp_path) -> Path:
    """A checkpoint with random weights that a test may change."""
    return shutil.copytree(tiny_checkpoint, tmp_path / "mine")


@pytest.fixture
def folder(checkpoints_root, monkeypatch) -> Path:
    """The folder that the app takes its checkpoints from."""
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(checkpoints_root))
    return checkpoints_root


@pytest.fixture
def copies(checkpoints_root, monkeypatch, tmp_path) -> Path:
    """A folder that the app takes its checkpoints from, and that a test may damage."""
    shutil.copytree(checkpoints_root / "en-de", tmp_path / "en-de")
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="session")
def smallest_root(tmp_path_factory, tiny_tokenizer) -> Path:
    """A folder whose checkpoint has one layer on either side and one head."""
    root = tmp_path_factory.mktemp("smallest")
    model = make_model(
        vocab_size=tiny_tokenizer.vocab_size, max_len=160, n_heads=1, n_encoder_layers=1,
        n_decoder_layers=1,
    )  # fmt: skip
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card={"languages": ["en", "de"]})
    return root


@pytest.fixture
def smallest(smallest_root, monkeypatch) -> Path:
    """The app takes its checkpoints from `smallest_root`."""
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(smallest_root))
    return smallest_root


@pytest.fixture(scope="session")
def app(checkpoints_root, tmp_path_factory) -> Iterator[str]:
    """The address of the app with random weights, served once for all tests in a browser.

    It trains one model at once, however many cores there are.
    """
    from support.browser import served

    folder = tmp_path_factory.mktemp("app")
    of_app = {
        "ATTENTION_LAB_CHECKPOINTS": str(checkpoints_root),
        "ATTENTION_LAB_TRAININGS": "1",
    }
    with served("app.py", folder, **of_app) as address:
        yield address


@pytest.fixture(scope="session")
def shipped(tmp_path_factory) -> Iterator[str]:
    """The address of the app with the checkpoint that it comes with."""
    from support.browser import served

    if not (ROOT / "checkpoints" / "en-de" / "model.safetensors").is_file():
        pytest.skip("no trained checkpoint in checkpoints/en-de")
    with served("app.py", tmp_path_factory.mktemp("shipped")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """One headless browser; every visit is a session of its own in it."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from support.browser import ARGUMENTS, find_browser

    with sync_api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        except sync_api.Error as error:
            pytest.skip(f"no browser: {error}")
        yield found
        found.close()


@pytest.fixture
def visit(browser, shipped) -> Iterator:
    """Opens addresses of the app with its own checkpoints; without errors until the end."""
    from support.browser import Visit, visiting

    with visiting(Visit, browser, shipped) as start:
        yield start


@pytest.fixture
def visit_random(browser, app) -> Iterator:
    """Opens addresses of the app with random weights."""
    from support.browser import Visit, visiting

    with visiting(Visit, browser, app) as start:
        yield start


@pytest.fixture(scope="session")
def stages(tmp_path_factory) -> Iterator[str]:
    """The address of the pages in `tests/stages`, which each show one component."""
    from support.browser import served

    script = ROOT / "tests/support/stages" / "main.py"
    settings = {"PYTHONPATH": str(ROOT), "STREAMLIT_CLIENT_SHOW_SIDEBAR_NAVIGATION": "false"}
    with served(script, tmp_path_factory.mktemp("stages"), **settings) as address:
        yield address
