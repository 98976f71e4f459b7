"""Finding about greedy search: its output, its score, and the token at which it goes wrong."""

from __future__ import annotations

import numpy as np

from core.records.search import BeamNode, BeamTree
from ui.frame.messages import plain, say, token_text
from ui.kit.layout import finding
from ui.pages.beam.scene import DIGITS, BeamScene
from ui.pages.beam.searches import SAME, best_text, greedy_of
from viz.tree import TreeMarks
from words import Message, Spoken
from words.numbers import percent

MOST_CHARACTERS = 90
"""Most characters of an output in a finding."""


def tell_greedy(scene: BeamScene) -> None:
    """Draw what greedy search would write instead, and below, smaller, its blunder."""
    tree = scene.tree
    if tree.beam_size == 1:
        finding("beam-tree-width-one")
        return
    language = scene.run.card.languages[1]
    parting = first_parting(tree)
    if parting is None:
        finding("beam-tree-greedy", text=_spoken(tree, language))
        return
    greedy = greedy_of(scene.run)
    headline = say(greedy_message(tree, greedy, language))
    lines = [say(blunder_message(*parting, language))]
    if (last := pruned_node(tree, greedy)) is not None:
        lines.append(say(pruned_message(last, language)))
    finding(f"{headline}  \n:gray[:small[{' '.join(lines)}]]")


def first_parting(tree: BeamTree) -> tuple[BeamNode, BeamNode] | None:
    """Return the first node of the best hypothesis that greedy search does not take, if any.

    With it comes the node that greedy search takes: the most probable one at that step.
    """
    for node in tree.path(tree.best)[1:]:
        likeliest = max(tree.children(node.parent), key=lambda child: child.log_prob)
        if likeliest.log_prob > node.log_prob:
            return node, likeliest
    return None


def pruned_node(tree: BeamTree, greedy: BeamTree) -> BeamNode | None:
    """Return the node at which the beam prunes the path of greedy search; None if it keeps it."""
    last = tree.follow(greedy.hypothesis(greedy.best).ids)[-1]
    return last if last.status == "pruned" else None


def parting_numbers(tree: BeamTree) -> dict[int, str]:
    """Return the probabilities of the nodes of `first_parting` by their ids; empty without one."""
    nodes = first_parting(tree) if tree.beam_size > 1 else None
    return {node.id: percent(np.exp(node.log_prob), 0) for node in nodes or ()}


def greedy_marks(tree: BeamTree, greedy: BeamTree) -> TreeMarks:
    """Return the marks of the path of greedy search in a tree, and of its parting nodes."""
    output = greedy.hypothesis(greedy.best)
    numbers = parting_numbers(tree)
    if (last := pruned_node(tree, greedy)) is not None:
        # Its own score is not that of the output to which greedy search goes on.
        numbers = {last.id: say("beam-tree-goes-on", score=output.score)} | numbers
    path = [node.id for node in tree.follow(output.ids)[1:]]
    return TreeMarks(numbers, path, output.score)


def greedy_message(tree: BeamTree, greedy: BeamTree, language: str = "") -> Message:
    """Return a message that compares the outputs of greedy search and of the beam.

    `language` is that of the outputs, for the particles of Korean.
    """
    best = tree.hypothesis(tree.best)
    other = greedy.hypothesis(greedy.best)
    # Rounded as the scores are in the figures, so that the difference can be checked.
    gain = round(best.score, DIGITS) - round(other.score, DIGITS)
    # A score of an unfinished output would compare different lengths.
    fair = best.finished and other.finished
    better = "none" if not fair or abs(gain) < SAME else "beam" if gain > 0 else "greedy"
    return Message.of(
        "beam-tree-found",
        better=better,
        greedy=_spoken(greedy, language),
        text=_spoken(tree, language),
        width=tree.beam_size,
        score=best.score,
        other=other.score,
    )


def _spoken(tree: BeamTree, language: str) -> Spoken:
    return Spoken(plain(best_text(tree), MOST_CHARACTERS), language)


def pruned_message(node: BeamNode, language: str = "") -> Message:
    """Return a message on the step at which the path of greedy search ends in the tree."""
    return Message.of(
        "beam-tree-pruned", step=node.step, token=Spoken(token_text(node.token), language)
    )


def blunder_message(node: BeamNode, likeliest: BeamNode, language: str = "") -> Message:
    """Return a message on the token at which greedy search leaves the best hypothesis."""
    return Message.of(
        "beam-tree-blunder",
        step=node.step,
        token=Spoken(token_text(node.token), language),
        other=Spoken(token_text(likeliest.token), language),
        p_token=np.exp(node.log_prob),
        p_other=np.exp(likeliest.log_prob),
    )
