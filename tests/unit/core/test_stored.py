"""Files of measurements: whole and sound, or not shown, with the place that is wrong."""

from __future__ import annotations

import importlib
import json
import math
import operator
import shutil
from collections.abc import Callable, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages.test_views import ASKED, ONE_FILE, STORED
from streamlit.testing.v1 import AppTest

from core import measurements
from core.atlas import ATLAS
from core.stored import DamageError, Kind, checked, read_stored
from model.checkpoint import FOLDER_VARIABLE
from support.app import DEFAULT, heard, markdown, open_frame, open_page, shown
from support.models import ROOT
from ui.cost.costs import FOLDER
from ui.training.stored import SMALL

KINDS = {name: each for name, each in vars(measurements).items() if isinstance(each, Kind)}
KINDS["ATLAS"] = ATLAS  # of a topic that reads other measurements
FOLDERS = (FOLDER, SMALL, ROOT / "checkpoints")
SHIPPED = [
    (kind, folder)
    for kind in KINDS.values()
    for folder in (*FOLDERS, *sorted((ROOT / "checkpoints").iterdir()))
    if (folder / kind.file).is_file()
]
FIRST = {kind.file: folder for kind, folder in reversed(SHIPPED)}
GONE = object()
NONSENSE = st.sampled_from([GONE, "?", None, [], {}, True, -7, 1e9, math.nan, math.inf, -math.inf])


@pytest.fixture(params=KINDS)
def kind(request) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def folder(kind, tmp_path) -> Path:
    """A folder with a shipped file of the kind."""
    if kind.file not in FIRST:
        pytest.skip("no checkpoint is here")
    shutil.copy(FIRST[kind.file] / kind.file, tmp_path)
    return tmp_path


def leaves(values: Any, keys: tuple = ()) -> list[tuple]:
    if not isinstance(values, dict | list) or not values:
        return [keys]
    parts = values.items() if isinstance(values, dict) else list(enumerate(values))[:3]
    return [found for key, value in parts for found in leaves(value, (*keys, key))]


def put(values: Any, keys: tuple, new: Any) -> None:
    for key in keys[:-1]:
        values = values[key]
    if new is GONE:
        del values[keys[-1]]
    else:
        values[keys[-1]] = new


def spelled(keys: tuple) -> str:
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return "".join(parts).removeprefix(".")


@pytest.mark.parametrize(("kind", "folder"), SHIPPED, ids=lambda each: getattr(each, "name", ""))
def test_every_shipped_file_is_sound_and_read_as_it_stands(kind, folder):
    found = read_stored(kind, folder)
    assert (found.state, found.fault) == ("found", None)
    assert found.values == json.loads((folder / kind.file).read_text())


def test_every_shipped_file_of_numbers_has_a_kind():
    known = {kind.file for kind in KINDS.values()}
    others = {"card.json", "config.json", "tokenizer.json"}
    there = {path.name for path in (ROOT / "checkpoints").glob("**/*.json")}
    assert {name for name in there if "tokenizer" not in name} - others <= known


@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("name", KINDS)
def test_a_leaf_of_nonsense_or_gone_is_named_or_is_like_others(name, data):
    kind = KINDS[name]
    if kind.file not in FIRST:
        pytest.skip("no checkpoint is here")
    values = json.loads((FIRST[kind.file] / kind.file).read_text())
    keys = data.draw(st.sampled_from(leaves(values)))
    new = data.draw(NONSENSE)
    put(values, keys, new)
    try:
        found = checked(json.dumps(values).encode(), kind.type)
    except DamageError as error:
        told = dict(error.fault.values)
        # A rule between fields names what holds them.
        assert spelled(keys).startswith(told["field"]), (told, spelled(keys))
        if "missing required" in told["told"]:
            assert (new, f"`{keys[-1]}`" in told["told"]) == (GONE, True)
    else:
        assert found == values  # so no NaN


