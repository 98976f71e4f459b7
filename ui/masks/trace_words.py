"""What a trace says: the decision, the path behind it, and whether the path explains it."""

from __future__ import annotations

from analysis.labels import distinct_labels, token_label
from analysis.trace import TracePath, link_ends
from model import ModelError
from records import Intervention, MaskedCell, Trace
from ui.effect.reading import candidates_with
from ui.masks.choices import forms_at
from ui.state import Run
from ui.words import current_words, head_at, plain, say
from words import Message, numbers


def trace_words(trace: Trace) -> str:
    """The decision, its log-odds, and how many links were knocked out."""
    return say(
        "masks-trace-decision",
        token=plain(token_label(trace.decision.token)),
        rival=plain(token_label(trace.decision.rival)),
        odds=numbers.signed(trace.log_odds),
        factor=numbers.factor(abs(trace.log_odds)),
        side="for" if trace.log_odds >= 0 else "against",
        links=numbers.grouped(trace.n_links),
        run=numbers.grouped(trace.n_run),
    )


def path_words(run: Run, trace: Trace, path: TracePath) -> str:
    """The stops with the links between them, and the verdict; as Markdown."""
    parts = [plain(token_label(trace.decision.token))]
    for link in path.links:
        head, change = head_at(link.kind, link.layer, link.head), numbers.signed(link.change)
        to = plain(link_ends(trace, link)[1])
        parts.append(say("masks-trace-stop", token=to, head=head, change=change))
    said = [say("masks-trace-path", path=" → ".join(parts))] if path.links else []
    if found := verdict(run, trace, path):
        said.append(current_words().of(found))
    return " ".join(said)


def verdict(run: Run, trace: Trace, path: TracePath) -> Message | None:
    """Whether it is the path the textbook draws: from the pronoun by its source to the noun.

    None where no textbook has one.
    """
    if not path.links:
        strongest = trace.strongest(1)[0]
        start, end = (plain(name) for name in link_ends(trace, strongest))
        return Message.of(
            "masks-trace-no-path",
            head=head_at(strongest.kind, strongest.layer, strongest.head),
            start=start,
            end=end,
            change=numbers.signed(strongest.change),
        )
    example, src = run.example, trace.src
    if example is None or not example.antecedent or not forms_at(run, trace.decision.position):
        return None
    pronoun, noun = src.pieces_of(example.pronoun), src.pieces_of(example.antecedent)
    names = {
        "written": plain(token_label(trace.decision.token)),
        "pronoun": example.pronoun,
        "noun": example.antecedent,
    }
    labels, stops = [plain(label) for label in distinct_labels(src.tokens)], path.source_stops

    def quoted(places: tuple[int, ...]) -> str:
        return ", ".join(say("quoted", text=labels[i]) for i in places)

    if path.goes_by(pronoun, noun):
        if not (further := stops[2:]):
            return Message.of("masks-trace-textbook", **names)
        return Message.of("masks-trace-onward", further=quoted(further), **names)
    names["stop"] = " ".join(labels[i] for i in noun)
    if not set(stops) & set(noun):
        return Message.of("masks-trace-elsewhere", **names)
    before = stops[: next(n for n, stop in enumerate(stops) if stop in noun)]
    if not before:
        return Message.of("masks-trace-straight", **names)
    return Message.of("masks-trace-by-way", by=quoted(before), **names)


def check_words(run: Run, trace: Trace, path: TracePath) -> str:
    """The whole path knocked out at once, beside the sum of its links; nothing of none."""
    if not path.links:
        return ""
    try:
        without = log_odds_under(run, trace, path_change(path))
    except ModelError as error:
        return say("masks-trace-no-check", why=plain(current_words().of(error.message)))
    same = (without < 0) == (trace.log_odds < 0)
    return say(
        "masks-trace-check",
        n=len(path.links),
        change=numbers.signed(without - trace.log_odds),
        sum=numbers.signed(sum(link.change for link in path.links)),
        turn="same" if same else "rival" if without < 0 else "token",
    )


def path_change(path: TracePath) -> Intervention:
    """All links of the path knocked out together."""
    return Intervention(
        *(MaskedCell(link.kind, link.layer, link.head, link.query, link.key) for link in path.links)
    )


def log_odds_under(run: Run, trace: Trace, change: Intervention) -> float:
    """ln P(token) / P(rival) under a change, in its place of the translation."""
    decision = trace.decision
    sides = decision.token_id, decision.rival_id
    found = candidates_with(run, change, run.translation.tgt.ids[: decision.position], sides)
    token, rival = (found[token_id].log_prob for token_id in sides)
    return token - rival
