"""What the window remembers between two starts."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QSettings

Theme = Literal["light", "dark", "system"]
RECENT_FILES = 8


class Settings:
    """Recent files, place of the window, theme, over a QSettings."""

    def __init__(self, store: QSettings | None = None):
        self._store = store or QSettings("polhode", "polhode")

    @property
    def recent(self) -> list[Path]:
        """Files opened last, newest first; those that are gone are left out."""
        stored = self._store.value("recent", [])
        names = [stored] if isinstance(stored, str) else list(stored or [])
        return [path for path in map(Path, names) if path.exists()]

    def opened(self, path: Path) -> None:
        """Remember a file as the newest."""
        path = path.resolve()
        others = [other for other in self.recent if other != path]
        self._store.setValue("recent", [str(each) for each in [path, *others][:RECENT_FILES]])

    @property
    def geometry(self) -> QByteArray | None:
        value = self._store.value("geometry")
        return value if isinstance(value, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)

    @property
    def theme(self) -> Theme:
        value = self._store.value("theme", "dark")
        return value if value in ("light", "dark", "system") else "dark"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("theme", theme)
