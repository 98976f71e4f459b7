"""The views of what was measured, with made-up numbers; missing and damaged files; the menu."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import torch
from harness import charts, open_page, run, says, table_of, tables, words
from lineage_values import SYSTEMS, values

import ui.words
from model import save_checkpoint
from model.checkpoint import checkpoints_folder
from model.registry import families
from records import MeasuredLineage, Outline
from records.measurements import LINEAGE
from ui.controls import checkpoint_label, family_order
from ui.lineage.measured import (
    PARTS,
    curve_rows,
    gains_table,
    seen_until,
    source_of,
    told_apart,
    verdicts,
    within_a_seed,
)
from ui.lineage.timeline import EVENTS, checkpoint_for
from viz.figure import spec_of
from viz.lineage import length_curves
from words import Words, english, languages
from words.numbers import fixed

FOUND = MeasuredLineage.from_values(values())
ADDITIVE = families()["additive-attention"]


@pytest.fixture
def lab(checkpoints_root, tiny_tokenizer, tmp_path, monkeypatch) -> Path:
    """A folder with two checkpoints, one of the lineage, and what was measured."""
    shutil.copytree(checkpoints_root / "en-de", tmp_path / "en-de")
    torch.manual_seed(0)
    config = ADDITIVE.config(
        vocab_size=tiny_tokenizer.vocab_size, d_model=16, hidden_size=12, max_len=160
    )
    card = {
        "title": "Additive attention",
        "languages": ["en", "de"],
        "lineage": {"year": 2015, "paper": "Bahdanau et al. 2015"},
    }
    save_checkpoint(
        tmp_path / "lineage-bahdanau",
        ADDITIVE.build(config).eval(),
        tiny_tokenizer,
        architecture=ADDITIVE.name,
        card=card,
    )
    (tmp_path / "lineage.json").write_text(json.dumps(values()), encoding="utf-8")
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    return tmp_path


# -- length ----------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_every_curve_is_drawn(lab, part):
    page = open_page("lineage", lineage_look="length", length_part=part)
    (chart,) = charts(page)
    rows = tables(chart)["rows"]
    assert set(rows["system"]) == SYSTEMS.keys() - {"sutskever-forward"}
    assert says(page, "lineage-length-caption", part=part, seen=4)
    assert ("seen" in tables(chart)) == (part == "joined")


def test_a_system_is_switched_on_by_the_address(lab):
    page = open_page("lineage", lineage_look="length", length_systems="cho.sutskever-forward.x")
    assert set(tables(charts(page)[0])["rows"]["system"]) == {"cho", "sutskever-forward"}


def test_with_no_system_the_view_says_so(lab):
    page = open_page("lineage", lineage_look="length")
    page.session_state["length_systems"] = []
    assert says(run(page), "lineage-length-none")


def test_what_training_saw_ends_between_four_and_five_captions():
    assert seen_until([FOUND.systems["cho"]], 4) == 54.0  # 48 and 60 words


def test_a_system_keeps_its_colour_when_others_are_off():
    rows = curve_rows(list(FOUND.systems.values()), "joined")
    order = list(dict.fromkeys(rows["label"]))

    def colours(shown: pd.DataFrame) -> dict[str, str]:
        spec = spec_of(length_curves(shown, order, along="words", measure="BLEU"))
        colour = spec["layer"][1]["encoding"]["color"]
        scale = dict(zip(colour["scale"]["domain"], colour["scale"]["range"], strict=True))
        return {name: scale[name] for name in colour["legend"]["values"]}

    every = colours(rows)
    assert len(set(every.values())) == len(order)
    one = colours(rows[rows["system"] == "bahdanau"])
    assert len(one) == 1
    assert one.items() <= every.items()


def test_nothing_to_draw_is_refused():
    with pytest.raises(ValueError, match="0 rows"):
        length_curves(pd.DataFrame(), [], along="", measure="")


def test_the_finding_names_the_curve_that_falls_most(lab):
    page = open_page("lineage", lineage_look="length", length_systems="cho")
    points = FOUND.systems["cho"].joined
    ends = points[0].measured.value, points[-1].measured.value
    cho = english("system-cho")
    first, last = (fixed(end, 1) for end in ends)
    assert f"goes {first} → **{last}** with {cho}" in words(page)


# -- table -----------------------------------------------------------------------------------


def test_gains_stand_beside_their_papers(lab):
    page = open_page("lineage", lineage_look="table")
    first = table_of(page, "published_bleu").iloc[0]
    assert first["step"] == english("lineage-gain-reversed")
    assert first["bleu"] == "0.5 (−0.4 to 1.4)"
    assert first["published_bleu"] == "+4.7"
    assert first["published_perplexity"] == "0.81"


def test_every_gain_is_a_dot_with_its_interval_and_its_papers(lab):
    shown = tables(charts(open_page("lineage", lineage_look="table"))[0])
    assert len(shown["gains"]) == len(FOUND.gains)
    first = FOUND.gains[0].bleu["captions"]
    assert tuple(shown["gains"].loc[0, ["value", "low", "high"]]) == (
        first.value,
        first.low,
        first.high,
    )
    assert shown["papers"].loc[0, "value"] == pytest.approx(4.7)
    assert shown["seed"].loc[0, "high"] == FOUND.seed


def test_a_sign_that_is_not_reproduced_is_said_with_its_interval(lab):
    page = open_page("lineage", lineage_look="table")
    told = {
        "measure": "bleu",
        "step": english("lineage-gain-reversed"),
        "ours": "0.5 (−0.4 to 1.4)",
        "source": source_of(FOUND.gains[0].published[0]),
    }
    assert says(page, "lineage-gain-open", **told)
    assert verdicts(FOUND.gains[1]) == []


def test_a_sign_that_two_tables_publish_is_said_once_with_both():
    gain = FOUND.gains[0]
    twice = replace(gain, published=(*gain.published, replace(gain.published[0], source="Another")))
    lines = verdicts(twice)
    assert len(lines) == len(verdicts(gain))
    assert any("; Another" in line for line in lines)


def test_what_a_paper_compares_is_named_and_that_it_only_comes_near_ours():
    frame = gains_table(FOUND)
    assert frame["papers"].tolist() == [
        "Sutskever et al. 2014, section 3.3: without → with it",
        "Bahdanau et al. 2015, Table 1: without → with it (approximate comparison)",
    ]
    assert frame["published_perplexity"].tolist() == ["0.81", ">0.81"]


def test_what_two_systems_differ_in_is_said_beside_their_gain():
    first, second = gains_table(FOUND)["differs"]
    assert first == english("lineage-differs-order")
    assert second == "attention; hidden units (256/352); encoder directions (2/1)"


@pytest.mark.parametrize("language", languages())
def test_what_ships_can_be_told_in_every_language(monkeypatch, language):
    monkeypatch.setattr(ui.words, "current_words", lambda: Words(language))
    shipped = json.loads((checkpoints_folder() / LINEAGE.file).read_text(encoding="utf-8"))
    found = MeasuredLineage.from_values(shipped)
    frame = gains_table(found).set_index("step")
    assert len(frame) == len(shipped["gains"])
    assert frame["differs"].str.len().min() > 0
    longer = frame["differs"].iloc[[gain["id"] for gain in shipped["gains"]].index("self-longer")]
    assert "6,000/2,000" in longer
    assert "0.0015/0.0020" in longer
    assert all((told_apart(found), within_a_seed(found)))


def test_only_systems_that_differ_in_one_thing_are_called_so(lab):
    page = open_page("lineage", lineage_look="table")
    step = english("lineage-gain-reversed")
    assert says(page, "lineage-gains-one", n=2, one=1, steps=step)


def test_a_gain_that_another_seed_might_bring_is_labelled_by_its_number(lab):
    page = open_page("lineage", lineage_look="table")
    assert table_of(page, "beyond_seed")["beyond_seed"].tolist() == ["No", "Yes"]
    step = english("lineage-gain-reversed")
    assert says(page, "lineage-gains-seed", bleu=1.7, n=1, steps=step)
    assert "Each model was trained once" in words(page)


@pytest.mark.parametrize(("least", "steps"), [(0.4, 0), (0.6, 1), (14.0, 2)])
def test_what_is_within_a_seed_follows_from_the_numbers(least, steps):
    frame = gains_table(replace(FOUND, seed=least))
    assert (frame["beyond_seed"] == english("lineage-gain-within")).sum() == steps


def test_every_system_is_a_line_with_its_numbers(lab):
    frame = table_of(open_page("lineage", lineage_look="table"), "operations")
    assert frame["system"].tolist() == [english(f"system-{name}") for name in SYSTEMS]
    assert frame["points"].tolist()[:2] == [english("lineage-no-map")] * 2
    assert frame["points"].tolist()[3] == "97 (96 to 98)"


def test_systems_without_weights_come_with_their_command(lab):
    page = open_page("lineage", lineage_look="table")
    commands = "\n".join(block.value for block in page.code)
    assert "--variant cho" in commands
    assert "--variant bahdanau" not in commands


# -- a file that is not there or damaged -----------------------------------------------------


@pytest.mark.parametrize("view", ["length", "table"])
def test_without_the_file_the_command_is_shown(lab, view):
    (lab / "lineage.json").unlink()
    page = open_page("lineage", lineage_look=view)
    assert says(page, "stored-missing", file=f"{lab.name}/lineage.json")
    assert "python -m training lineage" in page.code[0].value


@pytest.mark.parametrize("text", ["{", "[]", '{"systems": {"cho": {}}}', "\x00"])
def test_a_damaged_file_is_said_in_one_sentence(lab, text):
    (lab / "lineage.json").write_text(text, encoding="utf-8")
    page = open_page("lineage", lineage_look="length")
    assert "lineage.json is damaged" in words(page)
    assert "python -m training lineage" in page.code[0].value


# -- timeline --------------------------------------------------------------------------------


def test_the_timeline_opens_a_checkpoint_and_names_what_is_not_there(lab):
    page = open_page("lineage", lineage_look="timeline")
    assert says(page, "timeline-not-installed")
    page.button("timeline_open_bahdanau").click()
    run(page)
    assert page.selectbox("checkpoint").value == "lineage-bahdanau"
    assert page.query_params["checkpoint"] == "lineage-bahdanau"


def test_papers_stand_on_a_line_of_years_and_no_name_is_crossed(lab):
    papers = tables(charts(open_page("lineage", lineage_look="timeline"))[0])["papers"]
    assert set(papers["label"]) == {english(f"timeline-{event.id}") for event in EVENTS}
    assert papers["at"].is_monotonic_increasing
    assert not papers.duplicated(["y", "x"]).any()


def test_every_family_but_none_else_has_an_event():
    assert {event.architecture for event in EVENTS} <= families().keys()


def test_of_several_checkpoints_that_of_the_lineage_is_opened():
    event = next(each for each in EVENTS if each.id == "vaswani")
    found = [
        Outline("en-de", "transformer"),
        Outline("lineage-transformer", "transformer", of_lineage=True),
    ]
    assert checkpoint_for(event, found) == "lineage-transformer"
    assert checkpoint_for(event, found[:1]) == "en-de"
    assert checkpoint_for(event, []) is None


# -- the menu of checkpoints -----------------------------------------------------------------


def test_the_menu_names_paper_and_family(lab):
    page = open_page("lineage", lineage_look="timeline")
    assert page.selectbox("checkpoint").options == [
        "en-de · Transformer",
        english("system-bahdanau"),
    ]


def test_families_stand_together_the_oldest_first():
    found = {
        each.name: each
        for each in (
            Outline("b", "luong-attention", year=2015),
            Outline("c", "additive-attention", year=2015),
            Outline("a", "luong-attention", year=2015),
            Outline("d", "rnn-encoder-decoder", year=2014),
            Outline("e", "transformer"),
        )
    } | {"broken": None}
    in_order = sorted(found, key=lambda name: family_order(name, found[name]))
    assert in_order == ["d", "c", "a", "b", "e", "broken"]


def test_every_family_has_a_name():
    for name in families():
        assert english.has(f"family-{name}")


def test_a_checkpoint_that_cannot_be_read_keeps_its_name():
    assert checkpoint_label("broken", None) == "broken"


def test_without_any_checkpoint_the_menu_still_stands(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    page = open_page("lineage")
    assert page.selectbox("checkpoint").options == ["en-de"]
    assert page.error
