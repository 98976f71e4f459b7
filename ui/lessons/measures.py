"""Measures of lessons: numbers of the model on screen, and the choice that they make right.

A measure takes the run of a step and the step, and returns an `Answer`. It decides; no lesson has
its answer stored.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import takewhile
from string import ascii_lowercase
from typing import Any

import numpy as np

from core.aggregate import rollout
from core.arithmetic import softmax
from core.block import left_of, lens_facts
from core.explain import mean_correlations
from core.hypotheses import hypothesis_text, spelt
from core.interventions.intervention import read_change
from core.measurements import GOLD
from core.measures import mean_distance, mean_entropy, pair_weights, special_mass, strongest_head
from core.search import BeamTree, Hypothesis
from core.tokens import token_label, token_labels
from core.transform import is_special
from model import Translator
from model.experiments.ablation import knock_out
from model.experiments.block import gates_of, lens_of
from model.experiments.padding import padded_pair
from model.experiments.word_order import position_table
from ui.beam.scene import search_again, verdict_on
from ui.beam.verdict import sentence_bleu
from ui.block import stream_of
from ui.effect import reading_of, searched_again
from ui.masks.choices import pronoun_position
from ui.masks.explain import explained
from ui.norm import as_measured, tells_values
from ui.positions.order import both_orders
from ui.state import Run
from viz.block import state_names
from words import numbers

from .book import (
    Answer,
    NoAnswer,
    Step,
    address_of,
    compared,
    found,
    map_from,
    noun_head,
    source_places,
    there,
    written_place,
)

# Differences below it are numerical noise in float32.
ROUNDING = 1e-3
# Weight on one word that makes a head "look there".
HALF = 0.5
EQUAL = 0.2  # weights nearer than this count as equal
# Heads up to which the answer is "few".
SEVERAL = 4
STRONG, MIDDLE = 0.7, 0.4  # limits of rank correlations
CANDIDATES = 4
CLEARER = 1.5  # ratio of two shares that counts as a difference
MOST = 2 / 3  # share of a cell
percent = partial(numbers.percent, digits=0)


# Attention.


def noun_looked_at(run: Run, step: Step) -> Answer:
    """Compare the largest weights from the pronoun to two nouns."""
    attention, rows = map_from(run), source_places(run, run.pack.pronoun)
    weights = {
        noun: pair_weights(attention, rows, source_places(run, noun))
        for noun in step.about["nouns"]
    }
    first, second = sorted(weights, key=lambda noun: -weights[noun].max())
    at = strongest_head(weights[first])
    weight, best = weights[first].max(), weights[second].max()
    return found(
        "both" if weight - best < EQUAL else first,
        at,
        noun=first,
        other=second,
        weight=weight,
        there=weights[second][at],
        best=best,
    )


def heads_on_noun(run: Run, step: Step) -> Answer:
    """Count the heads that give a word more than half of a row, and average all heads."""
    row, column = (source_places(run, step.about[side]) for side in ("row", "column"))
    weights = pair_weights(map_from(run), row, column)
    n = int((weights > HALF).sum())
    return found(
        "none" if not n else "few" if n <= SEVERAL else "many",
        strongest_head(weights),
        n=n,
        of=weights.size,
        weight=weights.max(),
        mean=weights.mean(),
        q=row[0],
        k=column[0],
    )


def layer_by_badge(run: Run, step: Step) -> Answer:
    """Find the layer whose heads attend farthest on average, or with the lowest entropy."""
    far, attention = step.address["badge"] == "distance", map_from(run)
    per_layer = (mean_distance if far else mean_entropy)(attention).mean(axis=1)
    at, last = int(per_layer.argmax() if far else per_layer.argmin()), len(per_layer) - 1
    return found(
        "first" if at == 0 else "last" if at == last else "middle",
        layer=at + 1,
        of=last + 1,
        value=per_layer[at],
        all=" · ".join(map(numbers.fixed, per_layer)),
    )


def weight_on_signs(run: Run, step: Step) -> Answer:
    """Compare the last layer's weight on full stop and end symbol with an even share."""
    attention = map_from(run)
    special = np.array(is_special(attention.key_tokens))
    signs = special.copy()
    signs[list(source_places(run, step.about["sign"]))] = True
    share, end = (attention.weights[-1][..., on].sum(-1).mean() for on in (signs, special))
    even = signs.mean()
    return found(
        # Twice, or half: an even share is rarely met exactly.
        "more" if share > 2 * even else "less" if share < even / 2 else "even",
        share=percent(share),
        even=percent(even),
        end=percent(end),
        of=len(signs),
        layer=attention.n_layers,
    )


