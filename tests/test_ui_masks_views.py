"""Knock-out, the test of "it", the trace and the explanations, driven without a browser."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import harness
import numpy as np
import pytest
from conftest import make_model
from harness import asked, charts, n_charts, press, run, table_of, tables, words
from streamlit.testing.v1 import AppTest

from analysis.trace import TracePath
from model import Translator, load_translator, save_checkpoint
from records import AblatedHead, Decision, Decoding, Intervention, MaskedCell, hide
from ui.masks import choices, knockout, pronoun, stored, trace
from ui.masks import results as computed
from ui.masks.results import Outcome
from ui.state import Choices, Run
from viz.labels import head_title, numbered_labels
from words import Message

TIRED = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."
LOOKS = {
    "knockout": "Knock out heads",
    "pronoun": "“It” put to the test",
    "trace": "Trace a decision",
    "explain": "Does attention explain?",
}
N_HEADS = 24  # 2 layers of 4 heads in each of three kinds
FLIP = {"n": 100, "flips": 40, "share": 0.4, "low": 0.31, "high": 0.5, "share_right": 0.6}


def open_page(look: str, text: str = SHORT, **address: str) -> AppTest:
    known = {"mask_look": LOOKS[look], "text": text, "max_len": "8", "beam": "2"}
    return harness.open_page("masks", **(known | address))


def click(page: AppTest, chart: str, **values: object) -> AppTest:
    return harness.click(page, chart, "head", **values)


def interventions() -> dict:
    """What a checkpoint of this size would store."""
    rng = np.random.default_rng(0)
    means = {kind: rng.normal(size=(2, 4, 4)).tolist() for kind in ("encoder", "decoder", "cross")}
    grid = {"mean": [[0.1, 0.2, 0.3, 0.4]] * 2, "std": [[0.05] * 4] * 2, "n": [[9] * 4] * 2}
    whole = {"mean": 0.25, "std": 0.1, "n": 9}
    return {
        "command": "python -m training intervene --checkpoint en-de --data data --write",
        "fingerprint": "0",
        "hardware": "one core",
        "head_means": means,
        "pronoun": {
            "heads": {"encoder": {"layer": 0, "head": 1}, "cross": {"layer": 1, "head": 2}},
            "forced": [
                {"where": where, "word": word, "all": FLIP | {"log_odds_change": -0.5}}
                for where in ("both", "encoder_from_it")
                for word in ("control", "antecedent")
            ],
            "searched": [],
        },
        "explain": {
            "sentences": 9,
            "rows": [
                {"against": against, "method": method, "heads": grid, "average": whole,
                 "gradient": whole, "permuted_heads": whole}
                for against in ("both", "cross", "gradient")
                for method in ("spearman", "kendall")
            ],
        },
    }  # fmt: skip


@pytest.fixture(scope="module")
def measured_root(tmp_path_factory, tiny_tokenizer) -> Path:
    root = tmp_path_factory.mktemp("measured")
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=160)
    card = {"title": "Random weights", "languages": ["en", "de"], "licence": "MIT"}
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card=card)
    text = json.dumps(
        interventions() | {"fingerprint": load_translator(root / "en-de").card.fingerprint}
    )
    (root / "en-de" / "interventions.json").write_text(text)
    return root


@pytest.fixture
def measured(measured_root, monkeypatch) -> Path:
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(measured_root))
    return measured_root


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


def test_a_token_that_is_no_pronoun_has_no_forms(view):
    assert choices.forms_at(view, 0) is None


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


def test_words_are_whole_and_leave_special_tokens_out(view):
    found = choices.source_words(view)
    assert [word.text for word in found][:4] == ["The", "animal", "didn't", "cross"]
    covered = sorted(i for word in found for i in word.positions)
    assert covered == list(range(len(view.translation.src) - 1))


# Knock-out


def test_every_head_is_in_the_table_and_the_charts_are_there(folder):
    page = open_page("knockout")
    assert len(table_of(page, "token_change")) == N_HEADS
    assert f"of {N_HEADS}** heads" in words(page)
    assert n_charts(page) >= 1


def test_the_changes_on_the_page_are_those_of_the_model(folder, tiny_translator):
    page = open_page("knockout")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    off = Intervention(ablated=(AblatedHead("cross", 1, 2),))
    _, without = tiny_translator.read_again(translation.src, translation.tgt, off)
    table = table_of(page, "token_change").set_index("name")
    expected = without.sum() - translation.log_probs.sum()
    assert table.loc["cross 2.3", "change"] == pytest.approx(expected, abs=1e-4)


def test_the_head_that_is_missed_most_is_open_at_first(folder):
    page = open_page("knockout")
    assert page.selectbox("knock_head").value == table_of(page, "token_change")["name"].iloc[0]


def test_a_click_on_a_bar_opens_its_head_and_the_address_keeps_it(folder):
    page = open_page("knockout")
    click(page, "knock_bars", kind="decoder", layer=1, head=2)
    assert page.selectbox("knock_head").value == "decoder 2.3"
    assert "Without decoder self-attention, layer 2, head 3" in words(page)
    assert asked(page)["knock_head"] == "decoder 2.3"


def test_the_address_opens_a_head(folder):
    page = open_page("knockout", knock_head="encoder 1.4")
    assert "Without encoder self-attention, layer 1, head 4" in words(page)


@pytest.mark.parametrize("place", [("cross", 9, 0), ("image", 0, 0), (None, None, None)])
def test_a_click_that_names_no_head_changes_nothing(folder, place):
    page = open_page("knockout")
    before = page.selectbox("knock_head").value
    click(page, "knock_bars", **dict(zip(("kind", "layer", "head"), place, strict=True)))
    assert page.selectbox("knock_head").value == before


def test_nonsense_in_the_address_opens_the_head_that_is_missed_most(folder):
    page = open_page("knockout", knock_head="cross 99.1", knock_how="pepper")
    assert page.selectbox("knock_head").value == table_of(page, "token_change")["name"].iloc[0]


def test_the_mean_is_offered_only_where_means_are_stored(folder):
    page = open_page("knockout")
    assert page.segmented_control("knock_how").options == ["zeros", "even weights"]
    assert "no mean outputs are stored" in words(page)
    assert any("training intervene" in code.value for code in page.code)


def test_with_stored_means_the_mean_is_used_and_named(measured):
    page = open_page("knockout")
    assert "no mean outputs" not in words(page)
    page.segmented_control("knock_how").set_value("mean")
    run(page)
    assert "each head's output put to its mean over validation sentences" in words(page)


def test_the_kind_of_ablation_changes_the_numbers_and_is_in_the_title(folder):
    page = open_page("knockout")
    assert "each head's output put to zero" in words(page)
    zero = table_of(page, "token_change").set_index("name")["change"]
    page.segmented_control("knock_how").set_value("uniform")
    run(page)
    assert "weights made even" in words(page)
    uniform = table_of(page, "token_change").set_index("name")["change"]
    assert (zero - uniform[zero.index]).abs().max() > 1e-3


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built(folder):
    page = open_page("knockout", knock_head="cross 2.1")
    page.button("knock_keep").click()
    run(page)
    assert "Cross 2.1 is now off" in words(page)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_the_words_count_the_outputs_that_change(tiny_translator, view):
    found = tiny_translator.knock_out(view.translation.src, view.translation.tgt)
    table = knockout.knockout_table(found)
    expected = sum(output.ids != found.plain_output.ids for output in found.outputs)
    assert f"**{expected} of {N_HEADS}**" in knockout.found_words(found, table)


def test_the_words_name_a_rival_that_overtakes_the_pronoun(tiny_translator, view):
    found = tiny_translator.knock_out(
        view.translation.src, view.translation.tgt, position=0, choice_ids=(5, 6)
    )
    probabilities = np.tile([0.9, 0.1], (N_HEADS, 1)).astype(np.float32)
    certain = replace(found, choices=("▁es", "▁sie"), choice_probs=probabilities)
    assert "No single head decides it" in knockout.choice_words(certain)
    probabilities = probabilities.copy()
    probabilities[3] = [0.2, 0.7]
    text = knockout.choice_words(replace(certain, choice_probs=probabilities))
    assert f"{head_title(*found.heads[3])} (sie 0.70)" in text


@pytest.mark.parametrize(("value", "text"), [(-1.234, "−1.23"), (0.001, "0.00"), (2, "+2.00")])
def test_numbers_have_a_true_minus_and_zero_no_sign(value, text):
    assert knockout.signed(value) == text


# "It" put to the test


@pytest.fixture(scope="module")
def setting(view) -> pronoun.Setting:
    found = {word.text: word for word in choices.source_words(view)}
    hidden = {"antecedent": found["animal"], "control": found["because"]}
    return pronoun.Setting(found["it"], hidden, choices.pronoun_choice(view))


def test_the_places_hide_the_noun_where_they_say(view, setting):
    places = {place.name: place for place in pronoun.places_for(view, setting)}
    animal, it = setting.hidden["antecedent"], setting.pronoun
    row = setting.choice.position
    assert places["both"].change(animal) == hide(*animal.positions)
    assert places["encoder_from_it"].change(animal) == Intervention(
        masked=tuple(
            MaskedCell("encoder", None, None, query, key)
            for query in it.positions
            for key in animal.positions
        )
    )
    across = places["cross_from_pronoun"].change(animal).masked
    assert {(cell.kind, cell.query) for cell in across} == {("cross", row)}
    assert {cell.key for cell in across} == set(animal.positions)


def test_it_and_the_pronoun_is_both_places_together(view, setting):
    places = {place.name: place for place in pronoun.places_for(view, setting)}
    animal = setting.hidden["antecedent"]
    together = places["encoder_from_it"].change(animal) | places["cross_from_pronoun"].change(
        animal
    )
    assert places["it_and_pronoun"].change(animal) == together


def test_the_probabilities_are_those_of_reading_the_output_again(view, setting):
    animal, position = setting.hidden["antecedent"], setting.choice.position
    change = hide(*animal.positions)
    result = computed.outcome_of(view, change, position, setting.choice.ids)
    _, log_probs = view.translator.read_again(view.translation.src, view.translation.tgt, change)
    assert result.probabilities[0] == pytest.approx(math.exp(log_probs[position]), rel=1e-4)


def test_the_output_under_a_change_is_that_of_the_search(view, setting):
    change = hide(*setting.hidden["antecedent"].positions)
    result = computed.outcome_of(view, change, setting.choice.position, setting.choice.ids)
    again = view.translator.translate(TIRED, view.choices.decoding, intervention=change)
    assert result.text.replace(" ", "") == again.text.replace(" ", "")


def results_of(**probabilities: float) -> dict[tuple[str, str], Outcome]:
    """P(es) for the noun hidden from the places named; 0.9 elsewhere."""
    names = (*pronoun.PLACE_ORDER,)
    return {
        ("antecedent", name): Outcome((probabilities.get(name, 0.9), 0.05), "Das Tier")
        for name in names
    }


NOTHING = Outcome((0.9, 0.05), "Das Tier")


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (results_of(), "hardly depends on “animal”"),
        (results_of(encoder_from_it=0.1, both=0.1), "as the textbook has it"),
        (results_of(cross_from_pronoun=0.1, both=0.1), "does not run through “it”"),
        (results_of(it_and_pronoun=0.1, both=0.1), "only both together matter"),
        (results_of(encoder=0.1, both=0.1), "other rows of the encoder that read “animal”"),
        (results_of(cross=0.1, both=0.1), "at other positions than the pronoun's"),
        (results_of(both=0.1), "make up for the other"),
    ],
)
def test_the_verdict_names_the_narrowest_place_that_matters(setting, results, verdict):
    assert verdict in pronoun.found_words(setting, results, NOTHING)


def test_the_words_give_the_numbers_before_and_after(setting):
    text = pronoun.found_words(setting, results_of(both=0.25), NOTHING)
    assert "P(es) is 0.90 with nothing hidden" in text
    assert "from everything, “animal” leaves **0.25**. " in text


def test_a_rival_that_becomes_likeliest_is_named(setting):
    results = results_of()
    results["antecedent", "both"] = Outcome((0.2, 0.7), "Die Straße")
    text = pronoun.found_words(setting, results, NOTHING)
    assert f"“animal” leaves **0.20** (now “{setting.choice.labels[1]}”)" in text


@pytest.fixture
def whole(setting, view) -> pronoun.Setting:
    """The setting with the noun's phrase."""
    words = choices.source_words(view)
    phrase = pronoun.joined(pronoun.phrase_of(words, setting.hidden["antecedent"]))
    return replace(setting, hidden={**setting.hidden, "antecedent_phrase": phrase})


