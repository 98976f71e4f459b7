"""What answers a lesson: numbers of the model on screen, and which choice they make right.

A measure takes the run of a step and the step, and returns an `Answer`. It decides; no lesson
knows beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from analysis.aggregate import rollout
from analysis.arithmetic import softmax
from analysis.hypotheses import hypothesis_text
from analysis.labels import token_label
from analysis.measures import mean_distance, mean_entropy, pair_weights, strongest_head
from analysis.transform import is_special
from model import ModelError
from records import AblatedHead, AttentionMap, Decoding, Hypothesis, Intervention, read_change
from ui.beam.searches import search_again, verdict_on
from ui.beam.verdict import sentence_bleu
from ui.effect.reading import reading_of, searched_again
from ui.masks.choices import causal_map, pronoun_position, site_between
from ui.masks.results import explained, knocked_out
from ui.masks.seen.padding import read_together
from ui.positions.order import both_orders, order_of
from ui.state import Run
from words import numbers

from .book import Lesson, Step
from .states import (
    NoAnswer,
    address_of,
    map_between,
    noun_head,
    run_of,
    source_places,
    written_place,
)

HALF = 0.5
EQUAL = 0.2  # weights nearer than this are no difference worth naming
ROUNDING = 1e-3
SEVERAL = 4
STRONG, MIDDLE = 0.7, 0.4  # rank correlations


@dataclass(frozen=True)
class Answer:
    """What was found.

    Attributes
    ----------
    choice : the id of the choice that is right.
    values : the places of the step's words: whole numbers, numbers as text, and words as they are.
    """

    choice: str
    values: Mapping[str, str | int] = field(default_factory=dict)


Measure = Callable[[Run, Step], Answer]


def answer_of(screen: Run, step: Step) -> Answer | None:
    """What the model on screen answers; None where it has nothing to answer with."""
    try:
        return MEASURES[step.measure](run_of(screen, step), step)
    except ModelError:
        return None


def right_choice(screen: Run, lesson: Lesson) -> str | None:
    """The choice that the first step makes right; None where nothing answers."""
    found = answer_of(screen, lesson.steps[0])
    return found.choice if found else None


# Where a head looks


def noun_looked_at(run: Run, step: Step) -> Answer:
    """Which of two nouns some head looks at more from the pronoun."""
    attention = map_between(run, "source", "source")
    rows = source_places(run, run.pack.pronoun)
    found = {}
    for noun in step.about["nouns"]:
        weights = pair_weights(attention, rows, source_places(run, noun))
        found[noun] = (float(weights.max()), strongest_head(weights))
    (first, second) = sorted(found, key=lambda noun: -found[noun][0])
    (weight, (layer, head)), (other_weight, _) = found[first], found[second]
    here = pair_weights(attention, rows, source_places(run, second))[layer, head]
    return Answer(
        "both" if weight - other_weight < EQUAL else first,
        {
            "noun": first,
            "other": second,
            "layer": layer + 1,
            "head": head + 1,
            "weight": numbers.fixed(weight),
            "there": numbers.fixed(here),
            "best": numbers.fixed(other_weight),
        },
    )


def looked_at_on_average(run: Run, step: Step) -> Answer:
    """Which of the given words gets most of a row, mean over all heads."""
    attention = map_between(run, "source", "source")
    rows = source_places(run, step.about["row"])
    per_head = {
        choice: pair_weights(attention, rows, source_places(run, word))
        for choice, word in step.about.items()
        if choice != "row"
    }
    best = max(per_head, key=lambda choice: per_head[choice].mean())
    layer, head = strongest_head(per_head[best])
    return Answer(
        best,
        {
            "word": step.about[best],
            "share": numbers.percent(float(per_head[best].mean()), 0),
            "heads": int((per_head[best] > HALF).sum()),
            "of": per_head[best].size,
            "layer": layer + 1,
            "head": head + 1,
            "weight": numbers.fixed(per_head[best][layer, head]),
            "animal": numbers.percent(float(per_head["animal"].mean()), 0),
        },
    )


def heads_on_noun(run: Run, step: Step) -> Answer:
    """How many heads give a word more than half of a row, and what their mean gives it."""
    attention = map_between(run, "source", "source")
    about = step.about
    weights = pair_weights(
        attention, source_places(run, about["row"]), source_places(run, about["column"])
    )
    n = int((weights > HALF).sum())
    layer, head = strongest_head(weights)
    return Answer(
        "none" if not n else "few" if n <= SEVERAL else "many",
        {
            "n": n,
            "of": weights.size,
            "layer": layer + 1,
            "head": head + 1,
            "weight": numbers.fixed(weights[layer, head]),
            "mean": numbers.fixed(float(weights.mean())),
        },
    )


def far_layer(run: Run, step: Step) -> Answer:
    """The layer whose heads look farthest away on average."""
    per_layer = mean_distance(map_between(run, "source", "source")).mean(axis=1)
    return _of_layers(per_layer, int(per_layer.argmax()))


def sharp_layer(run: Run, step: Step) -> Answer:
    """The layer whose heads are surest where to look: the lowest entropy."""
    per_layer = mean_entropy(map_between(run, "source", "source")).mean(axis=1)
    return _of_layers(per_layer, int(per_layer.argmin()))


def _of_layers(per_layer: np.ndarray, found: int) -> Answer:
    last = len(per_layer) - 1
    return Answer(
        "first" if found == 0 else "last" if found == last else "middle",
        {
            "layer": found + 1,
            "of": last + 1,
            "value": numbers.fixed(float(per_layer[found])),
            "all": " · ".join(numbers.fixed(float(value)) for value in per_layer),
        },
    )


def weight_on_signs(run: Run, step: Step) -> Answer:
    """What the last layer gives to the full stop and the end sign, against an even share."""
    attention = map_between(run, "source", "source")
    tokens = attention.key_tokens
    signs = np.array(is_special(tokens))
    signs[list(source_places(run, step.about["sign"]))] = True
    share = float(attention.weights[-1][..., signs].sum(-1).mean())
    even = float(signs.mean())
    end = float(attention.weights[-1][..., is_special(tokens)].sum(-1).mean())
    return Answer(
        "more" if share > 2 * even else "less" if share < even / 2 else "even",
        {
            "share": numbers.percent(share, 0),
            "even": numbers.percent(even, 0),
            "end": numbers.percent(end, 0),
            "of": len(tokens),
            "layer": attention.n_layers,
        },
    )


def rolled_out(run: Run, step: Step) -> Answer:
    """Which of the given words a row comes from most, by attention rollout."""
    attention = rollout(run.record, map_between(run, "source", "source").kind).attention
    return _row_of(run, step, attention, source_places(run, step.about["row"]))


def written_from(run: Run, step: Step) -> Answer:
    """Which of the given words all heads together look at most, while a word is written."""
    attention = map_between(run, "target", "source")
    return _row_of(run, step, attention, (written_place(run, step.about["row"]),))


def _row_of(run: Run, step: Step, attention: AttentionMap, rows: tuple[int, ...]) -> Answer:
    shares = {
        choice: float(pair_weights(attention, rows, source_places(run, word)).mean())
        for choice, word in step.about.items()
        if choice != "row"
    }
    first, second, *_ = sorted(shares, key=lambda choice: -shares[choice])
    return Answer(
        first,
        {
            "row": step.about["row"],
            "word": step.about[first],
            "share": numbers.percent(shares[first], 0),
            "second": step.about[second],
            "less": numbers.percent(shares[second], 0),
        },
    )


# Masks and changes


def may_be_seen(run: Run, step: Step) -> Answer:
    """How many positions the decoder may look at while it reads a word."""
    attention = causal_map(run)
    if attention is None:
        raise NoAnswer
    query = written_place(run, step.about["row"]) + 1
    seen = np.flatnonzero(attention.mask[query])
    before = np.array_equal(seen, np.arange(query + 1))
    return Answer(
        "one" if len(seen) == 1 else "before" if before else "all",
        {"place": query + 1, "n": len(seen), "of": attention.mask.shape[1]},
    )


def under_change(run: Run, step: Step) -> Answer:
    """Whether the translation stays as it is under the change of the step."""
    return _under(run, read_change(address_of(run, step)["change"]))


def _under(run: Run, change: Intervention) -> Answer:
    before, after = run.translation.text, searched_again(run, change).text
    reading = reading_of(run, change)
    return Answer(
        "same" if before == after else "other",
        {
            "before": before,
            "after": after,
            "sum": numbers.fixed(reading.plain_total),
            "changed": numbers.fixed(reading.total),
        },
    )


def pronoun_under_change(run: Run, step: Step) -> Answer:
    """Whether another pronoun is written under the change of the step."""
    found = _under(run, read_change(address_of(run, step).get("change", "")))
    forms = {side: _pronoun(run, found.values[side]) for side in ("before", "after")}
    same = forms["before"] == forms["after"]
    values = {**found.values, "pronoun": forms["before"], "other": forms["after"]}
    return Answer("same" if same else "other", values)


def _pronoun(run: Run, text: str) -> str:
    """The last form of the pronoun in a translation."""
    words = "".join(c if c.isalpha() else " " for c in text).split()
    found = [word for word in words if word.lower() in run.pack.forms]
    if not found:
        raise NoAnswer
    return found[-1]


def unmasked_padding(run: Run, step: Step) -> Answer:
    """Whether a padded sentence is translated as alone when its padding can be seen."""
    pair = read_together(run, step.address["seen_second"])
    item = pair.shorter
    if item is None:
        raise NoAnswer
    alone, masked, unmasked = pair.alone[item], pair.masked[item], pair.unmasked[item]
    site = site_between(run, "source", "source")
    share = float(unmasked.on_padding(site).mean()) if site else 0.0
    return Answer(
        "same" if unmasked.output.text == alone.output.text else "other",
        {
            "n": unmasked.n_padding,
            "before": alone.output.text,
            "after": unmasked.output.text,
            "masked": masked.output.text,
            "share": numbers.percent(share, 0),
        },
    )


def without_noun_head(run: Run, step: Step) -> Answer:
    """Whether the translation changes without the head that looks at the pronoun's noun."""
    (layer, head), attention, _ = noun_head(run)
    found = _under(run, Intervention(AblatedHead(attention.kind, layer, head)))
    return Answer(found.choice, {**found.values, "layer": layer + 1, "head": head + 1})