def row_from(run: Run, step: Step) -> Answer:
    """Find the word with the most weight in a row, over all heads or by attention rollout.

    In cross-attention, the row that writes its word.
    """
    words = dict(step.about)
    row = words.pop("row")
    if step.address.get("kind") == "cross":
        attention, rows = map_from(run, "target"), (written_place(run, row),)
    else:
        attention, rows = map_from(run), source_places(run, row)
    if "together" in step.address:
        attention = rollout(run.record, attention.kind).attention
    columns = {choice: source_places(run, word) for choice, word in words.items()}
    per_head = {choice: pair_weights(attention, rows, at) for choice, at in columns.items()}
    shares = {choice: weights.mean() for choice, weights in per_head.items()}
    first, second, *_ = sorted(shares, key=lambda choice: -shares[choice])
    best = per_head[first]
    return found(
        first,
        strongest_head(best),
        row=run.spoken(attention.site.query, row),
        word=words[first],
        share=percent(shares[first]),
        second=words[second],
        less=percent(shares[second]),
        heads=int((best > HALF).sum()),
        of=best.size,
        weight=best.max(),
        # The text of one lesson names it; others ignore it.
        animal=percent(shares.get("animal", 0.0)),
        q=rows[0],
        k=columns[first][0],
    )


# Masks and interventions.


def may_be_seen(run: Run, step: Step) -> Answer:
    """Count the positions that the decoder may see while it reads a word."""
    attention = there(run.record.causal)
    # + 1: a word is read one step after it is written.
    query = written_place(run, step.about["row"]) + 1
    seen = np.flatnonzero(attention.mask[query])
    before = np.array_equal(seen, np.arange(query + 1))
    choice = "one" if len(seen) == 1 else "before" if before else "all"
    return found(choice, place=query + 1, n=len(seen), of=attention.mask.shape[1], q=query)


def under_change(run: Run, step: Step) -> Answer:
    """Compare the translations with and without the change of the step."""
    at = noun_head(run) if "{noun_head}" in step.address.get("change", "") else None
    change = read_change(address_of(run, step).get("change", ""))
    texts = run.translation.text, searched_again(run, change).text
    before, after = (run.spoken("target", text) for text in texts)
    reading = reading_of(run, change)
    choice, sums = "same" if before == after else "other", {"sum": reading.plain_total}
    return found(choice, at, before=before, after=after, changed=reading.total, **sums)


def pronoun_under_change(run: Run, step: Step) -> Answer:
    """Compare the pronouns written with and without the change of the step."""
    values = under_change(run, step).values
    before, after = (_pronoun(run, values[side]) for side in ("before", "after"))
    choice = "same" if before == after else "other"
    return found(choice, **values, pronoun=before, other=after)


def _pronoun(run: Run, text: str) -> str:
    words = "".join(c if c.isalpha() else " " for c in text).split()
    # The last form, because a pronoun follows its antecedent.
    word = there(next((word for word in words[::-1] if word.lower() in run.pack.forms), None))
    return run.spoken("target", word)


def unmasked_padding(run: Run, step: Step) -> Answer:
    """Compare the translation of a padded sentence, its padding visible, with that alone."""
    pair = run.ask(padded_pair, run.src, step.address["seen_second"])
    item, site = there(pair.shorter), run.record.between("source", "source")
    unmasked = pair.unmasked[item]
    before, after = pair.alone[item].output.text, unmasked.output.text
    return found(
        "same" if after == before else "other",
        n=unmasked.n_padding,
        before=before,
        after=after,
        masked=pair.masked[item].output.text,
        share=percent(unmasked.on_padding(site).mean() if site else 0.0),
    )


def without_each_head(run: Run, step: Step) -> Answer:
    """Count the heads whose ablation alone changes the greedy translation."""
    each = run.ask_pair(knock_out, "zero")
    n = sum(output.text != each.plain_output.text for output in each.outputs)
    kind, *head = each.heads[int(each.changes.argmin())]
    values = {"n": n, "of": len(each.heads), "site": kind, "change": each.changes.min()}
    return found("other" if n else "same", head, **values)


# Positions and scaling.


def order_without_positions(run: Run, step: Step) -> Answer:
    """Compare encoder states of two orders of the same words, without position encodings."""
    src = run.translator.tokenize(step.address["order_text"])
    both = both_orders(run, src, "reversed")
    without, with_them = (each.distances[-1].max() for each in both.cases.values())
    told = {"without": numbers.scientific(without), "with": with_them}
    return found("same" if without < ROUNDING else "other", **told)


def similar_positions(run: Run, step: Step) -> Answer:
    """Compare products of encodings at equal distance, at two places of the table."""
    if "positions" not in run.capabilities:
        raise NoAnswer
    table, about = position_table(run.translator).values, step.about
    if len(table) <= about["second"] + about["step"]:
        raise NoAnswer
    near, far = (table[p] @ table[p + about["step"]] for p in (about["first"], about["second"]))
    # Relative to the norm of an encoding, since float32 errors grow with it.
    within = ROUNDING * (table[0] @ table[0])
    choice = compared(near - far, "farther", "same", "nearer", within)
    return found(choice, **about, near=near, far=far)


