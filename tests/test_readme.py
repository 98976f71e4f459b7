"""The two READMEs say the same: commands, code, numbers and links."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, KOREAN = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.ko.md")
)


def code(text: str) -> list[str]:
    """The lines of code, without their comments."""
    blocks = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)
    return [line.partition("#")[0].rstrip() for block in blocks for line in block.splitlines()]


def prose(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def test_the_code_is_the_same():
    assert code(KOREAN) == code(ENGLISH)


def test_commands_and_names_in_the_text_are_the_same():
    english, korean = (Counter(re.findall(r"`([^`]+)`", prose(text))) for text in (ENGLISH, KOREAN))
    assert korean == english


def test_the_links_lead_to_the_same_places_and_those_exist():
    english, korean = (
        set(re.findall(r"\]\(([^)#]+)", text)) - {"README.md", "README.ko.md"}
        for text in (ENGLISH, KOREAN)
    )
    assert korean == english
    assert [link for link in korean if not (ROOT / link).exists()] == []


def test_the_tables_hold_the_same_numbers():
    def cells(text: str) -> list[list[str]]:
        lines = [line for line in text.splitlines() if line.startswith("|")]
        return [
            re.findall(r"\d+\.\d+|\d+", line.rpartition("|")[0].split("|")[-1]) for line in lines
        ]

    assert cells(KOREAN) == cells(ENGLISH)


def test_every_decimal_of_one_stands_in_the_other():
    english, korean = (Counter(re.findall(r"\d+\.\d+", prose(text))) for text in (ENGLISH, KOREAN))
    assert korean == english


def test_the_sections_are_the_same():
    english, korean = (
        [line.split()[0] for line in prose(text).splitlines() if line.startswith("#")]
        for text in (ENGLISH, KOREAN)
    )
    assert korean == english
