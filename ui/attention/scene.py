"""What every view of the attention page is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.labels import distinct_labels
from analysis.transform import Regrouped, groups_for, regroup, single_groups
from records import AttentionMap
from ui.controls import Display
from ui.focus import Focus, Link, focus_of, shown_at
from ui.panels import guided_heads, row_readout
from ui.state import Run
from ui.words import head_name, plain, say, site_name

MOST_NAMED = 6
MOST_COLUMNS_BESIDE = 33  # a view with more goes above all heads, not beside them


@dataclass(frozen=True, eq=False)
class Scene:
    """The attention on screen and what is singled out in it."""

    run: Run
    kind: str  # the name of the site
    raw: AttentionMap  # as the model computed it
    shown: Regrouped  # with words merged or special tokens left out, as the reader chose
    focus: Focus
    link: Link | None
    display: Display

    @property
    def produced(self) -> bool:
        return self.display.produced

    @property
    def contrast(self) -> bool:
        return self.display.contrast

    @property
    def attention(self) -> AttentionMap:
        return self.shown.attention

    @property
    def row_tokens(self) -> tuple[str, ...]:
        """The tokens that name the rows of `attention`."""
        named = self.attention.output_tokens if self.produced else None
        return named or self.attention.query_tokens

    @property
    def rows(self) -> tuple[int, ...]:
        """The chosen rows as positions of `attention`."""
        return shown_at(self.focus.rows, self.shown.query_groups)

    @property
    def columns(self) -> tuple[int, ...]:
        """The chosen columns as positions of `attention`."""
        return shown_at(self.focus.columns, self.shown.key_groups)

    @property
    def d_k(self) -> int | None:
        """Width of one head's vectors, where the checkpoint's config tells."""
        config = self.run.translator.card.config
        d_model, n_heads = config.get("d_model"), config.get("n_heads")
        return d_model // n_heads if d_model and n_heads else None

    @property
    def readout(self) -> str:
        """The chosen query of the open head in words, as Markdown."""
        return row_readout(self.attention, self.focus, self.rows, self.columns, self.row_tokens)

    @property
    def title(self) -> str:
        """The open head, and whether it was trained to look where it looks; Markdown."""
        heads = guided_heads(self.run.translator.card, self.run.record.sites[0].name)
        title = f"**{head_name(*self.focus.place, title=True)}**"
        guided = heads.get(self.kind) == self.focus.place
        return f"{title} :orange-badge[{say('guided')}]" if guided else title

    @property
    def file_name(self) -> str:
        """What the open head on this sentence is called when it is saved."""
        return say(
            "attention-head-name",
            site=site_name(self.kind, "short"),
            head=head_name(*self.focus.place),
            text=self.run.record.src.text,
        )

    def refreshed(self) -> Scene:
        """The same scene after the focus has changed."""
        return replace(self, focus=focus_of(self.kind))


def make_scene(
    run: Run, kind: str, raw: AttentionMap, link: Link | None, display: Display
) -> Scene:
    queries, keys = None, None
    if display.words:
        queries, keys = groups_for(run.record, kind, produced=display.produced, item=raw.item)
    if display.words or display.special != "show":
        shown = regroup(
            raw,
            query_groups=queries,
            key_groups=keys,
            special=display.special,
            produced=display.produced,
        )
    else:
        n_rows, n_columns = raw.weights.shape[2:]
        shown = Regrouped(raw, single_groups(n_rows), single_groups(n_columns))
    return Scene(run, kind, raw, shown, focus_of(kind), link, display)


def named_tokens(tokens: Sequence[str], positions: Sequence[int]) -> str:
    """Tokens by their names, joined; of many the first."""
    labels = distinct_labels(tokens)
    names = [say("quoted", text=plain(labels[i])) for i in positions[:MOST_NAMED]]
    if len(positions) > MOST_NAMED:
        names.append(say("more", n=len(positions) - MOST_NAMED))
    return " + ".join(names)
