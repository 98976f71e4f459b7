"""What each step of the lineage gains, beside its paper, and all systems in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from model import list_checkpoints
from records import MeasuredGain, MeasuredLineage, MeasuredSystem, PublishedGain
from records.lineage import beyond_a_seed
from ui.blocks import command_line
from ui.state import Run
from ui.words import current_words, plain, say, with_interval
from words.numbers import fixed, grouped, percent, signed

from .measured import measured_lineage, name_of

TENTHS = partial(fixed, digits=1)


def show(run: Run) -> None:
    found = measured_lineage()
    if found is None:
        return
    st.markdown("## " + say("lineage-gains"))
    _gains(found)
    st.markdown("## " + say("lineage-systems-all"))
    frame = systems_table(found)
    titles = {name: say(f"lineage-column-{name}") for name in frame}
    _table(frame, titles, "lineage_systems_table", (250, 145), say("lineage-systems-all-alt"))
    st.caption(say("lineage-systems-about", hardware=plain(found.hardware)))
    _commands(found)


def _gains(found: MeasuredLineage) -> None:
    if not found.gains:
        st.info(say("lineage-gains-none"), icon=":material/visibility_off:")
        return
    frame = gains_table(found)
    titles = {name: say(f"lineage-gain-column-{name}") for name in frame}
    _table(frame, titles, "lineage_gains_table", (370, 500, 145), say("lineage-gains-alt"))
    said = [told_apart(found), within_a_seed(found)]
    said += [line for gain in found.gains for line in verdicts(gain)]
    st.markdown("\n".join(f"- {line}" for line in said))
    st.caption(say("lineage-gains-about"))


def told_apart(found: MeasuredLineage) -> str:
    """Which gains are of systems that differ in one thing, and that the others are not."""
    alone = [step_name(gain) for gain in found.gains if len(gain.differs) == 1]
    return say(
        "lineage-gains-one",
        n=len(found.gains),
        one=len(alone),
        steps=plain("; ".join(alone)),
    )


def within_a_seed(found: MeasuredLineage) -> str:
    """That every system was trained once, and which gains another seed might bring too."""
    small = [
        step_name(gain)
        for gain in found.gains
        if not beyond_a_seed(gain.bleu["captions"].value, found.seed)
    ]
    return say(
        "lineage-gains-seed",
        bleu=fixed(found.seed, 1),
        n=len(small),
        steps=plain("; ".join(small)),
    )


def _table(
    frame: pd.DataFrame, titles: Mapping[str, str], key: str, widths: tuple[int, ...], alt: str
) -> None:
    """A table with columns of these `widths`, the last of them for all that follow."""
    columns = {
        name: st.column_config.Column(title, width=widths[min(place, len(widths) - 1)])
        for place, (name, title) in enumerate(titles.items())
    }
    st.dataframe(frame, key=key, height="content", hide_index=True, column_config=columns, alt=alt)


def gains_table(found: MeasuredLineage) -> pd.DataFrame:
    """One line a step: step, differs, bleu, beyond_seed, published_bleu, perplexity,
    published_perplexity, joined, papers."""
    return pd.DataFrame(
        [
            {
                "step": step_name(gain),
                "differs": "; ".join(
                    say(f"lineage-differs-{name}", ours=_trait(ours), others=_trait(others))
                    for name, (ours, others) in gain.differs.items()
                ),
                "bleu": with_interval(gain.bleu["captions"], TENTHS),
                "beyond_seed": say(
                    "lineage-gain-beyond"
                    if beyond_a_seed(gain.bleu["captions"].value, found.seed)
                    else "lineage-gain-within"
                ),
                "published_bleu": "; ".join(
                    signed(each.bleu[1] - each.bleu[0], 1) for each in gain.published if each.bleu
                ),
                "perplexity": with_interval(gain.perplexity["captions"]),
                "published_perplexity": "; ".join(
                    (">" if each.more else "") + fixed(each.perplexity[1] / each.perplexity[0])
                    for each in gain.published
                    if each.perplexity
                ),
                "joined": with_interval(gain.bleu["joined"], TENTHS),
                "papers": "; ".join(map(source_of, gain.published)),
            }
            for gain in found.gains
        ]
    )


def _trait(value: str | int | float | bool) -> str:
    if isinstance(value, float):
        return fixed(value, 4)
    return grouped(value) if type(value) is int else str(value)


def step_name(gain: MeasuredGain) -> str:
    id = f"lineage-gain-{gain.id}"
    return say(id) if current_words().has(id) else f"{gain.ours} / {gain.others}"


def source_of(published: PublishedGain) -> str:
    """The paper, which two of its systems it compares, and whether that comes near ours alone."""
    first, second = published.rows
    return say(
        "lineage-gain-near" if published.near else "lineage-gain-same",
        source=published.source,
        first=first,
        second=second,
    )


def verdicts(gain: MeasuredGain) -> list[str]:
    """A sentence for each published sign that is not reproduced, with our interval."""
    sources: dict[tuple[str, str], list[str]] = {}
    for each in gain.published:
        for measure, sign in (("bleu", each.bleu_sign), ("perplexity", each.perplexity_sign)):
            if sign in ("open", "opposite"):
                sources.setdefault((sign, measure), []).append(source_of(each))
    ours = {
        "bleu": with_interval(gain.bleu["captions"], TENTHS),
        "perplexity": with_interval(gain.perplexity["captions"]),
    }
    return [
        say(
            f"lineage-gain-{sign}",
            step=plain(step_name(gain)),
            measure=measure,
            ours=ours[measure],
            source=plain("; ".join(dict.fromkeys(found))),
        )
        for (sign, measure), found in sources.items()
    ]


def systems_table(found: MeasuredLineage) -> pd.DataFrame:
    """One line a system: what it reaches, where it points, what it costs."""
    return pd.DataFrame([_system_row(each) for each in found.systems.values()])


def in_hundredths(share: float) -> str:
    """For a column whose title says that it is in %."""
    return fixed(100 * share, 0)


def _system_row(system: MeasuredSystem) -> dict[str, str]:
    pointing = system.pointing
    return {
        "system": name_of(system),
        "perplexity": with_interval(system.perplexity["captions"]),
        "captions": with_interval(system.bleu["captions"], TENTHS),
        "joined": with_interval(system.bleu["joined"], TENTHS),
        "everyday": with_interval(system.bleu["everyday"], TENTHS),
        "generated": with_interval(system.bleu["generated"], TENTHS),
        "points": say("lineage-no-map")
        if pointing.map is None
        else with_interval(pointing.map, in_hundredths),
        "left_out": with_interval(pointing.left_out, in_hundredths),
        "uniform": percent(pointing.uniform, 0),
        "greedy": fixed(system.greedy, 1),
        "beam": fixed(system.beam, 1),
        "parameters": say("lineage-millions", n=fixed(system.parameters / 1e6, 1)),
        "operations": say("lineage-millions", n=fixed(system.operations / 1e6, 1)),
        "training": say("lineage-minutes", n=fixed(system.seconds / 60, 0)),
    }


def _commands(found: MeasuredLineage) -> None:
    """How to train what has no checkpoint here, and what measured all of them."""
    installed = set(list_checkpoints())
    absent = [
        each for each in found.systems.values() if not {each.name, each.checkpoint} & installed
    ]
    with st.expander(say("lineage-commands"), icon=":material/terminal:", key="lineage_commands"):
        st.markdown(say("lineage-commands-measure"))
        command_line(found.command)
        if absent:
            st.markdown(say("lineage-commands-train", n=len(absent)))
            command_line("\n".join(each.command for each in absent))
