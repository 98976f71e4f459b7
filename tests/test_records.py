"""The records: what they refuse, and what they answer about pieces, paths and hypotheses."""

import dataclasses
import math

import numpy as np
import pytest

from records import (
    CROSS,
    ENCODER,
    MAX_BEAM_SIZE,
    MAX_OUTPUT_LENGTH,
    MAX_SAMPLES,
    TRANSFORMER_SITES,
    AblatedHead,
    AttentionMap,
    AttentionRecord,
    AttentionSite,
    BeamNode,
    BeamTree,
    CheckpointCard,
    Decision,
    Decoding,
    HiddenToken,
    Intervention,
    KnockOut,
    LiftedMask,
    MaskedCell,
    OverriddenRow,
    Positions,
    Sampling,
    SearchVerdict,
    TokenSequence,
    Trace,
    TreeAttention,
    fingerprint_of,
    hide,
)
from words import Message


@pytest.fixture
def pieces():
    """'It bit, it did.' with "bit" in two pieces."""
    return TokenSequence(
        text="It bit, it did.",
        ids=(10, 11, 12, 13, 10, 14, 15, 3),
        tokens=("▁It", "▁b", "it", ",", "▁it", "▁did", ".", "</s>"),
        offsets=((0, 2), (3, 4), (4, 6), (6, 7), (8, 10), (11, 14), (14, 15), (0, 0)),
    )


def attention_map(kind="cross", shape=(1, 1, 2, 3), **changes):
    parts = {
        "site": TRANSFORMER_SITES[kind],
        "weights": np.full(shape, 1 / 3, dtype=np.float32),
        "query_tokens": ("<s>", "▁Das"),
        "key_tokens": ("▁The", "▁cat", "</s>"),
    }
    return AttentionMap(**(parts | changes))


def node(id, parent, step, status="kept", score=0.0):
    return BeamNode(id, parent, step, f"t{id}", 20 + id, -0.5, score, score, 0, status)


@pytest.fixture
def tree():
    """Root 0; 1 and 2 below it; 3 and 4 below 1, 5 below 2."""
    nodes = (
        node(0, None, 0),
        node(1, 0, 1, score=-1.0),
        node(2, 0, 1, score=-2.0),
        node(3, 1, 2, "finished", -3.0),
        node(4, 1, 2, "kept", -1.5),
        node(5, 2, 2, "finished", -2.5),
    )
    return BeamTree(nodes, beam_size=2, alpha=0.0, max_len=2, best=5)


# -- pieces --------------------------------------------------------------------------------


def test_pieces_and_ids_of_different_length_are_refused():
    with pytest.raises(ValueError, match="2, 1, 2, 2"):
        TokenSequence("a b", ids=(1, 2), tokens=("a",), offsets=((0, 1), (2, 3)))


def test_pieces_are_known_unless_said_otherwise(pieces):
    assert pieces.unknown == (False,) * 8


def test_only_pieces_without_characters_are_special(pieces):
    assert pieces.special == (False,) * 7 + (True,)


def test_pieces_at_finds_every_piece_that_overlaps(pieces):
    assert pieces.pieces_at(3, 6) == (1, 2)


def test_pieces_at_leaves_out_neighbours_that_only_touch(pieces):
    assert pieces.pieces_at(4, 6) == (2,)


def test_special_tokens_are_never_at_a_place_in_the_text(pieces):
    assert 7 not in pieces.pieces_at(0, 15)


def test_pieces_of_a_word_ignore_case(pieces):
    assert pieces.pieces_of("IT") == (0,)


def test_pieces_of_a_word_skip_longer_words_that_hold_it(pieces):
    assert pieces.pieces_of("it", occurrence=1) == (4,)


def test_pieces_of_a_word_come_in_full(pieces):
    assert pieces.pieces_of("bit") == (1, 2)


def test_a_word_that_does_not_occur_that_often_has_no_pieces(pieces):
    assert pieces.pieces_of("it", occurrence=2) == ()


