"""Measures of lessons from other sources: stored measurements and other models."""

from __future__ import annotations

import math

import numpy as np

from core.cost import costs_table, crossing
from core.roles import LEAST, Tested, roles_of
from core.tokens import token_label
from model import DocumentReader, MaskedReader
from ui.captions.gaze import captioners, looks_of, told_by
from ui.controls import OPENING, installed_with
from ui.cost.costs import stored_costs
from ui.documents.scene import BEST, class_name, examples
from ui.focus import Head
from ui.lineage.measured import measured_lineage, name_of, step_name
from ui.masked.guess import masked_model
from ui.shared import ask
from ui.state import Choices, Run, get_translator, outlines, sentences_for, translated
from ui.training.stored import PLAIN, small_runs
from ui.words import current_words
from words import numbers

from .book import Answer, Step, compared, found, map_from, there
from .measures import percent

BESIDE = ("next", "previous")  # roles of heads that follow position
SHORT, LONG = 200, 2000  # tokens
CLEARLY = math.log(1.5)  # a ratio of probabilities that counts as a difference
BLEU = 1.0  # points by which small runs may differ by chance


# Stored measurements.


def rule_for_the_noun(run: Run, step: Step) -> Answer:
    """Compare the best noun head with the fixed offset that reaches the noun most often."""
    at, head = max(_tested(run, "noun"), key=lambda each: each[1].value.value)
    value, rule = head.value.value, head.against.value
    choice = "less" if rule < value / 2 else "same" if not head.passed else "near"
    return found(choice, at, n=head.n, share=percent(value), rule=percent(rule))


def heads_by_position(run: Run, step: Step) -> Answer:
    """Count the heads whose role is to attend to the next token or to the previous one."""
    heads = roles_of(there(run.card.roles), map_from(run).kind)
    tested = [(at, t) for at, head in heads.items() for t in head.tested if t.name in BESIDE]
    named = sum(head.name in BESIDE for head in heads.values())
    # A head that beats its control comes before one with a larger value.
    at, best = max(there(tested or None), key=lambda each: (each[1].passed, each[1].value.value))
    choice = "most" if 2 * named > len(heads) else "few" if named else "none"
    values = {"n": named, "of": len(heads), "share": percent(best.value.value)}
    return found(choice, at, **values, where=best.name)


def failed_their_control(run: Run, step: Step) -> Answer:
    """Count the heads that attend to one position from everywhere, but not beyond their control."""
    seeming = [(at, t) for at, t in _tested(run, "column") if t.value.value >= LEAST["column"]]
    failed = [(at, tested) for at, tested in seeming if not tested.passed]
    at, head = max(failed or there(seeming or None), key=lambda each: each[1].value.value)
    values = {"n": len(failed), "of": len(seeming)}
    values |= {"value": head.value.value, "against": head.against.value}
    return found("some" if failed else "none", at, **values)


def _tested(run: Run, role: str) -> list[tuple[Head, Tested]]:
    heads = roles_of(there(run.card.roles), map_from(run).kind)
    tested = [(at, t) for at, head in heads.items() for t in head.tested if t.name == role]
    return there(tested or None)


def slower_than_recurrent(run: Run, step: Step) -> Answer:
    """Find the length from which self-attention takes longer than a recurrent layer of width d."""
    rows, d = costs_table(there(stored_costs())), step.about["d"]
    at, most = crossing(rows, "attention", "gru", "forward", d), int(rows["n"].max())
    choice = "never" if at is None or at > LONG else "middle" if at > SHORT else "short"
    return found(choice, n=numbers.grouped(round(at or most)), d=d)


def small_run(run: Run, step: Step) -> Answer:
    """Compare a small training run with one changed part of the recipe with the plain one."""
    runs = small_runs().values.get("runs", {})
    plain, other = (there(runs.get(name)) for name in (PLAIN, step.about["run"]))
    choice = compared(other["bleu"] - plain["bleu"], "worse", "same", "better", BLEU)
    values = {"bleu": plain["bleu"], "perplexity": plain["perplexity"]}
    return found(choice, **values, other=other["bleu"], more=other["perplexity"])


