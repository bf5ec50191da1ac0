"""Nothing but the window appears on the screen while docks open and the inspector shows one item after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from every_field import items
from gui import SOON, inspect
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.docks.inspector.scene_tree import PATH_ROLE
from polhode_app.main_window import MainWindow
from polhode_app.window.parts.docks import DOCKS

Lab = Callable[..., MainWindow]


class Watch(QObject):
    """Event filter of the application: notes the widgets that are shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(f"{type(watched).__name__} '{watched.property('text') or watched.windowTitle()}'")
        return False


@contextmanager
def watched() -> Iterator[list[str]]:
    """The windows that are shown meanwhile."""
    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    try:
        yield watch.shown
    finally:
        QApplication.instance().removeEventFilter(watch)


def test_a_widget_without_a_parent_is_noted(qapp: QApplication) -> None:
    with watched() as shown:
        alone = QWidget()
        alone.setVisible(True)
        alone.close()
    assert len(shown) == 1


def test_selecting_items_of_every_kind_shows_no_window(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    window.session.play(False)
    everything = next(iter(items())).scene
    window.session.open_scene(everything)
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    window.docks.open("tree")
    qtbot.waitUntil(lambda: window.docks.dock("tree") is not None, timeout=SOON)
    tree = window.docks.docks["tree"].tree
    rows = [each.data(0, PATH_ROLE) for each in _below(tree.invisibleRootItem())]
    paths = [path for path in rows if path is not None and path[-1:] != (-1,)]
    assert len(paths) > 20
    seen = set()
    with watched() as shown:
        inspector = inspect(window, *paths[0])
        inspector.show_more(True)
        for path in paths:
            inspect(window, *path)
            QApplication.processEvents()
            assert inspector.form is not None
            seen.add(inspector.form.path)
    assert seen == set(paths)
    assert shown == []


def test_opening_docks_shows_no_window(lab: Lab, qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))
    with watched() as shown:
        for row in DOCKS:
            window.docks.open(row.name)
            qtbot.waitUntil(lambda row=row: window.docks.dock(row.name) is not None, timeout=SOON)
            qtbot.waitUntil(window.docks.docks[row.name].isVisible, timeout=SOON)
            window.action_table[row.name].setChecked(False)
    assert shown == []


def _below(row: object) -> Iterator[object]:
    """All rows of a tree below one."""
    for number in range(row.childCount()):  # type: ignore[attr-defined]
        yield row.child(number)  # type: ignore[attr-defined]
        yield from _below(row.child(number))  # type: ignore[attr-defined]
