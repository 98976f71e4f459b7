"""The experiments as methods of a model that writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np
import torch

from core.attention import AttentionRecord
from core.block import Gradients, Lens, Stream, Units
from core.changes import Ablation
from core.explain import Explanation
from core.intervention import Intervention, hide, hiding_places
from core.knockout import Decision, KnockOut
from core.order import Equivariance, Reordered
from core.padding import PaddedPair, PaddingEffect
from core.positions import PositionHeads
from core.search import BeamTree, TreeAttention
from core.steps import SourceStates, StepValues
from core.tokens import TokenSequence
from core.trace import Trace

from ..read import output_limits
from ..tokenizer import SPACE, TextTokenizer
from ..writer import Writer
from . import block, explain, knockout, padding, steps, trace, tree_attention
from . import order as orders
from .encoding import Encoding


class Experiments(Encoding, Writer):
    """What its family does not offer for an experiment is refused with a `ModelError`, a text that
    is empty or too long with an `InputError`, an intervention that does not fit with an
    `InterventionError`. Pairs are read as their ids stand, not tokenised anew: the output of a
    search may hold pieces that its text would not be cut into."""

    def attend_tree(self, src_text: str, tree: BeamTree) -> TreeAttention:
        """What the decoder looked at to produce each node of `tree`, a search of `src_text`, pruned
        ones included."""
        self._need(*tree_attention.NEEDS)
        src = self._read(src_text, "sentence")
        at_once = tree_attention.AT_ONCE in self.capabilities
        attend = tree_attention.attend_tree if at_once else tree_attention.walk_tree
        return TreeAttention(src, *attend(self._model, self._input(src), tree))

    def knock_out(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        how: Ablation = "zero",
        *,
        position: int | None = None,
        choice_ids: Sequence[int] = (),
        progress: Callable[[float], None] | None = None,
    ) -> KnockOut:
        """Switch off every head in turn: log P of `tgt` without it, and the greedy output (see
        `knock_out_heads`)."""
        self._need(*knockout.NEEDS)
        return knockout.knock_out_heads(
            self._model,
            src,
            tgt,
            how,
            max_len=output_limits(self._model.config.max_len, len(src))[1],
            means=self._means,
            tokenizer=self._tokenizer,
            position=position,
            choice_ids=choice_ids,
            progress=progress,
        )

    def trace(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        decision: Decision,
        *,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Trace:
        """Knock out every link and every head alone: what that does to `decision` (see
        `trace_decision`)."""
        self._need(*trace.NEEDS)
        return trace.trace_decision(self._model, src, tgt, decision, progress=progress, stop=stop)

    def explain(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        *,
        hidden_from: str | None = None,
        method: Literal["spearman", "kendall"] = "spearman",
    ) -> Explanation:
        """Hold cross-attention against what hiding each source token does, by default in the most
        thorough way there is, and against gradients (see `model.experiments.explain.explain`)."""
        self._need(*explain.NEEDS)
        places = hiding_places(self.sites, self.capabilities)
        hidden_from = hidden_from or next(iter(places), "both")
        self._need(*hide(0, where=hidden_from).needs)
        return explain.explain(self._model, src, tgt, hidden_from=hidden_from, method=method)

    def reorder(self, src: TokenSequence, order: Sequence[int], *, positions: bool) -> Reordered:
        """What the encoder makes of `src` and of its tokens in another order (see
        `orders.reorder`)."""
        self._need(*orders.NEEDS)
        self._refuse_long(src, "sentence")
        return orders.reorder(self._model, src, order, positions=positions)

    def equivariance(
        self, src: TokenSequence, *, n_orders: int = 8, seed: int = 0
    ) -> tuple[Equivariance, ...]:
        """How exactly the encoder's output is permuted with its input (see
        `orders.equivariance`)."""
        self._need(*orders.NEEDS)
        return orders.equivariance(self._model, src, n_orders, seed)

    def position_heads(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        *,
        n_others: int = 12,
        seed: int = 0,
        intervention: Intervention | None = None,
    ) -> PositionHeads:
        """Which heads keep their maps under other words, pieces of the vocabulary that begin words,
        drawn at random, and which without positions (see `orders.position_heads`)."""
        self._need(*orders.NEEDS, "change-positions")
        return orders.position_heads(
            self._model,
            src,
            tgt,
            pool=_word_starts(self._tokenizer),
            tokenizer=self._tokenizer,
            n_others=n_others,
            seed=seed,
            intervention=intervention,
            means=self._means,
        )

    def streams(
        self, src: TokenSequence, tgt: TokenSequence, intervention: Intervention | None = None
    ) -> tuple[Stream, ...]:
        """What goes through the blocks while a pair is read: the encoder's stream, the
        decoder's."""
        self._need(*block.NEEDS)
        run = partial(self._run, intervention, len(src), len(tgt))
        return block.streams_of(self._model, run, src.ids, tgt.ids)

    def lens(self, stream: Stream, wanted_ids: Sequence[int]) -> Lens:
        """The states of a stream through the output layer, as if nothing came after them."""
        self._need(*block.NEEDS)
        return block.lens_of(self._model, stream, wanted_ids, token_of=self._tokenizer.token_of)

    def gradients(
        self, src: TokenSequence, tgt: TokenSequence, *, seed: int | None = None
    ) -> Gradients:
        """How the loss of a pair depends on every sub-layer, with and without what is around it;
        `seed` takes random weights instead of the trained ones, as before training."""
        self._need(*block.NEEDS)
        model = self._model
        if seed is not None:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                model = self._family.build(model.config).eval().requires_grad_(False)
        return block.gradients_of(model, src.ids, tgt.ids)

    def units(self, src: TokenSequence, tgt: TokenSequence) -> tuple[Units, ...]:
        """How the hidden units fire while a pair is read: the encoder's, then the decoder's."""
        self._need(*block.UNITS_NEED)
        return block.units_of(self._model, src.ids, tgt.ids)

    def promoted_by(
        self, stack: str, layer: int, units: Sequence[int]
    ) -> tuple[tuple[str, ...], ...]:
        """For each unit the tokens that what it adds makes likelier, as if nothing came after."""
        self._need(*block.UNITS_NEED)
        return block.promoted_by(
            self._model, stack, layer, units, token_of=self._tokenizer.token_of
        )

    def step_values(self, src: TokenSequence, tgt: TokenSequence, position: int) -> StepValues:
        """Every quantity of the step that writes a token of `tgt`, by the equations of its paper;
        ValueError where the target has no such position."""
        self._need(*steps.NEEDS)
        return steps.step_values(self._model, src, tgt, position, self._tokenizer.token_of)

    def source_states(self, src: TokenSequence) -> SourceStates:
        """What the encoder holds at each token while it reads `src`."""
        self._need("values")
        return steps.source_states(self._model, src)

    def window_centres(self, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
        """Around which place of the source each step of a local attention looks: (T_tgt,);
        ValueError where the model has no such attention."""
        self._need(*steps.NEEDS)
        return steps.window_centres(self._model, src.ids, tgt.ids)

    def drops_without(self, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
        """How far natural log p of each produced token falls where a token of the source is left
        out: float32 (T_tgt, T_src), NaN in the column of ``</s>`` where it must be read. A network
        that reads in order passes over the token; in a Transformer nothing sees it. InputError
        where nothing would be left of the source."""
        self._need(*explain.NEEDS)
        place = next(iter(hiding_places(self.sites, self.capabilities)), "both")
        self._need(*hide(0, where=place).needs)
        without = explain.hide_each(self._model, src.ids, tgt.ids, hidden_from=place)
        whole = steps.score_each(self._model, [src], tgt.ids, self.vocab_size)
        return whole.T - without

    def score_each(self, texts: Sequence[str], beginning: str) -> np.ndarray:
        """Natural log-probabilities of a beginning, ``</s>`` left out, after each of several texts:
        float32 (n texts, T_tgt); a text that the model cannot take has NaN."""
        self._need("teacher-forcing")
        ids = self._read_target(beginning, "translation").ids[:-1]
        sources = [self.tokenize(text) for text in texts]
        fitting = {
            row: src
            for row, src in enumerate(sources)
            if isinstance(src, TokenSequence)
            and len(src) <= self.max_source_len
            and not all(src.special)
        }
        found = np.full((len(texts), len(ids)), np.nan, dtype=np.float32)
        if fitting:
            taken = list(fitting.values())
            found[list(fitting)] = steps.score_each(self._model, taken, ids, self.vocab_size)
        return found

    def padding_effect(self, record: AttentionRecord, n_padding: int = 3) -> PaddingEffect:
        """Read the pair of `record` again with ``<pad>`` tokens at the end of both sides."""
        self._need(*padding.NEEDS)
        return padding.padding_effect(self._model, record, n_padding)

    def padded_pair(self, first: TokenSequence, second: str) -> PaddedPair:
        """The pieces of one sentence and the text of another, alone and as one batch with and
        without the padding mask."""
        self._need(*padding.NEEDS)
        sources = (first, self._read(second, "second"))
        first_most, second_most = (
            output_limits(self.max_source_len, len(src))[1] for src in sources
        )
        return padding.padded_pair(
            self._model, sources, max_lens=(first_most, second_most), tokenizer=self._tokenizer
        )


def _word_starts(tokenizer: TextTokenizer) -> list[int]:
    """Ids of the pieces that begin a word and are made of letters."""
    every = enumerate(map(tokenizer.token_of, range(tokenizer.vocab_size)))
    return [i for i, token in every if token[:1] == SPACE and token[1:].isalpha()]
