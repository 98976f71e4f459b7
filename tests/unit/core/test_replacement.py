"""Files that are replaced as a whole, by writers that overlap or fail."""

from __future__ import annotations

import pytest

from core.replacement import replacement, write_whole


def test_writers_of_the_same_file_do_not_share_a_temporary_one(tmp_path):
    path = tmp_path / "pruning.json"
    with replacement(path) as slow:
        slow.write_text("the first half")
        write_whole(path, "of another process")
        assert slow.read_text() == "the first half"
        slow.write_text("the whole")
    assert path.read_text() == "the whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_fails_leaves_no_temporary_file(tmp_path):
    def fail_halfway():
        with replacement(tmp_path / "pruning.json") as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert not list(tmp_path.iterdir())
