"""Short lessons: a question, a guess, a state of the lab that answers it, and where to go next.

``lessons.toml`` says what they are, ``words/<language>/lessons.ftl`` what a person reads, and
`measures` works every answer out with the model on screen.
"""
