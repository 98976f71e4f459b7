"""Compare the beam search of the recurrent models with a bare loop over torch's layers.

`python -m benchmarks.ancestors [--repeats N] [--write]`

The bare loop uses torch's own cells with the same weights: one `topk` a step, and it keeps neither
a tree nor attention. (`nn.LSTM` with all layers in one call took longer a step than its cells one
by one.) Both find the same hypothesis. Weights are random, in the sizes of the trained models;
torch has one thread.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import torch
from torch import Tensor, nn

from model.families.additive import AdditiveAttention
from model.families.lstm import StackedLSTM
from model.families.luong import LuongAttention
from model.families.recurrent import RecurrentEncoderDecoder
from model.families.stepwise import Stepwise
from model.io.config_files import config_from_dict
from model.io.registry import families
from training.commands import alone

from .cases import BEAM_SIZE, SRC_LENGTH, TGT_LENGTH, search_tree
from .commands import Repeats, Write
from .report import Aim, publish
from .timing import interleave

CONFIG = Path(__file__).parent.parent / "training" / "configs" / "lineage.json"
SYSTEMS = ("cho", "sutskever", "bahdanau", "luong-global-general", "luong-local-p-general")
VOCABULARY = 5000
# Largest ratio of our search, tree included, to the bare loop.
LIMIT = 2.0

State = tuple[Tensor, ...]
"""Tensors with a row a hypothesis."""
Step = Callable[[State, Tensor], tuple[Tensor, State]]
"""(State, embedded tokens) -> (outputs, new state)."""


def system(name: str) -> Stepwise:
    """Return one of the trained systems with random weights."""
    variant = json.loads(CONFIG.read_text())["variants"][name]
    family = families()[variant["architecture"]]
    torch.manual_seed(0)
    values = {"vocab_size": VOCABULARY, **variant["model"]}
    return family.build(config_from_dict(family.config, values)).eval()


def bare_step(model: Stepwise) -> Step:
    """Return the decoder's step with torch's layers alone.

    The step's state begins with the tensors of each hypothesis, those of the source follow.
    """
    if isinstance(model, RecurrentEncoderDecoder):
        return _cho_step(model)
    if isinstance(model, AdditiveAttention):
        return _additive_step(model)
    if isinstance(model, StackedLSTM):
        return _lstm_step(model)
    return _luong_step(model)


def _cho_step(model: RecurrentEncoderDecoder) -> Step:
    """Return the step of Cho et al. 2014."""

    def step(state: State, x: Tensor) -> tuple[Tensor, State]:
        hidden, summary = state
        # A view, no copy: all hypotheses share the source's tensors.
        summary = summary.expand(len(x), -1)
        hidden = model.cell(torch.cat((x, summary), -1), hidden.expand(len(x), -1))
        raised = model.maxout.linear(torch.cat((hidden, x, summary), -1))
        # Maxout over pairs of units (Goodfellow et al. 2013).
        return raised.unflatten(-1, (-1, 2)).amax(-1), (hidden,)

    return step


def _additive_step(model: AdditiveAttention) -> Step:
    """Return the step of Bahdanau et al. 2015."""

    def step(state: State, x: Tensor) -> tuple[Tensor, State]:
        hidden, annotations, keys = state
        hidden = hidden.expand(len(x), -1)
        # Additive attention: Bahdanau et al. 2015, section A.1.2.
        energies = model.energy((model.query(hidden)[:, None] + keys).tanh())[..., 0]
        context = energies.softmax(-1) @ annotations[0]
        hidden = model.cell(torch.cat((x, context), -1), hidden)
        raised = model.maxout.linear(torch.cat((hidden, x, context), -1))
        return raised.unflatten(-1, (-1, 2)).amax(-1), (hidden,)

    return step


def _stacked_cells(
    cells: Iterable[nn.LSTMCell], x: Tensor, hidden: Tensor, cell: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the top layer's output and the states of all layers, (B, layers, d) each."""
    hidden_states = []
    cell_states = []
    for layer, unit in enumerate(cells):
        # In the first step one state serves all hypotheses.
        before = (hidden[:, layer].expand(len(x), -1), cell[:, layer].expand(len(x), -1))
        x, cell_state = unit(x, before)
        hidden_states.append(x)
        cell_states.append(cell_state)
    return x, torch.stack(hidden_states, dim=1), torch.stack(cell_states, dim=1)


def _lstm_step(model: StackedLSTM) -> Step:
    """Return the step of Sutskever et al. 2014."""
    cells = model.decoder.cells

    def step(state: State, x: Tensor) -> tuple[Tensor, State]:
        top, hidden, cell = _stacked_cells(cells, x, *state)
        return model.output(top), (hidden, cell)

    return step


