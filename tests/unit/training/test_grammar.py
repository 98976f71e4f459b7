"""The grammar file: read as it is meant, and refused with every fault named."""

import copy

import pytest

from training.grammar import Clause, GrammarError, Reason, grammar_of
from training.rendering import GRAMMAR, PRONOUN_FORMS
from training.sentences import grammar


@pytest.fixture
def values():
    return copy.deepcopy(grammar("en_de"))


def complaint(values):
    with pytest.raises(GrammarError) as raised:
        grammar_of(values, "tiny.toml")
    return str(raised.value)


def test_a_missing_block_is_named(values):
    del values["people"], values["forms"]
    assert complaint(values) == "tiny.toml lacks people, forms"


def test_all_faults_are_named_at_once(values):
    values["situations"][0]["nouns"] = ["animal", "planet"]
    values["so_clauses"]["fly"] = "x"
    found = complaint(values)
    assert "cross: no noun is a planet" in found
    assert "no situation is called 'fly'" in found


def test_a_reason_without_german_is_refused(values):
    values["situations"][0]["first"] = ["purple"]
    assert "purple" in complaint(values)


def test_a_noun_that_stands_twice_is_refused(values):
    values["nouns"].append(copy.deepcopy(values["nouns"][-1]))
    assert "twice" in complaint(values)


def test_a_separable_prefix_joins_the_verb_at_the_end():
    clause = Clause.parse("{A} ran away; {A:nom} | lief | | +weg")
    assert clause.german("second") == "{A:nom} lief weg"
    assert clause.german("first") == "lief {A:nom} weg"
    assert clause.german("last") == "{A:nom} weglief"


def test_an_adjective_takes_a_degree_unless_marked():
    tired, broken = (Reason.parse(text, {"tired": "müde", "broken": "kaputt"})
                     for text in ("tired@animal", "!broken"))  # fmt: skip
    assert tired.past.english == "{it} was {deg}tired"
    assert tired.tags == {"animal"}
    assert broken.present.german("second") == "{it:nom} ist kaputt"


@pytest.mark.parametrize("determiner", GRAMMAR.determiners)
def test_there_is_a_pronoun_for_every_article(determiner):
    assert {case: set(forms) for case, forms in PRONOUN_FORMS.items()} == {
        case: set(forms) for case, forms in GRAMMAR.determiners[determiner].items()
    }
