"""Imports between packages: only downwards, in the files and in what is loaded."""

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from support.models import ROOT

# Packages that the files of each may import, beside the standard library and the package itself.
MAY_IMPORT = {
    "words": "babel fluent",
    "core": "msgspec numpy pandas scipy words",
    "model": "torch numpy tokenizers safetensors msgspec typer pyarrow core words",
    "viz": "numpy pandas PIL altair plotly vl_convert kaleido choreographer core words",
    "training": "torch numpy scipy tokenizers safetensors tqdm jinja2 typer model core words",
    "evaluation": "torch numpy scipy tokenizers safetensors sacrebleu tqdm jinja2 typer "
    "training model core words",
    "ui": "streamlit starlette uvicorn numpy pandas sacrebleu model core viz words",
    "app": "streamlit ui",
}
# Packages that importing each may not even load indirectly; none loads transformers.
MAY_NOT_LOAD = {
    "words": "numpy torch altair streamlit core model viz ui",
    "core": "torch plotly altair streamlit model viz ui training evaluation",
    # Ray is an optional extra.
    "model": "ray streamlit plotly altair viz ui training evaluation benchmarks",
    # Plotly and what draws it are loaded where they are first used.
    "viz": "plotly kaleido torch tokenizers streamlit model ui training evaluation benchmarks",
    "training": "streamlit plotly altair viz ui evaluation benchmarks",
    "evaluation": "streamlit plotly altair viz ui benchmarks",
    "ui": "ray training evaluation benchmarks",
}
# Each process imports packages in an order in which none may load more than those before it.
PROCESSES = (("words", "core", "viz", "ui"), ("model", "training", "evaluation"))
# Rooms of a package, in the order in which one may import another: only those before it.
ROOMS = {
    "core": ["records", "weights"],
    "model": [
        "errors",
        "lines",
        "special_tokens",
        "config",
        "tokenizer",
        "sources",
        "nets",
        "hooks",
        "teacher_forcing",
        "families",
        "io",
        "search",
        "readers",
        "toy",
        "experiments",
        "verify",
        "loading",
        "many",
        "pairs",
        "corpus",
        "file_commands",
    ],
    "training": ["corpora", "objectives"],
    "ui": ["frame", "kit", "components", "shell", "architecture", "pages"],
}
MOST_LEVELS = 6
"""Longest chain of imports inside a folder."""
MOST_LEVELS_IN_ALL = {
    "words": 3,
    "core": 6,
    "model": 10,
    "viz": 6,
    "training": 7,
    "evaluation": 5,
    "ui": 8,
}
"""Longest chain of imports inside a package, through all of its folders."""
# `__main__` runs a command: importing it acts.
LOAD_EVERYTHING = """
import importlib, json, pkgutil, sys
sys.path.insert(0, sys.argv[1])
found = {}
for package in sys.argv[2:]:
    names = [package]
    top = importlib.import_module(package)
    for each in pkgutil.walk_packages(getattr(top, "__path__", []), package + "."):
        if not each.name.endswith(".__main__"):
            importlib.import_module(each.name)
            names.append(each.name)
    found[package] = {"imported": names, "loaded": sorted({m.split(".")[0] for m in sys.modules})}
print(json.dumps(found))
"""


def after_importing(*packages: str, root: Path = ROOT) -> dict[str, dict[str, list[str]]]:
    """Modules of each package that a fresh interpreter imported, and all it then had loaded."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", LOAD_EVERYTHING, str(root), *packages],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, f"importing {packages} fails:\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])


def files_of(package: str, root: Path = ROOT) -> list[Path]:
    module = root / f"{package}.py"
    return [module] if module.is_file() else sorted((root / package).rglob("*.py"))


def names_imported_by(path: Path) -> set[str]:
    """Top-level names in the import statements of a file, wherever they stand in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def strangers(package: str, root: Path = ROOT) -> dict[str, set[str]]:
    """For each file that imports a package it may not, those packages."""
    allowed = {package, *MAY_IMPORT[package].split()} | sys.stdlib_module_names
    found = {
        path.relative_to(root).as_posix(): names_imported_by(path) - allowed
        for path in files_of(package, root)
    }
    return {path: names for path, names in found.items() if names}


def test_files_import_only_what_their_package_may():
    for package in MAY_IMPORT:
        assert files_of(package), f"{package} has no files"
        assert strangers(package) == {}