def phrase_results(**probabilities: float) -> dict[tuple[str, str], Outcome]:
    """P(es) for the phrase hidden from the places named; 0.9 elsewhere, and for the noun alone."""
    phrase = results_of(**probabilities)
    return results_of() | {
        ("antecedent_phrase", place): found for (_, place), found in phrase.items()
    }


def test_the_verdict_is_about_the_phrase_where_there_is_one(whole):
    text = pronoun.found_words(whole, phrase_results(cross_from_pronoun=0.1, both=0.1), NOTHING)
    assert "the decoder looks up “The animal” itself" in text
    assert "with “animal” alone hidden, the rest of its phrase is enough" in text


def test_the_rest_of_the_phrase_is_not_enough_where_the_noun_alone_matters(whole):
    results = phrase_results(cross_from_pronoun=0.1) | results_of(cross_from_pronoun=0.2)
    assert "is enough" not in pronoun.found_words(whole, results, NOTHING)


def test_the_words_are_three_sentences_at_most(whole):
    text = pronoun.found_words(whole, phrase_results(cross_from_pronoun=0.1), NOTHING)
    assert text.count(". ") == 2


def test_a_phrase_is_the_noun_with_its_determiner(view):
    words = choices.source_words(view)
    found = {word.text: pronoun.phrase_of(words, word) for word in words}
    assert [word.text for word in found["street"]] == ["the", "street"]
    assert [word.text for word in found["tired"]] == ["tired"]
    assert [word.text for word in found["The"]] == ["The"]


