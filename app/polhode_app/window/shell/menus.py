"""Menus with entries that depend on the state: gallery, recent files, views, languages, themes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from polhode.analysis.followers import has_followers
from polhode.physics.points.description import Chain
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.field_names import scene_description, scene_title
from polhode_app.i18n.language import LANGUAGES, tr
from polhode_app.i18n.language import language as current_language
from polhode_app.session.settings import Theme
from polhode_app.viewport.geometry.soft_surfaces import FEWEST
from polhode_app.viewport.registry import VIEWS
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.widgets.plain_label import wrapped

THEMES: dict[Theme, str] = {
    "light": QT_TRANSLATE_NOOP("Menus", "&Light"),
    "dark": QT_TRANSLATE_NOOP("Menus", "&Dark"),
    "system": QT_TRANSLATE_NOOP("Menus", "&System"),
}

FEATURED = ("magnet_pendulum", "heavy_top", "cloth_on_ball", "break_shot", "jelly_magnet", "trebuchet")
"""Scenes of the start page, one for each kind of physics that a newcomer knows; a search prefers them among equals."""
T = TypeVar("T")


def _text(text: str) -> str:
    """Translate a text of this module."""
    return QCoreApplication.translate("Menus", text)


@cache
def scenes() -> list[tuple[Path, Scene]]:
    """Files and contents of the built-in scenes; read once. Invalid files are left out."""
    found = []
    for name in gallery.scene_names():
        with suppress(InputError):  # a damaged installation: the other scenes can still be opened
            found.append((gallery.path(name), read_scene(gallery.path(name))))
    return found


def scene_group(scene: Scene) -> str:
    """Translated name of the gallery group of a scene, by what it contains."""
    carriers = (*scene.body, *scene.sphere, *scene.bead, *scene.soft)  # `bodies` would compute the paths of beads
    shapes = (shape for body in scene.body for shape in body.shape)
    magnets = any(getattr(carrier, "dipole", ()) for carrier in carriers) or any(shape.magnet for shape in shapes)
    is_soft = any(not (isinstance(soft, Chain) and soft.count < FEWEST) for soft in scene.soft)
    for name, there in (
        (QT_TRANSLATE_NOOP("Menus", "Driven by a sensor"), has_followers(scene)),
        (QT_TRANSLATE_NOOP("Menus", "Spheres"), bool(scene.sphere) and not magnets),
        (QT_TRANSLATE_NOOP("Menus", "Beads on paths"), bool(scene.bead)),
        (QT_TRANSLATE_NOOP("Menus", "Soft bodies"), is_soft),
        (QT_TRANSLATE_NOOP("Menus", "Magnets"), magnets),
        (QT_TRANSLATE_NOOP("Menus", "Springs and points"), bool(scene.particle or scene.soft)),
        (QT_TRANSLATE_NOOP("Menus", "Rigid bodies"), bool(scene.body)),
    ):
        if there:
            return tr(name)
    return tr("Springs and points")


def view_label(name: str) -> str:
    """Translated name of a view that can be shown or hidden."""
    return _text(VIEWS[name].title)


def fill_gallery(menu: QMenu, all_of_them: QAction, open_file: Callable[[Path], None]) -> None:
    """Fill a menu with the built-in scenes, in a submenu for each lesson and group, with descriptions as tool tips.

    `all_of_them` is the action that opens the gallery dialog, `open_file` is called with the file of a scene.
    """
    menu.addAction(all_of_them)
    menu.addSeparator()
    by_name = {path.stem: (path, scene) for path, scene in scenes()}
    for lesson in LESSONS:
        _fill_group(menu, lesson_name(lesson), [by_name[name] for name in lesson.scenes if name in by_name], open_file)
    menu.addSeparator()
    for group in sorted({scene_group(scene) for _, scene in scenes()}):
        _fill_group(menu, group, [row for row in scenes() if scene_group(row[1]) == group], open_file)


def _fill_group(menu: QMenu, name: str, rows: list[tuple[Path, Scene]], open_file: Callable[[Path], None]) -> None:
    """Add a submenu with an entry for each of some scenes."""
    made = menu.addMenu(name)
    made.setToolTipsVisible(True)
    for path, scene in rows:
        action = made.addAction(scene_title(scene) or path.stem)
        action.setToolTip(wrapped(scene_description(scene)))
        action.triggered.connect(lambda _checked=False, path=path: open_file(path))


def fill_list(menu: QMenu, things: Sequence[T], name: Callable[[T], str], open_item: Callable[[T], None]) -> None:
    """Fill a menu with one entry for each of `things`, named by `name`; `open_item` is called with the chosen one."""
    for thing in things:
        menu.addAction(name(thing)).triggered.connect(lambda _checked=False, thing=thing: open_item(thing))
    if not things:
        menu.addAction(_text("None yet")).setEnabled(False)


def fill_switches(menu: QMenu, visible: dict[str, bool], switch: Callable[[str, bool], None]) -> None:
    """Fill a menu with a checkable entry for each view; `switch(name, on)` is called when one is toggled."""
    for name, on in visible.items():
        action = menu.addAction(view_label(name))
        action.setCheckable(True)
        action.setChecked(on)
        action.toggled.connect(lambda on, name=name: switch(name, on))


def fill_languages(menu: QMenu, set_language: Callable[[str], None]) -> None:
    """Fill a menu with all languages by their own names; `set_language` gets a key of LANGUAGES."""
    group = QActionGroup(menu)
    for language, name in LANGUAGES.items():
        action = menu.addAction(name)
        action.setCheckable(True)
        action.setChecked(language == current_language())
        action.triggered.connect(lambda _checked=False, language=language: set_language(language))
        group.addAction(action)


def theme_names() -> dict[Theme, str]:
    """Translated names of the themes, without mnemonics."""
    return {theme: without_mnemonic(_text(text)) for theme, text in THEMES.items()}


def without_mnemonic(text: str) -> str:
    """The text of an action without mnemonic, "(&F)" or "&F", and without trailing dots."""
    head, bracket, tail = text.partition("(&")
    text = head + tail[2:] if bracket else text.replace("&", "")
    return text.removesuffix("...")


def fill_themes(menu: QMenu, current: Theme, set_theme: Callable[[Theme], None]) -> None:
    """Fill a menu with all themes; `set_theme` gets the chosen one."""
    group = QActionGroup(menu)
    for theme, text in THEMES.items():
        action = menu.addAction(_text(text))
        action.setCheckable(True)
        action.setChecked(theme == current)
        action.triggered.connect(lambda _checked=False, theme=theme: set_theme(theme))
        group.addAction(action)
