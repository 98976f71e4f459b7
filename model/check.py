"""What a family claims of its models, held against a slower way to the same number.

    python -m model check en-de

`CAPABILITIES` sees that a model has the parts that a capability needs. Whether these do what a view
says of them, only numbers tell: here every claim is worked out once as the views do, and once in a
way that knows less and does more, by whole passes and by attention changed by hand.
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

from core.aggregate import rollout
from core.measurements import Proofs
from core.positions import SINES, encoding_table
from words import Message
from words.message import said_by

from .attention import AttentionProbe, MultiHeadAttention
from .capture import capture_attention, listening
from .experiments import arithmetic, block, order, step, tree
from .experiments.contributions import contributions_of
from .experiments.explain import site_across
from .experiments.share import share_of
from .experiments.why import why_of
from .read import tensor_of
from .trial import (
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
"""How far two ways to a number may be apart; of numbers above one, this share of the largest."""
MOST_NODES = 16
UNCOMPARED = frozenset({"rollout", "scene"})
"""What has no slower way: it tells the kind of the sites, which loading holds against a run."""
NUMBERED = frozenset({"vectors", "relative-positions", "values", "order", "block"})
"""What is false where it has no number at all."""


@dataclass(frozen=True)
class Checked:
    """What a claim came to."""

    capability: str  # or one of `SUMS`
    difference: float  # between the two ways, see `TOLERANCE`; infinite where one has no number
    seconds: float
    error: str = ""  # what a way ended in

    @property
    def holds(self) -> bool:
        return self.difference <= TOLERANCE

    @property
    def stored(self) -> float | None:
        """As a file keeps it."""
        return float(f"{self.difference:.2g}") if math.isfinite(self.difference) else None

    @property
    def claim(self) -> Message:
        """What must equal what."""
        return Message(f"check-{self.capability}")


def check(
    reader: Any,
    claims: Mapping[str, Claim] | None = None,
    progress: Callable[[float], None] = lambda _: None,
    *,
    texts: Sequence[str] = (),
) -> tuple[Checked, ...]:
    """Check some claims, or else all of the family of a reader, on `texts` or else `sentences`.

    `progress` is told how much of them is done, 0 to 1.
    """
    reader = copy(reader)
    reader.withdrawn = {}  # or what is false would be refused
    if claims is None:
        claims = {name: CLAIMS[name] for name in CLAIMS if name in reader.capabilities}
    trials: list[Trial] = []
    unread = ""
    try:
        trials += trials_of(reader, texts or sentences(reader))
    except Exception as raised:  # whatever a model of somebody else may raise
        unread = _raised("sentences", raised)
    results = []
    for done, (capability, claim) in enumerate(claims.items()):
        progress(done / len(claims))
        began, error, difference = time.perf_counter(), unread, math.inf
        try:
            if not unread:
                least = math.inf if capability in NUMBERED else 0.0
                difference = max(max(claim(trial), default=least) for trial in trials)
        except Exception as raised:  # as above
            error = _raised(capability, raised)
        results.append(Checked(capability, difference, time.perf_counter() - began, error))
    return tuple(results)


def _raised(what: str, error: Exception) -> str:
    """Words of an exception; where it was raised goes to the log, for who writes the model."""
    logging.getLogger(__name__).warning("the check of %s ended early", what, exc_info=error)
    return str(said_by(error))


_CHECKED: dict[Any, Proofs] = {}
_CHECKING = threading.Lock()


def proofs_of(reader: Any, family: Any) -> Proofs:
    """What `check` finds; worked out once for the weights, the config, the vocabulary and the
    family."""
    key = (reader.card.fingerprint, family.name, family.build, family.capabilities)
    with _CHECKING:
        if key not in _CHECKED:
            _CHECKED[key] = as_proofs(reader, check(reader), len(sentences(reader)))
        return _CHECKED[key]


def as_proofs(reader: Any, results: Sequence[Checked], n: int, command: str = "") -> Proofs:
    """What a check of `n` sentences found, as it is stored."""
    return Proofs(
        command=command,
        fingerprint=reader.card.fingerprint,
        when=date.today().isoformat(),
        claims={result.capability: result.stored for result in results},
        sentences=n,
    )


def false_claims(proofs: Proofs) -> dict[str, float]:
    """The capabilities whose claim does not hold, each with its difference."""
    apart = {name: math.inf if gap is None else gap for name, gap in proofs.claims.items()}
    return {name: gap for name, gap in apart.items() if not gap <= TOLERANCE}


def proof_messages(format: str, proofs: Proofs) -> tuple[Message, ...]:
    """What was proved of a model that was converted from a format, and what was not."""
    false = false_claims(proofs)
    largest = max((gap or 0 for name, gap in proofs.claims.items() if name not in false), default=0)
    numbers = {"claims": len(proofs.claims), "holding": len(proofs.claims) - len(false)}
    numbers |= {"sentences": proofs.sentences, "difference": f"{largest:.1g}"}
    messages = [Message.of("format-proof", format=format, **numbers)]
    if false:
        claims = tuple(Message(f"check-{name}") for name in false)
        messages.append(Message.of("format-unproved", claims=claims))
    return tuple(messages)


# -- the claims --------------------------------------------------------------------------------


def _search(trial: Trial) -> Iterator[float]:
    """Every hypothesis of a search read as a whole, and what the steps looked at on their way."""
    reader = trial.reader
    yield from _trees(trial, tree.walk_tree)
    for hypothesis in trial.tree.hypotheses():
        tgt = reader.tokenizer.decode(hypothesis.ids)
        yield gap(hypothesis.log_probs, reader.read_again(trial.src, tgt)[1])


@torch.inference_mode()
def _trees(trial: Trial, attend: Callable[..., Any]) -> Iterator[float]:
    """The rows behind each node of the tree, and those of its path read alone."""
    model, tree, src = trial.model, trial.tree, trial.reader.input_of(trial.src)
    itself = next((s for s in model.sites if s.query == s.key == "target"), None)
    cross, decoder, _ = attend(model, src, tree)
    for node in tree.nodes[1 : MOST_NODES + 1]:
        read = tensor_of(model, [earlier.token_id for earlier in tree.path(node.id)[:-1]])
        with capture_attention(model) as captured:
            model(src, read)
        for site, rows in ((site_across(model), cross), (itself, decoder)):
            if site is not None:
                alone = captured.weights(site.name)[0, :, :, -1]
                yield gap(rows[node.id][..., : alone.shape[-1]], alone)


def _scores(trial: Trial) -> Iterator[float]:
    """Scores through the softmax, each row of which sums to one, are the weights."""
    gaps: list[float] = []

    def hear(probe: AttentionProbe, weights: Tensor, scores: Any, mask: Any, first: int) -> Tensor:
        if scores is not None and probe.site.normalised:
            gaps.append(gap(weights, softmax_of(scores, may_see(weights, mask))))
            gaps.append(_to_one(weights.sum(-1)))
        return weights

    with torch.inference_mode(), by_hand(trial.model, hear):
        trial.model(*trial.inputs)
    yield from gaps


def _vectors(trial: Trial) -> Iterator[float]:
    """q.k / sqrt(d_k), with a bias of distances where there is one, are the scores; the weighted
    values through W_O what the layer gives."""
    record, given = trial.record(), {}

    def hear(layer: MultiHeadAttention, _module: Any, _inputs: Any, output: Tensor) -> None:
        given[layer.probe.kind, layer.probe.layer] = output[0]

    layers = [m for m in trial.model.modules() if isinstance(m, MultiHeadAttention)]
    hooks = {layer.out_proj: partial(hear, layer) for layer in layers}
    with torch.inference_mode(), listening(hooks):
        trial.model(*trial.inputs)
    for projected in arithmetic.vectors_of(trial.reader, record):
        attention = record.of(projected.kind)
        products = projected.queries @ projected.keys.swapaxes(-1, -2)
        products /= math.sqrt(projected.queries.shape[-1])
        if projected.relative is not None:
            products += projected.relative
        yield gap(products, attention.scores)
        contexts = attention.weights @ projected.values  # (L, H, T_q, d_k)
        for layer, context in enumerate(contexts):
            joined = np.concatenate(list(context), axis=-1)
            made = joined @ projected.out_weight[layer].T + projected.out_bias[layer]
            yield gap(made, given[projected.kind, layer])


def _positions(trial: Trial) -> Iterator[float]:
    """Embeddings and positions added are what goes in; positions that are not learned are the
    formula's."""
    reader, heard = trial.reader, []
    first = getattr(trial.model, "embedding_norm", None) or trial.model.encoder_layers[0]
    hooks = {first: lambda _, inputs: heard.append(inputs[0][0])}
    with torch.inference_mode(), listening({}, hooks):
        trial.model(*trial.inputs)
    table = order.position_table(reader)
    kept = values = table.values
    if table.kind in SINES[1:]:  # as the model keeps them, all sines first
        kept = np.concatenate((values[:, 0::2], values[:, 1::2]), axis=1)
    yield gap(heard[0], order.embeddings(reader, trial.src) + kept[: len(trial.src)])
    if table.kind in SINES:
        yield gap(values, encoding_table(*values.shape, table.base, offset=table.offset))


