"""Files of measurements: whole and sound, or not shown, with the place that is wrong."""

from __future__ import annotations

import importlib
import json
import math
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from core import measurements
from core.storage import DamageError, checked, read_stored
from model.io.checkpoint import FOLDER_VARIABLE
from support.app import DEFAULT, heard, markdown, open_frame, open_page, shown
from support.models import ROOT, read_json
from support.stored_files import (
    ASKED,
    BESIDE,
    CHECKPOINTS,
    FIRST,
    GONE,
    KINDS,
    SHIPPED,
    SHOWN,
    leaves,
    put,
    spelled,
    spoil,
)

NONSENSE = [GONE, "?", None, [], {}, True, -7, 1e9, math.nan, math.inf, -math.inf]
COSTS = KINDS["COSTS"]


def test_every_shipped_file_of_numbers_has_a_kind_and_is_read_as_it_stands():
    for kind, folder in SHIPPED:
        found = read_stored(kind, folder)
        assert (found.state, found.fault) == ("found", None)
        assert found.values == read_json(folder / kind.file)
    there = {path.name for path in CHECKPOINTS.glob("**/*.json") if "tokenizer" not in path.name}
    assert there - {"card.json", "config.json"} <= {kind.file for kind in KINDS.values()}


@pytest.mark.parametrize("name", KINDS)
def test_a_leaf_of_nonsense_or_gone_is_named_or_is_like_others(name):
    kind, draw = KINDS[name], random.Random(name)
    if kind.file not in FIRST:
        pytest.skip("no checkpoint is here")
    values = read_json(FIRST[kind.file] / kind.file)
    places = leaves(values)
    for _ in range(30):
        changed = json.loads(json.dumps(values))
        keys, new = draw.choice(places), draw.choice(NONSENSE)
        put(changed, keys, new)
        try:
            found = checked(json.dumps(changed).encode(), kind.type)
        except DamageError as error:
            told = dict(error.fault.values)
            # A rule between fields names what holds them.
            assert spelled(keys).startswith(told["field"]), (told, spelled(keys))
            if "missing required" in told["told"]:  # where nothing stood, {} lacks its fields
                assert new == {} or (new is GONE and f"`{keys[-1]}`" in told["told"])
        else:
            assert found == changed  # so no NaN


@pytest.mark.parametrize(
    ("raw", "id"),
    [
        (b"", "stored-no-json"),
        (b'{"command": "x", "rows": [1, 2', "stored-no-json"),
        (b'\xff\xfe{"a": 1}', "stored-no-text"),
        (b"[]", "stored-unfit-whole"),
        (b"{}", "stored-unfit-whole"),
        (b"[" * 100_000, "stored-no-json"),
        (b'{"rows": ' + b"9" * 5000 + b"}", "stored-unfit-whole"),
        (None, "stored-unreadable"),
    ],
)
def test_what_is_no_file_of_the_kind_is_damaged(tmp_path, raw, id):
    if raw is None:
        (tmp_path / COSTS.file).mkdir()
    else:
        (tmp_path / COSTS.file).write_bytes(raw)
    found = read_stored(COSTS, tmp_path)
    assert (found.state, found.values, found.fault.id) == ("damaged", {}, id)


def test_a_missing_file_and_one_of_other_weights_are_told_apart(tmp_path):
    assert read_stored(COSTS, tmp_path).state == "missing"
    assert read_stored(COSTS, FIRST[COSTS.file], "of other weights").state == "foreign"


def test_the_path_goes_through_mappings_and_lists():
    values = read_json(ROOT / "ui" / "pages" / "cost" / "layers.json")
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


# -- on the pages


def box(folder: str, language: str) -> None:
    from pathlib import Path

    import streamlit

    from core.measurements import COSTS
    from ui.kit.measurements import stored_of

    streamlit.session_state["lang"] = language
    streamlit.write(len(stored_of(COSTS, Path(folder)).values))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_box_says_the_file_and_the_field_and_how_to_make_it(language, tmp_path):
    (tmp_path / COSTS.file).write_text('{"command": 3}')
    page = open_frame(box, str(tmp_path), language)
    told = markdown(page).replace("\\", "")
    assert COSTS.file in told
    assert "command" in told
    assert page.code[0].value == COSTS.command.format(name=tmp_path.name)
    assert "0" in told  # nothing of it
    (tmp_path / COSTS.file).unlink()
    page = open_frame(box, str(tmp_path), language)
    assert COSTS.file in markdown(page).replace("\\", "")


OF_A_MODEL = ("ROLES", "GOLD", "SEARCH", "INTERVENTIONS", "SHARES", "MASKED")
CASES = [
    *(("damaged", name) for name in SHOWN),
    # What heads do is a hint; where it was not measured nobody is told to.
    *(("missing", name) for name in SHOWN if name != "ROLES"),
    *(("foreign", name) for name in OF_A_MODEL),
]
LANGUAGES = {"damaged": "ko", "missing": "en", "foreign": "en"}
"""The language in which a state is said here; of all kinds the other one stands above."""


@pytest.fixture(scope="module")
def shelves(tmp_path_factory) -> Callable[[str], tuple[Path, dict[str, tuple[Path, str]]]]:
    """Everything that is shipped, with all that is measured in one state: the folder it lies in,
    and by the kind of a file where that lay and the field that is damaged.
    """
    if not (CHECKPOINTS / "en-de").is_dir():
        pytest.skip("no checkpoint is here")

    @cache
    def shelf(state: str) -> tuple[Path, dict[str, tuple[Path, str]]]:
        root = tmp_path_factory.mktemp(state)
        for path in (path for path in CHECKPOINTS.rglob("*") if path.is_file()):
            link = root / path.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
        for folder in BESIDE.values():
            shutil.copytree(folder, root / folder.name)
        places = {name: each[2] for name, each in SHOWN.items()}
        folders = {
            name: (root / "checkpoints" / of, *root.iterdir()) for name, of in places.items()
        }
        return root, {name: spoil(KINDS[name], of, state) for name, of in folders.items()}

    return shelf


@pytest.mark.parametrize(("state", "name"), CASES)
def test_a_view_says_why_nothing_of_a_file_is_shown(state, name, shelves, monkeypatch):
    root, files = shelves(state)
    monkeypatch.setenv(FOLDER_VARIABLE, str(root / "checkpoints"))
    for place, folder in BESIDE.items():
        monkeypatch.setattr(place, root / folder.name)
    kind, (folder, field) = KINDS[name], files[name]
    page, view, checkpoint, of_the_file = SHOWN[name]
    key = importlib.import_module(f"ui.pages.{page}.page").PAGE.key
    address = ASKED.get((page, view), {}) | ({"checkpoint": checkpoint} if checkpoint else {})
    address |= {"text": DEFAULT.text, "lang": LANGUAGES[state], key: view}
    with heard() as said:
        screen = open_page(page, **address)
    assert of_the_file not in said
    boxes = (shown(each.value) for each in (*screen.warning, *screen.info))
    told = [each for each in boxes if kind.file in each]
    assert len(told) == 1, told
    assert f"{folder.name}/{kind.file}" in told[0]
    assert field in told[0]
    assert any(each.value == kind.command.format(name=folder.name) for each in screen.code)
