"""Attention behind every node of a search tree, each distinct prefix computed once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.records.attention import AttentionSite
from core.records.search import BeamNode, BeamTree, TreeAttention

from ..families.base import site_across
from ..hooks.capture import capture_attention
from ..nets.attention import attention_scores, attention_weights
from ..nets.multi_head import MultiHeadAttention
from ..nets.sublayers import LayerCache
from ..readers.experiment import experiment
from ..search.protocol import Seq2SeqModel
from .protocol import LoadedTranslator, StackedDecoderLayer, StackedModel

AT_ONCE = "tree-attention"
"""Capability that `gather_tree` needs; any other model's tree is walked."""
Rows = tuple[np.ndarray | None, np.ndarray | None, np.ndarray]


@experiment("search")
def attend_tree(reader: LoadedTranslator, src_text: str, tree: BeamTree) -> TreeAttention:
    """Return the attention that produced each node of `tree`, a search of `src_text`.

    Pruned nodes are included.
    """
    src = reader.source_of(src_text, "sentence")
    attend = gather_tree if AT_ONCE in reader.capabilities else walk_tree
    return TreeAttention(src, *attend(reader.model, reader.input_of(src), tree))


@torch.inference_mode()
def walk_tree(model: Seq2SeqModel[Any], src: Tensor, tree: BeamTree) -> Rows:
    """Return the result of `gather_tree` for any searchable model, by repeating the search steps.

    `cross` or `decoder` is None if the target does not attend to the source or to itself.
    """
    lengths = np.array([node.step for node in tree.nodes])
    parents = {node.parent for node in tree.nodes[1:]}
    max_step = max(1, int(lengths.max()))
    widths = {"source": src.shape[1], "target": max_step}
    sites = _target_sites(model)
    arrays = [_empty_rows(site, len(lengths), widths) for site in sites]
    state = model.start(src)
    row_of_node = {}
    # A search that wrote nothing has a root alone, and no step.
    for step in range(max_step if parents else 0):
        inner = [node for node in tree.at_step(step) if node.id in parents]
        if step:
            rows = torch.tensor([row_of_node[node.parent] for node in inner], device=src.device)
            # Only prefixes with children are read on; leaves have their rows already.
            state = model.select(state, rows)
        ids = torch.tensor([node.token_id for node in inner], device=src.device)
        with capture_attention(model) as captured:
            _, state = model.step(state, ids)
        row_of_node = {node.id: row for row, node in enumerate(inner)}
        children = tree.at_step(step + 1)
        rows_of_parents = [row_of_node[node.parent] for node in children]
        for site, array in zip(sites, arrays, strict=True):
            if site is not None:
                # A step that reads its prefix again gives rows for all of it, the new one last.
                looked = captured.weights(site.name)[rows_of_parents, :, :, -1]
                _write_rows(array, children, looked)
    return *arrays, lengths


def _write_rows(array: np.ndarray, nodes: Sequence[BeamNode], rows: np.ndarray) -> None:
    """Write the rows (n, L, H, T_k) that produced `nodes`; `array` may hold longer ones."""
    array[[node.id for node in nodes], ..., : rows.shape[-1]] = rows


def _target_sites(model: Any) -> tuple[AttentionSite | None, AttentionSite | None]:
    """Return the sites from the target to the source and to itself; None for one it lacks."""
    itself = (site for site in model.sites if site.query == site.key == "target")
    return site_across(model), next(itself, None)


def _empty_rows(
    site: AttentionSite | None, n_nodes: int, widths: Mapping[str, int]
) -> np.ndarray | None:
    """Return zeros (n_nodes, L, H, T_k) for the rows of `site`; `widths` holds T_k by side."""
    if site is None:
        return None
    # The input shape of a picture does not give its number of cells.
    n_keys = math.prod(site.grid) if site.grid else widths[site.key]
    return np.zeros((n_nodes, site.n_layers, site.n_heads, n_keys), np.float32)


