"""Persistent settings of the window."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, InstanceOf, TypeAdapter
from PySide6.QtCore import QByteArray, QLocale, QLockFile, QSettings

from polhode.scene.gallery import seen_as
from polhode.scene.message import Message
from polhode_app.i18n.language import LANGUAGES
from polhode_app.stored_values import read_as
from polhode_app.viewport.environment.auto_quality import Choice

log = logging.getLogger(__name__)

T = TypeVar("T")
Theme = Literal["light", "dark", "system"]
RECENT_FILES = 8
PATIENCE = 1000  # [ms] that a change waits for one of another window
MB = 2**20  # [bytes]
PAST = 256  # [MB] default size of the rewind buffer
LEAST_PAST, MOST_PAST = 16, 65_536  # [MB]
VOLUME = 50  # [%] of the tones
LETTERS = (100, 125, 150, 175, 200)  # [%] sizes of letters


def _listed(value: object) -> object:
    """A stored list: QSettings returns a list of one as a text, and an empty list as None."""
    return [] if value is None else [value] if isinstance(value, str) else value


def _by_name(value: object) -> object:
    """Texts NAME=SIZE as a mapping."""
    return dict(text.split("=", 1) for text in read_as(TypeAdapter(Names), value, []))


def _one_of_letters(percent: int) -> int:
    if percent not in LETTERS:
        raise ValueError
    return percent


Names = Annotated[list[str], BeforeValidator(_listed)]
Bytes = InstanceOf[QByteArray] | None
Sizes = Annotated[dict[str, Annotated[float, Field(ge=0.001, le=1000)]], BeforeValidator(_by_name)]


class Stored(Generic[T]):
    """A value of the settings: an attribute of Settings that is read through a type, whatever is stored.

    The default is read in place of a value that is missing or does not fit the type; it may be a function of the
    settings.
    """

    def __init__(self, key: str, kind: Any, default: T | Callable[[Settings], T]):
        self._key, self._kind, self._default = key, TypeAdapter(kind), default

    def __get__(self, settings: Settings, _owner: type | None = None) -> T:
        default = self._default(settings) if callable(self._default) else self._default
        store = settings.store
        return read_as(self._kind, store.value(self._key), default) if store.contains(self._key) else default

    def __set__(self, settings: Settings, value: T) -> None:
        settings.store.setValue(self._key, value)


class Settings:
    """Values in a QSettings store. Invalid ones are replaced by defaults."""

    geometry = Stored[QByteArray | None]("geometry", Bytes, None)
    """Geometry of the main window, as of QWidget.saveGeometry."""
    layout = Stored[QByteArray | None]("layout", Bytes, None)
    """Layout of the docks, as of QMainWindow.saveState."""
    docks = Stored[list[str] | None]("docks", Names, None)
    """Names of the docks that were open; None if never stored."""
    opens_inspector = Stored[bool]("opens_inspector", bool, lambda settings: settings.docks is None)
    """Whether the first selection opens the inspector: until a person has opened or closed it."""
    plots = Stored[str]("plots", str, "")
    """Plotted columns by scene, as text of app/polhode_app/docks/plots/plot_settings.py."""
    sensors = Stored[str]("sensors", str, "")
    """Set-ups of sensors by device, as text of app/polhode_app/sensor/setup.py."""
    other_port = Stored[str]("other_port", str, "")
    """Path of the serial port that was typed last."""
    port = Stored[str]("port", str, "")
    """Address of the last connected board, as text of app/polhode_app/sensor/setup.py."""
    phone = Stored[str]("phone", Annotated[str, Field(max_length=300)], "")
    """Address of the phone that was connected last; "" for none."""
    camera_calibration = Stored[str]("camera_calibration", Annotated[str, Field(max_length=4096)], "")
    """File of the calibration of the camera that was watched last; "" for none."""
    student = Stored[str]("student", Annotated[str, Field(max_length=100)], "")
    """Name of the student of the last lesson; "" for none."""
    past = Stored[int]("past", Annotated[int, Field(ge=LEAST_PAST, le=MOST_PAST)], PAST)
    """Size of the rewind buffer [MB]."""
    ahead = Stored[bool]("ahead", bool, True)
    """Whether physics for other scenes is compiled in the background."""
    tones = Stored[bool]("tones", bool, False)
    """Whether tones of a quantity are played."""
    tone_quantity = Stored[str]("tone_quantity", str, "")
    """Name of the quantity that is played, "" for the usual one."""
    volume = Stored[int]("volume", Annotated[int, Field(ge=0, le=100)], VOLUME)
    """Volume of the tones [%]."""
    letters = Stored[int]("letters", Annotated[int, AfterValidator(_one_of_letters)], 100)
    """Text size [%] relative to that of the system, one of LETTERS."""
    story = Stored[bool]("story", bool, True)
    """Whether scenes open with the card of their story."""
    toured = Stored[bool]("toured", bool, False)
    """Whether the tour has been shown."""
    language = Stored[str]("language", Literal[tuple(LANGUAGES)], lambda _settings: _language_of_system())
    """UI language, one of polhode_app.i18n.language.LANGUAGES; by default that of the system, or English."""
    theme = Stored[Theme]("theme", Theme, "light")
    """Colour theme."""
    quality = Stored[Choice]("quality", Choice, "auto")
    """Quality of the view, by default found by the time of frames."""
    _recent = Stored[list[str]]("recent", Names, [])
    _shown = Stored[list[str]]("shown", Names, [])
    _hidden = Stored[list[str]]("hidden", Names, [])
    _units = Stored[dict[str, str]]("units", Annotated[dict[str, str], BeforeValidator(_by_name)], {})
    _sizes = Stored[dict[str, float]]("sizes", Sizes, {})

    def __init__(self, store: QSettings | None = None):
        self.store = store or QSettings("polhode", "polhode")
        self._told = False  # the log says that they cannot be kept

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Context of a change that starts from a stored value: what other windows have stored is read before, and they
        wait until the new value is in the file.
        """
        lock = QLockFile(f"{self.store.fileName()}.change")
        lock.tryLock(
            PATIENCE
        )  # without a lock, as in a folder that cannot be written, the value is changed all the same
        try:
            self.store.sync()
            yield
            self.store.sync()
        finally:
            lock.unlock()
        if self.store.status() == QSettings.Status.AccessError and not self._told:
            self._told = True
            log.warning(Message("the settings can't be kept in {file}", file=self.store.fileName()))

    @property
    def recent(self) -> list[Path]:
        """Recently opened files, newest first; missing files are left out."""
        return [path for path in map(Path, self._recent[:RECENT_FILES]) if seen_as(Path.exists, path)]

    def opened(self, path: Path) -> None:
        """Move a file to the front of the recent files."""
        path = path.resolve()
        with self.exclusive():
            others = [other for other in self.recent if other != path]
            self._recent = [str(each) for each in [path, *others][:RECENT_FILES]]

    @property
    def switches(self) -> dict[str, bool]:
        """Views that are shown or hidden against their default, by name."""
        return dict.fromkeys(self._shown, True) | dict.fromkeys(self._hidden, False)

    @switches.setter
    def switches(self, switches: dict[str, bool]) -> None:
        self._shown = [name for name, on in switches.items() if on]
        self._hidden = [name for name, on in switches.items() if not on]

    @property
    def units(self) -> dict[str, str]:
        """Units that were typed in fields, by the name of the field, such as radius."""
        return self._units

    @units.setter
    def units(self, units: Mapping[str, str]) -> None:
        self.store.setValue("units", [f"{field}={name}" for field, name in units.items()])

    @property
    def sizes(self) -> dict[str, float]:
        """Lengths of arrows relative to the default, by view; those equal to 1 are not stored."""
        return self._sizes

    @sizes.setter
    def sizes(self, sizes: Mapping[str, float]) -> None:
        self.store.setValue("sizes", [f"{name}={size:.3f}" for name, size in sizes.items() if size != 1])


def _language_of_system() -> str:
    code = QLocale.system().name()[:2]
    return code if code in LANGUAGES else "en"
