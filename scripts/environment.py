"""Build the virtual environment, or find quickly that it is ready.

    python scripts/environment.py --venv .venv requirements.txt

A stamp inside the environment records the requirements that it holds. It is written last, so an
interrupted installation is noticed and repaired. Standard library only.
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
    """Return the requirements in `path`, files included by ``-r`` in place, comments left out."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.partition("#")[0].strip()
        if line.startswith("-r "):
            lines += requirement_lines(path.parent / line.removeprefix("-r ").strip())
        elif line:
            lines.append(line)
    return lines


def fingerprint(venv: Path, requirements: Path) -> str:
    """Return a hash of the requirements and of the folder in which the environment lives."""
    parts = [str(venv), *requirement_lines(requirements)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def stamp_of(venv: Path, requirements: Path) -> Path:
    """Return the stamp that records an installation."""
    return venv / f".installed-{requirements.name}"


def mark_of(venv: Path) -> Path:
    """Return a file that exists while packages are being written."""
    return venv / ".installing"


def succeeds(*command: str | Path) -> bool:
    """Return True if a command runs and ends with 0; its output is discarded."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return done.returncode == 0


def starts(venv: Path) -> bool:
    """Return True if the environment has an interpreter of its own that is new enough."""
    # In a virtual environment `sys.prefix` differs from `sys.base_prefix`.
    check = f"import sys; sys.exit(sys.version_info < {OLDEST} or sys.prefix == sys.base_prefix)"
    return succeeds(venv / "bin" / "python", "-c", check)


def was_moved(venv: Path) -> bool:
    """Return True if the environment was made for another folder: its scripts still point there."""
    settings = (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    command = [line for line in settings.splitlines() if line.startswith("command = ")]
    return bool(command) and not command[0].endswith(f" {venv}")


def is_ready(venv: Path, requirements: Path) -> bool:
    """Return True if an earlier run installed exactly these requirements in this very folder."""
    stamp = stamp_of(venv, requirements)
    return (
        stamp.is_file()
        and stamp.read_text(encoding="utf-8") == fingerprint(venv, requirements)
        and not mark_of(venv).exists()
        and starts(venv)
    )


def why_rebuild(venv: Path) -> str:
    """Return the fault of an environment beyond missing packages; "" if there is none."""
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
    """Create an empty environment in `venv`, replacing whatever was there."""
    # The base interpreter, since this script may itself run in the environment that it replaces.
    base = getattr(sys, "_base_executable", None) or sys.executable
    if subprocess.run([base, "-m", "venv", "--clear", venv]).returncode != 0:
        shutil.rmtree(venv, ignore_errors=True)
        raise SetupError(
            f"{base} could not create a virtual environment in {venv}. On Debian and Ubuntu, this "
            "needs a separate package: apt-get install python3-venv"
        )


def install(venv: Path, requirements: Path) -> None:
    """Install the packages, and write the stamp when all are there."""
    mark_of(venv).touch()
    # A user's default of "pip install --user" makes no sense inside an environment.
    settings = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [venv / "bin" / "python", "-m", "pip", "install", "-r", requirements]
    status = subprocess.run(command, env=settings).returncode
    if status < 0:  # killed: who knows what lies half written, so the mark stays
        raise SetupError("The installation was killed. Run the same command again to complete it.")
    if status == 0:
        stamp_of(venv, requirements).write_text(fingerprint(venv, requirements), encoding="utf-8")
    mark_of(venv).unlink()
    if status != 0:
        version = ".".join(map(str, sys.version_info[:2]))
        raise SetupError(
            f"The packages of {requirements.name} could not be installed; see pip's output above. "
            "Check the network connection and the disk space, then run the same command again. "
            f"If a package has no version for Python {version}, choose another Python after "
            "`make clean`, for instance: make app PYTHON=python3.12"
        )


@contextlib.contextmanager
def only_one(venv: Path) -> Iterator[None]:
    """Let a second command in another window wait for the first instead of interfering with it."""
    # Beside the environment, which `create` may delete as a whole.
    with venv.with_name(f"{venv.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print(f"Waiting for another command that installs {venv.name}.", flush=True)
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
        # Asked again: the command that was waited for may have built it.
        if is_ready(venv, requirements):
            return
        fault = why_rebuild(venv) if venv.exists() else ""
        if fault:
            print(f"Building {venv.name} again: {fault}.", flush=True)
        if fault or not venv.exists():
            create(venv)
        print(
            f"Installing {requirements.name} into {venv.name}. The first time takes a few minutes.",
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
        print("\nInterrupted. Run the same command again to complete it.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
