"""What was measured of the lineage, read back; what is damaged is named."""

from __future__ import annotations

import json

import pytest
from lineage_values import values

from core.lineage import Group, MeasuredLineage, beyond_a_seed
from core.stored import DamageError, Interval, checked


def test_a_system_reads_back():
    found = MeasuredLineage.from_values(values())
    cho = found.systems["cho"]
    assert cho.bleu["captions"] == Interval(20.0, 18.8, 21.2)
    assert cho.lengths.joined[0] == Group(12.0, 10.0, 14.0, at=24.0, group=2, texts=40)
    assert cho.pointing.map is None
    assert found.systems["bahdanau"].pointing.map.layer == 0
    assert found.settings.joined.seen == 4


def test_a_gain_reads_back():
    first, _ = MeasuredLineage.from_values(values()).gains
    assert first.published[0].bleu == (25.9, 30.6)
    assert first.published[0].sign.bleu == "open"


def fault_of(found: object) -> str:
    with pytest.raises(DamageError) as raised:
        checked(json.dumps(found).encode(), MeasuredLineage)
    return " ".join(str(value) for value in dict(raised.value.fault.values).values())


@pytest.mark.parametrize(
    "path", ["systems", "seed", "systems.cho.bleu", "systems.bahdanau.speed.beam"]
)
def test_what_is_missing_is_named(path):
    found = values()
    *parents, last = path.split(".")
    inner = found
    for name in parents:
        inner = inner[name]
    del inner[last]
    assert f"`{last}`" in fault_of(found)
    assert ".".join(parents) in fault_of(found)


@pytest.mark.parametrize(
    "broken", [{"systems": None}, {"systems": {}}, {"gains": 3}, {"settings": "x"}]
)
def test_what_is_of_another_kind_is_refused(broken):
    assert next(iter(broken)) in fault_of(values() | broken)


def test_a_gain_of_a_system_that_is_not_there_is_refused():
    found = values()
    del found["systems"]["sutskever-forward"]
    assert "Expected gains of systems that are there, got sutskever-forward" in fault_of(found)


def test_a_list_is_refused():
    assert "array" in fault_of([])


@pytest.mark.parametrize(
    ("bleu", "beyond"), [(1.74, False), (-1.74, False), (1.76, True), (-3.5, True), (0.0, False)]
)
def test_a_difference_is_held_against_that_of_a_seed_to_the_tenth_that_is_known(bleu, beyond):
    assert beyond_a_seed(bleu, 1.7) == beyond
