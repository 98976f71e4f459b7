"""Masked words of a sentence, with predictions from both sides and from the left only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.attention import AttentionMap, Measure
from core.effect import log_prob_changes
from core.maps import NamedMap
from core.masked import Guess
from core.measurements import MASKED
from core.tokens import TokenSequence, numbered_labels, repeats_numbered, token_label
from core.transform import Groups, word_groups
from model import MaskedReader
from model.checkpoint import checkpoint_path
from model.experiments.explain import rank_correlation
from model.masked_words import SIDES
from ui import address
from ui.address import PLACES
from ui.controls import installed_with
from ui.kit.blocks import command_line, head_picker, picture, table
from ui.kit.controls import button, menu, several
from ui.kit.layout import caption, controls, finding, note, paragraph, subtitle, warning
from ui.norm import in_measure, measure_choice, tell_measure
from ui.shared import ask
from ui.state import Run
from ui.stored import stored_of
from ui.views import View
from ui.words import head_name, plain, say, token_text
from viz.effect import log_prob_bars
from viz.maps import head_rows, map_row
from viz.token_bars import candidates_chart

COMMANDS = (
    "python -m training --config training/configs/masked-lm.json",
    "python -m training export --run runs/masked-lm --checkpoint checkpoints/masked-lm",
)
SHORT = 3  # letters of words that say little by themselves
MOST_WORDS = 60
"""Words that can be clicked; of a longer sentence the first."""
MOST_SHOWN = 6
"""Masked tokens whose candidates are drawn."""
FILLING = "guess"
"""View in which words are masked."""
PARTS = ("chosen", "each")
"""Masked tokens: the words that the reader chooses, or every token in turn."""
PRONOUN = "it"


@dataclass(frozen=True)
class Scene:
    """A sentence with its masked words."""

    name: str
    reader: MaskedReader
    src: TokenSequence
    words: Groups  # tokens of each word and sign that can be masked
    chosen: tuple[int, ...] = ()  # indices of `words` that are masked
    measure: Measure = "weight"  # quantity in the maps
    part: str = PARTS[0]

    def span(self, word: int) -> tuple[int, int]:
        """Return the start and end of one of `words` in the text."""
        group = self.words[word]
        return self.src.offsets[group[0]][0], self.src.offsets[group[-1]][1]

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(place for word in self.chosen for place in self.words[word])

    def looked(
        self, places: tuple[int, ...] = (), *, left_only: bool = False
    ) -> tuple[AttentionMap, float | None]:
        """Return the attention map in the chosen measure, and the error of its vectors' sum."""
        how = {"left_only": left_only}
        record = ask(self.reader, MaskedReader.attend_to, self.src, places, **how)
        record, error = in_measure(self.reader, record, self.measure, left_only)
        return record.maps[0], error


def make_scene(run: Run, view: View) -> Scene | None:
    """Return the scene of the run; None, with instructions, if its model fills no masks."""
    name = run.choices.checkpoint
    reader = run.translator
    src = run.src
    if not isinstance(reader, MaskedReader):
        note("masked-none", "terminal")
        for line in COMMANDS:
            command_line(line)
        return None
    assert isinstance(src, TokenSequence)
    # A typed [MASK] is masked anyway and no word to choose.
    typed = set(reader.typed_masks(src))
    words = tuple(
        group
        for group in word_groups(src)
        if not any(src.special[place] or place in typed for place in group)
    )[:MOST_WORDS]
    if view.id != FILLING:
        return Scene(name, reader, src, words)
    with controls():
        part = menu("masked_part", PARTS, width=200)
    measure = measure_choice(reader, controls, title=False)
    return Scene(name, reader, src, words, measure=measure, part=part)


def masked_model(opened: str) -> str | None:
    """Return the open checkpoint if it fills masks, else the first installed one that does."""
    return next(iter(installed_with("masked-words", (opened,))), None)


def measured(scene: Scene) -> dict[str, Any]:
    """Return the measurements of a checkpoint; if there are none, the page explains why."""
    fingerprint = scene.reader.card.fingerprint
    return stored_of(MASKED, checkpoint_path(scene.name), fingerprint).values


# -- masked words ----------------------------------------------------------------------------


def show(scene: Scene) -> None:
    """Draw the predictions for masked tokens, from both sides and from the left."""
    if scene.part == "each":
        _show_each(scene)
    else:
        _show_chosen(scene)
        _show_pronoun(scene)


