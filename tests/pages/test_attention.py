"""The first page and its views, driven without a browser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.attention import TRANSFORMER_SITES
from core.measures import pair_weights, strongest_head
from core.search import Decoding
from model import load_translator
from support.app import (
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
    put,
    run,
    says,
    shown,
    told_of,
    words,
)
from support.number_text import holds
from ui.attention.scene import badge_values
from ui.focus import Focus
from ui.pages.attention import PAGE
from words import english

OWN = "A dog runs through the snow."


@pytest.fixture
def page(folder) -> AppTest:
    return open_page()


def tokens(page: AppTest) -> list[str]:
    """The pieces of the sentence as they stand above the heads."""
    return [token["label"] for token in heads_of(page)["lines"][0]["tokens"]]


def default_encoder(folder: Path):
    translation = translation_of(folder)
    return translation.src, translation.attention.encoder


@pytest.fixture
def beside(folder) -> AppTest:
    """A view that has menus beside the heads."""
    return open_page(look="ribbons")


def typed(page: AppTest, text: str) -> AppTest:
    return put(page, text=text)


def chosen(page: AppTest, kind: str = "encoder") -> tuple:
    """The open head, and the row and the column that are chosen."""
    now = focus(page, kind)
    return now.layer, now.head, now.row, now.column


def test_it_is_selected_and_the_head_that_looks_most_at_animal_is_open(page, folder):
    src, attention = default_encoder(folder)
    rows = src.pieces_of("it")
    weights = pair_weights(attention, rows, src.pieces_of("animal"))
    best = strongest_head(weights)
    assert chosen(page)[:3] == (*best, rows[0])
    opened_up(page, "measured")
    told = f"layer {best[0] + 1}, head {best[1] + 1} has the largest weight from “it” to “animal”"
    assert told in words(page)
    assert holds(words(page), f"**{weights[best]:.2f}**")


def test_a_click_on_the_grid_opens_that_head(page):
    choose(page, "encoder", layer=1, head=3)
    assert chosen(page)[:2] == (1, 3)
    assert (asked(page)["layer"], asked(page)["head"]) == ("2", "4")
    rows, columns = list(focus(page).rows), list(focus(page).columns)
    told = {"layer": 1, "head": 3, "rows": rows, "columns": columns}
    assert told_of(page)["foci"]["encoder"] == told
    choose(page, "decoder", layer=0, head=1)
    choose(page, "encoder")
    assert chosen(page)[:2] == (1, 3), "each kind remembers its own head"


def test_the_same_click_is_heard_once_and_menus_keep_the_row(beside):
    choose(beside, "encoder", layer=1, head=3)
    row = focus(beside).row
    run(put(beside, encoder_head=0))
    assert chosen(beside)[:3] == (1, 0, row)
    assert told_of(beside)["foci"]["encoder"]["head"] == 0
    assert told_of(beside)["foci"]["encoder"]["rows"] == [row]


def test_a_click_locks_a_row_and_a_second_one_lets_it_go(page):
    choose(page, rows=[2], columns=[1])
    assert chosen(page)[2:] == (2, 1)
    assert (asked(page)["row"], asked(page)["column"]) == ("3", "2")
    assert chosen(choose(page, rows=[3], columns=[]))[2:] == (3, None)  # on a label
    choose(page, rows=[], columns=[])
    assert focus(page).row is None
    assert not {"row", "column"} & asked(page).keys()
    assert english.page("no_row").strip() in words(page)


@pytest.mark.parametrize("places", [{"rows": None}, {"layer": 2}, {"head": "0"}, {"columns": [99]}])
def test_a_choice_that_makes_no_sense_is_ignored(page, places):
    before, answered = focus(page), told_of(page)["answered"]
    choose(page, **places)
    assert focus(page) == before
    assert told_of(page)["answered"] == answered


def test_a_new_sentence_keeps_the_head_and_selects_its_own_pronoun(page, tiny_translator):
    choose(page, "encoder", layer=1, head=1)
    choose(page, rows=[12])
    assert chosen(typed(page, "A dog."))[:3] == (1, 1, None)
    text = "A man plays the guitar and it was big."
    pieces = tiny_translator.tokenize(text).pieces_of("it")
    assert focus(typed(page, text)).rows == pieces
    assert told_of(page)["foci"]["encoder"]["rows"] == list(pieces)


def test_choosing_an_example_fills_the_box(page):
    assert put(page, example=EXAMPLES[4].text).text_input("text").value == EXAMPLES[4].text
    assert typed(page, OWN).selectbox("example").value is None


def test_a_sentence_that_cannot_be_translated_leaves_the_one_before(page):
    choose(typed(page, OWN), "encoder", layer=1, head=3)
    typed(page, "x" * 5000)
    (error,) = page.error
    assert "tokens. The model takes at most" in shown(error.value)
    assert "\n" in error.value, "a hint follows on its own line"
    assert f"Still showing “{OWN}”" in words(page)
    assert tokens(page) == tokens(open_page(text=OWN))
    assert not typed(page, OWN).error
    assert chosen(page)[:2] == (1, 3)


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


def remove_tokenizer(path: Path) -> str:
    (path / "tokenizer.json").unlink()
    return "tokenizer.json is missing"


def test_all_damages_of_a_checkpoint_are_in_one_message(copies):
    expected = [damage(copies / "en-de") for damage in (cut_weights, remove_tokenizer)]
    page = open_page()
    (error,) = page.error
    assert all(each in shown(error.value) for each in expected)
    assert HEADS not in [element.proto.component_name for element in page.get("bidi_component")]


def test_a_damaged_checkpoint_leaves_the_last_view_on_screen(copies):
    shutil.copytree(copies / "en-de", copies / "other")
    cut_weights(copies / "other")
    page = open_page(text=OWN)
    put(page, checkpoint="other")
    assert "cannot be used" in page.error[0].value
    assert english("other-checkpoints") in shown(page.error[0].value)
    assert says(page, "still-showing", text=OWN, checkpoint="en-de")
    assert tokens(page) == tokens(open_page(text=OWN))


def test_a_repaired_checkpoint_is_read_again(copies):
    config = copies / "en-de" / "config.json"
    good = config.read_text()
    config.write_text("{not json")
    page = open_page()
    assert "config.json is not valid JSON" in shown(page.error[0].value)
    config.write_text(good)
    run(page)
    assert not page.error


def write_card(folder: Path, **entries) -> None:
    path = folder / "en-de" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


MEASURED = {"layer": 1, "head": 2, "margin": 0.31, "first": 0.45, "second": 0.17, "n_pairs": 400}


NOTHING, OTHER = MEASURED | {"margin": -0.0004}, MEASURED | {"layer": 0, "head": 3, "margin": 0.44}
ROUTES = {"settings": {"routes": [{"from_step": 1, "it_only": 0.5}]}}
ODD = [
    *({}, {"encoder": None}, {"encoder": {"layer": 99, "head": 0}}, {"encoder": {"layer": "x"}}),
    *({"encoder": {"layer": 0, "head": 0}}, {"encoder": MEASURED | {"margin": "a", "first": None}}),
]


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ({"heads": {"encoder": MEASURED}}, ["On 400 held-out sentence pairs", "**0.31**"]),
        (
            {"heads": {"encoder": NOTHING}},
            [
                "no head of this attention type tracks the antecedent. The closest, layer 2",
                "**0.00**",
            ],
        ),
        (
            {"heads": {"encoder": NOTHING, "cross": OTHER}},
            ["In cross-attention, layer 1, head 4 does: **0.44** more weight."],
        ),
        ({"training": ROUTES}, [english("attention-routes", pronoun="it")]),
        ({"training": {"settings": "damaged"}}, []),
        *(({"heads": heads, "scores": {"a": 1, "b": {"bleu": "x"}}}, []) for heads in ODD),
    ],
)
def test_what_a_card_says_of_the_heads_is_told(copies, card, said):
    write_card(copies, **card)
    page = opened_up(open_page(), "measured")
    assert [each for each in said if shown(each) not in words(page)] == []
    assert said or shown(english("attention-routes", pronoun="it")) not in words(page)
    assert not page.error
    assert len(heads_of(page)["sites"]) == 3


def test_the_best_head_over_test_pairs_is_opened_by_a_press_and_for_an_own_sentence(copies):
    write_card(copies, heads={"encoder": MEASURED})
    page = opened_up(open_page(layer="1", head="1"), "measured")
    label = english("attention-open-measured", head="L2 H3")
    (button,) = [b for b in page.button if b.label == label]
    press(page, button.key)
    assert chosen(page)[:2] == (1, 2)
    assert told_of(page)["foci"]["encoder"]["head"] == 2
    page = open_page(text="A man plays the guitar and it was big.")
    assert chosen(page)[:2] == (1, 2)
    assert focus(page).row is not None
    assert focus(open_page(text=OWN)) == Focus(), "no pronoun, so nothing to follow"


def test_a_link_to_a_head_that_the_model_lacks_opens_the_head_of_the_sentence(folder):
    default = focus(open_page())
    page = open_page(layer="3", head="2", row="2")
    assert (focus(page).layer, focus(page).head) == (default.layer, default.head)
    assert focus(page).rows == (1,), "what the link says of the row still holds"


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
    assert "(mean over 200 held-out sentences): **0.97** with all heads" in text
    assert "**0.95** without the head on the deciding word" in text
    assert "**0.08** without layer 1, head 1, the head that affects it most." in text
    other = {**place[1], "head": (place[1]["head"] + 1) % attention.n_heads, "serves": serves}
    write_card(copies, heads={"encoder": MEASURED | place[0], "property": other})
    assert "0.97 more weight" not in words(opened_up(open_page(), "measured"))


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


def score(set: str, value: float, what: str = "accuracy") -> str:
    title = english(f"set-{set}") if english.has(f"set-{set}") else set
    return english(f"score-{what}", set=title, value=value)


ALWAYS = {"answer": "sie|<b>", "value": 0.5811}
DOMAINS = {n: {"bleu": 10.0 + i} for i, n in enumerate(("ko-en-tatoeba", "other", "a|b", "fourth"))}


@pytest.mark.parametrize(
    ("scores", "told", "untold"),
    [
        (
            {"tatoeba_val": {"bleu": 33.25}},
            ["A title", "CC BY", score("tatoeba_val", 33.25, "bleu")],
            "{",
        ),
        (
            {"domains": DOMAINS, "nouns": {"map": {"layer": 1, "head": 2}}},
            [" · ".join(score(*each, "bleu") for each in (("Tatoeba", 10), ("other", 11)))],
            "fourth",
        ),
        (
            {"natural": {"accuracy": 0.831, "majority": ALWAYS}},
            [score("natural", 0.831) + english("score-always", word="sie|<b>", value=0.5811)],
            "{",
        ),
        (
            {"chains": {"accuracy": 0.5, "majority": {"answer": "", "value": None}}},
            [score("chains", 0.5) + "\n"],
            "{",
        ),
    ],
    ids=["a set", "domains", "beside the same answer every time", "broken"],
)
def test_the_footer_says_what_the_model_is(copies, scores, told, untold):
    write_card(copies, title="A title", licence="CC BY", scores=scores)
    text = words(open_page()) + "\n"
    assert [each for each in told if each not in text] == []
    assert untold not in text


# The views


def translation_of(folder: Path):
    return load_translator(folder / "en-de").translate(DEFAULT.text, Decoding())


@pytest.mark.parametrize("look", ["ribbons", "arithmetic", "pair"])
def test_a_click_on_another_kind_opens_that_kind_in_every_view_of_one_head(folder, look):
    page = choose(open_page(look=look), "cross", layer=1, head=2)
    assert told_of(page)["kind"] == page.session_state["kind"] == "cross"
    assert chosen(page, "cross")[:2] == (1, 2)
    assert "Layer 2, head 3" in words(page)


def strongest(attention, rows, columns) -> tuple[tuple[int, int], float]:
    """The head with the most weight between tokens, summed over keys, mean over queries."""
    between = attention.weights[:, :, list(rows)][..., list(columns)].sum(-1).mean(-1)
    return divmod(int(between.argmax()), attention.n_heads), float(between.max())


@pytest.mark.parametrize(
    ("rows", "columns"), [((2,), (4,)), ((2, 5), (0, 3, 4))], ids=["a pair", "several"]
)
def test_the_head_with_most_weight_between_chosen_tokens_is_named(folder, rows, columns):
    page = choose(open_page(badge="weight"), rows=rows, columns=columns)
    (layer, head), weight = strongest(translation_of(folder).attention.encoder, rows, columns)
    told = f"**Layer {layer + 1}, head {head + 1}** puts **{weight:.2f}** of its weight from"
    assert holds(words(page), told)
    assert "the most of 8 heads" in words(page)
    summed = english("attention-strongest-summed", measure="weight") in words(page)
    assert summed == (len(rows) > 1)


def test_the_selected_head_has_its_rank_among_all_for_the_pair(folder):
    page = choose(open_page(badge="weight"), rows=[2], columns=[4])
    weights = translation_of(folder).attention.encoder.weights[:, :, 2, 4]
    for rank, place in enumerate(np.argsort(-weights, axis=None), start=1):
        layer, head = divmod(int(place), weights.shape[1])
        choose(page, "encoder", layer=layer, head=head)
        name, weight = f"layer {layer + 1}, head {head + 1}", weights[layer, head]
        told = f"{name} puts {weight:.2f} there (rank {rank})"
        assert holds(words(page), told) == (rank > 1)


@pytest.mark.parametrize(
    "asks", [{"badge": "entropy", "row": "3", "column": "5"}, {"badge": "weight", "text": OWN}]
)
def test_no_head_is_named_without_a_pair_or_under_another_metric(folder, asks):
    assert "the most of" not in words(open_page(**asks))


def test_the_old_tab_keeps_its_tokens_and_shows_the_weight_of_the_pair(folder):
    page = open_page(look="Find a head", row="3,6", column="1,4,5")
    assert (focus(page).rows, focus(page).columns) == ((2, 5), (0, 3, 4))
    assert (page.session_state["look"], told_of(page)["badge"]) == ("matrix", "weight")
    assert says(page, "moved-find")


def test_tokens_of_the_address_are_chosen_as_far_as_there_are_any(folder):
    found = focus(open_page(text=OWN, row="2,400,4", column="9999,1,3", layer="2", head="4"))
    assert (found.layer, found.head, found.rows, found.columns) == (1, 3, (1, 3), (0, 2))


def test_merged_words_have_fewer_rows_and_stand_for_all_their_pieces(folder):
    page = open_page(words="true")
    src = translation_of(folder).src
    # The animal didn't cross the street because it was too tired . </s>
    assert maps_of(page, "encoder").shape[2:] == (13, 13)
    assert len(src) > 13
    assert english("note-words") in words(page)
    choose(page, rows=[2], columns=[2])
    assert focus(page).rows == focus(page).columns == src.pieces_of("didn't")


def test_the_self_check_passes_and_gives_its_numbers(folder):
    for kind in TRANSFORMER_SITES:
        page = open_page(kind=kind)
        padding = english("figures-check-padding")
        assert padding not in words(page), "what takes the model waits until it is asked"
        text = shown(words(opened_up(page, "checks")))
        assert english("figures-check-rows") in text
        assert padding in text
        assert "[✗]" not in text


@pytest.mark.parametrize("look", [view.id for view in PAGE.views if view.id != "pair"])
def test_another_head_runs_no_model_sends_no_maps_and_reads_out_its_own_weights(
    folder, look, monkeypatch
):
    page = open_page(look=look)
    _, attention = default_encoder(folder)
    before = heads_of(page)
    choose(page, rows=[2], columns=[1])
    monkeypatch.setattr("torch.nn.Module.__call__", None)
    for layer, head in ((1, 3), (0, 0)):
        choose(page, "encoder", layer=layer, head=head)
        assert chosen(page) == (layer, head, 2, 1)
        if look == "matrix":
            assert holds(words(page), f"**{attention.weights[layer, head, 2, 1]:.4f}**")
    assert heads_of(page) == before


def test_badges_that_say_nothing_of_a_kind_stay_empty(page, folder):
    offered = {site["name"]: site["badges"] for site in heads_of(page)["sites"]}
    assert ("next" in offered["encoder"], "next" in offered["cross"]) == (True, False)
    attention = translation_of(folder).attention
    assert np.isnan(badge_values("next", attention.cross, focus(page))).all()
    assert not np.isnan(badge_values("next", attention.encoder, focus(page))).any()