@torch.inference_mode()
def gather_tree(model: StackedModel, src: Tensor, tree: BeamTree, *, chunk_size: int = 256) -> Rows:
    """Return the attention rows that produced each node, for all nodes in one batch.

    Teacher forcing of every leaf would read shared beginnings again and again. Here the batch is
    the prefixes themselves: each node with children is one query, and its keys are gathered from
    the nodes on its path, for `chunk_size` prefixes at a time to bound the memory. Siblings share
    the row of their parent. A test proves that the rows equal those of reading each path alone.

    Returns
    -------
    cross : array of shape (n_nodes, L, H, T_src)
    decoder : array of shape (n_nodes, L, H, max_step), 0 beyond `lengths`; None if recurrent
    lengths : array of shape (n_nodes,)
        Tokens read to produce each node, 0 for the root.
    """
    lengths = np.array([node.step for node in tree.nodes])
    max_step = max(1, int(lengths.max()))
    parents = np.array([node.parent for node in tree.nodes[1:]], dtype=np.int64)
    # Sorted: parents come before their children, as paths and recurrence require.
    inner, row_of_parent = np.unique(parents, return_inverse=True)
    widths = {"source": src.shape[1], "target": max_step}
    cross, decoder = (_empty_rows(site, len(lengths), widths) for site in _target_sites(model))
    if len(inner) == 0:
        return cross, decoder, lengths
    prefixes = _Prefixes.of(tree, inner, max_step, src.device)
    x = _embedded(model, prefixes)
    bias = model.decoder_bias(max_step, max_step)
    # Only the cross-attention part of the caches is used: keys and values of the source.
    caches = model.start(src).layers
    for number, (layer, cache) in enumerate(zip(model.decoder_layers, caches, strict=True)):
        if layer.self_attention is None:
            x = _recur(layer, x, prefixes)
        else:
            x, rows = _attend_to_paths(layer, x, prefixes, bias, chunk_size)
            # From 1 on: node 0 is the root, which nothing produced.
            decoder[1:, number] = rows[row_of_parent]
        x, rows = _attend_to_source(layer, x, cache)
        cross[1:, number] = rows[row_of_parent]
        x = layer.feed(x)
    return cross, decoder, lengths


@dataclass(frozen=True)
class _Prefixes:
    """Nodes with children as a batch of N prefixes, parents before children."""

    ids: Tensor  # (N,), token of each node
    paths: Tensor  # (N, max_step), rows from the root to each node, see `_paths`
    steps: Tensor  # (N,), tokens before each node
    levels: Sequence[Tensor]  # rows by the number of tokens before them; level 0 is the root alone

    @classmethod
    def of(
        cls, tree: BeamTree, nodes: np.ndarray, max_step: int, device: torch.device
    ) -> _Prefixes:
        """Return the prefixes that end in `nodes`, whose ids are sorted."""
        steps = torch.tensor([tree.nodes[i].step for i in nodes], device=device)
        return cls(
            ids=torch.tensor([tree.nodes[i].token_id for i in nodes], device=device),
            paths=_paths(tree, nodes, max_step).to(device),
            steps=steps,
            levels=[(steps == step).nonzero()[:, 0] for step in range(int(steps.max()) + 1)],
        )

    @property
    def may_look(self) -> Tensor:
        """True where a node may attend along its path, bool (N, max_step)."""
        positions = torch.arange(self.paths.shape[1], device=self.paths.device)
        return positions <= self.steps[:, None]


def _embedded(model: StackedModel, prefixes: _Prefixes) -> Tensor:
    """Return the embedding of each prefix's last token at its position, (N, 1, d_model)."""
    x = model.embedding.weight.new_empty(len(prefixes.ids), 1, model.config.d_model)
    # Nodes of one depth share a position, so embeddings are made level by level.
    for step, level in enumerate(prefixes.levels):
        x[level] = model.embed_target(prefixes.ids[level, None], step)
    return x


