"""Slow reference implementations of all interventions, to verify the fast ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.interventions.intervention import Intervention, hide, hiding_places
from core.interventions.kinds import (
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
from core.records.attention import AttentionRecord
from core.records.search import BeamTree, Decoding
from core.records.sources import TokenSequence
from words.packs import examples_in

from ..hooks.capture import listening, probes_of
from ..hooks.interventions import intervening
from ..nets.attention import AttentionProbe
from ..nets.sublayers import PositionalEncoding, RelativeBias, residuals_of
from ..sources import TEXT
from ..teacher_forcing import forced_ids, read_ids, tensor_of

MOST_TOKENS = 24
MOST_WRITTEN = 6
Claim = Callable[["Trial"], Iterator[float]]
"""Yields the gaps between two ways to the numbers of a text."""
Edit = Callable[[AttentionProbe, Tensor, Tensor | None, Tensor | None, int], Tensor]
"""Replaces the weights of a probe's call, given weights, scores, mask and the first query's row."""


@dataclass(frozen=True)
class Trial:
    """Text as a reader parses it, and its model's output if it writes."""

    reader: Any
    text: str
    src: Any
    tgt: Any  # a `TokenSequence`, None for a model that writes nothing

    @cached_property
    def tree(self) -> BeamTree:
        """Small beam search for the text."""
        return self.reader.search(self.text, Decoding(beam_size=2, max_len=MOST_WRITTEN))

    @property
    def model(self) -> Any:
        """Model of the reader."""
        return self.reader.model

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Arguments of a teacher-forced call of the model."""
        source = self.reader.input_of(self.src)
        return (source,) if self.tgt is None else (source, self.read)

    @property
    def read(self) -> Tensor:
        """Decoder input that produces `tgt`: ids (1, T_tgt)."""
        return tensor_of(self.model, read_ids(self.model.config, self.tgt.ids))

    @torch.inference_mode()
    def record(self) -> AttentionRecord:
        """Record the attention and scores of an unchanged pass."""
        if self.tgt is None:
            return AttentionRecord(self.src, None, self.reader.attention_maps(self.src))
        return self.reader.teacher_force(self.src, self.tgt, scores=True)[0]

    @torch.inference_mode()
    def log_probs(self) -> Tensor:
        """Return log-probabilities (T, V) of an unchanged pass."""
        return self.model(*self.inputs)[0].log_softmax(-1)


def sentences(reader: Any, n: int = 0) -> tuple[str, ...]:
    """Return up to `n` short texts to read, or one or two if `n` is 0.

    They are the model's own example, words of its vocabulary, then more of both and examples of its
    language.
    """
    tokenizer = reader.tokenizers.get("source")
    examples = reader.card.examples
    words = tokenizer.specimens(max(n, 1)) if tokenizer and reader.family.reads is TEXT else ()
    first = (*examples[:1], *(words[:1] or (reader.least,)))
    of_language = (e.text for e in examples_in(reader.card.languages[0])) if words else ()
    texts = dict.fromkeys((*first, *examples[1:], *of_language, *words[1:]) if n else first)
    always_short = {*words, reader.least}
    # Claims are checked cell by cell, so long examples are skipped.
    short = (t for t in texts if t in always_short or len(reader.tokenize(t)) <= MOST_TOKENS)
    return tuple(short)[: n or None]


def trials_of(reader: Any, texts: Sequence[str]) -> Iterator[Trial]:
    """Yield each text with its greedy output."""
    for text in texts:
        src = reader.tokenize(text)
        if not reader.writes:
            yield Trial(reader, text, src, None)
        else:
            yield Trial(reader, text, src, reader.tokenizer.decode(_written(reader, src)))


@torch.inference_mode()
def _written(reader: Any, src: Any) -> list[int]:
    """Decode greedily with a whole pass for each token."""
    model = reader.model
    source = reader.input_of(src)
    ids = list(forced_ids(reader.model.config))
    # No search and no cache: a reference must not depend on what it verifies.
    while len(ids) < MOST_WRITTEN and reader.eos_id not in ids:
        read = tensor_of(model, (model.config.bos_id, *ids))
        ids.append(int(model(source, read)[0, -1].argmax()))
    return ids


def gap(actual: Any, expected: Any) -> float:
    """Return the largest difference, relative to the largest expected number if that is above one.

    Infinite for NaN; raises ValueError if the shapes differ.
    """
    actual, expected = (
        np.asarray(x.detach().float().cpu() if isinstance(x, Tensor) else x, dtype=np.float64)
        for x in (actual, expected)
    )
    if actual.shape != expected.shape:
        raise ValueError(f"shape {actual.shape}, expected {expected.shape}")
    if not actual.size:
        return 0.0
    same = actual == expected  # also equal infinities, whose difference is NaN
    apart = np.abs(np.where(same, 0.0, actual) - np.where(same, 0.0, expected)).max()
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    return math.inf if np.isnan(apart) else float(apart / largest)


# -- references of unchanged runs ---------------------------------------------------------------


@torch.inference_mode()
def teacher_forcing(trial: Trial) -> Iterator[float]:
    """Check that an output does not depend on later target tokens."""
    src, read = trial.inputs
    whole = trial.log_probs()
    yield from (
        gap(trial.model(src, read[:, :n])[0, -1].log_softmax(-1), whole[n - 1])
        for n in range(1, read.shape[1] + 1)
    )


@torch.inference_mode()
def padding(trial: Trial) -> Iterator[float]:
    """Compare a sentence with padding at its end with the sentence alone."""
    model = trial.model
    src, read = trial.inputs
    # Three padding tokens show a leak as well as many would.
    room = min(model.config.max_len - max(src.shape[1], read.shape[1]), 3)
    pad = torch.full((1, max(room, 0)), model.config.pad_id, device=src.device)
    longer = (torch.cat((src, pad), dim=1), torch.cat((read, pad), dim=1))
    padded = model(*longer)[0, : read.shape[1]].log_softmax(-1)
    by_parts = model.decode(read, model.encode(longer[0], model.source_padding(longer[0])),
                            model.source_padding(longer[0]))[0].log_softmax(-1)  # fmt: skip
    yield from (gap(log_probs, trial.log_probs()) for log_probs in (padded, by_parts))


def documents(trial: Trial) -> Iterator[float]:
    """Compare a document judged from a batch of sentence vectors with a call of the model."""
    reader = trial.reader
    rows = [torch.tensor(sentence.ids) for sentence in trial.src.sentences]
    vectors = reader.sentence_vectors([row.to(reader.device) for row in rows])
    yield gap(reader.class_probs(vectors[None])[0], np.exp(reader.judge(trial.src).log_probs))


@torch.inference_mode()
def masked_words(trial: Trial) -> Iterator[float]:
    """Check that a masked piece is not read, and that "left only" reads nothing to the right."""
    reader = trial.reader
    src = trial.src
    positions = tuple(at for at, special in enumerate(src.special) if not special)
    another = TokenSequence(src.text, (*src.ids[:-1], src.ids[0]), src.tokens, src.offsets)
    other = dict(zip(positions, reversed(positions), strict=True))
    for position in positions:
        hidden = reader.masked(src, (position,))
        ids = [src.ids[other[p]] if p == position else i for p, i in enumerate(src.ids)]
        changed = TokenSequence(src.text, tuple(ids), src.tokens, src.offsets)
        again = reader.masked(changed, (position,))
        yield gap(reader.log_probs(again, False), reader.log_probs(hidden, False))
    yield gap(*(reader.log_probs(sequence, True)[:-1] for sequence in (src, another)))


# -- attention edited by hand -------------------------------------------------------------------


@contextmanager
def by_hand(model: nn.Module, edit: Edit) -> Iterator[None]:
    """Replace the weights of every probe by the result of `edit` inside the ``with``."""
    calls: Counter[nn.Module] = Counter()

    def change(probe: Any, inputs: tuple[Any, ...], weights: Tensor) -> Tensor:
        # A stepwise probe is called once a row, so the number of its calls is the row.
        first = calls[probe] if probe.one_call == "step" else 0
        calls[probe] += 1
        # Cloned: edits work in place, and the model may use its weights again.
        return edit(probe, weights.clone(), *inputs[1:3], first)

    with listening(dict.fromkeys(probes_of(model), change)):
        yield


def may_see(weights: Tensor, mask: Tensor | None) -> Tensor:
    """Return a mask as a bool Tensor of the shape of `weights`, True where a query may attend."""
    return torch.ones_like(weights, dtype=torch.bool) if mask is None else mask.expand_as(weights)


def softmax_of(scores: Tensor, seen: Tensor) -> Tensor:
    """Return the softmax over visible keys; a row without any becomes zero."""
    return scores.masked_fill(~seen, -math.inf).softmax(-1).nan_to_num(0.0)


def _shut(weights: Tensor, scores: Tensor | None, mask: Tensor | None, shut: Tensor) -> Tensor:
    """Return the weights with the cells `shut` removed before the softmax.

    A factor on the softmax is kept.
    """
    if scores is None:
        rest = weights.masked_fill(shut, 0.0)
        return rest / rest.sum(-1, keepdim=True) * weights.sum(-1, keepdim=True)
    seen = may_see(weights, mask)
    softmax = softmax_of(scores, seen)
    factor = torch.where(softmax > 0, weights / softmax, 0.0)
    return softmax_of(scores, seen & ~shut) * factor


def _cells(like: Tensor, *index: int | slice) -> Tensor:
    """Return a bool Tensor (B, H, T_q, T_k), True at `index` of every item."""
    cells = torch.zeros_like(like, dtype=torch.bool)
    cells[(slice(None), *index)] = True
    return cells


def _within(change: Callable[..., Tensor], *sites: str, layer: int | None = None) -> Edit:
    """Restrict an edit to some sites and one layer.

    `change` takes the arguments of an `Edit` without the probe.
    """

    def edit(probe: AttentionProbe, weights: Tensor, *others: Any) -> Tensor:
        here = probe.site_id in sites and layer in (None, probe.layer)
        return change(weights, *others) if here else weights

    return edit


def shutting(site: str, layer: int, head: int, query: int, key: int) -> Edit:
    """Return an edit that removes one cell of a head before the softmax."""

    def change(weights: Tensor, scores: Any, mask: Any, first: int) -> Tensor:
        if not 0 <= query - first < weights.shape[2]:
            return weights
        return _shut(weights, scores, mask, _cells(weights, head, query - first, key))

    return _within(change, site, layer=layer)


def silencing(site: str, layer: int, head: int) -> Edit:
    """Return an edit that zeroes all weights of a head."""

    def change(weights: Tensor, *_: Any) -> Tensor:
        weights[:, head] = 0.0
        return weights

    return _within(change, site, layer=layer)


def nowhere(model: Any) -> AbstractContextManager[None]:
    """Run a model without positions, in its embeddings and in its scores."""
    modules = [part for part in model.modules() if isinstance(part, PositionalEncoding)]
    relative = [part for part in model.modules() if isinstance(part, RelativeBias)]
    hooks = dict.fromkeys((model.positions, *modules), lambda _, inputs, __: inputs[0])
    return listening(hooks | dict.fromkeys(relative, lambda _, __, bias: 0 * bias))


def _changed(trial: Trial, change: Intervention, by_hand: Any, *, steps: bool = True) -> float:
    """Return the gap between a change and its reference, in a whole pass and step by step.

    `by_hand` holds the expected log-probabilities, or is the context manager in which the model
    yields them.
    """
    model = trial.model
    src, read = trial.inputs
    with torch.inference_mode():
        expected = by_hand
        if not isinstance(by_hand, Tensor):
            with by_hand:
                expected = trial.log_probs()
        with intervening(model, change, n_src=len(trial.src), n_tgt=read.shape[1]) as changed:
            whole = changed(src, read)[0].log_softmax(-1)
            walked = _walked(changed, src, read) if steps else whole
    return max(gap(whole, expected), gap(walked, expected))


def _walked(model: Any, src: Any, read: Tensor) -> Tensor:
    """Return log-probabilities (T, V) of stepwise decoding along `read`."""
    state = model.start(src)
    rows = []
    for prev in read.unbind(dim=1):
        log_probs, state = model.step(state, prev)
        rows.append(log_probs[0])
    return torch.stack(rows)


# -- references of changes ----------------------------------------------------------------------


def _changes(trial: Trial) -> Iterator[float]:
    """Compare a run with an empty intervention."""
    yield _changed(trial, Intervention(), trial.log_probs())


def _change_hide(trial: Trial) -> Iterator[float]:
    """Compare hidden tokens with cells removed by hand, for each way of hiding."""

    def shut(weights: Tensor, scores: Any, mask: Any, _: int) -> Tensor:
        return _shut(weights, scores, mask, _cells(weights, slice(None), slice(None), 0))

    for where in hiding_places(trial.reader.sites, {"change-hide"}):
        change = hide(0, where=where)
        sites = {hidden.site for hidden in change.of(HiddenToken)}
        yield _changed(trial, change, by_hand(trial.model, _within(shut, *sites)))


@torch.inference_mode()
def _change_unread(trial: Trial) -> Iterator[float]:
    """Check that an unread token has no effect.

    Without a window, the result must equal that of the shorter sentence.
    """
    model = trial.model
    src, read = trial.inputs
    change = Intervention(UnreadToken(0))
    other = src.clone()
    # Any other token, except padding, which the model would mask by itself.
    other[0, 0] = (src[0, 0] + 1) % model.config.vocab_size
    if int(other[0, 0]) == model.config.pad_id:
        other[0, 0] = model.config.eos_id
    with intervening(model, change, n_src=src.shape[1], n_tgt=read.shape[1]) as changed:
        yield gap(changed(other, read), changed(src, read))
    # A window counts positions, and an unread token keeps its own.
    if not any(site.window for site in model.sites):
        without = model(src[:, 1:], read)[0].log_softmax(-1)
        yield _changed(trial, change, without)


def _links(trial: Trial) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield for each site the heaviest cell of a row that attends to more than one key."""
    for attention in trial.record().maps:
        weights = attention.weights[-1, -1]
        rows = np.nonzero((weights > 0).sum(-1) > 1)[0]
        if len(rows):
            row = int(rows[0])
            layer, head = (n - 1 for n in attention.weights.shape[:2])
            yield attention.site_id, layer, head, row, int(weights[row].argmax())


