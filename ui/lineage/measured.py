"""What was measured of all systems: what each step of the lineage gains, beside its paper, and
what the length of a text does to each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.lineage import MeasuredGain, MeasuredLineage, MeasuredSystem, PublishedGain, beyond_a_seed
from core.measurements import LINEAGE
from model import list_checkpoints
from model.checkpoint import checkpoints_folder
from ui.address import NAMES
from ui.kit.blocks import WHOLE, command_line, picture, table
from ui.kit.controls import several
from ui.kit.layout import finding, folded, note, paragraph, settings, subtitle
from ui.state import Run
from ui.stored import stored_of
from ui.words import called, plain, say, system_name, with_interval
from viz.lineage import gain_dots, length_curves
from words.numbers import fixed, grouped, percent, signed

from .chosen import tell_ends

TENTHS = partial(fixed, digits=1)
DIGITS = {"joined": 1, "captions": 1, "places": 2}
PARTS = tuple(DIGITS)
COLUMNS = ("system", "label", "at", "value", "low", "high", "texts")
FIRST = ("cho", "sutskever", "bahdanau", "luong-global-general", "convolutional", "transformer")
"""Systems that are drawn at first: one a paper."""


def measured_lineage() -> MeasuredLineage | None:
    """What lies under ``checkpoints/``; where that is nothing, or damaged, the page says so."""
    return stored_of(LINEAGE, checkpoints_folder()).part


def name_of(system: MeasuredSystem) -> str:
    return system_name(system.name, system.title)


# What each step gains


def show_table(run: Run) -> None:
    found = measured_lineage()
    if found is None:
        return
    if found.gains:
        _gains(found)
    else:
        note("lineage-gains-none", "visibility_off")
    subtitle("lineage-systems-all")
    shown = {"width": 145, "widths": {"system": 250}, "height": WHOLE}
    rows = list(map(_row, found.systems.values()))
    table("lineage-systems-all", rows, hardware=plain(found.hardware), **shown)
    installed, systems = set(list_checkpoints()), found.systems.values()
    absent = [each for each in systems if not {each.name, each.checkpoint} & installed]
    with folded("reading"):
        paragraph("lineage-commands-measure")
        command_line(found.command)
        if absent:
            paragraph("lineage-commands-train", n=len(absent))
            command_line("\n".join(each.command for each in absent))


def _gains(found: MeasuredLineage) -> None:
    bleu = pd.DataFrame([gain.sets["captions"].bleu.to_values() for gain in found.gains])
    bleu.insert(0, "label", list(map(step_name, found.gains)))
    most = bleu.loc[bleu["value"].idxmax()]
    sizes = {"n": sum(_is_beyond(gain, found.seed) for gain in found.gains)}
    sizes |= {"of": len(bleu), "bleu": found.seed}
    finding("lineage-gains-found", value=most["value"], step=most["label"], **sizes)
    papers = [
        (place, each.bleu[1] - each.bleu[0], source_of(each))
        for place, gain in enumerate(found.gains)
        for each in gain.published
        if each.bleu
    ]
    papers = pd.DataFrame(papers, columns=["place", "value", "source"])
    dots = gain_dots(bleu, papers, found.seed)
    picture("lineage-gains-chart", dots, numbers=bleu, n=len(bleu))
    subtitle("lineage-gains")
    widths = {"step": 370, "differs": 500}
    shown = {"words": "lineage-gain-column", "width": 145, "widths": widths, "height": WHOLE}
    table("lineage-gains", gains_table(found), **shown)
    said = [told_apart(found), within_a_seed(found)]
    said += [line for gain in found.gains for line in verdicts(gain)]
    st.markdown("\n".join(f"- {line}" for line in said))


def told_apart(found: MeasuredLineage) -> str:
    alone = [step_name(gain) for gain in found.gains if len(gain.differs) == 1]
    steps = plain("; ".join(alone))
    return say("lineage-gains-one", n=len(found.gains), one=len(alone), steps=steps)


def within_a_seed(found: MeasuredLineage) -> str:
    """That every system was trained once, and which gains another seed might bring too."""
    small = [step_name(gain) for gain in found.gains if not _is_beyond(gain, found.seed)]
    steps = plain("; ".join(small))
    return say("lineage-gains-seed", bleu=found.seed, n=len(small), steps=steps)


def _is_beyond(gain: MeasuredGain, seed: float) -> bool:
    return beyond_a_seed(gain.sets["captions"].bleu.value, seed)


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
                "bleu": with_interval(gain.sets["captions"].bleu, TENTHS),
                "beyond_seed": say(
                    f"lineage-gain-{'beyond' if _is_beyond(gain, found.seed) else 'within'}"
                ),
                "published_bleu": "; ".join(
                    signed(each.bleu[1] - each.bleu[0], 1) for each in gain.published if each.bleu
                ),
                "perplexity": with_interval(gain.sets["captions"].perplexity),
                "published_perplexity": "; ".join(
                    (">" if each.more else "") + fixed(each.perplexity[1] / each.perplexity[0])
                    for each in gain.published
                    if each.perplexity
                ),
                "joined": with_interval(gain.sets["joined"].bleu, TENTHS),
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
    return called(f"lineage-gain-{gain.id}", f"{gain.ours} / {gain.others}")


def source_of(published: PublishedGain) -> str:
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
        for measure, sign in (("bleu", each.sign.bleu), ("perplexity", each.sign.perplexity)):
            if sign in ("open", "opposite"):
                sources.setdefault((sign, measure), []).append(source_of(each))
    ours = {
        "bleu": with_interval(gain.sets["captions"].bleu, TENTHS),
        "perplexity": with_interval(gain.sets["captions"].perplexity),
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
    return fixed(100 * share, 0)


def _row(system: MeasuredSystem) -> dict[str, str]:
    pointing = system.pointing
    sets = ("captions", "joined", "everyday", "generated")
    return {
        "system": name_of(system),
        "perplexity": with_interval(system.perplexity["captions"]),
        **{name: with_interval(system.bleu[name], TENTHS) for name in sets},
        "points": say("lineage-no-map")
        if pointing.map is None
        else with_interval(pointing.map, _in_hundredths),
        "left_out": with_interval(pointing.left_out, _in_hundredths),
        "uniform": percent(pointing.uniform, 0),
        "greedy": TENTHS(system.speed.greedy),
        "beam": TENTHS(system.speed.beam),
        "parameters": say("lineage-millions", n=system.parameters / 1e6),
        "operations": say("lineage-millions", n=system.operations / 1e6),
        "training": say("lineage-minutes", n=system.training.seconds / 60),
    }


# What the length of a text does


def show_length(part: str) -> None:
    """The curves of one of `PARTS`, with their bands."""
    found = measured_lineage()
    if found is None:
        return
    systems, first = found.systems, [name for name in FIRST if name in found.systems]
    with settings():
        names = several(
            "length_systems",
            list(systems),
            first or list(systems),
            form=NAMES,
            widget=partial(st.pills, selection_mode="multi"),
            format_func=lambda name: name_of(systems[name]),
        )
    chosen = tuple(systems[name] for name in names)
    rows = curve_rows(chosen, part)
    if rows.empty:
        note("lineage-length-none", "visibility_off")
        return
    ends = {"from": round(float(rows["at"].min())), "to": round(float(rows["at"].max()))}
    measure = say(f"lineage-length-measure-{part}")
    lines = rows[["label", "value"]].rename(columns={"label": "system"})
    tell_ends("lineage-length-found", lines, "value", DIGITS[part], part=part, **ends)
    picture(
        "lineage-length",
        length_curves(
            rows,
            list(map(name_of, systems.values())),
            along=say(f"lineage-length-along-{part}"),
            measure=measure,
            form=f".{DIGITS[part]}f",
            seen=seen_until(chosen, found.settings.joined.seen) if part == "joined" else None,
        ),
        numbers=rows,
        measure=measure,
        part=part,
        seen=found.settings.joined.seen,
    )


def curve_rows(systems: Sequence[MeasuredSystem], part: str) -> pd.DataFrame:
    rows = [
        {"system": system.name, "label": name_of(system), "at": point.at}
        | {name: getattr(point, name) for name in ("value", "low", "high", "texts")}
        for system in systems
        for point in getattr(system if part == "places" else system.lengths, part)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def seen_until(systems: Sequence[MeasuredSystem], seen: int) -> float | None:
    """The length half way between the texts that training saw and those that it did not."""
    for system in systems:
        within = [point.at for point in system.lengths.joined if point.group <= seen]
        beyond = [point.at for point in system.lengths.joined if point.group > seen]
        if within and beyond:
            return (max(within) + min(beyond)) / 2
    return None
