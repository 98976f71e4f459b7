"""The generated "it" sentences: spans, German forms and what is held out."""

import re
from collections import Counter, defaultdict

import pytest

from training.coreference import (
    ADJECTIVES,
    NOUNS,
    PRONOUN_FORMS,
    SITUATIONS,
    canonical_pairs,
    generate_held_out,
    generate_training,
    held_out_reasons,
    situation_of,
)
from training.rendering import GRAMMAR

AGENTS = [noun for noun in NOUNS.values() if noun.tags & {"animal", "vehicle"}]
THINGS = [noun for noun in NOUNS.values() if not noun.tags & {"animal", "vehicle"}]


@pytest.fixture(scope="module")
def training():
    return generate_training(12_000)


@pytest.fixture(scope="module")
def held_out():
    return generate_held_out(300)


def words(pair):
    antecedent = NOUNS[pair.source[slice(*pair.antecedent)].lower()]
    distractor = NOUNS[pair.source[slice(*pair.distractor)].lower()] if pair.distractor else None
    return antecedent, distractor


def noun_pair(pair):
    return frozenset(noun.english for noun in words(pair))


@pytest.mark.parametrize("nouns", [AGENTS, THINGS])
def test_there_are_sixty_nouns_a_fifth_of_them_of_every_gender(nouns):
    assert len(nouns) >= 60
    counts = Counter(noun.gender for noun in nouns)
    assert min(counts[gender] for gender in "mfn") >= len(nouns) / 5


def test_only_masculine_nouns_are_weak():
    assert all(noun.gender == "m" for noun in NOUNS.values() if noun.oblique != noun.german)


def test_article_before_the_antecedent_has_its_gender(training):
    patterns = {
        noun: re.compile(
            rf"\b(der|die|das|den|dem) ({noun.german}|{noun.oblique})\b", re.IGNORECASE
        )
        for noun in NOUNS.values()
    }
    for pair in training:
        antecedent, _ = words(pair)
        forms = {case[antecedent.gender].split()[0] for case in GRAMMAR.determiners["the"].values()}
        found = patterns[antecedent].findall(pair.target)
        assert all(article.lower() in forms for article, _ in found), pair.target


def test_thousands_of_sentences_are_distinct_of_many_frames_and_half_have_one_noun(training):
    assert len({pair.source for pair in training}) == 12_000
    assert Counter(pair.n_nouns for pair in training) == {1: 6_000, 2: 6_000}
    assert len({pair.frame for pair in training}) >= 24
    fewer = generate_training(200, seed=0, two_nouns=0.7)
    assert sum(pair.n_nouns == 2 for pair in fewer) == 140


def test_each_sentence_has_one_it_and_its_pronoun_agrees_with_the_antecedent_alone(
    training, held_out
):
    for pair in training + held_out:
        assert pair.source[slice(*pair.pronoun)] in ("it", "It")
        assert len(re.findall(r"\bits?\b", pair.source, re.IGNORECASE)) == 1, pair.source
        antecedent, distractor = words(pair)
        forms = PRONOUN_FORMS[pair.case]
        assert pair.target[slice(*pair.target_pronoun)].lower() == forms[antecedent.gender]
        assert not distractor or forms[antecedent.gender] != forms[distractor.gender]


def test_held_out_noun_pairs_never_train(training, held_out):
    pairs = {noun_pair(pair) for pair in held_out if pair.held_out in ("nouns", "both")}
    pairs.add(frozenset(("animal", "street")))
    assert not pairs & {noun_pair(pair) for pair in training if pair.distractor}


def test_held_out_properties_never_train_in_their_situation(training):
    sources = defaultdict(list)
    for pair in training:
        if pair.distractor:
            sources[situation_of(pair)].append(pair.source)
    for situation in SITUATIONS:
        adjectives = [key for key in held_out_reasons(situation) if key in ADJECTIVES]
        assert sources[situation]
        for adjective in adjectives:
            held_out = re.compile(rf" {adjective}[.,]")
            assert not [s for s in sources[situation] if held_out.search(s)], situation


def test_every_held_out_reason_is_shown_in_the_same_role_elsewhere():
    for name in SITUATIONS:
        for side, reasons in enumerate(SITUATIONS[name].reasons):
            for key in {r.key for r in reasons} & held_out_reasons(name) & set(ADJECTIVES):
                elsewhere = [
                    other
                    for other in SITUATIONS
                    if other != name
                    and key in {r.key for r in SITUATIONS[other].reasons[side]}
                    and key not in held_out_reasons(other)
                ]
                assert elsewhere, (name, key)


def test_without_siblings_their_verbs_do_not_train_and_they_are_not_measured(held_out):
    text, all_of_it = (
        " ".join(p.source for p in pairs)
        for pairs in (
            [*generate_training(4000, siblings=False), *held_out],
            generate_training(4000),
        )
    )
    assert not re.search(r"squeeze|pursued", text)
    assert re.search(r"squeeze|pursued", all_of_it)


def test_every_held_out_sentence_says_what_is_held_out(held_out):
    assert {pair.held_out for pair in held_out} == {"nouns", "property", "both"}


def test_held_out_sentences_never_train_and_their_words_do(training, held_out):
    def vocabulary(pairs):
        return {word for pair in pairs for word in re.findall(r"\w+", pair.source.lower())}

    assert not {pair.source for pair in held_out} & {pair.source for pair in training}
    assert vocabulary(held_out) <= vocabulary(training)


def test_minimal_pairs_have_both_halves_and_two_pronouns(held_out):
    assert len(held_out) == 600
    for first, second in zip(held_out[::2], held_out[1::2], strict=True):
        assert first.pair_id == second.pair_id
        assert (first.half, second.half) == ("first", "second")
        assert first.frame == second.frame
        assert noun_pair(first) == noun_pair(second)
        german = [pair.target[slice(*pair.target_pronoun)].lower() for pair in (first, second)]
        assert german[0] != german[1]


def test_canonical_sentences():
    tired, wide = canonical_pairs()
    assert tired.source == "The animal didn't cross the street because it was too tired."
    assert tired.target == "Das Tier überquerte die Straße nicht, weil es zu müde war."
    assert wide.source == "The animal didn't cross the street because it was too wide."
    assert wide.target == "Das Tier überquerte die Straße nicht, weil sie zu breit war."


def test_neither_noun_position_predicts_the_antecedent(training):
    two = [pair for pair in training if pair.distractor]
    first = sum(pair.antecedent < pair.distractor for pair in two) / len(two)
    assert 0.4 < first < 0.6


def test_noun_class_does_not_predict_the_antecedent(training):
    agents = {noun.english for noun in AGENTS}
    two = [pair for pair in training if pair.distractor]
    mixed = [w for w in map(words, two) if (w[0].english in agents) != (w[1].english in agents)]
    share = sum(antecedent.english in agents for antecedent, _ in mixed) / len(mixed)
    assert 0.4 < share < 0.6
