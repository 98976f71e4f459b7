"""What a checkpoint does when something is hidden from it, and whether its attention tells.

Stored as ``interventions.json`` beside the weights. Every part is saved when it is done, and the
same command goes on from there. Layers and heads count from 0.

``head_means``
    For each kind the mean output of every head, (L, H, d_k), before W_O: over all positions of
    validation pairs, teacher-forced with their references. ``sentences`` and ``positions`` say
    over how many. The "mean" ablation puts them in the place of a head's output.
``pronoun``
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
import json
import math
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from model import Translator
from model.attention import MultiHeadAttention
from model.capture import listening
from model.checkpoint import INTERVENTIONS, LoadedCheckpoint
from model.experiments.explain import gradient_times_input, hide_each, rank_correlation, read_pair
from model.intervene import intervening
from model.read import likeliest_outputs, read_ids, tensor_of
from model.tokenizer import SPACE, TextTokenizer
from model.transformer import Transformer
from records import Decoding, Intervention, MaskedCell, TokenSequence, hide

from .card import hardware
from .coreference import PRONOUN_FORMS, CoreferencePair, generate_held_out
from .corpus import Pair, read_pairs
from .evaluate import HELD_OUT_PAIRS, HELD_OUT_SEED, pronoun_is_right
from .sweep import spread_out

SETS = {
    "multi30k_val": "multi30k-en-de/val.tsv.gz",
    "tatoeba_val": "tatoeba-en-de/val.tsv.gz",
}
DECODING = Decoding(beam_size=1)
MEANS_PER_SET = 250
EXPLAIN_PER_SET = 100
WHERES = (
    "encoder_from_it", "encoder_from_it_best", "encoder_from_it_guided", "cross_from_pronoun",
    "cross_from_pronoun_best", "it_and_pronoun", "cross", "encoder", "both",
)  # fmt: skip
WORDS = ("antecedent", "antecedent_phrase", "other", "other_phrase", "control")
CONTROL = (
    "another word of the sentence, outside both noun phrases and not 'it', with as many pieces as "
    "the antecedent; drawn with the sentence as seed"
)
AGAINST = ("both", "cross", "gradient")
METHODS = ("spearman", "kendall")
WILSON_Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations

Place = tuple[int, int]
Save = Callable[[dict[str, Any]], object]


# -- mean outputs of heads -----------------------------------------------------------------


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


# -- the pronoun ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Followed:
    """A held-out sentence and the place in its plain output that writes the pronoun.

    Attributes
    ----------
    row : the decoder position that writes the pronoun.
    form_ids : the id of each form of the pronoun, spelled as the output spells it.
    written, right : the form in the output, and that of the reference; lower case.
    it, hidden : source positions of "it", and of each of `WORDS`.
    """

    pair: CoreferencePair
    src: TokenSequence
    tgt: TokenSequence
    row: int
    form_ids: dict[str, int]
    written: str
    right: str
    it: tuple[int, ...]
    hidden: dict[str, tuple[int, ...]]


def pronoun_forms_in(pair: CoreferencePair, text: str) -> list[tuple[int, int]]:
    """Spans of the words of `text` that are forms of the pronoun in its case."""
    forms = set(PRONOUN_FORMS[pair.case].values())
    return [m.span() for m in re.finditer(r"\w+", text) if m[0].lower() in forms]


def noun_phrase(source: str, noun: tuple[int, int]) -> tuple[int, int]:
    """The span of a noun with its determiner and the adjective between them."""
    before = _BEFORE_NOUN.search(source[: noun[0]])
    return (before.start() if before else noun[0], noun[1])


_BEFORE_NOUN = re.compile(r"\b(?:the|this|an?|my) (?:\w+ )?$", re.IGNORECASE)


def control_word(pair: CoreferencePair, src: TokenSequence) -> tuple[int, ...]:
    """Positions of a word that should not matter, see `CONTROL`; () when there is none."""
    phrases = [noun_phrase(pair.source, noun) for noun in (pair.antecedent, pair.distractor)]
    taken = {i for span in (*phrases, pair.pronoun) for i in src.pieces_at(*span)}
    n_pieces = len(src.pieces_at(*pair.antecedent))
    words = [src.pieces_at(*m.span()) for m in re.finditer(r"[\w']+", pair.source)]
    fitting = [w for w in words if len(w) == n_pieces and not taken.intersection(w)]
    return random.Random(pair.source).choice(fitting) if fitting else ()


def follow(
    tokenizer: TextTokenizer, pair: CoreferencePair, src: TokenSequence, tgt: TokenSequence
) -> Followed | None:
    """Find the pronoun in an output; None unless it has just one form, written as one piece."""
    spans = pronoun_forms_in(pair, tgt.text)
    control = control_word(pair, src)
    if len(spans) != 1 or not control:
        return None
    written = tgt.text[slice(*spans[0])]
    row = tgt.pieces_at(*spans[0])[0]
    form_ids = {}
    for form in dict.fromkeys(PRONOUN_FORMS[pair.case].values()):
        spelled = form.capitalize() if written[0].isupper() else form
        form_ids[form] = tokenizer.id_of(SPACE + spelled)
    if None in form_ids.values() or tgt.ids[row] != form_ids[written.lower()]:
        return None
    return Followed(
        pair=pair,
        src=src,
        tgt=tgt,
        row=row,
        form_ids=form_ids,
        written=written.lower(),
        right=pair.target[slice(*pair.target_pronoun)].lower(),
        it=src.pieces_at(*pair.pronoun),
        hidden={
            "antecedent": src.pieces_at(*pair.antecedent),
            "antecedent_phrase": src.pieces_at(*noun_phrase(pair.source, pair.antecedent)),
            "other": src.pieces_at(*pair.distractor),
            "other_phrase": src.pieces_at(*noun_phrase(pair.source, pair.distractor)),
            "control": control,
        },
    )


def changes_of(
    item: Followed, hidden: Sequence[int], heads: dict[str, Place | None]
) -> dict[str, Intervention]:
    """For each of `WHERES` the intervention that hides the positions `hidden` there.

    `heads` are those of `followed_heads`; places whose head is None are left out.
    """

    def from_it(place: Place | None = None) -> Intervention:
        return _cells("encoder", item.it, hidden, place)

    def from_pronoun(place: Place | None = None) -> Intervention:
        return _cells("cross", (item.row,), hidden, place)

    found = {
        "encoder_from_it": from_it(),
        "encoder_from_it_best": heads["encoder"] and from_it(heads["encoder"]),
        "encoder_from_it_guided": heads["guided"] and from_it(heads["guided"]),
        "cross_from_pronoun": from_pronoun(),
        "cross_from_pronoun_best": heads["cross"] and from_pronoun(heads["cross"]),
        "it_and_pronoun": from_it() | from_pronoun(),
        "cross": hide(*hidden, where="cross"),
        "encoder": hide(*hidden, where="encoder"),
        "both": hide(*hidden),
    }
    return {where: change for where, change in found.items() if change is not None}


def every_change(
    item: Followed, heads: dict[str, Place | None]
) -> dict[tuple[str, str], Intervention]:
    """For each of `WHERES` and `WORDS` the intervention that hides that word there."""
    by_word = {word: changes_of(item, item.hidden[word], heads) for word in WORDS}
    return {
        (where, word): by_word[word][where]
        for where in WHERES
        for word in WORDS
        if where in by_word[word]
    }


def _cells(
    kind: str, queries: Iterable[int], keys: Sequence[int], place: Place | None
) -> Intervention:
    layer, head = place or (None, None)
    return Intervention(
        masked=tuple(MaskedCell(kind, layer, head, q, k) for q in queries for k in keys)
    )


def followed_heads(card: Any) -> dict[str, Place | None]:
    """The best encoder and cross-attention head, and the guided one unless that is the best."""

    def place(entry: Any) -> Place | None:
        return (entry["layer"], entry["head"]) if entry else None

    heads = {kind: place(card.heads.get(kind)) for kind in ("encoder", "cross")}
    guided = place(card.guided)
    return {**heads, "guided": None if guided == heads["encoder"] else guided}


@dataclass(frozen=True)
class Outcome:
    """What became of one pronoun: `change` of log-odds when forced, `other_gender` when searched.

    `half` is that of the sentence.
    """

    half: str
    flipped: bool
    right: bool
    change: float = math.nan
    other_gender: bool = False


Outcomes = dict[tuple[str, str], list[Outcome]]


@torch.inference_mode()
def form_log_probs(
    model: Transformer, item: Followed, changes: Sequence[Intervention]
) -> np.ndarray:
    """log p of each form of the pronoun at its row, with nothing hidden and under each change.

    Returns
    -------
    float32 array (1 + number of changes, number of forms), natural
    """
    device = model.embedding.weight.device
    src = torch.tensor([item.src.ids], device=device)
    read = torch.tensor([[model.config.bos_id, *item.tgt.ids[: item.row]]], device=device)
    every = (Intervention(), *changes)
    with intervening(model, every, n_src=src.shape[1], n_tgt=read.shape[1]) as changed:
        hidden = changed.decode_hidden(read, changed.encode(src))[:, -1]  # (B, d_model)
    log_probs = model.logits(hidden).log_softmax(dim=-1)
    return log_probs[:, list(item.form_ids.values())].cpu().numpy()


def force(
    model: Transformer, items: Sequence[Followed], heads: dict[str, Place | None]
) -> Outcomes:
    """Hide words with the plain output before the pronoun kept as it is."""
    outcomes: Outcomes = {}
    for item in tqdm(items, desc="pronouns, forced", unit="sentence"):
        changes = every_change(item, heads)
        log_probs = form_log_probs(model, item, tuple(changes.values()))
        right = list(item.form_ids).index(item.right)
        odds = log_probs[:, right] - np.delete(log_probs, right, axis=1).max(axis=1)
        likeliest = log_probs.argmax(axis=1)
        for number, key in enumerate(changes, start=1):
            outcome = Outcome(
                half=item.pair.half,
                flipped=bool(likeliest[number] != likeliest[0]),
                right=bool(likeliest[number] == right),
                change=float(odds[number] - odds[0]),
            )
            outcomes.setdefault(key, []).append(outcome)
    return outcomes


def judge_output(item: Followed, text: str) -> Outcome:
    """Whether the pronoun of a new output is another one than that of the plain output."""

    def forms(of: str) -> Counter:
        return Counter(of[slice(*span)].lower() for span in pronoun_forms_in(item.pair, of))

    found = forms(text)
    flipped = found != forms(item.tgt.text)
    return Outcome(
        half=item.pair.half,
        flipped=flipped,
        right=pronoun_is_right(item.pair, text),
        other_gender=flipped and found.total() == 1,
    )


def search_anew(
    model: Transformer,
    tokenizer: TextTokenizer,
    items: Sequence[Followed],
    heads: dict[str, Place | None],
) -> Outcomes:
    """Hide words and search again, greedily; the pronoun's row is that of the plain output."""
    outcomes: Outcomes = {}
    for item in tqdm(items, desc="pronouns, searched", unit="sentence"):
        changes = every_change(item, heads)
        # As many as `Translator.translate` allows.
        max_len = min(2 * len(item.src) + 10, model.config.max_len)
        found = greedy_outputs(model, item.src.ids, tuple(changes.values()), max_len)
        for key, ids in zip(changes, found, strict=True):
            outcome = judge_output(item, tokenizer.decode(ids).text)
            outcomes.setdefault(key, []).append(outcome)
    return outcomes


