"""Lessons: as data, answered by the shipped model, opened in the lab, and on a worksheet."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
from functools import cache
from html import escape, unescape
from operator import attrgetter
from types import ModuleType

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.records.attention import AttentionRecord
from model import load_translator, save_checkpoint
from model.experiments.block import gates_of
from model.io.checkpoint import FOLDER_VARIABLE
from support.app import (
    asked,
    data_of,
    focus,
    kept_names,
    open_page,
    press,
    put,
    says,
    send,
    shown,
    words,
)
from support.formats import SAMPLES
from support.models import ROOT, read_json
from support.number_text import texts_alike
from ui.frame.run import FrameChoices, Run
from ui.frame.state import translated
from ui.pages import page_of
from ui.pages.lessons import further, measures
from ui.pages.lessons.answers import (
    answer_of,
    answer_words,
    choice_words,
    is_measured,
    question_of,
    question_values,
    term_tag,
)
from ui.pages.lessons.book import (
    OPENING,
    LessonProgress,
    Step,
    address_of,
    lesson_of,
    lessons,
    paths,
    run_of,
    written,
)
from ui.pages.lessons.worksheet import SheetLesson, class_sheet
from words import Words, english, languages, numbers

RECORDED = ROOT / "tests/support/recorded" / "lessons.json"
FIRST = lessons()[0]
STEPS = [(lesson, step) for lesson in lessons() for step in lesson.steps]
DISTINCT = {
    (step.page, step.address.get(page_of(step.page).key), *sorted(step.address)): step
    for _, step in reversed(STEPS)
}.values()
"""A step for each view and set of names in an address; the others are opened in a slow run."""
STATES = [
    pytest.param(
        lesson,
        step,
        id=f"{lesson.id}-{step.id}",
        marks=() if any(step is each for each in DISTINCT) else pytest.mark.slow,
    )
    for lesson, step in STEPS
]
NEAR = 0.02  # of numbers that another machine may round otherwise
ELSEWHERE = {"roles", "stored_costs", "small_runs", "measured_lineage", "get_translator"}
"""Functions that read a stored measurement or load another model."""
each_lesson = pytest.mark.parametrize("lesson", lessons(), ids=attrgetter("id"))


@cache
def screen(checkpoint: str = "en-de") -> Run:
    """The shipped model, or one at a path, with the first lesson's sentence on screen."""
    translator = load_translator(checkpoint)
    text = FIRST.steps[0].text
    return translated(FrameChoices("en-de", text, OPENING), translator)


# As data


def test_every_lesson_is_in_one_path_of_four_to_six_and_no_measure_is_idle():
    ids = [lesson.id for lesson in lessons()]
    assert 28 <= len(ids) <= 36
    assert len(set(ids)) == len(ids)
    assert {len(found) for found in paths().values()} <= {4, 5, 6}
    steps = (step for found in written().values() for lesson in found for step in lesson.steps)
    assert {step.measure for step in steps} == {
        name
        for module in (measures, further)
        for name, found in vars(module).items()
        if getattr(found, "__module__", "") == module.__name__ and name[0] != "_"
    }
    assert {path for path in paths() if not english.has(f"path-{path}")} == set()


def test_the_pictures_of_the_paths_are_there_and_small():
    files = {file.name: file.stat().st_size for file in (ROOT / "static" / "lessons").iterdir()}
    assert files.keys() == {f"{path}-{at}.webp" for path in paths() for at in ("light", "dark")}
    assert sum(files.values()) <= 300_000


@pytest.mark.parametrize("language", languages())
def test_the_title_asks_and_the_term_names(language):
    """A term fits on the line of its title, and no two lessons share one."""
    told = Words(language)
    titles = [told(f"lesson-{lesson.id}") for lesson in lessons()]
    terms = [told(f"lesson-{lesson.id}-term") for lesson in lessons()]
    assert [title for title in titles if not title.endswith("?")] == []
    assert [term for term in terms if term.endswith(("?", ".")) or len(term) > 30] == []
    assert len(set(terms)) == len(terms)


