"""What all measurements have in common: parts, going on, storing, reporting."""

import copy
import importlib
import re
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest

from core.measurements import SEARCH
from core.stored import read_stored
from support.models import ROOT, read_json
from training.__main__ import MEASURED as OF_CHECKPOINTS
from training.card import CARD_FILE, measured_in
from training.document_measures import Documents
from training.masked_measures import Masked
from training.measuring import Measurement, Part, fill, stored_in
from training.storing import LISTS, read

CARD = SimpleNamespace(name="en-de", fingerprint="abc")


class Counted(Measurement):
    """Parts of every sort; what was worked out is told."""

    name, kind, goes_on, on_a_line = "counted", SEARCH, True, (LISTS,)

    def __init__(self, worked, limit=None):
        super().__init__(SimpleNamespace(card=CARD), limit=limit)
        self.worked = worked

    def frame(self):
        return {**self.made(), "settings": {"limit": self.limit}, "rows": [], "of": {}}

    def parts(self):
        for n in (1, 2):
            yield Part(("rows",), lambda n=n: self.work({"twice": 2 * n}), {"n": n})
        yield Part(("of", "numbers"), lambda: self.work([1, 2]))
        yield Part(("of", "weights"), lambda: self.work({"fingerprint": "w"}), fingerprint="w")

    def work(self, value):
        self.worked.append(value)
        return value


class Once(Counted):
    goes_on = False


def whole():
    return Counted([]).measure()


def test_a_measurement_says_how_it_was_made_and_has_all_its_parts():
    result = whole()
    assert result.pop("hardware")
    assert result == {
        "command": "python -m training sweep --checkpoint en-de --data data --write",
        "fingerprint": "abc",
        "settings": {"limit": None},
        "rows": [{"n": 1, "twice": 2}, {"n": 2, "twice": 4}],
        "of": {"numbers": [1, 2], "weights": {"fingerprint": "w"}},
    }


@pytest.mark.parametrize("n_done", range(5))
def test_a_killed_run_goes_on_where_it_was(n_done):
    saved, worked = [Counted([]).frame()], []
    Counted([]).measure(save=lambda result: saved.append(copy.deepcopy(result)))
    assert len(saved) == 5
    stored = copy.deepcopy(saved[n_done])
    assert Counted(worked).measure(stored) == saved[-1]
    assert len(worked) == 4 - n_done
    assert stored == saved[n_done]  # what was read is left as it is


@pytest.mark.parametrize("change", [{"fingerprint": "other"}, {"settings": {"limit": 3}}])
def test_parts_of_other_weights_or_settings_are_worked_out_again(change):
    worked = []
    assert Counted(worked).measure(whole() | change) == whole()
    assert len(worked) == 4


def test_a_part_of_other_weights_is_worked_out_again():
    stored, worked = whole(), []
    stored["of"]["weights"] = {"fingerprint": "old"}
    assert Counted(worked).measure(stored) == whole()
    assert worked == [{"fingerprint": "w"}]


def test_what_does_not_go_on_is_saved_at_the_end_alone():
    saved = []
    result = Once([]).measure(save=lambda result: saved.append(copy.deepcopy(result)))
    assert saved == [result]