def _show_chosen(scene: Scene) -> None:
    beside, *columns = st.columns([3, 4, 4])
    with beside:
        scene = replace(scene, chosen=tuple(_chosen_words(scene)))
    places = sorted({*scene.places, *scene.reader.typed_masks(scene.src)})
    if not places:
        finding("masked-click-one")
        return
    found = {
        name: ask(scene.reader, MaskedReader.guess, scene.src, scene.places, left_only=left)
        for name, left in SIDES.items()
    }
    finding(_found(scene, places[0], found["both"][0], found["left"][0]))
    with beside:
        # Without any visible word the model can only guess by frequency.
        if len(places) == sum(not special for special in scene.src.special):
            warning("masked-all", "visibility_off")
        if len(places) > MOST_SHOWN:
            # Each masked token takes a row of the page.
            caption("masked-most", n=len(places), most=MOST_SHOWN)
        if len(places) > 1:
            caption("masked-apart")
    for at, place in enumerate(places[:MOST_SHOWN]):
        sides = {name: guesses[at] for name, guesses in found.items()}
        _piece(scene, place, sides, columns if at == 0 else st.columns(2), len(places) > 1)
    if scene.places:
        _rests(scene, scene.places[0])
    subtitle("masked-heads-title", measure=scene.measure)
    _head_rows("masked-heads", places[0], *scene.looked(scene.places))
    values = {"checkpoint": scene.name, "text": _with_masks(scene)}
    button("masked_open", address.go, "attention", values, icon="grid_view")


def _chosen_words(scene: Scene) -> list[int]:
    """Draw the words as pills; initially the last long word, unless a mask is typed."""
    spelt = [scene.src.text[slice(*scene.span(word))] for word in range(len(scene.words))]
    labels = repeats_numbered(spelt)
    long = [place for place, word in enumerate(spelt) if len(word) > SHORT]
    return several(
        "masked_words",
        range(len(spelt)),
        [] if scene.reader.typed_masks(scene.src) else long[-1:],
        form=PLACES,
        widget=partial(st.pills, selection_mode="multi"),
        of=scene.src.text,
        wrap=True,
        format_func=lambda place: plain(labels[place]),
    )


def _found(scene: Scene, place: int, both: Guess, left: Guess) -> str:
    if both.own is None:
        told = {}
        for side, guess in (("both", both), ("left", left)):
            told |= {side: token_text(guess.tokens[0])}
            told |= {f"{side}_share": math.exp(guess.log_probs[0])}
        return say("masked-found-typed", **told)
    return say(
        "masked-found",
        token=token_text(scene.src.tokens[place]),
        both=math.exp(both.own_log_prob),
        both_rank=both.own_rank,
        left=math.exp(left.own_log_prob),
        left_rank=left.own_rank,
    )


def _piece(
    scene: Scene,
    place: int,
    sides: dict[str, Guess],
    columns: Sequence[DeltaGenerator],
    several: bool,
) -> None:
    own = sides["both"].own
    token = token_label(scene.src.tokens[place])
    if several or own is None:
        title = say("masked-typed") if own is None else say("masked-piece", token=plain(token))
        columns[0].markdown(f"**{title}**")
        # An empty line, so that both columns stay level.
        columns[1].markdown("&nbsp;")
    for column, (name, guess) in zip(columns, sides.items(), strict=True):
        told = {"entropy": guess.entropy}
        if guess.own is not None:
            told |= {"share": math.exp(guess.own_log_prob), "rank": guess.own_rank}
        figure = candidates_chart(
            guess.tokens,
            guess.log_probs,
            guess.ids,
            taken=() if own is None else (own,),
            title=say("masked-candidates-axis"),
        )
        with column:
            paragraph(f"masked-{name}")
            picture(
                "masked-candidates",
                figure,
                key=f"masked_candidates_{name}_{place}",
                below=say("masked-entropy" if guess.own is None else "masked-own", **told),
                numbers="bars",
                leave_out=["click"],
                token=token_text(guess.tokens[0]),
                share=math.exp(guess.log_probs[0]),
                side=name,
            )


