"""Error analysis: is a reference missed by the search, by the penalty, or by the model itself?"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from model import ModelError
from records import VERDICTS, SearchVerdict
from ui.beam.bleu import sentence_bleu
from ui.beam.node import number
from ui.beam.scene import BeamScene
from ui.beam.stored import EXACT, exact_rows, show_command, source_words, tally_rows
from ui.export import export_menu
from ui.panels import show_picture
from ui.state import show_problem, verdict_on
from ui.words import current_words, page_text, plain
from viz.labels import token_label, visible
from viz.token_bars import log_prob_lines, token_log_probs

VERDICT_WORDS = {
    "same": "**No error**: the search returned the reference itself.",
    "search error": "**Search error**: the reference scores more, and the search lost it.",
    "length penalty": "**Ranked lower by the length penalty**: the reference is likelier, but the "
    "penalty puts the output first.",
    "model error": "**Model error**: the model itself likes its output better; no search with "
    "this score would return the reference.",
    "void": "**No verdict**",
}
PLAIN_WORDS = {
    "same": "the reference was found",
    "search error": "**search error**: the reference is likelier, and the search lost it",
    "length penalty": "the reference is likelier and finished in the beam; only the **length "
    "penalty** ranked it lower",
    "model error": "**model error**: the output is likelier",
    "void": "no verdict",
}


def show(scene: BeamScene) -> None:
    reference = st.text_input(
        "Reference translation",
        key="reference",
        bind="query-params",
        live="500ms",
        placeholder="Type the translation you had expected",
    )
    if reference.strip():
        _judge(scene, reference)
    else:
        st.info(page_text("beam_no_reference"), icon=":material/edit:")
    st.markdown("##### Over validation sentences")
    _tally(scene)


def _judge(scene: BeamScene, reference: str) -> None:
    try:
        verdict = verdict_on(scene.run, reference)
    except ModelError as error:
        show_problem(error)
        st.caption("The search stays as it is.")
        return
    st.markdown(verdict_words(verdict))
    left, right = st.columns([3, 1], gap="medium")
    with left:
        _tokens(scene, verdict)
    with right:
        _sums(verdict)
        _bleu(verdict)


def verdict_words(verdict: SearchVerdict) -> str:
    """The verdicts with and without normalisation, and where the reference was lost."""
    words = VERDICT_WORDS[verdict.verdict]
    if verdict.verdict == "void":
        reason = plain(visible(current_words().of(verdict.void)), 300)
        words += f": {reason}."
        if verdict.unknown:
            words += " The model reads and writes these as one unknown sign, so its probability "
            words += "of this reference means nothing."
        return words
    lines = [f"With normalisation (by score): {words}"]
    if verdict.verdict != "same":
        lines.append(f"Without (by log P): {PLAIN_WORDS[verdict.plain_verdict]}.")
        lines.append(fall_words(verdict))
    return "\n".join(f"- {line}" for line in lines)


def fall_words(verdict: SearchVerdict) -> str:
    """The step at which the beginning of the reference left the beam, and why."""
    step = verdict.fell_out_at
    if step is None:
        return "The reference finished in the beam, so the search did look at it."
    token = verdict.reference.tokens[step - 1]
    return (
        f"The reference fell out of the beam at **step {step}**, with “{plain(token_label(token))}”"
        f": {plain(current_words().of(verdict.fell_out))}."
    )


def _tokens(scene: BeamScene, verdict: SearchVerdict) -> None:
    step = verdict.fell_out_at
    parts = (
        verdict.output.tokens,
        verdict.output_log_probs,
        verdict.reference.tokens,
        verdict.reference_log_probs,
    )
    figure = token_log_probs(*parts, fell_out=None if step is None else step - 1)
    show_picture(
        figure,
        key="beam_log_probs",
        alt="Log-probability of every token of the output and of the reference, with sums.",
    )
    export_menu(
        figure,
        key="beam_log_probs_export",
        name=f"output and reference: {scene.source}",
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
    lines = [
        "| | output ŷ | reference y\\* |",
        "|---|---:|---:|",
        f"| log P | {number(verdict.output_log_prob)} | {number(verdict.reference_log_prob)} |",
        f"| tokens | {len(verdict.output)} | {len(verdict.reference)} |",
        f"| score | {number(verdict.output_score)} | {number(verdict.reference_score)} |",
    ]
    st.markdown("\n".join(lines))


def _bleu(verdict: SearchVerdict) -> None:
    bleu = sentence_bleu(verdict.output.text, verdict.reference.text)
    st.markdown(
        f"**BLEU {bleu.score:.1f}** of this one sentence, by sacreBLEU. Of the output's "
        "n-grams, those that the reference has too:"
    )
    lines = ["| n | in both | of | precision |", "|---|---:|---:|---:|"]
    for n, (match, total, precision) in enumerate(
        zip(bleu.matches, bleu.totals, bleu.precisions, strict=True), start=1
    ):
        shown = f"{precision:.1f} %" if total else "none"
        lines.append(f"| {n} | {match} | {total} | {shown} |")
    st.markdown("\n".join(lines))
    shorter = "shorter than" if bleu.brevity_penalty < 1 else "not shorter than"
    st.markdown(
        f"Brevity penalty **{bleu.brevity_penalty:.3f}**: {bleu.output_length} words, {shorter} "
        f"the reference's {bleu.reference_length}."
    )
    st.caption(
        "Precisions without a match are smoothed (exponential), and orders the output is too "
        f"short for are left out. {plain(bleu.signature)}"
    )


def tally_words(tally: pd.DataFrame, beam_size: int) -> str:
    """Which share of the missed references is the search's and which the model's, at the stored
    width nearest to `beam_size`, and what that suggests."""
    width = min(tally["beam_size"].unique(), key=lambda each: (abs(each - beam_size), each))
    rows = tally[tally["beam_size"] == width]
    counts = {name: float((rows[name] * rows["sentences"]).sum()) for name in VERDICTS}
    search, penalty, model = (
        counts[name] for name in ("search error", "length penalty", "model error")
    )
    wrong = search + penalty + model
    text = f"With width {width}, over {rows['sentences'].sum()} sentences: "
    if not wrong:
        return text + "no reference was missed, so there is nothing to blame."
    text += (
        f"of the references that were not returned, **{search / wrong:.1%}** are due to the "
        f"search, **{penalty / wrong:.1%}** to the length penalty and **{model / wrong:.1%}** to "
        "the model itself. "
    )
    if search > wrong / 2:
        return text + "Most are lost on the way: a **wider beam** should help."
    if penalty > wrong / 2:
        return text + "Most lose by their length: **another α** should help."
    return text + (
        "A wider beam would win back only the first part: what helps is **more data and a better "
        "model**."
    )


def exact_tally_words(exact: pd.DataFrame) -> str:
    """How often exact search found a better translation than the narrowest and widest beam."""
    parts = []
    for width in sorted({exact["beam_size"].min(), exact["beam_size"].max()}):
        rows = exact[exact["beam_size"] == width]
        total = int(rows[list(EXACT)].to_numpy().sum())
        parts.append(f"width {width}: {int(rows['not_best'].sum())} of {total}")
    return (
        "A reference is only one translation. Exact search looks for **any** that scores more than "
        f"the output, which makes a search error certain. It found one with {'; '.join(parts)}."
    )


def _tally(scene: BeamScene) -> None:
    card = scene.run.translator.card
    plain_toggle = st.toggle(
        "Without normalisation (by log P)", key="tally_plain", bind="query-params"
    )
    tally, exact = tally_rows(card, normalised=not plain_toggle), exact_rows(card)
    if tally.empty:
        show_command(card)
        return
    st.markdown(tally_words(tally, scene.tree.beam_size))
    shares = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        tally,
        key="beam_tally",
        hide_index=True,
        column_config={
            "beam_size": st.column_config.NumberColumn("width", width=60),
            "same": st.column_config.NumberColumn("found", format="percent"),
            **dict.fromkeys(VERDICTS[1:], shares),
        },
        alt="Share of each verdict for each set and width.",
    )
    exact = exact[exact["alpha"] == 0 if plain_toggle else exact["alpha"] != 0]
    if not exact.empty:
        st.markdown(exact_tally_words(exact))
        st.dataframe(
            exact,
            key="beam_exact_tally",
            hide_index=True,
            column_config={
                "beam_size": st.column_config.NumberColumn("width", width=60),
                "alpha": st.column_config.NumberColumn("α", width=50),
                "not_best": st.column_config.NumberColumn("search errors"),
                "best": st.column_config.NumberColumn("the best there is"),
            },
            alt="Search errors that exact search proved.",
        )
    st.caption(source_words(card))
