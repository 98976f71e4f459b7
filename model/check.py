"""What a family claims of its models, held against a slower way to the same number.

    python -m model check en-de

`CAPABILITIES` sees that a model has the parts that a capability needs. Whether these do what a view
says of them, only numbers tell: here every claim is worked out once as the views do, and once in a
way that knows less and does more, by whole passes and by attention changed by hand.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from dataclasses import astuple, dataclass
from datetime import date
from functools import cached_property, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.aggregate import rollout
from core.attention import AttentionRecord
from core.changes import (
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
from core.intervention import Intervention, hide, hiding_places
from core.knockout import Decision
from core.measurements import Proofs
from core.positions import SINES, encoding_table
from core.search import BeamTree, Decoding
from core.share import source_and_prefix
from core.tokens import TokenSequence
from words import Message
from words.packs import examples_in

from .attention import AttentionProbe, MultiHeadAttention
from .block import PositionalEncoding, RelativeBias, residuals_of
from .capture import capture_attention, listening, probes_of
from .experiments import arithmetic, block, order, step, trace, tree
from .experiments.contributions import contributions_of
from .experiments.explain import site_across
from .experiments.share import share_of
from .experiments.why import why_of
from .intervene import intervening
from .masked_words import maskable
from .read import forced_ids, read_ids, tensor_of
from .sources import TEXT

TOLERANCE = 1e-3
"""How far two ways to a number may be apart; of numbers above one, this share of the largest."""
MOST_TOKENS, MOST_WRITTEN, MOST_LINKS, MOST_NODES = 24, 6, 4, 16
SLOW, MOST_SLOW = frozenset({"trace"}), 2
"""What takes a run for every link of a sentence is held on the shortest few."""
UNCOMPARED = frozenset({"rollout", "scene"})
"""What has no slower way: it tells the kind of the sites, which loading holds against a run."""
Claim = Callable[["Trial"], float]
"""How far two ways to the numbers of a text are apart."""
Edit = Callable[[AttentionProbe, Tensor, Tensor | None, Tensor | None, int], Tensor]
"""Other weights for a call of a probe, from weights, scores, mask and the first query's row."""


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
    """Some claims, or else all of the family of a reader, on `texts` or else `sentences`, `SLOW`
    ones on the shortest `MOST_SLOW`; `progress` is told how much of them is done, 0 to 1."""
    reader = copy(reader)
    reader.withdrawn = {}  # or what is false would be refused
    if claims is None:
        claims = {name: CLAIMS[name] for name in CLAIMS if name in reader.capabilities}
    trials: list[Trial] = []
    unread = ""
    try:
        trials += _trials(reader, texts or sentences(reader))
    except Exception as raised:  # whatever a model of somebody else may raise
        unread = f"{type(raised).__name__}: {raised}"
    results, short = [], sorted(trials, key=lambda trial: len(trial.src))[:MOST_SLOW]
    for done, (capability, claim) in enumerate(claims.items()):
        progress(done / len(claims))
        began, error, difference = time.perf_counter(), unread, math.inf
        try:
            if not unread:
                held = short if capability in SLOW else trials
                difference = max(map(claim, held))
        except Exception as raised:  # as above
            error = f"{type(raised).__name__}: {raised}"
        results.append(Checked(capability, difference, time.perf_counter() - began, error))
    return tuple(results)


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


