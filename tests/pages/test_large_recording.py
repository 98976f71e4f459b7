"""Large recordings on the page: heads that are sent when they are opened, and parts of a text."""

from __future__ import annotations

import numpy as np

from core.files import attention_npz
from core.recorded import as_map
from core.records.attention import AttentionRecord
from core.spelling import spelt
from support.app import choose, heads_of, open_page, run, says, sent_head, told_of, words


def test_heads_of_a_large_recording_are_sent_when_they_are_opened(folder):
    n = 170
    weights = np.random.default_rng(2).dirichlet(np.ones(n), (2, 3, n)).astype(np.float32)
    tokens = ["▁W", "x", "."] * (n // 3) + ["▁W"] * (n % 3)
    record = AttentionRecord(spelt(tokens).sequence, None, (as_map(weights, tokens),))
    page = open_page(checkpoint="recording")
    page.file_uploader[0].upload("mine.npz", attention_npz(record, storage="uint8"))
    run(page)
    assert not page.error
    held = page.session_state["recording"].record.maps[0].weights
    assert says(
        page,
        "recording-uint8",
        site="encoder self-attention",
        error=held.error,
        source="file",
    )
    (site,) = heads_of(page)["sites"]
    assert "weights" not in site
    assert (site["small"]["rows"], len(site["small"]["weights"])) == (40, 6 * 40 * 40 * 2)
    np.testing.assert_allclose(
        site["badges"]["largest"], weights.max(-1).mean(-1).ravel(), atol=3e-3
    )
    for layer, head in ((0, 0), (1, 2)):
        choose(page, layer=layer, head=head, rows=[5], columns=[])
        steps = np.frombuffer(sent_head(page)["weights"], "<u2").reshape(n, n)
        np.testing.assert_allclose(steps / 65534, held[layer, head], atol=1e-5)
    (numbers,) = told_of(page)["numbers"].values()
    np.testing.assert_allclose(numbers["values"], held[:, :, 5].max(-1).ravel(), atol=1e-4)
    for address in ({"sentences": "true"}, {"look": "ribbons"}, {"look": "together"}):
        other = open_page(checkpoint="recording", **address)
        other.file_uploader[0].upload("mine.npz", attention_npz(record, storage="uint8"))
        run(other)
        assert not other.error
        drawn_in_part = "Only a part is drawn" in words(other)
        assert drawn_in_part == ("look" in address)
        if "sentences" in address:
            assert len(heads_of(other)["sites"][0]["rows"]) == n // 3 + 1


def test_sessions_share_the_same_file_alone(folder, monkeypatch):
    # Two files of strangers with one fingerprint, which has 48 bits only.
    monkeypatch.setattr("model.readers.recordings.fingerprint_of", lambda data: "0" * 12)
    held = []
    for weight in (0.25, 0.75, 0.75):
        weights = np.array([[[[weight, 1 - weight], [0.5, 0.5]]]], np.float32)
        record = AttentionRecord(spelt(["a", "b"]).sequence, None, (as_map(weights, ["a", "b"]),))
        page = open_page(checkpoint="recording")
        page.file_uploader[0].upload("mine.npz", attention_npz(record))
        held.append(run(page).session_state["recording"])
    assert held[0].record.maps[0].weights[0, 0, 0, 0] == 0.25
    assert held[1].record.maps[0].weights[0, 0, 0, 0] == 0.75
    assert held[2].record is held[1].record
