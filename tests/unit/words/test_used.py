"""Every id that the code says has a message, and every message is said."""

from __future__ import annotations

import ast
import re

from support.messages import entries as messages
from support.messages import nodes, pattern
from support.messages import pages as explanations
from ui.pages import pages
from ui.shell.moved import redirects

SAYERS = {
    *("say", "stated", "Message", "Message.of"),
    *("note", "warning", "paragraph", "caption", "subtitle", "finding"),
}


def strings() -> set[str]:
    """Every string of the code that is not a docstring, as a regular expression."""
    found = set()
    for own in nodes().values():
        whole = {id(each) for n in own if isinstance(n, ast.JoinedStr) for each in n.values}
        for node in own:
            if id(node) not in whole and (text := pattern(node)):
                found.add(text)
    return found


def _solid(text: str) -> int:
    """Number of letters of the expression that are certain."""
    return len(text.replace(".*", "").replace("\\", ""))


def said() -> set[str]:
    """Ids that the code says: those given to `say`, `Message` and the like, as regular expressions.

    Ids that are put together before they are said count where they stand as a string.
    """
    found = set()
    for own in nodes().values():
        for node in own:
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func)
            if name not in SAYERS and not name.endswith((".say", ".Message")):
                continue
            choices = node.args[0]
            both = [choices.body, choices.orelse] if isinstance(choices, ast.IfExp) else [choices]
            texts = {text for each in both if (text := pattern(each))}
            if name == "finding":  # which takes Markdown too
                texts = {text for text in texts if " " not in text}
            found |= texts
    return found


def test_no_text_has_the_name_of_a_message():
    assert [name for name in explanations() if name.removesuffix(".md") in messages()] == []


def test_every_id_that_is_said_has_a_message():
    known = [*messages(), *(name.removesuffix(".md") for name in explanations())]
    missing = [
        text for text in sorted(said()) if not any(re.fullmatch(text, name) for name in known)
    ]
    assert missing == []


def test_every_message_is_said_somewhere():
    # An id may be a plain string, one with places, or the words of a choice with its options.
    known, found = messages(), strings()
    exact = {text.replace("\\", "") for text in found} | {each.note for each in redirects()}
    open_ended = [re.compile(text) for text in found if ".*" in text and _solid(text) > 3]
    choices = [name for name in exact if name in known or "-" in name]
    unsaid = [
        name
        for name in known
        if name not in exact
        and not any(each.fullmatch(name) for each in open_ended)
        and not any(name.startswith(f"{choice}-") for choice in choices)
    ]
    assert unsaid == []


def test_what_is_said_while_a_question_is_worked_out_has_its_name():
    questions = {n.name for own in nodes().values() for n in own if isinstance(n, ast.FunctionDef)}
    ids = {name for name in messages() if name.endswith("-progress")} - {
        text.replace("\\", "") for text in strings()
    }
    named = {name.removesuffix("-progress").replace("-", "_") for name in ids}
    assert named <= questions


def test_every_explanation_is_shown_somewhere():
    found = [re.compile(text) for text in strings() if _solid(text) > 2]
    views = {f"{page.id}_{view.id}" for page in pages() for view in page.views}
    names = {name.removesuffix(".md") for name in explanations()} - views
    assert [name for name in names if not any(text.fullmatch(name) for text in found)] == []
