"""The decision that is looked at, every head switched off, a trace and attention beside drops."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import harness
import masks_page
import numpy as np
import pytest
from harness import asked, n_charts, press, put, run, says, shown, specs, table_of, words
from masks_page import N_HEADS, SHORT, TIRED, open_page

from core.changes import AblatedHead
from core.intervention import Intervention
from core.knockout import Decision, knockout_facts, knockout_table
from core.pronoun import words_of
from core.search import Decoding
from core.tokens import head_title
from core.trace import TracePath, link_facts, path_verdict
from model.experiments import explain as explaining
from model.experiments.knockout import knock_out
from model.experiments.trace import trace_decision
from ui.masks import choices, explain, knockout, trace
from ui.words import stated
from words import english, numbers

view, measured, measured_root = masks_page.view, masks_page.measured, masks_page.measured_root

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


def test_words_are_whole_and_leave_special_tokens_out(view):
    found = words_of(view.src)
    assert [word.text for word in found][:4] == ["The", "animal", "didn't", "cross"]
    covered = sorted(i for word in found for i in word.positions)
    assert covered == list(range(len(view.translation.src) - 1))


def test_the_sites_of_a_run_are_found_by_their_sides(view):
    assert view.record.between("source", "source") == "encoder"
    assert view.record.between("target", "source") == "cross"
    assert view.record.between("image", "source") is None
    assert view.record.causal is view.translation.attention.decoder


# Every head switched off in turn


def click_bar(page, **values: object):
    return harness.click(page, "knock_bars", "head", **values)


def measures(page) -> str:
    """What the bars measure, said at their axis."""
    channels = [layer["encoding"] for layer in specs(page)[0]["layer"]]
    return next(each["y"]["title"] for each in channels if "y" in each)


def open_head(page) -> str:
    """The head that is open, said as the title of its part says it."""
    site, layer, head = page.selectbox("knock_head").value
    names = {"site": english(f"site-{site}-attention"), "layer": layer + 1, "head": head + 1}
    assert says(page, "masks-knockout-without", **names)
    return head_title(site, layer, head)


def test_every_head_is_in_the_table_and_the_one_missed_most_is_open(folder):
    page = open_page("knockout")
    table = table_of(page, "token_change")
    assert len(table) == N_HEADS
    assert list(table["change"]) == sorted(table["change"])
    assert f"of {N_HEADS}**" in words(page)
    assert n_charts(page) >= 1
    assert open_head(page) == table["name"].iloc[0]
    assert "knock_head" not in asked(page)


def test_the_changes_on_the_page_are_those_of_the_model(folder, tiny_translator):
    page = open_page("knockout")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    off = Intervention(AblatedHead("cross", 1, 2))
    _, without = tiny_translator.read_again(translation.src, translation.tgt, off)
    table = table_of(page, "token_change").set_index("name")
    expected = without.sum() - translation.log_probs.sum()
    assert table.loc["cross L2 H3", "change"] == pytest.approx(expected, abs=1e-4)


def test_a_click_on_a_bar_opens_its_head_and_the_address_keeps_it(folder):
    page = open_page("knockout")
    click_bar(page, kind="decoder", layer=1, head=2)
    assert open_head(page) == "decoder L2 H3"
    assert asked(page)["knock_head"] == "decoder 2.3"
    for place in (("cross", 9, 0), ("image", 0, 0), (None, None, None)):
        click_bar(page, **dict(zip(("kind", "layer", "head"), place, strict=True)))
        assert open_head(page) == "decoder L2 H3"


@pytest.mark.parametrize("how", ["uniform", "mean"])
def test_the_kind_of_ablation_changes_the_numbers_and_is_in_the_title(measured, how):
    page = open_page("knockout")
    assert measures(page) == english("masks-knockout-bars", how="zero")
    zero = table_of(page, "token_change").set_index("name")["change"]
    assert measures(put(page, knock_how=how)) == english("masks-knockout-bars", how=how)
    other = table_of(page, "token_change").set_index("name")["change"]
    assert (zero - other[zero.index]).abs().max() > 1e-3


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built(folder):
    page = open_page("knockout", knock_head="cross 2.1")
    press(page, "knock_keep")
    view_name = english("view-masks-change")
    assert says(page, "masks-knockout-kept", head="cross L2 H1", view=view_name)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_the_words_count_the_outputs_that_change(tiny_translator, view):
    found = knock_out(tiny_translator, view.translation.src, view.translation.tgt)
    table = knockout_table(found)
    expected = sum(output.ids != found.plain_output.ids for output in found.outputs)
    text = stated("masks-knockout-missed", **knockout_facts(table))
    worst = table.loc[table["change"].idxmin()]
    assert f"**{expected} of {N_HEADS}**" in text
    assert f"**{worst['name']}**" in text
    assert numbers.signed(worst["change"]) in text


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
    assert says(page, "masks-effect-unmoved") is (how == "zero")


# A decision traced link by link


@pytest.fixture(scope="module")
def traced(view):
    position = choices.pronoun_position(view)
    tgt = view.translation.tgt
    decision = Decision(position, tgt.ids[position], tgt.tokens[position], 5, "▁x")
    return trace_decision(view.translator, view.translation.src, tgt, decision)


def test_the_pronoun_is_traced_against_a_rival_at_once_and_another_rival_anew(folder):
    page = open_page("trace")
    first = page.selectbox("trace_rival").value
    assert f" and “{first}” " in words(page)
    assert n_charts(page) == 2
    assert {"from", "to", "weight", "change"} <= set(table_of(page, "weight"))
    page.selectbox("trace_rival").select_index(2)
    run(page)
    rival = page.selectbox("trace_rival").value
    assert rival != first
    assert f" and “{rival}” " in words(page)


def test_the_log_odds_on_the_page_are_those_of_the_candidates(view, traced):
    prefix = view.translation.tgt.ids[: traced.decision.position]
    found = view.translator.candidates(TIRED, prefix, 10_000)
    log_probs = {candidate.token_id: candidate.log_prob for candidate in found}
    expected = log_probs[traced.decision.token_id] - log_probs[traced.decision.rival_id]
    assert traced.log_odds == pytest.approx(expected, abs=1e-4)
    unchanged = trace.log_odds_under(view, traced, Intervention())
    assert unchanged == pytest.approx(expected, abs=1e-4)


def test_the_check_of_a_single_link_is_its_own_change(view, traced):
    link = traced.strongest(1)[0]
    change = trace.path_change(TracePath(traced.decision, (link,), 0.0))
    without = trace.log_odds_under(view, traced, change)
    assert without - traced.log_odds == pytest.approx(link.change, abs=1e-3)


def test_the_check_names_the_sum_beside_the_whole(view, traced):
    path = TracePath(traced.decision, traced.strongest(2), 0.0)
    without = trace.log_odds_under(view, traced, trace.path_change(path))
    same = (without < 0) == (traced.log_odds < 0)
    said = english(
        "masks-trace-check",
        n=2,
        change=without - traced.log_odds,
        sum=sum(link.change for link in path.links),
        turn="same" if same else "rival" if without < 0 else "token",
    )
    assert trace.check_words(view, traced, path) == said


def test_another_token_takes_its_own_rivals(folder):
    page = open_page("trace")
    page.selectbox("trace_token").select_index(0)
    run(page)
    menu = page.selectbox("trace_rival")
    assert menu.value == menu.options[0]
    assert page.session_state["run"].translation.tgt.tokens[0].strip("▁") not in menu.options
    token = put(page, text="A man plays.").selectbox("trace_token")
    assert token.value in range(len(token.options))


def test_the_path_is_written_with_heads_from_one(view, traced):
    link = replace(traced.strongest(1)[0], kind="cross", layer=1, head=2, query=0, key=0)
    text = shown(trace.path_words(view, traced, TracePath(traced.decision, (link,), 0.0)))
    stop = english("masks-trace-stop", end="The", head="cross L2 H3", change=link.change)
    assert text.startswith(english("masks-trace-path", path=f"es → {stop}"))


def links_to(traced, *stops: int) -> TracePath:
    """A path that comes by these source positions."""
    start = traced.strongest(1)[0]
    links = [replace(start, kind="cross", layer=0, head=0, query=0, key=stops[0])]
    for query, key in pairwise(stops):
        links.append(replace(start, kind="encoder", layer=0, head=0, query=query, key=key))
    return TracePath(traced.decision, tuple(links), 0.0)


@pytest.mark.parametrize(
    ("stops", "id"),
    [
        ("it animal", "textbook"),
        ("it animal because", "onward"),
        ("because animal", "by-way"),
        ("because", "elsewhere"),
        ("animal", "straight"),
        ("", "no-path"),
    ],
)
def test_the_page_says_whether_the_path_is_the_textbook_s(view, traced, stops, id):
    places = [view.translation.src.pieces_of(word)[0] for word in stops.split()]
    path = links_to(traced, *places) if places else TracePath(traced.decision, (), 0.0)
    src = view.translation.src
    found, facts = path_verdict(traced, path, src.pieces_of("it"), src.pieces_of("animal"))
    assert facts.get("by", ["because"]) == (["because"] if id != "straight" else [])
    written = {"written": "es", "pronoun": "it", "noun": "animal"}
    written["stop"] = facts.get("stop", "")
    by = english("quoted", text="because")
    (said,) = trace.verdict(view, traced, path)
    if id == "no-path":
        facts = link_facts(traced, traced.strongest(1)[0])
        assert said == stated("masks-trace-no-path", **facts)
    else:
        assert found == id
        assert shown(said) == english(f"masks-trace-{id}", **written, by=by)


@pytest.mark.parametrize(("view_of", "n"), [(trace, 2), (explain, 2)], ids=["trace", "explain"])
def test_what_takes_long_waits_for_the_button(folder, monkeypatch, view_of, n):
    name = view_of.__name__.rpartition(".")[2]
    monkeypatch.setattr(view_of, "MOST_AT_ONCE", 3)
    page = open_page(name, "The dog runs.")
    assert n_charts(page) == 0
    n_src = len(page.session_state["run"].src)
    n_tgt = len(page.session_state["run"].tgt)
    size = {"source": n_src, "target": n_tgt}
    if name == "trace":
        size = {"n": n_src + page.selectbox("trace_token").value + 1}
    assert says(page, f"masks-{name}-long", **size)
    press(page, f"{name}_start")
    assert n_charts(page) == n
    if name == "trace":
        assert n_charts(put(page, trace_share=50)) == n


# Attention beside other measures of importance


def click_head(page, **values: object):
    return harness.click(page, "explain_heads", "head", **values)


def test_three_measures_and_the_grid_are_there_and_the_command_for_averages(folder):
    page = open_page("explain")
    n_src = len(page.session_state["run"].translation.src)
    assert n_charts(page) == 2
    assert any(says(page, "masks-explain-rests", n=n_src, ties=ties) for ties in range(n_src))
    assert any("training intervene" in code.value for code in page.code)


def test_the_number_on_the_page_is_that_of_the_model(folder, tiny_translator):
    page = open_page("explain", explain_head="2.3", explain_method="Kendall τ-b")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    found = explaining.explain(tiny_translator, translation.src, translation.tgt, method="kendall")
    position = page.selectbox("explain_token").value
    number = float(found.to_drops[1, 2, position])
    assert page.segmented_control("explain_method").value == "kendall"
    assert asked(page)["explain_method"] == "kendall"
    assert english("head-name", layer=2, head=3) in words(page)
    assert f"**{numbers.signed(number)}**" in words(page)


def test_a_click_on_the_grid_opens_a_head_and_one_beside_it_nothing(folder):
    page = open_page("explain")
    click_head(page, layer=0, head=3)
    assert page.selectbox("explain_head").value == (0, 3)
    assert asked(page)["explain_head"] == "1.4"
    for layer, head in ((9, 0), (0, 9), (None, None), ("0", 1)):
        click_head(page, layer=layer, head=head)
        assert page.selectbox("explain_head").value == (0, 3)


def test_stored_averages_stand_beside_those_of_the_sentence_and_none_is_made_up(measured):
    page = open_page("explain", explain_head="1.3")
    assert n_charts(page) == 3
    assert "**+0.30**" in words(page)
    for name in explain.COMPARED:
        assert says(page, f"masks-explain-over-{name}", mean=0.25)
    page = open_page("explain", explain_hidden="encoder")
    assert n_charts(page) == 2
    assert says(page, "masks-explain-not-stored")
