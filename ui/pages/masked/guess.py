"""Masked words of a sentence, with predictions from both sides and from the left only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.interventions.effect import log_prob_changes
from core.measurements import MASKED
from core.records.attention import AttentionMap, Measure
from core.records.masked_lm import Guess
from core.records.sources import TokenSequence
from core.records.tokens import numbered_labels, repeats_numbered, token_label
from core.storage import Stored
from core.weights.groups import Groups, word_groups
from core.weights.maps import NamedMap
from model import MaskedReader
from model.experiments.explain import rank_correlation
from model.readers.masked_words import SIDES
from ui.frame import address
from ui.frame.choices import PLACES
from ui.frame.messages import head_name, plain, say, token_text
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.checkpoint_labels import installed_with
from ui.kit.controls import button, menu, several
from ui.kit.head_menus import head_picker
from ui.kit.layout import (
    caption,
    command_line,
    controls,
    finding,
    note,
    paragraph,
    subtitle,
    warning,
)
from ui.kit.measurements import stored_of
from ui.kit.norm import in_measure, measure_choice, tell_measure
from ui.shell.view import View
from viz.agreement import token_readings
from viz.effect import log_prob_bars
from viz.figure import Figure
from viz.maps import head_rows, map_row
from viz.token_bars import candidates_chart

COMMANDS = (
    "python -m training --config training/configs/masked-lm.json",
    "python -m training export --run runs/masked-lm --checkpoint checkpoints/masked-lm",
)
SHORT = 3  # letters of words that say little by themselves
MOST_WORDS = 60
"""Words that can be clicked; of a longer sentence the first."""
MOST_DRAWN = 6
"""Masked tokens whose candidates are drawn."""
FILLING = "guess"
"""View in which words are masked."""
PARTS = ("chosen", "each")
"""Masked tokens: the words that the reader chooses, or every token in turn."""
PRONOUN = "it"


@dataclass(frozen=True)
class MaskedScene:
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
    def masked_positions(self) -> tuple[int, ...]:
        """Positions of the tokens of all chosen words."""
        return tuple(position for word in self.chosen for position in self.words[word])

    def attend(
        self, masked: tuple[int, ...] = (), *, left_only: bool = False
    ) -> tuple[AttentionMap, float | None]:
        """Return the attention map in the chosen measure, and the error of its vectors' sum."""
        record = ask(self.reader, MaskedReader.attend_to, self.src, masked, left_only=left_only)
        record, error = in_measure(self.reader, record, self.measure, left_only)
        return record.maps[0], error


def make_scene(run: Run, view: View) -> MaskedScene | None:
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
        if not any(src.special[position] or position in typed for position in group)
    )[:MOST_WORDS]
    if view.id != FILLING:
        return MaskedScene(name, reader, src, words)
    with controls():
        part = menu("masked_part", PARTS, width=200)
    measure = measure_choice(reader, controls, title=False)
    return MaskedScene(name, reader, src, words, measure=measure, part=part)


def masked_model(opened: str) -> str | None:
    """Return the open checkpoint if it fills masks, else the first installed one that does."""
    return next(iter(installed_with("masked-words", (opened,))), None)


def measured(scene: MaskedScene) -> Stored:
    """Return the measurements of a checkpoint; if there are none, the page explains why."""
    return stored_of(MASKED, scene.reader.card)


# -- masked words ----------------------------------------------------------------------------


def show(scene: MaskedScene) -> None:
    """Draw the predictions for masked tokens, from both sides and from the left."""
    if scene.part == "each":
        _show_each(scene)
    else:
        _show_chosen(scene)
        _show_pronoun(scene)


def _show_chosen(scene: MaskedScene) -> None:
    above = st.container(gap="xsmall")
    with above:
        scene = replace(scene, chosen=tuple(_chosen_words(scene)))
    chosen = scene.masked_positions
    positions = sorted({*chosen, *scene.reader.typed_masks(scene.src)})
    if not positions:
        finding("masked-click-one")
        return
    guesses = {
        name: ask(scene.reader, MaskedReader.guess, scene.src, chosen, left_only=left)
        for name, left in SIDES.items()
    }
    finding(_guess_words(scene, positions[0], guesses["both"][0], guesses["left"][0]))
    with above:
        # Without any visible word the model can only guess by frequency.
        if len(positions) == sum(not special for special in scene.src.special):
            warning("masked-all", "visibility_off")
        if len(positions) > MOST_DRAWN:
            # Each masked token takes a row of the page.
            caption("masked-most", n=len(positions), most=MOST_DRAWN)
        if len(positions) > 1:
            caption("masked-apart")
    for n, position in enumerate(positions[:MOST_DRAWN]):
        sides = {name: of_side[n] for name, of_side in guesses.items()}
        _piece(scene, position, sides, st.columns(2), titled=len(positions) > 1)
    if chosen:
        _leave_one_out(scene, chosen[0])
    subtitle("masked-heads-title", measure=scene.measure)
    _head_rows("masked-heads", positions[0], *scene.attend(chosen))
    values = {"checkpoint": scene.name, "text": _with_masks(scene)}
    button("masked_open", address.go, "attention", values, icon="grid_view")


