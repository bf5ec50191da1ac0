"""Every export, asked for twice before the first one is done: both files are written, and the window says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON, START
from pytestqt.qtbot import QtBot

from polhode_app.docks.plots.run_table import TableOptions
from polhode_app.jobs import Job
from polhode_app.main_window import MainWindow
from polhode_app.session.new_file import new_file
from polhode_app.window.capture.page_export import PageOptions
from polhode_app.window.capture.render_dialog import RenderOptions


def ask_table(window: MainWindow, path: Path) -> None:
    window.tables.write(TableOptions(path, until=0.2, every=0.01, units=False))


def ask_model(window: MainWindow, path: Path) -> None:
    window.film_renderer.pages.write(PageOptions(path, until=0.1, size=1.0))


def ask_film(window: MainWindow, path: Path) -> None:
    keys = (window.film_renderer._camera_key(0.0),)
    window.film_renderer.render_film(RenderOptions(path, (64, 48), False, False, fps=10.0, until=0.2, keys=keys))


EXPORTS = {"csv": ask_table, "glb": ask_model, "html": ask_model, "mp4": ask_film}


@pytest.mark.parametrize(
    "endings",
    [
        ("csv", "csv"),
        pytest.param(("csv", "glb", "csv"), marks=pytest.mark.nightly),
        pytest.param(("mp4", "mp4"), marks=pytest.mark.nightly),
        pytest.param(("glb", "glb", "html", "html"), marks=pytest.mark.nightly),
    ],
)
def test_what_is_asked_for_at_once_is_written_one_after_another(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, endings: tuple[str, ...]
) -> None:
    window = lab()
    window.session.play(False)
    paths = [tmp_path / f"file{number}.{ending}" for number, ending in enumerate(endings)]
    for path in paths:
        EXPORTS[path.suffix[1:]](window, path)
    said = window.film_renderer.bar.text if "mp4" in endings else window.toast.text
    assert f"Then: {', '.join(path.name for path in paths[1:])}" in said
    qtbot.waitUntil(lambda: str(paths[-1]) in window.toast.text, timeout=START)
    for path in paths:
        assert path.exists(), path
    if "mp4" not in endings:
        assert all(str(path) in window.toast.text for path in paths[-2:])


@pytest.mark.nightly
def test_a_cancelled_export_makes_way_for_the_next_one(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    window.session.play(False)
    window.tables.write(TableOptions(tmp_path / "long.csv", until=1e5, every=1.0, units=False))
    ask_table(window, tmp_path / "short.csv")
    window.film_renderer._context.exports.cancel()
    qtbot.waitUntil(lambda: "short.csv" in window.toast.text and "saved" in window.toast.text, timeout=START)
    assert (tmp_path / "short.csv").exists()


def test_no_name_is_given_twice(tmp_path: Path) -> None:
    """Two dialogs may be open before the first file is there."""
    names = [new_file("csv", tmp_path / "scene.toml") for _ in range(3)]
    assert len(set(names)) == 3


def test_work_that_is_added_follows_work_that_runs(qtbot: QtBot) -> None:
    """Reports and tables of measurements are written by such a job."""
    job, found = Job("files"), []

    def take() -> bool:
        result = job.poll()
        found.extend([] if result is None else [result])
        return len(found) == 3

    for number in (1, 2, 3):
        job.add(lambda _check, number=number: number)
    qtbot.waitUntil(take, timeout=SOON)
    assert found == [1, 2, 3]
    job.close()
