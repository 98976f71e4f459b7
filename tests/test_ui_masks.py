"""The masks page: the decision, heads off, a trace, attention beside drops, the pronoun."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace

import harness
import numpy as np
import pytest
from conftest import spell
from harness import asked, n_charts, press, put, run, says, table_of
from streamlit.testing.v1 import AppTest

from core import pronoun as counted
from core.changes import MaskedCell
from core.intervention import Intervention, hide
from core.measurements import INTERVENTIONS
from core.pronoun import (
    COMPARED,
    PLACES,
    Outcome,
    control_word,
    hidings_for,
    joined,
    phrase_of,
    word_at,
    words_of,
)
from core.search import Decoding
from core.stored import Stored
from core.tokens import head_title
from model import Translator
from model.errors import InterventionError
from model.experiments.knockout import knock_out
from ui.masks import choices, explain, knockout, pronoun
from ui.masks.pronoun import Setting, places_of
from ui.state import Choices, Run
from words import Message, english

TIRED = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."
N_HEADS = 24  # 2 layers of 4 heads at each of three sites


def open_page(look: str, text: str = SHORT, **address: str) -> AppTest:
    known = {"mask_look": look, "text": text, "max_len": "8", "beam": "2"}
    return harness.open_page("masks", **(known | address))


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    """The sentence with "it" and a translation that is known, whatever the weights."""
    decoding = Decoding(beam_size=1, max_len=8)
    translation = tiny_translator.translate(TIRED, decoding)
    tgt = tiny_translator.tokenize("Das Tier überquerte die Straße nicht, weil es zu müde war.")
    attention, log_probs = tiny_translator.read_again(translation.src, tgt)
    translation = replace(translation, tgt=tgt, log_probs=log_probs, attention=attention)
    return Run(Choices("en-de", TIRED, decoding), tiny_translator, translation)


# Which decision


def test_the_pronoun_is_followed_with_its_rivals(view):
    found = choices.pronoun_choice(view)
    assert view.translation.tgt.tokens[found.position] == "▁es"
    assert found.tokens[0] == "▁es"
    assert set(found.ids) <= set(range(view.translator.card.config["vocab_size"]))


def test_no_pronoun_is_followed_without_a_pack_nor_at_another_token(view):
    assert choices.forms_at(view, 0) is None
    card = replace(view.translator.card, languages=("en", "xx"))
    other = replace(view, translator=SimpleNamespace(card=card))
    assert (other.pack.pronoun, other.example) == ("", None)
    assert choices.forms_at(other, choices.pronoun_position(view)) is None


def test_any_token_can_be_followed_with_its_likeliest_rivals(view):
    found = choices.choice_at(view, 0)
    likeliest = view.translator.candidates(TIRED, (), 3)
    assert found.ids[0] == view.translation.tgt.ids[0]
    assert set(found.ids[1:]) <= {each.token_id for each in likeliest}
    assert len(set(found.ids)) == 3


def test_without_a_pronoun_the_least_sure_token_tells_most(view):
    log_probs = np.full(len(view.translation.tgt), -1.0, np.float32)
    log_probs[3] = -2.0
    other = replace(view.translation, src=view.translator.tokenize(SHORT), log_probs=log_probs)
    assert choices.telling_position(replace(view, translation=other)) == 3


# Every head switched off in turn


@pytest.mark.parametrize(
    ("look", "chart", "menu", "place", "others", "spelt"),
    [
        (
            *("knockout", "knock_bars", "knock_head"),
            {"kind": "decoder", "layer": 1, "head": 2},
            [{"kind": "cross", "layer": 9, "head": 0}, {"kind": "image", "layer": 0, "head": 0}],
            "decoder 2.3",
        ),
        (
            *("explain", "explain_heads", "explain_head"),
            {"layer": 0, "head": 3},
            [{"layer": 9, "head": 0}, {"layer": 0, "head": 9}, {"layer": "0", "head": 1}],
            "1.4",
        ),
    ],
    ids=["knockout", "explain"],
)
def test_a_click_opens_a_head_and_one_beside_it_nothing(
    folder, look, chart, menu, place, others, spelt
):
    page = open_page(look)
    for each in (place, *others, dict.fromkeys(place)):
        harness.click(page, chart, "head", **each)
        assert page.selectbox(menu).value == tuple(place.values())
    assert asked(page)[menu] == spelt


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built(folder):
    page = open_page("knockout", knock_head="cross 2.1")
    press(page, "knock_keep")
    view_name = english("view-masks-change")
    assert says(page, "masks-knockout-kept", head="cross L2 H1", view=view_name)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_a_rival_that_overtakes_the_pronoun_is_named(tiny_translator, view):
    found = knock_out(
        tiny_translator, view.translation.src, view.translation.tgt, position=0, choice_ids=(5, 6)
    )
    probabilities = np.tile([0.9, 0.1], (N_HEADS, 1)).astype(np.float32)
    certain = replace(found, choices=("▁es", "▁sie"), choice_probs=probabilities)
    assert english("masks-knockout-never-overtaken") in knockout.choice_words(certain)
    probabilities[3] = [0.2, 0.7]
    assert f"{head_title(*found.heads[3])} (sie 0.70)" in knockout.choice_words(certain)


@pytest.mark.parametrize("how", ["zero", "uniform"])
def test_where_no_weight_moves_the_head_that_is_off_is_shown_and_it_is_said(folder, how):
    """Nothing attends after the cross-attention of the last layer."""
    page = open_page("knockout", knock_how=how, knock_head="cross 2.3")
    shown = [page.selectbox(f"knockout_effect_{name}").value for name in ("kind", "layer", "head")]
    assert shown == ["cross", 1, 2]
    assert says(page, "masks-effect-unmoved", measure="weight") is (how == "zero")


def test_what_takes_long_waits_for_the_button(folder, monkeypatch):
    monkeypatch.setattr(explain, "MOST_AT_ONCE", 3)
    page = open_page("explain", "The dog runs.")
    assert n_charts(page) == 0
    shown = page.session_state["run"]
    assert says(page, "masks-explain-long", source=len(shown.src), target=len(shown.tgt))
    press(page, "explain_start")
    assert n_charts(page) == 2


# Attention beside other measures of importance


DETERMINERS = frozenset({"the", "a"})


# This sentence


@pytest.fixture(scope="module")
def setting(view) -> Setting:
    found = {word.text: word for word in words_of(view.src)}
    hidden = {"antecedent": found["animal"], "control": found["because"]}
    return Setting(found["it"], hidden, choices.pronoun_choice(view))


def test_the_places_hide_the_noun_where_they_say(view, setting):
    animal, it = setting.hidden["antecedent"], setting.pronoun
    change = {place.name: place.change(animal) for place in places_of(view, setting)}
    assert change["both"] == hide(*animal.positions)
    cells = [(query, key) for query in it.positions for key in animal.positions]
    from_it = Intervention(*(MaskedCell("encoder", None, None, *cell) for cell in cells))
    assert change["encoder_from_it"] == from_it
    across = change["cross_from_pronoun"].masked
    assert {(cell.kind, cell.query) for cell in across} == {("cross", setting.choice.position)}
    assert {cell.key for cell in across} == set(animal.positions)
    assert change["it_and_pronoun"] == from_it | change["cross_from_pronoun"]


def test_an_outcome_is_that_of_reading_again_and_of_the_search(view, setting):
    position, change = setting.choice.position, hide(*setting.hidden["antecedent"].positions)
    result = pronoun.outcome_of(view, change, position, setting.choice.ids)
    _, log_probs = view.translator.read_again(view.translation.src, view.translation.tgt, change)
    assert result.probabilities[0] == pytest.approx(math.exp(log_probs[position]), rel=1e-4)
    again = view.translator.translate(TIRED, view.choices.decoding, intervention=change)
    assert result.text.replace(" ", "") == again.text.replace(" ", "")


def results_of(**probabilities: float) -> dict[tuple[str, str], Outcome]:
    """P(es) for the noun hidden from the places named; 0.9 elsewhere."""
    return {
        ("antecedent", name): Outcome((probabilities.get(name, 0.9), 0.05), "Das Tier")
        for name in PLACES
    }


NOTHING = Outcome((0.9, 0.05), "Das Tier")


NARROW = ("encoder_from_it", "cross_from_pronoun", "it_and_pronoun", "encoder", "cross")


@pytest.mark.parametrize("way", ["none", "both", *NARROW])
def test_the_verdict_names_the_narrowest_place_that_matters(setting, way):
    results = results_of(**({way: 0.1, "both": 0.1} if way != "none" else {}))
    said = english(f"masks-pronoun-verdict-{way}", pronoun="it", what="animal")
    assert said in pronoun.found_words(setting, results, NOTHING)[0]


def test_the_words_give_the_numbers_before_and_after_and_name_a_rival(setting):
    text, more = pronoun.found_words(setting, results_of(both=0.25), NOTHING)
    told = {"what": "animal", "written": "es", "before": "0.90", "after": "0.25"}
    assert text.endswith(english("masks-pronoun-instead", **told))
    assert not more
    results = results_of() | {("antecedent", "both"): Outcome((0.2, 0.7), "Die Straße")}
    _, more = pronoun.found_words(setting, results, NOTHING)
    assert more == english("masks-pronoun-overtaken", what="animal", now=setting.choice.labels[1])


@pytest.fixture
def whole(setting, view) -> Setting:
    """The setting with the noun's phrase."""
    phrase = joined(phrase_of(words_of(view.src), setting.hidden["antecedent"], DETERMINERS))
    return replace(setting, hidden={**setting.hidden, "antecedent_phrase": phrase})


