"""The card of a link: what an address shows, read without a session, as a picture and in words.

A card asks the model what the page would ask, of the same shared calls, and waits for its turn like
a page.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from core.search import MAX_OUTPUT_LENGTH, PENALISE, PENALTIES, Decoding
from core.tokens import TokenSequence
from viz.card import HEIGHT, WIDTH, Card, card_of, card_png
from viz.look import Look
from words import Words, english, languages
from words.packs import opens_with

from . import address
from .address import CODE, DECIMAL, LANGUAGE, NUMBER, OPTION, PLACES, TEXT, Form
from .controls import MAX_BEAM_SIZE, MOST_ALPHA, MOST_RUNNERS_UP, OPENING, reading
from .focus import asked_focus, link_of
from .hidden import KEY as HIDDEN
from .hidden import positions_to_hide, without
from .pages import page_ids, page_of
from .panels import head_in, head_of
from .state import Choices, Run, by_preference, get_translator, outlines, sentences_for, translated
from .waiting import queues

MOST_TEXT = 300  # characters of a sentence that a card is drawn for
MOST_DESCRIPTION = 200
PAGE = "page"
"""Of the address of a picture: what page it is of."""
TURN = "cards"
"""Stands for a session where cards wait for their turn."""


class Asked:
    """What an address asks for, by the names of its controls."""

    def __init__(self, page: str, query: Mapping[str, str]) -> None:
        self.page = page if page in page_ids() else "attention"
        self.read = partial(address.read, query=query)
        self.text = self.read("text", TEXT) or ""
        language = self.read(LANGUAGE, CODE)
        self.words = Words(language) if language in languages() else english

    def value(self, name: str, form: Form, sound: Callable[[Any], bool], default: Any) -> Any:
        value = self.read(name, form)
        return value if value is not None and sound(value) else default

    def number(self, name: str, least: Any, most: Any, default: Any, form: Form = NUMBER) -> Any:
        value = self.read(name, form)
        return default if value is None else min(max(value, least), most)


def card_tags(page: str, query: Mapping[str, str], url: str, image: str) -> str:
    """The tags of a page for who previews a link to it: Open Graph's, and Twitter's."""
    asked = Asked(page, query)
    words, app = asked.words, asked.words("app-title")
    description = " ".join(asked.text.split())[:MOST_DESCRIPTION] or words(f"subtitle-{asked.page}")
    tags = {
        "og:type": "website",
        "og:site_name": app,
        "og:title": words("page-title", page=words(f"page-{asked.page}"), app=app),
        "og:description": description,
        "og:url": url,
        "og:image": image,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": description,
        "twitter:card": "summary_large_image",
    }
    line = '<meta property="{}" content="{}">'
    return "".join(line.format(name, html.escape(value)) for name, value in tags.items())


def card_for(page: str, query: Mapping[str, str]) -> bytes:
    """The picture of an address; ModelError where the model cannot read its sentence."""
    asked = Asked(page, query)
    here = page_of(asked.page)
    if here.model is not None or not here.reads or len(query.get("text", "")) > MOST_TEXT:
        return plain_card(page, query)
    with queues().pages.turn(TURN, lambda _: None):
        run = _run(asked)
    return Look(words=asked.words)(lambda: card_png(_card(asked, run)))


def plain_card(page: str, query: Mapping[str, str]) -> bytes:
    """The picture of an address whose sentence is not looked at."""
    asked = Asked(page, query)
    return _plain(asked.page, asked.words)


@cache
def _plain(page: str, words: Words) -> bytes:
    return Look(words=words)(card_png, Card(words(f"page-{page}"), words(f"subtitle-{page}")))


def _run(asked: Asked) -> Run:
    """What the page would show."""
    text, found = asked.text, outlines()
    name = asked.value("checkpoint", OPTION, found.__contains__, None)
    if name is None:
        name = by_preference(found, asked.words.language)[0]
        name = reading(name, text) if text else name
    text = text or opens_with(sentences_for(name)[1], asked.page).text
    run = translated(Choices(name, text, _decoding(asked)), get_translator(name))
    return without(run, asked.value(HIDDEN, PLACES, positions_to_hide(run).issuperset, ()))


def _card(asked: Asked, run: Run) -> Card:
    maps = {site.name: run.record.of(site.name) for site in run.record.sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    if not maps or not isinstance(run.src, TokenSequence) or run.tgt is None:
        return Card(asked.words(f"page-{asked.page}"), run.translation.text)
    first = next((name for name, link in links.items() if link and link.columns), next(iter(maps)))
    kind = asked.value("kind", OPTION, maps.__contains__, first)
    measured = head_in(maps[kind], head_of(run.card.heads.get(kind)))
    focus = asked_focus(maps[kind], links[kind], measured, asked.read)
    hidden = {change.position for change in run.change}
    return card_of(maps[kind], focus.place, focus.rows, run.src, run.tgt, hidden)


def _decoding(asked: Asked) -> Decoding:
    max_len = asked.number("max_len", 1, MAX_OUTPUT_LENGTH, None)
    min_len = asked.number("min_len", 0, MAX_OUTPUT_LENGTH, 0)
    return Decoding(
        asked.number("beam", 1, MAX_BEAM_SIZE, OPENING.beam_size),
        asked.number("alpha", 0.0, MOST_ALPHA, OPENING.alpha, DECIMAL),
        max_len,
        asked.number("runners_up", 0, MOST_RUNNERS_UP, OPENING.n_runners_up),
        asked.value("penalty", OPTION, PENALTIES.__contains__, OPENING.penalty),
        asked.value("penalise", OPTION, PENALISE.__contains__, OPENING.penalise),
        min_len if max_len is None or min_len <= max_len else 0,
    )