def test_words_apart_are_joined_with_all_their_positions(view):
    words = choices.source_words(view)
    joined = pronoun.joined([words[0], words[2]])
    assert joined.positions == (*words[0].positions, *words[2].positions)
    assert joined.text == f"{words[0].text} … {words[2].text}"


def test_other_words_are_hidden_from_fewer_places(view, whole):
    places = pronoun.places_for(view, whole)
    tested = [(role, place.name) for role, _, place in pronoun.runs_for(whole, places)]
    of = {role: [name for each, name in tested if each == role] for role in whole.hidden}
    assert of["antecedent"] == of["antecedent_phrase"] == [place.name for place in places]
    assert set(of["control"]) == set(pronoun.COMPARED)


def test_without_the_noun_every_word_is_hidden_from_every_place(view, setting):
    alone = replace(setting, hidden={"control": setting.hidden["control"]})
    places = pronoun.places_for(view, alone)
    assert len(pronoun.runs_for(alone, places)) == len(places)


def test_the_control_word_has_as_many_pieces_and_is_no_noun(view):
    words = {word.text: word for word in choices.source_words(view)}
    it, noun, other = (words[text] for text in ("it", "animal", "street"))
    control = pronoun.control_word(tuple(words.values()), it, noun, other)
    if control is not None:
        assert len(control.positions) == len(noun.positions)
        assert control not in (it, noun, other)
        assert control.positions < it.positions