@pytest.mark.parametrize(("left", "rest"), [(0.9, "enough"), (0.2, "unknown")])
def test_the_verdict_is_about_the_phrase_and_says_whether_its_rest_is_enough(whole, left, rest):
    of_phrase = results_of(cross_from_pronoun=0.1, both=0.1).items()
    results = {("antecedent_phrase", place): found for (_, place), found in of_phrase}
    results |= results_of(cross_from_pronoun=left)
    text, more = pronoun.found_words(whole, results, NOTHING)
    said = {"pronoun": "it", "what": "The animal"}
    assert text.startswith(english("masks-pronoun-verdict-cross_from_pronoun", **said))
    told = {"noun": "animal", "written": "es", "share": f"{left:.2f}", "rest": rest}
    assert more == english("masks-pronoun-alone", **told)
    assert [text.count(number) for number in ("0.90", "0.10")] == [1, 1]


def test_a_phrase_is_the_noun_with_its_determiner_and_words_apart_are_joined(view):
    words = words_of(view.src)
    found = {word.text: phrase_of(words, word, DETERMINERS) for word in words}
    whole = {"street": "the street", "tired": "tired", "The": "The", "cross": "cross"}
    for noun, phrase in whole.items():
        assert [word.text for word in found[noun]] == phrase.split()
    both = joined([words[0], words[2]])
    assert both.positions == (*words[0].positions, *words[2].positions)
    assert both.text == f"{words[0].text} … {words[2].text}"


