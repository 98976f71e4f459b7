"""Command lines of training, evaluation and benchmarks: help, refusals, what the docs show."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from functools import partial

import pytest
import typer

from core.measurements import INTERVENTIONS, LANGUAGE, SEARCH
from core.storage import read_stored
from evaluation import __main__ as evaluation_commands
from evaluation.__main__ import main
from model import __main__ as model_commands
from model.io.checkpoint import load_checkpoint
from support.models import ROOT, SENTENCES, read_json
from support.runs import write_pairs
from training import __main__ as training_commands
from training.commands import SpreadCommand, alone, application, run

COMMANDS = {
    "training": typer.main.get_command(training_commands.app).commands,
    "evaluation": typer.main.get_command(evaluation_commands.app).commands,
}
OF_MODELS = {"model": typer.main.get_command(model_commands.app).commands}
MAIN = {"training": training_commands.main, "evaluation": main}
CONFIG = read_json(ROOT / "training" / "configs" / "small.json")
OF_CHECKPOINT = ("scores", "sweep", "intervene", "language", "roles", "atlas")


def test_help_loads_no_torch():
    for module in ("training", "evaluation", "benchmarks"):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", module, "--help"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        )  # fmt: skip
        assert done.stdout
        assert not re.search(r"\| +torch$", done.stderr, re.M)


def of_benchmark(name, argv):
    module = importlib.import_module(f"benchmarks.{name}")
    return alone(module.main, name, module.__doc__, argv)


def test_every_command_says_what_it_does_and_takes(capsys):
    helps = {
        f"python -m {package} {name}": partial(MAIN[package], [name, "--help"])
        for package, commands in COMMANDS.items()
        for name in commands
    }
    n_commands = len(helps)
    for path in sorted((ROOT / "benchmarks").glob("[a-z]*.py")):
        if "sys.exit(alone(main" in path.read_text(encoding="utf-8"):
            helps[path.stem] = partial(of_benchmark, path.stem, ["--help"])
    assert len(helps) > n_commands
    for usage, command in helps.items():
        assert command() == 0, usage
        text = capsys.readouterr().out
        assert f"Usage: {usage}" in text
        assert " " in usage or f"python -m benchmarks.{usage}" in text
        options = [line for line in text.splitlines() if line.lstrip().startswith("--")]
        assert all(line.split()[1:] for line in options), usage


@pytest.mark.parametrize(
    ("package", "argv", "status", "message"),
    [
        ("training", "", 2, "--config"),
        ("training", "exprot", 2, "'export'"),
        ("evaluation", "swep", 2, "'sweep'"),
        ("training", "--confg x", 2, "--confg"),
        ("evaluation", "sweep --limit 0", 2, "--limit"),
        ("evaluation", "lineage", 2, "--runs"),
        ("evaluation", "lineage --runs x --stored", 2, "--stored"),
        ("training", "--config no-such.json", 1, "no-such.json cannot be read"),
        ("evaluation", "probe --checkpoint no-such", 1, "no-such"),
        ("training", "export --run no-such --checkpoint x", 1, "no-such"),
        (
            "evaluation",
            "practices --config training/configs/ko-en.json --runs docs",
            1,
            "no trained weights",
        ),
        ("evaluation", "masked --checkpoint documents-han --data nowhere", 1, "masked-words"),
        ("training", "--config training/configs/lineage.json", 1, "--variant"),
        ("training", "--config training/configs/lineage.json --variant x", 1, "'x'"),
        (
            "training",
            "--config training/configs/en-de-captions.json --data no-such --folder RUN",
            1,
            "python -m training fetch",
        ),
    ],
)
def test_a_wrong_command_line_gets_a_sentence(
    package, argv, status, message, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(ROOT)
    assert MAIN[package](argv.replace("RUN", str(tmp_path)).split()) == status
    assert message in capsys.readouterr().err


def test_parts_of_sets_are_never_stored(capsys):
    both = {
        name: command
        for name, command in COMMANDS["evaluation"].items()
        if {"limit", "write"} <= {param.name for param in command.params}
    }
    assert {*OF_CHECKPOINT, "captions", "documents", "lineage", "masked", "practices"} <= {*both}
    values = {"config": "x.json", "runs": "x"}
    for name, command in both.items():
        needed = [param.name for param in command.params if param.required]
        more = [part for key in needed for part in (f"--{key}", values[key])]
        assert main([name, *more, "--write", "--limit", "1"]) == 2
        assert "--write stores only results of whole sets" in capsys.readouterr().err


def test_a_damaged_file_is_named_and_left(mine, tmp_path, capsys):
    for name, kind in (("sweep", SEARCH), ("intervene", INTERVENTIONS)):
        (mine / kind.file).write_text("{")
        assert main([name, "--checkpoint", str(mine), "--data", str(tmp_path), "--write"]) == 1
        assert f"{kind.file} cannot be read" in capsys.readouterr().err
        assert (mine / kind.file).read_text() == "{"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read"),
        ("[]", "Expected `object`, got `array`"),
        ("{}", "missing required field `name`"),
        (json.dumps(CONFIG | {"training": {}}), "training: Object missing required field `seed`"),
        (json.dumps(CONFIG | {"data": {"sets": [{}]}}), "data.sets[0]: Object missing"),
    ],
)
def test_a_bad_config_is_named(text, message, tmp_path, capsys):
    (tmp_path / "config.json").write_text(text)
    arguments = ["--config", str(tmp_path / "config.json"), "--data", str(tmp_path)]
    assert MAIN["training"]([*arguments, "--folder", str(tmp_path / "run")]) == 1
    assert message in capsys.readouterr().err


def test_an_option_takes_all_values_that_follow_it():
    taken = []
    app = application()

    @app.command(cls=SpreadCommand)
    def export(steps: list[int], also: list[str] = [], name: str = "") -> None:  # noqa: B006
        taken.append((steps, also, name))

    assert run(app, "export", ["1", "2", "--also", "a", "b", "--name", "x", "--also", "c"]) == 0
    assert taken == [([1, 2], ["a", "b", "c"], "x")]


def test_missing_data_is_named_and_nothing_stored(mine, tmp_path, capsys):
    card = read_json(mine / "card.json")
    sources = {"data": {"sets": [{"folder": "tatoeba-en-de"}]}}
    (mine / "card.json").write_text(json.dumps(card | sources))
    before = {path.name: path.read_bytes() for path in mine.iterdir()}
    arguments = ["--checkpoint", str(mine), "--data", str(tmp_path / "nowhere"), "--write"]
    for name in OF_CHECKPOINT:
        assert main([name, *arguments]) == 1
        assert "nowhere" in capsys.readouterr().err, name
        assert {path.name: path.read_bytes() for path in mine.iterdir()} == before, name


def command_lines_of_docs():
    """Every command line of these packages that docs, cards and measurements show."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "benchmarks" / "RESULTS.md"]
    pages += [*ROOT.glob("checkpoints/**/*.json"), *ROOT.glob("checkpoints/*/README.md")]
    pattern = r"-m ((?:model|training|evaluation|benchmarks)[.a-z]*)((?: [^\s`\"#|)\\…,;>]+)*)"
    found = {line for page in pages for line in re.findall(pattern, page.read_text("utf-8"))}
    table = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*?`((?!make )[a-z][^`|]*--[^`|]*|--config [^`|]*)`", table, re.M)
    found |= {("training" if line[0] == "-" else "evaluation", f" {line}") for line in rows}
    # A continuation and an option named by itself are no whole lines.
    partial_lines = ("...", " --share 0.1")
    return sorted((name, line.split()) for name, line in found if not line.endswith(partial_lines))


def test_every_command_line_of_the_docs_is_taken():
    lines = command_lines_of_docs()
    assert len(lines) > 60
    for module, argv in lines:
        if len(argv) <= (module in COMMANDS | OF_MODELS):
            continue  # the name of a command by itself
        if commands := (COMMANDS | OF_MODELS).get(module):
            name, *rest = argv if argv[0] in commands else ("train", *argv)
            assert commands[name].make_context(name, rest).params, argv
        else:
            name = "benchmarks.__main__" if module == "benchmarks" else module
            single = application()
            single.command(cls=SpreadCommand)(importlib.import_module(name).main)
            assert typer.main.get_command(single).make_context(name, argv).params, argv


def test_a_measurement_prints_its_report_and_stores_it_only_if_asked(mine, tmp_path, capsys):
    pairs = list(zip(SENTENCES[::2], SENTENCES[1::2], strict=True))
    for part in ("train", "val"):
        write_pairs(tmp_path / "pairs" / f"{part}.tsv.gz", pairs)
    card = read_json(mine / "card.json") | {"data": {"sets": [{"folder": "pairs"}]}}
    (mine / "card.json").write_text(json.dumps(card), encoding="utf-8")
    arguments = ["--checkpoint", str(mine), "--data", str(tmp_path), "--threads", "1"]
    for more, state in ((["--limit", "1"], "missing"), (["--write"], "found")):
        assert main(["language", *arguments, *more]) == 0
        assert "language check, de, validation: " in capsys.readouterr().out
        stored = read_stored(LANGUAGE, mine, load_checkpoint(mine).card.fingerprint)
        assert stored.state == state
    assert stored.values["check"]["tested"]["de, validation"]["sentences"] == 3