# The answers of models


def values_of(step: Step) -> dict[str, str | int]:
    found = answer_of(screen(), step)
    return {"choice": found.choice, **found.values}


def names_in(function: str, module: ModuleType) -> set[str]:
    """All names that a function reads, and those that it calls in its module."""
    tree = ast.parse(inspect.getsource(module))
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    found, left = set(), {function}
    while left:
        nodes = ast.walk(functions[left.pop()])
        more = {getattr(each, "id", getattr(each, "attr", "")) for each in nodes} - found
        found |= more
        left |= more & functions.keys()
    return found


@each_lesson
def test_a_lesson_is_complete_and_says_if_its_answer_was_measured(lesson):
    assert 2 <= len(lesson.choices) <= 4
    assert 1 <= len(lesson.steps) <= 3
    assert answer_of(screen(), lesson.steps[0]).choice in lesson.choices
    given = question_values(screen(), lesson)
    assert question_of(lesson, given)
    told = [choice_words(lesson, choice, given) for choice in lesson.choices]
    assert len(set(told)) == len(told)
    for place, step in enumerate(lesson.steps):
        assert (ROOT / "ui" / "pages" / step.page / "page.py").is_file()
        assert not place or english(f"lesson-{lesson.id}-{step.id}-open")
        answer = answer_of(screen(), step)
        text = answer_words(lesson, step, answer, english)
        assert shown(answer_words(lesson, step, answer)) == text
    module = further if is_measured(lesson) else measures
    reads_elsewhere = names_in(lesson.steps[0].measure, module) & ELSEWHERE
    assert bool(reads_elsewhere) == is_measured(lesson)


@each_lesson
def test_the_shipped_model_answers_as_recorded(lesson, request, subtests):
    """A new checkpoint that answers otherwise fails here: read the words of that lesson again,
    then give ``--rewrite``.
    """
    if request.config.getoption("--rewrite"):
        lines = (
            f'"{other.id}-{step.id}": {json.dumps(values_of(step), ensure_ascii=False)}'
            for other, step in STEPS
        )
        RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    recorded = read_json(RECORDED)
    for step in lesson.steps:
        with subtests.test(step.id):
            values, known = values_of(step), recorded[f"{lesson.id}-{step.id}"]
            assert values.keys() == known.keys()
            unlike = {
                name: (value, known[name])
                for name, value in values.items()
                if not texts_alike(str(value), str(known[name]), rel_tol=NEAR, abs_tol=NEAR)
            }
            assert unlike == {}


@each_lesson
def test_a_model_that_knows_nothing_answers_or_says_that_it_cannot(lesson, tiny_checkpoint):
    here = screen(str(tiny_checkpoint))
    for step in lesson.steps:
        found = answer_of(here, step)
        if found is not None:
            answer_words(lesson, step, found)
        address_of(run_of(here, step), step)


def test_the_weight_of_the_first_lesson_is_the_largest_of_all_heads():
    attention: AttentionRecord = run_of(screen(), FIRST.steps[0]).record
    tokens = attention.src.tokens
    weights = attention.of("encoder").weights
    row, column = tokens.index("▁it"), tokens.index("▁animal")
    told = float(answer_of(screen(), FIRST.steps[0]).values["weight"])
    assert told == pytest.approx(weights[..., row, column].max(), abs=5e-3)


# On the pages


def opened(page: AppTest) -> AppTest:
    """The next run stays on the page that a lesson went to."""
    page._page_hash = ""
    return page


def ask(page: AppTest, choice: str) -> AppTest:
    guess = next(each.key for each in page.radio if each.key.startswith("lesson_guess"))
    return press(opened(put(page, **{guess: choice})), "lesson_show")


def tools(page: AppTest) -> dict[str, object]:
    """What the browser is told of the open lesson."""
    return data_of(page, "attention_lab_lesson")