def _chosen_words(scene: MaskedScene) -> list[int]:
    """Draw the words as pills; initially the last long word, unless a mask is typed."""
    words = [scene.src.text[slice(*scene.span(word))] for word in range(len(scene.words))]
    labels = repeats_numbered(words)
    long = [n for n, word in enumerate(words) if len(word) > SHORT]
    return several(
        "masked_words",
        range(len(words)),
        [] if scene.reader.typed_masks(scene.src) else long[-1:],
        form=PLACES,
        widget=partial(st.pills, selection_mode="multi"),
        of=scene.src.text,
        wrap=True,
        format_func=lambda word: plain(labels[word]),
    )


def _guess_words(scene: MaskedScene, position: int, both: Guess, left: Guess) -> str:
    """Return a sentence on the guesses at a position: of the masked token, or for a typed mask."""
    if both.masked_id is None:
        return say(
            "masked-found-typed",
            both=token_text(both.tokens[0]),
            both_share=math.exp(both.log_probs[0]),
            left=token_text(left.tokens[0]),
            left_share=math.exp(left.log_probs[0]),
        )
    return say(
        "masked-found",
        token=token_text(scene.src.tokens[position]),
        both=math.exp(both.own_log_prob),
        both_rank=both.own_rank,
        left=math.exp(left.own_log_prob),
        left_rank=left.own_rank,
        top=token_text(both.tokens[0]),
    )


def _piece(
    scene: MaskedScene,
    position: int,
    sides: dict[str, Guess],
    columns: Sequence[DeltaGenerator],
    *,
    titled: bool,
) -> None:
    """Draw the guesses at one position from both sides and from the left, side by side."""
    masked_id = sides["both"].masked_id
    token = token_label(scene.src.tokens[position])
    if titled or masked_id is None:
        title = (
            say("masked-typed") if masked_id is None else say("masked-piece", token=plain(token))
        )
        columns[0].markdown(f"**{title}**")
        # An empty line, so that both columns stay level.
        columns[1].markdown("&nbsp;")
    for column, (name, guess) in zip(columns, sides.items(), strict=True):
        with column:
            paragraph(f"masked-{name}")
            picture(
                "masked-candidates",
                _candidates_figure(guess, scene.src.tokens[position]),
                key=f"masked_candidates_{name}_{position}_half",
                wide=True,
                below=_below(guess),
                numbers="bars",
                leave_out=["click"],
                token=token_text(guess.tokens[0]),
                share=math.exp(guess.log_probs[0]),
                side=name,
            )


def _candidates_figure(guess: Guess, token: str) -> Figure:
    """Draw the likeliest tokens of a guess, with the masked `token` framed."""
    tokens, log_probs, ids, ranks = candidates_of(guess, token)
    return candidates_chart(
        tokens,
        log_probs,
        ids,
        ranks=ranks,
        taken=() if guess.masked_id is None else (guess.masked_id,),
        title=say("masked-candidates-axis"),
    )


def candidates_of(guess: Guess, token: str) -> tuple[list[str], list[float], list[int], list[int]]:
    """Return tokens, log-probabilities, ids and ranks of a guess.

    The masked `token` takes the last place if it is none of the likeliest, so that the lists of
    both sides are equally long.
    """
    tokens = [*guess.tokens]
    log_probs = [*map(float, guess.log_probs)]
    ids = [*guess.ids]
    ranks = [*range(1, len(ids) + 1)]
    if guess.masked_id is not None and guess.masked_id not in ids:
        tokens[-1] = token
        log_probs[-1] = guess.own_log_prob
        ids[-1] = guess.masked_id
        ranks[-1] = guess.own_rank
    return tokens, log_probs, ids, ranks


def _below(guess: Guess) -> str:
    """Return a sentence on the probability of the masked token, and on the entropy."""
    choices = round(math.exp(guess.entropy))
    if guess.masked_id is None:
        return say("masked-entropy", entropy=guess.entropy, choices=choices)
    return say(
        "masked-own",
        entropy=guess.entropy,
        choices=choices,
        share=math.exp(guess.own_log_prob),
        rank=guess.own_rank,
    )