def test_the_example_is_tested_at_once(folder):
    page = open_page("pronoun", TIRED)
    assert page.selectbox("test_noun").value.endswith("animal")
    lines = table_of(page, "likeliest")
    assert set(lines["hidden"]) >= {"animal", "street"}
    assert {"all of the encoder", "everything"} <= set(lines["from"])
    assert {"its noun", "its noun's phrase", "other noun's phrase"} <= set(lines["role"])
    assert "with nothing hidden. Hidden from the row that writes" in words(page)


def test_the_words_of_a_phrase_can_be_changed(folder):
    page = open_page("pronoun", TIRED)
    assert page.multiselect("test_phrase").value == ["1 · The", "2 · animal"]
    page.multiselect("test_phrase").set_value(["2 · animal", "3 · didn't"])
    run(page)
    lines = table_of(page, "likeliest")
    assert set(lines[lines["role"] == "its noun's phrase"]["hidden"]) == {"animal didn't"}


def test_another_noun_brings_its_own_phrase(folder):
    page = open_page("pronoun", TIRED)
    page.selectbox("test_noun").select("6 · street")
    run(page)
    assert page.multiselect("test_phrase").value == ["5 · the", "6 · street"]


def test_a_sentence_without_it_asks_for_a_word(folder):
    page = open_page("pronoun")
    assert "Choose the pronoun and a word to hide" in words(page)
    page.selectbox("test_it").select("3 · runs")
    page.selectbox("test_noun").select("2 · dog")
    run(page)
    assert set(table_of(page, "likeliest")["hidden"]) == {"dog", "A dog"}