def _change_mask(trial: Trial) -> Iterator[float]:
    """Compare a masked cell with a cell removed by hand."""
    for link in _links(trial):
        change = Intervention(MaskedCell(*link))
        yield _changed(trial, change, by_hand(trial.model, shutting(*link)))


def _change_ablate(trial: Trial) -> Iterator[float]:
    """Compare zero and uniform ablation with edited weights."""

    def even(site: str, layer: int, head: int) -> Edit:
        def change(weights: Tensor, _scores: Any, mask: Any, _first: int) -> Tensor:
            seen = may_see(weights, mask).float()
            weights[:, head] = (seen / seen.sum(-1, keepdim=True))[:, head]
            return weights

        return _within(change, site, layer=layer)

    ways: dict[Any, Callable[..., Edit]] = {"zero": silencing, "uniform": even}
    for (*head, _, _), ablation in product(_links(trial), ways):
        change = Intervention(AblatedHead(*head, ablation))
        yield _changed(trial, change, by_hand(trial.model, ways[ablation](*head)))


def _change_row(trial: Trial) -> Iterator[float]:
    """Compare a given row with edited weights."""

    def overriding(site: str, layer: int, head: int, row: int, key: int) -> Edit:
        def change(weights: Tensor, _scores: Any, _mask: Any, first: int) -> Tensor:
            if 0 <= row - first < weights.shape[2]:
                weights[:, head, row - first] = 0.0
                weights[:, head, row - first, key] = 1.0
            return weights

        return _within(change, site, layer=layer)

    for *row, key in _links(trial):
        change = Intervention(OverriddenRow(*row, (*(0.0,) * key, 1.0)))
        yield _changed(trial, change, by_hand(trial.model, overriding(*row, key)))