def modules_imported_by(path: Path, root: Path) -> set[str]:
    """Dotted names of modules and of names in them, also inside functions and for typing."""
    package = path.relative_to(root).parts[:-1]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            module = importlib.util.resolve_name(relative, ".".join(package))
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def imports_of(packages: Iterable[str], root: Path = ROOT) -> dict[str, set[str]]:
    """Modules of these packages that each of them imports."""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts): path
        for package in packages
        for path in files_of(package, root)
        if path.name != "__init__.py"
    }
    return {name: modules_imported_by(path, root) & files.keys() for name, path in files.items()}


def test_no_modules_import_in_a_circle():
    TopologicalSorter(imports_of(MAY_IMPORT)).prepare()


def room_of(module: str) -> str:
    """Name of a module's room: the folder or file directly below its package."""
    return module.split(".")[1]


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_only_those_before_them(package):
    order = ROOMS[package]
    wrong = {
        f"{name} -> {other}"
        for name, others in imports_of([package]).items()
        for other in others
        if {room_of(name), room_of(other)} <= {*order}
        and order.index(room_of(other)) > order.index(room_of(name))
    }
    assert wrong == set()


def test_no_page_imports_another():
    pages = {
        name: {other.split(".")[2] for other in others if room_of(other) == "pages"}
        for name, others in imports_of(["ui"]).items()
        if room_of(name) == "pages"
    }
    wrong = {
        f"{name} -> {other}"
        for name, others in pages.items()
        for other in others
        # An answer of a lesson is the number that the lesson's page shows, taken from its views.
        if other != name.split(".")[2] and name.split(".")[2] != "lessons"
    }
    assert wrong == set()


def folder_of(module: str) -> str:
    return module.rpartition(".")[0]


def levels_of(graph: dict[str, set[str]]) -> int:
    """Number of modules in the longest chain of imports."""
    longest: dict[str, int] = {}
    for module in TopologicalSorter(graph).static_order():
        longest[module] = 1 + max((longest[other] for other in graph[module]), default=0)
    return max(longest.values())


@pytest.mark.parametrize("package", [name for name in MAY_IMPORT if name != "app"])
def test_a_folder_has_few_levels_of_imports(package):
    graph = imports_of([package])
    levels = {}
    for folder in {folder_of(name) for name in graph}:
        inside = {name for name in graph if folder_of(name) == folder}
        levels[folder] = levels_of({name: graph[name] & inside for name in inside})
    assert {folder: n for folder, n in levels.items() if n > MOST_LEVELS} == {}


@pytest.mark.parametrize(("package", "most"), MOST_LEVELS_IN_ALL.items())
def test_a_package_has_few_levels_of_imports(package, most):
    assert levels_of(imports_of([package])) <= most


def test_a_chain_through_folders_is_counted_to_its_end(tmp_path):
    (tmp_path / "viz" / "charts").mkdir(parents=True)
    (tmp_path / "viz" / "theme.py").write_text("ink = 0\n")
    (tmp_path / "viz" / "charts" / "bars.py").write_text("from ..theme import ink\n")
    (tmp_path / "viz" / "page.py").write_text("from .charts.bars import ink\n")
    assert levels_of(imports_of(["viz"], tmp_path)) == 3


def test_a_circle_through_a_function_is_seen(tmp_path):
    (tmp_path / "viz").mkdir()
    (tmp_path / "viz" / "chart.py").write_text("from .theme import ink\n")
    (tmp_path / "viz" / "theme.py").write_text("def late():\n    from . import chart\n")
    with pytest.raises(CycleError, match="cycle"):
        TopologicalSorter(imports_of(["viz"], tmp_path)).prepare()


@pytest.mark.parametrize("packages", PROCESSES, ids="-".join)
def test_a_fresh_interpreter_imports_every_module_and_loads_nothing_forbidden(packages):
    for package, found in after_importing(*packages).items():
        forbidden = {"transformers", *MAY_NOT_LOAD[package].split()}
        assert forbidden.intersection(found["loaded"]) == set(), package
        files = {
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            for path in files_of(package)
            if path.name != "__main__.py"
        }
        assert set(found["imported"]) == files | {package}


def test_forbidden_imports_in_a_function_and_through_another_module_are_seen(tmp_path):
    (tmp_path / "viz").mkdir()
    (tmp_path / "viz" / "__init__.py").touch()
    (tmp_path / "viz" / "late.py").write_text("def draw():\n    from torch.nn import Module\n")
    (tmp_path / "viz" / "deep.py").write_text("import go_between\n")
    (tmp_path / "go_between.py").write_text("import training\n")
    (tmp_path / "training.py").touch()
    assert strangers("viz", tmp_path)["viz/late.py"] == {"torch"}
    assert "training" in after_importing("viz", root=tmp_path)["viz"]["loaded"]
