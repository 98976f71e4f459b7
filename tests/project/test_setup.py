"""The commands of the README: the port, the environment, the browser, what gets installed."""

import importlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts import check_port, environment, find_chromium
from support.models import ROOT
from ui import VERSION
from ui.command import DEFAULTS, FOLDERS


@pytest.fixture
def taken_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture
def empty_requirements(tmp_path):
    path = tmp_path / "requirements.txt"
    path.write_text("# nothing\n")
    return path


@pytest.fixture
def built(monkeypatch):
    """Stand in for the slow steps and write down which of them were asked for."""
    calls = []

    def create(venv):
        calls.append("create")
        shutil.rmtree(venv, ignore_errors=True)
        (venv / "bin").mkdir(parents=True)
        (venv / "pyvenv.cfg").write_text(f"command = {sys.executable} -m venv --clear {venv}\n")

    def install(venv, requirements):
        calls.append("install")
        stamp = environment.fingerprint(venv, requirements)
        environment.stamp_of(venv, requirements).write_text(stamp)

    monkeypatch.setattr(environment, "create", create)
    monkeypatch.setattr(environment, "install", install)
    monkeypatch.setattr(environment, "succeeds", lambda *command: True)
    return calls


def requirements_in(name: str) -> dict[str, Requirement]:
    found = map(Requirement, environment.requirement_lines(ROOT / name))
    return {requirement.name: requirement for requirement in found}


# The port


def test_a_port_is_a_whole_number_from_1_to_65535_in_plain_digits():
    for text in ("1", "8501", "65535"):
        assert check_port.port_from(text) == int(text)
    for text in ("", "abc", "-1", "0", "65536", "8501x", "85.01", "٨٥٠١", "8 501"):
        with pytest.raises(ValueError, match="expected a whole number from 1 to 65535"):
            check_port.port_from(text)


def test_a_taken_port_is_refused_with_a_free_one_to_try(taken_port):
    answer = check_port.why_not(taken_port)
    assert answer.startswith(f"Port {taken_port} is in use")
    suggested = int(re.search(r"PORT=(\d+)$", answer)[1])
    assert check_port.bind_error(suggested) is None


def test_a_port_is_free_again_right_after_its_program_ends():
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            server, _ = listener.accept()
            server.close()  # the side that closes first lingers in TIME_WAIT
            client.recv(1)
    assert check_port.why_not(port) == ""


