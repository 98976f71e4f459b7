"""The self-check of what is on screen: a line of ticks, and the numbers behind it."""

from __future__ import annotations

import streamlit as st

from analysis.checks import Check, self_check, shown_check
from records import PaddingEffect
from ui.shared import cached
from ui.state import Run
from ui.words import current_words, say, site_name
from words import Message
from words.numbers import scientific

from .scene import Scene

# Padded rows are added up in another order, so the last digits of float32 may differ.
_SAME = 1e-4


def show_checks(scene: Scene) -> None:
    """Every rule, measured on the attention on screen, for all its layers and heads.

    What takes the model again, that padding changes nothing, is measured when somebody looks.
    """
    box = st.expander(
        say("attention-checks"), key="checks", icon=":material/rule:", on_change="rerun"
    )
    checks = list(self_check(scene.raw))
    if box.open and "padding" in scene.run.capabilities:
        checks.append(padding_check(_padding(scene.run)))
    if scene.attention is not scene.raw:
        checks.append(shown_check(scene.shown))
    of = current_words().of
    failed = sum(not check.passed for check in checks)
    st.caption(" · ".join(f"{_tick(check)} {of(check.title)}" for check in checks))
    if failed:
        st.warning(say("attention-checks-failed", n=failed, of=len(checks)), icon=":material/rule:")
    if box.open:
        lines = (
            f"- {_tick(check)} **{of(check.title)}**: {of(check.measured)}" for check in checks
        )
        measured = say("attention-checks-measured", site=site_name(scene.kind, "attention"))
        box.markdown(measured + "\n\n" + "\n".join(lines))


def padding_check(effect: PaddingEffect) -> Check:
    """Padding gets no weight at all, and its presence changes nothing else."""
    return Check(
        Message.of("figures-check-padding"),
        effect.largest_weight == 0.0 and effect.largest_change <= _SAME,
        Message.of(
            "figures-check-padding-measured",
            n_source=effect.n_source,
            n_target=effect.n_target,
            weight=scientific(effect.largest_weight),
            change=scientific(effect.largest_change),
        ),
    )


@cached("identity", max_entries=128)
def _padding(run: Run) -> PaddingEffect:
    return run.translator.padding_effect(run.record)


def _tick(check: Check) -> str:
    return ":green[✓]" if check.passed else ":red[✗]"