def test_another_sentence_forgets_the_words_of_the_last(folder):
    page = open_page("pronoun", TIRED)
    page.text_input("text").set_value(SHORT)
    run(page)
    assert page.selectbox("test_it").value == "none"
    assert "Choose the pronoun" in words(page)


def test_what_cannot_be_hidden_is_named_and_the_rest_is_there(folder, monkeypatch):
    change = Translator.search

    def refuse(self, text, *args, intervention=None, **options):
        from model.errors import InterventionError

        if intervention and intervention.hidden_from_encoder:
            raise InterventionError(Message("model-change-nothing-left-hint"))
        return change(self, text, *args, intervention=intervention, **options)

    monkeypatch.setattr(Translator, "search", refuse)
    page = open_page("pronoun", TIRED, beam="3")
    assert "cannot be hidden from everything" in words(page)
    assert "all of cross-attention" in set(table_of(page, "likeliest")["from"])


def test_flips_that_were_not_measured_name_the_command(folder):
    page = open_page("pronoun")
    assert "has not been measured" in words(page)
    assert any("training intervene --checkpoint en-de" in code.value for code in page.code)


def test_stored_flips_are_shown_with_their_command(measured):
    page = open_page("pronoun")
    assert "its noun from everything flips the pronoun in **40.0%** of 100 sentences" in words(page)
    assert "Made by `python -m training intervene" in words(page)
    assert len(table_of(page, "flips")) == 4


def card_with(translator, stored_part):
    return replace(translator.card, interventions=stored_part)


def test_stored_places_are_ordered_from_narrow_to_wide(tiny_translator):
    rows = pronoun.stored_rows(card_with(tiny_translator, interventions()), "forced")
    assert list(rows["where"]) == ["encoder_from_it"] * 2 + ["both"] * 2
    assert list(rows["word"]) == ["antecedent", "control"] * 2


def flips_of(*rows: tuple[str, str, int]) -> list[dict]:
    """(where, word, flips of 100)."""
    return [
        {"where": where, "word": word, "all": FLIP | {"flips": flips, "share": flips / 100}}
        for where, word, flips in rows
    ]


def test_stored_phrases_are_named_beside_their_nouns(tiny_translator):
    rows = flips_of(
        ("cross_from_pronoun", "other_phrase", 1),
        ("cross_from_pronoun", "antecedent_phrase", 59),
        ("cross_from_pronoun", "antecedent", 0),
    )
    rows = pronoun.stored_rows(card_with(tiny_translator, {"pronoun": {"forced": rows}}), "forced")
    assert pronoun.stored_words(rows) == (
        "Hiding its noun's phrase from the pronoun's row of cross-attention flips the pronoun in "
        "**59.0%** of 100 sentences; its noun alone in 0.0%, other noun's phrase in 1.0%."
    )


