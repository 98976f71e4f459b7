"""Analysis of a reference that search, length penalty or model kept from being found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.bootstrap import wilson
from core.measurements import SEARCH
from core.records.hypotheses import outputs_table
from core.records.search import VERDICTS, BeamTree, ExactSearch, Hypothesis, SearchVerdict
from core.records.tokens import log_prob_lines
from ui.frame.messages import plain, say, set_title, token_text
from ui.frame.problems import telling
from ui.kit.bleu import BY_SENTENCE, sentence_bleu
from ui.kit.blocks import picture, table, text_table
from ui.kit.controls import slider, text_box, toggle
from ui.kit.layout import caption, controls, finding, folded, paragraph, settings, subtitle
from ui.kit.measurements import stored_box, tell_source
from ui.pages.beam.scene import BeamScene
from ui.pages.beam.searches import exact_message, exact_of, greedy_of, verdict_on
from viz.outcomes import error_dots, score_dots, verdict_bars
from viz.token_bars import token_log_probs
from words import Message
from words.numbers import fixed, percent

EXACT = ("not_best", "best", "undecided")
# As they follow each other in a bar.
OUTCOMES = ("same", "search error", "length penalty", "model error", "void")


def show(scene: BeamScene) -> None:
    with controls():
        reference = text_box("reference", live="500ms", label_visibility="collapsed", width=225)
    with settings():
        plain_toggle = toggle("tally_plain")
        limit = slider("exact_limit", 1, 60, 3)
    verdict = None
    if reference.strip():
        with telling("beam-errors-stays"):
            verdict = verdict_on(scene.run, reference)
    exact = exact_of(scene.run, float(limit))
    messages: tuple[Message, ...] = (sentence_message(exact, scene.tree),)
    if verdict is not None:
        messages = (*verdict_messages(verdict), *messages)
    first, *others = map(say, messages)
    finding(first)
    _sentence(scene, exact, verdict)
    if verdict is not None:
        _tokens(verdict, others)
    _corpus(scene, normalised=not plain_toggle)
    with folded("table"):
        st.markdown(say(exact_message(exact, scene.tree)))


def sentence_message(exact: ExactSearch, tree: BeamTree) -> Message:
    """Return the verdict of exact search on this sentence in one line; else `exact_message`."""
    whole = exact_message(exact, tree)
    short = {
        "beam-exact-proven": "beam-errors-proven",
        "beam-exact-unproven": "beam-errors-unproven",
        "beam-exact-better-best": "beam-errors-missed",
        "beam-exact-better-found": "beam-errors-missed",
    }.get(whole.id)
    if short is None:
        return whole
    values = {name: whole.values[name] for name in ("text", "gain") if name in whole.values}
    score = tree.hypothesis(tree.best).score
    facts = {"width": tree.beam_size, "seconds": exact.seconds, "score": score}
    return Message(short, values | facts)


def _sentence(scene: BeamScene, exact: ExactSearch, verdict: SearchVerdict | None) -> None:
    """Draw the outputs of this sentence by their score, and the reference if there is one."""
    lines = sentence_lines(scene.tree, greedy_of(scene.run), exact)
    if verdict is not None and verdict.verdict != "void":
        lines = with_reference(lines, verdict)
    picture(
        "beam-errors-dots",
        score_dots(lines),
        key="beam_errors_dots_half",
        wide=True,
        numbers=lines.drop(columns="chosen"),
        n=len(lines),
        source=scene.source,
    )
    if verdict is None:
        caption("beam-errors-type")


def with_reference(lines: pd.DataFrame, verdict: SearchVerdict) -> pd.DataFrame:
    """Return `sentence_lines` with the reference: in the line of an equal output, or as the last.

    Its line is chosen.
    """
    name = say("beam-reference")
    text = verdict.reference.text
    equal = lines["text"] == text
    if equal.any():
        names = lines["name"].where(~equal, lines["name"] + f" = {name}")
        return lines.assign(name=names, chosen=equal)
    reference = {"name": name, "text": text, "score": verdict.reference_score, "chosen": True}
    return pd.concat([lines, pd.DataFrame([reference])], ignore_index=True)


def sentence_lines(tree: BeamTree, greedy: BeamTree, exact: ExactSearch) -> pd.DataFrame:
    """Return one line for each distinct output of greedy, beam and exact search.

    Columns name (of all searches that return it), text, score, chosen.
    """
    outputs = {say("beam-method-greedy"): greedy.hypothesis(greedy.best)}
    if tree.beam_size > 1:
        outputs[say("beam-method-beam", width=tree.beam_size)] = tree.hypothesis(tree.best)
    # An unfinished search that met no other output says nothing about this one.
    if exact.best is not None and (exact.proven or exact.best.ids not in _ids_of(outputs)):
        name = "beam-method-exact" if exact.proven else "beam-method-exact-given-up"
        outputs[say(name)] = exact.best
    lines = outputs_table(list(outputs.values())).assign(name=list(outputs), chosen=False)
    by_tokens = lines.groupby("tokens", sort=False)
    groups = by_tokens.head(1).reset_index(drop=True)
    groups["name"] = by_tokens["name"].agg(" = ".join).tolist()
    return groups[["name", "text", "score", "chosen"]]


def _ids_of(hypotheses: Mapping[str, Hypothesis]) -> set[tuple[int, ...]]:
    return {hypothesis.ids for hypothesis in hypotheses.values()}


def _corpus(scene: BeamScene, *, normalised: bool) -> None:
    """Draw the search errors of many sentences, as far as they were measured."""
    stored = scene.run.card.measured(SEARCH)
    tally = tally_rows(stored.values, normalised=normalised)
    subtitle("beam-errors-validation")
    if tally.empty:
        stored_box(stored)
        return
    messages = tally_messages(tally, scene.tree.beam_size)
    st.markdown(" ".join(map(say, messages)))
    bars = verdict_rows(tally, scene.tree.beam_size)
    outcomes = list(dict.fromkeys(bars["outcome"]))
    numbers = bars.drop(columns=["chosen", "aside"])
    picture("beam-verdicts", verdict_bars(bars, outcomes), numbers=numbers)
    exact = exact_rows(stored.values)
    # Plain verdicts are without length penalty, which is alpha 0.
    exact = exact[(exact["alpha"] != 0) == normalised]
    if not exact.empty:
        st.markdown(say(exact_tally(exact)))
        rows = error_rows(exact, scene.tree.beam_size)
        picture("beam-errors-found", error_dots(rows), numbers=rows.drop(columns="chosen"))
    with folded("table"):
        _tables(tally, exact)
    with folded("reading"):
        tell_source(stored)


def verdict_rows(tally: pd.DataFrame, beam_size: int) -> pd.DataFrame:
    """Return the rows of `verdict_bars`: shares of the outcomes that occur, by set and width.

    `tally` is from `tally_rows`; lines of the width nearest to `beam_size` are chosen.
    """
    rows = []
    chosen = nearest_width(tally, beam_size)
    occurring = [outcome for outcome in OUTCOMES if tally[outcome].any()]
    for line in tally.to_dict("records"):
        name = say("beam-tally-row", set=line["set"], width=line["beam_size"])
        rows += [
            {
                "name": name,
                "chosen": line["beam_size"] == chosen,
                "outcome": say(f"beam-tally-{outcome.replace(' ', '-')}"),
                "value": line[outcome],
                "aside": say("beam-verdicts-search", share=line["search error"]),
            }
            for outcome in occurring
        ]
    return pd.DataFrame(rows)


def error_rows(exact: pd.DataFrame, beam_size: int) -> pd.DataFrame:
    """Return the rows of `error_dots`: errors that exact search proved, by set and width.

    `exact` is from `exact_rows`; lines of the width nearest to `beam_size` are chosen.
    """
    rows = []
    chosen = nearest_width(exact, beam_size)
    for line in exact.to_dict("records"):
        n = sum(line[outcome] for outcome in EXACT)
        low, high = wilson(line["not_best"], n)
        rows.append(
            {
                "name": say("beam-tally-row", set=line["set"], width=line["beam_size"]),
                "chosen": line["beam_size"] == chosen,
                "value": line["not_best"] / n,
                "low": low,
                "high": high,
                "n": n,
            }
        )
    return pd.DataFrame(rows)


def _tables(tally: pd.DataFrame, exact: pd.DataFrame) -> None:
    """Draw the shares of all verdicts and the counts of exact search."""
    kinds = [name.replace(" ", "-") for name in VERDICTS]
    table(
        "beam-tally",
        tally.rename(columns=dict(zip(VERDICTS, kinds, strict=True))),
        formats=dict.fromkeys(kinds, "percent"),
        widths={"set": 156, "beam_size": 92, "sentences": 84} | dict.fromkeys(kinds, 122),
    )
    if not exact.empty:
        table("beam-exact-tally", exact, words="beam-tally")


def _tokens(verdict: SearchVerdict, messages: Sequence[str]) -> None:
    """Draw the tokens of output and reference with their log-probabilities, beside `messages`."""
    output = verdict.output.tokens, verdict.output_log_probs
    expected = verdict.reference.tokens, verdict.reference_log_probs
    # Steps count from 1.
    fell_out = None if verdict.fell_out_at is None else verdict.fell_out_at - 1

    def numbers() -> pd.DataFrame:
        texts = {"output": output, "reference": expected}
        lines = [log_prob_lines(*text).assign(text=name) for name, text in texts.items()]
        return pd.concat(lines, ignore_index=True)

    left, right = st.columns([13, 7], gap="medium")
    with left:
        picture(
            "beam-errors-tokens",
            token_log_probs(*output, *expected, fell_out=fell_out),
            numbers=numbers,
        )
    with right:
        rows = {
            "beam-log-sum": (verdict.output_log_prob, verdict.reference_log_prob),
            "beam-tokens": (len(verdict.output), len(verdict.reference)),
            "beam-score": (verdict.output_score, verdict.reference_score),
        }
        titles = ["", say("beam-errors-output"), say("beam-errors-expected")]
        lines = (
            [say(name), *(n if isinstance(n, int) else fixed(n) for n in pair)]
            for name, pair in rows.items()
        )
        st.markdown(text_table(titles, lines))
        st.markdown("\n\n".join(messages))
    with folded("table"):
        _bleu(verdict)


def verdict_messages(verdict: SearchVerdict) -> tuple[Message, ...]:
    """Return messages on the verdict by score and log-probability, and on the reference's end."""
    if verdict.verdict == "void":
        id = "beam-verdict-void-unknown" if verdict.unknown else "beam-verdict-void"
        return (Message.of(id, reason=plain(say(verdict.void), 300)),)
    by_score = Message("beam-verdict-" + verdict.verdict.replace(" ", "-"))
    by_sum = Message("beam-plain-verdict-" + verdict.plain_verdict.replace(" ", "-"))
    lines = (Message.of("beam-verdict-by-score", verdict=by_score),)
    if verdict.verdict == "same":
        return lines
    fell = Message("beam-fell-not")
    step = verdict.fell_out_at
    if step is not None:
        token = token_text(verdict.reference.tokens[step - 1])
        fell = Message.of("beam-fell", step=step, token=token, reason=verdict.fell_out)
    return *lines, Message.of("beam-verdict-by-sum", verdict=by_sum), fell


