"""Measures of lessons: numbers of the model on screen, and the choice that they make right.

A measure takes the run of a step and the step, and returns an `Answer`. It decides; no lesson has
its answer stored.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile
from string import ascii_lowercase

import numpy as np

from core.block import left_of, lens_facts
from core.explain import mean_correlations
from core.interventions.intervention import read_change
from core.measurements import GOLD
from core.records.hypotheses import hypothesis_text, spelt
from core.records.search import BeamTree, Decoding, Hypothesis
from core.records.tokens import token_label, token_labels
from core.softmax import softmax
from core.weights.aggregate import rollout
from core.weights.groups import is_special
from core.weights.measures import (
    mean_distance,
    mean_entropy,
    pair_weights,
    special_mass,
    strongest_head,
)
from model import Translator
from model.experiments.ablation import ablate_each_head
from model.experiments.block import gates_of, lens_of
from model.experiments.padding import padded_pair
from model.experiments.word_order import position_table
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.bleu import sentence_bleu
from ui.kit.decisions import explained
from ui.kit.focus import pronoun_position
from ui.kit.forced_reading import reading_of, searched_again
from ui.kit.norm import as_measured, tells_values
from ui.pages.beam.searches import search_again, verdict_on
from ui.pages.block.scene import stream_of
from ui.pages.positions.word_order import both_orders
from viz.block import state_names
from words import Spoken, numbers

from .book import (
    Answer,
    NoAnswer,
    Step,
    address_of,
    answer,
    compared,
    map_from,
    noun_head,
    percent,
    require,
    source_places,
    written_place,
)

# Differences below it are numerical noise in float32.
ROUNDING = 1e-3
# Weight on one word that makes a head "look there".
HALF = 0.5
EQUAL = 0.2  # weights nearer than this count as equal
# Heads up to which the answer is "few".
SEVERAL = 4
# Limits of rank correlations
STRONG = 0.7
MIDDLE = 0.4
CANDIDATES = 4
CLEARER = 1.5  # ratio of two shares that counts as a difference
MOST = 2 / 3  # share of a cell


# Attention.


def noun_looked_at(run: Run, step: Step) -> Answer:
    """Compare the largest weights from the pronoun to two nouns."""
    attention = map_from(run)
    rows = source_places(run, run.pack.pronoun)
    weights = {
        noun: pair_weights(attention, rows, source_places(run, noun))
        for noun in step.about["nouns"]
    }
    first, second = sorted(weights, key=lambda noun: -weights[noun].max())
    head = strongest_head(weights[first])
    weight = weights[first].max()
    best = weights[second].max()
    return answer(
        "both" if weight - best < EQUAL else first,
        head,
        noun=first,
        other=second,
        weight=weight,
        there=weights[second][head],
        best=best,
    )


def heads_on_noun(run: Run, step: Step) -> Answer:
    """Count the heads that give a word more than half of a row, and average all heads."""
    row, column = (source_places(run, step.about[side]) for side in ("row", "column"))
    weights = pair_weights(map_from(run), row, column)
    n = int((weights > HALF).sum())
    return answer(
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
    attention = map_from(run)
    if step.address["badge"] == "distance":
        per_layer = mean_distance(attention).mean(axis=1)
        layer = int(per_layer.argmax())
    else:
        per_layer = mean_entropy(attention).mean(axis=1)
        layer = int(per_layer.argmin())
    last = len(per_layer) - 1
    return answer(
        "first" if layer == 0 else "last" if layer == last else "middle",
        layer=layer + 1,
        of=last + 1,
        value=per_layer[layer],
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
    return answer(
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
        attention = map_from(run, "target")
        rows = (written_place(run, row),)
    else:
        attention = map_from(run)
        rows = source_places(run, row)
    if "together" in step.address:
        attention = rollout(run.record, attention.site_id).attention
    columns = {choice: source_places(run, word) for choice, word in words.items()}
    per_head = {choice: pair_weights(attention, rows, at) for choice, at in columns.items()}
    shares = {choice: weights.mean() for choice, weights in per_head.items()}
    first, second, *_ = sorted(shares, key=lambda choice: -shares[choice])
    best = per_head[first]
    return answer(
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
    attention = require(run.record.causal)
    # + 1: a word is read one step after it is written.
    query = written_place(run, step.about["row"]) + 1
    seen = np.flatnonzero(attention.mask[query])
    before = np.array_equal(seen, np.arange(query + 1))
    choice = "one" if len(seen) == 1 else "before" if before else "all"
    return answer(choice, place=query + 1, n=len(seen), of=attention.mask.shape[1], q=query)


def under_change(run: Run, step: Step) -> Answer:
    """Compare the translations with and without the change of the step."""
    head = noun_head(run) if "{noun_head}" in step.address.get("change", "") else None
    change = read_change(address_of(run, step).get("change", ""))
    before = run.spoken("target", run.translation.text)
    after = run.spoken("target", searched_again(run, change).text)
    reading = reading_of(run, change)
    return answer(
        "same" if before == after else "other",
        head,
        before=before,
        after=after,
        sum=reading.plain_total,
        changed=reading.total,
    )


def pronoun_under_change(run: Run, step: Step) -> Answer:
    """Compare the pronouns written with and without the change of the step."""
    values = under_change(run, step).values
    before = _pronoun(run, values["before"])
    after = _pronoun(run, values["after"])
    choice = "same" if before == after else "other"
    return Answer(choice, {**values, "pronoun": before, "other": after})


def _pronoun(run: Run, text: str) -> str:
    words = "".join(c if c.isalpha() else " " for c in text).split()
    # The last form, because a pronoun follows its antecedent.
    word = require(next((word for word in words[::-1] if word.lower() in run.pack.forms), None))
    return run.spoken("target", word)


def unmasked_padding(run: Run, step: Step) -> Answer:
    """Compare the translation of a padded sentence, its padding visible, with that alone."""
    pair = ask(run.translator, padded_pair, run.src, step.address["seen_second"])
    item = require(pair.shorter)
    site = run.record.between("source", "source")
    unmasked = pair.unmasked[item]
    before = pair.alone[item].output.text
    after = unmasked.output.text
    return answer(
        "same" if after == before else "other",
        n=unmasked.n_padding,
        before=before,
        after=after,
        masked=pair.masked[item].output.text,
        share=percent(unmasked.on_padding(site).mean() if site else 0.0),
    )


def without_each_head(run: Run, step: Step) -> Answer:
    """Count the heads whose ablation alone changes the greedy translation."""
    ablations = ask(run.translator, ablate_each_head, run.src, run.tgt, "zero")
    plain_text = ablations.plain_output.text
    n = sum(output.text != plain_text for output in ablations.outputs)
    site, *head = ablations.heads[int(ablations.changes.argmin())]
    return answer(
        "other" if n else "same",
        head,
        n=n,
        of=len(ablations.heads),
        site=site,
        change=ablations.changes.min(),
    )


# Positions and scaling.


def order_without_positions(run: Run, step: Step) -> Answer:
    """Compare encoder states of two orders of the same words, without position encodings."""
    src = run.translator.tokenize(step.address["order_text"])
    both = both_orders(run, src, "reversed")
    without, with_them = (orders.distances[-1].max() for orders in both.cases.values())
    choice = "same" if without < ROUNDING else "other"
    # "with" is a keyword of Python, so it cannot be an argument's name.
    return answer(choice, without=numbers.scientific(without), **{"with": with_them})


def similar_positions(run: Run, step: Step) -> Answer:
    """Compare products of encodings at equal distance, at two places of the table."""
    if "positions" not in run.capabilities:
        raise NoAnswer
    table = position_table(run.translator).values
    distance = step.about["step"]
    first = step.about["first"]
    second = step.about["second"]
    if len(table) <= second + distance:
        raise NoAnswer
    near = table[first] @ table[first + distance]
    far = table[second] @ table[second + distance]
    # Relative to the norm of an encoding, since float32 errors grow with it.
    within = ROUNDING * (table[0] @ table[0])
    return answer(
        compared(near - far, "farther", "same", "nearer", within),
        step=distance,
        first=first,
        second=second,
        near=near,
        far=far,
    )


def undivided(run: Run, step: Step) -> Answer:
    """Compare the largest weights of rows with and without division by sqrt(d_k)."""
    attention = map_from(run)
    config = run.card.config
    if attention.scores is None or not config.get("d_model") or not config.get("n_heads"):
        raise NoAnswer
    d_k = config["d_model"] // config["n_heads"]
    divided = attention.weights.max(-1).mean()
    # The stored scores are divided already.
    plain = softmax(attention.scores * np.sqrt(d_k))[-1].max(-1).mean()
    choice = compared(plain - divided, "smaller", "same", "larger", ROUNDING)
    return answer(choice, d_k=d_k, divided=divided, plain=plain)


# Search.


def _best(run: Run, decoding: Decoding) -> Hypothesis:
    tree = search_again(run, decoding)
    return tree.hypothesis(tree.best)


def _text_of(run: Run, hypothesis: Hypothesis) -> Spoken:
    return run.spoken("target", hypothesis_text(hypothesis))


def _parting(tree: BeamTree, first: Hypothesis, second: Hypothesis) -> int:
    """Return the node of the tree's best path from which on two hypotheses differ, else its end."""
    both = zip(first.ids, second.ids, strict=False)
    n_shared = sum(1 for _ in takewhile(lambda ids: ids[0] == ids[1], both))
    path = tree.path(tree.best)[1:]
    return path[min(n_shared, len(path) - 1)].id


