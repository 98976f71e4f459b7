"""Generated sentences: spans, German and Korean forms, labels, and what is held out."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import astuple, replace

import numpy as np
import pytest

from core.records.search import Decoding
from evaluation import zero_pronouns as evaluated
from evaluation.attention_links import word_links
from training.corpora import agreement, coreference, reviews, zero_pronouns
from training.corpora.coreference import (
    ADJECTIVES,
    NOUNS,
    PRONOUN_FORMS,
    SITUATIONS,
    CoreferencePair,
    canonical_pairs,
    held_out_reasons,
    situation_of,
)
from training.corpora.coreference_text import GRAMMAR
from training.corpora.grammar import GrammarError, grammar, grammar_of
from training.corpora.sentences import articles, filled, with_spans
from training.generated_sets import MADE

# -- templates and grammar files --------------------------------------------------------------


def test_slots_marks_and_articles_of_templates():
    assert filled("{A:dat}, {b}.", lambda name, form: f"<{name} {form}>") == "<A dat>, <b >."
    assert articles("a apple, a [A:egg], a useful pear") == "an apple, an [A:egg], a useful pear"
    for marked, text, spans in (
        ("I did [turn:not] find it [word:dull].", "I did not find it dull.", ["not", "dull"]),
        ("[it:it] is [word:öde]", "It is öde", ["It", "öde"]),
        ("nothing", "Nothing", []),
    ):
        plain, found = with_spans(marked)
        assert (plain, [plain[slice(*span)] for span in found.values()]) == (text, spans)


def test_faults_of_a_grammar_are_named():
    whole = grammar("en_de")
    first, *others = whole["situations"]
    unknown = whole | {"situations": [first | {"nouns": ["animal", "planet"]}, *others]}
    for values, fault in (
        ({k: whole[k] for k in whole if k not in ("people", "forms")}, "lacks people, forms"),
        (unknown, "cross: no noun is a planet"),
        (whole | {"so_clauses": {"fly": "x"}}, "no situation is called 'fly'"),
        (whole | {"nouns": [*whole["nouns"], whole["nouns"][-1]]}, "twice"),
    ):
        with pytest.raises(GrammarError, match=rf"^tiny\.toml.*{fault}"):
            grammar_of(values, "tiny.toml")


# -- seeds ------------------------------------------------------------------------------------

DIGESTS = {
    "agreement": (lambda: agreement.generate(500, seed=5), "de3e8c0be7aee68b"),
    "agreement, untrained": (
        lambda: agreement.generate(500, seed=5, held_out=True, constructions=agreement.UNTRAINED),
        "2e26e8352e707e85",
    ),
    "reviews": (lambda: reviews.generate(500, seed=3), "415c17a65e9a98f9"),
    "reviews, held out": (
        lambda: reviews.generate(500, seed=3, held_out=True),
        "ca0744a835ed777b",
    ),
    "dropped": (lambda: zero_pronouns.generate(500, seed=3), "5063adc5fe9e43be"),
    "dropped, held out": (
        lambda: zero_pronouns.generate(500, seed=3, held_out=True),
        "52b7f5929d283339",
    ),
    "twins": (lambda: sum(zero_pronouns.twins(250, seed=1), ()), "275f67eec72b51ea"),
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


@pytest.mark.parametrize(("draw", "digest"), DIGESTS.values(), ids=DIGESTS)
def test_a_seed_gives_the_sentences_that_checkpoints_were_trained_on(draw, digest):
    """Sentences with all spans and labels."""
    lines = "\n".join(repr(astuple(item)) for item in draw())
    assert hashlib.sha256(lines.encode()).hexdigest()[:16] == digest


# -- "it" -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def training():
    return coreference.generate_training(6_000)


@pytest.fixture(scope="module")
def held_out():
    return coreference.generate_held_out(300, seed=7)


def words(pair):
    antecedent = NOUNS[pair.source[slice(*pair.antecedent)].lower()]
    distractor = NOUNS[pair.source[slice(*pair.distractor)].lower()] if pair.distractor else None
    return antecedent, distractor


def noun_pair(pair):
    return frozenset(noun.english for noun in words(pair))


def test_the_canonical_sentences():
    tired, wide = canonical_pairs()
    assert tired.source == "The animal didn't cross the street because it was too tired."
    assert tired.target == "Das Tier überquerte die Straße nicht, weil es zu müde war."
    assert wide.source == "The animal didn't cross the street because it was too wide."
    assert wide.target == "Das Tier überquerte die Straße nicht, weil sie zu breit war."


def test_one_it_agrees_with_the_antecedent_alone(training, held_out):
    for pair in training + held_out:
        antecedent, distractor = words(pair)
        assert pair.source[slice(*pair.pronoun)] in ("it", "It")
        assert len(re.findall(r"\bits?\b", pair.source, re.IGNORECASE)) == 1, pair.source
        forms = PRONOUN_FORMS[pair.case]
        assert pair.target[slice(*pair.target_pronoun)].lower() == forms[antecedent.gender]
        assert not distractor or forms[antecedent.gender] != forms[distractor.gender]
        name = f"({antecedent.german}|{antecedent.oblique})"
        found = re.findall(rf"\b(der|die|das|den|dem) {name}\b", pair.target, re.IGNORECASE)
        declined = GRAMMAR.determiners["the"].values()
        allowed = {case[antecedent.gender].split()[0] for case in declined}
        assert {article.lower() for article, _ in found} <= allowed, pair.target


def test_held_out_nouns_and_properties_never_train(training, held_out):
    assert not {pair.source for pair in held_out} & {pair.source for pair in training}
    assert {pair.held_out for pair in held_out} == {"nouns", "property", "both"}
    pairs = {noun_pair(pair) for pair in held_out if pair.held_out != "property"}
    pairs.add(frozenset(("animal", "street")))
    assert not pairs & {noun_pair(pair) for pair in training if pair.distractor}
    vocabulary = [
        {word for pair in pairs for word in re.findall(r"\w+", pair.source.lower())}
        for pairs in (held_out, training)
    ]
    assert vocabulary[0] <= vocabulary[1]
    sources = defaultdict(list)
    for pair in training:
        if pair.distractor:
            sources[situation_of(pair)].append(pair.source)
    for situation in SITUATIONS:
        assert sources[situation]
        for adjective in held_out_reasons(situation) & {*ADJECTIVES}:
            apart = re.compile(rf" {adjective}[.,]")
            assert not any(map(apart.search, sources[situation])), situation
            for side in SITUATIONS[situation].reasons:
                assert adjective not in {reason.key for reason in side} or any(
                    adjective in {reason.key for reason in reasons}
                    for name, other in SITUATIONS.items()
                    for reasons in other.reasons
                    if name != situation and adjective not in held_out_reasons(name)
                )


def test_minimal_pairs_differ_in_the_pronoun_and_nothing_of_their_frame(held_out):
    assert len(held_out) == 600
    for first, second in zip(held_out[::2], held_out[1::2], strict=True):
        assert (first.half, second.half) == ("first", "second")
        assert (first.pair_id, first.frame) == (second.pair_id, second.frame)
        assert noun_pair(first) == noun_pair(second)
        assert first.right_form != second.right_form


# -- links between words ----------------------------------------------------------------------


def linked(pair: CoreferencePair) -> list[tuple[str, str, str]]:
    return [
        (link.word_class, pair.source[slice(*link.source)], pair.target[slice(*link.target)])
        for link in word_links(pair)
    ]


def example(source: str, target: str, *nouns: str) -> CoreferencePair:
    spans = [(source.index(word), source.index(word) + len(word)) for word in nouns]
    (canonical, _) = canonical_pairs()
    return replace(
        canonical, source=source, target=target, antecedent=spans[0], distractor=spans[1]
    )


def test_links_of_single_sentences():
    tired, wide = canonical_pairs()
    nouns = [("noun", "animal", "Tier"), ("noun", "street", "Straße")]
    assert linked(tired) == [*nouns, ("adjective", "tired", "müde")]
    assert linked(wide) == [*nouns, ("adjective", "wide", "breit")]
    pair = example(
        "My brother could not put the black ball into the bag because it was too big.",
        "Mein Bruder konnte den schwarzen Ball nicht in die Tasche legen, weil er zu groß war.",
        "ball",
        "bag",
    )
    assert linked(pair) == [
        ("person", "brother", "Bruder"),
        ("modifier", "black", "schwarzen"),
        ("noun", "ball", "Ball"),
        ("noun", "bag", "Tasche"),
        ("adjective", "big", "groß"),
    ]
    twice = example(
        "The dog was old, so it saw the old bear.",
        "Der Hund war alt, deshalb sah er den alten Bären und war alt.",
        "dog",
        "bear",
    )
    assert linked(twice) == [("noun", "dog", "Hund"), ("noun", "bear", "Bären")]


# -- Korean without a subject -----------------------------------------------------------------

NEW = [*zero_pronouns.named("people_held_out"), *zero_pronouns.named("things_held_out")]
EVERYBODY = [*zero_pronouns.named("people"), *zero_pronouns.named("things"), *NEW]
CLAUSES = grammar("ko_en_subjects")["clauses"]


def test_the_second_sentence_is_about_whom_the_spans_show():
    english = {each.korean: each for each in EVERYBODY}
    nouns = {each.korean.split()[-1] for each in EVERYBODY}
    pronouns = {"she": "그녀", "he": "그", "they": "그들", "it": "그것"}
    pairs = zero_pronouns.generate(400, seed=3)
    assert len({pair.source for pair in pairs}) == 400
    assert Counter(pair.condition for pair in pairs) == dict.fromkeys(zero_pronouns.CONDITIONS, 100)
    for pair in pairs:
        meant = english[pair.source[slice(*pair.antecedent)]]
        first, second = pair.target.lower().rstrip(".").split(". ")
        assert meant.english in first
        written = pair.target[slice(*pair.pronoun_span)].lower()
        assert second.split()[0] == meant.pronoun == pair.pronoun == written
        assert " was " not in f" {second} " or meant.pronoun != "they"
        word = pair.source.split(". ")[1].split()[0]
        names = word in [pronouns[pair.pronoun] + particle for particle in "은는"]
        assert names == (pair.condition == "pronoun")
        if pair.other is not None:
            other = english[pair.source[slice(*pair.other)]]
            assert other.english in first
            assert other.pronoun != meant.pronoun
        for stem, particle in ((word[:-1], word[-1]) for word in re.findall(r"\w+", pair.source)):
            if stem in nouns and particle in "은는을를과와":
                has_final_consonant = bool((ord(stem[-1]) - ord("가")) % 28)
                assert (particle in "은을과") == has_final_consonant, stem
    assert all(
        plain.endswith("다") and polite.endswith("요")
        for clauses in CLAUSES.values()
        for plain, polite, _ in clauses
    )


def test_held_out_pairs_have_somebody_new_or_say_something_new():
    new = [each.korean for each in NEW]
    for name in ("next_held_out", "next_of_a_thing_held_out"):
        new += [text for *korean, _ in CLAUSES[name] for text in korean]
    # 할머니 is a part of 그 할머니, and means somebody else there.
    for held_out, count in ((True, 200), (False, 600)):
        for pair in zero_pronouns.generate(count, seed=3, held_out=held_out):
            source = re.sub("그 (할머니|할아버지)", "" if not held_out else r"그 \1", pair.source)
            assert any(text in source for text in new) == held_out
    train, held_back = MADE["dropped"]({"pairs": 60, "held_out": 20, "seed": 2})
    assert (len(train), len(held_back)) == (60, 20)
    assert not {pair.source for pair in train} & {pair.source for pair in held_back}


def test_dropped_subjects_are_measured_by_kind_and_twins_by_both(tiny_translator):
    for text, word in (
        ("My mother came. She was ill.", "she"),
        ("Did she? They did!", "they"),
        ("My mother came and was ill.", ""),
    ):
        assert evaluated.second_subject(text) == word
    found = evaluated.measure(tiny_translator, Decoding(beam_size=1, max_len=8), limit=2)
    sentences = {condition: each["sentences"] for condition, each in found["kinds"].items()}
    assert sentences == dict.fromkeys(zero_pronouns.CONDITIONS, 2)
    assert found["twins"]["pairs"] == 2
    assert 0 < found["pointing"]["uniform"] < 1
    assert np.shape(found["pointing"]["maps"]) == (2, 4)


# -- agreement --------------------------------------------------------------------------------


def numbers_of_nouns(*names: str) -> dict[str, int]:
    """0 for the singular form of a noun, 1 for its plural."""
    lines = [line for name in names for line in grammar("en_agreement")[name]]
    return {word: number for line in lines for number, word in enumerate(line.split())}


def test_the_verb_agrees_with_the_subject_and_not_with_its_neighbour():
    nouns = numbers_of_nouns("nouns", "held_out")
    for constructions in (agreement.CONSTRUCTIONS, agreement.UNTRAINED):
        for sentence in agreement.generate(300, seed=5, constructions=constructions):
            assert sentence.text[slice(*sentence.verb)] == sentence.right
            words = sentence.text.rstrip(".").split()
            subject, *between = [nouns[word] for word in words if word in nouns]
            assert subject == sentence.plural == (sentence.right in ("are", "were"))
            assert len(between) == {"plain": 0, "phrases": 2}.get(sentence.construction, 1)
            assert {number == subject for number in between} <= {sentence.construction == "same"}


# -- reviews ----------------------------------------------------------------------------------


def test_the_deciding_words_alone_tell_a_good_review_from_a_bad_one():
    """ "not" and "never" turn them round; elsewhere good words are as common in both."""
    words = grammar("en_reviews")["words"]
    good, bad = ({w for line in words[pole].values() for w in line} for pole in ("pos", "neg"))
    drawn, elsewhere = reviews.generate(300, seed=3), defaultdict(list)
    assert len({review.text for review in drawn}) == 300
    assert abs(sum(review.label == "pos" for review in drawn) - 150) < 10
    for review in drawn:
        sentence = review.sentences[review.deciding]
        *turns, opinion = (sentence[start:end] for start, end in review.words)
        assert opinion in good | bad
        assert {*turns} <= {"not", "never"}
        assert (review.label == "pos") == ((opinion in good) != bool(turns))
        rest = " ".join(s for s in review.sentences if s is not sentence)
        said = [word in words["pos"]["opinion"] for word in re.findall(r"\w+", rest)]
        elsewhere[review.label] += said
    assert np.mean(elsewhere["pos"]) == pytest.approx(np.mean(elsewhere["neg"]), abs=0.02)