def _bleu(verdict: SearchVerdict) -> None:
    bleu = sentence_bleu(verdict.output.text, verdict.reference.text)
    paragraph("beam-bleu", score=bleu.score)
    counted = zip(bleu.counts, bleu.totals, bleu.precisions, strict=True)
    lines = (
        [n, both, of, percent(precision / 100) if of else say("beam-bleu-none")]
        for n, (both, of, precision) in enumerate(counted, start=1)
    )
    titles = [say(f"beam-bleu-{name}") for name in ("n", "both", "of", "precision")]
    st.markdown(text_table(titles, lines))
    paragraph(
        "beam-bleu-shorter" if bleu.bp < 1 else "beam-bleu-not-shorter",
        penalty=bleu.bp,
        n=bleu.sys_len,
        reference=bleu.ref_len,
    )
    caption("beam-bleu-caption", signature=plain(str(BY_SENTENCE.get_signature())))


# Stored measurements over many sentences.


def tally_rows(stored: Mapping[str, Any], *, normalised: bool) -> pd.DataFrame:
    """Return one line per set and beam size, with sentences and shares of verdicts (0 to 1).

    Verdicts are by score if `normalised`, else by log-probability.
    """
    shares = "normalised" if normalised else "plain"
    rows = [line | line[shares] for line in _errors(stored, "tally")]
    return _by_set(rows, ["set", "beam_size", "sentences", *VERDICTS])


