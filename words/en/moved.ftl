# Said on arrival from an address whose view became part of another one.

moved-hypotheses = The hypotheses are below the search tree, under *Hypotheses*.
moved-curves = The learning curves are below the heads, under *Learning curves*.
moved-timeline = The timeline is below the maps, and the papers are below the difference map.
moved-pronoun = What every head attends to from “it” is below the predictions, for sentences with that pronoun, such as the last example.
