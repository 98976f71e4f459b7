"""Verify the claims of a model family against slower computations of the same numbers.

    python -m model check en-de

`CAPABILITIES` only checks that a model has the parts that a capability needs. Here every claim is
computed twice: once as the views do, and once by a slower way that knows less, from whole passes
and attention edited by hand.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.measurements import Proofs
from core.positions import SINES, encoding_table
from core.weights.aggregate import can_roll, rollout
from words import Message
from words.names import said_by

from ..experiments import arithmetic, block, step, tree, word_order
from ..experiments.contributions import contributions_of
from ..experiments.score_parts import split_scores
from ..experiments.source_share import share_of
from ..families.base import site_across
from ..hooks.capture import capture_attention, listening
from ..nets.attention import AttentionProbe
from ..nets.multi_head import MultiHeadAttention
from ..teacher_forcing import tensor_of
from .reference import (
    CHANGES,
    Claim,
    Trial,
    by_hand,
    documents,
    gap,
    masked_words,
    may_see,
    nowhere,
    padding,
    sentences,
    softmax_of,
    teacher_forcing,
    trials_of,
)

TOLERANCE = 1e-3
"""Largest accepted difference of two ways to a number, relative to the largest number above one."""
MOST_NODES = 16
UNCOMPARED = frozenset({"rollout", "scene"})
"""Capabilities without a slower way: they state the kind of the sites, which loading verifies."""
NUMBERED = frozenset({"vectors", "relative-positions", "values", "order", "block"})
"""Claims that are false if they yield no number at all."""


@dataclass(frozen=True)
class Checked:
    """Result of one claim."""

    capability: str  # or one of `SUMS`
    difference: float  # between the two ways, see `TOLERANCE`; infinite if one gives no number
    seconds: float
    error: str = ""  # message of the exception that ended it

    @property
    def holds(self) -> bool:
        """True if the difference is within `TOLERANCE`."""
        return self.difference <= TOLERANCE

    @property
    def stored(self) -> float | None:
        """Difference as a file stores it; None stands for infinity, which JSON does not have."""
        return float(f"{self.difference:.2g}") if math.isfinite(self.difference) else None

    @property
    def claim(self) -> Message:
        """Message that says which two numbers must be equal."""
        return Message(f"check-{self.capability}")


def check(
    reader: Any,
    claims: Mapping[str, Claim] | None = None,
    progress: Callable[[float], None] = lambda _: None,
    *,
    texts: Sequence[str] = (),
) -> tuple[Checked, ...]:
    """Check `claims`, by default all of the reader's capabilities, on `texts` or else `sentences`.

    `progress` receives the fraction of the claims that is done, 0 to 1.
    """
    reader = copy(reader)
    reader.withdrawn = {}  # or withdrawn claims would be refused
    if claims is None:
        claims = {name: CLAIMS[name] for name in CLAIMS if name in reader.capabilities}
    trials: list[Trial] = []
    unread = ""
    try:
        trials += trials_of(reader, texts or sentences(reader))
    except Exception as raised:  # a foreign model may raise anything
        unread = _raised("sentences", raised)
    results = []
    for done, (capability, claim) in enumerate(claims.items()):
        progress(done / len(claims))
        began = time.perf_counter()
        error = unread
        difference = math.inf
        try:
            if not unread:
                # A text may offer a claim nothing to compare; only the claims of `NUMBERED` must
                # yield a number.
                without_numbers = math.inf if capability in NUMBERED else 0.0
                difference = max(max(claim(trial), default=without_numbers) for trial in trials)
        except Exception as raised:  # as above
            error = _raised(capability, raised)
        results.append(Checked(capability, difference, time.perf_counter() - began, error))
    return tuple(results)


def _raised(what: str, error: Exception) -> str:
    """Return the message of an exception, and log its traceback for the author of the model."""
    logging.getLogger(__name__).warning("the check of %s ended early", what, exc_info=error)
    return str(said_by(error))


_CHECKED: dict[Any, Proofs] = {}
_CHECKING = threading.Lock()


def proofs_of(reader: Any, family: Any) -> Proofs:
    """Return the results of `check` for a reader, computed once a model.

    The cache key is the fingerprint of weights, config and vocabulary, and the family.
    """
    key = (reader.card.fingerprint, family.name, family.build, family.capabilities)
    # The lock is held while checking: a second session waits instead of checking the same model
    # again.
    with _CHECKING:
        if key not in _CHECKED:
            _CHECKED[key] = as_proofs(reader, check(reader), len(sentences(reader)))
        return _CHECKED[key]


def as_proofs(reader: Any, results: Sequence[Checked], n: int, command: str = "") -> Proofs:
    """Convert the results of a check of `n` sentences to the stored format."""
    return Proofs(
        command=command,
        fingerprint=reader.card.fingerprint,
        when=date.today().isoformat(),
        claims={result.capability: result.stored for result in results},
        sentences=n,
    )


def false_claims(proofs: Proofs) -> dict[str, float]:
    """Return the capabilities whose claim does not hold, each with its difference."""
    apart = {name: math.inf if gap is None else gap for name, gap in proofs.claims.items()}
    # Written as "not <=" so that NaN counts as false.
    return {name: gap for name, gap in apart.items() if not gap <= TOLERANCE}


def proof_messages(format: str, proofs: Proofs) -> tuple[Message, ...]:
    """Say which claims of a model converted from `format` were proved, and which were not."""
    false = false_claims(proofs)
    largest = max((gap or 0 for name, gap in proofs.claims.items() if name not in false), default=0)
    messages = [
        Message.of(
            "format-proof",
            format=format,
            claims=len(proofs.claims),
            holding=len(proofs.claims) - len(false),
            sentences=proofs.sentences,
            difference=f"{largest:.1g}",
        )
    ]
    if false:
        claims = tuple(Message(f"check-{name}") for name in false)
        messages.append(Message.of("format-unproved", claims=claims))
    return tuple(messages)


# -- the claims --------------------------------------------------------------------------------


def _search(trial: Trial) -> Iterator[float]:
    """Compare each hypothesis of a search, and the attention of its steps, with teacher forcing."""
    reader = trial.reader
    yield from _trees(trial, tree.walk_tree)
    for hypothesis in trial.tree.hypotheses():
        tgt = reader.tokenizer.decode(hypothesis.ids)
        yield gap(hypothesis.log_probs, reader.teacher_force(trial.src, tgt)[1])


@torch.inference_mode()
def _trees(trial: Trial, attend: Callable[..., Any]) -> Iterator[float]:
    """Compare the rows behind each node of the tree with a pass over its path alone."""
    model = trial.model
    tree = trial.tree
    src = trial.reader.input_of(trial.src)
    itself = next((s for s in model.sites if s.query == s.key == "target"), None)
    cross, decoder, _ = attend(model, src, tree)
    # The root has no row: nothing was read before it.
    for node in tree.nodes[1 : MOST_NODES + 1]:
        read = tensor_of(model, [earlier.token_id for earlier in tree.path(node.id)[:-1]])
        with capture_attention(model) as captured:
            model(src, read)
        for site, rows in ((site_across(model), cross), (itself, decoder)):
            if site is not None:
                alone = captured.weights(site.name)[0, :, :, -1]
                # Rows of a tree are padded to its deepest node.
                yield gap(rows[node.id][..., : alone.shape[-1]], alone)


def _scores(trial: Trial) -> Iterator[float]:
    """Compare the softmax of the scores with the weights; each row must sum to one."""
    gaps: list[float] = []

    def compare(
        probe: AttentionProbe, weights: Tensor, scores: Any, mask: Any, first: int
    ) -> Tensor:
        if scores is not None and probe.site.normalised:
            gaps.append(gap(weights, softmax_of(scores, may_see(weights, mask))))
            gaps.append(_to_one(weights.sum(-1)))
        return weights

    with torch.inference_mode(), by_hand(trial.model, compare):
        trial.model(*trial.inputs)
    yield from gaps


def _vectors(trial: Trial) -> Iterator[float]:
    """Compare q.k / sqrt(d_k), plus a relative bias, with the scores.

    The weighted values through W_O must equal the output of the layer.
    """
    record = trial.record()
    layer_outputs = {}

    def keep_output(layer: MultiHeadAttention, _module: Any, _inputs: Any, output: Tensor) -> None:
        layer_outputs[layer.probe.site_id, layer.probe.layer] = output[0]

    layers = [m for m in trial.model.modules() if isinstance(m, MultiHeadAttention)]
    hooks = {layer.out_proj: partial(keep_output, layer) for layer in layers}
    with torch.inference_mode(), listening(hooks):
        trial.model(*trial.inputs)
    for projected in arithmetic.vectors_of(trial.reader, record):
        attention = record.of(projected.site_id)
        products = projected.queries @ projected.keys.swapaxes(-1, -2)
        products /= math.sqrt(projected.queries.shape[-1])
        if projected.relative is not None:
            products += projected.relative
        yield gap(products, attention.scores)
        contexts = attention.weights @ projected.values  # (L, H, T_q, d_k)
        for layer, context in enumerate(contexts):
            joined = np.concatenate(list(context), axis=-1)
            by_hand_output = joined @ projected.out_weight[layer].T + projected.out_bias[layer]
            yield gap(by_hand_output, layer_outputs[projected.site_id, layer])


def _positions(trial: Trial) -> Iterator[float]:
    """Compare embeddings plus positions with the input of the first layer.

    Positions that are not learned must equal the formula.
    """
    reader = trial.reader
    first_inputs = []
    first = getattr(trial.model, "embedding_norm", None) or trial.model.encoder_layers[0]
    hooks = {first: lambda _, inputs: first_inputs.append(inputs[0][0])}
    with torch.inference_mode(), listening({}, hooks):
        trial.model(*trial.inputs)
    table = word_order.position_table(reader)
    kept = values = table.values
    # The model's buffer keeps all sines before all cosines; `position_table` interleaves them.
    if table.layout in SINES[1:]:
        kept = np.concatenate((values[:, 0::2], values[:, 1::2]), axis=1)
    yield gap(first_inputs[0], word_order.embeddings(reader, trial.src) + kept[: len(trial.src)])
    if table.layout in SINES:
        yield gap(values, encoding_table(*values.shape, table.base, offset=table.offset))


def _learned_positions(trial: Trial) -> Iterator[float]:
    """Compare the vectors added at either side with the first rows of its table."""
    added_vectors: dict[str, Tensor] = {}

    def keep_added(side: str, _: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        added_to = inputs[0]
        added_vectors[side] = output - added_to if added_to.is_floating_point() else output

    hooks = {
        module: partial(keep_added, side)
        for side in ("source", "target")
        if (module := getattr(trial.model, f"{side}_positions"))
    }
    with torch.inference_mode(), listening(hooks):
        trial.model(*trial.inputs)
    tables = word_order.learned_positions(trial.reader)
    added = {side: rows.reshape(-1, rows.shape[-1]) for side, rows in added_vectors.items()}
    yield from (gap(added[side], tables[side][: len(added[side])]) for side in tables)


def _relative_positions(trial: Trial) -> Iterator[float]:
    """Compare the bias of an offset with score minus q.k / sqrt(d_k), in every layer."""
    record = trial.record()
    length = max(len(trial.src), trial.read.shape[1])
    tables = word_order.relative_positions(trial.reader, length)
    for vectors in arithmetic.vectors_of(trial.reader, record):
        products = vectors.queries @ vectors.keys.swapaxes(-1, -2)
        beyond = record.of(vectors.site_id).scores - products / math.sqrt(vectors.queries.shape[-1])
        if vectors.site_id in tables:
            offsets, bias = tables[vectors.site_id]
            for query, key in np.argwhere(record.of(vectors.site_id).allowed):
                at = int(np.flatnonzero(offsets == key - query)[0])
                yield gap(beyond[:, :, query, key], np.stack([bias[:, at]] * len(beyond)))


def _values(trial: Trial) -> Iterator[float]:
    """Compare the terms of a step with its scores, and its mixed values with the context."""
    reader = trial.reader
    tgt = trial.tgt
    plain = trial.log_probs()
    for position in range(len(tgt)):
        parts = step.step_values(reader, trial.src, tgt, position)
        yield gap(torch.tensor(parts.logits).log_softmax(-1), plain[position])
        if parts.terms is not None:
            yield gap(parts.terms.sum(-1), parts.scores)
        if parts.weights is not None and {"annotations", "context"} <= parts.values.keys():
            yield gap(parts.weights @ parts.values["annotations"], parts.values["context"])


def _order(trial: Trial) -> Iterator[float]:
    """Compare the vectors of tokens in two orders with the encoder's output.

    Without positions both orders must give the same vectors.
    """
    model = trial.model
    src = trial.src
    n = len(trial.src)
    backwards = tuple(reversed(range(n)))
    for positions in (True, False):
        vectors = word_order.reorder(trial.reader, src, backwards, positions=positions).vectors[
            :, -1
        ]
        yield 0.0 if positions else gap(*vectors)
        with torch.inference_mode(), nullcontext() if positions else nowhere(model):
            for states, permutation in zip(vectors, (range(n), backwards), strict=True):
                expected = model.encode(tensor_of(model, [src.ids[i] for i in permutation]))[0]
                yield gap(states[list(permutation)], expected)


def _block(trial: Trial) -> Iterator[float]:
    """Follow the residual stream by hand: input plus addition must give the next state.

    The last state must give the model's probabilities, loss and memory.
    """
    reader = trial.reader
    tgt = trial.tgt
    model = trial.model
    streams = block.streams_of(reader, trial.src, tgt)
    for stream in streams:
        following = stream.before + stream.added
        # LayerNorm by hand; a root mean square norm does not subtract the mean.
        if not stream.pre_norm:
            centred = following - (0 if stream.rms else following.mean(-1, keepdims=True))
            spread = np.sqrt((centred**2).mean(-1, keepdims=True) + stream.eps)
            following = centred / spread * stream.gains[:, None] + stream.biases[:, None]
        yield gap(stream.after, following)
        yield gap(stream.before[1:], stream.after[:-1])
    log_probs = trial.log_probs()
    of_written = log_probs[range(len(tgt)), list(tgt.ids)]
    by_stack = {stream.places[0].stack: stream for stream in streams}
    lens = block.lens_of(reader, by_stack["decoder"], tgt.ids)
    yield gap(lens.wanted_probs[-1], of_written.exp())
    yield gap(block.gradients_of(reader, trial.src, tgt).losses[0], -of_written.mean())
    with torch.inference_mode():
        last = torch.from_numpy(by_stack["encoder"].after[-1]).to(trial.inputs[0].device)
        norm = getattr(model, "encoder_norm", None)
        yield gap(last if norm is None else norm(last), model.encode(trial.inputs[0])[0])


def _tree_attention(trial: Trial) -> Iterator[float]:
    """Compare `gather_tree` with passes over each path alone."""
    yield from _trees(trial, tree.gather_tree)


_CLAIMS = (
    *(_search, teacher_forcing, _scores, _vectors, _positions, _learned_positions),
    *(_relative_positions, _values, documents, masked_words, _order, padding, _block),
    _tree_attention,
)
CLAIMS: dict[str, Claim] = {
    # `_learned_positions` is the claim "learned-positions": names of functions are those of
    # capabilities.
    **{claim.__name__.strip("_").replace("_", "-"): claim for claim in _CLAIMS},
    **CHANGES,
}
"""Difference of the quick and the slow way by capability; its message is ``check-<capability>``."""


# -- sums that figures show --------------------------------------------------------------------


def _to_one(sums: np.ndarray) -> float:
    """Return the gap between `sums` and one."""
    return gap(sums, np.ones_like(sums))


def _rows(trial: Trial) -> Iterator[float]:
    """Check that each row of weights sums to one and is 0 where a mask forbids attention."""
    maps = trial.record().maps
    forbidden = (
        gap(attention.weights * ~attention.allowed, 0 * attention.weights) for attention in maps
    )
    sums = (attention.weights.sum(-1) for attention in maps if attention.site.normalised)
    yield from (*forbidden, *map(_to_one, sums))


def _contributions(trial: Trial) -> Iterator[float]:
    """Compare the contributions of keys, residual and biases with the output of the layer."""
    yield from (at_site.error for at_site in contributions_of(trial.reader, trial.record()))


def _score_split(trial: Trial) -> Iterator[float]:
    """Compare the summed parts of each encoder score with the score."""
    layers = range(len(trial.model.encoder_layers))
    stream = block.streams_of(trial.reader, trial.src, trial.tgt)[0]
    splits = (split_scores(trial.reader, stream, trial.src, trial.tgt, layer) for layer in layers)
    yield from (
        gap(split.of(head).sum((0, 1)), scores)
        for split in splits
        for head, scores in enumerate(split.scores)
    )


def _source_share(trial: Trial) -> Iterator[float]:
    """Compare the shares of source and prefix of each token with one.

    They may sum to less if in some attention no vector brings the output nearer.
    """
    record = trial.record()
    total = share_of(trial.reader, record).total
    contributions = contributions_of(trial.reader, record)
    whole = all(_to_one(at_site.shares.sum(-1)) <= TOLERANCE for at_site in contributions)
    yield _to_one(total if whole else np.maximum(total, 1.0))


def _rollout(trial: Trial) -> Iterator[float]:
    """Check that the origins of each position of the top layer sum to one, the prefix included."""
    record = trial.record()
    for site in record.site_ids:
        if can_roll(record, site):
            origins = rollout(record, site)
            total = origins.attention.weights.sum((0, 1, 3))
            if origins.prefix is not None:
                total = total + origins.prefix.sum(-1)
            yield _to_one(total)


SUMS: dict[str, Claim] = {
    claim.__name__.strip("_").replace("_", "-"): claim
    for claim in (_rows, _contributions, _score_split, _source_share, _rollout)
}
"""Difference of sums that figures show from their expected value; the message is
``check-<name>``."""


def claims_of(reader: Any) -> dict[str, Claim]:
    """Return all claims and sums that can be checked on a reader, withdrawn claims included."""
    has = reader.capabilities
    sites = reader.sites
    fits = {
        "rows": bool(sites),
        "contributions": bool(sites) and all(site.has_values for site in sites),
        "score-split": has >= {*vars(split_scores)["needs"]},
        "source-share": has >= {*vars(share_of)["needs"]},
        "rollout": "rollout" in has,
    }
    claimed = reader.capabilities | reader.withdrawn.keys()
    claims = {name: CLAIMS[name] for name in CLAIMS if name in claimed}
    return claims | {name: claim for name, claim in SUMS.items() if fits[name]}