# -- what is read ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """A text as a reader reads it, and what its model writes for it, where it writes."""

    reader: Any
    text: str
    src: Any
    tgt: Any  # a `TokenSequence`, None where it writes nothing

    @cached_property
    def tree(self) -> BeamTree:
        """A small search."""
        return self.reader.search(self.text, Decoding(beam_size=2, max_len=MOST_WRITTEN))

    @property
    def model(self) -> Any:
        return self.reader.model

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What the model is called with."""
        source = self.reader.input_of(self.src)
        return (source,) if self.tgt is None else (source, self.read)

    @property
    def read(self) -> Tensor:
        """What the decoder reads while it writes `tgt`: ids (1, T_tgt)."""
        return tensor_of(self.model, read_ids(self.model.config, self.tgt.ids))

    @torch.inference_mode()
    def record(self) -> AttentionRecord:
        """Attention of a plain pass, with its scores."""
        if self.tgt is None:
            return AttentionRecord(self.src, None, self.reader._maps_of(self.src))
        return self.reader.read_again(self.src, self.tgt, scores=True)[0]

    @torch.inference_mode()
    def log_probs(self) -> Tensor:
        """What a plain pass says after each token it reads: (T, V)."""
        return self.model(*self.inputs)[0].log_softmax(-1)


def sentences(reader: Any, n: int = 0) -> tuple[str, ...]:
    """`n` short texts to read, as far as there are so many, the least that will do where it is 0:
    its own example, words of its vocabulary, then more of both and examples of its language."""
    tokenizer, examples = reader.tokenizers.get("source"), reader.card.examples
    words = tokenizer.specimens(max(n, 1)) if tokenizer and reader.family.reads is TEXT else ()
    first = (*examples[:1], *(words[:1] or (reader.least,)))
    known = (e.text for e in examples_in(reader.card.languages[0])) if words else ()
    texts = dict.fromkeys((*first, *examples[1:], *known, *words[1:]) if n else first)
    own = {*words, reader.least}
    short = (t for t in texts if t in own or len(reader.tokenize(t)) <= MOST_TOKENS)
    return tuple(short)[: n or None]


def _trials(reader: Any, texts: Sequence[str]) -> Iterator[Trial]:
    for text in texts:
        src = reader.tokenize(text)
        if not reader.writes:
            yield Trial(reader, text, src, None)
        else:
            yield Trial(reader, text, src, reader.tokenizer.decode(_written(reader, src)))


@torch.inference_mode()
def _written(reader: Any, src: Any) -> list[int]:
    """The likeliest tokens one after another, each from a whole pass."""
    model, source, ids = reader.model, reader.input_of(src), list(forced_ids(reader.model.config))
    while len(ids) < MOST_WRITTEN and reader.eos_id not in ids:
        read = tensor_of(model, (model.config.bos_id, *ids))
        ids.append(int(model(source, read)[0, -1].argmax()))
    return ids


def _gap(actual: Any, expected: Any) -> float:
    """The largest difference, as a share of the largest expected number where that is above one."""
    actual, expected = (
        np.asarray(x.detach().float().cpu() if isinstance(x, Tensor) else x, dtype=np.float64)
        for x in (actual, expected)
    )
    if actual.shape != expected.shape:
        raise ValueError(f"shape {actual.shape}, expected {expected.shape}")
    if not actual.size:
        return 0.0
    same = actual == expected  # minus infinity among them
    apart = np.abs(np.where(same, 0.0, actual) - np.where(same, 0.0, expected)).max()
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    return math.inf if np.isnan(apart) else float(apart / largest)


def _most(gaps: Iterator[float]) -> float:
    return max(gaps, default=0.0)


# -- attention changed by hand -----------------------------------------------------------------


@contextmanager
def _by_hand(model: nn.Module, edit: Edit) -> Iterator[None]:
    calls: Counter[nn.Module] = Counter()

    def change(probe: Any, inputs: tuple[Any, ...], weights: Tensor) -> Tensor:
        first = calls[probe] if probe.one_call == "step" else 0
        calls[probe] += 1
        return edit(probe, weights.clone(), *inputs[1:3], first)

    with listening(dict.fromkeys(probes_of(model), change)):
        yield


def _seen(weights: Tensor, mask: Tensor | None) -> Tensor:
    return torch.ones_like(weights, dtype=torch.bool) if mask is None else mask.expand_as(weights)


def _softmax(scores: Tensor, seen: Tensor) -> Tensor:
    return scores.masked_fill(~seen, -math.inf).softmax(-1).nan_to_num(0.0)


def _shut(weights: Tensor, scores: Tensor | None, mask: Tensor | None, shut: Tensor) -> Tensor:
    """The weights with cells shut before the softmax; what it is multiplied by stays."""
    if scores is None:
        rest = weights.masked_fill(shut, 0.0)
        return rest / rest.sum(-1, keepdim=True) * weights.sum(-1, keepdim=True)
    seen = _seen(weights, mask)
    own = _softmax(scores, seen)
    return _softmax(scores, seen & ~shut) * torch.where(own > 0, weights / own, 0.0)


def _cells(like: Tensor, *index: int | slice) -> Tensor:
    """bool (B, H, T_q, T_k), True at a place of every item."""
    cells = torch.zeros_like(like, dtype=torch.bool)
    cells[(slice(None), *index)] = True
    return cells


def _within(site: str, layer: int, change: Callable[..., Tensor]) -> Edit:
    """An edit of the calls of one layer alone: `change` gets all that an `Edit` gets but the
    probe."""

    def edit(probe: AttentionProbe, weights: Tensor, *others: Any) -> Tensor:
        here = (probe.kind, probe.layer) == (site, layer)
        return change(weights, *others) if here else weights

    return edit


def _shutting(site: str, layer: int, head: int, query: int, key: int) -> Edit:
    def change(weights: Tensor, scores: Any, mask: Any, first: int) -> Tensor:
        if not 0 <= query - first < weights.shape[2]:
            return weights
        return _shut(weights, scores, mask, _cells(weights, head, query - first, key))

    return _within(site, layer, change)


def _silencing(site: str, layer: int, head: int) -> Edit:
    def change(weights: Tensor, *_: Any) -> Tensor:
        weights[:, head] = 0.0
        return weights

    return _within(site, layer, change)


def _changed(trial: Trial, change: Intervention, by_hand: Any, *, steps: bool = True) -> float:
    """How far a change is from the same by hand, in a whole pass and step by step. `by_hand` holds
    the log-probabilities that must come of it, or opens the model that gives them."""
    model, (src, read) = trial.model, trial.inputs
    with torch.inference_mode():
        expected = by_hand
        if not isinstance(by_hand, Tensor):
            with by_hand:
                expected = trial.log_probs()
        with intervening(model, change, n_src=len(trial.src), n_tgt=read.shape[1]) as changed:
            whole = changed(src, read)[0].log_softmax(-1)
            walked = _walked(changed, src, read) if steps else whole
    return max(_gap(whole, expected), _gap(walked, expected))


def _walked(model: Any, src: Any, read: Tensor) -> Tensor:
    """What a search would be told after each token read: (T, V)."""
    state, rows = model.start(src), []
    for prev in read.unbind(dim=1):
        log_probs, state = model.step(state, prev)
        rows.append(log_probs[0])
    return torch.stack(rows)


# -- the claims --------------------------------------------------------------------------------


def _search(trial: Trial) -> float:
    """Every hypothesis of a search read as a whole, and what the steps looked at on their way."""
    reader = trial.reader
    gaps = [_trees(trial, tree.walk_tree)]
    for hypothesis in trial.tree.hypotheses():
        tgt = reader.tokenizer.decode(hypothesis.ids)
        gaps.append(_gap(hypothesis.log_probs, reader.read_again(trial.src, tgt)[1]))
    return max(gaps)


@torch.inference_mode()
def _trees(trial: Trial, attend: Callable[..., Any]) -> float:
    """The rows behind each node of the tree, and those of its path read alone."""
    model, tree, src = trial.model, trial.tree, trial.reader.input_of(trial.src)
    itself = next((s for s in model.sites if s.query == s.key == "target"), None)
    cross, decoder, _ = attend(model, src, tree)
    gaps = []
    for node in tree.nodes[1 : MOST_NODES + 1]:
        read = tensor_of(model, [earlier.token_id for earlier in tree.path(node.id)[:-1]])
        with capture_attention(model) as captured:
            model(src, read)
        for site, rows in ((site_across(model), cross), (itself, decoder)):
            if site is not None:
                alone = captured.weights(site.name)[0, :, :, -1]
                gaps.append(_gap(rows[node.id][..., : alone.shape[-1]], alone))
    return max(gaps, default=0.0)


@torch.inference_mode()
def _teacher_forcing(trial: Trial) -> float:
    """What is said after a token does not hang on those after it."""
    src, read = trial.inputs
    whole = trial.log_probs()
    return _most(
        _gap(trial.model(src, read[:, :n])[0, -1].log_softmax(-1), whole[n - 1])
        for n in range(1, read.shape[1] + 1)
    )


def _scores(trial: Trial) -> float:
    """Scores through the softmax, each row of which sums to one, are the weights."""
    gaps = []

    def hear(probe: AttentionProbe, weights: Tensor, scores: Any, mask: Any, first: int) -> Tensor:
        if scores is not None and probe.site.normalised:
            gaps.append(_gap(weights, _softmax(scores, _seen(weights, mask))))
            gaps.append(_gap(weights.sum(-1), torch.ones_like(weights[..., 0])))
        return weights

    with torch.inference_mode(), _by_hand(trial.model, hear):
        trial.model(*trial.inputs)
    return max(gaps, default=0.0)


def _vectors(trial: Trial) -> float:
    """q.k / sqrt(d_k), with a bias of distances where there is one, are the scores; the weighted
    values through W_O what the layer gives."""
    record, given = trial.record(), {}

    def hear(layer: MultiHeadAttention, _module: Any, _inputs: Any, output: Tensor) -> None:
        given[layer.probe.kind, layer.probe.layer] = output[0]

    layers = [m for m in trial.model.modules() if isinstance(m, MultiHeadAttention)]
    hooks = {layer.out_proj: partial(hear, layer) for layer in layers}
    with torch.inference_mode(), listening(hooks):
        trial.model(*trial.inputs)
    gaps = []
    for projected in arithmetic.vectors_of(trial.reader, record):
        attention = record.of(projected.kind)
        products = projected.queries @ projected.keys.swapaxes(-1, -2)
        products /= math.sqrt(projected.queries.shape[-1])
        if projected.relative is not None:
            products += projected.relative
        gaps.append(_gap(products, attention.scores))
        contexts = attention.weights @ projected.values  # (L, H, T_q, d_k)
        for layer, context in enumerate(contexts):
            joined = np.concatenate(list(context), axis=-1)
            made = joined @ projected.out_weight[layer].T + projected.out_bias[layer]
            gaps.append(_gap(made, given[projected.kind, layer]))
    return max(gaps)


def _positions(trial: Trial) -> float:
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
    gap = _gap(heard[0], order.embeddings(reader, trial.src) + kept[: len(trial.src)])
    if table.kind not in SINES:
        return gap
    return max(gap, _gap(values, encoding_table(*values.shape, table.base, offset=table.offset)))


def _learned_positions(trial: Trial) -> float:
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
    return _most(_gap(added[side], tables[side][: len(added[side])]) for side in tables)


def _relative_positions(trial: Trial) -> float:
    """The bias of an offset is what a score has beyond q.k / sqrt(d_k), in every layer."""
    record = trial.record()
    length = max(len(trial.src), trial.read.shape[1])
    tables, gaps = order.relative_positions(trial.reader, length), []
    for vectors in arithmetic.vectors_of(trial.reader, record):
        products = vectors.queries @ vectors.keys.swapaxes(-1, -2)
        beyond = record.of(vectors.kind).scores - products / math.sqrt(vectors.queries.shape[-1])
        if vectors.kind in tables:
            offsets, bias = tables[vectors.kind]
            for query, key in np.argwhere(record.of(vectors.kind).allowed):
                at = int(np.flatnonzero(offsets == key - query)[0])
                gaps.append(_gap(beyond[:, :, query, key], np.stack([bias[:, at]] * len(beyond))))
    return max(gaps)


def _values(trial: Trial) -> float:
    """The numbers of a step: terms that sum to its scores, the context that its weights mix."""
    reader, tgt = trial.reader, trial.tgt
    plain, gaps = trial.log_probs(), []
    for position in range(len(tgt)):
        parts = step.step_values(reader, trial.src, tgt, position)
        gaps.append(_gap(torch.tensor(parts.logits).log_softmax(-1), plain[position]))
        if parts.terms is not None:
            gaps.append(_gap(parts.terms.sum(-1), parts.scores))
        if parts.weights is not None and {"annotations", "context"} <= parts.values.keys():
            gaps.append(_gap(parts.weights @ parts.values["annotations"], parts.values["context"]))
    return max(gaps)


def _documents(trial: Trial) -> float:
    """A document judged in a batch of sentence vectors, and as the model is called."""
    reader = trial.reader
    rows = [torch.tensor(sentence.ids) for sentence in trial.src.sentences]
    vectors = reader._vectors([row.to(reader._device) for row in rows])
    return _gap(reader._probs(vectors[None])[0], np.exp(reader.judge(trial.src).log_probs))


@torch.inference_mode()
def _masked_words(trial: Trial) -> float:
    """A masked piece is not read, and from the left nothing after a place is."""
    reader, src = trial.reader, trial.src
    positions = maskable(src)
    another = TokenSequence(src.text, (*src.ids[:-1], src.ids[0]), src.tokens, src.offsets)
    other, gaps = dict(zip(positions, reversed(positions), strict=True)), []
    for position in positions:
        hidden = reader.masked(src, (position,))
        ids = [src.ids[other[p]] if p == position else i for p, i in enumerate(src.ids)]
        changed = TokenSequence(src.text, tuple(ids), src.tokens, src.offsets)
        again = reader.masked(changed, (position,))
        gaps.append(_gap(reader._log_probs(again, False), reader._log_probs(hidden, False)))
    left = [reader._log_probs(sequence, True)[:-1] for sequence in (src, another)]
    return max(*gaps, _gap(*left))


def _trace(trial: Trial) -> float:
    """The strongest links and some others, each cut in a whole run of its own."""
    tgt, model = trial.tgt, trial.model
    plain = trial.log_probs()
    row = len(tgt) - 1
    token = tgt.ids[row]
    rival = next(int(i) for i in plain[row].topk(2).indices if int(i) != token)
    traced = trace.trace_decision(trial.reader, trial.src, tgt, Decision(row, token, "", rival, ""))

    def odds() -> float:
        with torch.inference_mode():
            logits = model(*trial.inputs)[0, row]
        return float(logits[token] - logits[rival])

    whole, gaps = odds(), []
    for site, changes in traced.changes.items():
        links = np.argwhere(np.isfinite(changes))
        strongest = np.argsort(-np.abs(changes[tuple(links.T)]), kind="stable")
        others = strongest[:: max(1, len(strongest) // MOST_LINKS)]
        some = (*strongest[:MOST_LINKS], *others)
        for link in (tuple(map(int, links[index])) for index in dict.fromkeys(some)):
            with _by_hand(model, _shutting(site, *link)):
                gaps.append(_gap(changes[link], odds() - whole))
        heads = list(np.ndindex(traced.head_changes[site].shape))
        for layer, head in heads[:: max(1, len(heads) // MOST_LINKS)]:
            with _by_hand(model, _silencing(site, layer, head)):
                gaps.append(_gap(traced.head_changes[site][layer, head], odds() - whole))
    return max(gaps)


def _order(trial: Trial) -> float:
    """The vectors of the tokens in their own order, and in another, as the encoder gives them;
    without positions they are the same in both."""
    model, src, n = trial.model, trial.src, len(trial.src)
    backwards = tuple(reversed(range(n)))
    gaps = []
    for positions in (True, False):
        vectors = order.reorder(trial.reader, src, backwards, positions=positions).vectors[:, -1]
        gaps.append(0.0 if positions else _gap(*vectors))
        with torch.inference_mode(), nullcontext() if positions else _nowhere(model):
            for given, permutation in zip(vectors, (range(n), backwards), strict=True):
                expected = model.encode(tensor_of(model, [src.ids[i] for i in permutation]))[0]
                gaps.append(_gap(given[list(permutation)], expected))
    return max(gaps)


@torch.inference_mode()
def _padding(trial: Trial) -> float:
    """A sentence with padding at its end, and alone."""
    model, (src, read) = trial.model, trial.inputs
    room = min(model.config.max_len - max(src.shape[1], read.shape[1]), 3)
    pad = torch.full((1, max(room, 0)), model.config.pad_id, device=src.device)
    longer = (torch.cat((src, pad), dim=1), torch.cat((read, pad), dim=1))
    padded = model(*longer)[0, : read.shape[1]].log_softmax(-1)
    by_parts = model.decode(read, model.encode(longer[0], model.source_padding(longer[0])),
                            model.source_padding(longer[0]))[0].log_softmax(-1)  # fmt: skip
    return max(_gap(padded, trial.log_probs()), _gap(by_parts, trial.log_probs()))


def _block(trial: Trial) -> float:
    """What is added makes what goes on, to the very end, where the output layer says the rest."""
    reader, tgt, model = trial.reader, trial.tgt, trial.model
    streams, gaps = block.streams_of(reader, trial.src, tgt), []
    for stream in streams:
        made = stream.before + stream.added
        if not stream.pre_norm:
            centred = made - (0 if stream.rms else made.mean(-1, keepdims=True))
            spread = np.sqrt((centred**2).mean(-1, keepdims=True) + stream.eps)
            made = centred / spread * stream.gains[:, None] + stream.biases[:, None]
        gaps.append(_gap(stream.after, made))
        gaps.append(_gap(stream.before[1:], stream.after[:-1]))
    log_probs = trial.log_probs()
    of_written = log_probs[range(len(tgt)), list(tgt.ids)]
    by_stack = {stream.places[0].stack: stream for stream in streams}
    lens = block.lens_of(reader, by_stack["decoder"], tgt.ids)
    gaps.append(_gap(lens.wanted_probs[-1], of_written.exp()))
    gaps.append(_gap(block.gradients_of(reader, trial.src, tgt).losses[0], -of_written.mean()))
    with torch.inference_mode():
        last = torch.from_numpy(by_stack["encoder"].after[-1])
        norm = getattr(model, "encoder_norm", None)
        gaps.append(_gap(last if norm is None else norm(last), model.encode(trial.inputs[0])[0]))
    return max(gaps)


def _feed_forward(trial: Trial) -> float:
    """Units times what each adds, summed; and what a unit says where it comes on top of a state."""
    reader, tgt, model = trial.reader, trial.tgt, trial.model
    streams = {
        stream.places[0].stack: stream for stream in block.streams_of(reader, trial.src, tgt)
    }
    gaps = []
    for units in block.units_of(reader, trial.src, tgt):
        stream = streams[units.stack]
        for layer, fired in enumerate(units.activations):
            outer = getattr(model, f"{units.stack}_layers")[layer].feed_forward.outer
            weight, bias = (x.detach().float().cpu().numpy() for x in (outer.weight, outer.bias))
            added = next(
                made
                for sublayer, made in zip(stream.places, stream.added, strict=True)
                if (sublayer.layer, sublayer.name) == (layer, "feed_forward")
            )
            gaps.append(_gap(fired @ weight.T + bias, added))
    with torch.inference_mode():
        outer = model.decoder_layers[-1].feed_forward.outer
        columns = outer.weight.T[:4]
        state = torch.linspace(-1, 1, columns.shape[1], device=columns.device)
        rises = model.logits(state + columns) - model.logits(state)
        gaps.append(_gap(block.rises_of(model, columns), rises))
    return max(gaps)


def _changes(trial: Trial) -> float:
    """A run in which nothing is changed."""
    return _changed(trial, Intervention(), trial.log_probs())


def _change_hide(trial: Trial) -> float:
    def gap(where: str) -> float:
        change = hide(0, where=where)
        sites = {hidden.kind for hidden in change.of(HiddenToken)}

        def edit(probe: AttentionProbe, weights: Tensor, scores: Any, mask: Any, _: int) -> Tensor:
            shut = _cells(weights, slice(None), slice(None), 0)
            return _shut(weights, scores, mask, shut) if probe.kind in sites else weights

        return _changed(trial, change, _by_hand(trial.model, edit))

    return _most(map(gap, hiding_places(trial.reader.sites, {"change-hide"})))


@torch.inference_mode()
def _change_unread(trial: Trial) -> float:
    """Whatever token is passed over changes nothing; without a window, it is as if not there."""
    model, (src, read) = trial.model, trial.inputs
    change = Intervention(UnreadToken(0))
    other = src.clone()
    other[0, 0] = (src[0, 0] + 1) % model.config.vocab_size
    if int(other[0, 0]) == model.config.pad_id:
        other[0, 0] = model.config.eos_id
    with intervening(model, change, n_src=src.shape[1], n_tgt=read.shape[1]) as changed:
        gaps = [_gap(changed(other, read), changed(src, read))]
    if not any(site.window for site in model.sites):
        without = model(src[:, 1:], read)[0].log_softmax(-1)
        gaps.append(_changed(trial, change, without))
    return max(gaps)


def _links(trial: Trial) -> Iterator[tuple[str, int, int, int, int]]:
    """Of each site the heaviest cell of a row that looks at more than one key."""
    for attention in trial.record().maps:
        weights = attention.weights[-1, -1]
        rows = np.nonzero((weights > 0).sum(-1) > 1)[0]
        if len(rows):
            row = int(rows[0])
            layer, head = (n - 1 for n in attention.weights.shape[:2])
            yield attention.kind, layer, head, row, int(weights[row].argmax())


def _change_mask(trial: Trial) -> float:
    return _most(
        _changed(trial, Intervention(MaskedCell(*link)), _by_hand(trial.model, _shutting(*link)))
        for link in _links(trial)
    )


def _change_ablate(trial: Trial) -> float:
    def even(site: str, layer: int, head: int) -> Edit:
        def change(weights: Tensor, _scores: Any, mask: Any, _first: int) -> Tensor:
            seen = _seen(weights, mask).float()
            weights[:, head] = (seen / seen.sum(-1, keepdim=True))[:, head]
            return weights

        return _within(site, layer, change)

    ways: dict[Any, Callable[..., Edit]] = {"zero": _silencing, "uniform": even}
    return _most(
        _changed(
            trial,
            Intervention(AblatedHead(*head, ablation)),
            _by_hand(trial.model, way(*head)),
        )
        for *head, _, _ in _links(trial)
        for ablation, way in ways.items()
    )


def _change_row(trial: Trial) -> float:
    def given(site: str, layer: int, head: int, row: int, key: int) -> Edit:
        def change(weights: Tensor, _scores: Any, _mask: Any, first: int) -> Tensor:
            if 0 <= row - first < weights.shape[2]:
                weights[:, head, row - first] = 0.0
                weights[:, head, row - first, key] = 1.0
            return weights

        return _within(site, layer, change)

    return _most(
        _changed(
            trial,
            Intervention(OverriddenRow(*row, (*(0.0,) * key, 1.0))),
            _by_hand(trial.model, given(*row, key)),
        )
        for *row, key in _links(trial)
    )


def _change_positions(trial: Trial) -> float:
    """Shifted by 0 is as it is, and without them nothing is added: not to the embeddings, nor to
    the scores, so that what is read backwards is the same to the target."""
    sides = ("source", "target")
    still = Intervention(*(Positions("shifted", side=side) for side in sides))
    absent = Intervention(*(Positions("absent", side=side) for side in sides))
    gaps = [_changed(trial, still, trial.log_probs())]
    gaps.append(_changed(trial, absent, _nowhere(trial.model)))
    (src, read), sizes = trial.inputs, {"n_src": len(trial.src), "n_tgt": trial.read.shape[1]}
    with torch.inference_mode(), intervening(trial.model, absent, **sizes) as changed:
        gaps.append(_gap(changed(src.flip(1), read), changed(src, read)))
    return max(gaps)


def _nowhere(model: Any) -> AbstractContextManager[None]:
    """The model without positions, added to its embeddings or to its scores."""
    modules = [part for part in model.modules() if isinstance(part, PositionalEncoding)]
    relative = [part for part in model.modules() if isinstance(part, RelativeBias)]
    hooks = dict.fromkeys((model.positions, *modules), lambda _, inputs, __: inputs[0])
    return listening(hooks | dict.fromkeys(relative, lambda _, __, bias: 0 * bias))


def _change_causal(trial: Trial) -> float:
    def gap(site: str) -> float:
        def edit(probe: AttentionProbe, weights: Tensor, scores: Any, _mask: Any, _: int) -> Tensor:
            return scores.softmax(-1) if probe.kind == site else weights

        lifted = Intervention(LiftedMask(site))
        return _changed(trial, lifted, _by_hand(trial.model, edit), steps=False)

    return _most(gap(site.name) for site in trial.reader.sites if site.causal)


def _change_residual(trial: Trial) -> float:
    def alone(module: Any, inputs: Any, _: Tensor) -> Tensor:
        return inputs[1] if module.pre_norm else module.norm(inputs[1])

    return _most(
        _changed(
            trial,
            Intervention(NoResidual(*astuple(residual.place))),
            listening({residual: alone}),
        )
        for residual in _first_sublayers(trial.model)
    )


def _change_norm(trial: Trial) -> float:
    def bare(module: Any, inputs: Any, output: Tensor) -> Tensor:
        return output if module.pre_norm else inputs[0] + inputs[1]

    def through(_: Any, inputs: Any, __: Tensor) -> Tensor:
        return inputs[0]

    return _most(
        _changed(
            trial,
            Intervention(NoNorm(*astuple(residual.place))),
            listening({residual.norm: through} if residual.pre_norm else {residual: bare}),
        )
        for residual in _first_sublayers(trial.model)
    )


def _first_sublayers(model: nn.Module) -> Sequence[Any]:
    """Of each kind of sub-layer of each stack the connection of the first."""
    firsts: dict[tuple[str, str], Any] = {}
    for residual in residuals_of(model):
        firsts.setdefault((residual.place.stack, residual.place.name), residual)
    return tuple(firsts.values())


CLAIMS: dict[str, Claim] = {
    "search": _search,
    "teacher-forcing": _teacher_forcing,
    "scores": _scores,
    "vectors": _vectors,
    "positions": _positions,
    "learned-positions": _learned_positions,
    "relative-positions": _relative_positions,
    "values": _values,
    "documents": _documents,
    "masked-words": _masked_words,
    "trace": _trace,
    "order": _order,
    "padding": _padding,
    "block": _block,
    "feed-forward": _feed_forward,
    "tree-attention": partial(_trees, attend=tree.gather_tree),
    "changes": _changes,
    "change-hide": _change_hide,
    "change-unread": _change_unread,
    "change-mask": _change_mask,
    "change-ablate": _change_ablate,
    "change-row": _change_row,
    "change-positions": _change_positions,
    "change-causal": _change_causal,
    "change-residual": _change_residual,
    "change-norm": _change_norm,
}
"""How far the quick way of each capability is from the slow one; ``check-<capability>`` says it."""


# -- what pictures show must add up ------------------------------------------------------------


def _to_one(sums: np.ndarray) -> float:
    return _gap(sums, np.ones_like(sums))


def _rows(trial: Trial) -> float:
    """The weights of each row, which are 0 where a mask forbids a look."""
    maps = trial.record().maps
    forbidden = _most(_gap(each.weights * ~each.allowed, 0 * each.weights) for each in maps)
    sums = (each.weights.sum(-1) for each in maps if each.site.normalised)
    return max(forbidden, _most(map(_to_one, sums)))


def _contributions(trial: Trial) -> float:
    """What is owed to each key, the residual and the biases, with the output of the layer."""
    return _most(made.error for made in contributions_of(trial.reader, trial.record()))


def _score_split(trial: Trial) -> float:
    """The parts of each score of the encoder."""
    layers = range(len(trial.model.encoder_layers))
    splits = (why_of(trial.reader, trial.src, trial.tgt, layer) for layer in layers)
    return _most(
        _gap(split.of(head).sum((0, 1)), scores)
        for split in splits
        for head, scores in enumerate(split.scores)
    )


def _source_share(trial: Trial) -> float:
    """The shares of source and prefix of each token, which are one unless in some attention no
    vector brings the output nearer."""
    found = contributions_of(trial.reader, trial.record())
    total = source_and_prefix(found).total
    whole = all(_to_one(each.shares.sum(-1)) <= TOLERANCE for each in found)
    return _to_one(total if whole else np.maximum(total, 1.0))


def _rollout(trial: Trial) -> float:
    """What each position of the top is owed to, the prefix among it."""
    record = trial.record()
    return _most(
        _to_one(
            found.attention.weights.sum((0, 1, 3))
            + (0 if found.prefix is None else found.prefix.sum(-1))
        )
        for found in (rollout(record, kind) for kind in record.kinds)
    )


SUMS: dict[str, Claim] = {
    "rows": _rows,
    "contributions": _contributions,
    "score-split": _score_split,
    "source-share": _source_share,
    "rollout": _rollout,
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
