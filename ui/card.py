"""The card of a link: what an address shows, read without a session, as a picture and in words.

A card asks the model what the page would ask, of the same shared calls, and waits for its turn like
a page.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from core.intervention import hide
from core.search import MAX_OUTPUT_LENGTH, PENALISE, PENALTIES, Decoding
from core.tokens import TokenSequence
from viz.card import HEIGHT, WIDTH, Card, card_of, card_png
from viz.look import Look
from words import Words, english, languages
from words.packs import opens_with

from .address import CODE, DECIMAL, LANGUAGE, MOST_LENGTH, NUMBER, OPTION, PLACES, TEXT, Form
from .controls import MAX_BEAM_SIZE, MOST_ALPHA, MOST_RUNNERS_UP, OPENING, reading
from .focus import asked_focus, link_of
from .hidden import KEY as HIDDEN
from .hidden import places_to_hide, words_to_hide
from .pages import page_ids, page_of
from .panels import head_in, head_of
from .state import (
    Choices,
    Run,
    by_preference,
    get_translator,
    outlines,
    sentences_for,
    translated,
)
from .waiting import queues

MOST_TEXT = 300  # characters of a sentence that a card is drawn for
MOST_TOLD = 200
PAGE = "page"
"""Of the address of a picture: what page it is of."""
TURN = "cards"
"""Stands for a session where cards wait for their turn."""


class Asked:
    """What an address asks for, by the names of its controls."""

    def __init__(self, page: str, query: Mapping[str, str]) -> None:
        self.page = page if page in page_ids() else "attention"
        self.query = query
        language = self.read(LANGUAGE, CODE)
        self.words = Words(language) if language in languages() else english

    def read(self, name: str, form: Form) -> Any:
        """As `ui.address.read`."""
        return form.read(self.query[name][:MOST_LENGTH]) if name in self.query else None

    def within(self, name: str, form: Form, sound: Callable[[Any], bool], default: Any) -> Any:
        value = self.read(name, form)
        return value if value is not None and sound(value) else default

    def number(self, name: str, form: Form, least: Any, most: Any, default: Any) -> Any:
        value = self.read(name, form)
        return default if value is None else min(max(value, least), most)

    @property
    def title(self) -> str:
        name = self.words(f"page-{self.page}")
        return self.words("page-title", page=name, app=self.words("app-title"))

    @property
    def told(self) -> str:
        """The sentence, or what the page is for."""
        text = " ".join((self.read("text", TEXT) or "").split())
        return text[:MOST_TOLD] or self.words(f"subtitle-{self.page}")


def card_tags(page: str, query: Mapping[str, str], url: str, image: str) -> str:
    """The tags of a page for who previews a link to it: Open Graph's, and Twitter's."""
    asked = Asked(page, query)
    tags = {
        "og:type": "website",
        "og:site_name": asked.words("app-title"),
        "og:title": asked.title,
        "og:description": asked.told,
        "og:url": url,
        "og:image": image,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": asked.told,
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
        run, hidden = _run(asked)
    return Look(words=asked.words)(lambda: card_png(_card(asked, run, hidden)))


def plain_card(page: str, query: Mapping[str, str]) -> bytes:
    """The picture of an address whose sentence is not looked at."""
    asked = Asked(page, query)
    return _plain(asked.page, asked.words.language)


@cache
def _plain(page: str, language: str) -> bytes:
    words = Words(language)
    card = Card(words(f"page-{page}"), told=words(f"subtitle-{page}"))
    return Look(words=words)(card_png, card)


def _run(asked: Asked) -> tuple[Run, tuple[int, ...]]:
    """What the page would show, and the positions that are hidden there."""
    text, found = asked.read("text", TEXT) or "", outlines()
    name = asked.within("checkpoint", OPTION, found.__contains__, None)
    if name is None:
        first = by_preference(found, asked.words.language)[0]
        name = reading(first, text) if text else first
    text = text or opens_with(sentences_for(name)[1], asked.page).text
    run = translated(Choices(name, text, _decoding(asked)), get_translator(name))
    known = {place for word in words_to_hide(run) for place in word.positions}
    places = asked.within(HIDDEN, PLACES, known.issuperset, ())
    if places:
        change = hide(*places, where=places_to_hide(run)[0])
        run = translated(run.choices, run.translator, change)
    return run, places


def _card(asked: Asked, run: Run, hidden: tuple[int, ...]) -> Card:
    maps = {site.name: run.record.of(site.name) for site in run.record.sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    if not maps or not isinstance(run.src, TokenSequence) or run.tgt is None:
        return Card(asked.words(f"page-{asked.page}"), told=run.translation.text)
    first = next((name for name, link in links.items() if link and link.columns), next(iter(maps)))
    kind = asked.within("kind", OPTION, maps.__contains__, first)
    measured = head_in(maps[kind], head_of(run.card.heads.get(kind)))
    focus = asked_focus(maps[kind], links[kind], measured, asked.read)
    return card_of(maps[kind], focus.place, focus.rows, run.src, run.tgt, hidden)


def _decoding(asked: Asked) -> Decoding:
    max_len = asked.number("max_len", NUMBER, 1, MAX_OUTPUT_LENGTH, None)
    min_len = asked.number("min_len", NUMBER, 0, MAX_OUTPUT_LENGTH, 0)
    return Decoding(
        asked.number("beam", NUMBER, 1, MAX_BEAM_SIZE, OPENING.beam_size),
        asked.number("alpha", DECIMAL, 0.0, MOST_ALPHA, OPENING.alpha),
        max_len,
        asked.number("runners_up", NUMBER, 0, MOST_RUNNERS_UP, OPENING.n_runners_up),
        penalty=asked.within("penalty", OPTION, PENALTIES.__contains__, OPENING.penalty),
        penalise=asked.within("penalise", OPTION, PENALISE.__contains__, OPENING.penalise),
        min_len=min_len if max_len is None or min_len <= max_len else 0,
    )
