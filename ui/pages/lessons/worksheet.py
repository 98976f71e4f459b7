"""Worksheet of lessons for a class, as a page for print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from ui.frame.messages import current_words, say

# The worksheet is one file for print, so its style is part of it.
_STYLE = """
body { font: 12pt/1.45 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 18pt; } h2 { font-size: 13pt; margin: 0 0 .3rem; }
.name { border-bottom: 1px solid; margin-bottom: 1.5rem; padding-bottom: .3rem; }
section { break-inside: avoid; margin-bottom: 1.6rem; }
ul { list-style: none; padding: 0; margin: .4rem 0; }
li::before { content: "\\2610\\00a0\\00a0"; }
.room { border-bottom: 1px solid #999; height: 1.7rem; }
.links { font-size: 8.5pt; color: #333; overflow-wrap: anywhere; margin-top: .5rem; }
.answers { break-before: page; } .answers p { margin: .2rem 0; }
.made { font-size: 9pt; color: #333; }
.term { font-size: 10pt; font-weight: normal; color: #555; }
"""


@dataclass(frozen=True)
class SheetLesson:
    """Texts of a lesson; `term` is the field's name of its topic, `links` are (label, URL)."""

    title: str
    term: str
    question: str
    choices: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]


def class_sheet(parts: Sequence[SheetLesson], source: str) -> str:
    """Return the worksheet as HTML: all questions, with the answers on a page of their own.

    `source` names the model that computed them.
    """
    title, name, headline = (escape(say(f"sheet-{part}")) for part in ("title", "name", "answers"))
    return f"""<!DOCTYPE html>
<html lang="{escape(current_words().language)}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p class="name">{name}</p>
{"".join(map(_question, parts))}
<div class="answers">
<h1>{headline}</h1>
{"".join(_section(part, _elements("p", part.answers)) for part in parts)}
<p class="made">{escape(source)}</p>
</div>
</body>
</html>
"""


def _question(part: SheetLesson) -> str:
    links = _elements("div", (f"{what}: {link}" for what, link in part.links))
    return _section(
        part,
        f"""{_elements("p", [part.question])}
<ul>{_elements("li", part.choices)}</ul>
{_elements("p", [say("sheet-seen")])}
<div class="room"></div><div class="room"></div>
<div class="links">{escape(say("sheet-open"))} {links}</div>""",
    )


def _section(part: SheetLesson, inside: str) -> str:
    term = f'<span class="term">{escape(part.term)}</span>'
    return f"<section>\n<h2>{escape(part.title)} {term}</h2>\n{inside}\n</section>\n"


def _elements(tag: str, texts: Iterable[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