def undivided(run: Run, step: Step) -> Answer:
    """Compare the largest weights of rows with and without division by sqrt(d_k)."""
    attention, config = map_from(run), run.card.config
    if attention.scores is None or not config.get("d_model") or not config.get("n_heads"):
        raise NoAnswer
    d_k = config["d_model"] // config["n_heads"]
    divided = attention.weights.max(-1).mean()
    # The stored scores are divided already.
    plain = softmax(attention.scores * np.sqrt(d_k))[-1].max(-1).mean()
    choice = compared(plain - divided, "smaller", "same", "larger", ROUNDING)
    return found(choice, d_k=d_k, divided=divided, plain=plain)


# Search.


def _best(run: Run, **other: float) -> Hypothesis:
    tree = search_again(run, replace(run.choices.decoding, **other))
    return tree.hypothesis(tree.best)


def narrow_and_wide(run: Run, step: Step) -> Answer:
    """Compare the log-probability of the best outputs of a narrow and a wide beam."""
    first, second = (_best(run, beam_size=step.about[width]) for width in ("narrow", "wide"))
    return found(
        compared(second.cum_log_prob - first.cum_log_prob, "more", "same", "less", ROUNDING),
        **step.about,
        **_two(run, first=first, second=second)
        | {"node": _parting(search_again(run, run.choices.decoding), first, second)},
    )


def _parting(tree: BeamTree, first: Hypothesis, second: Hypothesis) -> int:
    """Return the node of the tree's best path from which on two hypotheses differ, else its end."""
    both = zip(first.ids, second.ids, strict=False)
    shared = sum(1 for _ in takewhile(lambda ids: ids[0] == ids[1], both))
    path = tree.path(tree.best)[1:]
    return path[min(shared, len(path) - 1)].id


def _two(run: Run, **both: Hypothesis) -> dict[str, Any]:
    sums = zip(("sum", "other"), (each.cum_log_prob for each in both.values()), strict=True)
    texts = {name: run.spoken("target", hypothesis_text(each)) for name, each in both.items()}
    return texts | dict(sums) | {"node": search_again(run, run.choices.decoding).best}


def missed_by_the_beam(run: Run, step: Step) -> Answer:
    """Compare the usual beam with a much wider one, and with greedy search."""
    both, greedy = narrow_and_wide(run, step), _best(run, beam_size=1).cum_log_prob
    return found("missed" if both.choice == "less" else "found", **both.values, greedy=greedy)


def length_without_penalty(run: Run, step: Step) -> Answer:
    """Compare the length of the best output with and without a length penalty."""
    alpha = step.about["alpha"]
    plain, divided = (_best(run, alpha=each) for each in (0.0, alpha))
    n, m = len(plain.ids), len(divided.ids)
    return found(
        compared(n - m, "shorter", "same", "longer", 0),
        n=n,
        m=m,
        alpha=numbers.short(alpha),
        **_two(run, plain=plain, divided=divided),
    )


def whose_error(run: Run, step: Step) -> Answer:
    """Find out why the search missed the reference, and score its output by BLEU."""
    verdict = verdict_on(run, step.address["reference"])
    output, reference = verdict.output.text, verdict.reference.text
    said = there(None if verdict.verdict == "void" else verdict.verdict)
    return found(
        {"length penalty": "penalty", "same": "none"}.get(said, said.removesuffix(" error")),
        output=output,
        reference=reference,
        sum=verdict.output_log_prob,
        other=verdict.reference_log_prob,
        score=verdict.output_score,
        below=verdict.reference_score,
        bleu=numbers.fixed(sentence_bleu(output, reference).score, 0),
    )


# Does attention explain?


def explained_by_attention(run: Run, step: Step) -> Answer:
    """Correlate each head's ranking of tokens with the cost of hiding them; return the mean."""
    # Raises NoAnswer for a model without cross-attention.
    map_from(run, "target")
    per_head = np.nanmean(explained(run, "both").to_drops, axis=-1)
    mean = np.nanmean(per_head)
    # -1: a head without a correlation must not win.
    head = strongest_head(np.nan_to_num(per_head, nan=-1.0))
    return found(
        "strong" if mean >= STRONG else "middle" if mean >= MIDDLE else "weak",
        head,
        mean=numbers.signed(mean),
        best=numbers.signed(per_head[head]),
        of=per_head.size,
    )


