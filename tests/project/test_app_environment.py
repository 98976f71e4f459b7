"""Command lines in the environment of the app, where only requirements.txt is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import environment
from support.models import ROOT
from training import commands

LINES = sorted(
    f"benchmarks.{file.stem}".removesuffix(".__main__")
    for file in (ROOT / "benchmarks").glob("*.py")
    if "sys.exit(alone(" in file.read_text("utf-8")
)
ALL_HELP = """
import contextlib, io, json, runpy, sys

names, missing = json.loads(sys.argv[1])


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
found = {}
for name in names:
    sys.argv = [name, "--help"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_module(name, run_name="__main__")
        except SystemExit as ended:
            found[name] = ended.code, said.getvalue()
        except Exception as error:
            found[name] = 1, repr(error)
print(json.dumps(found))
"""


def installed_by(file: str) -> set[str]:
    """The distributions that pip installs for a file of requirements."""
    wanted = [Requirement(line) for line in environment.requirement_lines(ROOT / file)]
    found: set[str] = set()
    while wanted:
        asked = wanted.pop()
        name = canonicalize_name(asked.name)
        try:
            needs = [Requirement(each) for each in requires(name) or ()]
        except PackageNotFoundError:  # another system's
            continue
        extras = ("", *asked.extras)
        fitting = [
            each
            for each in needs
            if each.marker is None or any(each.marker.evaluate({"extra": e}) for e in extras)
        ]
        if name not in found or asked.extras:
            wanted += [each for each in fitting if canonicalize_name(each.name) not in found]
        found.add(name)
    return found


@pytest.fixture(scope="module")
def missing() -> list[str]:
    """Modules that the app's environment lacks."""
    there = installed_by("requirements.txt")
    owners = packages_distributions().items()
    return [top for top, of in owners if not there & set(map(canonicalize_name, of))]


def usage_without(missing: list[str], *names: str) -> None:
    """Ask every command line for its help in one process that lacks these modules."""
    done = subprocess.run(
        [sys.executable, "-c", ALL_HELP, json.dumps([names, missing])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    for name, (status, said) in json.loads(done.stdout).items():
        assert status in (0, None), (name, said)
        assert f"Usage: python -m {name}" in said


def test_the_command_lines_of_models_do_without_the_libraries_that_are_measured(missing):
    assert {"transformers", "ctranslate2", "bertviz", "playwright", "pytest"} <= {*missing}
    assert not {"torch", "streamlit", "typer", "tokenizers", "numpy"} & {*missing}
    usage_without(missing, "model")


@pytest.mark.slow
def test_every_command_line_says_what_it_takes(missing):
    assert len(LINES) >= 3
    usage_without(missing, *LINES, "training")


@pytest.mark.parametrize(("name", "told"), [("ctranslate2.specs", True), ("core.none", False)])
def test_a_missing_package_is_named_with_its_command_and_a_module_of_ours_is_a_fault(
    name, told, capsys
):
    def measure() -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    if not told:
        with pytest.raises(ModuleNotFoundError):
            commands.alone(measure, "python -m benchmarks.some", argv=[])
        return
    assert commands.alone(measure, "python -m benchmarks.some", argv=[]) == 1
    said = capsys.readouterr().err
    assert "'ctranslate2'" in said
    assert "make dev-environment" in said