def narrow_and_wide(run: Run, step: Step) -> Answer:
    """Compare the log-probability of the best outputs of a narrow and a wide beam."""
    narrow = step.about["narrow"]
    wide = step.about["wide"]
    first = _best(run, replace(run.choices.decoding, beam_size=narrow))
    second = _best(run, replace(run.choices.decoding, beam_size=wide))
    return answer(
        compared(second.cum_log_prob - first.cum_log_prob, "more", "same", "less", ROUNDING),
        narrow=narrow,
        wide=wide,
        first=_text_of(run, first),
        second=_text_of(run, second),
        sum=first.cum_log_prob,
        other=second.cum_log_prob,
        node=_parting(search_again(run, run.choices.decoding), first, second),
    )


def missed_by_the_beam(run: Run, step: Step) -> Answer:
    """Compare the usual beam with a much wider one, and with greedy search."""
    both = narrow_and_wide(run, step)
    greedy = _best(run, replace(run.choices.decoding, beam_size=1)).cum_log_prob
    choice = "missed" if both.choice == "less" else "found"
    return Answer(choice, {**both.values, "greedy": numbers.fixed(greedy)})


def length_without_penalty(run: Run, step: Step) -> Answer:
    """Compare the length of the best output with and without a length penalty."""
    alpha = step.about["alpha"]
    plain = _best(run, replace(run.choices.decoding, alpha=0.0))
    divided = _best(run, replace(run.choices.decoding, alpha=alpha))
    n = len(plain.ids)
    m = len(divided.ids)
    return answer(
        compared(n - m, "shorter", "same", "longer", 0),
        n=n,
        m=m,
        alpha=numbers.short(alpha),
        plain=_text_of(run, plain),
        divided=_text_of(run, divided),
        sum=plain.cum_log_prob,
        other=divided.cum_log_prob,
        node=search_again(run, run.choices.decoding).best,
    )


