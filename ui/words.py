"""Text on the pages, in the reader's language, and other people's words made harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.attention import OF_LAYERS, Measure
from core.stored import Interval
from core.tokens import TokenSequence, cut, token_label, visible
from viz.look import PLAIN, current_look
from words import Message, Words, english, languages
from words.josa import spoken_like
from words.numbers import fixed

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def current_words() -> Words:
    """The words of the language that the reader chose, for figures and whatever else takes them."""
    look = current_look()  # is at hand, and asked for hundreds of times
    return words_chosen() if look is PLAIN else look.words


def words_chosen() -> Words:
    """The same as the session has them, for the look of a run to be set by."""
    asked = st.session_state.get("lang")
    return Words(asked) if asked in languages() else english


def say(said: str | Message, /, **values: Any) -> str:
    """A message, or that of an id, in the reader's language; text from outside goes through `plain`
    first."""
    words = current_words()
    return words.of(said) if isinstance(said, Message) else words(said, **values)


def stated(id: str, /, **facts: Any) -> str:
    """A message of facts of `core`: a head, (site, layer, head) or (layer, head), by its name,
    every text made harmless, and a list of texts in quotes.
    """
    return say(id, **{name: _stated(fact) for name, fact in facts.items()})


def _stated(fact: Any) -> Any:
    match fact:
        case str():
            return plain(fact)
        case list():
            return quoted(*fact)
        case (layer, head):
            return head_name(layer, head)
        case (site, layer, head):
            return head_at(site, layer, head)
    return fact


def page_text(name: str) -> str:
    """The explanation in ``words/<language>/<name>.md``."""
    return current_words().page(name)


def told(id: str, /, **values: Any) -> str:
    """A message, or else the explanation of this name."""
    words = current_words()
    return words(id, **values) if words.has(id) else words.page(id)


def listed(messages: Sequence[Message]) -> str:
    """Messages as a list in Markdown; one alone as it stands."""
    texts = list(map(say, messages))
    return texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)


def with_interval(
    measured: Interval | Mapping[str, float] | None, write: Callable[[float], str] = fixed
) -> str:
    """A number and its 95 % interval, each as `write` spells it: "39.70 (38.20 to 41.10)"."""
    if measured is None:
        return "–"
    found = measured if isinstance(measured, Interval) else Interval.from_values(measured)
    value, low, high = map(write, (found.value, found.low, found.high))
    return say("interval", value=value, low=low, high=high)


def plain(text: str, max_length: int = 400) -> str:
    """Text from outside as Markdown that shows exactly that text, on one line."""
    shown = _MARKDOWN.sub(r"\\\1", cut(visible(" ".join(text.split())), max_length))
    return spoken_like(text, shown)


def token_text(token: str, *, special: bool = False) -> str:
    """A token as it is read, as Markdown."""
    return plain(token_label(token, special=special))


def quoted(*texts: str, most: int | None = None, joint: str = ", ", length: int = 400) -> str:
    """Texts from outside in quotes, as a list; of more than `most` the first, and how many more."""
    names = [say("quoted", text=plain(text, length)) for text in texts[:most]]
    if len(texts) > len(names):
        names.append(say("more", n=len(texts) - len(names)))
        return joint.join(names)
    return spoken_like(texts[-1], joint.join(names)) if texts else ""


def token_chips(sequence: TokenSequence) -> str:
    """Every piece with its id, unknown ones in red with a question mark, as Markdown."""
    chips = []
    for token, token_id, special, unknown in zip(
        sequence.tokens, sequence.ids, sequence.special, sequence.unknown, strict=True
    ):
        colour = "red" if unknown else "violet" if special else "gray"
        mark = "? " if unknown else ""
        label = token_text(token, special=special)
        known = f" {token_id}" if token_id >= 0 else ""  # nobody recorded it
        chips.append(f":{colour}-badge[{mark}{label}{known}]")
    return " ".join(chips)


def has_single_head() -> bool:
    """Whether the model on screen has one head in all, which then needs no number."""
    run = st.session_state.get("run")
    sites = run.record.sites if run is not None else ()
    return sum(site.n_layers * site.n_heads for site in sites) == 1


def head_name(layer: int, head: int, *, title: bool = False, measure: Measure = "weight") -> str:
    """A head as people count, from one; as it begins a sentence with `title`. Of maps of all heads
    of a layer together the layer."""
    if has_single_head():
        return say("head-single-title" if title else "head-single")
    if measure in OF_LAYERS:
        return say("layer-title" if title else "layer-name", layer=layer + 1)
    return say("head-title" if title else "head-name", layer=layer + 1, head=head + 1)


def head_code(layer: int, head: int) -> str:
    """A head in a few letters, counted from 1: "L2 H1"."""
    return say("figures-head-code", layer=layer + 1, head=head + 1)


def head_at(site: str, layer: int, head: int) -> str:
    """A head with its site, short: "cross L2 H1"."""
    if has_single_head():
        return site_name(site, "name")
    place = {"layer": int(layer) + 1, "head": int(head) + 1}
    return say("head-at", site=site_name(site, "name"), **place)


def site_name(name: str, form: str = "") -> str:
    """A site of attention in words, its own name where there are none.

    Parameters
    ----------
    form : "" as in "hidden from the encoder", "attention" as in "encoder self-attention", "name"
        as in "encoder L2 H1", "short" for a menu.
    """
    return named(f"site-{name}-{form}" if form else f"site-{name}", name)


def as_sentence(text: str) -> str:
    """`text` with a capital at its beginning, unless a name stands there as files and code spell
    it: ``config.json``, ``eos_id``."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return text if re.search(r"\w[._/]\w", first) else text[:1].upper() + text[1:]


def named(id: str, name: str) -> str:
    """What a name that a model brings is called: the message of this id, else the name itself."""
    return called(id, plain(name))


def called(id: str, otherwise: str, **values: Any) -> str:
    """The message of this id, if there is one."""
    return say(id, **values) if current_words().has(id) else otherwise


def system_name(name: str, otherwise: str = "") -> str:
    """A system in a few words, by the name of its variant or checkpoint; `otherwise` where it is
    none of the lineage."""
    return called(f"system-{name.removeprefix('lineage-')}", otherwise or name)


def language_names(codes: Sequence[str]) -> tuple[str, str]:
    """What the languages of source and target are called, by the codes of a checkpoint's card.

    One that has no name is called by its code, one without a code by its side.
    """
    source, target = (*codes, "", "")[:2]
    return plain(language_name(source or "source")), plain(language_name(target or "target"))


def language_name(code: str) -> str:
    """What a language, or a side without one, is called, as plain text."""
    return visible(current_words().language_name(code))
