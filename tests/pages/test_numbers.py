"""Numbers in the sentences of the pages, each worked out another way.

A function below works out, from the weights of the run on screen, with torch or with a loop, the
numbers that one message is said with at one address; layers and heads there are never the first.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import spearmanr

from core.documents import DocumentChange
from core.interventions.intervention import Intervention, hide, read_change
from model import load_model, load_translator
from model.experiments.source_share import share_of
from model.experiments.value_zeroing import value_zeroing
from model.hooks.capture import listening
from support.app import at_address
from support.models import ROOT, read_json
from ui.frame.run import Run
from ui.pages.documents.scene import examples
from words import Words

SAID: dict[str, dict[str, Callable[[Run], Any]]] = defaultdict(dict)
"""By address and message the function that works its numbers out."""


def said_at(address: str, id: str) -> Callable:
    def keep(work_out: Callable[[Run], Any]) -> Callable:
        SAID[address][id] = work_out
        return work_out

    return keep


def once_a_run(work_out: Callable[[Run], np.ndarray]) -> Callable[[Run], np.ndarray]:
    """Values that take many passes, computed once for a sentence and its output."""
    known: dict[tuple, np.ndarray] = {}

    def of(run: Run) -> np.ndarray:
        if run.identity not in known:
            known[run.identity] = work_out(run)
        return known[run.identity]

    return of


@contextlib.contextmanager
def listening_to_messages() -> Iterator[dict[str, list[dict[str, Any]]]]:
    """By id the values that messages are said with meanwhile, in their order."""
    values_of: dict[str, list[dict[str, Any]]] = defaultdict(list)
    say = Words.__call__

    def hear(self: Words, id: str, /, **values: Any) -> str:
        values_of[id].append(values)
        return say(self, id, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Words, "__call__", hear)
        yield values_of


# -- attention -------------------------------------------------------------------------------

HEAD = "layer=2&head=3"
AT = (1, 2)
MATRIX = f"attention?{HEAD}&kind=cross&row=5&column=3&badge=weight"


@said_at(MATRIX, "row-chosen")
def chosen_weight(run):
    row = run.record.cross.weights[AT][4].tolist()
    rank = 1 + sum(other > row[2] for other in row)
    return {"n": 1, "weight": row[2], "rank": rank, "of": len(row)}


@said_at(MATRIX, "attention-strongest")
def strongest_head(run):
    weights = [layer[head][4, 2] for layer in run.record.cross.weights for head in range(8)]
    here = weights[1 * 8 + 2]
    rank = 1 + sum(each > here for each in weights)
    return {"n": len(weights), "weight": max(weights), "here": here, "rank": rank}


@said_at(MATRIX, "attention-link")
def strongest_link(run):
    """From the pronoun to its antecedent, and from there to the other noun."""
    rows = run.tgt.pieces_of("es")
    columns, others = run.src.pieces_of("animal"), run.src.pieces_of("street")
    weights = run.record.cross.weights[:, :, list(rows)].mean(2)
    best = max(np.ndindex(2, 8), key=lambda at: weights[at][list(columns)].sum())
    row = weights[best]
    weight, there = row[list(columns)].sum(), row[list(others)].sum()
    return {"n": 16, "weight": weight, "there": there}


@said_at("attention", "attention-decides")
def deciding_word(run):
    weights = run.record.encoder.weights[:, :, run.src.pieces_of("it")[0]]
    best = weights[..., run.src.pieces_of("animal")[0]].argmax()
    others = np.delete(weights[..., run.src.pieces_of("tired")[0]].ravel(), best)
    return {"weight": others.max()}


@said_at(f"attention?{HEAD}&kind=cross&measure=length", "attention-sink-layer")
def sink(run):
    """Share of weight and of norm at ``</s>``, layer by layer."""
    return [
        {"weight": weights[..., -1].mean(), "norm": norms[..., -1].mean(), "open": int(n == 1)}
        for n, (weights, norms) in enumerate(
            zip(run.record.cross.weights, added_lengths(run, "cross"), strict=True)
        )
    ]


@said_at("attention?layer=2&head=1&kind=encoder&measure=zeroing", "zeroing-found")
def zeroing(run):
    apart = value_zeroing(run.translator, run.src, run.tgt, 1)
    shares = apart / apart.sum(-1, keepdims=True)
    weights = run.record.encoder.weights[1].mean(0)
    ranks = [spearmanr(*rows).statistic for rows in zip(shares, weights, strict=True)]
    last = {"weight": weights[:, -1].mean(), "share": shares[:, -1].mean()}
    return {"correlation": np.mean(ranks), **last}


@said_at(
    f"attention?look=arithmetic&{HEAD}&kind=encoder&row=4&column=6", "attention-arithmetic-product"
)
def product(run):
    queries, keys = (each[AT] for each in projected(run, ("query_proj", "key_proj")))
    return {"d_k": 32, "dot": sum(float(q * k) for q, k in zip(queries[3], keys[5], strict=True))}


@said_at(
    f"attention?look=arithmetic&{HEAD}&kind=encoder&row=4&column=6&arithmetic_step=output",
    "attention-arithmetic-output",
)
def head_output(run):
    """W_O of each head's context at the chosen query: its length, and that of their sum."""
    (values,) = projected(run, ("value_proj",))
    part = run.translator.model.encoder_layers[1].self_attention
    matrix = part.out_proj.weight.detach().numpy().reshape(256, 8, 32)
    weights = run.record.encoder.weights[1, :, 3]
    added = [matrix[:, h] @ (weights[h] @ values[1, h]) for h in range(8)]
    lengths = np.linalg.norm(added, axis=-1)
    whole = np.linalg.norm(sum(added) + part.out_proj.bias.detach().numpy())
    rank = sum(lengths >= lengths[2])
    return {"length": lengths[2], "rank": rank, "whole": whole, "n": 8, "d_model": 256}