@torch.inference_mode()
def greedy_outputs(
    model: Transformer, src_ids: Sequence[int], changes: Sequence[Intervention], max_len: int
) -> list[tuple[int, ...]]:
    """One greedy translation of the source under each change, all in one batch.

    Each is as long as it needs, ``</s>`` included, or `max_len` tokens.
    """
    with intervening(model, changes, n_src=len(src_ids), n_tgt=max_len) as changed:
        return likeliest_outputs(changed, tensor_of(model, src_ids), [max_len] * len(changes))


def rows_of(outcomes: Outcomes) -> list[dict[str, Any]]:
    """One row for each place and word, with all sentences and each half."""
    rows = []
    for (where, word), found in outcomes.items():
        row: dict[str, Any] = {"where": where, "word": word, "all": summary(found)}
        for half in ("first", "second"):
            row[half] = summary([outcome for outcome in found if outcome.half == half])
        rows.append(row)
    return rows


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Counts, and the share of flips with its bounds; shares of nothing are None."""
    n, flips = len(outcomes), sum(o.flipped for o in outcomes)
    right = sum(o.right for o in outcomes)
    low, high = wilson(flips, n)
    changes = [o.change for o in outcomes if not math.isnan(o.change)]
    entry = {
        "n": n,
        "flips": flips,
        "share": _number(flips / n if n else math.nan),
        "low": _number(low),
        "high": _number(high),
        "right": right,
        "share_right": _number(right / n if n else math.nan),
    }
    if changes:
        entry["log_odds_change"] = _number(float(np.mean(changes)))
    else:
        entry["other_gender"] = sum(o.other_gender for o in outcomes)
    return entry


def wilson(k: int, n: int) -> tuple[float, float]:
    """Bounds of a share of `k` in `n` (Wilson 1927), 95 %; NaN when n is 0."""
    if not n:
        return math.nan, math.nan
    z2 = WILSON_Z**2
    centre = (k + z2 / 2) / (n + z2)
    spread = WILSON_Z / (n + z2) * math.sqrt(k * (n - k) / n + z2 / 4)
    return max(0.0, centre - spread), min(1.0, centre + spread)


# -- does attention explain? ---------------------------------------------------------------


def correlations(
    model: Transformer, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...], seed: int
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """For each of `AGAINST` and `METHODS` the correlations of one pair, mean over its rows.

    `heads` (L, H), `layers` (L,); the others are single numbers; NaN where no row has one.
    """
    weights, log_probs = read_pair(model, src_ids, tgt_ids)  # (L, H, T_tgt, T_src)
    gradient = gradient_times_input(model, src_ids, tgt_ids)
    measures = {"gradient": gradient}
    for where in ("both", "cross"):
        hidden = hide_each(model, src_ids, tgt_ids, hidden_from=where)
        measures[where] = log_probs[:, None] - hidden
    rng = np.random.default_rng(seed)
    rows = {
        "heads": weights,
        "layers": weights.mean(axis=1),
        "average": weights.mean(axis=(0, 1)),
        "permuted_heads": rng.permuted(weights, axis=-1),
        "permuted_average": rng.permuted(weights.mean(axis=(0, 1)), axis=-1),
        "gradient": gradient,
    }
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for against in AGAINST:
        for method in METHODS:
            entry = {
                name: _mean(rank_correlation(each, measures[against], method))
                for name, each in rows.items()
                if name != against
            }
            entry["permuted_heads"] = np.nanmean(entry["permuted_heads"])
            found[against, method] = entry
    return found


def explain_rows(
    model: Transformer, pairs: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]
) -> list[dict[str, Any]]:
    """Correlations of many pairs of source and target ids: mean, std and n of each."""
    found = [correlations(model, src, tgt, seed) for seed, (src, tgt) in enumerate(pairs)]
    rows = []
    for against in AGAINST:
        for method in METHODS:
            entries = [each[against, method] for each in found]
            row: dict[str, Any] = {"against": against, "method": method}
            row |= {name: _spread([entry[name] for entry in entries]) for name in entries[0]}
            rows.append({"gradient": None} | row)
    return rows


def _mean(rows: np.ndarray) -> np.ndarray:
    """Mean over the last axis without what is NaN; NaN where nothing else is there."""
    there = ~np.isnan(rows)
    counts = there.sum(-1)
    sums = np.where(there, rows, 0.0).sum(-1, dtype=np.float64)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _spread(values: Sequence[np.ndarray]) -> dict[str, Any]:
    """Mean and standard deviation over sentences, and how many have a number."""
    stacked = np.moveaxis(np.array(values, dtype=np.float64), 0, -1)  # (..., sentences)
    mean = _mean(stacked)
    std = np.sqrt(_mean((stacked - mean[..., None]) ** 2))
    n = (~np.isnan(stacked)).sum(-1)
    return {"mean": _numbers(mean), "std": _numbers(std), "n": n.tolist()}


def _numbers(values: np.ndarray) -> Any:
    nested = values.tolist()
    if isinstance(nested, float):
        return _number(nested)
    return [_numbers(np.asarray(value)) for value in nested]


def _number(value: float) -> float | None:
    """Four decimals; JSON knows no NaN. Adding zero turns -0.0 into 0.0."""
    return None if math.isnan(value) else round(value, 4) + 0.0


# -- all of it -----------------------------------------------------------------------------


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
    CorpusError : a set is missing or damaged.
    """
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    translator = Translator(checkpoint)
    sets = {name: list(read_pairs(data / file)) for name, file in SETS.items()}
    result = _frame(checkpoint, limit)
    if stored and all(stored.get(key) == result[key] for key in ("fingerprint", "settings")):
        parts = ("head_means", "pronoun", "explain")
        result |= copy.deepcopy({part: stored[part] for part in parts if part in stored})

    if not result["head_means"]:
        chosen = _chosen(sets, MEANS_PER_SET, limit, "head means")
        ids = ((tokenizer.encode(p.source).ids, tokenizer.encode(p.target).ids) for p in chosen)
        result["head_means"] = head_means(model, ids)
        save(result)

    pronoun = result["pronoun"]
    if not (pronoun["forced"] and pronoun["searched"]):
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


