"""Names and lines of the product: what a reader has to decode before he can read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from support.models import ROOT

PACKAGES = (
    *("core", "words", "model", "viz", "ui"),
    *("training", "evaluation", "benchmarks", "scripts"),
)
# Names that say that there is something, and not what.
EMPTY = {
    *("told", "found", "heard", "asked", "known", "own", "place", "kind", "how", "each"),
    *("shown", "made", "given", "said"),
}
# Fields of stored files and of records that they are read as, and names in the address.
STORED = {
    *("core/arithmetic.py kind", "core/records/attention.py kind", "core/cost.py kind"),
    *("core/gaze.py own", "model/experiments/atlas.py kind"),
    "training/objectives/objective.py said",
}
PARTICIPLES = {
    *("told", "seen", "built", "made", "opened", "dropped", "shown", "found", "given", "kept"),
    *("asked", "shared", "stored", "hidden", "waiting", "pointing", "measuring", "lacking"),
}


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Path and syntax tree of every file of the product."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def names_of(tree: ast.AST) -> Iterator[str]:
    """Parameters, and variables and fields that are assigned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_no_class_name_stands_twice():
    places = defaultdict(list)
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    assert {name: paths for name, paths in places.items() if len({*paths}) > 1} == {}


def test_a_name_says_what_it_holds():
    empty = {f"{path} {name}" for path, tree in sources() for name in names_of(tree)} - STORED
    assert [entry for entry in sorted(empty) if entry.split()[1] in EMPTY] == []


def test_a_module_is_named_by_a_noun():
    assert [path for path, _ in sources() if Path(path).stem in PARTICIPLES] == []


def is_packed(node: ast.AST) -> bool:
    """True for `a, b = x, y`; an exchange of two values is one thought."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return False
    target = node.targets[0]
    if not isinstance(target, ast.Tuple) or any(isinstance(e, ast.Starred) for e in target.elts):
        return False
    names = {ast.unparse(part) for part in target.elts}
    return names.isdisjoint(ast.unparse(part) for part in node.value.elts)


def test_a_line_assigns_one_value():
    packed = [
        f"{path}:{node.lineno}"
        for path, tree in sources()
        for node in ast.walk(tree)
        if is_packed(node)
    ]
    assert packed == []


def test_what_is_looked_for_is_seen():
    code = "class A: pass\ndef f(told):\n    a, b = 1, 2\n    c, d = d, c\n    found = a\n"
    tree = ast.parse(code)
    assert EMPTY.intersection(names_of(tree)) == {"told", "found"}
    assert [node.lineno for node in ast.walk(tree) if is_packed(node)] == [3]