def test_other_words_are_hidden_from_fewer_places_and_alone_from_all(view, whole):
    places = places_of(view, whole)
    tested = [(role, place.name) for role, place in hidings_for(whole.hidden, places)]
    of = {role: [name for each, name in tested if each == role] for role in whole.hidden}
    assert of["antecedent"] == of["antecedent_phrase"] == [place.name for place in places]
    # A Transformer reads every token.
    assert set(of["control"]) == set(COMPARED) - {"unread"}
    alone = replace(whole, hidden={"control": whole.hidden["control"]})
    assert len(hidings_for(alone.hidden, places_of(view, alone))) == len(places_of(view, alone))


CONTROLS = {
    ("The dog did not see the old truck because it was red·.", "dog", "truck"): "because",
    # An adjective belongs to its noun, and a comma is no word.
    ("The dog saw the old truck·, it was red·.", "truck", "dog"): "saw",
    ("A dog·, it slept·.", "dog", ""): None,
    ("It slept because the dog ran·.", "dog", ""): None,
    # As many pieces as the noun.
    ("The dach·shund often bark·ed at me so it ran·.", "dachshund", ""): "barked",
}
"""By a sentence, with "·" between the pieces of a word, its noun and the other noun."""


@pytest.mark.parametrize(("sentence", "control"), CONTROLS.items())
def test_the_control_is_the_nearest_word_before_it_with_as_many_pieces(sentence, control):
    text, noun, other = sentence
    pieces = re.findall("▁?[^▁·]+", "▁" + text.replace(" ", "▁"))
    words = words_of(spell(*pieces))
    named = (word_at(words, name) for name in ("it", noun, other))
    found = control_word(words, *named, DETERMINERS)
    assert (found.text if found else None) == control


def test_a_sentence_without_it_asks_for_a_word(folder):
    page = put(open_page("pronoun", TIRED), text=SHORT)
    assert page.selectbox("test_it").value == "none"
    assert says(page, "masks-pronoun-choose-known", group=english("example-riddle"))
    page.selectbox("test_it").select("3 · runs")
    page.selectbox("test_noun").select("2 · dog")
    assert set(table_of(run(page), "likeliest")["hidden"]) == {"dog", "A dog"}