def send_slide(page: AppTest, what: str) -> None:
    send(opened(page), "attention_lab_lesson", slide=what)


def take(page: AppTest, lesson: str) -> AppTest:
    """Ask a lesson of the page of all lessons."""
    return press(opened(page), f"lesson_take_{lesson}")


def test_a_reader_guesses_sees_and_goes_on():
    page = press(opened(open_page()), "lesson_new")
    assert (asked(page)["lesson"], asked(page)["path"]) == (FIRST.id, "heads")
    assert says(page, f"lesson-{FIRST.id}-question")
    assert page.button("lesson_show").disabled
    assert tools(page)["asking"]
    ask(page, "street")
    found = answer_of(screen(), FIRST.steps[0])
    assert shown(english("lesson-head-tired", choice=found.choice, **found.values)) in words(page)
    right = english("lesson-said-wrong", said="“street”", right="“animal”")
    assert right in words(page)
    assert asked(page)["done"] == FIRST.id
    assert not tools(page)["asking"]
    assert tools(page)["ring"] == {"key": "heads", "row": "10", "column": "2"}
    press(page, "lesson_step_2")
    assert page.session_state["text"] == FIRST.steps[1].text
    assert focus(page).columns == (7,)
    press(page, "lesson_step_3")
    assert "change" not in asked(page)  # for the view opens with it
    assert "weil sie zu müde war" in words(page)
    press(opened(page), "lesson_next")
    assert says(page, f"lesson-{lessons()[1].id}-question")
    assert asked(page)["done"] == FIRST.id
    press(page, "lesson_close")
    assert "lesson" not in asked(page)
    assert "lesson_new" not in [button.key for button in page.button]


def test_all_lessons_leads_to_their_page_and_keeps_what_is_done():
    page = open_page(lesson="many", done="head", beam="3")
    press(opened(page), "lesson_all")
    assert asked(page) == {"done": "head", "beam": "3"}
    titles = [button.label for button in page.button if button.key.startswith("lesson_take")]
    assert len(titles) == len(lessons())
    for label, lesson in zip(titles, lessons(), strict=True):
        assert label == f"{english(f'lesson-{lesson.id}')} {term_tag(lesson)}"
    known = english("lessons-continue", title=english("lesson-decides"))
    assert page.button("path_take_heads").label == known
    take(page, "waves")
    assert says(page, "lesson-waves-question")
    assert says(page, "lesson-in-path", path=english("path-positions"), n=2, of=5)
    assert page.session_state["position_look"] == "encoding"


def test_a_link_to_a_path_asks_its_first_open_lesson_on_the_page_that_answers():
    page = open_page("lessons", path="masks", done="causal")
    assert says(page, "lesson-padding-question")
    assert page.session_state["mask_look"] == "seen"
    done = ".".join(lesson.id for lesson in paths()["masks"])
    assert says(open_page("lessons", path="masks", done=done), "lesson-causal-question")


def test_the_choices_of_the_next_token_are_candidates_of_the_model():
    page = open_page("beam", lesson="token")
    given = question_values(screen(), lesson_of("token"))
    (radio,) = (each for each in page.radio if each.key == "lesson_guess_token")
    assert [shown(label) for label in radio.options] == [f"“{given[id]}”" for id in "abcd"]
    assert "…" not in given.values()


# Slides


def test_slides_go_from_the_question_to_votes_to_the_answer_and_on_to_the_next_lesson():
    page = open_page(projector="1", path="heads", lesson="head")
    press(page, "lesson_vote")
    assert says(page, "lesson-vote-keys", n=3)
    for key in ("2", "1", "2", "9"):
        send_slide(page, key)
    assert page.button("lesson_vote_street").label == "“street” · 2"
    send_slide(page, "back")
    assert "lesson_vote" in [button.key for button in page.button]
    send_slide(page, "next")
    press(opened(page), "lesson_show")
    assert asked(page)["lesson_step"] == "1"
    press(page, "lesson_next")
    assert says(page, "lesson-decides-question")
    assert asked(page)["projector"] == "1"


