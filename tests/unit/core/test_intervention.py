"""Changes as text in the address: written, read back, joined, and faults in a sentence."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.interventions.base import Names, Room
from core.interventions.intervention import (
    MOST_ADDRESS,
    UNREAD,
    Intervention,
    change_text,
    hide,
    hiding_places,
    read_change,
    read_parts,
)
from core.interventions.kinds import (
    ABLATIONS,
    KINDS,
    AblatedHead,
    HiddenToken,
    LiftedMask,
    MaskedCell,
    NoNorm,
    NoResidual,
    OverriddenRow,
    Positions,
    UnreadToken,
)
from core.records.attention import TRANSFORMER_SITES
from core.records.sublayers import STACKS, SUBLAYERS, SubLayer
from model import experiments
from model.families.base import CAPABILITIES
from words import Message, english

kinds = st.sampled_from(tuple(TRANSFORMER_SITES))
positions = st.integers(0, 30)
or_all = st.none() | st.integers(0, 11)


@st.composite
def rows(draw) -> OverriddenRow:
    raised = draw(st.lists(st.floats(0, 1), min_size=1, max_size=8).filter(lambda r: sum(r) > 0))
    weights = tuple(weight / sum(raised) for weight in raised)
    return OverriddenRow(draw(kinds), draw(or_all), draw(or_all), draw(positions), weights)


def encodings(side: str) -> st.SearchStrategy[Positions]:
    spans = st.integers(1, 40) if side == "target" else st.none() | st.integers(1, 40)
    made = partial(Positions, side=side)
    return st.one_of(
        st.sampled_from([made(), made("absent")]),
        st.builds(made, st.just("shifted"), offset=st.integers(0, 500)),
        st.builds(made, st.just("permuted"), seed=st.integers(0, 2**31), span=spans),
        st.builds(made, st.just("reversed"), span=spans),
    )


def left_out(kind: type) -> st.SearchStrategy:
    stacks, names = st.sampled_from([None, *STACKS]), st.sampled_from([None, *SUBLAYERS])
    return st.builds(kind, stacks, or_all, names)


changes = st.lists(
    st.one_of(
        left_out(NoResidual),
        left_out(NoNorm),
        st.builds(LiftedMask, st.sampled_from(["decoder", "words"])),
        st.builds(HiddenToken, st.sampled_from(["encoder", "cross", "words"]), positions),
        st.builds(UnreadToken, positions),
        st.builds(MaskedCell, kinds, or_all, or_all, or_all, or_all),
        st.builds(AblatedHead, kinds, or_all, or_all, st.sampled_from(ABLATIONS)),
        rows(),
        encodings("source"),
        encodings("target"),
    ),
    max_size=12,
).map(lambda each: Intervention(*each))


@settings(max_examples=150, deadline=None)
@given(changes)
def test_what_is_written_reads_back_needs_no_escapes_and_has_words(change):
    text = change_text(change)
    assert read_parts(text) == (change, ())
    assert quote(text, safe="+") == text
    assert all(str(each.words(NAMES)) for each in change)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.text("hidemaskzrowcu-._~0123456789all", max_size=60))
def test_any_text_gives_a_change_and_sentences(text):
    change, faults = read_parts(text)
    assert isinstance(change, Intervention)
    assert all(isinstance(fault, Message) and str(fault).endswith(".") for fault in faults)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Intervention(LiftedMask()), "peek"),
        (hide(1), "hide-both-2"),
        (hide(4, 1, where="unread"), "unread-2.5"),
        (hide(1, 4, where="cross") | hide(4, where="encoder"), "hide-both-5~hide-cross-2"),
        (Intervention(MaskedCell("cross", 1, 0, 7, 1)), "mask-cross-2.1-8.2"),
        (Intervention(MaskedCell("encoder", None, 0, None, 1)), "mask-encoder-all.1-all.2"),
        (Intervention(AblatedHead("cross", 1, 0), AblatedHead("cross", 1)), "zero-cross-2.all_2.1"),
        (
            Intervention(OverriddenRow("cross", 1, 0, 7, (0.25, 0, 0.75))),
            "row-cross-2.1-8-0.25_0_0.75",
        ),
        (Intervention(Positions("shifted", 3)), "source-shifted-3"),
        (
            Intervention(Positions("permuted", seed=7, span=12, side="target")),
            "target-permuted-7-12",
        ),
        (Intervention(NoNorm("decoder", 1, "feed_forward")), "norm-decoder-2-feed_forward"),
    ],
)
def test_positions_count_from_one_as_on_the_page(change, text):
    assert change_text(change) == text
    assert read_change(text) == change


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "must begin with"),
        ("hide-no where-2", "'no where'"),
        ("hide-both-0", english("model-address-zero")),
        ("unread", "unread-2.5"),
        ("hide-both-x", "'x' is not a"),
        ("mask-cross-1-1.1", "'1' is not a pair"),
        ("zero-cross-", "incomplete"),
        ("row-cross-2.1-8-0.5_0.4", "sum to 0.9"),
        ("row-cross-2.1-8-1.5_-0.5", "contain -0.5"),
        ("row-cross-2.1-8-nan", "finite"),
        ("row-cross-2.1-8-inf_-inf", "finite"),
        ("row-cross-2.1-8-1e308_1e308", "sum to inf"),
        ("row-cross-2.1-8-a", "'a' is not a number"),
        ("row-cross-2.1-all-1", "'all' is not a"),
        ("target-reversed", english("model-address-span")),
        ("source-upside", "'upside'"),
        ("source-absent-4", "0 numbers"),
        ("source-shifted-99999999999999999999999", "not a"),
    ],
)
def test_a_malformed_part_is_named_with_its_fault_and_what_can_be_read_is_kept(text, said):
    change, faults = read_parts(f"peek~{text}~hide-both-2")
    assert change == hide(1) | Intervention(LiftedMask())
    (fault,) = faults
    assert f"“{text[:40]}" in str(fault)
    assert said in str(fault)


def test_a_text_without_end_is_left_out_in_one_sentence():
    change, (fault,) = read_parts("hide-both-2~" * MOST_ADDRESS)
    assert not change
    assert fault.values["most"] == MOST_ADDRESS


def zeroed(how: str) -> Intervention:
    return Intervention(AblatedHead("cross", 0, 1, how))


def row_of(*weights: float) -> Intervention:
    return Intervention(OverriddenRow("cross", 0, 1, 2, weights))


CELLS = MaskedCell("cross", None, 1, 2, 3), MaskedCell("cross", 0, 1, 2, 3)
TOKENS = HiddenToken("cross", 0), HiddenToken("cross", 2)
SAME = {
    "entries in any order and number": (
        Intervention(*CELLS, CELLS[0], *TOKENS[::-1]),
        Intervention(*CELLS[::-1], *TOKENS, TOKENS[1]),
    ),
    "the later of two for a head": (zeroed("zero") | zeroed("uniform"), zeroed("uniform")),
    "the other of two for a head": (zeroed("uniform") | zeroed("zero"), zeroed("zero")),
    "the later of two for a row": (row_of(1.0) | row_of(0.0, 1.0), row_of(0.0, 1.0)),
    "joined": (
        Intervention(LiftedMask(), Positions("absent")) | hide(1, where="encoder"),
        Intervention(LiftedMask(), HiddenToken("encoder", 1), Positions("absent")),
    ),
    "hidden from both": (hide(1, where="encoder") | hide(1, where="cross"), hide(1)),
    "no positions": (Positions("absent", offset=3, seed=4, span=5), Positions("absent")),
    "shifted": (Positions("shifted", offset=3, seed=4), Positions("shifted", offset=3)),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_the_same_change_told_in_two_ways(one, other):
    assert one == other
    assert hash(one) == hash(other)


def test_what_changes_nothing_is_false_and_positions_stand_in_the_order_asked_for():
    assert [bool(each) for each in (Intervention(), hide(0))] == [False, True]
    permuted = {seed: np.random.default_rng(seed).permutation(4).tolist() for seed in (5, 6)}
    for asked, order in (
        (Positions(), [0, 1, 2, 3]),
        (Positions("shifted", offset=3), [3, 4, 5, 6]),
        (Positions("reversed"), [3, 2, 1, 0]),
        (Positions("reversed", span=3), [2, 1, 0, 3]),
        (Positions("permuted", seed=5), permuted[5]),
        (Positions("permuted", seed=6), permuted[6]),
    ):
        assert asked.order(4).tolist() == order


# -- words, and what there is room for


ROOM = Room(
    tuple(TRANSFORMER_SITES.values()),
    {"source": 6, "target": 5},
    most=64,
    means=False,
    sublayers=tuple(
        SubLayer(stack, 0, name)
        for stack, names in (("encoder", ("self", "feed_forward")), ("decoder", SUBLAYERS))
        for name in names
    ),
)
NAMES = Names({"cross": ("eins", "zwei")}, {"cross": ("one", "two", "three")})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (LiftedMask(), {"site": Message("site-decoder")}),
        (HiddenToken("cross", 1), {"token": "two", "site": Message("site-cross")}),
        (HiddenToken("cross", 9), {"token": "10"}),
        (MaskedCell("cross", 1, 0, 1, 0), {"row": 2, "query": "zwei", "key": "one"}),
        (
            OverriddenRow("cross", 0, 0, 0, (0.25, 0.0, 0.75)),
            {"weights": "“three” 0.75, “one” 0.25"},
        ),
        (Positions("shifted", 3), {"mode": "shifted", "offset": 3}),
        (NoNorm("encoder", 1), {"stack": "encoder", "layer": "2", "name": "all"}),
    ],
)
def test_words_name_what_is_changed(change, words):
    assert words.items() <= dict(change.words(NAMES).values).items()
    names = Names({}, {}, single=("cross",))  # a site with one head, named without numbers
    assert english.of(AblatedHead("cross", 0, 0).words(names)) == "cross-attention: zero-ablated"
    assert english.of(UnreadToken(2).words(names)) == "“3” deleted from the input"


@pytest.mark.parametrize(
    ("change", "id"),
    [
        (LiftedMask("cross"), "not-causal"),
        (UnreadToken(6), "unread"),
        (UnreadToken(5), "unread-end"),
        (HiddenToken("cross", 6), "hidden"),
        (HiddenToken("words", 0), "no-site"),
        (MaskedCell("words"), "no-site"),
        (MaskedCell("cross", 1), "place"),
        (MaskedCell("decoder", 0, 0, 5, 0), "place"),
        (AblatedHead("cross", ablation="mean"), "no-means"),
        (OverriddenRow("encoder", 0, 0, 0, (0,) * 6 + (1.0,)), "weight-on-key"),
        (Positions("reversed", span=7), "span-source"),
        (Positions("reversed", span=65, side="target"), "span-target"),
        (NoResidual("encoder", None, "cross"), "no-sublayer"),
        (NoResidual("decoder", 1), "no-layer"),
        (NoNorm(None, None, "recurrence"), "no-sublayer"),
    ],
)
def test_what_a_run_lacks_is_named_by_id(change, id):
    assert [fault.id for fault in change.faults(ROOM)] == [f"model-change-{id}"]


def test_what_there_is_room_for_has_no_fault_and_places_count_from_one():
    text = "peek~hide-both-6~unread-1.2.3.4~mask-cross-1.1-5.6~zero-encoder-all.1"
    fits = read_change(f"{text}~target-reversed-64")
    assert len(fits.changes) == 10
    assert fits.faults(ROOM) == ()
    (fault,) = MaskedCell("decoder", 0, 0, 5, 0).faults(ROOM)
    assert fault.values["number"] == 6
    (fault,) = hide(0, 1, 2, 3, 4, where=UNREAD).faults(ROOM)
    assert fault.id == "model-change-unread-all"


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("peek", ""),
        ("zero-cross-1.1", ""),
        ("mask-cross-1.1-all.all", ""),
        ("mask-words-1.1-2.1", ""),
        ("hide-words-2", ""),
        ("hide-cross-2", "source"),
        ("mask-cross-1.1-all.2", "source"),
        ("mask-decoder-1.1-2.1", "target"),
        ("row-decoder-1.1-1-1", "target"),
        ("mask-cross-1.1-2.1", "source target"),
    ],
)
def test_a_change_names_the_sides_that_tie_it_to_a_sentence(text, sides):
    (change,) = read_change(text)
    assert change.sides(TRANSFORMER_SITES) == set(sides.split())


def test_changes_and_experiments_need_what_families_offer():
    needed = {need for kind in KINDS for need in [kind.needs]}
    for module in iter_modules(experiments.__path__, f"{experiments.__name__}."):
        declared = filter(isfunction, vars(import_module(module.name)).values())
        needed |= {need for asked in declared for need in getattr(asked, "needs", ())}
    assert needed <= set(CAPABILITIES)


def test_tokens_can_be_hidden_where_sites_and_capabilities_allow():
    transformer, recurrent = tuple(TRANSFORMER_SITES.values()), (TRANSFORMER_SITES["cross"],)
    both = {"change-hide", "change-unread"}
    assert hiding_places(transformer, {"change-hide"}) == ("both", "encoder", "cross")
    assert hiding_places(recurrent, both) == ("unread", "cross")
    assert hiding_places((), {"change-unread"}) == ("unread",)
    assert hiding_places(transformer, set()) == ()
    change = hide(1, 3, where="encoder") | hide(3, 4, where="cross") | hide(0, where=UNREAD)
    places = ("encoder", "cross", "both", UNREAD)
    assert [change.hidden_from(where) for where in places] == [(1, 3), (3, 4), (3,), (0,)]
    moved = change.hiding(2, where="both")
    assert [moved.hidden_from(where) for where in places] == [(1, 2), (2, 4), (2,), (0,)]