def guided_card(translator, flips: int, **changed):
    part = {
        "heads": {"encoder": {"layer": 1, "head": 0}},
        "forced": flips_of(("encoder_from_it_best", "antecedent_phrase", flips)),
    }
    head = {"layer": 1, "head": 0, "antecedent": 0.97}
    guided = {"kind": "encoder", "layer": 1, "head": 0}
    return replace(
        translator.card,
        interventions={"pronoun": part},
        **({"heads": {"encoder": head}, "guided": guided} | changed),
    )


def guided_words(card) -> str:
    return pronoun.guided_words(card, pronoun.stored_rows(card, "forced"))


def test_a_guided_head_without_effect_is_said_to_have_none(tiny_translator):
    text = guided_words(guided_card(tiny_translator, 0))
    assert "layer 2, head 1, puts **0.97**" in text
    assert "yet hiding its noun's phrase from “it” there flips the pronoun in **0 of 100**" in text


def test_a_guided_head_with_an_effect_is_not_denied_it(tiny_translator):
    text = guided_words(guided_card(tiny_translator, 80))
    assert "**80 of 100**" in text
    assert "no proof" not in text


@pytest.mark.parametrize(
    "changed",
    [
        {"guided": None},
        {"heads": {}},
        {"heads": {"encoder": {"layer": 0, "head": 0, "antecedent": 0.97}}},
        {"heads": {"encoder": {"layer": 1, "head": 0}}},
    ],
)
def test_nothing_is_said_of_a_guided_head_that_was_not_measured(tiny_translator, changed):
    assert guided_words(guided_card(tiny_translator, 0, **changed)) == ""


def test_the_notes_say_how_the_searches_were_made(tiny_translator):
    settings = {"decoding": {"beam_size": 1}, "pronoun": {"control": "a word drawn at random"}}
    text = pronoun.how_words(card_with(tiny_translator, {"settings": settings}))
    assert text.startswith("The searches are greedy. Control word: a word drawn at random; it may")


@pytest.mark.parametrize(
    "damage",
    [
        {"share": 1.5}, {"low": None}, {"n": "many"}, {"flips": -1}, {"high": "0.5"},
    ],
)  # fmt: skip
def test_damaged_flips_are_left_out(tiny_translator, damage):
    rows = [{"where": "both", "word": "control", "all": FLIP | damage}]
    card = card_with(tiny_translator, {"pronoun": {"forced": rows}})
    assert pronoun.stored_rows(card, "forced").empty


@pytest.mark.parametrize("part", [{}, {"pronoun": []}, {"pronoun": {"forced": {}}}])
def test_a_card_without_flips_has_none(tiny_translator, part):
    assert pronoun.stored_rows(card_with(tiny_translator, part), "forced").empty


def test_markup_in_a_card_stays_text(tiny_translator):
    card = card_with(tiny_translator, {"command": "a `b`", "hardware": "<b>one</b>"})
    assert stored.source_line(card) == "On \\<b\\>one\\<\\/b\\>."


# The trace


@pytest.fixture(scope="module")
def traced(view):
    position = choices.pronoun_position(view)
    tgt = view.translation.tgt
    decision = Decision(position, tgt.ids[position], tgt.tokens[position], 5, "▁x")
    return view.translator.trace(view.translation.src, tgt, decision)


def test_the_pronoun_is_traced_against_a_rival_at_once(folder):
    page = open_page("trace")
    assert "links;" in words(page)
    assert "##### The path" in words(page)
    assert n_charts(page) == 2
    assert {"from", "to", "weight", "change"} <= set(table_of(page, "weight"))


def test_the_log_odds_on_the_page_are_those_of_the_candidates(view, traced):
    found = {
        c.token_id: c.log_prob for c in choices.candidates_at(view, traced.decision.position, 200)
    }
    expected = found[traced.decision.token_id] - found[traced.decision.rival_id]
    assert traced.log_odds == pytest.approx(expected, abs=1e-4)
    assert trace.log_odds_under(view, traced, Intervention()) == pytest.approx(expected, abs=1e-4)


