"""A change as text in the address: written, read back, and what cannot be read."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attention import TRANSFORMER_SITES
from core.block import STACKS, SUBLAYERS, SubLayer
from core.change import Names, Room
from core.changes import (
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
from core.intervention import (
    MOST_ADDRESS,
    UNREAD,
    Intervention,
    change_text,
    hide,
    hiding_places,
    read_change,
    read_parts,
)
from model import experiments
from model.family import CAPABILITIES
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
        st.just(made()),
        st.just(made("absent")),
        st.builds(made, st.just("shifted"), offset=st.integers(0, 500)),
        st.builds(made, st.just("permuted"), seed=st.integers(0, 2**31), span=spans),
        st.builds(made, st.just("reversed"), span=spans),
    )


unread = st.builds(UnreadToken, positions)
hidden = st.builds(HiddenToken, st.sampled_from(["encoder", "cross", "words"]), positions)
masked = st.builds(MaskedCell, kinds, or_all, or_all, or_all, or_all)
ablated = st.builds(AblatedHead, kinds, or_all, or_all, st.sampled_from(ABLATIONS))
left_out = st.builds(
    lambda kind, *place: kind(*place),
    st.sampled_from([NoResidual, NoNorm]),
    st.sampled_from([None, *STACKS]),
    or_all,
    st.sampled_from([None, *SUBLAYERS]),
)
lifted = st.builds(LiftedMask, st.sampled_from(["decoder", "words"]))
changes = st.lists(
    left_out
    | lifted
    | hidden
    | unread
    | masked
    | ablated
    | rows()
    | encodings("source")
    | encodings("target"),
    max_size=12,
).map(lambda each: Intervention(*each))


@settings(max_examples=300, deadline=None)
@given(changes)
def test_what_is_written_reads_back_needs_no_escapes_and_has_words(change):
    text = change_text(change)
    assert read_parts(text) == (change, ())
    assert quote(text, safe="+") == text
    assert all(str(each.words(NAMES)) for each in change)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("hidemaskzrowcu-._~0123456789all", max_size=60))
def test_any_text_gives_a_change_and_sentences(text):
    change, faults = read_parts(text)
    assert isinstance(change, Intervention)
    assert all(isinstance(fault, Message) and str(fault).endswith(".") for fault in faults)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Intervention(), ""),
        (Intervention(LiftedMask()), "peek"),
        (hide(1), "hide-both-2"),
        (hide(4, 1, where="unread"), "unread-2.5"),
        (hide(1, 4, where="cross"), "hide-cross-2.5"),
        (hide(1, 4, where="cross") | hide(4, where="encoder"), "hide-both-5~hide-cross-2"),
        (Intervention(MaskedCell("cross", 1, 0, 7, 1)), "mask-cross-2.1-8.2"),
        (
            Intervention(MaskedCell("encoder", None, 0, None, 1)),
            "mask-encoder-all.1-all.2",
        ),
        (
            Intervention(AblatedHead("cross", 1, 0), AblatedHead("cross", 1)),
            "zero-cross-2.all_2.1",
        ),
        (
            Intervention(OverriddenRow("cross", 1, 0, 7, (0.25, 0, 0.75))),
            "row-cross-2.1-8-0.25_0_0.75",
        ),
        (Intervention(Positions("shifted", 3)), "source-shifted-3"),
        (
            Intervention(Positions("permuted", seed=7, span=12, side="target")),
            "target-permuted-7-12",
        ),
        (Intervention(NoResidual()), "residual-all-all-all"),
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
        ("unread-0", english("model-address-zero")),
        ("hide-both-x", "'x' is not a"),
        ("mask-side/ways-1.1-1.1", "'side/ways'"),
        ("mask-cross-1-1.1", "'1' is not a pair"),
        ("zero-cross-", "incomplete"),
        ("row-cross-2.1-8-0.5_0.4", "sum to 0.9"),
        ("row-cross-2.1-8-1.5_-0.5", "contain -0.5"),
        ("row-cross-2.1-8-nan", "finite"),
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


# Words, and what there is room for

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
    assert english.of(UnreadToken(2).words(names)) == "“3” skipped in the input"


@pytest.mark.parametrize(
    ("change", "id"),
    [
        (LiftedMask("cross"), "model-change-not-causal"),
        (HiddenToken("cross", 6), "model-change-hidden"),
        (HiddenToken("words", 0), "model-change-no-site"),
        (MaskedCell("words"), "model-change-no-site"),
        (MaskedCell("cross", 1), "model-change-place"),
        (MaskedCell("decoder", 0, 0, 5, 0), "model-change-place"),
        (AblatedHead("cross", how="mean"), "model-change-no-means"),
        (OverriddenRow("encoder", 0, 0, 0, (0,) * 6 + (1.0,)), "model-change-weight-on-key"),
        (Positions("reversed", span=7), "model-change-span-source"),
        (Positions("reversed", span=65, side="target"), "model-change-span-target"),
        (NoResidual("encoder", None, "cross"), "model-change-no-sublayer"),
        (NoResidual("decoder", 1), "model-change-no-layer"),
        (NoNorm(None, None, "recurrence"), "model-change-no-sublayer"),
    ],
)
def test_what_a_run_lacks_is_named_by_id(change, id):
    assert [fault.id for fault in change.faults(ROOM)] == [id]


def test_what_fits_has_no_fault():
    fits = read_change("peek~hide-both-6~mask-cross-1.1-5.6~zero-encoder-all.1~target-reversed-64")
    assert len(fits.changes) == 6
    assert fits.faults(ROOM) == ()


def test_a_change_names_the_sides_that_tie_it_to_a_sentence():
    def sides(text):
        (change,) = read_change(text)
        return change.sides(TRANSFORMER_SITES)

    assert sides("peek") == sides("zero-cross-1.1") == sides("mask-cross-1.1-all.all") == set()
    assert sides("hide-cross-2") == sides("mask-cross-1.1-all.2") == {"source"}
    assert sides("mask-decoder-1.1-2.1") == sides("row-decoder-1.1-1-1") == {"target"}
    assert sides("mask-cross-1.1-2.1") == {"source", "target"}
    assert sides("mask-words-1.1-2.1") == sides("hide-words-2") == set()


def test_changes_and_experiments_need_what_families_offer():
    needed = {need for kind in KINDS for need in [kind.needs]}
    for module in iter_modules(experiments.__path__, f"{experiments.__name__}."):
        declared = filter(isfunction, vars(import_module(module.name)).values())
        needed |= {need for asked in declared for need in getattr(asked, "needs", ())}
    assert needed <= set(CAPABILITIES)


def test_where_a_token_can_be_hidden_follows_from_sites_and_capabilities():
    transformer, recurrent = tuple(TRANSFORMER_SITES.values()), (TRANSFORMER_SITES["cross"],)
    both = {"change-hide", "change-unread"}
    assert hiding_places(transformer, {"change-hide"}) == ("both", "encoder", "cross")
    assert hiding_places(recurrent, both) == ("unread", "cross")
    assert hiding_places((), {"change-unread"}) == ("unread",)
    assert hiding_places(transformer, set()) == ()


def test_what_is_hidden_from_both_is_hidden_from_each():
    change = hide(1, 3, where="encoder") | hide(3, 4, where="cross") | hide(0, where=UNREAD)
    places = ("encoder", "cross", "both", UNREAD)
    assert [change.hidden_from(where) for where in places] == [(1, 3), (3, 4), (3,), (0,)]
    moved = change.hiding(2, where="both")
    assert [moved.hidden_from(where) for where in places] == [(1, 2), (2, 4), (2,), (0,)]
