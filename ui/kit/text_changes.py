"""Two outputs compared word by word, as Markdown that marks lost and new words."""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher

from core.records.sources import TokenSequence
from ui.frame.messages import plain, quoted, say
from ui.frame.run import Run

MOST_TEXT = 1000  # characters of a translation that are compared and drawn
# Not by colour alone: lost words are struck through, new ones bold.
LOST_AND_NEW = ":violet-background[~~{}~~]", ":green-background[**{}**]"


def in_one(before: str, after: str) -> str:
    """Return two texts as one line of Markdown that marks lost and new words."""
    # dict.fromkeys drops the second copy of words that are equal in both texts.
    words = (words for pair in _stretches(before, after) for words in dict.fromkeys(pair))
    return " ".join(filter(None, words))


def pair_words(first_name: str, second_name: str, before: str, after: str) -> str:
    """Return two outputs below each other, each introduced by the message of its name."""
    texts = zip((first_name, second_name), word_changes(before, after), strict=True)
    nothing = say("masks-nothing-written")
    return "  \n".join(say(name, text=text or nothing) for name, text in texts)


def word_changes(before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW) -> tuple[str, str]:
    """Return two texts as Markdown: lost words struck through on purple, new ones bold on green.

    Other `marks` hold ``{}`` for the differing words of the first and of the second text.
    """
    stretches = _stretches(before, after, marks)
    lost = " ".join(filter(None, (first for first, _ in stretches)))
    new = " ".join(filter(None, (second for _, second in stretches)))
    return lost, new


def _stretches(
    before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW
) -> list[tuple[str, str]]:
    """Return both texts cut where they begin or cease to differ, as pairs of marked Markdown."""
    first_words = before[:MOST_TEXT].split()
    second_words = after[:MOST_TEXT].split()
    stretches = []
    # autojunk would drop frequent words of texts beyond 200 words from the comparison.
    matcher = SequenceMatcher(None, first_words, second_words, autojunk=False)
    for change, i, i_end, j, j_end in matcher.get_opcodes():
        first = plain(" ".join(first_words[i:i_end]), MOST_TEXT)
        second = plain(" ".join(second_words[j:j_end]), MOST_TEXT)
        if change != "equal":
            lost, new = marks
            first = first and lost.format(first)
            second = second and new.format(second)
        stretches.append((first, second))
    return stretches


def pronoun_changes(before: str, after: str, pronouns: Collection[str]) -> str:
    """Return a sentence on which `pronouns` were replaced; empty if none was."""
    sides = [
        [word for raw in text.split() if (word := raw.strip(".,;:!?„“”\"'").lower()) in pronouns]
        for text in (before[:MOST_TEXT], after[:MOST_TEXT])
    ]
    if sides[0] == sides[1]:
        return ""
    first, second = (quoted(*side) or say("masks-effect-no-pronoun") for side in sides)
    return say("masks-effect-pronouns", n=max(map(len, sides)), before=first, after=second)


def outcome(run: Run, output: TokenSequence) -> str:
    """Return the translation under a change as one line that marks lost and new words."""
    after = output.text
    if run.output.ids == output.ids:
        return say("masks-effect-unchanged", text=plain(after, MOST_TEXT))
    text = in_one(run.translation.text, after)
    return say("masks-effect-after", text=text or say("masks-nothing-written"))


def both_outputs(run: Run, output: TokenSequence) -> str:
    """Return both translations with differing words marked, or say that nothing changed."""
    if run.output.ids == output.ids:
        return outcome(run, output)
    return pair_words(
        "masks-effect-before",
        "masks-effect-after",
        run.translation.text,
        output.text,
    )