def test_the_check_of_a_single_link_is_its_own_change(view, traced):
    link = traced.strongest(1)[0]
    change = trace.path_change(TracePath(traced.decision, (link,), 0.0))
    without = trace.log_odds_under(view, traced, change)
    assert without - traced.log_odds == pytest.approx(link.change, abs=1e-3)


def test_the_check_names_the_sum_beside_the_whole(view, traced):
    path = TracePath(traced.decision, traced.strongest(2), 0.0)
    text = trace.check_words(view, traced, path)
    total = sum(link.change for link in path.links)
    assert f"sum to {trace.signed(total)}" in text
    assert "2 links" in text


def test_another_rival_is_another_decision(folder):
    page = open_page("trace")
    first = words(page)
    page.selectbox("trace_rival").select_index(2)
    run(page)
    rival = page.selectbox("trace_rival").value
    assert f"P(“{rival}”)" in words(page)
    assert f"P(“{rival}”)" not in first


def test_another_token_takes_its_own_rivals(folder):
    page = open_page("trace")
    page.selectbox("trace_token").select_index(0)
    run(page)
    assert page.selectbox("trace_rival").value == page.selectbox("trace_rival").options[0]


def test_a_token_is_no_rival_of_itself(view):
    position = choices.pronoun_position(view)
    written = view.translation.tgt.ids[position]
    assert written not in {c.token_id for c in trace.rivals_at(view, position).values()}


def test_another_sentence_takes_a_token_of_its_own(folder):
    page = open_page("trace")
    page.selectbox("trace_token").select_index(1)
    run(page)
    page.text_input("text").set_value("A man plays.")
    run(page)
    assert page.selectbox("trace_token").value in page.selectbox("trace_token").options


def test_the_path_is_written_with_heads_from_one(traced):
    link = replace(traced.strongest(1)[0], kind="cross", layer=1, head=2, query=0, key=0)
    path = TracePath(traced.decision, (link,), 0.0)
    assert "(cross layer 2 head 3, " in trace.path_words(traced, path)


def links_to(traced, *stops: int) -> TracePath:
    """A path that comes by these source positions."""
    start = traced.strongest(1)[0]
    links = [replace(start, kind="cross", layer=0, head=0, query=0, key=stops[0])]
    for query, key in pairwise(stops):
        links.append(replace(start, kind="encoder", layer=0, head=0, query=query, key=key))
    return TracePath(traced.decision, tuple(links), 0.0)


def test_the_page_says_whether_the_path_is_the_textbook_s(view, traced):
    src = view.translation.src
    it, animal, because = (src.pieces_of(word)[0] for word in ("it", "animal", "because"))
    assert "This is the textbook's path" in trace.verdict_words(
        view, traced, links_to(traced, it, animal)
    )
    by_another = trace.verdict_words(view, traced, links_to(traced, because, animal))
    assert "**not** the textbook's path" in by_another
    assert "by way of" in by_another
    assert "does not reach" in trace.verdict_words(view, traced, links_to(traced, because))
    assert "straight from the decoder" in trace.verdict_words(
        view, traced, links_to(traced, animal)
    )


def test_a_long_sentence_waits_for_the_button(folder, monkeypatch):
    monkeypatch.setattr(trace, "MOST_AT_ONCE", 3)
    page = open_page("trace", "The dog runs.")
    assert n_charts(page) == 0
    assert "The button starts it" in words(page)
    page.button("trace_start").click()
    run(page)
    assert n_charts(page) == 2
    page.slider("trace_share").set_value(50)
    run(page)
    assert n_charts(page) == 2


# Does attention explain?


def test_three_measures_and_the_grid_are_there(folder):
    page = open_page("explain")
    assert n_charts(page) == 2
    text = words(page)
    assert "Jain and Wallace 2019; Wiegreffe and Pinter 2019" in text
    assert "source tokens" in text