def _leave_one_out(scene: MaskedScene, position: int) -> None:
    """Draw leave-one-out for a masked token, beside the heads' attention from its position."""
    masked = scene.masked_positions
    result = ask(scene.reader, MaskedReader.leave_one_out, scene.src, masked, position)
    subtitle("masked-rests-title")
    if not result.others:
        caption("masked-rests-nothing")
        return
    tokens = [scene.src.tokens[i] for i in result.others]
    changes = result.without - result.log_prob
    least = int(changes.argmin())
    outcome = "found" if changes[least] < 0 else "none"
    token = token_text(tokens[least])
    sentences = [say(f"masked-rests-{outcome}", token=token, drop=-changes[least])]
    most = int(changes.argmax())
    if changes[most] > 0:
        raising = token_text(tokens[most])
        sentences.append(say("masked-rests-raised", token=raising, rise=changes[most]))
    attention, _ = scene.attend(masked)
    weights = attention.weights[:, :, position].mean(axis=(0, 1))[list(result.others)]
    correlation = float(rank_correlation(weights, -changes))
    if not np.isnan(correlation):  # NaN: all drops or all weights are equal
        sentences.append(say("masked-rests-heads", number=correlation, measure=scene.measure))
    lost = log_prob_changes(tokens, [result.log_prob] * len(tokens), result.without)
    picture(
        "masked-rests",
        log_prob_bars(lost),
        below=" ".join(sentences),
        numbers=lost,
        n=len(tokens),
    )


def _head_rows(id: str, position: int, attention: AttentionMap, error: float | None) -> None:
    """Draw the attention from a position in every head; `id` is of the messages and the key."""
    measure = attention.measure
    rows = attention.weights[:, :, position]
    tokens = attention.key_tokens
    figure = head_rows(rows, tokens, site=attention.site, room=750, measure=measure)
    picture(
        id,
        figure,
        numbers="cells",
        n=attention.n_layers * attention.n_heads,
        place=position + 1,
        measure=measure,
    )
    tell_measure(attention, error)


def _with_masks(scene: MaskedScene) -> str:
    text = scene.src.text
    # From the end, so that earlier offsets stay valid.
    for word in reversed(scene.chosen):
        start, end = scene.span(word)
        # One mask for each token, or the sentence would become shorter.
        text = text[:start] + " ".join(["[MASK]"] * len(scene.words[word])) + text[end:]
    return text


# -- every piece masked in turn --------------------------------------------------------------


def _show_each(scene: MaskedScene) -> None:
    log_probs = ask(scene.reader, MaskedReader.both_sides, scene.src)
    both = log_probs.both
    left = log_probs.left
    tokens = [scene.src.tokens[position] for position in log_probs.places]
    # Of probabilities: a tiny one gains little, however much its logarithm does.
    most = int(np.argmax(np.exp(both) - np.exp(left)))
    better = int((both > left).sum())
    finding(
        "masked-sides-found",
        n=len(tokens),
        better=better,
        token=token_text(tokens[most]),
        both=math.exp(both[most]),
        left=math.exp(left[most]),
    )
    picture(
        "masked-sides",
        token_readings(tokens, both, left),
        numbers=pd.DataFrame({"token": numbered_labels(tokens), "both": both, "left": left}),
        n=len(tokens),
        better=better,
        both=both.sum(),
        left=left.sum(),
    )
    _maps_of_sides(scene)


def _maps_of_sides(scene: MaskedScene) -> None:
    """Draw one head that reads both sides, and the same head that reads the left only."""
    subtitle("masked-sides-maps")
    site = scene.reader.sites[0]
    with st.container(horizontal=True, gap="small"):
        # The norm of the whole layer's output has no heads.
        n_heads = 1 if scene.measure == "normed" else site.n_heads
        layer, head = head_picker("masked", site.n_layers, n_heads)
    maps = []
    errors = []
    measure = scene.measure
    for side, left_only in SIDES.items():
        attention, error = scene.attend(left_only=left_only)
        maps.append(NamedMap.of(say(f"masked-{side}-title"), attention, layer, head))
        errors.append(error)
    figure = map_row(maps, site, room=330, measure=measure)
    name = head_name(layer, head, measure=measure)
    picture("masked-sides-maps", figure, numbers="cells", head=name, measure=measure)
    tell_measure(attention, *errors)


# -- which noun "it" looks at ----------------------------------------------------------------


def _show_pronoun(scene: MaskedScene) -> None:
    """Draw the row of "it" in every head with its measurement; nothing without the pronoun."""
    positions = scene.src.pieces_of(PRONOUN)
    if not positions:
        return
    subtitle("masked-it-title")
    if measurement := measured(scene).values.get("it"):
        paragraph(
            "masked-it-found",
            n=measurement["sentences"],
            head=head_name(measurement["layer"], measurement["head"]),
            margin=measurement["margin"],
            right=measurement["right"]["value"],
        )
    _head_rows("masked-it", positions[0], *scene.attend())
