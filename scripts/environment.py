"""Build the virtual environment, or find in a moment that it is ready.

    python scripts/environment.py --venv .venv requirements.txt

A stamp inside the environment says which requirements it holds. It is written last, so an
installation that was cut short is noticed and mended. Standard library only.
"""

import argparse
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = (3, 11)


class SetupError(Exception):
    """The environment cannot be built; the message says what to do."""


def requirement_lines(path: Path) -> list[str]:
    """What `path` asks for, with the files it includes by ``-r`` in place and no comments."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.partition("#")[0].strip()
        if line.startswith("-r "):
            lines += requirement_lines(path.parent / line.removeprefix("-r ").strip())
        elif line:
            lines.append(line)
    return lines


def fingerprint(venv: Path, requirements: Path) -> str:
    """Changes with the requirements and with the folder the environment lives in."""
    parts = [str(venv), *requirement_lines(requirements)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def stamp_of(venv: Path, requirements: Path) -> Path:
    return venv / f".installed-{requirements.name}"


def mark_of(venv: Path) -> Path:
    """A file that exists while packages are being written."""
    return venv / ".installing"


def succeeds(*command: str | Path) -> bool:
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return done.returncode == 0


def starts(venv: Path) -> bool:
    """Whether the environment has an interpreter of its own that is new enough."""
    check = f"import sys; sys.exit(sys.version_info < {OLDEST} or sys.prefix == sys.base_prefix)"
    return succeeds(venv / "bin" / "python", "-c", check)


def was_moved(venv: Path) -> bool:
    """Whether the environment was made for another folder: its scripts still point there."""
    settings = (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    command = [line for line in settings.splitlines() if line.startswith("command = ")]
    return bool(command) and not command[0].endswith(f" {venv}")


def is_ready(venv: Path, requirements: Path) -> bool:
    """Whether an earlier run installed exactly these requirements in this very folder."""
    stamp = stamp_of(venv, requirements)
    return (
        stamp.is_file()
        and stamp.read_text(encoding="utf-8") == fingerprint(venv, requirements)
        and not mark_of(venv).exists()
        and starts(venv)
    )


def why_rebuild(venv: Path) -> str:
    """What is wrong with an environment beyond missing packages; "" when nothing is."""
    if mark_of(venv).exists():
        return "its last installation was interrupted"
    if not starts(venv):
        return f"it has no Python of version {OLDEST[0]}.{OLDEST[1]} or newer that starts"
    if was_moved(venv):
        return "its folder was moved"
    if not succeeds(venv / "bin" / "python", "-m", "pip", "--version"):
        return "it has no pip that starts"
    return ""


def create(venv: Path) -> None:
    """An empty environment in `venv`, whatever was there before."""
    # The base interpreter, since this script may itself run in the environment being replaced.
    base = getattr(sys, "_base_executable", None) or sys.executable
    if subprocess.run([base, "-m", "venv", "--clear", venv]).returncode != 0:
        shutil.rmtree(venv, ignore_errors=True)
        raise SetupError(
            f"{base} could not make a virtual environment in {venv}. Debian and Ubuntu keep that "
            "part of Python in a package of its own: apt-get install python3-venv"
        )


def install(venv: Path, requirements: Path) -> None:
    """Bring the packages in."""
    mark_of(venv).touch()
    # A default of "pip install --user" makes no sense inside an environment.
    settings = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [venv / "bin" / "python", "-m", "pip", "install", "-r", requirements]
    status = subprocess.run(command, env=settings).returncode
    if status < 0:  # killed: who knows what lies half written, so the mark stays
        raise SetupError("The installation was killed. Run the same command again to mend it.")
    if status == 0:
        stamp_of(venv, requirements).write_text(fingerprint(venv, requirements), encoding="utf-8")
    mark_of(venv).unlink()
    if status != 0:
        version = ".".join(map(str, sys.version_info[:2]))
        raise SetupError(
            f"The packages of {requirements.name} could not be installed; pip says why above. "
            "Look at the network connection and the disk space, then run the same command again. "
            f"If a package has no version for Python {version}, name another Python after "
            "`make clean`, for instance: make app PYTHON=python3.12"
        )


@contextlib.contextmanager
def only_one(venv: Path) -> Iterator[None]:
    """Let a second command in another window wait for the first instead of mixing with it."""
    with venv.with_name(f"{venv.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print(f"Waiting for another command to finish {venv.name}.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepare(venv: Path, requirements: Path) -> None:
    """Return when `venv` holds the packages of `requirements`.

    Raises
    ------
    SetupError : the environment or a package could not be installed.
    """
    if is_ready(venv, requirements):
        return
    with only_one(venv):
        if is_ready(venv, requirements):
            return
        fault = why_rebuild(venv) if venv.exists() else ""
        if fault:
            print(f"Building {venv.name} anew: {fault}.", flush=True)
        if fault or not venv.exists():
            create(venv)
        print(
            f"Installing {requirements.name} into {venv.name}; the first time takes minutes.",
            flush=True,
        )
        install(venv, requirements)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, default=Path(".venv"))
    parser.add_argument("requirements", type=Path)
    arguments = parser.parse_args()
    try:
        prepare(arguments.venv.absolute(), arguments.requirements.absolute())
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again to mend it.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
