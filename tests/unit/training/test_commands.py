"""What the command lines of training and benchmarks take and refuse."""

import importlib
import json
import re
import subprocess
import sys
from functools import partial

import pytest
import typer

from core.measurements import INTERVENTIONS, LANGUAGE, SEARCH
from core.stored import read_stored
from model.checkpoint import load_checkpoint
from support.models import ROOT, SENTENCES, read_json
from support.runs import write_pairs
from training.__main__ import app, main
from training.commands import SpreadCommand, alone, application, run

COMMANDS = [command.name for command in app.registered_commands]
CONFIG = read_json(ROOT / "training" / "configs" / "small.json")
OF_CHECKPOINT = ("evaluate", "sweep", "intervene", "language", "roles", "atlas")


def test_help_loads_no_torch():
    code = (
        "import sys, training.__main__ as m; m.main(['--help']); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("argv", "status", "said"),
    [
        ([], 2, "--config"),
        (["swep"], 2, "'sweep'"),
        (["--confg", "x"], 2, "--confg"),
        (["sweep", "--limit", "0"], 2, "--limit"),
        (["lineage"], 2, "--runs"),
        (["lineage", "--runs", "x", "--stored"], 2, "--stored"),
        (["--config", "no-such.json"], 1, "no-such.json cannot be read"),
        (["probe", "--checkpoint", "no-such"], 1, "no-such"),
        (["export", "--run", "no-such", "--checkpoint", "x"], 1, "no-such"),
        (["--config", "training/configs/lineage.json"], 1, "--variant"),
        (["--config", "training/configs/lineage.json", "--variant", "x"], 1, "'x'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(argv, status, said, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(argv) == status
    assert said in capsys.readouterr().err


def test_what_is_measured_of_a_part_is_never_stored(capsys):
    commands = typer.main.get_command(app).commands
    both = [
        name
        for name, command in commands.items()
        if {"limit", "write"} <= {param.name for param in command.params}
    ]
    assert {*OF_CHECKPOINT, "captions", "documents", "lineage", "masked", "practices"} <= {*both}
    required = {"config": "x.json", "runs": "x"}
    for name in both:
        needed = {param.name for param in commands[name].params if param.required}
        more = [part for key in needed for part in (f"--{key}", required[key])]
        for argv in (["--limit", "1", "--write"], ["--write", "--limit", "1"]):
            assert main([name, *more, *argv]) == 2
            assert "--write needs whole sets" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "kind"), [("sweep", SEARCH), ("intervene", INTERVENTIONS)])
def test_a_damaged_file_is_named_and_left(name, kind, mine, tmp_path, capsys):
    (mine / kind.file).write_text("{")
    assert main([name, "--checkpoint", str(mine), "--data", str(tmp_path), "--write"]) == 1
    assert f"{kind.file} cannot be read" in capsys.readouterr().err
    assert (mine / kind.file).read_text() == "{"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ("[]", "Expected `object`, got `array`"),
        ("{}", "missing required field `name`"),
        (json.dumps({"name": "x", "model": {"d_model": "?"}}), "missing required field `data`"),
        (json.dumps(CONFIG | {"training": {}}), "training: Object missing required field `seed`"),
        (json.dumps(CONFIG | {"data": {"sets": [{}]}}), "data.sets[0]: Object missing"),
        (json.dumps(CONFIG | {"data": {"sets": [], "share": 2}}), "data.share: Expected"),
    ],
)
def test_a_bad_config_is_named(text, said, tmp_path, capsys):
    (tmp_path / "config.json").write_text(text)
    arguments = ["--config", str(tmp_path / "config.json"), "--data", str(tmp_path)]
    assert main([*arguments, "--folder", str(tmp_path / "run")]) == 1
    assert said in capsys.readouterr().err


def test_an_option_takes_all_values_that_follow_it():
    taken = []
    app = application()

    @app.command(cls=SpreadCommand)
    def export(steps: list[int], also: list[str] = [], name: str = "") -> None:  # noqa: B006
        taken.append((steps, also, name))

    assert run(app, "export", ["1", "2", "--also", "a", "b", "--name", "x", "--also", "c"]) == 0
    assert taken == [([1, 2], ["a", "b", "c"], "x")]


