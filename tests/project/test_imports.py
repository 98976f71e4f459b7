"""Who may import whom.

Two looks at the same rule: what every file names in its import statements, read without running
it, and what a fresh interpreter has loaded after importing every module of a package.
"""

import ast
import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.models import ROOT

# What the files of a package may name, beside the standard library and the package itself.
MAY_IMPORT = {
    "words": "babel fluent",
    "core": "msgspec numpy pandas scipy words",
    "model": "torch numpy tokenizers safetensors msgspec typer core words",
    "viz": "numpy pandas PIL altair plotly vl_convert kaleido choreographer core words",
    "training": "torch numpy scipy tokenizers safetensors sacrebleu tqdm jinja2 typer "
    "model core words",
    "ui": "streamlit starlette numpy pandas sacrebleu model core viz words",
    "app": "streamlit ui",
}

# What may not even be loaded behind their backs; nobody loads transformers.
DOES_NOT_KNOW = {
    "words": "numpy torch altair streamlit core model viz ui",
    "core": "torch plotly altair streamlit model viz ui training",
    "model": "streamlit plotly altair viz ui training benchmarks",
    # Plotly and what draws it are loaded where they are first used.
    "viz": "plotly kaleido torch tokenizers streamlit model ui training benchmarks",
    "training": "streamlit plotly altair viz ui benchmarks",
    "ui": "training benchmarks",
}

# Pages are scripts that Streamlit runs, and `__main__` runs a command: importing them acts.
LOAD_EVERYTHING = """
import importlib, json, pkgutil, sys
sys.path.insert(0, sys.argv[1])
names = [sys.argv[2]]
top = importlib.import_module(sys.argv[2])
for found in pkgutil.walk_packages(getattr(top, "__path__", []), sys.argv[2] + "."):
    if not found.name.startswith("ui.pages") and not found.name.endswith(".__main__"):
        importlib.import_module(found.name)
        names.append(found.name)
print(json.dumps({"imported": names, "loaded": sorted({m.split(".")[0] for m in sys.modules})}))
"""


@functools.cache
def after_importing(package: str, root: Path = ROOT) -> dict[str, list[str]]:
    """Modules of `package` that a fresh interpreter imported, and all it then had loaded."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", LOAD_EVERYTHING, str(root), package],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, f"importing {package} fails:\n{done.stderr}"
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
    """For each file that names something it may not, what it names."""
    allowed = {package, *MAY_IMPORT[package].split()} | sys.stdlib_module_names
    found = {
        path.relative_to(root).as_posix(): names_imported_by(path) - allowed
        for path in files_of(package, root)
    }
    return {path: names for path, names in found.items() if names}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_files_name_only_what_their_room_may_import(package):
    assert files_of(package), f"{package} has no files"
    assert strangers(package) == {}


@pytest.mark.parametrize("package", DOES_NOT_KNOW)
def test_a_fresh_interpreter_imports_every_module_and_loads_nothing_the_room_does_not_know(package):
    found = after_importing(package)
    unknown = {"transformers", *DOES_NOT_KNOW[package].split()}
    assert unknown.intersection(found["loaded"]) == set()
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in files_of(package)
        if path.name != "__main__.py" and "pages" not in path.parts
    }
    assert set(found["imported"]) == files | {package}


def test_a_forbidden_import_in_a_function_is_seen(tmp_path):
    (tmp_path / "viz").mkdir()
    (tmp_path / "viz" / "late.py").write_text("def draw():\n    from torch.nn import Module\n")
    assert strangers("viz", tmp_path) == {"viz/late.py": {"torch"}}


def test_a_module_loaded_behind_the_back_is_seen(tmp_path):
    (tmp_path / "viz").mkdir()
    (tmp_path / "viz" / "__init__.py").touch()
    (tmp_path / "viz" / "deep.py").write_text("import go_between\n")
    (tmp_path / "go_between.py").write_text("import training\n")
    (tmp_path / "training.py").touch()
    assert "training" in after_importing("viz", tmp_path)["loaded"]
