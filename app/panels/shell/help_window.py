"""Help where a question arises: a page of explanations beside the window, open while one goes on."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QTextBrowser, QToolButton, QWidget

from app.i18n.language import tr
from app.panels.shell.help_texts import TEXTS, TITLES

SIZE = QSize(720, 400)  # [pixel]
LIST_STYLE = "QListWidget::item { padding: 5px; }"
LIST = 210  # [pixel]


class HelpPage(QDialog):
    """All topics in a list, and the text of one."""

    def __init__(self, topic: str, parent: QWidget):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(SIZE)
        self.topics, self.text = QListWidget(), QTextBrowser()
        self.topics.setFixedWidth(LIST)
        self.topics.setStyleSheet(LIST_STYLE)
        self.text.document().setDocumentMargin(14)
        for name, title in TITLES.items():
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.topics.addItem(item)
        row = QHBoxLayout(self)
        row.addWidget(self.topics)
        row.addWidget(self.text, 1)
        self.topics.currentItemChanged.connect(self._update_text)
        self.show_topic(topic)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Explanations"))
        for row, title in enumerate(TITLES.values()):
            self.topics.item(row).setText(tr(title))
        self._update_text()

    def show_topic(self, topic: str) -> None:
        """Show the page of one of TITLES."""
        self.topics.setCurrentRow([*TITLES].index(topic) if topic in TITLES else 0)

    def _update_text(self) -> None:
        item = self.topics.currentItem()
        self.text.setHtml(f"<h3>{item.text()}</h3>{tr(TEXTS[item.data(Qt.ItemDataRole.UserRole)])}")


class HelpWindow(QObject):
    """Opens the page, once, at the topic that is asked for."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._parent = parent
        self.page: HelpPage | None = None

    def show_topic(self, topic: str) -> None:
        """Explain one of the TITLES."""
        if self.page is None:
            self.page = HelpPage(topic, self._parent)
            self.page.destroyed.connect(self._on_page_destroyed)
            self.page.show()
        else:
            self.page.show_topic(topic)
            self.page.raise_()

    def retranslate(self) -> None:
        """Show the page that is open in the current language."""
        if self.page is not None:
            self.page.retranslate()

    def _on_page_destroyed(self) -> None:
        self.page = None


def help_button() -> QToolButton:
    """A small button that asks for help."""
    button = QToolButton()
    button.setText("?")
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setFixedWidth(22)
    return button