def _attend_to_paths(
    layer: StackedDecoderLayer, x: Tensor, prefixes: _Prefixes, bias: Tensor | None, chunk_size: int
) -> tuple[Tensor, np.ndarray]:
    """Run the self-attention of a layer: every node attends to the nodes on its path.

    Returns the new states (N, 1, d_model) and the weights (N, H, max_step). `bias` is that of
    relative positions, (1, H, max_step, max_step).
    """
    attention = layer.self_attention
    residual = layer.self_attention_residual
    read = residual.entering(x)
    q = attention.split_heads(attention.query_proj(read))  # (N, H, 1, d_k)
    k, v = attention.project_memory(read, read)
    may_look = prefixes.may_look
    contexts = []
    weights = []
    for rows in torch.arange(len(x), device=x.device).split(chunk_size):
        before = prefixes.paths[rows]
        row_bias = None
        if bias is not None:
            # The depth of a node is its position, and so its row of the bias.
            row_bias = bias[0, :, prefixes.steps[rows]].transpose(0, 1)[:, :, None]
        context, row_weights = _attend(
            attention,
            q[rows],
            _gather(k, before),
            _gather(v, before),
            may_look[rows, None, None],
            row_bias,
        )
        contexts.append(context)
        weights.append(row_weights)
    x = residual(x, attention.merge_heads(torch.cat(contexts)))
    return x, torch.cat(weights)[:, :, 0].float().cpu().numpy()


def _attend_to_source(
    layer: StackedDecoderLayer, x: Tensor, cache: LayerCache
) -> tuple[Tensor, np.ndarray]:
    """Run the cross-attention of a layer; return states (N, 1, d_model), weights (N, H, T_src)."""
    attention = layer.cross_attention
    residual = layer.cross_attention_residual
    q = attention.split_heads(attention.query_proj(residual.entering(x)))
    # As in `attend_shared`: prefixes in place of positions, so the memory is not copied.
    context, weights = _attend(
        attention, q.permute(2, 1, 0, 3), cache.memory_keys, cache.memory_values, None
    )
    x = residual(x, attention.merge_heads(context.permute(2, 1, 0, 3)))
    return x, weights[0].transpose(0, 1).float().cpu().numpy()


def _recur(layer: StackedDecoderLayer, x: Tensor, prefixes: _Prefixes) -> Tensor:
    """Run the recurrence of a layer from parents to children; x is (N, 1, d_model)."""
    outputs = torch.empty_like(x)
    cells = torch.empty_like(x[:, 0])
    cell = None
    for step, level in enumerate(prefixes.levels):
        if step:
            # The entry before a node on its path is its parent.
            cell = cells[prefixes.paths[level, step - 1]]
        outputs[level], cells[level] = layer.recur(x[level], cell)
    return outputs


def _paths(tree: BeamTree, inner: np.ndarray, max_step: int) -> Tensor:
    """Return for each of the nodes `inner` the rows from the root to itself, (N, max_step).

    A row is an index into `inner`, which is sorted, so parents come first; entries after the node
    itself are 0.
    """
    row_of = {int(node_id): row for row, node_id in enumerate(inner)}
    paths = np.zeros((len(inner), max_step), dtype=np.int64)
    for row, node_id in enumerate(inner):
        node = tree.nodes[node_id]
        if node.parent is not None:
            paths[row, : node.step] = paths[row_of[node.parent], : node.step]
        paths[row, node.step] = row
    return torch.from_numpy(paths)


def _gather(heads: Tensor, paths: Tensor) -> Tensor:
    """Return the keys or values on each path: (N, H, 1, d_k) -> (n, H, max_step, d_k)."""
    return heads[:, :, 0][paths].transpose(1, 2)


def _attend(
    attention: MultiHeadAttention,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return context (B, H, T_q, d_k) and weights (B, H, T_q, T_k), through the probe as usual."""
    scores = attention_scores(q, k)
    if bias is not None:
        scores = scores + bias
    weights = attention.probe(attention_weights(scores, mask), scores, mask, v)
    return weights @ v, weights