def test_letters_that_grow_when_lowered_do_not_move_the_word():
    turkish = TokenSequence(
        "İİ it go", (5, 6, 7, 3), ("▁İİ", "▁it", "▁go", "</s>"), ((0, 2), (3, 5), (6, 8), (0, 0))
    )
    assert turkish.pieces_of("it") == (1,)


# -- attention -----------------------------------------------------------------------------


def test_weights_without_four_axes_are_refused():
    with pytest.raises(ValueError, match=r"\(L, H, T_q, T_k\)"):
        attention_map(shape=(1, 2, 3))


def test_weights_that_do_not_fit_their_tokens_are_refused():
    with pytest.raises(ValueError, match=r"\(3, 2\).*\(2, 3\)"):
        attention_map(shape=(1, 1, 3, 2))


def test_output_tokens_must_match_the_rows():
    with pytest.raises(ValueError, match="1 output tokens for 2"):
        attention_map(output_tokens=("▁Das",))


def test_a_mask_must_have_the_shape_of_one_head():
    with pytest.raises(ValueError, match="mask"):
        attention_map(mask=np.ones((3, 3), dtype=bool))


def test_layers_and_heads_are_counted_from_the_axes():
    attention = attention_map(shape=(4, 5, 2, 3))
    assert (attention.n_layers, attention.n_heads) == (4, 5)


def test_head_is_the_slice_of_its_layer_and_head():
    weights = np.arange(24, dtype=np.float32).reshape(2, 2, 2, 3)
    np.testing.assert_array_equal(
        attention_map(weights=weights).head(1, 0), [[12, 13, 14], [15, 16, 17]]
    )


def test_a_record_names_the_kinds_it_holds_when_asked_for_another(pieces):
    record = AttentionRecord(pieces, None, (attention_map("encoder"),))
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        _ = record.cross


def test_each_kind_is_found_by_its_name(pieces):
    maps = tuple(attention_map(kind) for kind in ("encoder", "decoder", "cross"))
    record = AttentionRecord(pieces, pieces, maps)
    assert (record.encoder, record.decoder, record.cross) == maps


def test_several_maps_of_one_site_are_told_apart_by_their_item(pieces):
    words = AttentionSite("words", "summary", "source")
    first, second = (attention_map(site=words, item=item) for item in (0, 1))
    record = AttentionRecord(pieces, None, (first, second, attention_map("encoder")))
    assert record.of("words", item=1) is second
    assert record.sites == (words, ENCODER)
    with pytest.raises(KeyError, match="item 2"):
        record.of("words", item=2)


# -- decoding ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("beam_size", 0),
        ("beam_size", MAX_BEAM_SIZE + 1),
        ("alpha", -0.1),
        ("alpha", 5.1),
        ("alpha", float("nan")),
        ("max_len", 0),
        ("max_len", MAX_OUTPUT_LENGTH + 1),
        ("n_runners_up", -1),
        ("min_len", -1),
        ("min_len", MAX_OUTPUT_LENGTH + 1),
    ],
)
def test_decoding_refuses_what_is_out_of_range(option, value):
    with pytest.raises(ValueError, match=f"{option} is {value}"):
        Decoding(**{option: value})


@pytest.mark.parametrize(
    "options",
    [
        {"beam_size": 1},
        {"beam_size": MAX_BEAM_SIZE},
        {"alpha": 0.0},
        {"alpha": 5.0},
        {"max_len": 1},
        {"max_len": MAX_OUTPUT_LENGTH},
    ],
)
def test_decoding_takes_both_ends_of_a_range(options):
    assert dataclasses.asdict(Decoding(**options)).items() >= options.items()


@pytest.mark.parametrize("option", ["penalty", "penalise"])
def test_decoding_refuses_an_unknown_name_and_lists_the_known(option):
    with pytest.raises(ValueError, match=f"{option} is 'gnmt', expected one of"):
        Decoding(**{option: "gnmt"})


