"""What a config asks for from some step on."""

from training.schedule import latest


def test_the_latest_entry_reached_counts():
    entries = [[3, 5.0], [7, 9.0]]
    assert [latest(step, entries, 1.0) for step in (0, 2, 3, 6, 7, 8)] == [1, 1, 5, 5, 9, 9]


def test_an_entry_of_several_values_gives_them_together():
    assert latest(4, [[3, 0.5, 0.0], [9, 0.6, 0.25]], (0.0, 0.0)) == (0.5, 0.0)
    assert latest(9, [[3, 0.5, 0.0], [9, 0.6, 0.25]], (0.0, 0.0)) == (0.6, 0.25)
