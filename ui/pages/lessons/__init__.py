"""Short lessons: a question, a guess, a state of the lab that answers it, and a next step.

``lessons.toml`` defines them, ``words/<language>/lessons.ftl`` holds their texts, and `measures`
computes every answer with the model on screen.
"""
