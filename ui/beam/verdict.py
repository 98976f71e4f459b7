"""Error analysis: is a reference missed by the search, by the penalty, or by the model itself?"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.labels import token_label
from analysis.tokens import log_prob_lines
from model import ModelError
from records import VERDICTS, SearchVerdict
from records.measurements import SEARCH
from ui.beam.bleu import sentence_bleu
from ui.beam.scene import BeamScene
from ui.beam.searches import verdict_on
from ui.beam.stored import EXACT, exact_rows, tally_rows
from ui.kit.blocks import figure_block
from ui.state import show_problem
from ui.stored import source_line, stored_box
from ui.words import current_words, listed, page_text, plain, say
from viz.token_bars import token_log_probs
from words import Message
from words.numbers import fixed, percent


def show(scene: BeamScene) -> None:
    reference = st.text_input(
        say("beam-errors-reference"),
        key="reference",
        bind="query-params",
        live="500ms",
        placeholder=say("beam-errors-placeholder"),
    )
    if reference.strip():
        _judge(scene, reference)
    else:
        st.info(page_text("beam_no_reference"), icon=":material/edit:")
    st.markdown("## " + say("beam-errors-validation"))
    _tally(scene)


def _judge(scene: BeamScene, reference: str) -> None:
    try:
        verdict = verdict_on(scene.run, reference)
    except ModelError as error:
        show_problem(error)
        st.caption(say("beam-errors-stays"))
        return
    st.markdown(listed(verdict_messages(verdict)))
    left, right = st.columns([3, 1], gap="medium")
    with left:
        _tokens(scene, verdict)
    with right:
        _sums(verdict)
        _bleu(verdict)


def verdict_messages(verdict: SearchVerdict) -> tuple[Message, ...]:
    """The verdicts with and without normalisation, and where the reference was lost."""
    if verdict.verdict == "void":
        id = "beam-verdict-void-unknown" if verdict.unknown else "beam-verdict-void"
        return (Message.of(id, reason=plain(current_words().of(verdict.void), 300)),)
    by_score = Message("beam-verdict-" + verdict.verdict.replace(" ", "-"))
    by_sum = Message("beam-plain-verdict-" + verdict.plain_verdict.replace(" ", "-"))
    lines = (Message.of("beam-verdict-by-score", verdict=by_score),)
    if verdict.verdict == "same":
        return lines
    return *lines, Message.of("beam-verdict-by-sum", verdict=by_sum), fall_message(verdict)


def fall_message(verdict: SearchVerdict) -> Message:
    """The step at which the beginning of the reference left the beam, and why."""
    step = verdict.fell_out_at
    if step is None:
        return Message("beam-fell-not")
    token = plain(token_label(verdict.reference.tokens[step - 1]))
    return Message.of("beam-fell", step=step, token=token, reason=verdict.fell_out)


def _tokens(scene: BeamScene, verdict: SearchVerdict) -> None:
    step = verdict.fell_out_at
    parts = (
        verdict.output.tokens,
        verdict.output_log_probs,
        verdict.reference.tokens,
        verdict.reference_log_probs,
    )
    fell_out = None if step is None else step - 1
    figure_block(
        token_log_probs(*parts, fell_out=fell_out),
        key="beam_log_probs",
        alt=say("beam-errors-tokens-alt"),
        name=say("beam-errors-tokens-file", source=scene.source),
        numbers=lambda: both_lines(*parts),
    )


def both_lines(
    output_tokens: tuple, output_log_probs: Any, reference_tokens: tuple, reference_log_probs: Any
) -> pd.DataFrame:
    """`log_prob_lines` of both, told apart by the column text."""
    return pd.concat(
        [
            log_prob_lines(output_tokens, output_log_probs).assign(text="output"),
            log_prob_lines(reference_tokens, reference_log_probs).assign(text="reference"),
        ],
        ignore_index=True,
    )


def _sums(verdict: SearchVerdict) -> None:
    rows = {
        "beam-log-sum": (verdict.output_log_prob, verdict.reference_log_prob),
        "beam-tokens": (len(verdict.output), len(verdict.reference)),
        "beam-score": (verdict.output_score, verdict.reference_score),
    }
    lines = [
        f"| | {say('beam-errors-output')} | {say('beam-errors-expected')} |",
        "|---|---:|---:|",
    ]
    for name, pair in rows.items():
        cells = (str(n) if isinstance(n, int) else fixed(n, 4) for n in pair)
        lines.append(f"| {say(name)} | {' | '.join(cells)} |")
    st.markdown("\n".join(lines))


def _bleu(verdict: SearchVerdict) -> None:
    bleu = sentence_bleu(verdict.output.text, verdict.reference.text)
    st.markdown(say("beam-bleu", score=fixed(bleu.score, 1)))
    names = ("beam-bleu-n", "beam-bleu-both", "beam-bleu-of", "beam-bleu-precision")
    lines = [f"| {' | '.join(map(say, names))} |", "|---|---:|---:|---:|"]
    for n, (match, total, precision) in enumerate(
        zip(bleu.matches, bleu.totals, bleu.precisions, strict=True), start=1
    ):
        shown = percent(precision / 100) if total else say("beam-bleu-none")
        lines.append(f"| {n} | {match} | {total} | {shown} |")
    st.markdown("\n".join(lines))
    st.markdown(
        say(
            "beam-bleu-shorter" if bleu.brevity_penalty < 1 else "beam-bleu-not-shorter",
            penalty=fixed(bleu.brevity_penalty, 3),
            n=bleu.output_length,
            reference=bleu.reference_length,
        )
    )
    st.caption(say("beam-bleu-caption", signature=plain(bleu.signature)))


def tally_messages(tally: pd.DataFrame, beam_size: int) -> tuple[Message, ...]:
    """Which share of the missed references is the search's and which the model's, at the stored
    width nearest to `beam_size`, and what that suggests."""
    width = min(tally["beam_size"].unique(), key=lambda each: (abs(each - beam_size), each))
    rows = tally[tally["beam_size"] == width]
    counts = {name: float((rows[name] * rows["sentences"]).sum()) for name in VERDICTS}
    search, penalty, model = (
        counts[name] for name in ("search error", "length penalty", "model error")
    )
    wrong = search + penalty + model
    known = {"width": int(width), "n": int(rows["sentences"].sum())}
    if not wrong:
        return (Message("beam-tally-nothing", known),)
    parts = {"search": search, "penalty": penalty, "model": model}
    known |= {name: percent(count / wrong) for name, count in parts.items()}
    helps = "wider" if search > wrong / 2 else "alpha" if penalty > wrong / 2 else "model"
    return Message("beam-tally-shares", known), Message(f"beam-tally-{helps}")


def exact_tally(exact: pd.DataFrame) -> Message:
    """How often exact search found a better translation than the narrowest and widest beam."""
    parts = []
    for width in sorted({exact["beam_size"].min(), exact["beam_size"].max()}):
        rows = exact[exact["beam_size"] == width]
        total = int(rows[list(EXACT)].to_numpy().sum())
        n = int(rows["not_best"].sum())
        parts.append(Message.of("beam-exact-tally-width", width=int(width), n=n, total=total))
    return Message.of("beam-exact-tally", found=tuple(parts))


def _tally(scene: BeamScene) -> None:
    card = scene.run.translator.card
    plain_toggle = st.toggle(say("beam-tally-plain"), key="tally_plain", bind="query-params")
    tally, exact = tally_rows(card, normalised=not plain_toggle), exact_rows(card)
    if tally.empty:
        stored_box(card.lies(SEARCH))
        return
    st.markdown(" ".join(map(current_words().of, tally_messages(tally, scene.tree.beam_size))))
    number = st.column_config.NumberColumn
    st.dataframe(
        tally,
        key="beam_tally",
        hide_index=True,
        column_config={
            "set": say("beam-tally-set"),
            "beam_size": number(say("beam-width"), width=96),
            "sentences": say("beam-tally-sentences"),
            **{
                name: number(say(f"beam-tally-{name.replace(' ', '-')}"), format="percent")
                for name in VERDICTS
            },
        },
        alt=say("beam-tally-alt"),
    )
    exact = exact[exact["alpha"] == 0 if plain_toggle else exact["alpha"] != 0]
    if not exact.empty:
        st.markdown(current_words().of(exact_tally(exact)))
        st.dataframe(
            exact,
            key="beam_exact_tally",
            hide_index=True,
            column_config={
                "set": say("beam-tally-set"),
                "beam_size": number(say("beam-width"), width=96),
                "alpha": number(say("beam-exact-tally-alpha"), width=50),
                "not_best": say("beam-exact-tally-not-best"),
                "best": say("beam-exact-tally-best"),
                "undecided": say("beam-exact-tally-undecided"),
            },
            alt=say("beam-exact-tally-alt"),
        )
    st.caption(source_line(card.searches))