def test_a_minimum_above_the_maximum_is_refused():
    with pytest.raises(ValueError, match="min_len is 9, more than max_len, which is 8"):
        Decoding(min_len=9, max_len=8)


def test_a_minimum_equal_to_the_maximum_is_taken():
    assert Decoding(min_len=8, max_len=8).min_len == 8


def test_decoding_names_every_fault_at_once():
    everything = r"beam_size.*alpha.*max_len.*n_runners_up.*penalty.*penalise.*min_len"
    with pytest.raises(ValueError, match=everything):
        Decoding(
            beam_size=0, alpha=-1, max_len=0, n_runners_up=-1,
            penalty="gnmt", penalise="never", min_len=-1,
        )  # fmt: skip


def test_the_defaults_of_decoding_are_those_of_the_readme():
    assert Decoding() == Decoding(5, 0.6, None, 0, "wu", "final", 0)


# -- sampling ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("n_samples", 0),
        ("n_samples", MAX_SAMPLES + 1),
        ("temperature", -0.1),
        ("temperature", 10.1),
        ("temperature", float("nan")),
        ("top_k", -1),
        ("top_p", 0.0),
        ("top_p", 1.1),
        ("top_p", float("nan")),
        ("seed", -1),
        ("max_len", 0),
        ("min_len", -1),
    ],
)
def test_sampling_refuses_what_is_out_of_range(option, value):
    with pytest.raises(ValueError, match=f"{option} is {value}"):
        Sampling(**{option: value})


@pytest.mark.parametrize(
    "options",
    [{"n_samples": MAX_SAMPLES}, {"temperature": 0.0}, {"top_p": 1.0}, {"seed": 2**63 - 1}],
)
def test_sampling_takes_the_ends_of_a_range(options):
    assert dataclasses.asdict(Sampling(**options)).items() >= options.items()


def test_sampling_names_every_fault_at_once():
    everything = r"n_samples.*temperature.*top_k.*top_p.*seed.*max_len.*min_len"
    with pytest.raises(ValueError, match=everything):
        Sampling(n_samples=0, temperature=-1, top_k=-1, top_p=0, seed=-1, max_len=0, min_len=-1)


# -- the tree ------------------------------------------------------------------------------


def test_a_path_runs_from_the_root_to_the_node(tree):
    assert [n.id for n in tree.path(4)] == [0, 1, 4]


def test_children_are_the_nodes_that_name_their_parent(tree):
    assert [n.id for n in tree.children(1)] == [3, 4]


def test_at_step_gathers_a_generation(tree):
    assert [n.id for n in tree.at_step(1)] == [1, 2]


def test_a_hypothesis_leaves_the_root_out(tree):
    assert tree.hypothesis(3).ids == (21, 23)


def test_hypotheses_are_the_finished_ones_best_first(tree):
    assert [h.node for h in tree.hypotheses()] == [5, 3]


def test_without_a_finished_hypothesis_the_live_ones_of_the_last_step_count(tree):
    unfinished = tuple(
        dataclasses.replace(n, status="pruned" if n.id == 3 else "kept") for n in tree.nodes
    )
    live = dataclasses.replace(tree, nodes=unfinished).hypotheses()
    assert [(h.node, h.finished) for h in live] == [(4, False), (5, False)]


def test_following_ids_gives_the_nodes_that_spell_them(tree):
    assert [n.id for n in tree.follow((21, 23))] == [0, 1, 3]


def test_following_ids_goes_as_far_as_the_tree(tree):
    assert [n.id for n in tree.follow((22, 23, 24))] == [0, 2]
    assert [n.id for n in tree.follow((99,))] == [0]


def test_following_nothing_gives_the_root(tree):
    assert [n.id for n in tree.follow(())] == [0]


# -- attention and verdicts of a tree ------------------------------------------------------


