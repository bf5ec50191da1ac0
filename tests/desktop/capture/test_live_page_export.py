"""Export of the scene of the window as a live page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from gui import START
from pytestqt.qtbot import QtBot

from polhode import read_scene
from polhode.compilation.web_module.module import kept_module
from polhode_app.main_window import MainWindow
from polhode_app.window.capture import live_page_export
from polhode_app.window.widgets.plain_label import PlainLabel


def test_the_dialog_orders_a_page_of_the_scene_with_the_views_of_the_window(
    lab: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, ordered = lab(), list[Sequence[str]]()
    exports, pages = window.film_renderer._context.exports, window.film_renderer.live_pages

    def start(words: Sequence[str], path: Path, folder: object, texts: object) -> None:
        assert path == tmp_path / "scene.html"
        assert read_scene(words[1]).title == window.session.document.scene.title
        ordered.append(words)

    monkeypatch.setattr(exports, "start", start)
    window.scene_view.set_visible("velocities", True)
    window.film_renderer._context.actions["live_page"].trigger()
    assert pages.dialog is not None
    pages.dialog.path.setText(str(tmp_path / "scene"))
    pages.dialog.buttons.accepted.emit()
    (words,) = ordered
    assert words[0] == "web"
    assert words[words.index("--out") + 1] == str(tmp_path / "scene.html")
    assert words[words.index("velocities") - 1] == "--show"


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_dialog_says_that_the_first_page_takes_long_where_no_module_is_kept(
    lab: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    monkeypatch.setattr(live_page_export, "kept_module", lambda: object() if is_kept else None)
    window = lab()
    window.film_renderer._context.actions["live_page"].trigger()
    dialog = window.film_renderer.live_pages.dialog
    assert dialog is not None
    said = " ".join(label.text() for label in dialog.findChildren(PlainLabel))
    assert "SIMD" in said
    assert ("minutes" in said) is not is_kept


@pytest.mark.nightly
@pytest.mark.skipif(kept_module() is None, reason="no web module is built; make web-module")
def test_the_page_is_written_and_the_window_says_where(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window, path = lab(), tmp_path / "scene.html"
    window.session.play(False)
    window.film_renderer.live_pages.write(path)
    qtbot.waitUntil(lambda: str(path) in window.toast.text, timeout=START)
    assert "wasm-unsafe-eval" in path.read_text("utf-8")
