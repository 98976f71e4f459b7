"""What a checkpoint does when something is hidden from it, and whether its attention tells.

Stored as ``interventions.json`` beside the weights. Every part is saved when it is done, and the
same command goes on from there. Layers and heads count from 0.

``head_means``
    For each kind the mean output of every head, (L, H, d_k), before W_O: over all positions of
    validation pairs, teacher-forced with their references. ``sentences`` and ``positions`` say
    over how many. The "mean" ablation puts them in the place of a head's output.
``pronoun``
    Empty where no such sentences are of the model's languages (`training.evaluate.MeasuredSets`).
    How often the pronoun of a held-out coreference sentence flips when words are hidden: the
    antecedent, the other noun, either with its determiner and adjective ("phrase"), or a control
    word. ``plain`` counts the greedy outputs with nothing hidden, ``heads`` names the heads tried
    alone. One row of ``forced`` and ``searched`` is a place (``where``, see `WHERES`) and a
    ``word``, with ``all`` sentences and each half.

    ``forced`` keeps the plain output before the pronoun as it is: the pronoun flips when another
    of its forms becomes the likeliest. ``log_odds_change`` is the mean change of the natural log
    of P(right form) / P(best other form). ``searched`` searches anew, greedily: the pronoun flips
    when the output has other forms than the plain one, counted as `pronoun_is_right` does;
    ``other_gender`` of them have one form, of another gender. ``right`` outputs still have the
    right one. ``low`` and ``high`` bound the share of flips (Wilson 1927, 95 %).
``explain``
    Rank correlations of cross-attention rows, while greedy outputs are read again, with what
    hiding each source token does to log p, or with gradient times input (``against``): the mean
    over the rows of a sentence, then ``mean`` and ``std`` over ``n`` sentences. ``heads`` (L, H);
    ``layers`` (L,) for the weights averaged over a layer's heads; ``average`` for those averaged
    over all. ``permuted_heads`` and ``permuted_average`` shuffle the weights of each row at
    random: what chance gives. ``gradient`` is the correlation of gradient times input with the
    drops.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from model import Translator
from model.attention import MultiHeadAttention
from model.capture import listening
from model.checkpoint import LoadedCheckpoint
from model.read import read_ids, tensor_of
from model.transformer import Transformer
from records.measurements import INTERVENTIONS

from .card import hardware
from .coreference import generate_held_out
from .corpus import Pair, read_pairs
from .correlation import explain_rows
from .evaluate import HELD_OUT_PAIRS, HELD_OUT_SEED, measured_sets
from .pronoun import (
    CONTROL,
    DECODING,
    followed_heads,
    force,
    rows_of,
    search_anew,
    translate_plainly,
)
from .rendered import rendered
from .storing import LISTS, store
from .sweep import spread_out

MEANS_PER_SET = 250
EXPLAIN_PER_SET = 100
Save = Callable[[dict[str, Any]], object]


@torch.inference_mode()
def head_means(
    model: Transformer, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]
) -> dict[str, Any]:
    """The mean output of every head over every position of `pairs` of source and target ids.

    Returns
    -------
    for each kind nested lists (L, H, d_k) of five significant digits; ``sentences``; ``positions``
    of source and target
    """
    sums: dict[tuple[str, int], Tensor] = {}

    def listen(module: nn.Module, inputs: tuple[Tensor, ...], *, of: MultiHeadAttention) -> None:
        heads = inputs[0].unflatten(-1, (of.n_heads, -1))  # (1, T, H, d_k)
        place = (of.probe.kind, of.probe.layer)
        sums[place] = sums.get(place, 0) + heads[0].double().sum(0)

    before = {
        attention.out_proj: lambda module, inputs, of=attention: listen(module, inputs, of=of)
        for attention in model.modules()
        if isinstance(attention, MultiHeadAttention)
    }
    n_sentences, positions = 0, {"source": 0, "target": 0}
    with listening({}, before):
        for src_ids, tgt_ids in pairs:
            read = read_ids(model.config, tgt_ids)
            model(*(tensor_of(model, ids) for ids in (src_ids, read)))
            n_sentences += 1
            positions["source"] += len(src_ids)
            positions["target"] += len(read)
    means: dict[str, Any] = {}
    for (kind, _), total in sorted(sums.items()):
        n = positions["source" if kind == "encoder" else "target"]
        rounded = [[float(f"{x:.5g}") for x in head] for head in (total / n).tolist()]
        means.setdefault(kind, []).append(rounded)
    return {**means, "sentences": n_sentences, "positions": positions}


def intervene(
    checkpoint: LoadedCheckpoint,
    data: Path,
    *,
    limit: int | None = None,
    stored: dict[str, Any] | None = None,
    save: Save = lambda result: None,
) -> dict[str, Any]:
    """All of ``interventions.json``.

    Parameters
    ----------
    limit : only the first so many sentences of each set, for a quick look
    stored : what an earlier run saved, such as `CheckpointCard.interventions`; its parts are kept
        when weights and settings are the same
    save : called with all there is after every part

    Raises
    ------
    CorpusError : a set is missing or damaged, or none is named for the model's languages.
    """
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    translator = Translator(checkpoint)
    measured = measured_sets(checkpoint.card.languages)
    sets = {name: list(read_pairs(data / file)) for name, file in measured.files.items()}
    result = _frame(checkpoint, list(sets), limit)
    if stored and all(stored.get(key) == result[key] for key in ("fingerprint", "settings")):
        parts = ("head_means", "pronoun", "explain")
        result |= copy.deepcopy({part: stored[part] for part in parts if part in stored})

    if not result["head_means"]:
        chosen = _chosen(sets, MEANS_PER_SET, limit, "head means")
        ids = ((tokenizer.encode(p.source).ids, tokenizer.encode(p.target).ids) for p in chosen)
        result["head_means"] = head_means(model, ids)
        save(result)

    pronoun = result["pronoun"]
    if measured.pronouns and not (pronoun["forced"] and pronoun["searched"]):
        pairs = generate_held_out(HELD_OUT_PAIRS if limit is None else limit, seed=HELD_OUT_SEED)
        heads = followed_heads(checkpoint.card)
        items, pronoun["plain"] = translate_plainly(translator, tokenizer, pairs)
        pronoun["heads"] = {
            kind: place and {"layer": place[0], "head": place[1]} for kind, place in heads.items()
        }
        if not pronoun["forced"]:
            pronoun["forced"] = rows_of(force(model, items, heads))
            save(result)
        pronoun["searched"] = rows_of(search_anew(model, tokenizer, items, heads))
        save(result)

    if not result["explain"]:
        chosen = _chosen(sets, EXPLAIN_PER_SET, limit, "rank correlations")

        def outputs() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
            for pair in chosen:
                tree = translator.search(pair.source, DECODING)
                yield translator.tokenize(pair.source).ids, tree.hypothesis(tree.best).ids

        rows = explain_rows(model, outputs())
        counts = {name: len(spread_out(p, EXPLAIN_PER_SET)[:limit]) for name, p in sets.items()}
        result["explain"] = {"sentences": sum(counts.values()), "sets": counts, "rows": rows}
        save(result)
    return result


def _chosen(
    sets: dict[str, list[Pair]], per_set: int, limit: int | None, label: str
) -> Iterable[Pair]:
    chosen = [pair for pairs in sets.values() for pair in spread_out(pairs, per_set)[:limit]]
    return tqdm(chosen, desc=label, unit="sentence")


def _frame(checkpoint: LoadedCheckpoint, sets: list[str], limit: int | None) -> dict[str, Any]:
    """The result before anything is measured."""
    card = checkpoint.card
    return {
        "command": f"python -m training intervene --checkpoint {card.name} --data data --write",
        "fingerprint": card.fingerprint,
        "hardware": hardware(),
        "settings": {
            "decoding": {"beam_size": DECODING.beam_size},
            "limit": limit,
            "head_means": {"sets": sets, "pairs_per_set": MEANS_PER_SET},
            "pronoun": {"pairs": HELD_OUT_PAIRS, "seed": HELD_OUT_SEED, "control": CONTROL},
            "explain": {"sets": sets, "sentences_per_set": EXPLAIN_PER_SET},
        },
        "head_means": {},
        "pronoun": {"plain": {}, "heads": {}, "forced": [], "searched": []},
        "explain": {},
    }


def write_interventions(folder: Path, result: dict[str, Any]) -> None:
    store(folder / INTERVENTIONS.file, result, on_a_line=(LISTS,))


def report(result: dict[str, Any]) -> str:
    return rendered("intervene.txt.j2", between="\n", result=result)
