"""Measurements in common: parts, going on, storing, reporting, and everything that is shipped."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest

from core.measurements import SEARCH
from core.storage import read_stored
from evaluation import captions, lineage
from evaluation.__main__ import MEASUREMENTS
from evaluation.doc_tables import write_pages
from evaluation.documents import MARKS as DOCUMENT_MARKS
from evaluation.documents import DocumentsMeasurement
from evaluation.everyday import translations_table
from evaluation.masked_lm import MaskedMeasurement
from evaluation.measurement import Measurement, ResultPart, fill, stored_in
from support.models import ROOT, read_json
from training import templating
from training.card import CARD_FILE, CARD_KINDS, CONFIGS, measured_in, readme_of, stored_card
from training.files import LISTS, read, write_between

CARD = SimpleNamespace(name="en-de", fingerprint="abc")
CHECKPOINTS = ROOT / "checkpoints"

# -- parts ------------------------------------------------------------------------------------


class Counted(Measurement):
    """Parts of every sort; `worked` lists the values that were worked out."""

    name = "counted"
    file_kind = SEARCH
    on_a_line = (LISTS,)

    def __init__(self, worked, limit=None):
        super().__init__(SimpleNamespace(card=CARD), limit=limit)
        self.worked = worked

    def frame(self):
        return {**self.provenance(), "settings": {"limit": self.limit}, "rows": [], "of": {}}

    def parts(self):
        for n in (1, 2):
            yield ResultPart(("rows",), lambda n=n: self.work({"twice": 2 * n}), {"n": n})
        yield ResultPart(("of", "numbers"), lambda: self.work([1, 2]))
        yield ResultPart(
            ("of", "weights"), lambda: self.work({"fingerprint": "w"}), fingerprint="w"
        )

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
        "command": "python -m evaluation sweep --checkpoint en-de --data data --write",
        "fingerprint": "abc",
        "settings": {"limit": None},
        "rows": [{"n": 1, "twice": 2}, {"n": 2, "twice": 4}],
        "of": {"numbers": [1, 2], "weights": {"fingerprint": "w"}},
    }


def test_a_killed_measurement_goes_on_where_it_was_with_the_same_weights_and_settings():
    saved, other_part = [Counted([]).frame()], whole()
    Counted([]).measure(save=lambda result: saved.append(copy.deepcopy(result)))
    assert len(saved) == 5
    other_part["of"]["weights"] = {"fingerprint": "old"}
    stored = [(each, 4 - n_done) for n_done, each in enumerate(saved)]
    stored += [(whole() | {"fingerprint": "other"}, 4), (whole() | {"settings": {"limit": 3}}, 4)]
    for before, n_worked in (*stored, (other_part, 1)):
        worked, kept = [], copy.deepcopy(before)
        assert Counted(worked).measure(before) == saved[-1]
        assert len(worked) == n_worked
        assert before == kept
    saved.clear()
    result = Once([]).measure(save=lambda result: saved.append(copy.deepcopy(result)))
    assert saved == [result]


@pytest.mark.parametrize(("kind", "write"), [(Counted, True), (Counted, False), (Once, True)])
def test_a_result_is_stored_and_read_back_only_if_asked(kind, write, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(kind, "report", classmethod(lambda cls, result: "report"))
    path, worked = tmp_path / SEARCH.file, []
    for _ in range(2):
        kind(worked).carry_out(tmp_path, write)
    assert path.exists() == write
    assert len(worked) == (4 if write and kind.goes_on else 8)
    assert capsys.readouterr().out == "report\n" * 2
    if write:
        assert read_json(path) == whole()
        assert "[ 1, 2 ]" in path.read_text()
        assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="whole sets"):
        kind([], limit=3).carry_out(tmp_path, write=True)


def test_a_killed_write_leaves_the_file_as_it_was(tmp_path):
    Counted.write(tmp_path, {"old": 1})
    with pytest.raises(TypeError):
        Counted.write(tmp_path, {"new": object()})
    assert stored_in(tmp_path / SEARCH.file) == {"old": 1}


# -- every measurement ------------------------------------------------------------------------


OF_CHECKPOINTS = [command.measurement() for command in MEASUREMENTS.values()]
ALL = {each.name: each for each in (*OF_CHECKPOINTS, DocumentsMeasurement)}


@pytest.fixture
def measurement(request, tiny_checkpoint, measured_data, monkeypatch):
    """One of a tiny checkpoint, or of checkpoints that are not there to be read."""
    kind = ALL[request.param]
    if kind is MaskedMeasurement:
        monkeypatch.setattr("evaluation.masked_lm.written", lambda *_: [])
        of = SimpleNamespace(card=CARD, model=None, tokenizers={"source": None})
        return kind(of, measured_data, 2, {"data": {"sets": [{"folder": "a"}]}})
    if kind is not DocumentsMeasurement:
        return kind(kind.load(str(tiny_checkpoint)), measured_data)
    monkeypatch.setattr("evaluation.documents.texts_for", lambda *_: None)
    readers = {"one": SimpleNamespace(card=CARD), "two": SimpleNamespace(card=CARD)}
    monkeypatch.setattr("evaluation.documents.load_model", readers.__getitem__)
    return kind({name: name for name in readers}, measured_data)


@pytest.mark.parametrize("measurement", ALL, indirect=True)
def test_each_goes_on_after_every_part_and_has_all_that_the_app_needs(measurement):
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
    parts = list(measurement.parts())
    assert "fingerprint" in frame or all(part.fingerprint for part in parts[1:])
    # Each field without a default is there; `differences` come of all parts.
    there = {*frame, *(part.at[0] for part in parts), "differences"}
    fields = msgspec.structs.fields(measurement.file_kind.type)
    assert {field.encode_name for field in fields if field.required} <= there


@pytest.mark.parametrize("name", ALL)
def test_shipped_results_are_written_as_they_stand_and_reported_with_their_bounds(name, tmp_path):
    kind = ALL[name]
    for path in sorted(CHECKPOINTS.glob(f"**/{kind.file_kind.file}")):
        if kind.file_kind is CARD_FILE:
            continue
        folder, readme, result = path.parent, path.parent / "README.md", read(path)
        kind.write(tmp_path, result)
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path
        assert list(tmp_path.iterdir()) == [tmp_path / path.name]
        assert read_stored(kind.file_kind, tmp_path).state == "found", path
        assert (
            kind is DocumentsMeasurement or measured_in(folder, kind.file_kind) == result
        )  # of these weights
        report = kind.report(result)
        assert not re.search(r"\b(nan|undefined)\b", report), path
        text = report + (readme.read_text(encoding="utf-8") if readme.exists() else "")
        bounded = '"low":' in path.read_text(encoding="utf-8") and name != "captions"  # on the page
        assert bounded <= bool(re.search(r"\d%? to [+-]?\d", text)), path


# -- texts from templates ---------------------------------------------------------------------


def test_lines_in_a_row_are_one_but_for_headings_and_tables(tmp_path):
    text = "# A\n## B\none\ntwo\n\n\n\nthree\n- of a\nlist\n- more\n| a |\n|---|\n"
    text += "{% if no %}\nx\n{% endif %}\n\nend {{ n }}\n"
    (tmp_path / "x.j2").write_text(text)
    expected = "# A\n## B\none two\n\nthree\n- of a list\n- more\n| a |\n|---|\n\nend 1"
    assert templating.rendered("x.j2", templates=tmp_path, no=False, n=1) == expected
    lines = templating.rendered("x.j2", templates=tmp_path, between="\n", no=True, n=1)
    assert lines.endswith("|---|\nx\nend 1")


def test_shares_and_intervals_have_their_unit_and_nothing_is_nothing():
    for value, text in ((None, ""), (0.0, "0.0%"), (0.12345, "12.3%"), (1.0, "100.0%")):
        assert templating.percent(value) == text
    found = {"value": 0.5, "low": 0.25, "high": 0.75}
    assert templating.interval(found) == "50.0% (25.0% to 75.0%)"
    assert templating.interval(found, "+.1f", 100) == "+50.0 (+25.0 to +75.0)"
    assert templating.interval(None, none="–") == "–"


def test_every_shipped_readme_is_rendered_from_what_is_stored_beside_it():
    for path in sorted(CHECKPOINTS.glob("*/card.json")):
        folder = path.parent
        text = readme_of(stored_card(folder), *(measured_in(folder, kind) for kind in CARD_KINDS))
        assert text == (folder / "README.md").read_text(encoding="utf-8"), folder.name


def write_stored_tables(page, name):
    """Text that the measurements of one page of the docs wrote there."""
    if name == "captions.md":
        variants = read_json(CONFIGS / "captions.json")["variants"]
        captions.write_tables(page, captions.measured_models(CHECKPOINTS, variants))
    if name == "documents.md":
        report = DocumentsMeasurement.report(read_json(CHECKPOINTS / "documents.json"))
        write_between(page, report, DOCUMENT_MARKS)
    if name == "lineage.md":
        lineage.write_tables(page, read_json(CHECKPOINTS / "lineage.json"))
    if name == "masked.md":
        write_between(
            page, MaskedMeasurement.report(read_json(CHECKPOINTS / "masked-lm/masked.json"))
        )
    if name == "ko-en.md":
        everyday = read_json(CHECKPOINTS / "ko-en/card.json")["everyday"]
        write_between(page, translations_table(everyday))


def test_the_tables_of_the_docs_are_those_of_what_is_stored(tmp_path):
    """Whatever stands between two marks is written anew; practices are of runs, not shipped."""
    shipped, n_marks = {}, 0
    for path in (ROOT / "docs").glob("*.md"):
        shipped[path.name] = path.read_text(encoding="utf-8")
        emptied, n = re.subn(
            r"<!-- (?!end|/)(.+?) -->\n.*?(?=<!-- (?:end|/))",
            lambda found: found[0] if found[1] == "practices" else f"<!-- {found[1]} -->\nold\n",
            shipped[path.name],
            flags=re.S,
        )
        n_marks += n
        (tmp_path / path.name).write_text(emptied, encoding="utf-8")
    assert n_marks > 20
    write_pages(tmp_path)
    for name, text in shipped.items():
        write_stored_tables(tmp_path / name, name)
        assert (tmp_path / name).read_text(encoding="utf-8") == text, name