def test_what_cannot_be_hidden_is_named_and_the_rest_is_there(folder, monkeypatch):
    change = Translator.search

    def refuse(self, text, *args, intervention=None, **options):
        if intervention and intervention.hidden_from("encoder"):
            raise InterventionError(Message("model-change-nothing-left-hint"))
        return change(self, text, *args, intervention=intervention, **options)

    monkeypatch.setattr(Translator, "search", refuse)
    page = open_page("pronoun", TIRED, beam="3")
    both, cross = (english(f"masks-pronoun-place-{place}") for place in ("both", "cross"))
    why = english("model-change-nothing-left-hint")
    assert says(page, "masks-pronoun-refused", word="animal", place=both, why=why)
    found = set(table_of(page, "likeliest")["from"])
    assert cross in found
    assert both not in found


def test_stored_flips_stand_from_narrow_to_wide_with_how_they_were_made():
    stored = flips_of(
        *(
            (where, word, 40)
            for where in ("both", "encoder_from_it")
            for word in ("control", "antecedent")
        )
    )
    rows = counted.flips({"pronoun": {"forced": stored}}, "forced")
    assert list(rows["where"]) == ["encoder_from_it"] * 2 + ["both"] * 2
    assert list(rows["word"]) == ["antecedent", "control"] * 2
    stored = {"settings": {"decoding": {"beam_size": 1}}}
    for heads, said in (({}, "none"), ({"encoder": {"layer": 1, "head": 0}}, "encoder L2 H1")):
        part = stored | {"pronoun": {"heads": heads}}
        assert pronoun.how_words(part) == english("masks-pronoun-how", n=1, heads=said)


def flips_of(*rows: tuple[str, str, int]) -> list[dict]:
    """(where, word, flips of 100)."""
    found = {"n": 100, "right": 60, "low": 0.31, "high": 0.5, "share_right": 0.6}
    return [
        {"where": where, "word": word, "all": found | {"flips": flips, "share": flips / 100}}
        for where, word, flips in rows
    ]


def test_stored_phrases_are_named_beside_their_nouns():
    rows = flips_of(
        ("cross_from_pronoun", "other_phrase", 1),
        ("cross_from_pronoun", "antecedent_phrase", 59),
        ("cross_from_pronoun", "antecedent", 0),
    )
    rows = counted.flips({"pronoun": {"forced": rows}}, "forced")
    own, other = (
        english(f"masks-pronoun-role-{id}") for id in ("antecedent_phrase", "other_phrase")
    )
    told = {"word": own, "place": english("masks-pronoun-flip-cross_from_pronoun"), "share": 0.59}
    others = english("masks-pronoun-flip-other", word=other, **{"is": "other"}, share=0.01)
    said = english("masks-pronoun-flip", **told, n=100, others=others)
    assert pronoun.flip_words(rows, "it") == said


@pytest.mark.parametrize(
    ("flips", "used", "changed"),
    [
        (0, "no", {}),
        (80, "unknown", {}),
        (0, None, {"guided": None}),
        (0, None, {"heads": {}}),
        (0, None, {"heads": {"encoder": {"layer": 0, "head": 0, "antecedent": 0.97}}}),
        (0, None, {"heads": {"encoder": {"layer": 1, "head": 0}}}),
    ],
    ids=str,
)
def test_an_effect_of_a_guided_head_is_told_where_it_was_measured(
    tiny_translator, flips, used, changed
):
    head = {"layer": 1, "head": 0}
    forced = flips_of(("encoder_from_it_best", "antecedent_phrase", flips))
    part = {"pronoun": {"heads": {"encoder": head}, "forced": forced}}
    known = {"heads": {"encoder": head | {"antecedent": 0.97}}}
    known["guided"] = {"kind": "encoder", **head}
    known["stored"] = {INTERVENTIONS: Stored(INTERVENTIONS, "en-de", "found", part)}
    card = replace(tiny_translator.card, **(known | changed))
    word = english("masks-pronoun-role-antecedent_phrase")
    found = {"weight": "0.97", "pronoun": "it", "flips": flips, "n": 100}
    told = pronoun.guided_words(card, counted.flips(part, "forced"), "it")
    found |= {"word": word, "layer": 2, "head": 1}
    assert told == (english("masks-pronoun-guided", used=used, **found) if used else "")
