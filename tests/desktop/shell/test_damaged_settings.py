"""Settings that are edited or damaged: each value is read through its type or replaced, and the window opens."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path

import pytest
from gui import SOON
from PySide6.QtCore import QByteArray, QSettings
from pytestqt.qtbot import QtBot

from polhode.scene.scene import Scene
from polhode_app.docks.inspector.shown_units import ShownUnits
from polhode_app.docks.plots.plot_settings import PlotSettings
from polhode_app.edit.field_numbers import units_like
from polhode_app.main_window import MainWindow
from polhode_app.sensor.setup import Setup, read_address, read_setup
from polhode_app.session.document import Document
from polhode_app.session.settings import LETTERS, Settings, Stored
from polhode_app.window.parts.docks import DOCKS

SCENE = """
format = 1
title = "T"
[[body]]
name = "top"
support = "pivot"
shape = [{ kind = "sphere", radius = 0.1, density = 1000, position = [0, 0, 0.3] }]
"""
KEYS = [each._key for each in vars(Settings).values() if isinstance(each, Stored)]
NESTED = "[" * 3000
VALUES = (
    *("", "²", "0", "-1", "1", "9" * 5000, "1e308", "nan", "inf", "true", "FALSE", "null", "light", "ja", "日本語"),
    *("@Invalid()", "@Size(1 2)", "@Rect(0 0 1 1)", "@ByteArray(abc)", "@ByteArray()", "@String(x)", "@@", "@No(1)"),
    *(r"@Variant(\0\0\0\x6\x7f\xf0\0\0\0\0\0\0)", r"@Variant(\0\0\0\x7f\0\0\0\x5QPen\0)", "@Variant(x)"),
    *("a, b, c", "a, @Size(1 2)", "forces=²", "forces=1e999", "forces=1=2", "forces=-1, x", "x" * 5000, "/a" * 2500),
    *(r"\x0\x1\x1b[31m", "%n%s", "../../x", r'"{\"T\": {\"columns\": [5], \"level\": 1e999}}"', f'"{NESTED}"'),
    r'"{\"T\": {\"calibration\": {\"pairs\": [[1e999, 2], [1e308, 1]]}, \"filter\": [], \"unit\": [], \"baud\": {}}}"',
)


def stored(folder: Path, values: dict[str, str]) -> Settings:
    """Settings whose file has these lines."""
    path = folder / "settings.ini"
    path.write_text("[General]\n" + "".join(f"{key}={value}\n" for key, value in values.items()), "utf-8")
    return Settings(QSettings(str(path), QSettings.Format.IniFormat))


def test_all_keys_and_values_are_here():
    assert len(KEYS) == 27
    assert len(VALUES) == len(set(VALUES)) == 40


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value[:20])
def test_every_key_has_a_value_of_its_type(value: str, tmp_path: Path):
    settings = stored(tmp_path, dict.fromkeys(KEYS, value))
    switches = "opens_inspector", "ahead", "tones", "story", "toured"
    assert all(type(getattr(settings, name)) is bool for name in switches)
    texts = "plots", "sensors", "port", "other_port", "phone", "tone_quantity", "student"
    assert all(type(getattr(settings, name)) is str for name in texts)
    assert 16 <= settings.past <= 65_536
    assert 0 <= settings.volume <= 100
    assert settings.letters in LETTERS
    assert settings.theme in ("light", "dark", "system")
    assert settings.language in ("en", "ja")
    assert settings.quality in ("auto", "low", "medium", "high")
    assert all(each is None or isinstance(each, QByteArray) for each in (settings.geometry, settings.layout))
    assert settings.docks is None or all(type(name) is str for name in settings.docks)
    assert all(isinstance(path, Path) for path in settings.recent)
    assert all(type(name) is str and type(on) is bool for name, on in settings.switches.items())
    assert all(size > 0 and isfinite(size) for size in settings.sizes.values())
    assert all(
        ShownUnits(settings).of(("body", 0, "m"), unit, 1e-3) in units_like(unit) for unit in ("m", "rad", "N m s")
    )
    settings.opened(tmp_path / "settings.ini")
    assert settings.recent[0] == tmp_path / "settings.ini"
    # the texts within
    choices = PlotSettings(settings).of(Document(Scene(title="T")))
    assert choices is None or isfinite(choices.level or 0.0)
    setup = read_setup(settings.sensors, "T")
    assert isinstance(setup, Setup)
    assert isfinite(setup.calibration(100.0))
    assert read_address(settings.port) is None


def test_what_is_stored_is_read_again(tmp_path: Path):
    settings = stored(tmp_path, {})
    given = {
        "past": 512, "volume": 0, "letters": 150, "theme": "light", "language": "ja", "quality": "low", "story": False,
        "toured": True, "ahead": False, "tones": True, "opens_inspector": False, "docks": ["plots"], "phone": "a:80",
        "units": {"radius": "mm", "position": "m"},
        "sizes": {"forces": 2.0, "fields": 0.25}, "switches": {"forces": True, "trails": False}, "plots": '{"a": {}}',
        "layout": QByteArray(b"\0\1"), "geometry": QByteArray(b"\0\2"),
    }  # fmt: skip
    for name, value in given.items():
        setattr(settings, name, value)
    settings.store.sync()
    again = Settings(QSettings(settings.store.fileName(), QSettings.Format.IniFormat))
    assert {name: getattr(again, name) for name in given} == given
    again.docks, again.layout = [], None
    assert (again.docks, again.layout) == ([], None)
    assert Settings(QSettings(str(tmp_path / "none.ini"), QSettings.Format.IniFormat)).docks is None


def opens(lab: Callable[..., MainWindow], folder: Path, values: dict[str, str], qtbot: QtBot) -> None:
    """A window opens with such settings, with all docks, and runs."""
    stored(folder, values)
    window = lab(SCENE)
    names = [row.name for row in DOCKS]
    for name in names:
        window.action_table[name].setChecked(True)
    qtbot.waitUntil(lambda: all(window.docks.dock(name) is not None for name in names), timeout=SOON)
    window.close()


def test_a_window_opens_with_damaged_settings(lab: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot):
    known = {"past": "²", "docks": "@Size(1 2)", "sizes": "@ByteArray(abc)", "recent": "x" * 5000, "plots": VALUES[37]}
    opens(lab, tmp_path, dict(zip(KEYS, VALUES[-len(KEYS) :], strict=True)) | known | {"sensors": VALUES[39]}, qtbot)


def test_a_window_opens_with_a_file_that_is_no_text(lab: Callable[..., MainWindow], tmp_path: Path):
    (tmp_path / "settings.ini").write_bytes(bytes(range(256)) * 40)
    lab(SCENE)


@pytest.mark.nightly
@pytest.mark.parametrize("shift", range(len(VALUES)))
def test_windows_open_with_every_value(lab: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, shift: int):
    """Each file has another value for each key, so that all of them meet every value once."""
    opens(lab, tmp_path, {key: VALUES[(shift + k) % len(VALUES)] for k, key in enumerate(KEYS)}, qtbot)