def _learned_positions(trial: Trial) -> Iterator[float]:
    """What is added at either side is the rows of its table, from the first on."""
    heard: dict[str, Tensor] = {}

    def hear(side: str, _: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        added_to = inputs[0]
        heard[side] = output - added_to if added_to.is_floating_point() else output

    hooks = {
        module: partial(hear, side)
        for side in ("source", "target")
        if (module := getattr(trial.model, f"{side}_positions"))
    }
    with torch.inference_mode(), listening(hooks):
        trial.model(*trial.inputs)
    tables = order.learned_positions(trial.reader)
    added = {side: rows.reshape(-1, rows.shape[-1]) for side, rows in heard.items()}
    yield from (gap(added[side], tables[side][: len(added[side])]) for side in tables)


def _relative_positions(trial: Trial) -> Iterator[float]:
    """The bias of an offset is what a score has beyond q.k / sqrt(d_k), in every layer."""
    record = trial.record()
    length = max(len(trial.src), trial.read.shape[1])
    tables = order.relative_positions(trial.reader, length)
    for vectors in arithmetic.vectors_of(trial.reader, record):
        products = vectors.queries @ vectors.keys.swapaxes(-1, -2)
        beyond = record.of(vectors.kind).scores - products / math.sqrt(vectors.queries.shape[-1])
        if vectors.kind in tables:
            offsets, bias = tables[vectors.kind]
            for query, key in np.argwhere(record.of(vectors.kind).allowed):
                at = int(np.flatnonzero(offsets == key - query)[0])
                yield gap(beyond[:, :, query, key], np.stack([bias[:, at]] * len(beyond)))


def _values(trial: Trial) -> Iterator[float]:
    """The numbers of a step: terms that sum to its scores, the context that its weights mix."""
    reader, tgt = trial.reader, trial.tgt
    plain = trial.log_probs()
    for position in range(len(tgt)):
        parts = step.step_values(reader, trial.src, tgt, position)
        yield gap(torch.tensor(parts.logits).log_softmax(-1), plain[position])
        if parts.terms is not None:
            yield gap(parts.terms.sum(-1), parts.scores)
        if parts.weights is not None and {"annotations", "context"} <= parts.values.keys():
            yield gap(parts.weights @ parts.values["annotations"], parts.values["context"])


def _order(trial: Trial) -> Iterator[float]:
    """The vectors of the tokens in their own order, and in another, as the encoder gives them;
    without positions they are the same in both."""
    model, src, n = trial.model, trial.src, len(trial.src)
    backwards = tuple(reversed(range(n)))
    for positions in (True, False):
        vectors = order.reorder(trial.reader, src, backwards, positions=positions).vectors[:, -1]
        yield 0.0 if positions else gap(*vectors)
        with torch.inference_mode(), nullcontext() if positions else nowhere(model):
            for given, permutation in zip(vectors, (range(n), backwards), strict=True):
                expected = model.encode(tensor_of(model, [src.ids[i] for i in permutation]))[0]
                yield gap(given[list(permutation)], expected)


def _block(trial: Trial) -> Iterator[float]:
    """What is added makes what goes on, to the very end, where the output layer says the rest."""
    reader, tgt, model = trial.reader, trial.tgt, trial.model
    streams = block.streams_of(reader, trial.src, tgt)
    for stream in streams:
        made = stream.before + stream.added
        if not stream.pre_norm:
            centred = made - (0 if stream.rms else made.mean(-1, keepdims=True))
            spread = np.sqrt((centred**2).mean(-1, keepdims=True) + stream.eps)
            made = centred / spread * stream.gains[:, None] + stream.biases[:, None]
        yield gap(stream.after, made)
        yield gap(stream.before[1:], stream.after[:-1])
    log_probs = trial.log_probs()
    of_written = log_probs[range(len(tgt)), list(tgt.ids)]
    by_stack = {stream.places[0].stack: stream for stream in streams}
    lens = block.lens_of(reader, by_stack["decoder"], tgt.ids)
    yield gap(lens.wanted_probs[-1], of_written.exp())
    yield gap(block.gradients_of(reader, trial.src, tgt).losses[0], -of_written.mean())
    with torch.inference_mode():
        last = torch.from_numpy(by_stack["encoder"].after[-1])
        norm = getattr(model, "encoder_norm", None)
        yield gap(last if norm is None else norm(last), model.encode(trial.inputs[0])[0])


def _tree_attention(trial: Trial) -> Iterator[float]:
    yield from _trees(trial, tree.gather_tree)


_CLAIMS = (
    *(_search, teacher_forcing, _scores, _vectors, _positions, _learned_positions),
    *(_relative_positions, _values, documents, masked_words, _order, padding, _block),
    _tree_attention,
)
CLAIMS: dict[str, Claim] = {
    **{claim.__name__.strip("_").replace("_", "-"): claim for claim in _CLAIMS},
    **CHANGES,
}
"""How far the quick way of each capability is from the slow one; ``check-<capability>`` says it."""


# -- what pictures show must add up ------------------------------------------------------------


def _to_one(sums: np.ndarray) -> float:
    return gap(sums, np.ones_like(sums))


def _rows(trial: Trial) -> Iterator[float]:
    """The weights of each row, which are 0 where a mask forbids a look."""
    maps = trial.record().maps
    forbidden = (gap(each.weights * ~each.allowed, 0 * each.weights) for each in maps)
    sums = (each.weights.sum(-1) for each in maps if each.site.normalised)
    yield from (*forbidden, *map(_to_one, sums))


def _contributions(trial: Trial) -> Iterator[float]:
    """What is owed to each key, the residual and the biases, with the output of the layer."""
    yield from (made.error for made in contributions_of(trial.reader, trial.record()))


def _score_split(trial: Trial) -> Iterator[float]:
    """The parts of each score of the encoder."""
    layers = range(len(trial.model.encoder_layers))
    splits = (why_of(trial.reader, trial.src, trial.tgt, layer) for layer in layers)
    yield from (
        gap(split.of(head).sum((0, 1)), scores)
        for split in splits
        for head, scores in enumerate(split.scores)
    )


def _source_share(trial: Trial) -> Iterator[float]:
    """The shares of source and prefix of each token, which are one unless in some attention no
    vector brings the output nearer."""
    record = trial.record()
    total, found = share_of(trial.reader, record).total, contributions_of(trial.reader, record)
    whole = all(_to_one(each.shares.sum(-1)) <= TOLERANCE for each in found)
    yield _to_one(total if whole else np.maximum(total, 1.0))


def _rollout(trial: Trial) -> Iterator[float]:
    """What each position of the top is owed to, the prefix among it."""
    record = trial.record()
    yield from (
        _to_one(
            found.attention.weights.sum((0, 1, 3))
            + (0 if found.prefix is None else found.prefix.sum(-1))
        )
        for found in (rollout(record, kind) for kind in record.kinds)
    )


SUMS: dict[str, Claim] = {
    claim.__name__.strip("_").replace("_", "-"): claim
    for claim in (_rows, _contributions, _score_split, _source_share, _rollout)
}
"""How far what pictures show beside the claims is from what it must equal; ``check-<name>`` says
it."""


def claims_of(reader: Any) -> dict[str, Claim]:
    """All that can be held against something of a reader, withdrawn claims among them."""
    has, sites = reader.capabilities, reader.sites
    fits = {
        "rows": bool(sites),
        "contributions": bool(sites) and all(site.has_values for site in sites),
        "score-split": has >= {*vars(why_of)["needs"]},
        "source-share": has >= {*vars(share_of)["needs"]},
        "rollout": "rollout" in has,
    }
    claimed = reader.capabilities | reader.withdrawn.keys()
    claims = {name: CLAIMS[name] for name in CLAIMS if name in claimed}
    return claims | {name: claim for name, claim in SUMS.items() if fits[name]}
