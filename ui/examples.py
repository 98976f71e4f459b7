"""Sentences worth looking at, and what is known about them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A sentence for the menu.

    Attributes
    ----------
    pronoun, antecedent, other : the pronoun, the noun it stands for and the noun it might be
        mistaken for; empty where the sentence has no such riddle.
    twin : the sentence that differs in one word and turns the answer round.
    """

    group: str
    text: str
    pronoun: str = ""
    antecedent: str = ""
    other: str = ""
    twin: str = ""


_TIRED = "The animal didn't cross the street because it was too tired."
_WIDE = "The animal didn't cross the street because it was too wide."
_BIG = "The trophy doesn't fit in the suitcase because it is too big."
_SMALL = "The trophy doesn't fit in the suitcase because it is too small."

EXAMPLES: tuple[Example, ...] = (
    Example("Who is it?", _TIRED, "it", "animal", "street", _WIDE),
    Example("Who is it?", _WIDE, "it", "street", "animal", _TIRED),
    Example("Who is it?", _BIG, "it", "trophy", "suitcase", _SMALL),
    Example("Who is it?", _SMALL, "it", "suitcase", "trophy", _BIG),
    Example("Caption", "A man in a red shirt is riding a bicycle down the street."),
    Example("Caption", "Two dogs are playing with a ball in the snow."),
    Example("Caption", "A woman with an umbrella is waiting for the bus."),
    Example("Caption", "Children are jumping into a swimming pool on a sunny day."),
    Example("Everyday", "I don't know where my keys are."),
    Example("Everyday", "Could you please open the window?"),
    Example("Everyday", "We will be late if we don't leave now."),
    Example("Everyday", "She told me that she had already eaten."),
)
DEFAULT = EXAMPLES[0]


def example_of(text: str) -> Example | None:
    """What is known about a sentence, if it is one of the examples."""
    wanted = " ".join(text.split())
    return next((example for example in EXAMPLES if example.text == wanted), None)
