import numpy as np

from core.formation import FormedSentence
from support.figures import map_of, rng
from viz.formation import claim_lines, expected_tokens, head_lines, one_head

STEPS = np.array([0, 5, 1200])


def sentence_of(tokens, *, likeliest=True):
    log_probs = np.log(rng().random((len(STEPS), len(tokens))) + 1e-3)
    told = (tokens[::-1],) * len(STEPS) if likeliest else None
    return FormedSentence(tokens, tokens, {}, log_probs, told)


def curves(*kinds):
    return {kind: np.sort(rng().random((len(STEPS), 2, 3)), axis=0) for kind in kinds}


def lines(*kinds):
    return head_lines(curves(*kinds), STEPS, at=1, selected=(kinds[0], 1, 0), title="Sharpness")


def claims():
    found = {"focus": np.arange(3.0), "knowledge": -np.arange(3.0)}
    return claim_lines(found, STEPS, {"focus": "Focus", "knowledge": "Knowledge"}, at=2)


def head(tokens, site, **more):
    return one_head([map_of(tokens, site) for _ in STEPS], 0, 1, at=0, **more)


FIGURES = {
    "formation-head": lambda tokens: head(tokens, "encoder", alignment=[0, -1][: len(tokens)]),
    "formation-head-causal": lambda tokens: head(tokens, "decoder"),
    "formation-tokens": lambda tokens: expected_tokens(sentence_of(tokens), at=1),
    "formation-unrecorded": lambda tokens: expected_tokens(
        sentence_of(tokens, likeliest=False), at=1
    ),
    "formation-lines": lambda tokens: lines("encoder", "cross"),
    "formation-claims": lambda tokens: claims(),
}
