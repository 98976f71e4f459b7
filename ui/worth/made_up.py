"""Is this made up? Any pair, judged by what the models of both directions have to say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from core.made_up import JUDGED, KINDS, NEAREST, Signs, not_in, sign_bins, sign_table
from core.measurements import MADE_UP, MadeUp
from model import ModelError, Reader
from model.experiments.made_up import signs_of
from ui.address import LONG
from ui.kit.blocks import picture, table
from ui.kit.controls import choice, text_box
from ui.kit.layout import caption, control_row, controls, finding, note, settings, warning
from ui.shared import ask
from ui.state import Run, by_preference, get_translator, outlines, translated
from ui.stored import stored_box, tell_source
from ui.words import language_name, language_names, plain, say
from ui.worth.gold import takes
from viz.made_up import sign_bands
from words.numbers import fixed

Pair = tuple[str, str]
NAMES = ("sentence", "translation")
EXAMPLES = ("own", "other", "half")
"""The translation that belongs to the source; that of another sentence; the first half of it."""


def show(run: Run) -> None:
    """The signs of a pair, and where they stand among pairs that people judged."""
    own = run.card.languages
    with controls():
        first = sorted((own[::-1], own), key=lambda pair: pair != JUDGED)
        ways = {"-".join(pair): pair for pair in first}
        way = ways[
            choice(
                "made_up_way",
                list(ways),
                text=lambda name: _named(ways[name]),
                title=False,
                style="select",
                width=190,
            )
        ]
    offered = [each for each in EXAMPLES if each != "other" or run.pack.second]
    with settings():
        example = choice("made_up_example", offered, style="select")
        kind = choice("made_up_fault", KINDS, style="select")
    first, of = _example(run, way == own, example), (run.identity, way, example)
    with control_row():
        boxes = zip(("made_up_source", "made_up_translation"), first, strict=True)
        source, translation = (
            text_box(key, text, form=LONG, of=of, label_visibility="collapsed")
            for key, text in boxes
        )
    found: dict[Reader, Signs] = {}
    for pair, texts, names in (
        (way[::-1], (translation, source), NAMES[::-1]),
        (way, (source, translation), NAMES),
    ):
        if (reader := _reader_of(run, pair)) is not None:
            try:
                found[reader] = ask(reader, signs_of, *texts, names=names)
            except ModelError:
                if (source, translation) != first:
                    raise
                note("made-up-unread", "edit")  # nobody has typed it
                return
    _warn(found, way, (source, translation))
    lies = {each: each.card.lies(MADE_UP) for each in found if way == JUDGED}
    judged = {
        each.card.name: (stored.part, found[each]) for each, stored in lies.items() if stored.part
    }
    if judged:
        _verdict(judged, kind)
    elif way != JUDGED:
        finding(say("made-up-not-calibrated", pair=_named(way)))
    for stored in lies.values():
        if stored.state == "found":
            tell_source(stored.values)
        else:
            stored_box(stored)
    if all(each.card.languages == way for each in found):
        caption("made-up-no-reverse", pair=_named(way[::-1]))
    rows = [
        {"model": each.card.name, "pair": _named(each.card.languages), **_numbers(signs)}
        for each, signs in found.items()
    ]
    table("made-up-numbers", pd.DataFrame(rows))


def _named(languages: Sequence[str]) -> str:
    source, target = language_names(languages)
    return say("made-up-pair", source=source, target=target)


def _example(run: Run, forward: bool, example: str) -> Pair:
    """A source and a translation made of what the open model reads and writes."""
    source, translation = (run.src.text, run.tgt.text)[:: 1 if forward else -1]
    if example == "other":
        translation = run.pack.second
        if forward:
            choices = replace(run.choices, text=translation)
            translation = translated(choices, run.translator).translation.text
    if example == "half":
        words = translation.split()
        translation = " ".join(words[: (len(words) + 1) // 2])
    read = run.src.text
    taken = takes(run.translator, *(source, translation)[:: 1 if forward else -1])
    return (source, translation) if taken else (read, read)


def _reader_of(run: Run, languages: Sequence[str]) -> Reader | None:
    """The open model where it translates so, else the first that does."""
    if run.card.languages == languages:
        return run.translator
    known = outlines()
    for name in by_preference(known):
        outline = known[name]
        if outline and outline.languages == languages and outline.searches:
            try:
                return get_translator(name)
            except ModelError:
                continue
    return None


def _warn(found: dict[Reader, Signs], way: Pair, texts: Pair) -> None:
    """Of what no number here was measured for."""
    if texts[0].split() == texts[1].split():
        warning("made-up-same", "content_copy")
    checks = [check for each in found if (check := each.card.language_check)]
    for code, text in zip(way, texts, strict=True):
        others = (not_in(check, code, text) for check in checks)
        other = next((each for each in others if each is not None), None)
        if other is not None:
            told = {"language": language_name(code), "text": plain(text, 60)}
            told |= {"other": language_name(other) if other else "none"}
            warning("made-up-language", "translate", **told)


def _verdict(judged: Mapping[str, tuple[MadeUp, Signs]], kind: str) -> None:
    lines = sign_table(judged, kind)
    lines["name"] = [say(f"made-up-{sign}") for sign in lines["sign"]]
    best = lines.loc[lines["auroc"].idxmax()]
    pairs, _ = judged[best["model"]]
    told = {"kind": kind, "n": NEAREST, "all": len(pairs.signs["log_p"])}
    told |= {"base": len(pairs.faults[kind]) / told["all"]}
    finding(say("made-up-found", **told, **best))
    titles = [
        tuple(say(f"made-up-title-{of}", **line) for of in ("sign", "auroc"))
        for line in lines.to_dict("records")
    ]
    bins = pd.concat(
        sign_bins(judged[line.model][0], line.sign, kind).assign(panel=line.Index)
        for line in lines.itertuples()
    )
    marks = lines[["model", "sign", "value"]].assign(
        panel=lines.index, label=lines["value"].map(fixed)
    )
    picture(
        "made-up",
        sign_bands(bins, marks, titles),
        numbers=bins,
        panels=len(lines),
        name=" ".join(judged),
        **told,
    )
    spans = {
        name: [
            say("made-up-span", value=v, low=low, high=high)
            for v, low, high in lines[[name, f"{name}_low", f"{name}_high"]].itertuples(index=False)
        ]
        for name in ("near", "auroc")
    }
    rows = lines[["model", "name", "value"]].rename(columns={"name": "sign"}).assign(**spans)
    table("made-up-signs", rows, formats={"value": "%.2f"}, words="made-up-column")


def _numbers(signs: Signs) -> dict[str, str]:
    names = ("log_p", "without", "gain", "sharp", "share")
    values = ((name, getattr(signs, name)) for name in names)
    return {name: "" if value is None else fixed(value, 2) for name, value in values}