def exact_rows(stored: Mapping[str, Any]) -> pd.DataFrame:
    """Return one line per set, alpha and beam size: counts of outputs by exact search.

    Lines without an output are left out, since they have no share of errors.
    """
    rows = [
        line | width
        for line in _errors(stored, "exact")
        for width in line["widths"]
        if any(width[outcome] for outcome in EXACT)
    ]
    return _by_set(rows, ["set", "alpha", "beam_size", *EXACT])


def _errors(stored: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return stored.get("errors", {}).get(name, [])


def _by_set(rows: list[dict[str, Any]], columns: list[str]) -> pd.DataFrame:
    lines = pd.DataFrame(rows, columns=columns)
    return lines.assign(set=[set_title(name, name.replace("_", " ")) for name in lines["set"]])


def nearest_width(measured: pd.DataFrame, beam_size: int) -> int:
    """Return the measured width nearest to `beam_size`, of two at one distance the smaller."""
    widths = map(int, measured["beam_size"].unique())
    return min(widths, key=lambda width: (abs(width - beam_size), width))


def tally_messages(tally: pd.DataFrame, beam_size: int) -> tuple[Message, ...]:
    """Return messages on the causes of missed references at the stored width nearest `beam_size`.

    The first has the shares of the model, the second that of the search; the third tells what would
    help.
    """
    width = nearest_width(tally, beam_size)
    rows = tally[tally["beam_size"] == width]
    values: dict[str, Any] = {"width": width, "n": int(rows["sentences"].sum())}
    columns = {"search": "search error", "penalty": "length penalty", "model": "model error"}
    missed = {
        cause: float((rows[column] * rows["sentences"]).sum()) for cause, column in columns.items()
    }
    wrong = sum(missed.values())
    if not wrong:
        return (Message("beam-tally-nothing", values),)
    # Of all sentences, as in the bars.
    values |= {cause: count / values["n"] for cause, count in missed.items()}
    values["parts"] = tuple(
        Message("beam-tally-part", {"set": row["set"], "share": row["model error"]})
        for row in rows.to_dict("records")
    )
    search = missed["search"] > wrong / 2
    penalty = missed["penalty"] > wrong / 2
    helps = "wider" if search else "alpha" if penalty else "model"
    shares, misses = (Message.of(f"beam-tally-{of}", **values) for of in ("shares", "misses"))
    return shares, misses, Message(f"beam-helps-{helps}")


def exact_tally(exact: pd.DataFrame) -> Message:
    """Return a message on how often exact search beat the narrowest and the widest beam."""
    parts = []
    for width in sorted({exact["beam_size"].min(), exact["beam_size"].max()}):
        rows = exact[exact["beam_size"] == width]
        parts.append(
            Message.of(
                "beam-exact-tally-width",
                width=int(width),
                n=int(rows["not_best"].sum()),
                total=int(rows[list(EXACT)].sum(axis=None)),
            )
        )
    return Message.of("beam-exact-tally", found=tuple(parts))
