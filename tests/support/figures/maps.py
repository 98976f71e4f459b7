from core.weights.maps import NamedMap
from support.figures import map_of
from viz.maps import head_rows, map_row


def _maps(tokens):
    maps = [
        NamedMap.of("one", map_of(tokens), 0, 0),
        NamedMap.of("two", map_of(tokens[1:] or tokens, "decoder"), 0, 1),
        NamedMap.of("three", map_of(tokens[:3]), 1, 2),
    ]
    return map_row(maps, "encoder")


def _rows(tokens, **more):
    return head_rows(map_of(tokens).weights[:, :, 0], tokens, **more)


FIGURES = {
    "maps": _maps,
    "maps-normed": lambda tokens: map_row(
        [NamedMap.of("one", map_of(tokens, heads=1), 1, 0)], "encoder", measure="normed"
    ),
    "head-rows": lambda tokens: _rows(tokens, site="encoder", only=[(1, 2), (0, 0)]),
    "head-rows-normed": lambda tokens: head_rows(
        map_of(tokens, heads=1).weights[:, :, 0], tokens, measure="normed"
    ),
}
