"""The notebook of the docs: every cell runs in a new IPython, and its figures show."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell
from plotly.graph_objects import Figure as Plot

from support.models import ROOT, read_json
from viz.figure import Figure

NOTEBOOK = read_json(ROOT / "docs" / "notebook.ipynb")
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_every_cell_runs_and_every_figure_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = InteractiveShell()
    shown = []
    for cell in CELLS:
        done = shell.run_cell(cell)
        done.raise_error()
        shown.append(done.result)
    figures = [each for each in shown if isinstance(each, Figure | Plot)]
    assert len(figures) >= 6
    for figure in figures:
        if isinstance(figure, Plot):
            assert len(figure.data) >= 1
        else:
            assert "<svg" in figure._repr_mimebundle_()["image/svg+xml"]
    assert read_json(tmp_path / "heatmap.json")["title"] == "it → animal"


def test_the_first_picture_takes_five_lines():
    lines = [line for line in CELLS[0].splitlines() if line]
    assert len(lines) <= 5


@pytest.mark.parametrize("key", ["outputs", "execution_count"])
def test_nothing_of_a_run_is_kept_in_the_file(key):
    assert not any(cell.get(key) for cell in NOTEBOOK["cells"])
