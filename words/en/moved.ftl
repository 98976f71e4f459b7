# Where the content of views went that are no longer here.

moved-pruning = Head pruning is now a figure in `docs/results.md`. This view ablates the heads one at a time, on the sentence above.
moved-hallucination = Hallucination is now a section of `docs/results.md`. This view shows how much each generated token depends on the source.
moved-positional-heads = Positional heads are now roles of heads: those that attend to the next or the previous token, measured over many sentences.
moved-results = The tables of the former tab Results are now in the document that is named below this view.
moved-checks = Numerical checks are now under “About this model” at the foot of every page. All models stand in `docs/checks.md`.