def needed_for_pronoun(run: Run, step: Step) -> Answer:
    """Compare the token that the pronoun needs most with the one that it attends to most."""
    attention, row = map_from(run, "target"), there(pronoun_position(run))
    drops = explained(run, step.address["explain_hidden"]).drops[row]
    needed = int(drops.argmax())
    looked = int(attention.weights[:, :, row].mean(axis=(0, 1)).argmax())
    return found(
        "same" if needed == looked else "other",
        pronoun=run.spoken("target", token_label(run.tgt.tokens[row])),
        needed=token_label(attention.key_tokens[needed]),
        looked=run.spoken("source", token_label(attention.key_tokens[looked])),
        drop=drops[needed],
    )


def next_word(run: Run, step: Step) -> Answer:
    """Offer the four likeliest tokens at the least certain position of the best hypothesis.

    In alphabetical order, so that their order gives nothing away.
    """
    tree = search_again(run, run.choices.decoding)
    node = min(there(tree.path(tree.best)[1:] or None), key=lambda each: each.log_prob)
    before = tree.path(node.id)[1:-1]
    ids = tuple(each.token_id for each in before)
    likeliest = run.ask(Translator.candidates, run.choices.text, ids, CANDIDATES)
    names = sorted(token_label(each.token) for each in likeliest)
    # The choices of this lesson are a, b, c and d.
    words = dict(zip(ascii_lowercase, names, strict=False))
    first = token_label(likeliest[0].token)
    return found(
        next(id for id, name in words.items() if name == first),
        **words,
        begin=spelt([each.token for each in before]) or "…",
        word=first,
        share=percent(math.exp(likeliest[0].log_prob)),
        taken=token_label(node.token),
        less=percent(math.exp(node.log_prob)),
        node=node.id,
    )


def known_from(run: Run, step: Step) -> Answer:
    """Find the decoder state from which on the written word is the likeliest (logit lens)."""
    place, stream = written_place(run, step.about["row"]), stream_of(run, "decoder")
    lens = run.ask(lens_of, stream, run.tgt.ids, key=(run.identity, "decoder"))
    ends, states = [lens_facts(lens, each)[0] for each in range(len(run.tgt))], len(lens.places)
    first, half = ends[place], states / 2
    choice = "never" if first > states else "late" if first > half else "early"
    return found(
        choice if first else "input",
        word=step.about["row"],
        place=state_names(lens.places)[min(first, states)],
        rank=int(lens.wanted_ranks[max(0, first - 1), place]),
        n=sum(half < each <= states for each in ends),
        of=len(ends),
        state=first,
        column=place,
    )


def weight_and_norm_of_signs(run: Run, step: Step) -> Answer:
    """Compare the share of special tokens in weight and in norm, in the layer with most weight."""
    weights = map_from(run)
    norms = there(as_measured(run, "length")[0] if tells_values(run.translator) else None).record
    shares, lengths = (
        special_mass(attention).mean(axis=-1) for attention in (weights, norms.of(weights.kind))
    )
    at = int(shares.argmax())
    share, length = float(shares[at]), float(lengths[at])
    choice = "less" if length < share / CLEARER else "more" if length > share * CLEARER else "same"
    values = {"share": percent(share), "length": percent(length), "layer": at + 1}
    return found(choice, **values)


def explained_by_the_aligner(run: Run, step: Step) -> Answer:
    """Rank the head that aligns best by gold among all heads by its explanation of the output."""
    map_from(run, "target")
    stored = there(run.card.lies(GOLD).part)
    largest = max(stored.sets.values(), key=lambda gold: gold.pairs)
    heads = [each for each in largest.maps if each.map == "weight"]
    best = min(heads, key=lambda each: each.error.value)
    per_head = mean_correlations(there(explained(run, "both").to_drops))
    at = there(best.layer), there(best.head)
    rank = 1 + int((per_head > per_head[at]).sum())
    quarter = per_head.size / 4
    choice = "best" if rank <= quarter else "worst" if rank > 3 * quarter else "middle"
    values = {"error": percent(best.error.value), "rank": rank, "of": per_head.size}
    signed = {"own": numbers.signed(per_head[at]), "best": numbers.signed(np.nanmax(per_head))}
    return found(choice, at, **values, **signed)


def kept_by_gates(run: Run, step: Step) -> Answer:
    """Measure the share of the first recurrence's cells that earlier tokens wrote."""
    kept = there(run.ask(gates_of, run.src, run.tgt) or None)[0]
    # The first token has no earlier ones.
    left = there(left_of(kept)[1:] if len(kept) > 1 else None)
    own = np.array([row[place] for place, row in enumerate(left, start=1)])
    share = float((1 - own / left.sum(axis=1)).mean())
    labels, gates = token_labels(there(run.record.target_read)), kept.mean(axis=1)
    return found(
        "most" if share > MOST else "some" if share > 1 - MOST else "few",
        share=percent(share),
        gates=", ".join(map("{} {}".format, labels, map(numbers.fixed, gates))),
        word=labels[int(gates[1:].argmax()) + 1],
    )