def test_self_attention_of_a_node_leaves_the_padding_out(pieces):
    decoder = np.arange(6, dtype=np.float32).reshape(2, 1, 1, 3)
    attention = TreeAttention(pieces, np.zeros((2, 1, 1, 8)), decoder, np.array([0, 2]))
    np.testing.assert_array_equal(attention.self_attention(1), [[[3, 4]]])


def test_a_verdict_sums_the_log_probabilities(pieces, tree):
    verdict = SearchVerdict(
        src=pieces, reference=pieces, output=pieces,
        reference_log_probs=np.array([-0.5, -1.0], dtype=np.float32),
        output_log_probs=np.array([-0.25], dtype=np.float32),
        reference_score=-1.5, output_score=-0.25, verdict="model error",
        plain_verdict="model error", finished=False, fell_out_at=1,
        fell_out=Message("model-reason-beyond-beam"),
        unknown=(), void=None, tree=tree,
    )  # fmt: skip
    assert (verdict.reference_log_prob, verdict.output_log_prob) == (-1.5, -0.25)


# -- fingerprints --------------------------------------------------------------------------


def test_a_fingerprint_sees_where_one_part_ends():
    assert fingerprint_of(b"ab", b"c") != fingerprint_of(b"a", b"bc")


def test_a_fingerprint_does_not_see_the_order_of_a_dict():
    assert fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})


# -- interventions -------------------------------------------------------------------------


def test_an_intervention_that_changes_nothing_is_false():
    assert not Intervention()
    assert Intervention(LiftedMask())
    assert hide(0)


def test_entries_in_any_order_and_number_are_the_same_intervention():
    first, second = MaskedCell("cross", None, 1, 2, 3), MaskedCell("cross", 0, 1, 2, 3)
    one = Intervention(first, second, first, HiddenToken("cross", 2), HiddenToken("cross", 0))
    two = Intervention(
        second, first, HiddenToken("cross", 0), HiddenToken("cross", 2), HiddenToken("cross", 2)
    )
    assert one == two
    assert hash(one) == hash(two)


def test_of_two_entries_for_one_head_or_row_the_later_counts():
    zero = Intervention(AblatedHead("cross", 0, 1))
    uniform = Intervention(AblatedHead("cross", 0, 1, "uniform"))
    assert zero | uniform == uniform
    assert uniform | zero == zero
    first = Intervention(OverriddenRow("cross", 0, 1, 2, (1.0,)))
    second = Intervention(OverriddenRow("cross", 0, 1, 2, (0.0, 1.0)))
    assert first | second == second


def test_joining_keeps_the_changes_of_both():
    both = Intervention(LiftedMask(), Positions("absent")) | hide(1, where="encoder")
    assert both == Intervention(LiftedMask(), HiddenToken("encoder", 1), Positions("absent"))


def test_hide_hides_from_what_it_is_told():
    assert hide(1, where="encoder") | hide(1, where="cross") == hide(1)


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        ((0.5, 0.4), "sum to 0.9"),
        ((1.5, -0.5), "contain -0.5"),
        ((math.nan, 1.0), "finite"),
        ((math.inf, 0.0), "finite"),
        ((), "finite"),
    ],
)
def test_a_row_that_is_no_distribution_is_refused(weights, found):
    with pytest.raises(ValueError, match=found):
        OverriddenRow("cross", 0, 0, 0, weights)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: MaskedCell("no name", 0, 0, 0, 0), "'no name'"),
        (lambda: MaskedCell("cross", -1, 0, 0, 0), "layer is -1"),
        (lambda: AblatedHead("cross", 0, 0, "loud"), "how is 'loud'"),
        (lambda: OverriddenRow("cross", 0, 0, None, (1.0,)), "query is None"),
        (lambda: Positions("sideways"), "mode is 'sideways'"),
        (lambda: Positions("shifted", offset=-1), "offset is -1"),
        (lambda: Positions("permuted", seed=-1), "seed is -1"),
        (lambda: Positions("reversed", span=0), "span is 0"),
        (lambda: Intervention(HiddenToken("cross", -1)), "position is -1"),
        (lambda: Intervention(Positions("reversed", side="target")), "need a number of positions"),
    ],
)
def test_changes_out_of_range_are_refused(make, found):
    with pytest.raises(ValueError, match=found):
        make()