def _change_positions(trial: Trial) -> Iterator[float]:
    """Check that a shift by 0 changes nothing, and that absent positions add nothing.

    Without positions a reversed source must give the same output.
    """
    sides = ("source", "target")
    still = Intervention(*(Positions("shifted", side=side) for side in sides))
    absent = Intervention(*(Positions("absent", side=side) for side in sides))
    yield _changed(trial, still, trial.log_probs())
    yield _changed(trial, absent, nowhere(trial.model))
    src, read = trial.inputs
    with (
        torch.inference_mode(),
        intervening(trial.model, absent, n_src=len(trial.src), n_tgt=read.shape[1]) as changed,
    ):
        yield gap(changed(src.flip(1), read), changed(src, read))


def _change_causal(trial: Trial) -> Iterator[float]:
    """Compare a lifted causal mask with the softmax of all scores."""

    def seeing_all(_: Tensor, scores: Any, *__: Any) -> Tensor:
        return scores.softmax(-1)

    for site in (site.name for site in trial.reader.sites if site.causal):
        everywhere = by_hand(trial.model, _within(seeing_all, site))
        # Steps cannot see later tokens, so only whole passes are compared.
        yield _changed(trial, Intervention(LiftedMask(site)), everywhere, steps=False)


def _change_residual(trial: Trial) -> Iterator[float]:
    """Compare a removed residual connection with the sub-layer's output alone."""

    def alone(module: Any, inputs: Any, _: Tensor) -> Tensor:
        return inputs[1] if module.pre_norm else module.norm(inputs[1])

    for residual in _first_sublayers(trial.model):
        change = Intervention(NoResidual(*astuple(residual.sublayer)))
        yield _changed(trial, change, listening({residual: alone}))


