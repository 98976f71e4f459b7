"""Generated sentences: the same for the same seed, and what their spans and labels say is so."""

from __future__ import annotations

import hashlib
from dataclasses import astuple

import numpy as np
import pytest

from training import agreement, coreference, dropped, reviews
from training.sentences import articles, filled, grammar, with_spans

# -- templates ------------------------------------------------------------------------------


def test_slots_are_filled_from_left_to_right_with_name_and_form():
    assert filled("{A:dat}, {b}.", lambda name, form: f"<{name} {form}>") == "<A dat>, <b >."


@pytest.mark.parametrize(
    ("marked", "text", "spans"),
    [
        ("I did [turn:not] find it [word:dull].", "I did not find it dull.", ["not", "dull"]),
        ("[it:it] is [word:öde]", "It is öde", ["It", "öde"]),
        ("nothing", "Nothing", []),
    ],
)
def test_marks_are_taken_out_and_their_characters_kept(marked, text, spans):
    plain, found = with_spans(marked)
    assert (plain, [plain[slice(*span)] for span in found.values()]) == (text, spans)


def test_a_becomes_an_before_a_vowel_marked_or_not():
    assert articles("a apple, a [A:egg], a useful pear") == "an apple, an [A:egg], a useful pear"


# -- seeds ----------------------------------------------------------------------------------

ALWAYS = {
    "agreement": (lambda: agreement.generate(500, seed=5), "de3e8c0be7aee68b"),
    "agreement, untrained": (
        lambda: agreement.generate(500, seed=5, held_out=True, kinds=agreement.UNTRAINED),
        "2e26e8352e707e85",
    ),
    "reviews": (lambda: reviews.generate(500, seed=3), "415c17a65e9a98f9"),
    "reviews, held out": (
        lambda: reviews.generate(500, seed=3, held_out=True),
        "ca0744a835ed777b",
    ),
    "dropped": (lambda: dropped.generate(500, seed=3), "5063adc5fe9e43be"),
    "dropped, held out": (
        lambda: dropped.generate(500, seed=3, held_out=True),
        "52b7f5929d283339",
    ),
    "twins": (lambda: sum(dropped.twins(250, seed=1), ()), "275f67eec72b51ea"),
    "coreference": (lambda: coreference.generate_training(500, seed=0), "0f12b19dac635c2d"),
    "coreference, no siblings": (
        lambda: coreference.generate_training(500, seed=3, siblings=False),
        "2497ae6149c69124",
    ),
    "coreference, held out": (
        lambda: coreference.generate_held_out(250, seed=7),
        "ddbaf8361dc43169",
    ),
}


@pytest.mark.parametrize(("draw", "digest"), ALWAYS.values(), ids=ALWAYS)
def test_a_seed_gives_the_sentences_that_it_always_gave(draw, digest):
    """With all spans and labels: checkpoints were trained and measured on them."""
    lines = "\n".join(repr(astuple(item)) for item in draw())
    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == digest


# -- agreement ------------------------------------------------------------------------------


def numbers_of_nouns(*names: str) -> dict[str, int]:
    """0 for the singular form of a noun, 1 for its plural."""
    lines = [line for name in names for line in grammar("en_agreement")[name]]
    return {word: number for line in lines for number, word in enumerate(line.split())}


def test_the_verb_agrees_with_the_subject_and_not_with_its_neighbour():
    nouns = numbers_of_nouns("nouns", "held_out")
    for kinds in (agreement.KINDS, agreement.UNTRAINED):
        for sentence in agreement.generate(300, seed=5, kinds=kinds):
            assert sentence.text[slice(*sentence.verb)] == sentence.right
            words = sentence.text.rstrip(".").split()
            subject, *between = [nouns[word] for word in words if word in nouns]
            assert subject == sentence.plural == (sentence.right in ("are", "were"))
            assert len(between) == {"plain": 0, "phrases": 2}.get(sentence.kind, 1)
            assert {number == subject for number in between} <= {sentence.kind == "same"}


def test_frames_that_are_not_trained_stand_in_no_sentence_of_the_training():
    """What is between subject and verb, the nouns apart."""
    nouns = numbers_of_nouns("nouns", "held_out")

    def frames(*args, **options):
        return {
            " ".join("noun" if word in nouns else word for word in s.text[: s.verb[0]].split())
            for s in agreement.generate(*args, **options)
        }

    trained = frames(3000, seed=51)
    for kind in agreement.UNTRAINED:
        untrained = frames(400, seed=7, held_out=True, kinds=[kind])
        assert len(untrained) >= 5
        assert not untrained & trained


def test_held_out_subjects_stand_in_no_sentence_of_the_training():
    held_out = numbers_of_nouns("held_out").keys()
    trained = {w for s in agreement.generate(2000, seed=1) for w in s.text.rstrip(".").split()}
    assert not held_out & trained
    subjects = {s.text.split()[1] for s in agreement.generate(300, seed=1, held_out=True)}
    assert subjects <= held_out


# -- reviews --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def some_reviews():
    return reviews.generate(300, seed=3)


def test_half_of_the_reviews_are_good_and_each_is_another(some_reviews):
    assert len({review.text for review in some_reviews}) == 300
    assert abs(sum(review.label == "pos" for review in some_reviews) - 150) < 10


def test_the_deciding_words_say_what_the_label_says(some_reviews):
    """Whatever stands elsewhere; "not" and "never" turn them round."""
    words = grammar("en_reviews")["words"]
    good, bad = ({w for line in words[pole].values() for w in line} for pole in ("pos", "neg"))
    for review in some_reviews:
        sentence = review.sentences[review.deciding]
        *turns, opinion = (sentence[start:end] for start, end in review.words)
        assert opinion in good | bad
        assert set(turns) <= {"not", "never"}
        assert (review.label == "pos") == ((opinion in good) != bool(turns))


def test_other_opinions_are_no_hint(some_reviews):
    """Counted over everything but the deciding sentence, good words are as common in both."""
    good = set(grammar("en_reviews")["words"]["pos"]["opinion"])
    shares = []
    for label in ("pos", "neg"):
        rest = [
            word.strip(".") in good
            for review in some_reviews
            if review.label == label
            for number, sentence in enumerate(review.sentences)
            if number != review.deciding
            for word in sentence.split()
        ]
        shares.append(np.mean(rest))
    assert abs(shares[0] - shares[1]) < 0.02


def test_held_out_reviews_pair_what_training_never_pairs():
    def pairs(*args, **options):
        drawn = reviews.generate(*args, **options)
        deciding = [(review.sentences[review.deciding], review.words) for review in drawn]
        return {(text[: words[0][0]], text[slice(*words[-1])]) for text, words in deciding}

    held_out = pairs(300, seed=2, held_out=True)
    assert len(held_out) > 10
    assert not pairs(2000, seed=1) & held_out