def _rests(scene: Scene, place: int) -> None:
    """Draw leave-one-out for the token masked at `place`, beside the heads' attention from it."""
    found = ask(scene.reader, MaskedReader.leave_one_out, scene.src, scene.places, place)
    subtitle("masked-rests-title")
    if not found.others:
        caption("masked-rests-nothing")
        return
    tokens = [scene.src.tokens[i] for i in found.others]
    changes = found.without - found.log_prob
    least = int(changes.argmin())
    token = token_text(tokens[least])
    drop = -changes[least]
    falls = "found" if changes[least] < 0 else "none"
    told = [say(f"masked-rests-{falls}", token=token, drop=drop)]
    attention, _ = scene.looked(scene.places)
    weights = attention.weights[:, :, place].mean(axis=(0, 1))[list(found.others)]
    number = float(rank_correlation(weights, -changes))
    if not np.isnan(number):  # NaN: all drops or all weights are equal
        told.append(say("masked-rests-heads", number=number, measure=scene.measure))
    lost = log_prob_changes(tokens, [found.log_prob] * len(tokens), found.without)
    picture(
        "masked-rests",
        log_prob_bars(lost),
        below=" ".join(told),
        numbers=lost,
        n=len(tokens),
    )


def _head_rows(id: str, place: int, attention: AttentionMap, error: float | None) -> None:
    """Draw the attention from `place` in every head; `id` is of the messages and the key."""
    measure = attention.measure
    rows = attention.weights[:, :, place]
    how = {"kind": attention.site, "room": 750, "measure": measure}
    figure = head_rows(rows, attention.key_tokens, **how)
    picture(
        id,
        figure,
        numbers="cells",
        n=attention.n_layers * attention.n_heads,
        place=place + 1,
        measure=measure,
    )
    tell_measure(attention, error)


def _with_masks(scene: Scene) -> str:
    text = scene.src.text
    # From the end, so that earlier offsets stay valid.
    for number in reversed(scene.chosen):
        start, end = scene.span(number)
        # One mask for each token, or the sentence would become shorter.
        text = text[:start] + " ".join(["[MASK]"] * len(scene.words[number])) + text[end:]
    return text


# -- every piece masked in turn --------------------------------------------------------------


def _show_each(scene: Scene) -> None:
    found = ask(scene.reader, MaskedReader.both_sides, scene.src)
    site = scene.reader.sites[0]
    gains = found.both - found.left
    labels = [scene.src.tokens[place] for place in found.places]
    token = token_text(labels[int(np.argmax(gains))])
    sums = {name: getattr(found, name).sum() for name in SIDES}
    finding("masked-sides-found", token=token, **sums)
    lines = {"token": numbered_labels(labels), "both": found.both, "left": found.left}
    table(
        "masked-sides",
        lines | {"gain": gains},
        shares=tuple(SIDES),
        # log P is at most 0, the right end of the bars.
        ends=(float(min(found.both.min(), found.left.min())), 0.0),
        formats={"both": "%.2f", "left": "%.2f", "gain": "%+.2f"},
        height=470,
        better=int((gains > 0).sum()),
    )
    subtitle("masked-sides-maps")
    with st.container(horizontal=True, gap="small"):
        # The norm of the whole layer's output has no heads.
        n_heads = 1 if scene.measure == "normed" else site.n_heads
        layer, head = head_picker("masked", site.n_layers, n_heads, address=True)
    maps = []
    errors = []
    measure = scene.measure
    for name, left in SIDES.items():
        attention, error = scene.looked(left_only=left)
        maps.append(NamedMap.of(say(f"masked-{name}-title"), attention, layer, head))
        errors.append(error)
    figure = map_row(maps, site, room=330, measure=measure)
    name = head_name(layer, head, measure=measure)
    picture("masked-sides-maps", figure, numbers="cells", head=name, measure=measure)
    tell_measure(attention, *errors)


# -- which noun "it" looks at ----------------------------------------------------------------


def _show_pronoun(scene: Scene) -> None:
    """Draw the row of "it" in every head with its measurement; nothing without the pronoun."""
    places = scene.src.pieces_of(PRONOUN)
    if not places:
        return
    subtitle("masked-it-title")
    if found := measured(scene).get("it"):
        paragraph(
            "masked-it-found",
            n=found["sentences"],
            head=head_name(found["layer"], found["head"]),
            margin=found["margin"],
            right=found["right"]["value"],
        )
    _head_rows("masked-it", places[0], *scene.looked())
