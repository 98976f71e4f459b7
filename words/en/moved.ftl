# Said on arrival from an address whose view became part of another one.

moved-trace = The view “Edge knockout” is gone. This view ranks the heads that carry a prediction; “{ view-masks-change }” masks a single edge.
