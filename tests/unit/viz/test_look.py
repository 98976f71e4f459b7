"""In which look a figure is drawn is nobody's parameter, and stays with the thread that set it."""

from __future__ import annotations

import ast
import threading

import pytest

from support.models import ROOT
from viz.look import PLAIN, Look, current_look, is_dark, looking, say, use_look
from viz.plots import panels
from viz.theme import ink
from words import Words

VIZ = ROOT / "viz"
KOREAN = Look(dark=True, words=Words("ko"))
# What works on one look for another's sake: the memory of two, and an export's ink.
OWN = {"_fate", "_picture", "of_theme"}


def test_a_look_ends_with_its_block_also_after_an_error():
    with looking(KOREAN):
        assert (is_dark(), say("head-name", layer=1, head=2)) == (True, "1층 2번 헤드")
    assert current_look() == PLAIN
    with pytest.raises(KeyError, match="no-such-message"):
        KOREAN(say, "no-such-message")
    assert current_look() == PLAIN


def test_looks_within_looks():
    with looking(KOREAN):
        assert Look()(say, "head-name", layer=1, head=2) == "layer 1, head 2"
        assert current_look() == KOREAN


def test_a_thread_does_not_see_the_look_of_another():
    seen = []
    set_there = threading.Event()
    looked_here = threading.Event()

    def other():
        use_look(KOREAN)
        set_there.set()
        looked_here.wait(60)
        seen.append(current_look())

    thread = threading.Thread(target=other)
    thread.start()
    assert set_there.wait(60)
    assert current_look() == PLAIN
    looked_here.set()
    thread.join()
    assert seen == [KOREAN]


def test_no_figure_is_handed_its_look():
    handed = [
        f"{path.name}: {node.name}"
        for path in sorted(VIZ.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name not in OWN
        for each in (*node.args.args, *node.args.kwonlyargs)
        if each.arg in ("dark", "say")
    ]
    assert handed == []


def test_every_panel_of_a_plot_has_the_ink_of_its_page():
    plot = KOREAN(panels, ("a", "b"), x="x", pointer="%{x}", height=100)
    assert plot.layout.template.layout.yaxis.color == KOREAN(ink)
    assert {plot.layout[f"yaxis{place}"].color for place in ("", 2)} == {None}
