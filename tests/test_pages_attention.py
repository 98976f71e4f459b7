"""The first page, driven without a browser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from harness import (
    DEFAULT,
    EXAMPLES,
    HEADS,
    asked,
    choose,
    focus,
    heads_of,
    maps_of,
    markdown,
    open_page,
    opened_up,
    press,
    run,
    says,
    shown,
    told_of,
    words,
)
from streamlit.testing.v1 import AppTest

from analysis.measures import pair_weights, strongest_head
from model import Translator, load_translator
from records import Decoding
from ui.attention.drawing import BADGE_NAMES
from ui.focus import Focus
from words import english

ROOT = Path(__file__).resolve().parent.parent
OWN = "A dog runs through the snow."


@pytest.fixture
def copies(checkpoints_root, monkeypatch, tmp_path) -> Path:
    """A folder of checkpoints that a test may damage."""
    shutil.copytree(checkpoints_root / "en-de", tmp_path / "en-de")
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    return tmp_path


@pytest.fixture
def page(folder) -> AppTest:
    return open_page()


def tokens(page: AppTest) -> list[str]:
    """The pieces of the sentence as they stand above the heads."""
    return [token["label"] for token in heads_of(page)["lines"][0]["tokens"]]


def default_encoder(folder: Path):
    translation = load_translator(folder / "en-de").translate(DEFAULT.text, Decoding())
    return translation.src, translation.attention.encoder


def test_the_default_sentence_is_there_at_once(page):
    assert page.text_input("text").value == DEFAULT.text
    assert not page.error
    assert [site["name"] for site in heads_of(page)["sites"]] == ["encoder", "decoder", "cross"]
    assert told_of(page)["identity"] == heads_of(page)["identity"]


def test_the_translation_and_the_tokens_with_ids_are_shown(page, tiny_translator):
    translation = tiny_translator.translate(DEFAULT.text, Decoding())
    text = shown(words(page))
    assert translation.text in text
    for line, sequence in zip(
        heads_of(page)["lines"], (translation.src, translation.tgt), strict=True
    ):
        assert [token["id"] for token in line["tokens"]] == list(sequence.ids)
        for drawn, token in zip(line["tokens"], sequence.tokens, strict=True):
            assert token.removeprefix("▁") in drawn["label"]


def test_it_is_selected_and_the_head_that_looks_most_at_animal_is_open(page, folder):
    src, attention = default_encoder(folder)
    rows, columns = src.pieces_of("it"), src.pieces_of("animal")
    weights = pair_weights(attention, rows, columns)
    best = strongest_head(weights)
    assert (focus(page).layer, focus(page).head) == best
    assert focus(page).row == rows[0]
    opened_up(page, "measured")
    told = f"layer {best[0] + 1}, head {best[1] + 1} has the largest weight from “it” to “animal”"
    assert told in words(page)
    assert f"**{weights[best]:.2f}**" in words(page)


def test_a_click_on_the_grid_opens_that_head(page):
    choose(page, "encoder", layer=1, head=3)
    assert (focus(page).layer, focus(page).head) == (1, 3)
    assert (asked(page)["layer"], asked(page)["head"]) == ("2", "4")
    assert told_of(page)["foci"]["encoder"] == {
        "layer": 1, "head": 3, "rows": list(focus(page).rows), "columns": list(focus(page).columns)
    }  # fmt: skip


def test_another_head_sends_no_maps_again_and_reads_out_its_own_weights(page, folder):
    _, attention = default_encoder(folder)
    before = heads_of(page)
    choose(page, rows=[2], columns=[1])
    for layer, head in ((1, 3), (0, 0)):
        choose(page, "encoder", layer=layer, head=head)
        assert f"**{attention.weights[layer, head, 2, 1]:.4f}**" in words(page)
    assert heads_of(page) == before


def test_the_same_click_is_heard_once(folder):
    page = open_page(look="find")
    choose(page, "encoder", layer=1, head=3)
    page.selectbox("encoder_head").set_value(0)
    run(page)
    run(page)
    assert focus(page).head == told_of(page)["foci"]["encoder"]["head"] == 0


def test_a_click_locks_a_row_and_a_second_one_lets_it_go(page):
    choose(page, rows=[2], columns=[1])
    assert (focus(page).row, focus(page).column) == (2, 1)
    assert (asked(page)["row"], asked(page)["column"]) == ("3", "2")
    choose(page, rows=[], columns=[])
    assert focus(page).row is None
    assert not {"row", "column"} & asked(page).keys()
    assert english.page("no_row").strip() in words(page)


def test_a_click_on_a_label_locks_the_row_alone(page):
    choose(page, rows=[3], columns=[])
    assert (focus(page).row, focus(page).column) == (3, None)


@pytest.mark.parametrize("places", [{"rows": None}, {"layer": 2}, {"head": "0"}, {"columns": [99]}])
def test_a_choice_that_makes_no_sense_is_ignored(page, places):
    before, answered = focus(page), told_of(page)["answered"]
    choose(page, **places)
    assert focus(page) == before
    assert told_of(page)["answered"] == answered


def test_the_locked_row_is_written_out_with_its_weights(page, folder):
    src, attention = default_encoder(folder)
    choose(page, rows=[2], columns=[0])
    row = attention.head(focus(page).layer, focus(page).head)[2]
    key, weight = english("quoted", text=src.tokens[0].removeprefix("▁")), f"{row[0]:.4f}"
    rank = 1 + int((row > row[0]).sum())
    assert says(page, "row-chosen", key=key, weight=weight, rank=rank, of=len(row))


def test_pickers_open_heads_and_keep_the_locked_row(folder):
    page = open_page(look="find")
    row = focus(page).row
    page.selectbox("encoder_layer").set_value(1)
    run(page)
    page.selectbox("encoder_head").set_value(2)
    run(page)
    assert (focus(page).layer, focus(page).head, focus(page).row) == (1, 2, row)
    assert told_of(page)["foci"]["encoder"]["rows"] == [row]


def test_changing_the_head_does_not_run_the_model(page, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the model ran again")

    monkeypatch.setattr(Translator, "translate", refuse)
    choose(page, "encoder", layer=1, head=1)
    choose(page, "cross", layer=0, head=2)
    assert (focus(page, "cross").layer, focus(page, "cross").head) == (0, 2)


def test_a_new_sentence_resets_the_row_and_keeps_the_head(page):
    choose(page, "encoder", layer=1, head=1)
    choose(page, rows=[12])
    page.text_input("text").set_value("A dog.")
    run(page)
    assert (focus(page).layer, focus(page).head, focus(page).row) == (1, 1, None)


def test_an_own_sentence_with_it_selects_it(page, tiny_translator):
    page.text_input("text").set_value("A man plays the guitar and it was big.")
    run(page)
    pieces = tiny_translator.tokenize("A man plays the guitar and it was big.")
    assert focus(page).rows == pieces.pieces_of("it")
    assert told_of(page)["foci"]["encoder"]["rows"] == list(pieces.pieces_of("it"))


@pytest.mark.parametrize("kind", ["decoder", "cross"])
def test_every_kind_has_a_grid_and_a_matrix(page, kind):
    choose(page, kind)
    assert told_of(page)["kind"] == page.session_state["kind"] == asked(page)["kind"] == kind
    choose(page, kind, layer=1, head=2)
    choose(page, rows=[1], columns=[0])
    open_now = focus(page, kind)
    assert (open_now.layer, open_now.head, open_now.row, open_now.column) == (1, 2, 1, 0)


def test_the_row_switch_changes_names_and_no_numbers(page):
    choose(page, "cross")
    names, weights = {}, {}
    for name in ("produced", "read"):
        page.segmented_control("cross_rows").set_value(name)
        run(page)
        site = next(site for site in heads_of(page)["sites"] if site["name"] == "cross")
        names[name], weights[name] = site["rows"], site["weights"]
    assert names["read"][0] == "<s>"
    assert names["read"][1:] == names["produced"][:-1]
    assert weights["read"] == weights["produced"]


def test_each_kind_remembers_its_own_head(page):
    choose(page, "encoder", layer=1, head=3)
    choose(page, "decoder")
    choose(page, "decoder", layer=0, head=1)
    choose(page, "encoder")
    assert (focus(page).layer, focus(page).head) == (1, 3)


def test_contrast_reaches_the_picture_and_its_weights_stay(page):
    weights = [site["weights"] for site in heads_of(page)["sites"]]
    assert heads_of(page)["contrast"] is False
    page.toggle("contrast").set_value(True)
    run(page)
    assert heads_of(page)["contrast"] is True
    assert [site["weights"] for site in heads_of(page)["sites"]] == weights


@pytest.mark.parametrize("badge", BADGE_NAMES)
def test_every_number_can_stand_under_the_heads(page, badge):
    choose(page, badge=badge)
    assert told_of(page)["badge"] == page.session_state["badge"] == badge
    assert asked(page).get("badge") == (None if badge == "weight" else badge)
    assert badge in [each["name"] for each in heads_of(page)["badges"]]


def test_the_picture_of_every_site_has_alternative_text(page):
    for site in heads_of(page)["sites"]:
        n_rows, n_columns = len(site["rows"]), len(site["columns"])
        for part in (f"{n_rows} query rows", f"{n_columns} key columns"):
            assert part in site["alt"]


def test_choosing_an_example_fills_the_box(page):
    page.selectbox("example").set_value(EXAMPLES[4].text)
    run(page)
    assert page.text_input("text").value == EXAMPLES[4].text
    page.text_input("text").set_value(OWN)
    run(page)
    assert page.selectbox("example").value is None


def test_the_twin_is_one_click_away_and_stands_beside_the_sentence(page):
    press(page, "twin")
    assert page.text_input("text").value == DEFAULT.text
    assert page.text_input("second").value == DEFAULT.twin
    assert page.segmented_control("look").value == asked(page)["look"] == "pair"


def test_beam_width_and_alpha_reach_the_search(page):
    page.slider("beam").set_value(2)
    page.slider("alpha").set_value(1.0)
    run(page)
    assert "beam width 2 " in words(page)


@pytest.mark.parametrize("kind", ["cross", "Cross"], ids=["now", "as it was spelt before"])
def test_a_view_can_be_shared_by_its_address(folder, kind):
    page = open_page(text=OWN, kind=kind, layer="2", head="3", row="2", column="1")
    assert page.text_input("text").value == OWN
    assert told_of(page)["kind"] == asked(page)["kind"] == "cross"
    open_now = focus(page, "cross")
    assert (open_now.layer, open_now.head, open_now.row, open_now.column) == (1, 2, 1, 0)


def test_hostile_names_in_the_address_change_nothing(folder):
    page = open_page(kind="<script>", checkpoint="../../etc", text="A dog.")
    assert page.session_state["kind"] == told_of(page)["kind"] == "encoder"
    assert page.selectbox("checkpoint").value == "en-de"
    assert not page.error


BAD_SENTENCES = {
    "empty": ("", "is empty"),
    "spaces": ("      ", "no visible characters"),
    "control characters": ("\x01\x02\x1b", "no visible characters"),
    "5000 characters": ("word " * 1000, "tokens. The model takes at most"),
    "one endless word": ("x" * 5000, "tokens. The model takes at most"),
}


@pytest.mark.parametrize("name", BAD_SENTENCES)
def test_a_sentence_that_cannot_be_translated_is_refused_in_words(page, name):
    text, reason = BAD_SENTENCES[name]
    page.text_input("text").set_value(OWN)
    run(page)
    page.text_input("text").set_value(text)
    run(page)
    (error,) = page.error
    assert reason in shown(error.value)
    assert "\n" in error.value, "a hint follows on its own line"
    assert page.text_input("text").value == text
    assert f"Still showing “{OWN}”" in shown(words(page))
    assert tokens(page) == tokens(open_page(text=OWN))


def test_a_bad_sentence_in_the_address_falls_back_to_the_default(folder):
    page = open_page(text="word " * 1000)
    assert len(page.error) == 1
    assert f"Still showing “{DEFAULT.text}”" in shown(words(page))


def test_the_page_recovers_from_a_bad_sentence_with_all_choices_kept(page):
    choose(page, "encoder", layer=1, head=3)
    page.slider("beam").set_value(3)
    run(page)
    for text in ("", OWN):
        page.text_input("text").set_value(text)
        run(page)
    assert not page.error
    assert (focus(page).layer, focus(page).head) == (1, 3)
    assert page.slider("beam").value == 3


@pytest.mark.parametrize(
    "text",
    [
        "漢字かな交じり文 ไทย русский 🐶🦊👩‍👩‍👧",
        "שלום עולם it مرحبا \u202eevil",
        "the\x00animal\x07 \x1b[31m it\x7f\ttab\nline",
        "<script>alert(1)</script><img src=x onerror=alert(1)> it",
        "**bold** :red[x] $x^2$ [a](javascript:alert(1)) `code` it",
        "{{7*7}} ${7*7} %s it",
        "a\u0301\u0301\u0301\u0301 it",
    ],
)
@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_strange_text_is_shown_and_never_obeyed(folder, tiny_translator, text, kind):
    page = open_page(kind=kind.capitalize())
    page.text_input("text").set_value(text)
    run(page)
    assert not page.error
    assert len(tokens(page)) == len(tiny_translator.tokenize(text))
    for element in (*page.markdown, *page.caption):
        assert not element.proto.allow_html
        assert "<script>" not in element.value
        assert "](javascript" not in element.value


def test_unknown_pieces_are_marked_and_counted(page):
    page.text_input("text").set_value("A 漢 dog.")
    run(page)
    pieces = heads_of(page)["lines"][0]["tokens"]
    (unknown,) = [piece for piece in pieces if piece["unknown"]]
    assert (unknown["label"].strip("·"), unknown["id"]) == ("漢", 1)
    assert "1 of " in page.warning[0].value
    assert "not in the vocabulary" in page.warning[0].value


def test_a_missing_checkpoint_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    page = open_page()
    (error,) = page.error
    assert "there is no checkpoint 'en-de'" in shown(error.value).lower()
    assert "config.json" in shown(error.value)
    assert page.text_input("text").value == DEFAULT.text


def cut_weights(path: Path) -> str:
    weights = path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    return "model.safetensors cannot be read"


def garble_config(path: Path) -> str:
    (path / "config.json").write_text("{not json")
    return "config.json is not valid JSON"


def remove_tokenizer(path: Path) -> str:
    (path / "tokenizer.json").unlink()
    return "tokenizer.json is missing"


def change_size(path: Path) -> str:
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, "d_ff": 48}))
    return "but the config requires"


@pytest.mark.parametrize("damage", [cut_weights, garble_config, remove_tokenizer, change_size])
def test_a_damaged_checkpoint_is_named(copies, damage):
    expected = damage(copies / "en-de")
    page = open_page()
    (error,) = page.error
    assert expected in shown(error.value)
    assert HEADS not in [element.proto.component_name for element in page.get("bidi_component")]


def test_every_damage_is_in_one_message(copies):
    expected = [cut_weights(copies / "en-de"), remove_tokenizer(copies / "en-de")]
    (error,) = open_page().error
    for part in expected:
        assert part in shown(error.value)


def test_a_damaged_checkpoint_leaves_the_last_view_on_screen(copies):
    shutil.copytree(copies / "en-de", copies / "other")
    cut_weights(copies / "other")
    page = open_page(text=OWN)
    page.selectbox("checkpoint").set_value("other")
    run(page)
    assert "cannot be used" in page.error[0].value
    assert english("other-checkpoints") in shown(page.error[0].value)
    assert says(page, "still-showing", text=OWN, checkpoint="en-de")
    assert tokens(page) == tokens(open_page(text=OWN))


def test_a_repaired_checkpoint_is_read_again(copies):
    good = (copies / "en-de" / "config.json").read_text()
    garble_config(copies / "en-de")
    page = open_page()
    assert page.error
    (copies / "en-de" / "config.json").write_text(good)
    run(page)
    assert not page.error


def write_card(folder: Path, **entries) -> None:
    path = folder / "en-de" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


MEASURED = {"layer": 1, "head": 2, "margin": 0.31, "first": 0.45, "second": 0.17, "n_pairs": 400}


def test_the_best_head_over_test_pairs_is_told_and_opened(copies):
    write_card(copies, heads={"encoder": MEASURED})
    page = open_page(layer="1", head="1")
    text = words(opened_up(page, "measured"))
    assert "On 400 held-out sentence pairs, layer 2, head 3 tracks the antecedent best." in text
    assert "**0.31**" in text
    label = english("attention-open-measured", head="L2 H3")
    (button,) = [b for b in page.button if b.label == label]
    press(page, button.key)
    assert (focus(page).layer, focus(page).head) == (1, 2)
    assert told_of(page)["foci"]["encoder"]["head"] == 2


def test_an_own_sentence_with_it_opens_the_measured_head(copies):
    write_card(copies, heads={"encoder": MEASURED})
    page = open_page(text="A man plays the guitar and it was big.")
    assert (focus(page).layer, focus(page).head) == (1, 2)
    assert focus(page).row is not None
    assert focus(open_page(text=OWN)) == Focus(), "no pronoun, so nothing to follow"


def test_a_link_to_a_head_that_the_model_lacks_opens_the_head_of_the_sentence(folder):
    default = focus(open_page())
    page = open_page(layer="3", head="2", row="2")
    assert (focus(page).layer, focus(page).head) == (default.layer, default.head)
    assert focus(page).rows == (1,), "what the link says of the row still holds"


def test_a_best_head_that_follows_nothing_is_not_praised(copies):
    write_card(copies, heads={"encoder": MEASURED | {"margin": -0.0004}})
    text = words(opened_up(open_page(layer="1", head="1"), "measured"))
    assert "no head of this attention type tracks the antecedent. The closest, layer 2" in text
    assert "**0.00**" in text


def test_the_kind_that_makes_the_link_is_named_where_this_one_does_not(copies):
    other = MEASURED | {"layer": 0, "head": 3, "margin": 0.44}
    write_card(copies, heads={"encoder": MEASURED | {"margin": 0.0}, "cross": other})
    assert "In cross-attention, layer 1, head 4 does: **0.44** more weight." in words(
        opened_up(open_page(), "measured")
    )


@pytest.mark.parametrize(
    "heads",
    [{}, {"encoder": None}, {"encoder": {"layer": 99, "head": 0}}, {"encoder": {"layer": "x"}},
     {"encoder": {"layer": 0, "head": 0}}, {"encoder": {**MEASURED, "margin": "a", "first": None}}],
)  # fmt: skip
def test_an_odd_card_does_no_harm(copies, heads):
    write_card(copies, heads=heads, scores={"a": 1, "b": {"bleu": "x"}, "c": {"accuracy": 0.99}})
    page = open_page()
    assert not page.error
    assert len(heads_of(page)["sites"]) == 3
    assert says(page, "score-accuracy", set="c", value=0.99)


def test_what_the_second_head_does_for_the_first_is_told_where_it_was_measured(copies):
    src, attention = default_encoder(copies)
    rows = src.pieces_of("it")
    noun = strongest_head(pair_weights(attention, rows, src.pieces_of("animal")))
    weights = pair_weights(attention, rows, src.pieces_of("tired")).copy()
    weights[noun] = 0.0
    second = strongest_head(weights)
    serves = {"margin": 0.97, "without": 0.95, "without_server": 0.08, "sentences": 200}
    serves["server"] = {"layer": 0, "head": 0}
    place = [{"layer": int(layer), "head": int(head)} for layer, head in (noun, second)]
    write_card(
        copies,
        heads={"encoder": MEASURED | place[0], "property": {**place[1], "serves": serves}},
    )
    text = words(opened_up(open_page(), "measured"))
    assert "gives the antecedent 0.97 more weight than the distractor noun" in text
    assert "(mean over 200 held-out sentences)" in text
    assert "the deciding word leaves 0.95." in text
    assert "Ablating layer 1, head 1 instead, which affects it most, leaves 0.08." in text
    other = {**place[1], "head": (place[1]["head"] + 1) % attention.n_heads, "serves": serves}
    write_card(copies, heads={"encoder": MEASURED | place[0], "property": other})
    assert "0.97 more weight" not in words(opened_up(open_page(), "measured"))


def test_how_the_pronoun_was_trained_is_said_where_it_looks(copies):
    routes = [{"from_step": 1, "it_only": 0.5}]
    write_card(copies, training={"settings": {"routes": routes}})
    page = opened_up(open_page(), "measured")
    assert says(page, "attention-routes", pronoun="it")
    write_card(copies, training={"settings": "damaged"})
    assert not says(opened_up(open_page(), "measured"), "attention-routes", pronoun="it")


def test_a_guided_head_is_labelled_wherever_it_is_shown(copies):
    write_card(copies, guided={"layer": 1, "head": 2, "weight": 0.5})
    page = open_page(layer="2", head="3", look="ribbons")
    assert f"**Layer 2, head 3** :orange-badge[{english('guided')}]" in markdown(page)
    assert "was *trained* to attend" in words(opened_up(page, "measured"))
    assert {s["name"]: s["marked"] for s in heads_of(page)["sites"]} == {
        "encoder": [[1, 2]], "decoder": [], "cross": []
    }  # fmt: skip
    choose(page, "encoder", layer=0, head=0)
    assert f":orange-badge[{english('guided')}]" not in markdown(page)


def test_the_footer_says_what_the_model_is(copies):
    write_card(copies, title="A title", licence="CC BY", scores={"tatoeba_val": {"bleu": 33.25}})
    text = shown(words(open_page()))
    assert "A title" in text
    assert "million parameters" in text
    assert english("score-bleu", set=english("set-tatoeba_val"), value=33.2) in text
    assert "CC BY" in text


def test_the_footer_says_the_first_domains_where_no_other_set_was_scored(copies):
    names = ("ko-en-tatoeba", "another", "a|b", "fourth")
    domains = {name: {"bleu": 10.0 + i, "chrf": 40.0} for i, name in enumerate(names)}
    write_card(copies, scores={"domains": domains, "nouns": {"map": {"layer": 1, "head": 2}}})
    text = shown(words(open_page()))
    sets = ("Tatoeba", "another", "a|b")
    told = [english("score-bleu", set=name, value=10 + i) for i, name in enumerate(sets)]
    assert " · ".join(told) in text
    assert "fourth" not in text


def test_the_footer_sets_a_share_beside_that_of_the_same_answer_every_time(copies):
    score = {"accuracy": 0.831, "majority": {"answer": "sie|<b>", "value": 0.5811}}
    broken = {"accuracy": 0.5, "majority": {"answer": "", "value": None}}
    write_card(copies, scores={"natural": score, "chains": broken})
    text = shown(words(open_page()))
    always = english("score-always", word="sie|<b>", value=0.5811)
    sets = (english("set-natural"), english("set-chains"))
    natural, chains = (
        english("score-accuracy", set=name, value=value)
        for name, value in zip(sets, (0.831, 0.5), strict=True)
    )
    assert natural + always in text
    assert chains + "\n" in text + "\n"


def test_two_visitors_do_not_share_choices(folder):
    first, second = open_page(), open_page()
    choose(first, "encoder", layer=1, head=3)
    first.text_input("text").set_value(OWN)
    run(first)
    run(second)
    assert second.text_input("text").value == DEFAULT.text
    assert focus(second) == focus(open_page())


def test_the_longest_sentence_the_model_takes_is_shown(page, tiny_translator):
    words_that_fit = ["the"] * (tiny_translator.max_source_len - 1)
    page.text_input("text").set_value(" ".join(words_that_fit))
    run(page)
    assert not page.error
    n = tiny_translator.max_source_len
    assert maps_of(page, "encoder").shape == (2, 4, n, n)


@pytest.mark.skipif(
    not (ROOT / "checkpoints" / "en-de" / "model.safetensors").is_file(),
    reason="no trained checkpoint in checkpoints/en-de",
)
def test_the_shipped_checkpoint_opens_with_measured_weights(monkeypatch):
    monkeypatch.delenv("ATTENTION_LAB_CHECKPOINTS", raising=False)
    page = open_page()
    assert not page.error
    translation = load_translator("en-de").translate(DEFAULT.text, Decoding())
    rows, columns = (translation.src.pieces_of(w) for w in ("it", "animal"))
    weights = pair_weights(translation.attention.encoder, rows, columns)
    assert f"**{np.max(weights):.2f}**" in words(page)
    assert translation.text in shown(words(page))
