"""The records: what they refuse, and what they answer about pieces, paths and hypotheses."""

import dataclasses

import numpy as np
import pytest

from records import (
    MAX_BEAM_SIZE,
    MAX_OUTPUT_LENGTH,
    AttentionMap,
    AttentionRecord,
    BeamNode,
    BeamTree,
    Decoding,
    TokenSequence,
    fingerprint_of,
)


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
        "weights": np.full(shape, 1 / 3, dtype=np.float32),
        "query_tokens": ("<s>", "▁Das"),
        "key_tokens": ("▁The", "▁cat", "</s>"),
    }
    return AttentionMap(kind=kind, **(parts | changes))


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


def test_decoding_names_every_fault_at_once():
    with pytest.raises(ValueError, match=r"beam_size.*alpha.*max_len.*n_runners_up"):
        Decoding(beam_size=0, alpha=-1, max_len=0, n_runners_up=-1)


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


# -- fingerprints --------------------------------------------------------------------------


def test_a_fingerprint_sees_where_one_part_ends():
    assert fingerprint_of(b"ab", b"c") != fingerprint_of(b"a", b"bc")


def test_a_fingerprint_does_not_see_the_order_of_a_dict():
    assert fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})