def without_each_head(run: Run, step: Step) -> Answer:
    """How many heads change the greedy translation when they are switched off alone."""
    found = knocked_out(run, "zero", None, ())
    n = sum(output.text != found.plain_output.text for output in found.outputs)
    kind, layer, head = found.heads[int(found.changes.argmin())]
    return Answer(
        "other" if n else "same",
        {
            "n": n,
            "of": len(found.heads),
            "site": kind,
            "layer": layer + 1,
            "head": head + 1,
            "change": numbers.fixed(float(found.changes.min())),
        },
    )


# Positions and scaling


def order_without_positions(run: Run, step: Step) -> Answer:
    """Whether the encoder tells two orders of the same words apart without positions."""
    src = run.translator.tokenize(step.address["order_text"])
    both = both_orders(run.translator, src, order_of(run.translator, src, "reversed"))
    without, with_them = (each.distances[-1].max() for each in both.cases.values())
    return Answer(
        "same" if without < ROUNDING else "other",
        {"without": numbers.scientific(float(without)), "with": numbers.fixed(float(with_them))},
    )


def similar_positions(run: Run, step: Step) -> Answer:
    """Whether the encodings of two positions depend on their distance alone."""
    if "positions" not in run.capabilities:
        raise NoAnswer
    table, about = run.translator.position_table().values, step.about
    if len(table) <= about["second"] + about["step"]:
        raise NoAnswer
    near, far = (
        float(table[p] @ table[p + about["step"]]) for p in (about["first"], about["second"])
    )
    scale = float(table[0] @ table[0])
    equal = abs(near - far) < ROUNDING * scale
    return Answer(
        "same" if equal else "nearer" if near > far else "farther",
        {**about, "near": numbers.fixed(near), "far": numbers.fixed(far)},
    )


