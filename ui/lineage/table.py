"""What each step of the lineage gains, beside its paper, and all systems in numbers."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from model import list_checkpoints
from records import MeasuredGain, MeasuredLineage, MeasuredSystem, Pointing, PublishedGain
from records.lineage import beyond_a_seed
from ui.kit.blocks import command_line, picture, table
from ui.kit.layout import finding, folded
from ui.state import Run
from ui.words import current_words, plain, say, with_interval
from viz.lineage import gain_dots
from words.numbers import fixed, grouped, percent, signed

from .measured import measured_lineage, name_of

TENTHS = partial(fixed, digits=1)


def show(run: Run) -> None:
    found = measured_lineage()
    if found is None:
        return
    if found.gains:
        _gains(found)
    else:
        st.info(say("lineage-gains-none"), icon=":material/visibility_off:")
    st.markdown("## " + say("lineage-systems-all"))
    frame = systems_table(found)
    widths = {name: 250 if name == "system" else 145 for name in frame}
    shown = {"words": "lineage-column", "widths": widths, "height": "content"}
    hardware = plain(found.hardware)
    table("lineage-systems-all", frame, key="lineage_systems_table", hardware=hardware, **shown)
    _commands(found)


def _gains(found: MeasuredLineage) -> None:
    bleu = pd.DataFrame([vars(gain.bleu["captions"]) for gain in found.gains])
    bleu.insert(0, "label", list(map(step_name, found.gains)))
    most = bleu.loc[bleu["value"].idxmax()]
    sizes = {"n": sum(_is_beyond(gain, found.seed) for gain in found.gains)}
    sizes |= {"of": len(bleu), "bleu": fixed(found.seed, 1)}
    finding(say("lineage-gains-found", value=signed(most["value"], 1), step=most["label"], **sizes))
    papers = [
        (place, each.bleu[1] - each.bleu[0], source_of(each))
        for place, gain in enumerate(found.gains)
        for each in gain.published
        if each.bleu
    ]
    papers = pd.DataFrame(papers, columns=["place", "value", "source"])
    dots = gain_dots(bleu, papers, found.seed)
    picture("lineage-gains-chart", dots, key="lineage_gains", numbers=lambda: bleu, n=len(bleu))
    st.markdown("## " + say("lineage-gains"))
    frame = gains_table(found)
    widths = {name: 145 for name in frame} | {"step": 370, "differs": 500}
    shown = {"words": "lineage-gain-column", "widths": widths, "height": "content"}
    table("lineage-gains", frame, key="lineage_gains_table", **shown)
    said = [told_apart(found), within_a_seed(found)]
    said += [line for gain in found.gains for line in verdicts(gain)]
    st.markdown("\n".join(f"- {line}" for line in said))


def told_apart(found: MeasuredLineage) -> str:
    """Which gains are of systems that differ in one thing, and that the others are not."""
    alone = [step_name(gain) for gain in found.gains if len(gain.differs) == 1]
    steps = plain("; ".join(alone))
    return say("lineage-gains-one", n=len(found.gains), one=len(alone), steps=steps)


def within_a_seed(found: MeasuredLineage) -> str:
    """That every system was trained once, and which gains another seed might bring too."""
    small = [step_name(gain) for gain in found.gains if not _is_beyond(gain, found.seed)]
    steps = plain("; ".join(small))
    return say("lineage-gains-seed", bleu=fixed(found.seed, 1), n=len(small), steps=steps)


def _is_beyond(gain: MeasuredGain, seed: float) -> bool:
    return beyond_a_seed(gain.bleu["captions"].value, seed)


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
                    f"lineage-gain-{'beyond' if _is_beyond(gain, found.seed) else 'within'}"
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


def _in_hundredths(share: float) -> str:
    """For a column whose title says that it is in %."""
    return fixed(100 * share, 0)


def systems_table(found: MeasuredLineage) -> pd.DataFrame:
    """One line a system: what it reaches, where it points, what it costs."""
    return pd.DataFrame([_row(each, each.pointing) for each in found.systems.values()])


def _row(system: MeasuredSystem, pointing: Pointing) -> dict[str, str]:
    return {
        "system": name_of(system),
        "perplexity": with_interval(system.perplexity["captions"]),
        "captions": with_interval(system.bleu["captions"], TENTHS),
        "joined": with_interval(system.bleu["joined"], TENTHS),
        "everyday": with_interval(system.bleu["everyday"], TENTHS),
        "generated": with_interval(system.bleu["generated"], TENTHS),
        "points": say("lineage-no-map")
        if pointing.map is None
        else with_interval(pointing.map, _in_hundredths),
        "left_out": with_interval(pointing.left_out, _in_hundredths),
        "uniform": percent(pointing.uniform, 0),
        "greedy": fixed(system.greedy, 1),
        "beam": fixed(system.beam, 1),
        "parameters": say("lineage-millions", n=fixed(system.parameters / 1e6, 1)),
        "operations": say("lineage-millions", n=fixed(system.operations / 1e6, 1)),
        "training": say("lineage-minutes", n=fixed(system.seconds / 60, 0)),
    }


def _commands(found: MeasuredLineage) -> None:
    installed = set(list_checkpoints())
    absent = [
        each for each in found.systems.values() if not {each.name, each.checkpoint} & installed
    ]
    with folded("reading"):
        st.markdown(say("lineage-commands-measure"))
        command_line(found.command)
        if absent:
            st.markdown(say("lineage-commands-train", n=len(absent)))
            command_line("\n".join(each.command for each in absent))
