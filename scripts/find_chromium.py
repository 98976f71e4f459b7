"""Print the path of a Chromium that starts, installing one if there is none.

The variable CHROMIUM wins. Then come the usual names on PATH, Playwright's own folder, the system's
package manager, and at last Playwright's download.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def starts(path: str) -> bool:
    """Return True if `path` is a browser: Ubuntu's chromium-browser may be a shell without one."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def candidates() -> Iterator[str]:
    """Yield places where a Chromium may be, the quickest to check first."""
    yield from filter(None, map(shutil.which, NAMES))
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    yield path


def installed() -> str:
    """Return the first Chromium that starts, or ""."""
    return next(filter(starts, candidates()), "")


def run(*command: str) -> bool:
    """Return True if `command` succeeded.

    It writes to standard error, since standard output is for the answer.
    """
    print("$", *command, file=sys.stderr, flush=True)
    return subprocess.run(command, stdout=sys.stderr).returncode == 0


def root_prefix() -> tuple[str, ...] | None:
    """Return the prefix of a command that needs root; None if there is no way to be root."""
    if os.geteuid() == 0:
        return ()
    # -n: never ask for a password, which nobody may be there to type.
    if shutil.which("sudo") and run("sudo", "-n", "true"):
        return ("sudo", "-n")
    return None


def install() -> str:
    """Install a Chromium and return its path, or "" if every way failed."""
    root = root_prefix()
    if root is not None and shutil.which("apt-get"):
        apt = (*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
        packages = (*apt, "install", "-y", "--no-install-recommends", "chromium")
        # A fresh container has no package lists yet; a failure may mean only that.
        if (run(*packages) or (run(*apt, "update") and run(*packages))) and (path := installed()):
            return path
    playwright = (sys.executable, "-m", "playwright", "install")
    # --with-deps needs root for the system's libraries.
    if root is None or not run(*playwright, "--with-deps", "chromium"):
        run(*playwright, "chromium")
    return installed()


def main() -> int:
    chosen = os.environ.get("CHROMIUM", "")
    if chosen and not starts(chosen):
        print(
            f"CHROMIUM is {chosen!r}, which does not start as a browser. "
            "Correct it, or unset it to search for a browser.",
            file=sys.stderr,
        )
        return 1
    path = shutil.which(chosen) if chosen else installed()
    if not path:
        print("No Chromium found for the browser tests; installing one.", file=sys.stderr)
        path = install()
    if not path:
        print(
            "No Chromium could be installed; see the messages above. Install one by hand "
            "(Debian: apt-get install chromium), or name one: "
            "make test CHROMIUM=/path/to/chrome",
            file=sys.stderr,
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
