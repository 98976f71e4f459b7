"""Messages in the reader's language, and escaping of text from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.records.attention import OF_LAYERS, Measure
from core.records.sources import TokenSequence
from core.records.tokens import cut, token_label, visible
from core.storage import Interval
from viz.style import PLAIN, current_look
from words import Message, Words, english, languages
from words.josa import spoken_like
from words.numbers import fixed

# ASCII punctuation, all of which Markdown may interpret.
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def current_words() -> Words:
    """Return the messages in the page's language, for figures and other callers."""
    # Read from the look, not from the session, because it is asked hundreds of times per run.
    look = current_look()
    return words_chosen() if look is PLAIN else look.words


def words_chosen() -> Words:
    """Return the messages in the session's language, with which a run's look is set."""
    language = st.session_state.get("lang")
    return Words(language) if language in languages() else english


def say(message: str | Message, /, **values: Any) -> str:
    """Return a message, or that of an id; text from outside must pass through `plain` first."""
    words = current_words()
    return words.of(message) if isinstance(message, Message) else words(message, **values)


def stated(id: str, /, **facts: Any) -> str:
    """Return a message of facts from `core`.

    Heads, (site, layer, head) or (layer, head), become names, texts are escaped, and lists of texts
    are quoted.
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
    """Return the explanation in ``words/<language>/<name>.md``."""
    return current_words().page(name)


def message_or_page(id: str, /, **values: Any) -> str:
    """Return the message of this id, or else the explanation of this name."""
    words = current_words()
    return words(id, **values) if words.has(id) else words.page(id)


def listed(messages: Sequence[Message]) -> str:
    """Return messages as a Markdown list; a single one as it is."""
    texts = list(map(say, messages))
    return texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)


def with_interval(
    measured: Interval | Mapping[str, float] | None, write: Callable[[float], str] = fixed
) -> str:
    """Return a number with its 95 % interval, formatted by `write`: "39.70 (38.20 to 41.10)"."""
    if measured is None:
        return "–"
    interval = measured if isinstance(measured, Interval) else Interval.from_values(measured)
    return say(
        "interval",
        value=write(interval.value),
        low=write(interval.low),
        high=write(interval.high),
    )


def plain(text: str, max_length: int = 400) -> str:
    """Return text from outside as Markdown that shows exactly that text, on one line."""
    # A line break would end a table or a list in Markdown.
    escaped = _MARKDOWN.sub(r"\\\1", cut(visible(" ".join(text.split())), max_length))
    return spoken_like(text, escaped)


def token_text(token: str, *, special: bool = False) -> str:
    """Return a token as Markdown that shows it as it is displayed."""
    return plain(token_label(token, special=special))


def quoted(*texts: str, most: int | None = None, joint: str = ", ", length: int = 400) -> str:
    """Return a list of quoted texts; of more than `most` the first, and the number of others."""
    names = [say("quoted", text=plain(text, length)) for text in texts[:most]]
    if len(texts) > len(names):
        names.append(say("more", n=len(texts) - len(names)))
        return joint.join(names)
    # Only a list that ends in one text takes on its language.
    return spoken_like(texts[-1], joint.join(names)) if texts else ""


def token_chips(sequence: TokenSequence) -> str:
    """Return all tokens with their ids as Markdown badges; unknown ones red, with "?"."""
    chips = []
    for token, token_id, special, unknown in zip(
        sequence.tokens, sequence.ids, sequence.special, sequence.unknown, strict=True
    ):
        colour = "red" if unknown else "violet" if special else "gray"
        mark = "? " if unknown else ""
        label = token_text(token, special=special)
        number = f" {token_id}" if token_id >= 0 else ""  # -1: a recording without ids
        chips.append(f":{colour}-badge[{mark}{label}{number}]")
    return " ".join(chips)


def has_single_head() -> bool:
    """Return True if the model on screen has one head in all, which needs no number."""
    run = st.session_state.get("run")
    sites = run.record.sites if run is not None else ()
    return sum(site.n_layers * site.n_heads for site in sites) == 1


def head_name(layer: int, head: int, *, title: bool = False, measure: Measure = "weight") -> str:
    """Return the name of a head, counted from 1; with `title` as it begins a sentence.

    In a measure of whole layers, the name of the layer.
    """
    if has_single_head():
        return say("head-single-title" if title else "head-single")
    if measure in OF_LAYERS:
        return say("layer-title" if title else "layer-name", layer=layer + 1)
    return say("head-title" if title else "head-name", layer=layer + 1, head=head + 1)


def head_code(layer: int, head: int) -> str:
    """Return the short name of a head, counted from 1: "L2 H1"."""
    return say("figures-head-code", layer=layer + 1, head=head + 1)


def head_at(site: str, layer: int, head: int) -> str:
    """Return the short name of a head with its site: "cross L2 H1"."""
    if has_single_head():
        return site_name(site, "name")
    # int: NumPy integers are no numbers for Fluent.
    return say("head-at", site=site_name(site, "name"), layer=int(layer) + 1, head=int(head) + 1)


def site_name(name: str, form: str = "") -> str:
    """Return the name of an attention site, its id if there is no message.

    Parameters
    ----------
    form : "" as in "hidden from the encoder", "attention" as in "encoder self-attention", "name" as
        in "encoder L2 H1", "short" for a menu.
    """
    return named(f"site-{name}-{form}" if form else f"site-{name}", name)


def as_sentence(text: str) -> str:
    """Return `text` capitalised, unless it begins with a name of a file or of code: ``eos_id``."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    # A name of a file or of code has a dot, an underscore or a slash inside.
    return text if re.search(r"\w[._/]\w", first) else text[:1].upper() + text[1:]


def named(id: str, name: str) -> str:
    """Return the message of this id, else the escaped `name` that the model brings."""
    return called(id, plain(name))


def called(id: str, otherwise: str, **values: Any) -> str:
    """Return the message of this id if there is one, else `otherwise`."""
    return say(id, **values) if current_words().has(id) else otherwise


def system_name(name: str, otherwise: str = "") -> str:
    """Return the short name of a lineage system by its variant or checkpoint, else `otherwise`."""
    return called(f"system-{name.removeprefix('lineage-')}", otherwise or name)


def language_names(codes: Sequence[str]) -> tuple[str, str]:
    """Return the names of source and target language, by the codes of a checkpoint's card.

    A language without a name is called by its code, one without a code by its side.
    """
    source, target = (*codes, "", "")[:2]
    return plain(language_name(source or "source")), plain(language_name(target or "target"))


def language_name(code: str) -> str:
    """Return the name of a language, or of a side without one, as plain text."""
    return visible(current_words().language_name(code))


def set_title(name: str, otherwise: str = "") -> str:
    """Return the name of an evaluation set, or `otherwise` if it has no message."""
    return called(f"set-{name}", otherwise or name)
