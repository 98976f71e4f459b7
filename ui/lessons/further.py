"""Measures of the search, the block, positions, of other models and of stored measurements."""

from __future__ import annotations

import math
from string import ascii_lowercase

import numpy as np

from core.block import lens_facts
from core.cost import costs_table, crossing
from core.explain import mean_correlations
from core.hypotheses import spelt
from core.measurements import GOLD, Aligning
from core.measures import special_mass
from core.positions import position_head_table
from core.roles import LEAST, Tested, roles_of
from core.tokens import token_label
from model import DocumentReader, MaskedReader, Translator
from model.experiments.block import lens_of
from model.experiments.order import position_heads
from ui.beam.scene import search_again
from ui.block import stream_of
from ui.captions.gaze import captioners, told_by
from ui.controls import OPENING, installed_with
from ui.cost.costs import stored_costs
from ui.documents.scene import BEST, class_name, examples
from ui.focus import Head
from ui.lineage.measured import measured_lineage, name_of, step_name
from ui.masked.guess import masked_model
from ui.masks.explain import explained
from ui.norm import as_measured, tells_values
from ui.positions.heads import N_OTHERS
from ui.shared import ask
from ui.state import Choices, Run, get_translator, outlines, sentences_for, translated
from ui.training.stored import PLAIN, small_runs
from ui.words import current_words
from viz.block import state_names
from viz.labels import full_head_name
from words import numbers

from .answers import Answer, compared, found, percent
from .book import Step, map_from, there, written_place

CANDIDATES = 4
SHORT, LONG = 200, 2000  # tokens
CLEARLY = math.log(1.5)  # of two probabilities
CLEARER = 1.5  # of two shares
BLEU = 1.0  # by which a small run may differ without a reason


def next_word(run: Run, step: Step) -> Answer:
    """Which of the four likeliest tokens the model gives most, where the best hypothesis is least
    sure; they are offered in the order of the alphabet."""
    tree = search_again(run, run.choices.decoding)
    node = min(there(tree.path(tree.best)[1:] or None), key=lambda each: each.log_prob)
    before = tree.path(node.id)[1:-1]
    ids = tuple(each.token_id for each in before)
    likeliest = run.ask(Translator.candidates, run.choices.text, ids, CANDIDATES)
    names = sorted(token_label(each.token) for each in likeliest)
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
    """From where in the decoder on the written word is the likeliest, by the logit lens."""
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


def heads_by_position(run: Run, step: Step) -> Answer:
    """How many heads keep more of their map under other words than without positions."""
    how = {"n_others": N_OTHERS, "seed": 0, "words": "positions-reading-others"}
    heads = position_head_table(run.ask(position_heads, run.src, run.tgt, **how))
    more = heads["words"] - heads["positions"]
    n, first = int((more > 0).sum()), heads.loc[more.idxmax()]
    kind, layer, head = first["kind"], int(first["layer"]), int(first["head"])
    return found(
        "none" if not n else "most" if 2 * n > len(heads) else "few",
        n=n,
        of=len(heads),
        name=full_head_name(kind, layer - 1, head - 1),
        others=N_OTHERS,
        kept=first["words"],
        left=first["positions"],
        site=kind,
        layer=layer - 1,  # as the picture counts
        head=head - 1,
    )


def weight_and_norm_of_signs(run: Run, step: Step) -> Answer:
    """What special tokens get of the weight and of the norm, in the layer that gives them most."""
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
    """Where the head that aligns best by gold stands among all, by how well it ranks the tokens."""
    map_from(run, "target")
    stored = Aligning.from_values(there(run.card.lies(GOLD).values or None))
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


# Of stored measurements


def rule_for_the_noun(run: Run, step: Step) -> Answer:
    """How often a fixed offset leads to the noun where the best head for it looks."""
    at, head = max(_tested(run, "noun"), key=lambda each: each[1].value.value)
    value, rule = head.value.value, head.against.value
    choice = "less" if rule < value / 2 else "same" if not head.passed else "near"
    return found(choice, at, n=head.n, share=percent(value), rule=percent(rule))


def failed_their_control(run: Run, step: Step) -> Answer:
    """How many heads seem to look at one place from everywhere, and do no more than a control."""
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
    """From which length on self-attention takes longer than a recurrent layer of the width."""
    rows, d = costs_table(there(stored_costs())), step.about["d"]
    at, most = crossing(rows, "attention", "gru", "forward", d), int(rows["n"].max())
    choice = "never" if at is None or at > LONG else "middle" if at > SHORT else "short"
    return found(choice, n=numbers.grouped(round(at or most)), d=d)


def small_run(run: Run, step: Step) -> Answer:
    """How a small training with one part of the recipe changed ends beside the plain one."""
    runs = small_runs().values.get("runs", {})
    plain, other = (there(runs.get(name)) for name in (PLAIN, step.about["run"]))
    choice = compared(other["bleu"] - plain["bleu"], "worse", "same", "better", BLEU)
    values = {"bleu": plain["bleu"], "perplexity": plain["perplexity"]}
    return found(choice, **values, other=other["bleu"], more=other["perplexity"])


def longest_fall(run: Run, step: Step) -> Answer:
    """Which system loses most BLEU from the shortest to the longest joined captions."""
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
    """Which of some steps of the lineage gained most BLEU on captions."""
    gains = {each.id: each for each in there(measured_lineage()).gains}
    bleu = {id: there(gains.get(id)).sets["captions"].bleu for id in step.about["gains"]}
    first, second, *_ = sorted(bleu, key=lambda id: -bleu[id].value)
    told = {"low": bleu[first].low, "high": bleu[first].high, "gain": bleu[first].value}
    told |= {"less": bleu[second].value}
    told = {name: numbers.fixed(value, 1) for name, value in told.items()}
    return found(first, name=step_name(gains[first]), second=step_name(gains[second]), **told)


# Of other models


def gaze_on_things(run: Run, step: Step) -> Answer:
    """Whether a captioner looks at the thing whenever it writes a word about one."""
    language = current_words().language
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
        share=percent(np.mean([each.mass for each in told.pointed])),
        even=percent(np.mean([each.chance for each in told.pointed])),
    )


def gained_by_the_right(run: Run, step: Step) -> Answer:
    """Whether a masked word is likelier when what follows it is read as well."""
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
    """Whether other weights, with most on another sentence, lead to the same verdict."""
    name = there(next(iter(installed_with("documents", (run.choices.checkpoint, BEST))), None))
    reader = get_translator(name)
    src = reader.document(examples()[step.address["document"]].text)
    own = ask(reader, DocumentReader.judge, src)
    other = ask(reader, DocumentReader.other_map, src, "sentences", words="documents-seeking")
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
