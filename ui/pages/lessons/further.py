"""Measures of lessons from other sources: stored measurements and other models."""

from __future__ import annotations

import math

import numpy as np

from core.cost import costs_table, crossing
from core.records.tokens import token_label
from core.roles import LEAST, Tested, roles_of
from model import DocumentReader, MaskedReader
from ui.frame.checkpoints import outlines
from ui.frame.messages import current_words
from ui.frame.model_cache import ask
from ui.frame.run import OPENING, FrameChoices, Run
from ui.frame.state import get_translator, sentences_for, translated
from ui.kit.checkpoint_labels import installed_with
from ui.kit.focus import Head
from ui.pages.captions.captioning import caption_of, captioners, looks_of
from ui.pages.cost.costs import stored_costs
from ui.pages.documents.scene import BEST, class_name, examples
from ui.pages.lineage.measurement import measured_lineage, name_of, step_name
from ui.pages.masked.guess import masked_model
from ui.pages.training.recordings import PLAIN, small_runs
from words import numbers

from .book import Answer, Step, answer, compared, map_from, percent, require

BESIDE = ("next", "previous")  # roles of heads that follow position
# Lengths in tokens
SHORT = 200
LONG = 2000
CLEARLY = math.log(1.5)  # a ratio of probabilities that counts as a difference
BLEU = 1.0  # points by which small runs may differ by chance


# Stored measurements.


def rule_for_the_noun(run: Run, step: Step) -> Answer:
    """Compare the best noun head with the fixed offset that reaches the noun most often."""
    head, tested = max(_tested(run, "noun"), key=_value_of)
    value = tested.value.value
    rule = tested.against.value
    choice = "less" if rule < value / 2 else "same" if not tested.passed else "near"
    return answer(choice, head, n=tested.n, share=percent(value), rule=percent(rule))


def heads_by_position(run: Run, step: Step) -> Answer:
    """Count the heads whose role is to attend to the next token or to the previous one."""
    roles = roles_of(require(run.card.roles), map_from(run).site_id)
    tested = [(head, t) for head, role in roles.items() for t in role.tested if t.name in BESIDE]
    named = sum(role.name in BESIDE for role in roles.values())
    # A head that beats its control comes before one with a larger value.
    head, best = max(require(tested or None), key=lambda pair: (pair[1].passed, _value_of(pair)))
    return answer(
        "most" if 2 * named > len(roles) else "few" if named else "none",
        head,
        n=named,
        of=len(roles),
        share=percent(best.value.value),
        where=best.name,
    )


def failed_their_control(run: Run, step: Step) -> Answer:
    """Count the heads that attend to one position from everywhere, but not beyond their control."""
    seeming = [pair for pair in _tested(run, "column") if _value_of(pair) >= LEAST["column"]]
    failed = [(head, tested) for head, tested in seeming if not tested.passed]
    head, most = max(failed or require(seeming or None), key=_value_of)
    return answer(
        "some" if failed else "none",
        head,
        n=len(failed),
        of=len(seeming),
        value=most.value.value,
        against=most.against.value,
    )


def _tested(run: Run, name: str) -> list[tuple[Head, Tested]]:
    """Return the heads that were tested for a role, with the results."""
    roles = roles_of(require(run.card.roles), map_from(run).site_id)
    tested = [(head, t) for head, role in roles.items() for t in role.tested if t.name == name]
    return require(tested or None)


def _value_of(pair: tuple[Head, Tested]) -> float:
    return pair[1].value.value


def slower_than_recurrent(run: Run, step: Step) -> Answer:
    """Find the length from which self-attention takes longer than a recurrent layer of width d."""
    d = step.about["d"]
    rows = costs_table(require(stored_costs()))
    length = crossing(rows, "attention", "gru", "forward", d)
    most = int(rows["n"].max())
    choice = "never" if length is None or length > LONG else "middle" if length > SHORT else "short"
    return answer(choice, n=numbers.grouped(round(length or most)), d=d)


