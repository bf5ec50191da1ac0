"""Stand-ins for modules that pyvista and pyvistaqt import and hardly use, so that a start need not wait for them.

- `matplotlib.pyplot` and matplotlib's canvas: pyvista imports them for charts, which no view of ours has; `pooch`, for
  files from the web. They are loaded when they are first used.
- `qtpy.QtCore`, `QtGui`, `QtWidgets`: pyvistaqt takes some thirty classes from them, but they copy every name of
  PySide6, which creates the Python types of all classes of Qt. The stand-ins look a name up when it is asked for.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

LATE = ("matplotlib.pyplot", "pooch")
CANVAS = "matplotlib.backends.backend_agg"
QT = {"QtCore": ("QtCore",), "QtGui": ("QtGui",), "QtWidgets": ("QtWidgets", "QtGui")}
"""Modules of PySide6 in which the names of those of qtpy are; Qt 6 has moved QAction to QtGui."""


class _Late(ModuleType):
    """A module without attributes of its own, which is replaced by the real one when an attribute is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # such as __file__, which is asked of all modules
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class _Qt(ModuleType):
    """A module of qtpy whose attributes are those of modules of PySide6."""

    def __getattr__(self, name: str) -> Any:
        short = self.__name__.removeprefix("qtpy.")
        for module in QT.get(short, ()):
            try:
                return getattr(importlib.import_module(f"PySide6.{module}"), name)
            except AttributeError:
                continue
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _canvas(*arguments: Any, **options: Any) -> Any:
    """A new FigureCanvasAgg of matplotlib."""
    return importlib.import_module(CANVAS).FigureCanvasAgg(*arguments, **options)


def import_pyvista() -> None:
    """Import pyvista with the stand-ins; those of modules that have been loaded already are left out."""
    for name in LATE:
        sys.modules.setdefault(name, _Late(name))
    for name in QT:
        sys.modules.setdefault(f"qtpy.{name}", _Qt(f"qtpy.{name}"))
    stands_in = CANVAS not in sys.modules
    if stands_in:
        canvas = sys.modules[CANVAS] = ModuleType(CANVAS)
        canvas.FigureCanvasAgg = _canvas  # type: ignore[attr-defined]
    try:
        importlib.import_module("pyvista.plotting")  # which pyvista loads when it is first used
    finally:
        if stands_in:
            del sys.modules[CANVAS]  # others may derive classes from the real one