def undivided(run: Run, step: Step) -> Answer:
    """What becomes of the largest weight of a row when scores are not divided by sqrt(d_k)."""
    attention = map_between(run, "source", "source")
    config = run.translator.card.config
    if attention.scores is None or not config.get("d_model") or not config.get("n_heads"):
        raise NoAnswer
    d_k = config["d_model"] // config["n_heads"]
    divided = float(attention.weights.max(-1).mean())
    plain = float(softmax(attention.scores * np.sqrt(d_k))[-1].max(-1).mean())
    choice = "larger" if plain - divided > ROUNDING else "smaller"
    return Answer(
        "same" if abs(plain - divided) <= ROUNDING else choice,
        {"d_k": d_k, "divided": numbers.fixed(divided), "plain": numbers.fixed(plain)},
    )


# The search


def _best(run: Run, decoding: Decoding) -> Hypothesis:
    tree = search_again(run, decoding)
    return tree.hypothesis(tree.best)


def likelier_than_greedy(run: Run, step: Step) -> Answer:
    """Whether greedy search finds something as likely as a wider beam does."""
    return _two_widths(run, 1, step.about["wide"])


def missed_by_the_beam(run: Run, step: Step) -> Answer:
    """Whether the usual width misses what a much wider beam finds."""
    widths = sorted((Decoding().beam_size, step.about["wide"]))
    if widths[0] == widths[1]:
        widths[1] = run.choices.decoding.beam_size
    found = _two_widths(run, *widths)
    greedy = _best(run, replace(run.choices.decoding, beam_size=1))
    values = {**found.values, "greedy": numbers.fixed(greedy.cum_log_prob)}
    return Answer("missed" if found.choice == "less" else "found", values)