def _change_norm(trial: Trial) -> Iterator[float]:
    """Compare a removed norm with its input."""

    def bare(module: Any, inputs: Any, output: Tensor) -> Tensor:
        return output if module.pre_norm else inputs[0] + inputs[1]

    def through(_: Any, inputs: Any, __: Tensor) -> Tensor:
        return inputs[0]

    for residual in _first_sublayers(trial.model):
        hooks = {residual.norm: through} if residual.pre_norm else {residual: bare}
        yield _changed(trial, Intervention(NoNorm(*astuple(residual.sublayer))), listening(hooks))


def _first_sublayers(model: nn.Module) -> Sequence[Any]:
    """Return the first connection of each kind of sub-layer in each stack."""
    firsts: dict[tuple[str, str], Any] = {}
    for residual in residuals_of(model):
        firsts.setdefault((residual.sublayer.stack, residual.sublayer.name), residual)
    return tuple(firsts.values())


_CLAIMS = (
    *(_changes, _change_hide, _change_unread, _change_mask, _change_ablate, _change_row),
    *(_change_positions, _change_causal, _change_residual, _change_norm),
)
CHANGES: Mapping[str, Claim] = {
    claim.__name__.strip("_").replace("_", "-"): claim for claim in _CLAIMS
}
"""Gap between a changed run and its reference, by capability."""
