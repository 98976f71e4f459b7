"""Fixtures: tiny models and a checkpoint with random weights, made by the project itself."""

from __future__ import annotations

import functools
import gc
import gzip
import json
import os
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from mishaps import MISHAPS, Mishaps

from core.card import CheckpointCard
from core.stored import Kind
from core.tokens import TokenSequence
from model import Translator, load_translator, save_checkpoint
from model.checkpoint import LoadedCheckpoint, load_checkpoint, stored_tensors
from model.config import TransformerConfig
from model.family import Family
from model.registry import families
from model.tokenizer import build_tokenizer
from model.transformer import Transformer

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite", action="store_true", help="write the figures' specifications anew"
    )
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="files, and the tests in each, in random order"
    )


# Several tests run side by side: each takes one core, and so do the servers that they start.
torch.set_num_threads(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle files and the tests of each, in the same way in every worker.

    The tests of a file stay together, so that what is made once for a file is; pytest then puts
    those together again that share a parameter of such a fixture.
    """
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    order = random.Random(seed)
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    shuffled = list(files.values())
    order.shuffle(shuffled)
    for tests in shuffled:
        order.shuffle(tests)
    items[:] = [item for tests in shuffled for item in tests]


def pytest_itemcollected(item: Any) -> None:
    if "browser" in item.fixturenames:
        item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """Whatever could not be drawn in this process fails the test, also where nobody looks at it."""
    try:
        result = yield
    finally:
        told = MISHAPS.taken()
    assert not told, "\n".join(told)
    return result


@pytest.fixture(autouse=True, scope="module")
def let_go() -> Iterator[None]:
    """Between files what pages have left behind goes, and what `ui.serve` froze."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()


@pytest.fixture
def mishaps() -> Mishaps:
    """What could not be drawn so far; who means it takes it out."""
    return MISHAPS


TRAINING = json.loads((ROOT / "training/configs/small.json").read_text("utf-8"))["training"]
"""All that the config of a run says of its training."""
TINY_RUN = {
    "name": "tiny", "title": "Tiny", "languages": ["en", "de"],
    "data": {"sets": [{"folder": "tiny"}]},
    "tokenizer": {"vocab_size": 100},
    "model": {
        "d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 32,
        "max_len": 128,
    },
    "training": {
        "seed": 1, "label_smoothing": 0.1, "batch_tokens": 200, "max_len": 60,
        "warmup": 20, "factor": 1.0, "clip_norm": 1.0, "bf16": False, "max_steps": 20,
        "log_every": 1, "validate_every": 10, "save_every": 5, "patience": 5, "average": 3,
    },
}  # fmt: skip
"""The settings of a run that is over in seconds."""
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    "The trophy doesn't fit in the suitcase because it is too big.",
    "Der Pokal passt nicht in den Koffer, weil er zu groß ist.",
    "A dog runs through the snow and a man plays the guitar.",
    "Ein Hund läuft durch den Schnee und ein Mann spielt Gitarre.",
)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def write_measured(folder: Path, kind: Kind, **changes: Any) -> None:
    """The shipped measurements of a kind with some of it changed, beside other weights as if they
    were of these."""
    values = read_json(ROOT / "checkpoints" / "en-de" / kind.file)
    own = {"fingerprint": load_checkpoint(folder).card.fingerprint}
    (folder / kind.file).write_text(json.dumps(values | own | changes), encoding="utf-8")


def make_model(seed: int = 0, **sizes: int) -> Transformer:
    """A small Transformer with random weights, in evaluation mode."""
    torch.manual_seed(seed)
    defaults = {
        "vocab_size": 23, "d_model": 16, "n_heads": 4, "n_encoder_layers": 2,
        "n_decoder_layers": 2, "d_ff": 32, "max_len": 64,
    }  # fmt: skip
    return Transformer(TransformerConfig(**(defaults | sizes))).eval()


def hooks(model: torch.nn.Module) -> list[int]:
    """What hangs on the modules of a model, before and after their calls."""
    return [h for m in model.modules() for h in (*m._forward_hooks, *m._forward_pre_hooks)]


class Numbers:
    """A vocabulary in which every token is the number of its id."""

    def __init__(self, vocab_size: int) -> None:
        self.vocab_size, self.token_of = vocab_size, str

    def beginning_with(self, ids: Sequence[int]) -> Numbers:
        return self

    def decode(self, ids: Sequence[int]) -> TokenSequence:
        return TokenSequence("", tuple(ids), tuple(map(str, ids)), ((0, 0),) * len(ids))


def spell(*pieces: str) -> TokenSequence:
    """A sequence of these pieces, ``▁`` for the space before a word, and ``</s>``."""
    text, offsets = "", []
    for piece in pieces:
        shown = piece.replace("▁", " " if text else "")
        start = len(text) + len(shown) - len(shown.lstrip())
        text += shown
        offsets.append((start, len(text)))
    ids = tuple(range(len(pieces) + 1))
    return TokenSequence(text, ids, (*pieces, "</s>"), (*offsets, (0, 0)))


def reader_of(
    model: torch.nn.Module, tokenizer: Any = None, family: Family | None = None
) -> Translator:
    """A model that is not stored, as experiments are handed it."""
    config = model.config
    own = (each for each in families().values() if type(config) is each.config)
    tokenizer = tokenizer or Numbers(config.vocab_size)
    family = family or next(own)
    card = CheckpointCard("made", family.name, ("en", "de"), 0, {}, "made")
    vocabularies = {"source": tokenizer, "target": tokenizer}
    return Translator(LoadedCheckpoint(model, vocabularies, card, family))


def write_pairs(path: Path, pairs: Iterable[Sequence[str]]) -> None:
    """Lines of two columns as a set of a training holds them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join("\t".join(each) + "\n" for each in pairs).encode()))


def write_run(
    folder: Path, settings: dict[str, Any], model: torch.nn.Module, tokenizer: Any, step: int
) -> None:
    """A folder as a training leaves it after `step`."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(settings))
    tokenizer.save(folder / "tokenizer.json")
    tensors = {name: tensor.clone() for name, tensor in stored_tensors(model).items()}
    safetensors.torch.save_file(tensors, folder / f"weights-{step:07d}.safetensors")
    line = {"step": step, "seconds": 60.4, "tokens_per_second": 500.0, "epoch": 1}
    (folder / "metrics.jsonl").write_text(json.dumps(line) + "\n")


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
    from training.evaluate import measured_sets

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
    from harness import served

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
    from harness import served

    if not (ROOT / "checkpoints" / "en-de" / "model.safetensors").is_file():
        pytest.skip("no trained checkpoint in checkpoints/en-de")
    with served("app.py", tmp_path_factory.mktemp("shipped")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """One headless browser; every visit is a session of its own in it."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from harness import ARGUMENTS, find_browser

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
    from harness import Visit, visiting

    with visiting(Visit, browser, shipped) as start:
        yield start


@pytest.fixture
def visit_random(browser, app) -> Iterator:
    """Opens addresses of the app with random weights."""
    from harness import Visit, visiting

    with visiting(Visit, browser, app) as start:
        yield start


@pytest.fixture(scope="session")
def stages(tmp_path_factory) -> Iterator[str]:
    """The address of the pages in `tests/stages`, which each show one component."""
    from harness import served

    script = ROOT / "tests" / "stages" / "main.py"
    settings = {"PYTHONPATH": str(ROOT), "STREAMLIT_CLIENT_SHOW_SIDEBAR_NAVIGATION": "false"}
    with served(script, tmp_path_factory.mktemp("stages"), **settings) as address:
        yield address
