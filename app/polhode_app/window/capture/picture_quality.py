"""Quality of the view: chosen in a menu, or found by the time that frames take."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from polhode_app.session.document import Document
from polhode_app.viewport.environment.auto_quality import AutoQuality, Choice
from polhode_app.window.shell.window_context import WindowContext

NAMES: dict[Choice, str] = {
    "auto": QT_TRANSLATE_NOOP("Menus", "&Automatic, by the time of a frame"),
    "low": QT_TRANSLATE_NOOP("Menus", "&Direct lights and shadows"),
    "medium": QT_TRANSLATE_NOOP("Menus", "&Reflections on metal"),
    "high": QT_TRANSLATE_NOOP("Menus", "Reflections and ambient &occlusion"),
}


class PictureQuality(QObject):
    """Adapts the quality of the view of a window to the setting, and to how long its frames take."""

    def __init__(self, context: WindowContext):
        """Follow the frames of the view and the scenes of the session."""
        super().__init__(context.window)
        self._settings, self._view, self._scene_view = context.settings, context.view, context.scene_view
        self.chosen = AutoQuality(context.settings.quality, context.view.is_software)
        self._scene_view.set_quality(self.chosen.level)
        context.view.drawn.connect(self._on_drawn)
        context.session.scene_changed.connect(self._on_scene_changed)

    def choose(self, choice: Choice) -> None:
        """Set the quality, and remember it in the settings."""
        self._settings.quality = choice
        self.chosen.choose(choice)
        self._draw()

    def fill_menu(self, menu: QMenu) -> None:
        """Fill a menu with the choices."""
        group = QActionGroup(menu)
        for choice, text in NAMES.items():
            action = menu.addAction(QCoreApplication.translate("Menus", text))
            action.setCheckable(True)
            action.setChecked(choice == self.chosen.choice)
            action.triggered.connect(lambda _checked=False, choice=choice: self.choose(choice))
            group.addAction(action)

    def _on_drawn(self) -> None:
        """Take the time of the last frame into account."""
        seconds = self._view.draw_time
        if seconds > 0 and self._scene_view.is_built and self.chosen.drawn(seconds):
            self._draw()

    def _on_scene_changed(self, _document: Document) -> None:
        """Measure again: other scenes take other times."""
        self.chosen.restart()

    def _draw(self) -> None:
        """Draw at the level that was found."""
        self._scene_view.set_quality(self.chosen.level)
        self._view.redraw()