def longest_fall(run: Run, step: Step) -> Answer:
    """Find the system that loses most BLEU from the shortest to the longest joined captions."""
    systems, asked = there(measured_lineage()).systems, step.about["systems"]
    ends = {id: [there(systems.get(id)).lengths.joined[at].value for at in (0, -1)] for id in asked}
    first, second, *_ = sorted(asked, key=lambda id: ends[id][1] - ends[id][0])
    return found(
        first,
        name=name_of(systems[first]),
        begin=numbers.fixed(ends[first][0], 1),
        end=numbers.fixed(ends[first][1], 1),
        second=name_of(systems[second]),
        fell=numbers.fixed(ends[second][0] - ends[second][1], 1),
        system=first,
        words=str(systems[first].lengths.joined[-1].at),
    )


def largest_gain(run: Run, step: Step) -> Answer:
    """Find the step of the lineage that gained most BLEU on captions."""
    gains = {each.id: each for each in there(measured_lineage()).gains}
    bleu = {id: there(gains.get(id)).sets["captions"].bleu for id in step.about["gains"]}
    first, second, *_ = sorted(bleu, key=lambda id: -bleu[id].value)
    told = {"low": bleu[first].low, "high": bleu[first].high, "gain": bleu[first].value}
    told |= {"less": bleu[second].value}
    told = {name: numbers.fixed(value, 1) for name, value in told.items()}
    return found(first, name=step_name(gains[first]), second=step_name(gains[second]), **told)


# Other models.


def gaze_on_things(run: Run, step: Step) -> Answer:
    """Count the words about things on which a captioner attends to their thing."""
    language = current_words().language
    # Captioners in the page's language first; sorted is stable.
    names = sorted(captioners(), key=lambda name: outlines()[name].languages[1:] != (language,))
    name = there(next(iter(names), None))
    choices = Choices(name, sentences_for(name)[1][0].text, OPENING)
    told = told_by(translated(choices, get_translator(name)))
    hits, of = sum(each.hit for each in told.pointed), len(there(told.pointed or None))
    return found(
        "all" if hits == of else "some" if hits else "none",
        n=hits,
        of=of,
        text=told.run.translation.text,
        place=next(place for place, look in enumerate(looks_of(told)) if look.box),
        share=percent(np.mean([each.mass for each in told.pointed])),
        even=percent(np.mean([each.chance for each in told.pointed])),
    )


def gained_by_the_right(run: Run, step: Step) -> Answer:
    """Compare the probability of a masked word with and without the words after it."""
    reader = get_translator(there(masked_model(run.choices.checkpoint)))
    src = reader.tokenize(step.text)
    places = there(src.pieces_of(step.about["word"]) or None)
    both, left = (
        ask(reader, MaskedReader.guess, src, places, left_only=only)[0] for only in (False, True)
    )
    gain = both.own_log_prob - left.own_log_prob
    return found(
        compared(gain, "less", "same", "more", CLEARLY),
        word=step.about["word"],
        both=numbers.percent(math.exp(both.own_log_prob), 1),
        both_rank=both.own_rank,
        left=numbers.percent(math.exp(left.own_log_prob), 1),
        left_rank=left.own_rank,
        first=token_label(left.tokens[0]),
    )


def another_map(run: Run, step: Step) -> Answer:
    """Test if other weights, with most on another sentence, lead to the same verdict."""
    name = there(next(iter(installed_with("documents", (run.choices.checkpoint, BEST))), None))
    reader = get_translator(name)
    src = reader.document(examples()[step.address["document"]].text)
    own = ask(reader, DocumentReader.judge, src)
    other = ask(reader, DocumentReader.other_map, src, "sentences")
    maps = [np.nan_to_num(each.sentences) for each in (own, other.judgement)]
    first, second = (int(weights.argmax()) for weights in maps)
    return found(
        "no" if first == second else "yes",
        n=first + 1,
        share=percent(maps[0][first]),
        second=second + 1,
        place=second,
        more=percent(maps[1][second]),
        label=class_name(own.classes[own.decided]),
        before=percent(own.probs[own.decided]),
        after=percent(other.judgement.probs[own.decided]),
    )
