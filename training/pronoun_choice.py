"""Whether a translation has the right pronoun, and whether the right one is the likeliest."""

from __future__ import annotations

import re
from collections import Counter

from model import Translator
from records import Intervention

from .coreference import PRONOUN_FORMS, CoreferencePair


def pronoun_is_right(pair: CoreferencePair, translation: str) -> bool:
    """Whether a translation uses the pronoun forms the reference uses, no more and no fewer.

    Forms of the pronoun's case are counted in both texts (er, sie, es for a subject), so a wrong
    gender, a missing pronoun and a repeated noun all count as wrong.
    """
    forms = set(PRONOUN_FORMS[pair.case].values())

    def count(text: str) -> Counter:
        return Counter(w for w in re.findall(r"\w+", text.lower()) if w in forms)

    return count(translation) == count(pair.target)


def likeliest_form(
    translator: Translator, pair: CoreferencePair, intervention: Intervention | None = None
) -> str:
    """The form of the pronoun, of all genders, with which the reference is the likeliest."""
    start, end = pair.target_pronoun
    capital = pair.target[start].isupper()
    scores = {}
    for form in dict.fromkeys(PRONOUN_FORMS[pair.case].values()):
        form = form.capitalize() if capital else form
        changed = pair.target[:start] + form + pair.target[end:]
        scores[form] = float(
            translator.score(pair.source, changed, intervention=intervention).sum()
        )
    return max(scores, key=scores.__getitem__)


def forced_choice_is_right(
    translator: Translator, pair: CoreferencePair, intervention: Intervention | None = None
) -> bool:
    """Whether the reference is likelier than itself with another gender's pronoun in its place."""
    return (
        likeliest_form(translator, pair, intervention) == pair.target[slice(*pair.target_pronoun)]
    )
