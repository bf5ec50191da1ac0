"""Dialogs of the window, and the actions that open them: settings, arrow sizes, gallery, help, log, command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence

from polhode_app.i18n.language import LANGUAGES, in_all_languages, tr
from polhode_app.messages import FrameData, SetHistorySize
from polhode_app.session.settings import MB
from polhode_app.viewport.registry import VIEWS
from polhode_app.window.add_actions import AddActions
from polhode_app.window.arrow_sizes_dialog import ArrowSizesDialog
from polhode_app.window.background_compilation import BackgroundCompilation
from polhode_app.window.gallery_dialog import GalleryDialog
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.settings_dialog import SettingsDialog
from polhode_app.window.shell.actions import entries
from polhode_app.window.shell.command_palette import Command, CommandPalette
from polhode_app.window.shell.help import show_about, show_keys
from polhode_app.window.shell.help_window import HelpWindow
from polhode_app.window.shell.log import Log, LogDialog
from polhode_app.window.shell.menus import FEATURED, scenes, theme_names, view_label, without_mnemonic
from polhode_app.window.shell.report import ReportDialog, report
from polhode_app.window.shell.search_words import other_words, scene_texts
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.tour import Tour

CORNER = 24  # [pixel] distance of a dialog from the corner of the view
NOT_IN_PALETTE = ("palette",)
NOT_NOW = QT_TRANSLATE_NOOP("Unavailable", "not possible now")
SELECT = QT_TRANSLATE_NOOP("Unavailable", "select an item first")
UNAVAILABLE = {
    "undo": QT_TRANSLATE_NOOP("Unavailable", "nothing to undo"),
    "redo": QT_TRANSLATE_NOOP("Unavailable", "nothing to redo"),
    "faster": QT_TRANSLATE_NOOP("Unavailable", "at the highest speed"),
    "slower": QT_TRANSLATE_NOOP("Unavailable", "at the lowest speed"),
} | dict.fromkeys(("delete", "duplicate", "cut", "copy", "move_up", "move_down", "hide", "rename"), SELECT)
"""Why actions can't be run while they are disabled."""
LANGUAGE_WORDS = {"en": "English", "ja": "Japanese"}
LANGUAGE_SYNONYMS = {"en": "英語 言語", "ja": "language"}