def _luong_step(model: LuongAttention) -> Step:
    """Return the step of Luong et al. 2015, with global or local-p attention."""
    config = model.config
    cells = model.decoder.cells
    positions = torch.arange(SRC_LENGTH)
    local = config.attention == "local-p"

    def step(state: State, x: Tensor) -> tuple[Tensor, State]:
        hidden, cell, fed, annotations = state
        # Input feeding: the last attentional vector joins the word (Luong et al. 2015, section
        # 3.3).
        x = torch.cat((x, fed.expand(len(x), -1)), -1)
        top, hidden, cell = _stacked_cells(cells, x, hidden, cell)
        scores = model.general(top) @ annotations[0].T
        if local:
            # Local-p attention: a predicted centre, and a Gaussian around it (eqs. 9 and 10).
            centre = SRC_LENGTH * model.centre(model.predict(top).tanh()).sigmoid()
            away = positions - centre
            scores = scores.masked_fill(away.abs() > config.window, -torch.inf)
        weights = scores.softmax(-1)
        if local:
            weights = weights * (-(away**2) / (2 * (config.window / 2) ** 2)).exp()
        fed = model.attend(torch.cat((weights @ annotations[0], top), -1)).tanh()
        return model.output(fed), (hidden, cell, fed)

    return step


def bare_start(model: Stepwise, src: Tensor) -> tuple[State, State]:
    """Return the state's tensors of each hypothesis, and those of the source."""
    state = model.start(src)
    if isinstance(model, RecurrentEncoderDecoder):
        return (state.hidden,), (state.summary,)
    if isinstance(model, AdditiveAttention):
        return (state.hidden,), (state.annotations, state.keys)
    stack = state.stacked if isinstance(model, LuongAttention) else state
    layers = (stack.hidden.transpose(0, 1), stack.cell.transpose(0, 1))
    if isinstance(model, LuongAttention):
        return (*layers, state.attentional), (state.annotations,)
    return layers, ()


@torch.inference_mode()
def bare_search(model: Stepwise, step: Step, src: Tensor) -> list[int]:
    """Return the best hypothesis of a beam that writes exactly `TGT_LENGTH` tokens."""
    state, source = bare_start(model, src)
    embedding = model.embedding.weight
    # The families scale embeddings by sqrt(d_model), as the Transformer does.
    scale = model.config.d_model**0.5
    prev = torch.tensor([model.config.bos_id])
    totals = torch.zeros(1)
    ids = torch.empty((1, 0), dtype=torch.long)
    for _ in range(TGT_LENGTH):
        output, state = step((*state, *source), embedding[prev] * scale)
        log_probs = (output @ embedding.T).log_softmax(-1)
        # No hypothesis may end: all cases write the same number of tokens.
        log_probs[:, model.config.eos_id] = -torch.inf
        totals, best = (totals[:, None] + log_probs).flatten().topk(BEAM_SIZE)
        rows = best // VOCABULARY
        prev = best % VOCABULARY
        state = tuple(part[rows] for part in state)
        ids = torch.cat((ids[rows], prev[:, None]), dim=1)
    return ids[0].tolist()


def measure(repeats: int) -> dict[str, tuple[float, float]]:
    """Return for each system the median milliseconds of the search and of the bare loop."""
    src = torch.arange(10, 10 + SRC_LENGTH)[None]
    # The id of ``</s>`` ends the source, as in a real sentence.
    src[0, -1] = 3
    cases = {}
    for name in SYSTEMS:
        model = system(name)
        step = bare_step(model)
        tree = search_tree(model, src, beam_size=BEAM_SIZE)
        live = max(
            (node for node in tree.nodes if node.step == TGT_LENGTH),
            key=lambda node: node.cum_log_prob,
        )
        if list(tree.hypothesis(live.id).ids) != bare_search(model, step, src):
            raise AssertionError(f"{name}: the two searches differ")
        # Defaults bind this system; a closure would time the last one for all.
        cases[name] = lambda model=model: search_tree(model, src, beam_size=BEAM_SIZE)
        cases[f"{name}, bare"] = lambda model=model, step=step: bare_search(model, step, src)
    times = interleave(cases, repeats=repeats)
    return {name: (times[name].median_ms, times[f"{name}, bare"].median_ms) for name in SYSTEMS}


def main(repeats: Repeats = 20, write: Write = False) -> None:
    torch.set_num_threads(1)
    systems = measure(repeats)
    aims = [
        Aim(f"beam 5, {name}: search and tree / bare loop over torch's layers", ours / bare, LIMIT)
        for name, (ours, bare) in systems.items()
    ]
    publish("ancestors", aims, {"systems": systems}, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.ancestors", __doc__))