def whose_error(run: Run, step: Step) -> Answer:
    """Find out why the search missed the reference, and score its output by BLEU."""
    verdict = verdict_on(run, step.address["reference"])
    output = verdict.output.text
    reference = verdict.reference.text
    error = require(None if verdict.verdict == "void" else verdict.verdict)
    return answer(
        {"length penalty": "penalty", "same": "none"}.get(error, error.removesuffix(" error")),
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
    return answer(
        "strong" if mean >= STRONG else "middle" if mean >= MIDDLE else "weak",
        head,
        mean=numbers.signed(mean),
        best=numbers.signed(per_head[head]),
        of=per_head.size,
    )


def needed_for_pronoun(run: Run, step: Step) -> Answer:
    """Compare the token that the pronoun needs most with the one that it attends to most."""
    attention = map_from(run, "target")
    row = require(pronoun_position(run))
    drops = explained(run, step.address["explain_hidden"]).drops[row]
    needed = int(drops.argmax())
    looked = int(attention.weights[:, :, row].mean(axis=(0, 1)).argmax())
    return answer(
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
    least_certain = min(require(tree.path(tree.best)[1:] or None), key=lambda node: node.log_prob)
    before = tree.path(least_certain.id)[1:-1]
    ids = tuple(node.token_id for node in before)
    likeliest = ask(run.translator, Translator.candidates, run.choices.text, ids, CANDIDATES)
    names = sorted(token_label(candidate.token) for candidate in likeliest)
    # The choices of this lesson are a, b, c and d.
    words = dict(zip(ascii_lowercase, names, strict=False))
    first = token_label(likeliest[0].token)
    return answer(
        next(id for id, name in words.items() if name == first),
        **words,
        begin=spelt([node.token for node in before]) or "…",
        word=first,
        share=percent(math.exp(likeliest[0].log_prob)),
        taken=token_label(least_certain.token),
        less=percent(math.exp(least_certain.log_prob)),
        node=least_certain.id,
    )


def known_from(run: Run, step: Step) -> Answer:
    """Find the decoder state from which on the written word is the likeliest (logit lens)."""
    position = written_place(run, step.about["row"])
    stream = stream_of(run, "decoder")
    lens = ask(run.translator, lens_of, stream, run.tgt.ids, key=(run.identity, "decoder"))
    n_states = len(lens.places)
    half = n_states / 2
    first_states = [lens_facts(lens, i)[0] for i in range(len(run.tgt))]
    first = first_states[position]
    choice = "never" if first > n_states else "late" if first > half else "early"
    return answer(
        choice if first else "input",
        word=step.about["row"],
        place=state_names(lens.places)[min(first, n_states)],
        rank=int(lens.wanted_ranks[max(0, first - 1), position]),
        n=sum(half < state <= n_states for state in first_states),
        of=len(first_states),
        state=first,
        column=position,
    )


def weight_and_norm_of_signs(run: Run, step: Step) -> Answer:
    """Compare the share of special tokens in weight and in norm, in the layer with most weight."""
    weights = map_from(run)
    norms = require(as_measured(run, "length")[0] if tells_values(run.translator) else None).record
    shares, lengths = (
        special_mass(attention).mean(axis=-1) for attention in (weights, norms.of(weights.site_id))
    )
    layer = int(shares.argmax())
    share = float(shares[layer])
    length = float(lengths[layer])
    choice = "less" if length < share / CLEARER else "more" if length > share * CLEARER else "same"
    return answer(choice, share=percent(share), length=percent(length), layer=layer + 1)


def explained_by_the_aligner(run: Run, step: Step) -> Answer:
    """Rank the head that aligns best by gold among all heads by its explanation of the output."""
    map_from(run, "target")
    stored = require(run.card.measured(GOLD).part)
    largest = max(stored.sets.values(), key=lambda gold: gold.pairs)
    aligned = [head for head in largest.maps if head.map == "weight"]
    best = min(aligned, key=lambda head: head.error.value)
    per_head = mean_correlations(require(explained(run, "both").to_drops))
    head = require(best.layer), require(best.head)
    rank = 1 + int((per_head > per_head[head]).sum())
    quarter = per_head.size / 4
    return answer(
        "best" if rank <= quarter else "worst" if rank > 3 * quarter else "middle",
        head,
        error=percent(best.error.value),
        rank=rank,
        of=per_head.size,
        own=numbers.signed(per_head[head]),
        best=numbers.signed(np.nanmax(per_head)),
    )


def kept_by_gates(run: Run, step: Step) -> Answer:
    """Measure the share of the first recurrence's cells that earlier tokens wrote."""
    kept = require(ask(run.translator, gates_of, run.src, run.tgt) or None)[0]
    # The first token has no earlier ones.
    left = require(left_of(kept)[1:] if len(kept) > 1 else None)
    from_own_token = np.array([row[position] for position, row in enumerate(left, start=1)])
    share = float((1 - from_own_token / left.sum(axis=1)).mean())
    labels = token_labels(require(run.record.target_read))
    gates = kept.mean(axis=1)
    return answer(
        "most" if share > MOST else "some" if share > 1 - MOST else "few",
        share=percent(share),
        gates=", ".join(map("{} {}".format, labels, map(numbers.fixed, gates))),
        word=labels[int(gates[1:].argmax()) + 1],
    )
