"""The menus whose entries are not known before they open: gallery, recent files, what is drawn, themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from app.settings import Theme
from core import gallery
from core.problem import InputError
from core.scene_file import read_scene

THEMES: dict[Theme, str] = {
    "light": QT_TRANSLATE_NOOP("Menus", "&Light"),
    "dark": QT_TRANSLATE_NOOP("Menus", "&Dark"),
    "system": QT_TRANSLATE_NOOP("Menus", "As the &system"),
}

NUMBERED = re.compile(r"(.+?) \d+: ")  # a title that is one of a series


def _text(text: str) -> str:
    return QCoreApplication.translate("Menus", text)


def fill_gallery(menu: QMenu, open_file: Callable[[Path], None]) -> None:
    """The built-in scenes by their titles, descriptions as tips; those that are numbered in menus of their own."""
    menu.setToolTipsVisible(True)
    series: dict[str, QMenu] = {}
    for name in gallery.names():
        path = gallery.path(name)
        try:
            scene = read_scene(path)
        except InputError:
            continue  # a broken copy of the program: the others still open
        numbered, place = NUMBERED.match(scene.title), menu
        if numbered:
            if numbered[1] not in series:
                series[numbered[1]] = menu.addMenu(numbered[1])
                series[numbered[1]].setToolTipsVisible(True)
            place = series[numbered[1]]
        action = place.addAction(scene.title or name)
        action.setToolTip(scene.description)
        action.triggered.connect(lambda _checked=False, path=path: open_file(path))


def fill_recent(menu: QMenu, recent: list[Path], open_file: Callable[[Path], None]) -> None:
    """The files that were opened last."""
    for path in recent:
        menu.addAction(str(path)).triggered.connect(lambda _checked=False, path=path: open_file(path))
    if not recent:
        menu.addAction(_text("None yet")).setEnabled(False)


def fill_switches(menu: QMenu, visible: dict[str, bool], switch: Callable[[str, bool], None]) -> None:
    """One entry for each kind of thing that can be shown or not."""
    for name, on in visible.items():
        action = menu.addAction(_text(name.replace("_", " ").capitalize()))
        action.setCheckable(True)
        action.setChecked(on)
        action.toggled.connect(lambda on, name=name: switch(name, on))


def fill_themes(menu: QMenu, current: Theme, wear: Callable[[Theme], None]) -> None:
    """Light, dark, or as the system."""
    group = QActionGroup(menu)
    for theme, text in THEMES.items():
        action = menu.addAction(_text(text))
        action.setCheckable(True)
        action.setChecked(theme == current)
        action.triggered.connect(lambda _checked=False, theme=theme: wear(theme))
        group.addAction(action)
