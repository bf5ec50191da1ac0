"""Help window: explanations of a topic, beside the main window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QTextBrowser, QToolButton, QWidget

from polhode_app.i18n.language import tr
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.shell.help_texts import page_text, titles
from polhode_app.window.widgets.layouts import row_of

SIZE = QSize(720, 400)  # [pixel]
LIST_STYLE = "QListWidget::item { padding: 5px; }"
LIST = 210  # [pixel] least width of the list


class HelpPage(QDialog):
    """List of all topics, and the text of the selected one. The dialog is not modal and deleted when it closes."""

    def __init__(self, topic: str, parent: QWidget):
        """Create the page at `topic`, a key of `titles`."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize((SIZE * scaled(100) / 100).boundedTo(parent.window().size()))
        self.topics, self.text = QListWidget(), QTextBrowser()
        self.topics.setStyleSheet(LIST_STYLE)
        self.text.document().setDocumentMargin(14)
        for name, title in titles().items():
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.topics.addItem(item)
        row_of(self.topics, (self.text, 1), on=self)
        self.topics.currentItemChanged.connect(self._update_text)
        self.show_topic(topic)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Explanations"))
        for row, title in enumerate(titles().values()):
            self.topics.item(row).setText(tr(title))
        bar = self.topics.verticalScrollBar().sizeHint().width() + 2 * self.topics.frameWidth()
        self.topics.setFixedWidth(max(LIST, self.topics.sizeHintForColumn(0) + bar))
        self._update_text()

    def show_topic(self, topic: str) -> None:
        """Show the text of a topic, a key of `titles`; an unknown one shows the first text."""
        self.topics.setCurrentRow([*titles()].index(topic) if topic in titles() else 0)

    def _update_text(self) -> None:
        """Show the text of the selected topic."""
        item = self.topics.currentItem()
        self.text.setHtml(f"<h3>{item.text()}</h3>{page_text(item.data(Qt.ItemDataRole.UserRole))}")


class HelpWindow(QObject):
    """Opens the help page at a topic; there is at most one page."""

    def __init__(self, parent: QWidget):
        """Pages are children of `parent`."""
        super().__init__(parent)
        self._parent = parent
        self.page: HelpPage | None = None

    def show_topic(self, topic: str) -> None:
        """Show a topic, a key of `titles`, in the open page or in a new one."""
        if self.page is None:
            self.page = HelpPage(topic, self._parent)
            self.page.destroyed.connect(self._on_page_destroyed)
            self.page.show()
        else:
            self.page.show_topic(topic)
            self.page.raise_()

    def retranslate(self) -> None:
        """Set the texts of the open page in the current language."""
        if self.page is not None:
            self.page.retranslate()

    def _on_page_destroyed(self) -> None:
        """Forget a page that was closed."""
        self.page = None


def help_button() -> QToolButton:
    """A small button with a question mark."""
    button = QToolButton()
    button.setText("?")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setFixedWidth(scaled(22))
    return button
