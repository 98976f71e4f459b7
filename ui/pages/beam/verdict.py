"""Analysis of a reference that search, length penalty or model kept from being found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from sacrebleu.metrics import BLEU
from sacrebleu.metrics.bleu import BLEUScore

from core.measurements import SEARCH
from core.records.search import VERDICTS, SearchVerdict
from core.records.tokens import log_prob_lines
from ui.frame.messages import plain, say, token_text
from ui.frame.state import telling
from ui.kit.blocks import picture, table, text_table
from ui.kit.controls import text_box, toggle
from ui.kit.layout import caption, controls, finding, folded, note, paragraph, settings, subtitle
from ui.kit.measurements import stored_box, tell_source
from ui.pages.beam.scene import BeamScene, verdict_on
from ui.shell.panels import set_title
from viz.outcomes import outcome_bars
from viz.token_bars import token_log_probs
from words import Message
from words.numbers import fixed, percent

# Shorter sentences have no 4-grams, which would make their BLEU zero.
BY_SENTENCE = BLEU(effective_order=True)
EXACT = ("not_best", "best", "undecided")


def show(scene: BeamScene) -> None:
    with controls():
        reference = text_box("reference", live="500ms", label_visibility="collapsed", width=225)
    with settings():
        plain_toggle = toggle("tally_plain")
    stored = scene.run.card.measured(SEARCH)
    tally = tally_rows(stored.values, normalised=not plain_toggle)
    messages = () if tally.empty else tally_messages(tally, scene.tree.beam_size)
    sentences = [say(message) for message in messages]
    if reference.strip():
        with telling("beam-errors-stays"):
            _judge(scene, verdict_on(scene.run, reference))
        subtitle("beam-errors-validation")
        st.markdown(" ".join(sentences[:1]))
    elif sentences:
        finding(sentences[0])
    else:
        note("beam_no_reference", "edit")
    if tally.empty:
        stored_box(stored)
        return
    # Plain verdicts are without length penalty, which is alpha 0.
    exact = exact_rows(stored.values)
    exact = exact[exact["alpha"] == 0 if plain_toggle else exact["alpha"] != 0]
    left, right = st.columns(2, gap="medium")
    with left:
        _tally(tally, scene.tree.beam_size)
        st.markdown(" ".join(sentences[1:]))
    if not exact.empty:
        with right:
            _exact(exact, scene.tree.beam_size)
    with folded("reading"):
        tell_source(stored)


def _tally(tally: pd.DataFrame, beam_size: int) -> None:
    """Draw the shares of verdicts by set and beam size, with the numbers in a fold."""
    kinds = [name.replace(" ", "-") for name in VERDICTS]
    shares = tally.rename(columns=dict(zip(VERDICTS, kinds, strict=True)))
    figure = outcome_bars(_named(shares, kinds, beam_size), "beam-tally-axis", "beam-tally-title")
    picture("beam-tally", figure, key="beam_tally_bars_half", wide=True, numbers=shares)
    with folded("table"):
        table(
            "beam-tally",
            shares,
            formats=dict.fromkeys(kinds, "percent"),
            widths={"set": 156, "beam_size": 92, "sentences": 84} | dict.fromkeys(kinds, 122),
        )


def _exact(exact: pd.DataFrame, beam_size: int) -> None:
    """Draw the search errors that exact search proves, with the counts in a fold."""
    counts = exact[list(EXACT)]
    shares = exact.assign(**counts.div(counts.sum(axis=1), axis=0))
    figure = outcome_bars(_named(shares, EXACT, beam_size), "beam-tally-axis", "beam-exact-title")
    picture("beam-exact-tally", figure, key="beam_exact_bars_half", wide=True, numbers=exact)
    st.markdown(say(exact_tally(exact)))
    with folded("table"):
        table("beam-exact-tally", exact, words="beam-tally")


def _named(shares: pd.DataFrame, outcomes: Sequence[str], beam_size: int) -> pd.DataFrame:
    """Return the shares with the names of their rows; those of the width in use are chosen."""
    names = [
        say("beam-tally-row", set=line.set, width=line.beam_size) for line in shares.itertuples()
    ]
    chosen = shares["beam_size"] == beam_size
    return shares[list(outcomes)].assign(name=names, chosen=chosen)


def _judge(scene: BeamScene, verdict: SearchVerdict) -> None:
    first, *others = (say(message) for message in verdict_messages(verdict))
    finding(first)
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
        st.markdown("\n\n".join(others))
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


def sentence_bleu(output: str, reference: str) -> BLEUScore:
    """Return the BLEU of one sentence (Papineni et al. 2002) by sacreBLEU, zero counts smoothed."""
    return BY_SENTENCE.sentence_score(output, [reference])


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
    """Return one line per set, alpha and beam size: counts of outputs by exact search."""
    rows = [line | width for line in _errors(stored, "exact") for width in line["widths"]]
    return _by_set(rows, ["set", "alpha", "beam_size", *EXACT])


def _errors(stored: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return stored.get("errors", {}).get(name, [])


def _by_set(rows: list[dict[str, Any]], columns: list[str]) -> pd.DataFrame:
    lines = pd.DataFrame(rows, columns=columns)
    return lines.assign(set=[set_title(name, name.replace("_", " ")) for name in lines["set"]])


def tally_messages(tally: pd.DataFrame, beam_size: int) -> tuple[Message, ...]:
    """Return messages on the causes of missed references at the stored width nearest `beam_size`.

    The first has the shares of search, penalty and model; the second tells what would help.
    """
    # Of two widths at the same distance the smaller one.
    width = min(tally["beam_size"].unique(), key=lambda width: (abs(width - beam_size), width))
    rows = tally[tally["beam_size"] == width]
    values: dict[str, Any] = {"width": int(width), "n": int(rows["sentences"].sum())}
    columns = {"search": "search error", "penalty": "length penalty", "model": "model error"}
    missed = {
        cause: float((rows[column] * rows["sentences"]).sum()) for cause, column in columns.items()
    }
    wrong = sum(missed.values())
    if not wrong:
        return (Message("beam-tally-nothing", values),)
    values |= {cause: count / wrong for cause, count in missed.items()}
    search = missed["search"] > wrong / 2
    penalty = missed["penalty"] > wrong / 2
    helps = "wider" if search else "alpha" if penalty else "model"
    return Message("beam-tally-shares", values), Message(f"beam-helps-{helps}")


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