def _two_widths(run: Run, narrow: int, wide: int) -> Answer:
    first, second = (_best(run, replace(run.choices.decoding, beam_size=k)) for k in (narrow, wide))
    gain = second.cum_log_prob - first.cum_log_prob
    return Answer(
        "less" if gain > ROUNDING else "more" if gain < -ROUNDING else "same",
        {
            "narrow": narrow,
            "wide": wide,
            "first": hypothesis_text(first),
            "second": hypothesis_text(second),
            "sum": numbers.fixed(first.cum_log_prob),
            "other": numbers.fixed(second.cum_log_prob),
        },
    )


def length_without_penalty(run: Run, step: Step) -> Answer:
    """Whether the best output is shorter when nothing makes up for its length."""
    plain = _best(run, replace(run.choices.decoding, alpha=0.0))
    divided = _best(run, replace(run.choices.decoding, alpha=step.about["alpha"]))
    n, m = len(plain.ids), len(divided.ids)
    return Answer(
        "shorter" if n < m else "longer" if n > m else "same",
        {
            "n": n,
            "m": m,
            "alpha": numbers.short(step.about["alpha"]),
            "plain": hypothesis_text(plain),
            "divided": hypothesis_text(divided),
            "sum": numbers.fixed(plain.cum_log_prob),
            "other": numbers.fixed(divided.cum_log_prob),
        },
    )


_ERRORS = {
    "search error": "search",
    "model error": "model",
    "length penalty": "penalty",
    "same": "none",
}


def whose_error(run: Run, step: Step) -> Answer:
    """Why the search did not return what a person wrote, and what BLEU says of its output."""
    verdict = verdict_on(run, step.address["reference"])
    if verdict.verdict not in _ERRORS:
        raise NoAnswer
    bleu = sentence_bleu(verdict.output.text, verdict.reference.text)
    return Answer(
        _ERRORS[verdict.verdict],
        {
            "output": verdict.output.text,
            "reference": verdict.reference.text,
            "sum": numbers.fixed(verdict.output_log_prob),
            "other": numbers.fixed(verdict.reference_log_prob),
            "score": numbers.fixed(verdict.output_score),
            "below": numbers.fixed(verdict.reference_score),
            "bleu": numbers.fixed(bleu.score, 0),
        },
    )


# Does attention explain?


def explained_by_attention(run: Run, step: Step) -> Answer:
    """How well heads rank the tokens by what hiding them costs, mean over heads and tokens."""
    map_between(run, "target", "source")
    per_head = np.nanmean(explained(run, "both", "spearman").to_drops, axis=-1)
    mean = float(np.nanmean(per_head))
    layer, head = strongest_head(np.nan_to_num(per_head, nan=-1.0))
    return Answer(
        "strong" if mean >= STRONG else "middle" if mean >= MIDDLE else "weak",
        {
            "mean": numbers.signed(mean),
            "best": numbers.signed(float(per_head[layer, head])),
            "layer": layer + 1,
            "head": head + 1,
            "of": per_head.size,
        },
    )


def needed_for_pronoun(run: Run, step: Step) -> Answer:
    """Which token the written pronoun needs most, and which it is looked at from most."""
    attention = map_between(run, "target", "source")
    row = pronoun_position(run)
    if row is None:
        raise NoAnswer
    found = explained(run, step.address["explain_hidden"], "spearman")
    needed = int(found.drops[row].argmax())
    looked = int(attention.weights[:, :, row].mean(axis=(0, 1)).argmax())
    return Answer(
        "same" if needed == looked else "other",
        {
            "pronoun": token_label(run.translation.tgt.tokens[row]),
            "needed": token_label(attention.key_tokens[needed]),
            "looked": token_label(attention.key_tokens[looked]),
            "drop": numbers.fixed(float(found.drops[row, needed])),
        },
    )


MEASURES: dict[str, Measure] = {
    measure.__name__: measure
    for measure in (
        noun_looked_at,
        looked_at_on_average,
        heads_on_noun,
        far_layer,
        sharp_layer,
        weight_on_signs,
        rolled_out,
        written_from,
        may_be_seen,
        under_change,
        pronoun_under_change,
        unmasked_padding,
        without_noun_head,
        without_each_head,
        order_without_positions,
        similar_positions,
        undivided,
        likelier_than_greedy,
        missed_by_the_beam,
        length_without_penalty,
        whose_error,
        explained_by_attention,
        needed_for_pronoun,
    )
}
"""By the name that a lesson calls them."""
