"""What is known about a pair of languages."""

from __future__ import annotations

import re

import pytest

from support.models import read_json
from words.packs import FOLDER, Pack, pack_of


def test_a_pair_without_a_pack_has_an_empty_one():
    assert pack_of(("xx", "yy")) == Pack(("xx", "yy"))
    assert pack_of(("xx", "yy")).forms == frozenset()


def test_rivals_are_the_forms_of_one_case():
    pack = pack_of(("en", "de"))
    assert pack.rivals_of("Es") == ("es", "sie", "er")
    assert pack.rivals_of("ihn") == ("ihn", "sie", "es")
    assert pack.rivals_of("ihm") == ("ihm", "ihr")
    assert pack.rivals_of("Tier") == ()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_pack_is_sound(path):
    assert "-".join(read_json(path)["languages"]) == path.stem
    pack = pack_of(path.stem.split("-"))
    assert pack.rivals or not pack.pronoun
    assert all(len(case) > 1 for case in pack.rivals)
    texts = [example.text for example in pack.examples]
    assert len(set(texts)) == len(texts)
    for example in pack.examples:
        words = re.findall(r"\w+", example.text)
        assert {example.pronoun, example.antecedent, example.other} - {""} <= set(words)
        assert example.twin in ("", *texts)
        assert bool(example.antecedent) == bool(example.pronoun or example.writes)