def of_benchmark(name, argv):
    module = importlib.import_module(f"benchmarks.{name}")
    return alone(module.main, name, module.__doc__, argv)


HELPS = {f"python -m training {name}": (main, name) for name in COMMANDS} | {
    path.stem: (partial(of_benchmark, path.stem),)
    for path in sorted((ROOT / "benchmarks").glob("[a-z]*.py"))
    if "sys.exit(alone(main" in path.read_text(encoding="utf-8")
}


@pytest.mark.parametrize("usage", HELPS)
def test_every_command_says_what_it_does_and_takes(usage, capsys):
    command, *name = HELPS[usage]
    assert command([*name, "--help"]) == 0
    told = capsys.readouterr().out
    assert f"Usage: {usage}" in told
    assert name or f"python -m benchmarks.{usage}" in told
    assert all(line.split()[1:] for line in told.splitlines() if line.lstrip().startswith("--"))


@pytest.mark.parametrize("name", OF_CHECKPOINT)
def test_missing_data_is_named_and_nothing_stored(name, mine, tmp_path, capsys):
    card = read_json(mine / "card.json")
    sources = {"data": {"sets": [{"folder": "tatoeba-en-de"}]}}
    (mine / "card.json").write_text(json.dumps(card | sources))
    before = sorted(path.name for path in mine.iterdir())
    arguments = ["--checkpoint", str(mine), "--data", str(tmp_path / "nowhere"), "--write"]
    assert main([name, *arguments]) == 1
    assert "nowhere" in capsys.readouterr().err
    assert sorted(path.name for path in mine.iterdir()) == before


def _told(module):
    """Every command line of a module that the docs, cards and measurements show."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "benchmarks" / "RESULTS.md"]
    pages += [*ROOT.glob("checkpoints/**/*.json"), *ROOT.glob("checkpoints/*/README.md")]
    found = set()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found |= set(re.findall(rf"-m ({module}[.a-z]*)((?: [^\s`\"#|)\\…,;]+)*)", text))
    table = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    if module == "training":
        rows = re.findall(r"^\|.*?`([a-z][^`|]*--[^`|]*|--config [^`|]*)`", table, re.M)
        found |= {(module, f" {line}") for line in rows}
    # A continuation and an option named by itself are no whole lines.
    partial = ("...", " --share 0.1")
    return sorted((name, tuple(line.split())) for name, line in found if not line.endswith(partial))


@pytest.mark.parametrize("argv", [argv for _, argv in _told("training") if len(argv) > 1])
def test_every_command_line_that_is_told_is_taken(argv):
    commands = typer.main.get_command(app).commands
    name, rest = (argv[0], argv[1:]) if argv[0] in commands else ("train", argv)
    assert rest[0].startswith("-")
    assert commands[name].make_context(name, list(rest)).params


@pytest.mark.parametrize(("name", "argv"), [each for each in _told("benchmarks") if each[1]])
def test_every_benchmark_that_is_told_is_taken(name, argv):
    module = importlib.import_module("benchmarks.__main__" if name == "benchmarks" else name)
    alone_app = application()
    alone_app.command(cls=SpreadCommand)(module.main)
    assert typer.main.get_command(alone_app).make_context(name, list(argv)).params


@pytest.mark.parametrize("more", [["--write"], ["--limit", "1"]])
def test_a_measurement_prints_its_report_and_stores_what_it_should(more, mine, tmp_path, capsys):
    pairs = list(zip(SENTENCES[::2], SENTENCES[1::2], strict=True))
    for part in ("train", "val"):
        write_pairs(tmp_path / "pairs" / f"{part}.tsv.gz", pairs)
    card = read_json(mine / "card.json") | {"data": {"sets": [{"folder": "pairs"}]}}
    (mine / "card.json").write_text(json.dumps(card), encoding="utf-8")
    arguments = ["--checkpoint", str(mine), "--data", str(tmp_path), "--threads", "1"]
    assert main(["language", *arguments, *more]) == 0
    assert "language check, de, validation: " in capsys.readouterr().out
    stored = read_stored(LANGUAGE, mine, load_checkpoint(mine).card.fingerprint)
    assert stored.state == ("found" if more == ["--write"] else "missing")
    if stored.state == "found":
        assert stored.values["check"]["tested"]["de, validation"]["sentences"] == 3
