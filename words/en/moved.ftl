# Said on arrival from an address whose view became part of another one.

moved-hypotheses = The hypotheses are below the search tree, under *Hypotheses*.
