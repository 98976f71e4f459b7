"""Sentences of the code: no docstring makes a relative clause its subject."""

import ast
from collections.abc import Iterator

from support.models import ROOT

PACKAGES = (
    "benchmarks",
    "core",
    "evaluation",
    "model",
    "scripts",
    "training",
    "ui",
    "viz",
    "words",
)
RELATIVE = {
    *("What", "Whether", "Where", "Which", "Who", "Whose", "How", "Why", "When"),
    *("Of", "Those", "As", "That", "With"),
}


def first_words(text: str) -> Iterator[tuple[int, str]]:
    """Line and first word of every docstring, and of every string that stands under a constant."""
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(said))) if said.strip():
                    yield statement.lineno, said.split()[0].strip("`,.:;")


def test_first_words_of_modules_constants_and_functions_are_found():
    text = '"""Whether it holds."""\nX = 1\n"""What it is."""\ndef f():\n    """Return 1."""\n'
    assert list(first_words(text)) == [(1, "Whether"), (3, "What"), (5, "Return")]


def test_no_docstring_begins_with_a_relative_clause():
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(files) > 300
    found = [
        f"{path.relative_to(ROOT)}:{line} begins with {word}"
        for path in files
        for line, word in first_words(path.read_text(encoding="utf-8"))
        if word in RELATIVE
    ]
    assert found == []