def test_the_number_on_the_page_is_that_of_the_model(folder, tiny_translator):
    page = open_page("explain", explain_head="2.3", explain_method="Kendall τ-b")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    found = tiny_translator.explain(translation.src, translation.tgt, method="kendall")
    position = numbered_labels(translation.tgt.tokens).index(page.selectbox("explain_token").value)
    number = float(found.to_drops[1, 2, position])
    assert "Kendall τ-b of the attention of layer 2, head 3 with the drops" in words(page)
    assert f"**{knockout.signed(number)}** for this token" in words(page)


def test_a_click_on_the_grid_opens_a_head(folder):
    page = open_page("explain")
    click(page, "explain_heads", layer=0, head=3)
    assert page.selectbox("explain_head").value == "1.4"
    assert asked(page)["explain_head"] == "1.4"


@pytest.mark.parametrize("place", [(9, 0), (0, 9), (None, None), ("0", 1)])
def test_a_click_beside_the_grid_changes_nothing(folder, place):
    page = open_page("explain", explain_head="1.2")
    click(page, "explain_heads", layer=place[0], head=place[1])
    assert page.selectbox("explain_head").value == "1.2"


def test_averages_that_were_not_measured_name_the_command(folder):
    page = open_page("explain")
    assert any("training intervene" in code.value for code in page.code)


def test_stored_averages_stand_beside_those_of_the_sentence(measured):
    page = open_page("explain", explain_head="1.3")
    assert n_charts(page) == 3
    text = words(page)
    assert (
        "Layer 1, head 3: **+0.30** (standard deviation 0.05) over 9 validation sentences" in text
    )
    assert "The same rows shuffled: +0.25" in text


def test_averages_that_are_not_stored_for_this_choice_are_not_made_up(measured):
    page = open_page("explain", explain_hidden="the encoder")
    assert n_charts(page) == 2
    assert "Averages are stored for hiding from everything" in words(page)


def test_a_long_pair_waits_for_the_button(folder, monkeypatch):
    from ui.masks import explain

    monkeypatch.setattr(explain, "MOST_AT_ONCE", 3)
    page = open_page("explain")
    assert n_charts(page) == 0
    page.button("explain_start").click()
    run(page)
    assert n_charts(page) == 2


# What a person may type


def found_on(page: AppTest, look: str) -> object:
    """How many heads or tokens a view is about."""
    if look == "knockout":
        return len(table_of(page, "changed"))
    if look == "pronoun":
        return len(page.selectbox("test_row").options)
    return len(tables(charts(page)[0])[{"trace": "source", "explain": "lines"}[look]])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("text", ["Hello", "It", ".", "it it it", "漢字 <b>x</b> `y` [z](w)"])
def test_odd_sentences_leave_every_view_whole(folder, tiny_translator, look, text):
    page = open_page(look, text)
    assert not page.error
    assert (
        found_on(page, look)
        == {
            "knockout": N_HEADS,
            "pronoun": len(page.session_state["run"].translation.tgt),
            "trace": len(tiny_translator.tokenize(text)),
            "explain": len(tiny_translator.tokenize(text)),
        }[look]
    )


@pytest.mark.parametrize("look", LOOKS)
def test_an_empty_sentence_keeps_the_last_view(folder, look):
    page = open_page(look)
    page.text_input("text").set_value("  ")
    run(page)
    assert "Still showing" in words(page)
    assert len(page.get("vega_lite_chart")) + len(page.info) >= 1


@pytest.mark.parametrize("look", LOOKS)
def test_a_long_sentence_leaves_every_view_whole(folder, tiny_translator, look):
    text = "A dog runs through the snow and a man plays the guitar. " * 3
    page = open_page(look, text)
    assert not page.error
    if look == "trace":  # which would take long
        assert not charts(page)
        press(page, "trace_start")
    assert (
        found_on(page, look)
        == {
            "knockout": N_HEADS,
            "pronoun": len(page.session_state["run"].translation.tgt),
            "trace": len(tiny_translator.tokenize(text)),
            "explain": len(tiny_translator.tokenize(text)),
        }[look]
    )
