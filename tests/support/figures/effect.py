from core.interventions.effect import log_prob_changes, next_tokens
from core.records.search import Candidate
from support.figures import map_of, rng
from viz.effect import (
    difference_heatmap,
    difference_matrix,
    log_prob_bars,
    next_token_bars,
    weight_matrix,
)


def _bars(tokens):
    before, after = -rng().exponential(2, (2, len(tokens)))
    return log_prob_bars(log_prob_changes(tokens, before, after), marked=0)


def _next(tokens):
    sides = [
        [Candidate(i, tokens[i], -1.0 - rank, rank) for rank, i in enumerate(order)]
        for order in (range(len(tokens)), reversed(range(len(tokens))))
    ]
    return next_token_bars(next_tokens(*sides), written=0)


def _masks(tokens):
    seen = map_of(tokens, "decoder").mask
    return {"seen": seen, "hatched": seen & (rng().random(seen.shape) > 0.8)}


def _matrix(tokens, **more):
    weights = map_of(tokens).head(0, 0)
    return weight_matrix(weights, tokens, tokens, site="cross", **_masks(tokens), **more)


def _difference(tokens):
    found = map_of(tokens)
    return difference_matrix(found.head(0, 0), found.head(1, 1), tokens, tokens, **_masks(tokens))


def _sentences(tokens):
    pairs = tuple((i, i) for i in range(0, len(tokens), 2))
    return difference_heatmap(
        (map_of(tokens), map_of(tokens[::-1])), (1, 1), (pairs, pairs), tokens
    )


FIGURES = {
    "effect-changes": _bars,
    "effect-next": _next,
    "effect-clicked": lambda tokens: _matrix(tokens, click=3, title="masks-change-mean-weight"),
    "effect-difference": _difference,
    "effect-sentences": _sentences,
}
