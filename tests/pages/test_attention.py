"""The page of the heads: clicks, sentences, hidden words, two sentences, damage and its repair."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.cost import AttentionCost
from core.records.search import Decoding
from model.experiments import arithmetic
from support.app import (
    DEFAULT,
    EXAMPLES,
    HEADS,
    TOLD,
    asked,
    charts,
    choose,
    focus,
    heads_of,
    maps_of,
    markdown,
    open_page,
    opened_up,
    press,
    put,
    put_focus,
    run,
    says,
    send,
    shown,
    tables,
    told_of,
    words,
)
from ui.components import MASKED
from ui.kit import blocks
from ui.kit.focus import HeadSelection
from ui.pages.attention.arithmetic import cost_table
from ui.pages.attention.page import PAGE
from words import english

OWN = "A dog runs through the snow."
GUITAR = "A man plays the guitar and it was big."


@pytest.fixture
def page(folder) -> AppTest:
    return open_page()


@pytest.fixture(scope="module")
def plain(tiny_translator):
    """The translation of the first example."""
    return tiny_translator.translate(DEFAULT.text, Decoding())


def chosen(page: AppTest, kind: str = "encoder") -> tuple:
    """The open head, and the row and the column that are chosen."""
    now = focus(page, kind)
    return now.layer, now.head, now.row, now.column


def tokens(page: AppTest) -> list[str]:
    """The pieces of the sentence as they stand above the heads."""
    return [token["label"] for token in heads_of(page)["lines"][0]["tokens"]]


def strongest(attention, rows, columns) -> tuple[int, int]:
    """The head that looks most from one token at others."""
    heads = np.ndindex(*attention.weights.shape[:2])
    return max(heads, key=lambda at: attention.weights[at][rows[0], list(columns)].sum())


# -- heads and tokens ------------------------------------------------------------------------


def test_the_head_that_links_the_pronoun_is_open_at_first(page, plain):
    rows = plain.src.pieces_of("it")
    best = strongest(plain.attention.encoder, rows, plain.src.pieces_of("animal"))
    assert chosen(page)[:3] == (*best, rows[0])


def test_a_click_opens_a_head_and_each_site_remembers_its_own(page):
    choose(page, "encoder", layer=1, head=3, rows=[2], columns=[1])
    assert chosen(page) == (1, 3, 2, 1)
    address = {"layer": "2", "head": "4", "row": "3", "column": "2"}
    assert address.items() <= asked(page).items()
    told = {"layer": 1, "head": 3, "rows": [2], "columns": [1]}
    assert told_of(page)["foci"]["encoder"] == told
    choose(page, "decoder", layer=0, head=1)
    assert chosen(choose(page, "encoder")) == (1, 3, 2, 1)
    assert chosen(choose(page, rows=[3], columns=[])) == (1, 3, 3, None)  # on a label
    before, answered = focus(page), told_of(page)["answered"]
    for places in ({"rows": None}, {"layer": 2}, {"head": "0"}, {"columns": [99]}):
        choose(page, **places)
        assert (focus(page), told_of(page)["answered"]) == (before, answered), places
    choose(page, rows=[], columns=[])
    assert focus(page).row is None
    assert not {"row", "column"} & asked(page).keys()
    assert "The largest weight of this head is from" in words(page)


def test_a_new_sentence_keeps_the_head_and_selects_its_own_pronoun(page, tiny_translator):
    choose(page, "encoder", layer=1, head=1)
    choose(page, rows=[12])
    assert chosen(put(page, text="A dog."))[:3] == (1, 1, None)
    pieces = tiny_translator.tokenize(GUITAR).pieces_of("it")
    assert focus(put(page, text=GUITAR)).rows == pieces
    assert put(page, example=EXAMPLES[1].text).text_input("text").value == EXAMPLES[1].text
    assert page.session_state["example"] == EXAMPLES[1].text
    assert put(page, text=OWN).session_state["example"] is None


def test_a_sentence_that_cannot_be_translated_leaves_the_one_before(page):
    before = tokens(choose(put(page, text=OWN), "encoder", layer=1, head=3))
    put(page, text="x" * 5000)
    (error,) = page.error
    assert "tokens. The model takes at most" in shown(error.value)
    assert "\n" in error.value, "a hint follows on its own line"
    assert f"Still showing “{OWN}”" in words(page)
    assert tokens(page) == before
    assert not put(page, text=OWN).error
    assert chosen(page)[:2] == (1, 3)


def test_a_link_opens_what_the_model_and_the_sentence_have(folder):
    default = focus(open_page())
    page = open_page(layer="3", head="2", row="2")
    assert focus(page).place == default.place, "no third layer"
    assert focus(page).rows == (1,)
    found = focus(open_page(text=OWN, row="2,400,4", column="9999,1,3", layer="2", head="4"))
    assert (found.place, found.rows, found.columns) == ((1, 3), (1, 3), (0, 2))


def test_merged_words_stand_for_all_their_pieces(folder, plain):
    page = open_page(words="true")
    # The animal didn't cross the street because it was too tired . </s>
    assert maps_of(page, "encoder").shape[2:] == (13, 13)
    didnt, animal = plain.src.pieces_of("didn't"), plain.src.pieces_of("animal")
    choose(page, rows=[2], columns=[2])
    assert focus(page).rows == focus(page).columns == didnt
    put_focus(page, "encoder", HeadSelection(rows=didnt[:1], columns=didnt[-1:]))
    choose(run(page), layer=1)
    assert (focus(page).rows, focus(page).columns) == (didnt[:1], didnt[-1:]), "the very pieces"
    choose(page, columns=[1])
    assert (focus(page).rows, focus(page).columns) == (didnt[:1], animal)


def test_padding_is_checked_once_somebody_looks(folder):
    page = open_page(kind="cross")
    assert english("figures-check-padding") not in words(page)
    text = shown(words(opened_up(page, "checks")))
    assert english("figures-check-rows") in text
    assert english("figures-check-padding") in text
    assert "[✗]" not in text


@pytest.mark.parametrize("look", [view.id for view in PAGE.views if view.id != "pair"])
def test_another_head_runs_no_model_and_sends_no_maps(folder, look, monkeypatch):
    page = choose(open_page(look=look), "encoder", rows=[2], columns=[1])
    before = heads_of(page)
    with monkeypatch.context() as patch:
        patch.setattr("torch.nn.Module.__call__", None)
        assert chosen(choose(page, "encoder", layer=1, head=3)) == (1, 3, 2, 1)
    assert heads_of(page) == before
    choose(page, "cross", layer=1, head=2)
    assert told_of(page)["kind"] == page.session_state["kind"] == "cross"


# -- damage and its repair -------------------------------------------------------------------


def test_a_damaged_checkpoint_leaves_the_last_view_and_is_read_again_once_repaired(copies):
    other = shutil.copytree(copies / "en-de", copies / "other")
    good = {name: (other / name).read_bytes() for name in ("model.safetensors", "tokenizer.json")}
    (other / "model.safetensors").write_bytes(good["model.safetensors"][:100])
    (other / "tokenizer.json").unlink()
    page = open_page(text=OWN)
    before = tokens(page)
    put(page, checkpoint="other")
    (error,) = page.error
    for part in (
        *("model.safetensors cannot be read", "tokenizer.json is missing", "cannot be used"),
        english("other-checkpoints"),
    ):
        assert part in shown(error.value)
    assert says(page, "still-showing", text=OWN, checkpoint="en-de")
    assert tokens(page) == before
    drawn = open_page(checkpoint="other").get("bidi_component")
    assert HEADS not in [element.proto.component_name for element in drawn]
    for name, content in good.items():
        (other / name).write_bytes(content)
    assert not run(page).error
    (other / "config.json").write_text("{not json")
    assert "config.json is not valid JSON" in shown(run(page).error[0].value)


def write_card(folder: Path, **entries) -> None:
    path = folder / "en-de" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


MEASURED = {"layer": 1, "head": 2, "margin": 0.31, "first": 0.45, "second": 0.17, "n_pairs": 400}
ROUTES = english("attention-routes", pronoun="it")
CARDS = [
    ({"heads": {"encoder": MEASURED}}, ["On 400 held-out sentence pairs", "**0.31**"]),
    (
        {
            "heads": {
                "encoder": MEASURED | {"margin": -0.0004},
                "cross": MEASURED | {"layer": 0, "head": 3, "margin": 0.44},
            }
        },
        [
            "no head of this attention type tracks the antecedent. The closest, layer 2",
            "In cross-attention, the best head is layer 1, head 4, with **0.44** more weight.",
        ],
    ),
    ({"training": {"settings": {"routes": [{"from_step": 1, "it_only": 0.5}]}}}, [ROUTES]),
    ({"heads": {"encoder": {"layer": 99, "head": 0}}, "training": {"settings": "damaged"}}, []),
    (
        {"heads": {"encoder": MEASURED | {"margin": "a"}}, "scores": {"a": 1, "b": {"bleu": "x"}}},
        [],
    ),
]


def test_what_a_card_says_of_the_heads_is_told(copies):
    page, card = open_page(), (copies / "en-de" / "card.json").read_text()
    for entries, said in CARDS:
        (copies / "en-de" / "card.json").write_text(card)
        write_card(copies, **entries)
        run(opened_up(page, "measured"))
        assert [each for each in said if shown(each) not in words(page)] == []
        assert said or ROUTES not in words(page)
        assert not page.error
        assert len(heads_of(page)["sites"]) == 3


def test_the_head_that_was_measured_is_opened_by_a_press_and_for_an_own_sentence(copies):
    write_card(copies, heads={"encoder": MEASURED})
    page = opened_up(open_page(layer="1", head="1"), "measured")
    label = english("attention-open-measured", head="L2 H3")
    (button,) = [b for b in page.button if b.label == label]
    press(page, button.key)
    assert told_of(page)["foci"]["encoder"]["head"] == 2
    page = open_page(text=GUITAR)
    assert chosen(page)[:2] == (1, 2)
    assert focus(page).row is not None
    assert focus(open_page(text=OWN)) == HeadSelection(), "no pronoun, so nothing to follow"


def test_a_guided_head_is_labelled_wherever_it_is_shown(copies):
    write_card(copies, guided={"layer": 1, "head": 2, "weight": 0.5})
    page = open_page(layer="2", head="3", look="ribbons")
    label = f":orange-badge[{english('guided')}]"
    assert f"**Layer 2, head 3** {label}" in markdown(page)
    assert [site["marked"] for site in heads_of(page)["sites"]] == [[[1, 2]], [], []]
    assert label not in markdown(choose(page, "encoder", layer=0, head=0))


DOMAINS = {n: {"bleu": 10.0 + i} for i, n in enumerate(("ko-en-tatoeba", "other", "a|b", "fourth"))}
ALWAYS = {"answer": "sie|<b>", "value": 0.5811}


def test_the_footer_says_what_the_model_is(copies):
    for scores, told in (
        ({"domains": DOMAINS}, "Tatoeba: BLEU 10.0 · other: BLEU 11.0"),
        ({"natural": {"accuracy": 0.831, "majority": ALWAYS}}, "sie|<b>"),
        ({"chains": {"accuracy": 0.5, "majority": {"answer": "", "value": None}}}, "50.0%\n"),
    ):
        write_card(copies, title="A title", licence="CC BY", scores=scores)
        text = words(open_page()) + "\n"
        for part in ("A title", "CC BY", told):
            assert part in text
        assert "{" not in text
        assert "fourth" not in text


# -- words hidden by a click -----------------------------------------------------------------

ANIMAL, DIDNT = (1,), (2, 3, 4)


def translation(page: AppTest):
    return page.session_state["run"].translation


def hide_by_click(page: AppTest, *places: int) -> AppTest:
    """What the browser sends when somebody hides these positions."""
    told = told_of(page)
    choice = {name: told[name] for name in ("identity", "kind", "badge", "role", "foci")}
    return send(page, TOLD, 0, choice={**choice, "number": told["answered"] + 1, "hidden": places})


def test_a_click_hides_a_word_from_every_head_that_reads_it_and_undo_brings_it_back(page, plain):
    choose(page, layer=0, head=1, rows=[7], columns=[])
    hide_by_click(page, *ANIMAL)
    for attention in translation(page).attention.maps:
        if attention.site.key == "source":
            assert not attention.weights[..., ANIMAL].any()
            np.testing.assert_allclose(attention.weights.sum(axis=-1), 1, atol=1e-5)
    assert asked(page)["hidden"] == "2"
    for kind in ("encoder", "cross"):
        assert (maps_of(page, kind)[..., ANIMAL] == MASKED).all()
    kept = {"layer": 0, "head": 1, "rows": [7], "columns": []}
    assert told_of(page)["foci"]["encoder"] == kept
    hide_by_click(page, *DIDNT)
    assert page.session_state["hidden"] == DIDNT
    press(page, "hidden_undo")
    assert translation(page).tgt == plain.tgt
    assert "hidden" not in asked(page)
    assert heads_of(page)["hidden"] == []


def test_another_sentence_is_whole_and_words_can_be_taken_to_where_changes_are_made(folder):
    page = open_page(hidden="3,4,5")
    sentence = page.session_state["run"].choices.text
    page = press(page, "hidden_more")
    assert page.session_state["run"].choices.text == sentence
    assert asked(page)["change"] == "hide-both-3.4.5"
    page = put(hide_by_click(open_page(), *ANIMAL), text="A dog runs.")
    assert not page.session_state["run"].change


@pytest.mark.parametrize("view", PAGE.views, ids=lambda view: view.id)
def test_a_view_shows_hidden_words_or_the_plain_run_without_buttons(folder, view):
    page = open_page(look=view.id, hidden="2")
    assert bool(page.session_state["run"].change) == view.hides
    assert ("hidden_undo" in {each.key for each in page.button}) == view.hides
    assert bool(heads_of(page)["hiding"]) == view.hides


def test_the_measured_head_opens_where_the_noun_is_hidden():
    page = open_page(checkpoint="en-de", hidden="2")
    card = page.session_state["run"].card.heads["encoder"]
    assert focus(page).place == (card["layer"], card["head"]) != (0, 0)


# -- two sentences ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "title"),
    [
        ("3", "Encoder self-attention, layer 2, head 3"),
        ("1,3", "Encoder self-attention, layer 2, heads 1, 3"),
    ],
)
def test_the_head_view_names_its_map(heads, title):
    page = open_page(layer="2", head="3", look="ribbons", heads=heads)
    assert f"**{title}**" in [text.value for text in page.markdown]


def test_each_sentence_of_a_pair_marks_the_noun_that_its_pronoun_attends_to():
    page = open_page(look="pair")
    columns = [tables(chart)["columns"] for chart in charts(page)[:2]]
    marked = [table["k"][table["locked"].astype(bool)].tolist() for table in columns]
    # "animal" and "street".
    assert marked == [[1], [7]]
    cells = [tables(chart)["cells"] for chart in charts(page)[:2]]
    for table in cells:  # the headline names both nouns, so their bars have numbers even of 0.00
        assert sorted(set(table["k"][table["numbered"].astype(bool)])) == [1, 7]


def test_a_pair_whose_link_hardly_moves_opens_at_the_head_that_moves_most():
    page = open_page(look="pair", checkpoint="ko-en")
    assert (asked(page)["layer"], asked(page)["head"]) == ("1", "8")
    assert "The weight from “my” changes: to “함께”" in words(page)
    assert says(page, "attention-pair-most")
    assert "pair_largest" not in [button.key for button in page.button]


def test_a_chosen_link_that_hardly_moves_stays_and_a_button_opens_the_largest_change():
    link = {"kind": "cross", "layer": "2", "head": "8", "row": "4", "column": "5"}
    page = open_page(look="pair", checkpoint="ko-en", **(link | {"head": "7"}))
    assert "The weight from “movie” changes: to “영화를”" in words(page)
    assert "The largest change of all heads is in layer 1, head 8, from “my” to “함께”" in words(
        page
    )
    page = press(page, "pair_largest")
    assert (asked(page)["layer"], asked(page)["head"]) == ("1", "8")


def test_the_largest_change_of_a_pair_is_one_of_words_and_not_of_signs():
    page = open_page(look="pair", checkpoint="de-en")
    assert "The weight from “too” changes: to “zu”" in words(page)


def test_the_twin_follows_the_first_sentence_until_somebody_types(folder):
    page = put(open_page(look="pair"), text=DEFAULT.twin)
    assert page.text_input("second").value == DEFAULT.text
    assert asked(put(page, second=OWN))["second"] == OWN
    assert put(page, text=DEFAULT.text).text_input("second").value == OWN
    assert "second" not in asked(press(page, "use_twin"))
    page = press(open_page(look="ribbons", second=OWN), "twin")
    assert [page.text_input(n).value for n in ("text", "second")] == [DEFAULT.text, DEFAULT.twin]
    assert asked(page)["look"] == "pair"
    assert len(charts(page)) == 3


def test_a_line_of_a_table_is_told_if_it_is_there(monkeypatch):
    for rows, told in (([1], [1]), ([], []), ([2], []), ([99], [])):
        monkeypatch.setattr(blocks.st, "session_state", {"list": {"selection": {"rows": rows}}})
        found: list[int] = []
        blocks._pick("list", 2, found.append)
        assert found == told


# -- how a weight is made --------------------------------------------------------------------


def test_weights_that_do_not_follow_from_the_vectors_are_reported(folder, monkeypatch):
    take = arithmetic.vectors_of

    def doubled(reader, record):
        return tuple(replace(each, queries=2 * each.queries) for each in take(reader, record))

    monkeypatch.setattr(arithmetic, "vectors_of", doubled)
    page = open_page(look="arithmetic", text="A doubled dog runs.")
    assert any("differ from the model’s own weights" in each.value for each in page.warning)


def test_the_menus_of_the_arithmetic_choose_query_and_key():
    page = open_page(look="arithmetic", kind="encoder", text=OWN)
    for menu, place in (("encoder_rows_menu", 1), ("encoder_columns_menu", 5)):
        page.selectbox(key=menu).set_value(place).run()
    assert [asked(page)[side] for side in ("row", "column")] == ["2", "6"]


def test_the_cost_table_by_hand():
    costs = (
        AttentionCost(2, 3, 4, 72, 600, 2e-6, 5e-6),
        AttentionCost(512, 512, 4, 3_145_728, 69_337_088, 2.5e-4, 0.0254),
    )
    assert cost_table(costs).splitlines()[2:4] == [
        "| 2 × 3 (this sentence) | 2 µs | 5 µs | 72 B | 600 B |",
        "| 512 × 512 | 250 µs | 25.4 ms | 3.1 MB | 69.3 MB |",
    ]
