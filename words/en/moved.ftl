# Notes for old addresses whose view is now part of another one.

moved-trace = The view “Edge knockout” is gone. This view ranks the heads that carry a prediction; “{ view-masks-change }” masks a single edge.
moved-trajectories = The view “Trajectories” is gone. This view shows what each sub-layer adds to the vector of a token.
moved-neurons = The view “Neurons” is gone. This view shows what each feed-forward layer adds to a token; “{ view-block-lens }” shows which output tokens it makes more likely.
moved-space = The view “Q–K space” is gone. This view shows the query, the keys and their dot products with all dimensions.
moved-hypotheses = The hypotheses are below the search tree, under *Hypotheses*.
moved-curves = The learning curves are below the heads, under *Learning curves*.
moved-timeline = The timeline is below the maps, and the papers are below the difference map.
moved-pronoun = For sentences with “it”, such as the last example, a figure below the predictions shows which tokens each head attends to from “it”.
moved-find = The view “Find a head” is gone. Here the number under each head is the weight of the selected pair, and heads below half of the largest weight fade.
moved-zeroing = Value zeroing is now a measure of this view. Choose “{ attention-measure-weight }” in the same menu to compare the weights.
moved-coreference = The coreference test is a preset of this view: hide the antecedent, the distractor noun or a control word.
moved-positions = Changes of the positional encoding are presets of this view, and a separate intervention type.
moved-ablation = Ablated residual connections and LayerNorm are presets of this view; “{ change_tool-sublayers }” ablates a single one.
moved-pruning = Head pruning is now a figure in `docs/results.md`. This view ablates the heads one at a time, on the sentence above.
moved-hallucination = Hallucination is now a section of `docs/results.md`. This view shows how much each generated token depends on the source.
moved-positional-heads = Positional heads are now roles of heads: those that attend to the next or the previous token, measured over many sentences.
moved-results = The tables of the former view “Results” are in the document named below this view.
moved-checks = Numerical checks are now under “About this model” at the foot of every page. All models are listed in `docs/checks.md`.
