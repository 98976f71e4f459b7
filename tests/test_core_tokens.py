"""Tokens with their probabilities in tables."""

import pytest

from core.tokens import candidate_lines, log_prob_lines


@pytest.mark.parametrize(("tokens", "logs", "ids"), [([], [], []), (["a"], [-1.0], [1, 2])])
def test_candidates_must_match(tokens, logs, ids):
    with pytest.raises(ValueError, match="as many"):
        candidate_lines(tokens, logs, ids)


def test_running_sums_add_up_and_belong_to_tokens():
    lines = log_prob_lines(["▁a", "▁b", "</s>"], [-1.0, -0.5, -0.25])
    assert lines["sum"].tolist() == [-1.0, -1.5, -1.75]
    with pytest.raises(ValueError, match="2 log-probabilities for 1 tokens"):
        log_prob_lines(["▁a"], [-1.0, -2.0])
