"""The worksheet: lessons as one page to print, with nothing in it from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ui.words import current_words, say

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
    """A lesson in words; `term` is what the field calls its subject, `links` are pairs of what is
    opened and its address."""

    title: str
    term: str
    question: str
    choices: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]


def class_sheet(parts: Sequence[SheetLesson], made: str) -> str:
    """The page as HTML: all questions, and the answers on a page of their own at the end; `made`
    tells what worked them out."""
    questions = "\n".join(map(_question, parts))
    answers = "\n".join(map(_answers, parts))
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
{questions}
<div class="answers">
<h1>{headline}</h1>
{answers}
<p class="made">{escape(made)}</p>
</div>
</body>
</html>
"""


def _question(part: SheetLesson) -> str:
    choices = "".join(f"<li>{escape(choice)}</li>" for choice in part.choices)
    links = "".join(f"<div>{escape(what)}: {escape(link)}</div>" for what, link in part.links)
    return f"""<section>
<h2>{_heading(part)}</h2>
<p>{escape(part.question)}</p>
<ul>{choices}</ul>
<p>{escape(say("sheet-seen"))}</p>
<div class="room"></div><div class="room"></div>
<div class="links">{escape(say("sheet-open"))} {links}</div>
</section>"""


def _answers(part: SheetLesson) -> str:
    lines = "".join(f"<p>{escape(answer)}</p>" for answer in part.answers)
    return f"<section><h2>{_heading(part)}</h2>{lines}</section>"


def _heading(part: SheetLesson) -> str:
    return f'{escape(part.title)} <span class="term">{escape(part.term)}</span>'