def translate_plainly(
    translator: Translator, tokenizer: TextTokenizer, pairs: Sequence[CoreferencePair]
) -> tuple[list[Followed], dict[str, Any]]:
    """The sentences whose pronoun can be followed, and how many that are."""
    items, right = [], 0
    for pair in tqdm(pairs, desc="pronouns, plain", unit="sentence"):
        tree = translator.search(pair.source, DECODING)
        tgt = tokenizer.decode(tree.hypothesis(tree.best).ids)
        right += pronoun_is_right(pair, tgt.text)
        item = follow(tokenizer, pair, translator.tokenize(pair.source), tgt)
        if item is not None:
            items.append(item)
    counts = {
        "sentences": len(pairs),
        "right": right,
        "share_right": _number(right / len(pairs)),
        "followed": len(items),
    }
    return items, counts


def _chosen(
    sets: dict[str, list[Pair]], per_set: int, limit: int | None, label: str
) -> Iterable[Pair]:
    chosen = [pair for pairs in sets.values() for pair in spread_out(pairs, per_set)[:limit]]
    return tqdm(chosen, desc=label, unit="sentence")


def _frame(checkpoint: LoadedCheckpoint, limit: int | None) -> dict[str, Any]:
    """The result before anything is measured."""
    card = checkpoint.card
    return {
        "command": f"python -m training intervene --checkpoint {card.name} --data data --write",
        "fingerprint": card.fingerprint,
        "hardware": hardware(),
        "settings": {
            "decoding": {"beam_size": DECODING.beam_size},
            "limit": limit,
            "head_means": {"sets": list(SETS), "pairs_per_set": MEANS_PER_SET},
            "pronoun": {"pairs": HELD_OUT_PAIRS, "seed": HELD_OUT_SEED, "control": CONTROL},
            "explain": {"sets": list(SETS), "sentences_per_set": EXPLAIN_PER_SET},
        },
        "head_means": {},
        "pronoun": {"plain": {}, "heads": {}, "forced": [], "searched": []},
        "explain": {},
    }