CHOSEN = {"kind": "decoder", "look": "pair", "beam": "2", "row": "3", "special": "hide"}


def test_a_state_opens_over_other_choices_as_its_link_does_in_a_fresh_session():
    lesson = lesson_of("sinks")
    page = ask(open_page(lesson=lesson.id, **CHOSEN), lesson.choices[0])
    link = {**asked(page)}
    assert link["path"] == lesson.path
    fresh = open_page(lesson.steps[0].page, **link)
    for name in (*CHOSEN.keys() - {"row"}, "text"):
        assert page.session_state[name] == fresh.session_state[name], name
    assert focus(page) == focus(fresh)
    assert asked(fresh) == link
    assert page.session_state["beam"] == 5


@pytest.mark.parametrize(("lesson", "step"), STATES)
def test_every_state_opens_with_its_answer_on_top(lesson, step):
    here = run_of(screen(), step)
    progress = LessonProgress(lesson, step=lesson.steps.index(step) + 1)
    page = open_page(step.page, **address_of(here, step), **progress.spelt())
    assert not page.error
    assert shown(answer_words(lesson, step, answer_of(screen(), step))) in words(page)
    choice = answer_of(screen(), lesson.steps[0]).choice
    right = choice_words(lesson, choice, question_values(here, lesson))
    measured = lesson.steps[0].measure in vars(further)
    told = "lesson-right-measured" if measured else "lesson-right"
    assert shown(english(told, right=right)) in words(page)
    assert not says(page, "lesson-elsewhere", text=step.text)
    for name, value in address_of(here, step).items():
        assert name in kept_names(page)
        assert asked(page).get(name, value) == value
        if name in page.session_state and isinstance(page.session_state[name], str):
            assert page.session_state[name] == value, name


@pytest.mark.parametrize(
    "wrong",
    [
        {"lesson": "nothing"},
        {"lesson": "head", "lesson_said": "nobody", "lesson_step": "1"},
        {"lesson": "head", "lesson_step": "99"},
        {"lesson": "head", "lesson_step": "-1"},
        {"done": "head.nothing..head"},
        {"done": "<b>", "projector": "yes"},
    ],
    ids=str,
)
def test_what_an_address_says_of_no_lesson_is_left_out(wrong):
    left = asked(open_page(**wrong))
    assert left.get("lesson") in (None, "head")
    assert not {"lesson_said", "projector"} & left.keys()
    assert left.get("lesson_step") in (None, "1")
    assert left.get("done") in (None, "head")


def test_another_sentence_or_page_is_said_and_one_press_brings_the_lesson_back():
    last = FIRST.steps[2].text
    page = open_page("attention", lesson="head", lesson_step="3", text=last)
    assert says(page, "lesson-elsewhere", text=last)
    page = open_page(lesson="head", lesson_step="1", text="A dog runs.")
    text = FIRST.steps[0].text
    assert says(page, "lesson-elsewhere", text=text)
    press(opened(page), "lesson_again")
    assert page.session_state["text"] == text
    assert not says(page, "lesson-elsewhere", text=text)


def test_a_model_whose_translation_lacks_the_word_says_so_and_still_opens_the_state(folder):
    page = open_page("attention", lesson="align")
    ask(page, "car")
    assert says(page, "lesson-no-answer")
    assert page.session_state["kind"] == "cross"
    assert not page.error


# The worksheet


NASTY = '<script src="//evil.example"></script>&"\''


def test_all_text_of_a_sheet_is_escaped_and_nothing_is_loaded():
    part = SheetLesson(NASTY, NASTY, NASTY, (NASTY, NASTY), ((NASTY, NASTY),), (NASTY,))
    sheet = class_sheet([part], NASTY)
    assert sheet.count(escape(NASTY)) == 11  # title and term are on both pages
    left = sheet.replace(escape(NASTY), "")
    assert not [sign for sign in ("script", "src", "href", "url(", "@import") if sign in left]


