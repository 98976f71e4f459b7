"""Right answers of lessons, each worked out a second time from what lies below its measure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from core.interventions.intervention import Intervention
from core.interventions.kinds import MaskedCell, NoResidual
from core.records.hypotheses import spelt
from core.records.scenes import CELL, GRID
from core.records.tokens import token_label
from model import Translator, load_translator
from model.experiments.explain import leave_one_out, read_pair
from support.models import ROOT, read_json
from ui.frame.run import OPENING, FrameChoices, Run
from ui.frame.state import get_translator, sentences_for, translated
from ui.pages.block.scene import stream_of
from ui.pages.captions.captioning import caption_of
from ui.pages.documents.scene import examples
from ui.pages.lessons.answers import answer_of
from ui.pages.lessons.book import lesson_of, lessons, run_of


@cache
def screen() -> Run:
    """The shipped model with the first lesson's sentence on screen."""
    text = lessons()[0].steps[0].text
    return translated(FrameChoices("en-de", text, OPENING), load_translator("en-de"))


def stored(*path: str) -> dict:
    return read_json(ROOT.joinpath(*path))


def token(run: Run) -> bool:
    """No token is likelier after the same beginning than the one that is right."""
    answer, tokenizer = answer_of(run, lesson_of("token").steps[0]), run.translator.tokenizer
    ids = run.tgt.ids
    begins = {spelt(run.tgt.tokens[:place]): ids[:place] for place in range(len(ids))}
    log_probs = run.translator.next_log_probs(run.choices.text, begins[answer.values["begin"]])
    likeliest = tokenizer.token_of(int(log_probs.argmax()))
    return token_label(likeliest) == answer.values[answer.choice]


def output_without(run: Run, change: Intervention) -> str:
    text, decoding = run.choices.text, run.choices.decoding
    return Translator.translate(run.translator, text, decoding, intervention=change).text


def cut(run: Run) -> str:
    it, animal = (run.src.tokens.index(f"▁{word}") for word in ("it", "animal"))
    text = output_without(run, Intervention(MaskedCell("encoder", None, None, it, animal)))
    return "same" if " es " in text else "other"


def residual(run: Run) -> str:
    text = output_without(run, Intervention(NoResidual("encoder", 0, "self")))
    return "same" if text == run.translation.text else "other"


def lens(run: Run) -> str:
    """By the product of every state with the embeddings."""
    stream, place = stream_of(run, "decoder"), run.tgt.tokens.index("▁Tier")
    embeddings = run.translator.model.embedding.weight.detach().numpy()
    right = (stream.states[:, place] @ embeddings.T).argmax(axis=1) == run.tgt.ids[place]
    first = len(right) - int(np.argmin(right[::-1])) if not right.all() else 0
    return "late" if first > len(stream.places) / 2 else "early" if first else "input"


def cost(run: Run) -> int:
    """The first measured length at which self-attention of width 256 is slower."""
    times: dict[int, dict[str, float]] = {}
    for kind, n, d, forward, *_ in stored("ui", "pages", "cost", "layers.json")["rows"]:
        if d == 256:
            times.setdefault(n, {})[kind] = forward
    slower = [n for n, at in times.items() if at["attention"] > at.get("gru", np.inf)]
    return min(slower)


def gaze(run: Run) -> str:
    """The middle of the most attended cell lies in the box of the thing, a cell around it."""
    text = sentences_for("captions-soft")[1][0].text
    reader = get_translator("captions-soft")
    told, hits = caption_of(translated(FrameChoices("captions-soft", text, OPENING), reader)), []
    for each in told.pointed:
        row, column = divmod(int(told.weights[list(each.rows)].mean(axis=0).argmax()), GRID[1])
        left, top, right, bottom = told.scene.things[each.word.thing].box
        x, y = (CELL * (at + 0.5) for at in (column, row))
        hits.append(left - CELL < x < right + CELL and top - CELL < y < bottom + CELL)
    return "all" if all(hits) else "some" if any(hits) else "none"


def masked(run: Run) -> str:
    """With the mask typed into the sentence."""
    reader = get_translator("masked-lm")
    src = reader.sentence("The dogs near the house are [MASK] old.")
    (at,) = reader.typed_masks(src)
    both, left = (reader.choose(src, at, ["very"], left_only=only)[0] for only in (False, True))
    return "more" if both > left else "less"


def norm(run: Run) -> str:
    """Of the last layer, whose own modules give the values."""
    layer = run.translator.model.encoder_layers[-1].self_attention
    heard = []
    handle = layer.value_proj.register_forward_hook(lambda *call: heard.append(call[2]))
    with torch.inference_mode():
        run.translator.model.encode(torch.tensor([run.src.ids]))
    handle.remove()
    weights = torch.tensor(run.record.encoder.weights[-1])
    by_head = layer.out_proj.weight.view(256, 8, 32)
    vectors = torch.einsum("thd,ohd->hto", heard[0].view(-1, 8, 32), by_head)
    lengths = weights * vectors.norm(dim=-1)[:, None]
    length = float((lengths[..., -1] / lengths.sum(-1)).mean())
    return "less" if length < float(weights[..., -1].mean()) / 1.5 else "more"


def aligner(run: Run) -> str:
    sets = stored("checkpoints", "en-de", "gold.json")["sets"]["rwth-de-en"]["maps"]
    heads = [each for each in sets if each["map"] == "weight"]
    best = min(heads, key=lambda each: each["error"]["value"])
    drops = read_pair(run.translator.model, run.src.ids, run.tgt.ids)[1][:, None] - leave_one_out(
        run.translator.model, run.src.ids, run.tgt.ids
    )
    rho = [
        [np.mean([spearmanr(*rows)[0] for rows in zip(head, drops, strict=True)]) for head in layer]
        for layer in run.record.cross.weights
    ]
    order = np.argsort(-np.ravel(rho)).tolist()
    rank = order.index(best["layer"] * len(rho[0]) + best["head"])
    return ("best", "middle", "middle", "worst")[4 * rank // len(order)]


def othermap(run: Run) -> str:
    """The other weights make another sentence the first, and the class stays."""
    reader = get_translator("documents-han")
    src = reader.document(examples()["mixed"].text)
    own, other = reader.judge(src), reader.other_map(src, "sentences").judgement
    assert own.decided == other.decided
    firsts = {int(np.nan_to_num(each.sentences).argmax()) for each in (own, other)}
    return "yes" if len(firsts) == 2 else "no"


CHOICES: tuple[Callable[[Run], str], ...] = (
    *(cut, residual, lens, gaze, masked, norm, aligner, othermap),
)


@pytest.mark.parametrize("right", CHOICES, ids=lambda right: right.__name__)
def test_the_right_choice_is_that_of_a_second_way(right):
    step = lesson_of(right.__name__).steps[0]
    assert answer_of(screen(), step).choice == right(run_of(screen(), step))


def test_the_right_token_is_the_likeliest_of_all():
    assert token(run_of(screen(), lesson_of("token").steps[0]))


def test_numbers_of_heads_and_lengths_are_those_of_a_second_way():
    place = answer_of(screen(), lesson_of("place").steps[0]).values
    # 3.8 attends to the next token, 2.3 and 4.6 to the previous one, as raw weights told, too.
    assert (place["n"], place["of"], place["layer"], place["head"]) == (3, 32, 3, 8)
    crossed = int(answer_of(screen(), lesson_of("cost").steps[0]).values["n"].replace(",", ""))
    assert cost(screen()) / 2 <= crossed <= cost(screen())
