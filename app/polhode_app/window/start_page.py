"""First page of the gallery: lessons, a few scenes with large pictures, recent files, and the tour."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from polhode.scene import gallery
from polhode_app.i18n.field_names import scene_description, scene_title
from polhode_app.i18n.phrases import breaking_at_phrases
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.shell.lessons import heading as heading_of_lessons
from polhode_app.window.shell.menus import FEATURED, scenes
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.moving_thumbnails import MovingThumbnails
from polhode_app.window.widgets.plain_label import wrapped

PICTURE = QSize(296, 185)  # [pixel]
CELL = PICTURE + QSize(12, 0)  # and the title below
TITLE = 37  # [pixel] height
SIDE = 148  # [pixel] width of the column beside the scenes
PATH, DESCRIPTION = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 2


class StartPage(QWidget):
    """Lessons, featured scenes, the files that were opened last, and a button for the tour.

    A double click or Return opens a scene or a file.
    """

    opened = Signal(object)
    """Path of the scene or file that was chosen."""
    tour_requested = Signal()
    lesson_chosen = Signal(int)
    """Index of a lesson."""
    current_changed = Signal()

    def __init__(self, recent: list[Path], theme: str, parent: QWidget):
        """Create the page with the recent files, newest first; pictures are those for the theme "light" or "dark"."""
        super().__init__(parent)
        self.featured, self.recent = QListWidget(), QListWidget()
        self.tour_button = QPushButton(self.tr("Tour in two steps"))
        self.tour_button.clicked.connect(self.tour_requested)
        self.lesson_buttons = [self._lesson_button(number) for number in range(len(LESSONS))]
        self._lay_out(bool(recent))
        self._fill(recent, theme)
        self.thumbnails = MovingThumbnails(
            self.featured, PICTURE, lambda item: gallery.strip(item.data(PATH).stem, theme)
        )
        for entries in (self.featured, self.recent):
            entries.itemActivated.connect(lambda item: self.opened.emit(item.data(PATH)))
        self.featured.currentItemChanged.connect(lambda *_: self.current_changed.emit())

    @property
    def current(self) -> QListWidgetItem | None:
        """The selected scene."""
        return self.featured.currentItem()

    def _lay_out(self, has_recent: bool) -> None:
        """Set up and place the widgets."""
        self.featured.setViewMode(QListWidget.ViewMode.IconMode)
        self.featured.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.featured.setMovement(QListWidget.Movement.Static)
        self.featured.setIconSize(PICTURE)
        self.featured.setGridSize(CELL + QSize(0, scaled(TITLE)))
        self.featured.setWordWrap(True)
        self.featured.setUniformItemSizes(True)
        self.featured.setAccessibleName(self.tr("Start page"))
        self.recent.setMaximumWidth(scaled(SIDE))
        self.recent.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        recent = self.tr("Recent files")  # the extraction of texts does not look into f-strings
        heading = QLabel(f"<b>{recent}</b>")
        empty = QLabel(self.tr("None yet"))
        heading.setFixedWidth(scaled(SIDE))
        side = column_of(heading, *([(self.recent, 1)] if has_recent else [empty, 1]), self.tour_button)
        title = heading_of_lessons()
        lessons = row_of(QLabel(f"<b>{title}</b>"), *self.lesson_buttons, 1, margins=0)
        column_of(lessons, (row_of((self.featured, 1), side, margins=0), 1), on=self, margins=0)

    def _lesson_button(self, number: int) -> QPushButton:
        """A button that shows the scenes of a lesson."""
        button = QPushButton(LESSONS[number].title)
        button.setToolTip(lesson_name(LESSONS[number]))
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self.lesson_chosen.emit(number))
        return button

    def _fill(self, recent: list[Path], theme: str) -> None:
        """Add the scenes with their pictures, and the files."""
        titles = {path.stem: (path, scene) for path, scene in scenes()}
        for name in FEATURED:
            path, scene = titles[name]
            item = QListWidgetItem(QIcon(self._picture(name, theme)), breaking_at_phrases(scene_title(scene)))
            item.setData(PATH, path)
            item.setData(DESCRIPTION, scene_description(scene))
            item.setSizeHint(self.featured.gridSize())
            self.featured.addItem(item)
        self.featured.setCurrentRow(0)
        for path in recent:
            item = QListWidgetItem(path.name)
            item.setData(PATH, path)
            item.setToolTip(wrapped(str(path)))
            self.recent.addItem(item)

    def _picture(self, name: str, theme: str) -> QPixmap:
        """The picture of a scene in the size of the page."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(str(gallery.picture(name, theme)))
        smooth = Qt.TransformationMode.SmoothTransformation
        picture = picture.scaled(PICTURE * ratio, Qt.AspectRatioMode.KeepAspectRatio, smooth)
        picture.setDevicePixelRatio(ratio)
        return picture