def test_make_app_stops_at_what_is_wrong_with_its_port_and_without_a_python(taken_port):
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    for argument, told in (
        (f"PORT={taken_port}", f"Port {taken_port} is in use"),
        ("PORT=eighty", "PORT is 'eighty'"),
        ("PYTHON=no-such-python", "Install Python 3.11 or newer"),
    ):
        done = subprocess.run(
            ["make", "app", argument],
            cwd=ROOT,
            env=own,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode != 0
        assert told in done.stderr


# The environment


@pytest.mark.parametrize(
    ("mishap", "then"),
    [
        ("nothing", []),
        ("other requirements", ["install"]),
        ("interrupted", ["create", "install"]),
        ("moved", ["create", "install"]),
        ("no working python", ["create", "install"]),
    ],
)
def test_a_second_run_makes_what_is_missing(
    tmp_path, empty_requirements, built, monkeypatch, mishap, then
):
    asked, venv = tmp_path / "outer.txt", tmp_path / "env"
    asked.write_text("-r requirements.txt\n")
    environment.prepare(venv, asked)
    if mishap == "other requirements":
        empty_requirements.write_text("numpy>=2\n")
    elif mishap == "interrupted":
        environment.mark_of(venv).touch()
    elif mishap == "moved":
        venv = venv.rename(tmp_path / "elsewhere")
    elif mishap == "no working python":
        monkeypatch.setattr(environment, "succeeds", lambda *command: False)
    environment.prepare(venv, asked)
    assert built == ["create", "install", *then]


def fake_pip(venv: Path, body: str) -> None:
    python = venv / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{body}\n")
    python.chmod(0o755)


@pytest.mark.parametrize(
    ("body", "told", "marked"),
    [
        ("exit 1", r"requirements\.txt could not be installed", False),
        ("kill -9 $$", "killed", True),
    ],
)
def test_a_failed_installation_leaves_no_stamp_and_a_killed_one_its_mark(
    tmp_path, empty_requirements, body, told, marked
):
    fake_pip(tmp_path / "env", body)
    with pytest.raises(environment.SetupError, match=told):
        environment.install(tmp_path / "env", empty_requirements)
    assert not environment.stamp_of(tmp_path / "env", empty_requirements).exists()
    assert environment.mark_of(tmp_path / "env").exists() == marked


@pytest.mark.slow
def test_a_real_environment_is_built_and_found_again(tmp_path, empty_requirements, capfd):
    environment.prepare(tmp_path / "env", empty_requirements)
    assert environment.starts(tmp_path / "env")
    capfd.readouterr()
    environment.prepare(tmp_path / "env", empty_requirements)
    assert capfd.readouterr().out == ""


# The browser


def test_a_program_that_fails_is_no_browser_and_one_that_is_named_is_an_error(
    tmp_path, monkeypatch, capsys
):
    shell = tmp_path / "chromium"
    shell.write_text("#!/bin/sh\necho 'install the snap first' >&2\nexit 1\n")
    shell.chmod(0o755)
    for program in (shell, tmp_path / "missing"):
        assert not find_chromium.starts(str(program))
        monkeypatch.setenv("CHROMIUM", str(program))
        assert find_chromium.main() == 1
        assert f"'{program}'" in capsys.readouterr().err


def test_a_browser_on_the_path_is_printed(tmp_path, monkeypatch, capsys):
    browser = tmp_path / "google-chrome"
    browser.write_text("#!/bin/sh\necho Chromium 1\n")
    browser.chmod(0o755)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find_chromium, "install", lambda: pytest.fail("nothing to install"))
    assert find_chromium.main() == 0
    assert capsys.readouterr().out == f"{browser}\n"


# The requirements


def test_every_requirement_has_a_tested_range_and_the_app_does_without_transformers():
    app, dev = map(requirements_in, ("requirements.txt", "requirements-dev.txt"))
    for requirement in (*app.values(), *dev.values()):
        operators = {specifier.operator for specifier in requirement.specifier}
        assert operators in ({"=="}, {">=", "<"}), str(requirement)
    for requirement in dev.values():
        assert version(requirement.name) in requirement.specifier, str(requirement)
    assert "transformers" in dev.keys() - app.keys()
    assert str(app["torch"].specifier) == "==2.13.0"


# pip install -e .


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_project_needs_what_the_app_needs_and_has_its_version(project):
    dynamic = project["tool"]["setuptools"]["dynamic"]
    assert project["project"]["dynamic"] == ["version", "dependencies"]
    assert dynamic["dependencies"] == {"file": ["requirements.txt"]}
    module, _, name = dynamic["version"]["attr"].rpartition(".")
    assert getattr(importlib.import_module(module), name) == VERSION


def test_every_package_is_installed(project):
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"}
    assert {pattern.removesuffix("*") for pattern in patterns} == packages


def test_the_command_starts_the_app_in_the_repository(project, monkeypatch, tmp_path):
    module, _, name = project["project"]["scripts"]["attention-lab"].partition(":")
    main = getattr(importlib.import_module(module), name)
    seen = {}

    def serve():
        seen.update(folder=Path.cwd(), argv=sys.argv[:], folders=os.environ[FOLDERS])

    monkeypatch.setattr("ui.serve.main", serve)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FOLDERS, os.pathsep.join(("mine", "/other")))
    monkeypatch.setattr(sys, "argv", ["attention-lab", "--server.port", "9000"])
    main()
    assert seen["folder"] == ROOT
    assert seen["argv"] == ["attention-lab", *DEFAULTS, "--server.port", "9000"]
    assert seen["folders"] == f"{tmp_path / 'mine'}{os.pathsep}/other"


def test_the_command_has_the_options_of_make_app():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    options = dict(zip(DEFAULTS[::2], DEFAULTS[1::2], strict=True))
    for option in set(options) - {"--server.address"}:
        assert f"{option} {options[option]}" in recipe
