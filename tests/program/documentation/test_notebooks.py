"""The notebooks of the documentation run from the first cell to the last in a kernel of Jupyter."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "docs" / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name: str) -> None:
    client, notebooks = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = notebooks.read(FOLDER / name, as_version=4)
    client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": FOLDER}}).execute()
    written = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert any(output.output_type == "display_data" for outputs in written for output in outputs)  # a figure
    assert not [output for outputs in written for output in outputs if output.output_type == "error"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_kept_without_results(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    assert '"outputs": []' in text
    assert '"output_type"' not in text