class Dialogs(QObject, WindowPart):
    """Opens the dialogs of a window. Choices that concern the whole window are emitted as signals."""

    language_chosen = Signal(str)
    """Key of LANGUAGES."""
    theme_chosen = Signal(str)
    """Theme of the settings."""
    view_toggled = Signal(str, bool)
    """Name of a view, and whether to show it."""

    def __init__(
        self,
        context: WindowContext,
        adding: AddActions,
        compilation: BackgroundCompilation,
        open_file: Callable[[Path], None],
    ):
        """The dialogs are created when they are opened.

        `open_file` opens a scene chosen in the gallery.
        """
        super().__init__(context.window)
        self._context, self._adding, self._compilation = context, adding, compilation
        self._open_file = open_file
        self.log, self.help_window = Log(self), HelpWindow(context.window)
        self.tour = Tour(context)
        self.palette: CommandPalette | None = None
        context.toast.message_shown.connect(self.log.write)
        context.status.messageChanged.connect(self.log.write)
        context.status.log_requested.connect(context.actions["log"].trigger)
        context.status.help_requested.connect(lambda: self.help_window.show_topic("drift"))

    def retranslate(self) -> None:
        """Set the texts of the help, and open the settings again if they are open, in the current language."""
        self.help_window.retranslate()
        self.tour.retranslate()
        for dialog in self._context.window.findChildren(SettingsDialog):
            if dialog.isVisible():  # a closed one is a child until Qt deletes it
                dialog.close()
                self.show_settings()

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Continue the tour."""
        self.tour.update(frame)

    def stop(self) -> None:
        """End the log."""
        self.log.close()

    def explain_divergence(self) -> None:
        """Open the help about runs that diverge."""
        self.help_window.show_topic("blew_up")

    def show_gallery(self) -> None:
        """Open the gallery on its first page."""
        context = self._context
        dialog = GalleryDialog(self._open_file, context.window, context.settings.recent)
        dialog.tour_requested.connect(self.tour.start)
        dialog.open()

    def show_palette(self) -> None:
        """Open the command palette."""
        if self.palette is not None:
            self.palette.deleteLater()
        self.palette = CommandPalette(self._commands(), self._context.window)
        self.palette.show()

    def show_log(self) -> None:
        """Open the log of all messages."""
        LogDialog(self.log, self._context.window).open()

    def report_problem(self) -> None:
        """Open the dialog with what a report of a problem needs."""
        context, screen = self._context, self._context.window.screen()
        size = f"{screen.geometry().width()} x {screen.geometry().height()}, scale {screen.devicePixelRatio():g}"
        text = report(context.scene_view.plotter.render_window, size, self.log.lines)
        ReportDialog(text, context.window).open()

    def show_keys(self) -> None:
        """Open the list of keys and mouse actions."""
        show_keys(self._context.window)

    def show_about(self) -> None:
        """Open the dialog with versions."""
        show_about(self._context.window)

    def show_settings(self) -> None:
        """Open the settings."""
        context = self._context
        dialog = SettingsDialog(
            context.settings,
            self.language_chosen.emit,
            self.theme_chosen.emit,
            self.set_letters,
            self._set_history_size,
            self._compilation.set_enabled,
            context.docks.reset_layout,
            context.window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_arrow_sizes(self) -> None:
        """Open the dialog of arrow sizes at the corner of the view, so that the effect is visible."""
        context = self._context
        dialog = ArrowSizesDialog(context.scene_view, self.view_toggled.emit, self._set_arrow_size, context.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.move(context.view.mapToGlobal(context.view.rect().topLeft() + QPoint(CORNER, CORNER)))
        dialog.show()

    def _set_arrow_size(self, name: str, factor: float) -> None:
        """Set the length factor of a kind of arrow, and store it in the settings."""
        self._context.scene_view.set_arrow_size(name, factor)
        self._context.settings.sizes = self._context.scene_view.sizes
        self._context.view.redraw()

    def set_letters(self, percent: int) -> None:
        """Set the size of letters [%], and store it in the settings; the window draws and measures all again."""
        self._context.settings.letters = percent
        self.theme_chosen.emit(self._context.settings.theme)
        QCoreApplication.sendEvent(self._context.window, QEvent(QEvent.Type.LanguageChange))

    def _set_history_size(self, megabytes: int) -> None:
        """Set the memory [MB] of the rewind buffer, and store it in the settings."""
        self._context.settings.past = megabytes
        self._context.session.send(SetHistorySize(megabytes * MB))

    def _commands(self) -> Iterator[Command]:
        """Commands of the palette: actions, items to add, themes, languages, views to show or hide, built-in scenes.

        They are found by their texts in all languages.
        """
        form = QKeySequence.SequenceFormat.NativeText
        texts = {entry.name: entry.text for entry in entries()}
        for name, action in self._context.actions.items():
            if name not in NOT_IN_PALETTE:
                english, keys = without_mnemonic(texts[name]), action.shortcut().toString(form)
                words = f"{english} {other_words('actions', name)} {_names(texts[name])}"
                reason = "" if action.isEnabled() else tr(UNAVAILABLE.get(name, NOT_NOW))
                yield Command(without_mnemonic(action.text()), keys, action.trigger, words, unavailable=reason)
        for group, addition in self._adding.additions():
            words = (self.tr("Add"), *([tr(group)] if group else []), without_mnemonic(tr(addition.text)))
            add = partial(self._adding.add, addition)
            name = f"Add {group} {_names(addition.text)} {other_words('items', without_mnemonic(addition.text))}"
            yield Command(" > ".join(words), "", add, name)
        for theme, text in theme_names().items():
            yield Command(
                f"{self.tr('Theme')} > {text}", "", partial(self.theme_chosen.emit, theme), other_words("themes", theme)
            )
        for code, language in LANGUAGES.items():
            words = f"{LANGUAGE_WORDS[code]} {language} {LANGUAGE_SYNONYMS[code]}"
            choose = partial(self.language_chosen.emit, code)
            yield Command(f"{self.tr('Language')} > {language}", LANGUAGE_WORDS[code], choose, words)
        for name, on in self._context.scene_view.visible.items():
            hint = self.tr("hide") if on else self.tr("show")
            toggle = partial(self.view_toggled.emit, name, not on)
            words = in_all_languages(VIEWS[name].title)
            yield Command(view_label(name), hint, toggle, f"{words} show hide {VIEWS[name].words}")
        for path, scene in scenes():
            title, words, description = scene_texts(path, scene)
            choose, is_featured = partial(self._open_file, path), path.stem in FEATURED
            yield Command(title, self.tr("scene"), choose, words, description, True, is_featured)


def _names(text: str) -> str:
    """Text of a menu entry in all languages, without its mnemonics."""
    return " ".join(map(without_mnemonic, in_all_languages(text).split()))
