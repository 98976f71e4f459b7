"""Log of `ui.kit.guard`: what could not be drawn in this process."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest


class Mishaps(logging.Handler):
    """Keeps what was logged, with the address and the traceback, until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        logging.getLogger("ui.kit.guard").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))

    def taken(self) -> list[str]:
        """All since they were taken last."""
        told = self.told.copy()
        self.told.clear()
        return told


MISHAPS = Mishaps()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """Whatever could not be drawn in this process fails the test, also where nobody looks at it."""
    try:
        result = yield
    finally:
        told = MISHAPS.taken()
    assert not told, "\n".join(told)
    return result