def write_interventions(folder: Path, result: dict[str, Any]) -> None:
    """Store `result` at once or not at all, whenever the run is killed."""
    path = folder / INTERVENTIONS
    temporary = path.with_suffix(".json.part")
    text = json.dumps(result, indent=2, ensure_ascii=False)
    # Lists of numbers and names on one line each.
    text = re.sub(r"\[[^\[\]{}]*\]", lambda found: re.sub(r"\n\s*", " ", found[0]), text)
    temporary.write_text(text + "\n", encoding="utf-8")
    os.replace(temporary, path)


def report(result: dict[str, Any]) -> str:
    """The numbers as lines of text."""
    means, pronoun, explain = (result[key] for key in ("head_means", "pronoun", "explain"))
    lines = [f"mean outputs of heads over {means['sentences']} pairs, {means['positions']}"]
    lines.append("plain: " + ", ".join(f"{k} {v}" for k, v in pronoun["plain"].items()))
    for kind in ("forced", "searched"):
        for row in pronoun[kind]:
            found = row["all"]
            change = found.get("log_odds_change")
            lines.append(
                f"{kind}, {row['where']}, {row['word']} hidden: {found['flips']} of {found['n']} "
                f"flip ({row['first']['flips']} first half, {row['second']['flips']} second), "
                f"{found['right']} right" + ("" if change is None else f", log-odds {change:+.3f}")
            )
    for row in explain["rows"]:
        lines.append(
            f"{row['method']} with {row['against']}: "
            + ", ".join(
                f"{name} {row[name]['mean']}"
                for name in ("heads", "layers", "average", "gradient", "permuted_heads",
                             "permuted_average")
                if row[name]
            )
        )  # fmt: skip
    return "\n".join(lines)
