"""Persistent settings of the window."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QLocale, QLockFile, QSettings

from app.i18n.language import LANGUAGES
from app.viewport.environment.auto_quality import CHOICES, Choice
from core.scene.message import Message

log = logging.getLogger(__name__)

Theme = Literal["light", "dark", "system"]
RECENT_FILES = 8
PATIENCE = 1000  # [ms] that a change waits for one of another window
PAST = 256  # [MB] default size of the rewind buffer
VOLUME = 50  # [%] of the tones
LETTERS = (100, 125, 150, 175, 200)  # [%] sizes of letters


class Settings:
    """Typed properties over a QSettings store. Invalid stored values are replaced by defaults."""

    def __init__(self, store: QSettings | None = None):
        self._store = store or QSettings("polhode", "polhode")
        self._told = False  # the log says that they cannot be kept

    @property
    def recent(self) -> list[Path]:
        """Recently opened files, newest first; missing files are left out."""
        return [path for path in map(Path, self._names("recent")) if path.exists()]

    def _names(self, key: str) -> list[str]:
        """A stored list of strings."""
        stored = self._store.value(key, [])  # QSettings returns a list of one as a str, and an empty list as None
        return [stored] if isinstance(stored, str) else list(stored or [])

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Context of a change that starts from a stored value: what other windows have stored is read before, and they
        wait until the new value is in the file.
        """
        lock = QLockFile(f"{self._store.fileName()}.change")
        lock.tryLock(
            PATIENCE
        )  # without a lock, as in a folder that cannot be written, the value is changed all the same
        try:
            self._store.sync()
            yield
            self._store.sync()
        finally:
            lock.unlock()
        if self._store.status() == QSettings.Status.AccessError and not self._told:
            self._told = True
            log.warning(Message("the settings can't be kept in {file}", file=self._store.fileName()))

    def opened(self, path: Path) -> None:
        """Move a file to the front of the recent files."""
        path = path.resolve()
        with self.exclusive():
            others = [other for other in self.recent if other != path]
            self._store.setValue("recent", [str(each) for each in [path, *others][:RECENT_FILES]])

    @property
    def geometry(self) -> QByteArray | None:
        """Geometry of the main window, as of QWidget.saveGeometry."""
        value = self._store.value("geometry")
        return value if isinstance(value, QByteArray) else None

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)

    @property
    def layout(self) -> QByteArray | None:
        """Layout of the docks, as of QMainWindow.saveState."""
        value = self._store.value("layout")
        return value if isinstance(value, QByteArray) else None

    @layout.setter
    def layout(self, layout: QByteArray | None) -> None:
        self._store.setValue("layout", layout)

    @property
    def docks(self) -> list[str] | None:
        """Names of the docks that were open; None if never stored."""
        return self._names("docks") if self._store.contains("docks") else None

    @docks.setter
    def docks(self, names: list[str]) -> None:
        self._store.setValue("docks", names)

    @property
    def opens_inspector(self) -> bool:
        """Whether the first selection opens the inspector: until a person has opened or closed it."""
        return self._store.value("opens_inspector", self.docks is None, bool) is True

    @opens_inspector.setter
    def opens_inspector(self, on: bool) -> None:
        self._store.setValue("opens_inspector", on)

    @property
    def plots(self) -> str:
        """Plotted columns by scene, as text of app/panels/plots/plot_settings.py."""
        return str(self._store.value("plots", ""))

    @plots.setter
    def plots(self, text: str) -> None:
        self._store.setValue("plots", text)

    @property
    def sensors(self) -> str:
        """Set-ups of sensors by device, as text of app/sensor/setup.py."""
        return str(self._store.value("sensors", ""))

    @sensors.setter
    def sensors(self, text: str) -> None:
        self._store.setValue("sensors", text)

    @property
    def port(self) -> str:
        """Address of the last connected board, as text of app/sensor/setup.py."""
        return str(self._store.value("port", ""))

    @port.setter
    def port(self, text: str) -> None:
        self._store.setValue("port", text)

    @property
    def phone(self) -> str:
        """Address of the phone that was connected last; "" for none."""
        return str(self._store.value("phone", ""))

    @phone.setter
    def phone(self, address: str) -> None:
        self._store.setValue("phone", address)

    @property
    def switches(self) -> dict[str, bool]:
        """Views that are shown or hidden against their default, by name."""
        return dict.fromkeys(self._names("shown"), True) | dict.fromkeys(self._names("hidden"), False)

    @switches.setter
    def switches(self, switches: dict[str, bool]) -> None:
        self._store.setValue("shown", [name for name, on in switches.items() if on])
        self._store.setValue("hidden", [name for name, on in switches.items() if not on])

    @property
    def sizes(self) -> dict[str, float]:
        """Lengths of arrows relative to the default, by view; those equal to 1 are not stored."""
        pairs = [entry.split("=") for entry in self._names("sizes") if re.fullmatch(r"\w+=\d+(\.\d+)?", entry)]
        return {name: float(size) for name, size in pairs if float(size) > 0}

    @sizes.setter
    def sizes(self, sizes: Mapping[str, float]) -> None:
        self._store.setValue("sizes", [f"{name}={size:.3f}" for name, size in sizes.items() if size != 1])

    @property
    def past(self) -> int:
        """Size of the rewind buffer [MB]."""
        value = str(self._store.value("past", PAST))
        return int(value) if value.isdigit() else PAST

    @past.setter
    def past(self, megabytes: int) -> None:
        self._store.setValue("past", megabytes)

    @property
    def ahead(self) -> bool:
        """Whether physics for other scenes is compiled in the background."""
        return str(self._store.value("ahead", "true")) == "true"

    @ahead.setter
    def ahead(self, on: bool) -> None:
        self._store.setValue("ahead", "true" if on else "false")

    @property
    def tones(self) -> bool:
        """Whether tones of a quantity are played."""
        return str(self._store.value("tones", "false")) == "true"

    @tones.setter
    def tones(self, on: bool) -> None:
        self._store.setValue("tones", "true" if on else "false")

    @property
    def tone_quantity(self) -> str:
        """Name of the quantity that is played, "" for the usual one."""
        return str(self._store.value("tone_quantity", ""))

    @tone_quantity.setter
    def tone_quantity(self, name: str) -> None:
        self._store.setValue("tone_quantity", name)

    @property
    def volume(self) -> int:
        """Volume of the tones [%]."""
        value = str(self._store.value("volume", VOLUME))
        return min(int(value), 100) if value.isdigit() else VOLUME

    @volume.setter
    def volume(self, percent: int) -> None:
        self._store.setValue("volume", percent)

    @property
    def letters(self) -> int:
        """Size of letters [%] relative to that of the system, one of LETTERS."""
        value = str(self._store.value("letters", 100))
        return int(value) if value.isdigit() and int(value) in LETTERS else 100

    @letters.setter
    def letters(self, percent: int) -> None:
        self._store.setValue("letters", percent)

    @property
    def story(self) -> bool:
        """Whether scenes open with the card of their story."""
        return str(self._store.value("story", "true")) == "true"

    @story.setter
    def story(self, on: bool) -> None:
        self._store.setValue("story", "true" if on else "false")

    @property
    def toured(self) -> bool:
        """Whether the tour has been shown."""
        return str(self._store.value("toured", "false")) == "true"

    @toured.setter
    def toured(self, on: bool) -> None:
        self._store.setValue("toured", "true" if on else "false")

    @property
    def language(self) -> str:
        """UI language, one of app.i18n.language.LANGUAGES; by default that of the system, or English."""
        value = str(self._store.value("language", QLocale.system().name()[:2]))
        return value if value in LANGUAGES else "en"

    @language.setter
    def language(self, language: str) -> None:
        self._store.setValue("language", language)

    @property
    def theme(self) -> Theme:
        """Colour theme, dark by default."""
        value = self._store.value("theme", "dark")
        return value if value in ("light", "dark", "system") else "dark"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("theme", theme)

    @property
    def quality(self) -> Choice:
        """Quality of the view, by default found by the time of frames."""
        value = self._store.value("quality", "auto")
        return next((choice for choice in CHOICES if choice == value), "auto")

    @quality.setter
    def quality(self, quality: Choice) -> None:
        self._store.setValue("quality", quality)