@pytest.mark.parametrize(
    ("raw", "id"),
    [
        (b"", "stored-no-json"),
        (b'{"command": "x", "rows": [1, 2', "stored-no-json"),
        (b'\xff\xfe{"a": 1}', "stored-no-text"),
        (b"[]", "stored-unfit-whole"),
        (b"{}", "stored-unfit-whole"),
        (b"[" * 100_000, "stored-no-json"),
    ],
)
def test_what_is_no_file_of_the_kind_is_damaged(kind, tmp_path, raw, id):
    (tmp_path / kind.file).write_bytes(raw)
    found = read_stored(kind, tmp_path)
    assert (found.state, found.values, found.fault.id) == ("damaged", {}, id)


def test_a_file_that_cannot_be_opened_is_damaged(kind, tmp_path):
    (tmp_path / kind.file).mkdir()
    assert read_stored(kind, tmp_path).fault.id == "stored-unreadable"


def test_a_missing_file_and_one_of_other_weights_are_told_apart(kind, folder, tmp_path_factory):
    assert read_stored(kind, tmp_path_factory.mktemp("empty")).state == "missing"
    assert read_stored(kind, folder, "of other weights").state == "foreign"


def test_the_path_goes_through_mappings_and_lists():
    values = json.loads((ROOT / "ui" / "cost" / "layers.json").read_text())
    values["rows"][3][3] = -1.0
    one = {"value": 0.5, "low": 0.4, "high": 0.6}
    systems = {
        name: {part: {"accuracy": one, "documents": n} for part in ("polarity", "reviews")}
        for name, n in (("first", 3), ("second", 0))
    }
    documents = {"command": "x", "systems": systems, "differences": {}}
    for damaged, type, field in (
        (values, measurements.Costs, "rows[3][3]"),
        (documents, measurements.Documents, "systems.second.polarity.documents"),
    ):
        with pytest.raises(DamageError) as raised:
            checked(json.dumps(damaged).encode(), type)
        assert dict(raised.value.fault.values)["field"] == field


def _box(kind: str, folder: str, language: str) -> None:
    from pathlib import Path

    import streamlit

    from core import atlas, measurements
    from ui.stored import stored_of

    kinds = vars(atlas) | vars(measurements)
    streamlit.session_state["lang"] = language
    streamlit.write(len(stored_of(kinds[kind], Path(folder)).values))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", KINDS)
def test_the_page_says_the_file_and_the_field_and_how_to_make_it(name, language, tmp_path):
    kind = KINDS[name]
    (tmp_path / kind.file).write_text('{"command": 3}')
    page = open_frame(_box, name, str(tmp_path), language)
    told = markdown(page).replace("\\", "")
    assert kind.file in told
    assert "command" in told or "field" in told
    assert page.code[0].value == kind.command.format(name=tmp_path.name)
    assert "0" in told  # nothing of it
    (tmp_path / kind.file).unlink()
    assert kind.file in markdown(open_frame(_box, name, str(tmp_path), language)).replace("\\", "")


# -- on the pages ----------------------------------------------------------------------------

OF_FILES = {kind.file: name for name, kind in KINDS.items()}
OF_PAGES = {"masked": "masked-lm", "captions": "captions-soft"}
OF_PAGES |= dict.fromkeys(("documents", "lineage", "cost"), "")
PAGES = [
    (page, view, kind, OF_PAGES.get(page, "en-de"))
    for page, view, kind in (
        *((page, view, OF_FILES[f]) for page, view, f, _ in STORED if f in OF_FILES),
        *(("training", view, "SMALL_RUNS") for view in ("forming", "warmup", "smoothing")),
        ("cost", "measured", "COSTS"),
    )
]
OF_A_MODEL = {
    *("LANGUAGE", "ROLES", "GOLD", "SEARCH", "INTERVENTIONS"),
    *("SHARES", "MASKED"),
}


