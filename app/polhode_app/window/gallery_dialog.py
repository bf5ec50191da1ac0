"""Gallery: a start page, and all built-in scenes with pictures, by group or by search words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QPushButton, QStackedWidget, QWidget

from polhode.scene import gallery
from polhode.scene.display.published import SOURCES
from polhode_app.i18n.field_names import scene_description, scene_title
from polhode_app.i18n.phrases import breaking_at_phrases
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.shell.menus import FEATURED, scene_group, scenes
from polhode_app.window.shell.search_words import document_title, scene_texts
from polhode_app.window.shell.theme import MIDDLE
from polhode_app.window.start_page import StartPage
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.moving_thumbnails import MovingThumbnails
from polhode_app.window.widgets.plain_label import PlainLabel, wrapped
from polhode_app.window.widgets.search import Searched, found

PICTURE = QSize(240, 150)  # [pixel]
CELL = PICTURE + QSize(12, 0)  # and the title below
TITLE = 44  # [pixel] height
WINDOW = QSize(1010, 640)
GROUPS = 190  # [pixel] least width of their list
LIST_STYLE = "QListWidget::item { padding: 5px; }"
PICTURES_PER_STEP = 3  # pictures read before other events are processed
ROLES = Qt.ItemDataRole
START, ALL = 0, 1 + len(LESSONS)  # rows of the groups; the lessons are between them


class GalleryDialog(QDialog):
    """Lists the built-in scenes with their pictures, and opens the selected one.

    It opens on the start page; what is typed is searched in all scenes, or in the group that was selected. A double
    click or Return opens the selection. Pictures are read in small portions by a timer, so that the dialog appears at
    once.
    """

    tour_requested = Signal()

    def __init__(self, open_file: Callable[[Path], None], parent: QWidget, recent: Sequence[Path] = ()):
        """Create the dialog; `open_file` is called with the file of the scene that was chosen.

        recent: files of the start page
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Gallery"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize((WINDOW * scaled(100) / 100).boundedTo(parent.size()))
        self._open_file = open_file
        self._entries: list[tuple[Searched, QListWidgetItem]] = []  # in the order of the gallery
        self.search = QLineEdit()
        self.groups, self.list = QListWidget(), QListWidget()
        self.description = PlainLabel()
        self._open_button = QPushButton(self.tr("Open"))
        self._theme = "dark" if self.palette().window().color().lightness() < MIDDLE else "light"
        self.start = StartPage(list(recent), self._theme, self)
        self._pages = QStackedWidget()
        self._lay_out()
        self._populate()
        self.thumbnails = MovingThumbnails(
            self.list, PICTURE, lambda item: gallery.strip(item.data(ROLES.UserRole).stem, self._theme)
        )
        self._without_picture = [item for _, item in self._entries]
        self._picture_timer = QTimer(self)
        self._picture_timer.timeout.connect(self._load_pictures)
        self._picture_timer.start(0)

    def _lay_out(self) -> None:
        """Set up and place the widgets, and connect them."""
        self.search.setPlaceholderText(self.tr("Search scenes"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self.groups.setStyleSheet(LIST_STYLE)
        self.groups.setAccessibleName(self.tr("Groups of scenes"))
        self.list.setAccessibleName(self.tr("Scenes"))
        self.list.setViewMode(QListWidget.ViewMode.IconMode)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setMovement(QListWidget.Movement.Static)
        self.list.setIconSize(PICTURE)
        self.list.setGridSize(CELL + QSize(0, scaled(TITLE)))
        self.list.setWordWrap(True)
        self.list.setUniformItemSizes(True)
        self.description.setWordWrap(True)
        self.description.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.description.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._open_button.setDefault(True)
        self._pages.addWidget(self.start)
        self._pages.addWidget(self.list)
        middle = row_of(self.groups, (self._pages, 1))
        lower = row_of((self.description, 1), (self._open_button, 0, Qt.AlignmentFlag.AlignBottom))
        column_of(self.search, (middle, 1), lower, on=self)
        self.search.textChanged.connect(self._search)
        self.groups.currentRowChanged.connect(self._filter_scenes)
        self.list.currentItemChanged.connect(self._update_description)
        self.list.itemActivated.connect(self._open_selected)
        self._open_button.clicked.connect(self._open_selected)
        self.start.current_changed.connect(self._update_description)
        self.start.opened.connect(self._open)
        self.start.lesson_chosen.connect(lambda number: self.groups.setCurrentRow(1 + number))
        self.start.tour_requested.connect(self.tour_requested)
        self.start.tour_requested.connect(self.reject)

    def _populate(self) -> None:
        """Add an entry for every scene, with a blank picture, and the groups."""
        rows = [(path, scene, scene_group(scene)) for path, scene in scenes()]
        documents, published = self.tr("Documents"), self.tr("Published experiments")
        lessons = [lesson_name(lesson) for lesson in LESSONS]
        groups = sorted({name for _, _, name in rows})
        self.groups.addItems([self.tr("Start page"), *lessons, self.tr("All"), *groups, published, documents])
        bar = self.groups.verticalScrollBar().sizeHint().width() + 2 * self.groups.frameWidth()
        self.groups.setFixedWidth(max(GROUPS, self.groups.sizeHintForColumn(0) + bar))
        blank = QPixmap(PICTURE)
        blank.fill(self.palette().midlight().color())
        for path, scene, name in rows:
            item = QListWidgetItem(QIcon(blank), breaking_at_phrases(scene_title(scene) or path.stem))
            item.setData(ROLES.UserRole, path)
            source, description = document_title(path.stem), scene_description(scene)
            taught = [lesson_name(lesson) for lesson in LESSONS if path.stem in lesson.scenes]
            listed = [documents] if source else []
            if path.stem in SOURCES:
                listed, source = [*listed, published], SOURCES[path.stem].text
            item.setData(ROLES.UserRole + 1, [name, *taught, *listed])
            item.setData(ROLES.UserRole + 2, f"{description}\n{source}" if source else description)
            item.setToolTip(wrapped(description))
            item.setSizeHint(self.list.gridSize())
            self.list.addItem(item)
            self._entries.append((Searched(*scene_texts(path, scene), False, path.stem in FEATURED), item))
        self.groups.setCurrentRow(START)
        self._filter_scenes()

    def _load_pictures(self) -> None:
        """Read the next PICTURES_PER_STEP pictures; stop the timer after the last one."""
        for item in self._without_picture[:PICTURES_PER_STEP]:
            picture = QPixmap(str(gallery.picture(item.data(ROLES.UserRole).stem, self._theme)))
            if not picture.isNull():  # a scene without a picture keeps the blank one
                ratio = self.devicePixelRatioF()
                smooth = Qt.TransformationMode.SmoothTransformation
                fitted = picture.scaled(PICTURE * ratio, Qt.AspectRatioMode.KeepAspectRatio, smooth)
                fitted.setDevicePixelRatio(ratio)
                item.setIcon(QIcon(fitted))
        del self._without_picture[:PICTURES_PER_STEP]
        if not self._without_picture:
            self._picture_timer.stop()

    @property
    def pictures_loaded(self) -> bool:
        """Whether all pictures have been read."""
        return not self._without_picture

    def _search(self) -> None:
        """Show what matches the search words in the selected group, or in all scenes if none of the group does."""
        self._filter_scenes()
        if self.groups.currentRow() not in (START, ALL) and not self.visible_items():
            self.groups.setCurrentRow(ALL)

    def _filter_scenes(self) -> None:
        """Show the scenes of the selected group that match the search words, best first, and select the best.

        Without search words the selection stays if it is visible.
        """
        typed, current = self.search.text().strip(), self.list.currentItem()
        self._pages.setCurrentWidget(self.start if self.shows_start else self.list)
        row = self.groups.currentRow()
        group = self.groups.currentItem().text() if row not in (START, ALL) else ""
        matching = found(typed, self._entries)
        if START < row < ALL and not typed:
            order = LESSONS[row - 1].scenes
            matching = [item for name in order for item in matching if item.data(ROLES.UserRole).stem == name]
        others = [item for _, item in self._entries if item not in matching]
        if [self.list.item(row) for row in range(self.list.count())] != (ordered := [*matching, *others]):
            while self.list.count():
                self.list.takeItem(0)
            for item in ordered:
                self.list.addItem(item)
        for item in ordered:
            item.setHidden(item not in matching or (bool(group) and group not in item.data(ROLES.UserRole + 1)))
        if typed or current is None or current.isHidden():
            current = next(iter(self.visible_items()), None)
        self.list.setCurrentItem(current)
        self._update_description()

    @property
    def shows_start(self) -> bool:
        """Whether the start page is shown: until something is typed or another group is selected."""
        return self.groups.currentRow() == START and not self.search.text().strip()

    def visible_items(self) -> list[QListWidgetItem]:
        """The entries that match group and search words."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item for item in items if not item.isHidden()]

    def _update_description(self) -> None:
        """Show the description of the selected scene."""
        item = self.start.current if self.shows_start else self.list.currentItem()
        self._open_button.setEnabled(item is not None)
        self.description.setText(item.data(ROLES.UserRole + 2) if item is not None else self.tr("Nothing found"))

    def _open_selected(self) -> None:
        """Close the dialog and open the selected scene."""
        item = self.start.current if self.shows_start else self.list.currentItem()
        if item is not None and not item.isHidden():
            self._open(item.data(ROLES.UserRole))

    def _open(self, path: Path) -> None:
        """Close the dialog and open a file."""
        self.accept()
        self._open_file(path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move the selection, and Return open it, while the search line has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                entries = self.start.featured if self.shows_start else self.list
                entries.setFocus()
                entries.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open_selected()
                return True
        return super().eventFilter(watched, event)
