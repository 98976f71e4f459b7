"""Large recordings in a real browser: a file is dropped, and a head is chosen and seen."""

from __future__ import annotations

import numpy as np
import pytest

from core.files import attention_npz
from core.recorded import as_map
from core.records.attention import AttentionRecord
from core.spelling import spelt
from support.browser import Visit, visiting
from words import english

SIZES = {"long": (12, 12, 512), "wide": (32, 32, 128)}
# Numbers of different colours in the middle row of the canvas of the matrix, and its size.
PAINTED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, canvas.height / 2, canvas.width, 1);
  return [canvas.width, new Set(new Uint32Array(data.buffer)).size];
}"""


class RecordingVisit(Visit):
    """The page of a recording."""

    ready = ('[data-testid="stFileUploaderDropzone"]',)
    height = 800

    def heads(self, state: str = ""):
        return self.page.locator(f".heads[data-drawn]{state}")

    def whole(self, layer: int, head: int) -> None:
        """Wait until a head is open and all of it is here."""
        self.heads(f"[data-whole='yes'][data-layer='{layer}'][data-head='{head}']").wait_for(
            timeout=180_000
        )

    def painted(self) -> tuple[int, int]:
        return tuple(self.heads().locator("canvas.cells").evaluate(PAINTED))


@pytest.fixture
def visit(browser, app):
    with visiting(RecordingVisit, browser, app) as start:
        yield start


def recording(n_layers: int, n_heads: int, n_tokens: int) -> bytes:
    """A file of 8-bit weights: each head looks at another distance."""
    rng = np.random.default_rng(0)
    weights = np.empty((n_layers, n_heads, n_tokens, n_tokens), np.float32)
    at = np.arange(n_tokens)
    for layer, head in np.ndindex(n_layers, n_heads):
        scores = rng.normal(size=(n_tokens, n_tokens)).astype(np.float32)
        scores -= np.abs(at[:, None] - at + head - layer) * 0.2
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights[layer, head] = scores / scores.sum(axis=-1, keepdims=True)
    text = ["▁The", "▁old", "▁fox", "▁sleep", "s", "▁near", "▁the", "▁river", "."]
    tokens = [text[i % len(text)] for i in range(n_tokens)]
    attention = as_map(weights, tokens)
    record = AttentionRecord(spelt(tokens).sequence, None, (attention,))
    return attention_npz(record, storage="uint8")


@pytest.mark.parametrize("size", SIZES)
def test_a_large_recording_opens_and_a_chosen_head_is_seen(visit, size, tmp_path):
    n_layers, n_heads, n_tokens = SIZES[size]
    (tmp_path / "large.npz").write_bytes(recording(n_layers, n_heads, n_tokens))
    here = visit("?checkpoint=recording")
    here.page.locator("input[type=file]").first.set_input_files(tmp_path / "large.npz")
    here.heads().wait_for(timeout=180_000)
    here.whole(0, 0)
    assert here.page.get_by_text("8-bit numbers").is_visible()
    width, n_colours = here.painted()
    assert width >= n_tokens
    assert n_colours > 8
    first = here.heads().locator("canvas.cells").evaluate("c => c.toDataURL()")
    last = f".tile[data-layer='{n_layers - 1}'][data-head='{n_heads - 1}']"
    here.heads().locator(last).click()
    here.whole(n_layers - 1, n_heads - 1)
    assert here.painted()[1] > 8
    assert here.heads().locator("canvas.cells").evaluate("c => c.toDataURL()") != first
    if n_tokens > 160:
        sheet = here.heads().locator(".sheet")
        before = sheet.bounding_box()["width"]
        here.heads().get_by_role("button", name=english("heads-closer")).click()
        here.heads().get_by_role("button", name=english("heads-closer")).click()
        assert sheet.bounding_box()["width"] > max(before, 4 * n_tokens)
    assert here.overflow() <= 0
    assert not here.failures()