BESIDE = {"ui.training.stored.SMALL": SMALL, "ui.cost.costs.FOLDER": FOLDER}
"""What is measured without a checkpoint."""
STATES = {"damaged": "ko", "missing": "en", "foreign": "en"}
"""What may be wrong with a file, and the language in which every view says it here; of all kinds
the other one stands above."""


@pytest.fixture(scope="module")
def shelves(tmp_path_factory) -> Callable[[str], tuple[Path, dict[str, tuple[Path, str]]]]:
    """Everything that is shipped, with all that is measured in one state: the folder it lies in,
    and by the kind of a file where that lay and the field that is damaged."""
    if not (ROOT / "checkpoints" / "en-de").is_dir():
        pytest.skip("no checkpoint is here")

    @cache
    def shelf(state: str) -> tuple[Path, dict[str, tuple[Path, str]]]:
        root = tmp_path_factory.mktemp(state)
        for path in (ROOT / "checkpoints").rglob("*"):
            if path.is_file():
                link = root / path.relative_to(ROOT)
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(path)
        for folder in BESIDE.values():
            shutil.copytree(folder, root / folder.name)
        folders = {name: (root / "checkpoints" / of, *root.iterdir()) for *_, name, of in PAGES}
        return root, {name: spoil(KINDS[name], of, state) for name, of in folders.items()}

    return shelf


def spoil(kind: Kind, folders: Sequence[Path], state: str) -> tuple[Path, str]:
    folder = next(each for each in folders if (each / kind.file).is_file())
    path, field = folder / kind.file, ""
    values = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    if state == "damaged":
        field = damage_within(values, kind)
    if state == "foreign":
        values |= {"fingerprint": "0" * 12}
    if state != "missing":
        path.write_text(json.dumps(values), encoding="utf-8")
    return folder, field


def damage_within(values: dict[str, Any], kind: Kind) -> str:
    """Damages one field deep within a file; returns where that is."""
    for keys in reversed(leaves(values)):
        kept = reduce(operator.getitem, keys, values)
        put(values, keys, "?")
        try:
            checked(json.dumps(values).encode(), kind.type)
        except DamageError as error:
            return str(dict(error.fault.values)["field"])
        put(values, keys, kept)
    raise AssertionError


@cache
def opened(page: str, view: str, checkpoint: str, state: str) -> tuple[AppTest, set[str]]:
    """A view, and the ids of what is said on it."""
    key = importlib.import_module(f"ui.pages.{page}").PAGE.key
    address = {"checkpoint": checkpoint} if checkpoint else {}
    address |= ASKED.get((page, view), {}) | {
        "text": DEFAULT.text,
        "lang": STATES[state],
        key: view,
    }
    with heard() as said:
        return open_page(page, **address), said


CASES = [
    (state, *each)
    for state in STATES
    for each in PAGES
    # The language of a text and what its heads do are hints; one without is not told to measure.
    if (state != "missing" or each[2] not in ("LANGUAGE", "ROLES"))
    and (state != "foreign" or each[2] in OF_A_MODEL)
]


@pytest.mark.parametrize(("state", "page", "view", "name", "checkpoint"), CASES)
def test_every_view_says_why_nothing_of_a_file_is_shown(
    state, page, view, name, checkpoint, shelves, monkeypatch
):
    root, files = shelves(state)
    monkeypatch.setenv(FOLDER_VARIABLE, str(root / "checkpoints"))
    for place, folder in BESIDE.items():
        monkeypatch.setattr(place, root / folder.name)
    kind, (folder, field) = KINDS[name], files[name]
    screen, said = opened(page, view, checkpoint, state)
    with_it = {id for *place, id in STORED if place == [page, view, kind.file]}
    assert kind.file not in ONE_FILE or not with_it & said
    boxes = (shown(each.value) for each in (*screen.warning, *screen.info))
    told = [each for each in boxes if kind.file in each]
    assert len(told) == 1, told
    assert f"{folder.name}/{kind.file}" in told[0]
    assert field in told[0]
    assert any(each.value == kind.command.format(name=folder.name) for each in screen.code)
