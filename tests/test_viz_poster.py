"""The poster: what a model has is on it, whole and inside the sheet, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from harness import BY_FAMILY, open_page, opened_up

from core.architecture import Drawing, Lane
from core.attention import ENCODER, AttentionMap, AttentionRecord
from core.poster import key_heads
from core.roles import LEAST, roles_of
from core.search import Decoding
from core.tokens import TokenSequence
from model import load_reader
from viz.labels import text_width
from viz.look import Look
from viz.plan import plan_of, plan_svg
from viz.poster import A3, poster_pdf, poster_svg
from viz.sheet import line, placed, sheet, wrapped
from words import Words, english

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script>&\x00 "'


@pytest.fixture(scope="module", params=BY_FAMILY.values())
def read(request):
    """A model of every family, what it made of a text, and its drawing."""
    reader = load_reader(request.param)
    made = (
        reader.translate(reader.example, Decoding(beam_size=2))
        if reader.writes
        else reader.read(reader.example)
    )
    return reader, made, reader.family.drawing(reader.model.config)


def poster(read, **how) -> str:
    reader, made, drawing = read
    how = {"capabilities": reader.capabilities, **how}
    return poster_svg(made, replace(reader.card, **how.pop("card", {})), drawing, **how)


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_family_has_a_poster_with_the_parts_that_it_has(read):
    reader, made, drawing = read
    said = texts(poster(read))
    assert made.src.text[:10] in " ".join(said)
    for part in plan_of(drawing, reader.sites).parts:
        assert set(re.findall(r"[^\s-]+-?", part.name)) <= set(" ".join(said).split())
    assert any(each.startswith("Beam search, width") for each in said) == reader.writes
    assert (english("poster-attention") in said) == bool(reader.sites)


def test_nothing_lies_outside_the_sheet(read):
    root = ElementTree.fromstring(poster(read, address="http://x/" + 400 * "a"))
    width, height = map(float, root.get("viewBox").split()[2:])
    assert width / height == pytest.approx(A3[0] / A3[1], rel=1e-3)
    for each in root.findall(f"{SVG}svg"):
        x, y, across, down = (float(each.get(name)) for name in ("x", "y", "width", "height"))
        assert min(x, y, across, down) >= 0
        assert x + across <= width
        assert y + down <= height - 44
    for each in root.findall(f"{SVG}text"):
        assert 0 < float(each.get("y")) < height


@pytest.fixture(scope="module")
def plain(tiny_translator):
    made = tiny_translator.translate("the dog sleeps", Decoding(beam_size=2, max_len=5))
    return tiny_translator, made, None


def test_words_from_outside_stay_words(plain):
    reader, made, _ = plain
    evil = replace(made, src=replace(made.src, text=HOSTILE))
    svg = poster((reader, evil, None), address=HOSTILE, card={"licence": HOSTILE})
    assert "<script" not in svg
    assert "<script>alert(1)" in "".join(texts(svg))
    assert poster_pdf(svg).startswith(b"%PDF")


def test_it_is_a_page_of_a3_with_letters_for_hangul(plain):
    pdf = poster_pdf(Look(words=Words("ko"))(poster, plain))
    box = re.search(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [float(each) / 72 * 25.4 for each in box.groups()] == pytest.approx(A3, abs=0.1)
    assert b"NotoSansKRLab" in pdf


def test_it_says_what_made_it_and_its_address_to_the_end(plain):
    address = "http://localhost/?text=" + "".join(f"word{at}+" for at in range(90))
    signature = {"program": "Attention Lab 9", "sentence": "the dog sleeps"}
    svg = poster(plain, signature=signature, address=address)
    told = ElementTree.fromstring(svg).find(f"{SVG}metadata").text
    assert told == "program: Attention Lab 9; sentence: the dog sleeps"
    assert any("Attention Lab 9" in each for each in texts(svg))
    assert address in "".join(texts(svg))


def test_every_role_is_shown_by_the_head_that_does_most_of_it():
    reader = load_reader("en-de")
    made = reader.translate("The dog sleeps because it is tired.", Decoding(beam_size=1))
    best: dict[str, tuple] = {}
    for site in reader.sites:
        for place, role in roles_of(reader.card.roles, site.name).items():
            if role.name is not None:
                found = role.best.value.value, site.name, *place
                best[role.name] = max(best.get(role.name, (-1,)), found)
    shown = {
        each.tested.name: (each.tested.value.value, each.attention.kind, each.layer, each.head)
        for each in key_heads(made.attention, reader.card.roles)
    }
    assert shown == best
    assert list(shown) == sorted(shown, key=list(LEAST).index)


def test_without_measured_roles_the_sharpest_head_of_every_map_is_shown():
    weights = np.full((2, 2, 2, 2), 0.5, np.float32)
    weights[1, 0] = np.eye(2)
    src = TokenSequence("a b", (1, 2), ("▁a", "▁b"), ((0, 1), (2, 3)))
    found = key_heads(
        AttentionRecord(src, None, (AttentionMap(ENCODER, weights, src.tokens, src.tokens),))
    )
    assert [(each.layer, each.head, each.largest) for each in found] == [(1, 0, 1.0)]


def test_the_map_has_a_box_for_every_part_and_a_line_to_every_join():
    lanes = Lane(("embedding",), ("encoder", "norm"), 2), Lane(("embedding",), ("cross",), 3)
    plan = plan_of(Drawing(*lanes), ())
    root = ElementTree.fromstring(plan_svg(plan, 900))
    boxes = [each for each in root.iter(f"{SVG}rect") if each.get("fill-opacity")]
    assert len(boxes) == len(plan.parts) == 9
    (way,) = (each.get("d") for each in root.iter(f"{SVG}path"))
    assert way.count("M") == 4 + 3 + 3  # from box to box in each lane, and three joins


def test_drawings_on_one_sheet_keep_their_own_gradients():
    one = '<svg width="9" height="9"><g id="gradient_0"/><g fill="url(#gradient_0)"/></svg>'
    whole = sheet(99, 99, [placed(one, 0, 0, 9, 9), placed(one, 9, 0, 9, 9)])
    names = re.findall(r'id="([^"]*)"', whole)
    assert len(set(names)) == 2
    assert re.findall(r"url\(#([^)]*)\)", whole) == names


def test_a_text_is_wrapped_into_so_many_lines_and_the_last_is_cut():
    words = [f"w{at}" for at in range(40)]
    lines = wrapped(" ".join(words), 120, 12, 3)
    assert len(lines) == 3
    assert " ".join(lines).split() == words
    assert max(text_width(each, 12) for each in lines[:2]) <= 120 < text_width(lines[2], 12)
    assert wrapped("feed-forward net", 1, 12, after=" -") == ["feed-", "forward", "net"]
    assert wrapped("", 120, 12, 3) == [""]
    assert line(lines[2], 0, 0, 12, room=120).endswith("…</text>")


def test_the_head_of_the_page_offers_it_as_pdf_and_svg(tiny_checkpoint):
    page = open_page()
    assert "PDF" not in [each.label for each in page.get("download_button")]
    opened_up(page, "poster")
    assert {"PDF", "SVG"} <= {each.label for each in page.get("download_button")}
