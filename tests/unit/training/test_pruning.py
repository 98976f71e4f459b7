"""The pruning of heads: its curves, and what is stored of them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from core.changes import AblatedHead
from core.intervention import Intervention
from core.measurements import PrunedSite, Pruning
from core.pruning import pruning_facts, pruning_table
from support.models import ROOT, read_json
from training.pruning import Pruning as Measured


def site(**curves) -> PrunedSite:
    run = {"bleu": [40, 39, 10], **curves}
    drawn = [run, {"bleu": [40, 20, 10]}]
    order = [(0, at) for at in range(4)]
    values = {"removed": [0, 2, 4], "order": order, "ranked": run, "random": drawn}
    return msgspec.convert(values, PrunedSite)


def test_what_falls_by_more_than_a_tenth_first_breaks_first():
    told = pruning_facts(site(pronoun=[1, 0.5, 0.5], aer=[0.3, 0.3, None]))
    assert (told["first"], told["removed"], told["n"]) == ("pronoun", 2, 4)
    assert pruning_facts(site(aer=[0.3, 0.5, 0.6]))["first"] == "aer"


def test_random_orders_are_a_mean_and_its_ends():
    rows = pruning_table(site()).query("order == 'random' and left == 2").iloc[0]
    assert (rows["value"], rows["low"], rows["high"]) == (29.5, 20, 39)


@pytest.mark.parametrize("name", ["en-de", "ko-en"])
def test_what_is_stored_begins_and_ends_alike_in_every_order(name):
    values = read_json(ROOT / "checkpoints" / name / "pruning.json")
    measured = msgspec.convert(values, Pruning)
    for each in measured.sites.values():
        for run in each.random:
            assert (run.bleu[0], run.bleu[-1]) == (each.ranked.bleu[0], each.ranked.bleu[-1])
    roles = read_json(ROOT / "checkpoints" / name / "roles.json")
    changes = np.array(roles["off"]["zero"]["encoder"]["value"])
    worth = [changes[place] for place in measured.sites["encoder"].order]
    assert worth == sorted(worth, reverse=True)


def test_outputs_in_a_batch_are_those_of_one_change_alone(en_de):
    offs = [Intervention(), Intervention(AblatedHead("encoder", 3, 7), AblatedHead("cross", 0, 7))]
    text = "The dog sleeps because it is tired."
    outputs = Measured(en_de)._outputs(text, offs)
    for change, output in zip(offs, outputs, strict=True):
        alone = Measured(en_de)._outputs(text, [change])
        assert alone == [output]
