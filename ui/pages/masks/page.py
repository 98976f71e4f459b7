"""Masks page: the masks of the model, and the effect of interventions."""

from __future__ import annotations

from ui.pages.masks import ablation, attention_masks, change, explain
from ui.shell.view import Page, View
from ui.shell.views import open_page

PAGE = Page(
    "masks",
    "mask_look",
    (
        View("seen", attention_masks.show, needs=("causal-attention", "scores")),
        View("change", change.show, needs=("changes",)),
        View("knockout", ablation.show, needs=("change-ablate", "several-heads")),
        View("explain", explain.show, needs=("leave-out", "text")),
    ),
    group="attention",
    order=2,
)

if __name__ == "__main__":
    open_page(PAGE)
