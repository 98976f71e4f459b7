"""Toy tasks with a known answer, and their training."""

import itertools

import numpy as np
import pytest
import torch

from model.toy import LETTERS, TASKS, TOKENS, answer, train_toy

DONE = {"copy": list, "reverse": lambda word: word[::-1], "sort": sorted}


@pytest.mark.parametrize("task", TASKS)
def test_words_that_are_shown_are_the_task_done_right(task):
    assert len(set(LETTERS)) == len(LETTERS)
    word = [4, 0, 3, 1]
    assert [word[place] for place in answer(task, word)] == DONE[task](word)
    state = next(train_toy(task))
    for sentence in state.formation.sentences:
        source = [TOKENS.index(token) for token in sentence.source_tokens[:-1]]
        target = [TOKENS.index(token) for token in sentence.target_tokens[:-1]]
        assert target == DONE[task](source)
        assert len(set(source)) == len(source)
        for place, of in enumerate(sentence.alignment[:-1]):
            assert sentence.target_tokens[place] == sentence.source_tokens[of]


def test_copying_is_learnt_and_attention_finds_the_letter():
    first, *_, last = train_toy("copy", seed=0, last_step=300)
    assert first.accuracy[-1] < 0.3 < 0.9 < last.accuracy[-1]
    assert first.aligned[-1].max() < 0.3 < 0.6 < last.aligned[-1].max()
    steps = last.formation.steps
    assert steps[0] == 0
    assert steps[-1] == last.step == 300
    assert last.aligned.shape == (len(steps), 1, 2)
    assert last.formation.sentences[0].word_gain.shape == (len(steps), 8)


def test_the_same_seed_gives_the_same_training_whatever_others_draw():
    def losses(seed):
        torch.manual_seed(np.random.default_rng().integers(1 << 30))
        return [state.loss for state in itertools.islice(train_toy("sort", seed), 1, 4)]

    assert losses(1) == losses(1) != losses(2)
    with pytest.raises(ValueError, match="shuffle"):
        next(train_toy("shuffle"))