def test_what_a_mode_of_positions_does_not_use_does_not_tell_them_apart():
    assert Positions("absent", offset=3, seed=4, span=5) == Positions("absent")
    assert Positions("shifted", offset=3, seed=4) == Positions("shifted", offset=3)


@pytest.mark.parametrize(
    ("positions", "order"),
    [
        (Positions(), [0, 1, 2, 3]),
        (Positions("shifted", offset=3), [3, 4, 5, 6]),
        (Positions("reversed"), [3, 2, 1, 0]),
        (Positions("reversed", span=3), [2, 1, 0, 3]),
    ],
)
def test_positions_in_the_order_asked_for(positions, order):
    assert positions.order(4).tolist() == order


def test_permuted_positions_are_the_same_for_the_same_seed_and_all_there():
    first, second = (Positions("permuted", seed=5).order(30) for _ in range(2))
    other = Positions("permuted", seed=6).order(30)
    np.testing.assert_array_equal(first, second)
    assert sorted(first) == list(range(30))
    assert first.tolist() != other.tolist()


def test_a_span_beyond_the_length_is_refused():
    with pytest.raises(ValueError, match="span is 5"):
        Positions("reversed", span=5).order(4)


def test_head_masks_have_the_shape_of_the_weights():
    weights = np.full((1, 2, 2, 2), 0.5, np.float32)
    with pytest.raises(ValueError, match="head_masks"):
        AttentionMap(CROSS, weights, ("a", "b"), ("c", "d"), head_masks=np.ones((2, 2), bool))


def test_the_strongest_links_come_first_and_missing_ones_never():
    changes = {
        "cross": np.array([[[[0.1, -2.0]]]], np.float32),
        "encoder": np.array([[[[np.nan, 1.5], [0.0, 0.2]]]], np.float32),
    }
    weights = {kind: np.full_like(array, 0.5) for kind, array in changes.items()}
    pieces = TokenSequence("a", (1, 2), ("a", "b"), ((0, 1), (0, 0)))
    decision = Decision(0, 1, "a", 2, "b")
    trace = Trace(pieces, pieces, decision, 1.0, changes, {}, weights, 5, 5, 0.1)
    strongest = trace.strongest(3)
    assert [(link.kind, link.query, link.key) for link in strongest] == [
        ("cross", 0, 1),
        ("encoder", 0, 1),
        ("encoder", 1, 1),
    ]
    assert [round(link.change, 3) for link in strongest] == [-2.0, 1.5, 0.2]


def test_the_change_of_a_knocked_out_head_is_that_of_the_whole_output():
    pieces = TokenSequence("a", (1, 2), ("a", "b"), ((0, 1), (0, 0)))
    log_probs = np.array([[-1.0, -2.0], [-0.25, -0.5]], np.float32)
    knocked = KnockOut(
        pieces, pieces, "zero", (("cross", 0, 0), ("cross", 0, 1)), log_probs,
        np.array([-0.5, -0.5], np.float32), (pieces, pieces), pieces, None, (),
        np.zeros((2, 0)), np.zeros(0), 0.1,
    )  # fmt: skip
    np.testing.assert_allclose(knocked.changes, [-2.0, 0.25])


def test_a_card_speaks_other_languages_where_it_can():
    card = CheckpointCard(
        "en-de",
        "transformer",
        ("en", "de"),
        1,
        {},
        "",
        title="one",
        words={"ko": {"title": "하나"}},
    )
    assert card.told("title", "ko") == "하나"
    assert card.told("title", "fr") == card.told("title", "en") == "one"
    assert card.told("licence", "ko") == ""