@said_at(
    "attention?look=together&together=spread&together_layer=2&kind=encoder&row=4",
    "attention-together-largest",
)
def spread(run):
    heads = run.record.encoder.weights[1]
    return {"value": max(np.std(heads[:, 3, k]) for k in range(heads.shape[-1]))}


TOGETHER = "attention?look=together&kind=encoder&row=10"


def rows_of_heads(run):
    """Row 10 in every head of the encoder, and their mean, in double precision."""
    rows = [run.record.encoder.weights[at][9].tolist() for at in np.ndindex(4, 8)]
    return rows, [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@said_at(TOGETHER, "attention-together-agree")
def heads_with_the_key_of_the_mean(run):
    rows, mean = rows_of_heads(run)
    agree = [row for row in rows if row.index(max(row)) == mean.index(max(mean))]
    return {"n": len(agree), "of": 32}


@said_at(TOGETHER, "attention-together-hides")
def weight_that_the_mean_hides(run):
    rows, mean = rows_of_heads(run)
    others = [row for row in rows if row.index(max(row)) != mean.index(max(mean))]
    hidden = max(others, key=lambda row: max(row) - mean[row.index(max(row))])
    return {"weight": max(hidden)}


@said_at(f"attention?look=ribbons&{HEAD}&kind=encoder&share=100", "attention-ribbons-drawn")
def every_ribbon(run):
    n = len(run.src)
    return {"n": n * n, "hidden": 0, "layer": 2, "n_heads": 1}


PAIR = f"attention?look=pair&{HEAD}&kind=encoder&row=10&column=2"


def twins(run):
    """The weights of the encoder in both sentences on the words that both have."""
    other = run.translator.translate(run.example.twin)
    pairs = [
        i
        for i, both in enumerate(zip(run.src.tokens, other.src.tokens, strict=True))
        if len({*both}) == 1
    ]
    return [each.encoder.weights[:, :, pairs][..., pairs] for each in (run.record, other.attention)]


@said_at(PAIR, "attention-pair-weight-to")
def weights_of_twins(run):
    before, after = (each[AT][9] for each in twins(run))
    street = run.src.pieces_of("street")[0]
    return [{"before": before[at], "after": after[at]} for at in (1, street)]


@said_at(PAIR, "attention-pair-weight-other")
def most_moved_link(run):
    before, after = (each[:, :, 9, 1].ravel() for each in twins(run))
    most = abs(after - before).argmax()
    return {"n": 32, "before": before[most], "after": after[most]}


@said_at(PAIR, "attention-pair-moved")
def moved_between_twins(run):
    before, after = (each[AT] for each in twins(run))
    rows = [sum(abs(a - b)) / 2 for a, b in zip(before, after, strict=True)]
    return {"n": len(rows), "share": np.mean(rows), "most": max(rows)}


# -- masks -----------------------------------------------------------------------------------

SEEN = "masks?mask_look=seen&seen_layer=2&seen_head=3&seen_row=4"


def beyond_the_mask(run):
    """Weight that later tokens would have, for every row of a decoder head."""
    raised = np.exp(run.record.decoder.scores[AT].astype(float))
    return [sum(row[i + 1 :]) / sum(row) for i, row in enumerate(raised)]


@said_at(SEEN, "masks-seen-moved")
def moved_by_the_mask(run):
    rows = beyond_the_mask(run)[:-1]
    return {"share": np.mean(rows), "n": len(rows)}


@said_at(SEEN, "masks-seen-row")
def row_moved_by_the_mask(run):
    return {"share": beyond_the_mask(run)[3]}


@said_at(f"{SEEN}&seen_peek=true", "masks-seen-peek-words")
def looks_ahead(run):
    record, _ = run.translator.teacher_force(run.src, run.tgt, read_change("peek"))
    ahead = np.triu(record.decoder.weights[AT], 1)
    return {"share": ahead.sum(-1)[:-1].mean(), "weight": ahead.max()}


@said_at(f"{SEEN}&seen_peek=true", "masks-seen-forced-words")
def forced_without_the_mask(run):
    before, after = (own_log_probs(run, read_change(text)) for text in ("", "peek"))
    each = {"before_each": before.mean(), "after_each": after.mean()}
    return {"before": before.sum(), "after": after.sum(), **each}


OFF = "masks?mask_look=change&change=zero-encoder-2.3"


@said_at(OFF, "masks-effect-total")
def total_without_a_head(run):
    before, after = (own_log_probs(run, read_change(text)) for text in ("", "zero-encoder-2.3"))
    return {"before": before.sum(), "after": after.sum()}


def of_the_most_moved_head(before, after):
    """Half of what changed in each row of the head in which most did; (L, H, T_q, T_k) by site."""
    rows = [
        abs(new - old).sum(-1) / 2
        for sites in zip(before, after, strict=True)
        for old, new in zip(*(each.reshape(-1, *each.shape[2:]) for each in sites), strict=True)
    ]
    most = max(rows, key=np.mean)
    return {"mean": np.mean(most), "most": max(most), "row": 1 + int(np.argmax(most))}


@said_at(OFF, "masks-effect-moved")
def moved_weights(run):
    record, _ = run.translator.teacher_force(run.src, run.tgt, read_change("zero-encoder-2.3"))
    sides = [[each.weights for each in of.maps] for of in (run.record, record)]
    return of_the_most_moved_head(*sides)


@said_at("masks?mask_look=change&change=hide-both-2&measure=length", "masks-effect-moved")
def moved_norms(run):
    sides = [
        [added_lengths(run, kind, change) for kind in ("encoder", "decoder", "cross")]
        for change in (None, hide(1))
    ]
    return of_the_most_moved_head(*sides)


@said_at("masks?mask_look=change", "masks-change-pronoun")
def pronoun_without_its_antecedent(run):
    place = run.tgt.pieces_of("es")[0]
    forms = [run.translator.tokenize(form).ids[0] for form in ("es", "sie", "er")]
    hidden = hide(*run.src.pieces_of("animal"))
    before, after = (np.exp(forced(run, change)[place, forms]) for change in (None, hidden))
    return {"before": before[0], "after": after[0], "likeliest": after.max()}


KNOCKOUT = "masks?mask_look=knockout&knock_how=uniform"


@once_a_run
def without_each_head(run):
    every = [
        f"{kind}-{n + 1}.{head}"
        for kind in ("encoder", "decoder", "cross")
        for n in range(run.record.of(kind).n_layers)
        for head in range(1, 9)
    ]
    return np.stack([forced(run, read_change(f"uniform-{each}")) for each in every])


@said_at(KNOCKOUT, "masks-knockout-missed")
def most_missed_head(run):
    own = without_each_head(run)[:, np.arange(len(run.tgt)), run.tgt.ids].sum(-1)
    return {"n": 64, "change": min(own) - own_log_probs(run).sum()}


@said_at(KNOCKOUT, "masks-knockout-spared")
def coreference_head_alone(run):
    own = without_each_head(run)[31, np.arange(len(run.tgt)), run.tgt.ids].sum()
    return {"change": own - own_log_probs(run).sum()}


@said_at(KNOCKOUT, "masks-knockout-lowest")
def head_that_the_pronoun_needs(run):
    at = run.tgt.pieces_of("es")[0]
    plain, without = forced(run)[at], without_each_head(run)[:, at]
    own = run.tgt.ids[at]
    return {"plain": np.exp(plain[own]), "share": np.exp(without[:, own]).min()}


EXPLAIN = "masks?mask_look=explain&explain_head=2.3"


@once_a_run
def drops(run):
    """Drop of log p of each output token when one source token is hidden."""
    plain = own_log_probs(run)
    return np.stack([plain - own_log_probs(run, hide(k)) for k in range(len(run.src))], axis=1)


def mean_spearman(rows, others):
    return np.mean([spearmanr(*both).statistic for both in zip(rows, others, strict=True)])


@said_at(EXPLAIN, "masks-explain-signed")
def attention_beside_drops(run):
    weights, apart = run.record.cross.weights[AT], drops(run)
    at = run.tgt.pieces_of("es")[0]
    here = spearmanr(weights[at], apart[at]).statistic
    return [{"number": here}, {"number": mean_spearman(weights, apart)}]


@said_at(EXPLAIN, "masks-explain-needed")
def probability_with_and_without_the_needed_token(run):
    at = run.tgt.pieces_of("es")[0]
    own = own_log_probs(run)[at]
    return {"before": math.exp(own), "after": math.exp(own - drops(run)[at].max())}


@said_at(EXPLAIN, "masks-explain-over")
def attention_beside_drops_of_many(run):
    rows = stored("en-de/interventions.json")["explain"]["rows"]
    (row,) = (row for row in rows if (row["against"], row["method"]) == ("both", "spearman"))
    here = mean_spearman(run.record.cross.weights[AT], drops(run))
    return {"mean": row["heads"]["mean"][1][2], "spread": row["heads"]["std"][1][2], "here": here}


# -- what a weight is worth ------------------------------------------------------------------


@said_at("worth?worth_look=why&why_head=2.3&why_query=5&why_key=8", "why-found")
def score(run):
    """Content, positions, two sub-layers and biases make 25 pairs."""
    return {"n": 25, "value": run.record.encoder.scores[AT][4, 7], "layer": 2, "head": 3}


@said_at("worth?worth_look=atlas&atlas_head=encoder-3-8", "atlas-open-off")
def importance_of_a_head(run):
    return {"off": stored("en-de/roles.json")["off"]["zero"]["encoder"]["value"][2][7]}


@said_at("worth?worth_look=share", "share-agreement")
def owed_beside_drops(run):
    owed = share_of(run.translator, run.record).source
    weights = run.record.cross.weights
    mean = sum(weights[at] for at in np.ndindex(2, 8)) / 16
    apart = drops(run)
    return {"alti": mean_spearman(owed, apart), "weights": mean_spearman(mean, apart)}


@said_at("worth?worth_look=gold&gold_part=heads&gold_reading=reads", "gold-measured")
def best_aligning_map(run):
    errors = pd.DataFrame(stored("en-de/gold.json")["sets"]["rwth-de-en"]["maps"])
    errors = errors[errors["reading"] == "reads"]
    along = errors.loc[errors["map"] == "diagonal", "error"].item()["value"]
    weighed = errors.loc[errors["map"].isin(["weight", "mean", "all"]), "error"]
    best = min(weighed, key=lambda each: each["value"])
    told = "{value:.1%} ({low:.1%} to {high:.1%})".format(**best)
    return {"error": told, "diagonal": along, "n": 508, "published": 4}


# -- positions -------------------------------------------------------------------------------

ROTATION = "positions?encoding_part=rotation&encoding_pos=7&encoding_dim=12&encoding_offset=5"
ENCODING = {
    (pos, i): math.sin(pos / 10_000 ** (i / 256)) for pos in range(160) for i in range(0, 256, 2)
}


@said_at(ROTATION, "positions-in-table")
def value_in_the_table(run):
    value = run.translator.model.positions.table[7, 12].item()
    return {"value": value, "away": abs(value - ENCODING[7, 12])}


@said_at(ROTATION, "positions-lengths")
def lengths_of_embeddings(run):
    vectors = 16 * run.translator.model.embedding.weight[list(run.src.ids)].detach().norm(dim=-1)
    ends = {"shortest": vectors.min().item(), "longest": vectors.max().item()}
    return {"mean": vectors.mean().item(), **ends, "measured": math.sqrt(128)}


@said_at(ROTATION, "positions-turned-less")
def turned(run):
    radians = 5 / 10_000 ** (12 / 256)
    angles = {"radians": radians, "degrees": math.degrees(radians), "turns": radians / math.tau}
    return {"pair": 6, "offset": 5, "frequency": radians / 5, **angles}


@said_at("positions?encoding_part=helix&encoding_length=40", "positions-helix")
def variance_of_three_components(run):
    table = run.translator.model.positions.table[:40].double().numpy()
    squares = np.linalg.svd(table - table.mean(0), compute_uv=False) ** 2
    return {"k": 3, "n": 40, "share": squares[:3].sum() / squares.sum()}


@said_at("positions?position_look=order&order_text=The old dog sleeps", "order-layers-caption")
@torch.inference_mode()
def two_orders(run):
    reader = run.translator
    src = reader.tokenize("The old dog sleeps")
    words = [src.pieces_of(word) for word in ("sleeps", "dog", "old", "The")]
    order = [place for word in words for place in word] + [len(src) - 1]
    apart, ids = {}, torch.tensor([src.ids])
    for name, change in (("without", "source-absent"), ("moved", "")):
        with reader.running(read_change(change), len(src), 1) as model:
            first, second = model.encode(ids)[0], model.encode(ids[:, order])[0]
        apart[name] = (first[order] - second).norm(dim=-1)
    most = order[int(apart["moved"].argmax())]
    lengths = {"moved": apart["moved"].max().item(), "length": first[most].norm().item()}
    assert apart["without"].max() < 1e-4
    return lengths


# -- blocks ----------------------------------------------------------------------------------

BLOCK = "block_stack=decoder&block_decoder_step=decoder.2.cross&block_decoder_token=5"


def at_the_norm(run):
    """Input, output and sum of the sub-layer at the fifth token."""
    residual, heard = run.translator.model.decoder_layers[1].cross_attention_residual, []
    with listening({residual: lambda _, given, output: heard.extend((*given, output))}):
        forced(run)
    return [each[0, 4].double().numpy() for each in heard]


@said_at(f"block?block_look=stream&{BLOCK}", "block-stream-found")
def added_by_a_sublayer(run):
    before, added, _ = at_the_norm(run)
    length, longer = np.linalg.norm(before), np.linalg.norm(before + added)
    turn = np.arccos(before @ (before + added) / length / longer)
    return {"ratio": np.linalg.norm(added) / length, "turn": np.degrees(turn)}


@said_at(f"block?block_look=norm&{BLOCK}", "block-norm-found")
def standard_deviation_at_a_norm(run):
    before, added, after = at_the_norm(run)
    return {"given": np.std(before + added), "scaled": np.std(after)}


@said_at("block?block_look=lens&block_decoder_token=5", "block-lens-found")
def rank_and_probability_of_the_written_token(run):
    row, own = forced(run)[4], run.tgt.ids[4]
    return {"rank": 1 + sum(row > row[own]), "last": np.exp(row[own])}


@said_at("block?block_look=gradients&block_weights=trained", "block-gradients-alt")
def loss_of_the_output(run):
    return {"n": len(run.tgt), "loss": -own_log_probs(run).mean()}


# -- the search ------------------------------------------------------------------------------


@said_at("beam?beam_look=tree", "beam-ledger-score")
def score_of_the_open_node(run):
    """Open is what the model was least sure of, with the length penalty of Wu et al. 2016."""
    own = own_log_probs(run)
    n = 1 + int(own.argmin())
    penalty = ((5 + n) / 6) ** 0.6
    return {"sum": own[:n].sum(), "penalty": penalty, "score": own[:n].sum() / penalty}


@said_at("beam?beam_look=tree&text=I would like to book a table for two.", "beam-tree-found")
def greedy_behind_the_beam(run):
    ids: list[int] = []
    while run.translator.eos_id not in ids:
        ids.append(int(forced(run, ids=[*ids, 0])[-1].argmax()))
    penalised = [
        own_log_probs(run, ids=each).sum() / ((5 + len(each)) / 6) ** 0.6
        for each in (ids, run.tgt.ids)
    ]
    return {"other": penalised[0], "score": penalised[1]}


@said_at("beam?beam_look=errors", "beam-tally-misses")
def shares_of_missed_references(run):
    lines = [
        each for each in stored("en-de/search.json")["errors"]["tally"] if each["beam_size"] == 5
    ]
    names = {"search": "search error", "penalty": "length penalty", "model": "model error"}
    n = sum(each["sentences"] for each in lines)
    shares = {
        name: sum(each["sentences"] * each["normalised"][kind] for each in lines) / n
        for name, kind in names.items()
    }
    return {"width": 5, "n": n, **shares}


# -- training --------------------------------------------------------------------------------


def recorded_training():
    return pd.read_json(ROOT / "checkpoints/en-de/metrics.jsonl", lines=True)


@said_at("training?training_look=forming&curve_runs=en-de", "training-curves-found")
def ends_of_the_curves(run):
    told = {}
    for name in ("loss", "val_loss"):
        curve = recorded_training().dropna(subset=name).set_index("step")[name]
        told |= {f"{name}_first": curve.iloc[0], f"{name}_least": curve.min()}
        told |= {f"{name}_step": curve.idxmin()}
    return told


@said_at("training?training_look=warmup&rate_warmup=400&rate_d_model=128", "training-rate-own")
def highest_rate_of_the_training(run):
    rates = recorded_training().dropna(subset="lr").set_index("step")["lr"]
    return {"rate": rates.max(), "step": rates.idxmax()}


@said_at(
    "training?training_look=smoothing&smoothing_token=3&smoothing_epsilon=0.2",
    "training-target-alt",
)
def losses_of_a_smoothed_target(run):
    row, label = forced(run)[2], run.tgt.ids[2]
    target = np.full(len(row), 0.2 / len(row))
    target[label] += 0.8
    losses = {"plain": -row[label], "smoothed": -(target * row).sum()}
    return {**losses, "least": -(target * np.log(target)).sum()}


@said_at(
    "training?training_look=smoothing&smoothing_token=3&smoothing_epsilon=0.2",
    "training-target-found",
)
def smoothed_target(run):
    n = run.translator.vocab_size
    given = math.exp(forced(run)[2, run.tgt.ids[2]])
    return {"on_label": 0.8 + 0.2 / n, "on_others": 0.2 / n, "given": given, "epsilon": 0.2}


# -- other pages -----------------------------------------------------------------------------

SYSTEMS = "lineage-bahdanau", "lineage-transformer"


@said_at(f"lineage?lineage_look=systems&lineage_systems={','.join(SYSTEMS)}", "lineage-numbers")
def log_p_of_systems(run):
    readers = [load_translator(name) for name in SYSTEMS]
    ids = [reader.tokenize(run.translation.text).ids for reader in readers]
    found = [own_log_probs(run, None, *each) for each in zip(ids, readers, strict=True)]
    return [{"log_p": each.sum(), "mean": each.mean(), "n": len(each)} for each in found]


@said_at("lineage?lineage_look=step&checkpoint=lineage-bahdanau&step_token=4", "lineage-step")
def one_step(run):
    return {"n": 4, "p": np.exp(own_log_probs(run)[3])}


@said_at("captions?captions_beside=none", "captions-note-sum")
def gaze_over_time(run):
    total = sum(run.record.of("gaze").weights[0, 0])
    ends = {"least": total.min(), "most": total.max(), "mean": sum(total) / len(total)}
    return {"steps": len(run.tgt), **ends}


@said_at("documents?documents_look=read", "documents-judged")
def probability_of_the_predicted_class(run):
    reader = load_model("documents-han")
    judged = reader.judge(reader.document(next(iter(examples().values())).text), DocumentChange())
    return {"prob": max(judged.probs)}


@said_at("documents?documents_look=read&document_left=1", "documents-moved")
def points_that_a_sentence_moves(run):
    reader = load_model("documents-han")
    src = reader.document(next(iter(examples().values())).text)
    change = DocumentChange(frozenset({0}), frozenset(), "unread")
    before, after = (reader.judge(src, each).probs for each in (DocumentChange(), change))
    return [{"points": 100 * (b - a)} for a, b in zip(before, after, strict=True)]


GUESS = "masked?masked_look=guess&masked_words=2"


def masked(run, *places, **reading):
    ids = [
        run.translator.model.config.mask_id if i in places else id
        for i, id in enumerate(run.src.ids)
    ]
    with torch.inference_mode():
        logits = run.translator.model(torch.tensor([ids]), **reading)[0]
    return logits.double().log_softmax(-1).numpy()


def alone(run, **reading):
    places = range(1, len(run.src) - 1)  # but the signs at both ends
    return np.array([masked(run, at, **reading)[at, run.src.ids[at]] for at in places])


@said_at(GUESS, "masked-found")
def guess_of_a_masked_word(run):
    row, own = masked(run, 2)[2], run.src.ids[2]
    return {"both": np.exp(row[own]), "both_rank": 1 + sum(row > row[own])}


@said_at(GUESS, "masked-rests-heads")
def heads_beside_drops(run):
    record = run.translator.attend_to(run.src, (2,))
    weights = record.maps[0].weights
    mean = sum(weights[at][2] for at in np.ndindex(*weights.shape[:2]))
    found = run.translator.leave_one_out(run.src, (2,), 2)
    apart = found.log_prob - found.without
    return {"number": spearmanr(mean[list(found.others)], apart).statistic}


EACH = "masked?masked_look=guess&masked_part=each"


@said_at(EACH, "masked-sides-found")
def token_that_gains_most(run):
    both, left = np.exp(alone(run)), np.exp(alone(run, left_only=True))
    most = max(range(len(both)), key=lambda at: both[at] - left[at])
    return {
        "n": len(both),
        "better": sum(more > less for more, less in zip(both, left, strict=True)),
        "both": both[most],
        "left": left[most],
    }


@said_at(EACH, "masked-sides-caption")
def every_token_masked_in_turn(run):
    return {"both": alone(run).sum(), "left": alone(run, left_only=True).sum()}


# -- what the table is held against ----------------------------------------------------------


@pytest.mark.parametrize("address", SAID)
def test_the_numbers_of_a_message_are_those_worked_out_another_way(address):
    with listening_to_messages() as said:
        page = at_address(address)
    run = page.session_state["run"]
    for id, work_out in SAID[address].items():
        expected = work_out(run)
        several = expected if isinstance(expected, list) else [expected]
        assert len(said[id]) >= len(several), f"{id} is not said"
        for values, wanted in zip(said[id][-len(several) :], several, strict=True):
            for name, number in wanted.items():
                close = number if isinstance(number, str) else pytest.approx(number, 1e-4, 1e-5)
                assert values[name] == close, f"{name} of {id}"


def stored(path: str) -> Any:
    """Read a file under ``checkpoints/`` as JSON."""
    return read_json(ROOT / "checkpoints" / path)


def projected(
    run: Run,
    names: tuple[str, ...],
    kind: str = "encoder",
    change: Intervention | None = None,
) -> list[np.ndarray]:
    """Projected vectors of a site, each (L, H, T, d_k)."""
    model, heard = run.translator.model, {name: [] for name in names}
    hooks = {
        getattr(part, name): lambda _, __, made, name=name: heard[name].append(made[0].numpy())
        for part in parts_of(model, kind)
        for name in names
    }
    with listening(hooks):
        forced(run, change)
    return [
        np.stack([each.reshape(len(each), 8, -1).swapaxes(0, 1) for each in heard[name]])
        for name in names
    ]


def parts_of(model: torch.nn.Module, kind: str) -> list[torch.nn.Module]:
    layers = model.encoder_layers if kind == "encoder" else model.decoder_layers
    name = "cross_attention" if kind == "cross" else "self_attention"
    return [getattr(layer, name) for layer in layers]


def added_lengths(run: Run, kind: str, change: Intervention | None = None) -> np.ndarray:
    """||W_O a v|| of every head of a site, rows to one (L, H, T_q, T_k)."""
    (values,) = projected(run, ("value_proj",), kind, change)
    matrices = [
        part.out_proj.weight.detach().numpy() for part in parts_of(run.translator.model, kind)
    ]
    matrices = np.stack(matrices).reshape(len(values), -1, 8, values.shape[-1])
    added = np.linalg.norm(np.einsum("lhkv,ldhv->lhkd", values, matrices), axis=-1)
    record = run.record
    if change is not None:
        record, _ = run.translator.teacher_force(run.src, run.tgt, change)
    lengths = record.of(kind).weights * added[:, :, None]
    return lengths / lengths.sum(-1, keepdims=True)


@torch.inference_mode()
def forced(run: Run, change: Intervention | None = None, ids=(), reader=None) -> np.ndarray:
    """Log-probabilities (T_tgt, V) of one pass over the output, or over other ids."""
    reader, ids = reader or run.translator, list(ids or run.tgt.ids)
    src = reader.tokenize(run.src.text)
    with reader.running(change or None, len(src), len(ids)) as model:
        begin = torch.tensor([[model.config.bos_id, *ids[:-1]]])
        logits = model(reader.input_of(src), begin)
    logits = logits[0] if isinstance(logits, torch.Tensor) else logits[0][0]
    return logits.double().log_softmax(-1).numpy()


def own_log_probs(run: Run, change: Intervention | None = None, ids=(), reader=None) -> np.ndarray:
    """Log-probabilities of the tokens of the output, or of other ids."""
    ids = list(ids or run.tgt.ids)
    return forced(run, change, ids, reader)[np.arange(len(ids)), ids]