def small_run(run: Run, step: Step) -> Answer:
    """Compare a small training run with one changed part of the recipe with the plain one."""
    runs = small_runs().values.get("runs", {})
    plain, other = (require(runs.get(name)) for name in (PLAIN, step.about["run"]))
    return answer(
        compared(other["bleu"] - plain["bleu"], "worse", "same", "better", BLEU),
        bleu=plain["bleu"],
        perplexity=plain["perplexity"],
        other=other["bleu"],
        more=other["perplexity"],
    )


def longest_fall(run: Run, step: Step) -> Answer:
    """Find the system that loses most BLEU from the shortest to the longest joined captions."""
    systems = require(measured_lineage()).systems
    ids = step.about["systems"]
    ends = {id: [require(systems.get(id)).lengths.joined[at].value for at in (0, -1)] for id in ids}
    first, second, *_ = sorted(ids, key=lambda id: ends[id][1] - ends[id][0])
    return answer(
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
    gains = {gain.id: gain for gain in require(measured_lineage()).gains}
    bleu = {id: require(gains.get(id)).sets["captions"].bleu for id in step.about["gains"]}
    first, second, *_ = sorted(bleu, key=lambda id: -bleu[id].value)
    return answer(
        first,
        name=step_name(gains[first]),
        second=step_name(gains[second]),
        low=numbers.fixed(bleu[first].low, 1),
        high=numbers.fixed(bleu[first].high, 1),
        gain=numbers.fixed(bleu[first].value, 1),
        less=numbers.fixed(bleu[second].value, 1),
    )


# Other models.


def gaze_on_things(run: Run, step: Step) -> Answer:
    """Count the words about things on which a captioner attends to their thing."""
    language = current_words().language
    # Captioners in the page's language first; sorted is stable.
    names = sorted(captioners(), key=lambda name: outlines()[name].languages[1:] != (language,))
    name = require(next(iter(names), None))
    choices = FrameChoices(name, sentences_for(name)[1][0].text, OPENING)
    caption = caption_of(translated(choices, get_translator(name)))
    words = require(caption.pointed or None)
    hits = sum(word.hit for word in words)
    return answer(
        "all" if hits == len(words) else "some" if hits else "none",
        n=hits,
        of=len(words),
        text=caption.run.translation.text,
        first_word=next(i for i, look in enumerate(looks_of(caption)) if look.box),
        share=percent(np.mean([word.mass for word in words])),
        even=percent(np.mean([word.chance for word in words])),
    )


def gained_by_the_right(run: Run, step: Step) -> Answer:
    """Compare the probability of a masked word with and without the words after it."""
    reader = get_translator(require(masked_model(run.choices.checkpoint)))
    src = reader.tokenize(step.text)
    places = require(src.pieces_of(step.about["word"]) or None)
    both, left = (
        ask(reader, MaskedReader.guess, src, places, left_only=only)[0] for only in (False, True)
    )
    gain = both.own_log_prob - left.own_log_prob
    return answer(
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
    name = require(next(iter(installed_with("documents", (run.choices.checkpoint, BEST))), None))
    reader = get_translator(name)
    src = reader.document(examples()[step.address["document"]].text)
    judgement = ask(reader, DocumentReader.judge, src)
    other = ask(reader, DocumentReader.other_map, src, "sentences").judgement
    weights = np.nan_to_num(judgement.sentences)
    other_weights = np.nan_to_num(other.sentences)
    first = int(weights.argmax())
    second = int(other_weights.argmax())
    return answer(
        "no" if first == second else "yes",
        n=first + 1,
        share=percent(weights[first]),
        second=second + 1,
        place=second,
        more=percent(other_weights[second]),
        label=class_name(judgement.classes[judgement.decided]),
        before=percent(judgement.probs[judgement.decided]),
        after=percent(other.probs[judgement.decided]),
    )