def test_a_teacher_gets_the_chosen_lessons_with_links_and_answers(monkeypatch):
    made = []
    monkeypatch.setattr(
        "ui.pages.lessons.worksheet.class_sheet",
        lambda *args: made.append(class_sheet(*args)) or made[-1],
    )
    page = open_page("lessons")
    assert not page.get("download_button")
    chosen = [*paths()["masks"], lesson_of("head"), lesson_of("token")]
    put(page, lessons_chosen_paths=["masks"], lessons_chosen=["head", "token"])
    assert page.get("download_button")
    text = re.sub("<.+?>", "", unescape(made[-1]))
    for lesson in chosen:
        assert question_of(lesson, question_values(screen(), lesson), english) in text
        title, term = (english(f"lesson-{lesson.id}{name}") for name in ("", "-term"))
        assert text.count(f"{title} {term}") == 2  # among the questions and among the answers
        for step in lesson.steps:
            assert answer_words(lesson, step, answer_of(screen(), step), write=english) in text
    assert "/masks?text=" in text
    assert "change=hide-both-2&path=heads&lesson=head&lesson_step=3" in text
    assert lesson_of("waves").id + "&" not in text
    assert text.count("checkpoint=en-de") == sum(len(lesson.steps) for lesson in chosen)


# What only some models can be asked


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    """A converted model whose decoder has a recurrence, with weights of chance, on a shelf."""
    root = tmp_path_factory.mktemp("students")
    SAMPLES["marian"][1](root / "files")
    reader = load_translator(root / "files", check_claims=False)
    # Not the language of the lessons, so that only this lesson is asked of it.
    card = {"format": "kept", "languages": ["pt", "en"]}
    save_checkpoint(root / "shelf" / "student", reader.model, reader.tokenizers, card=card)
    return root / "shelf"


def test_a_lesson_about_a_recurrence_is_offered_where_the_open_model_has_one(student, monkeypatch):
    lesson = lesson_of("recurrence")
    assert lesson not in lessons()
    assert not any(each.key == "lesson_take_recurrence" for each in open_page("lessons").button)
    monkeypatch.setenv(FOLDER_VARIABLE, os.pathsep.join(map(str, (student, ROOT / "checkpoints"))))
    page = open_page("lessons", checkpoint="student", text="a cat")
    take(page, "recurrence")
    assert page.session_state["checkpoint"] == "student"
    page = open_page("block", checkpoint="student", text="a cat", lesson="recurrence")
    assert says(page, "lesson-recurrence-question")
    run = page.session_state["run"]
    kept = gates_of(run.translator, run.src, run.tgt)[0].astype(float)
    share = []
    for now in range(1, len(kept)):  # of what the cell holds at a token, by the product of gates
        left = [((1 - kept[s]) * kept[s + 1 : now + 1].prod(axis=0)).mean() for s in range(now + 1)]
        share.append(1 - left[-1] / sum(left))
    mean = float(np.mean(share))
    right = "most" if mean > 2 / 3 else "some" if mean > 1 / 3 else "few"
    answer = answer_of(run, lesson.steps[0])
    assert (answer.choice, answer.values["share"]) == (right, numbers.percent(mean, digits=0))
    assert answer.values["gates"].startswith(f"<s> {numbers.fixed(kept[0].mean())}, ")
    page = open_page(
        "block", checkpoint="student", text="a cat", lesson="recurrence", lesson_step="1",
        block_stack="decoder", block_decoder_step="decoder.1.recurrence",
    )  # fmt: skip
    assert answer.values["share"] in words(page).replace("\\", "")
    assert any("ReLU" in each.value for each in page.get("latex"))


def test_a_model_without_a_recurrence_has_no_answer_to_that_lesson():
    assert answer_of(screen(), lesson_of("recurrence").steps[0]) is None