@pytest.mark.parametrize(("kind", "write"), [(Counted, True), (Counted, False), (Once, True)])
def test_only_what_is_to_be_written_is_stored_and_read_back(
    kind, write, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(kind, "report", classmethod(lambda cls, result: "told"))
    path, worked = tmp_path / SEARCH.file, []
    for _ in range(2):
        kind(worked).carry_out(tmp_path, write)
    assert path.exists() == write
    assert len(worked) == (4 if write and kind.goes_on else 8)
    assert capsys.readouterr().out == "told\n" * 2
    if write:
        assert read_json(path) == whole()
        assert "[ 1, 2 ]" in path.read_text()
        assert list(tmp_path.iterdir()) == [path]


def test_a_killed_write_leaves_the_file_as_it_was(tmp_path):
    Counted.write(tmp_path, {"old": 1})
    with pytest.raises(TypeError):
        Counted.write(tmp_path, {"new": object()})
    assert stored_in(tmp_path / SEARCH.file) == {"old": 1}


# -- all that there are ---------------------------------------------------------------------


def measurement_at(place):
    module, name = place.split(".")
    return getattr(importlib.import_module(f"training.{module}"), name)


ALL = {each.name: each for each in (*map(measurement_at, OF_CHECKPOINTS), Documents)}
SHIPPED = [
    (name, path.parent)
    for name, each in ALL.items()
    if each.kind is not CARD_FILE
    for path in sorted(ROOT.glob(f"checkpoints/**/{each.kind.file}"))
]


@pytest.fixture
def measurement(request, tiny_checkpoint, measured_data, monkeypatch):
    """One of a tiny checkpoint, or of checkpoints that are not there to be read."""
    kind = ALL[request.param]
    if kind is Masked:
        monkeypatch.setattr("training.masked_measures.written", lambda *_: [])
        of = SimpleNamespace(card=CARD, model=None, tokenizers={"source": None})
        return kind(of, measured_data, 2, {"data": {"sets": [{"folder": "a"}]}})
    if kind is not Documents:
        return kind(kind.load(str(tiny_checkpoint)), measured_data)
    monkeypatch.setattr("training.document_measures.texts_for", lambda *_: None)
    readers = {"one": SimpleNamespace(card=CARD), "two": SimpleNamespace(card=CARD)}
    monkeypatch.setattr("training.document_measures.load_reader", readers.__getitem__)
    return kind({name: name for name in readers}, measured_data)


@pytest.mark.parametrize("measurement", ALL, indirect=True)
def test_each_goes_on_after_every_part_of_it(measurement):
    def stubs(worked):
        def work(n, fingerprint):
            worked.append(n)
            return {"part": n, "fingerprint": fingerprint}

        return [
            replace(part, work=lambda n=n, part=part: work(n, part.fingerprint))
            for n, part in enumerate(measurement.parts())
        ]

    frame, saved = measurement.frame(), []
    fill(copy.deepcopy(frame), stubs([]), lambda result: saved.append(copy.deepcopy(result)))
    numbers = list(range(len(stubs([]))))
    assert len(saved) == len(numbers) > 0
    for n, stored in enumerate([frame, *saved]):
        worked = []
        assert fill(copy.deepcopy(stored), stubs(worked)) == saved[-1]
        assert worked == numbers[n:]


@pytest.mark.parametrize("measurement", ALL, indirect=True)
def test_what_goes_on_knows_whose_numbers_it_holds(measurement):
    frame, parts = measurement.frame(), list(measurement.parts())
    assert "fingerprint" in frame or all(part.fingerprint for part in parts[1:])


@pytest.mark.parametrize("measurement", ALL, indirect=True)
def test_frame_and_parts_are_all_that_the_app_needs(measurement):
    """Each field without a default is one of them; `differences` come of all parts."""
    there = {*measurement.frame(), *(part.at[0] for part in measurement.parts()), "differences"}
    fields = msgspec.structs.fields(measurement.kind.type)
    assert {field.encode_name for field in fields if field.required} <= there


def test_a_part_of_the_sets_is_never_stored(tmp_path):
    with pytest.raises(ValueError, match="whole sets"):
        Counted([], limit=3).carry_out(tmp_path, write=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "folder"), SHIPPED, ids=lambda each: getattr(each, "name", each))
def test_what_is_shipped_is_written_as_it_stands_and_told_with_its_bounds(name, folder, tmp_path):
    kind = ALL[name]
    path, readme = folder / kind.kind.file, folder / "README.md"
    result = read(path)
    kind.write(tmp_path, result)
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert list(tmp_path.iterdir()) == [tmp_path / path.name]
    assert read_stored(kind.kind, tmp_path).state == "found"
    assert kind is Documents or measured_in(folder, kind.kind) == result  # of these very weights
    report = kind.report(result)
    assert not re.search(r"\b(nan|undefined)\b", report)
    told = report + (readme.read_text(encoding="utf-8") if readme.exists() else "")
    bounded = '"low":' in path.read_text(encoding="utf-8") and name != "captions"  # on the page
    assert bounded <= bool(re.search(r"\d%? to [+-]?\d", told))
