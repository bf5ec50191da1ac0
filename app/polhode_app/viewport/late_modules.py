"""Stand-ins for modules that pyvista and pyvistaqt import and hardly use, so that a start need not wait for them.

- `matplotlib`: pyvista takes colour maps from it by name and draws charts with it, neither of which a start needs; it
  and its `pyplot`, colours and canvas are loaded when they are first used, and so is `pooch`, for files from the web.
- `qtpy.QtCore`, `QtGui`, `QtWidgets`: pyvistaqt takes some thirty classes from them, but they copy every name of
  PySide6, which creates the Python types of all classes of Qt. The stand-ins look a name up when it is asked for.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

LATE = ("matplotlib.pyplot", "pooch")  # they stay, until an attribute is asked for
PLOT, COLORS, CANVAS = "matplotlib", "matplotlib.colors", "matplotlib.backends.backend_agg"
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


class _LateColorMaps:
    """The registry of colour maps of matplotlib, by name; while pyvista is imported, it checks that of its theme."""

    def __getitem__(self, name: str) -> Any:
        plot = importlib.import_module(PLOT)
        return None if isinstance(plot, _Late) else plot.colormaps[name]


def _late_call(module: str, name: str) -> Any:
    """A function that calls one of a module, or makes an object of a class of it."""
    return lambda *arguments, **options: getattr(importlib.import_module(module), name)(*arguments, **options)


def _matplotlib() -> dict[str, ModuleType]:
    """Stand-ins for modules of matplotlib, with what pyvista asks of them while it is imported."""
    modules = {name: _Late(name) for name in (PLOT, COLORS, CANVAS)}
    plot, colors, canvas = modules.values()
    plot.colors, plot.colormaps, plot.pyplot = colors, _LateColorMaps(), sys.modules["matplotlib.pyplot"]  # type: ignore[attr-defined]
    colors.Colormap = type("Colormap", (), {})  # type: ignore[attr-defined]  # for an alias of types alone
    colors.ListedColormap = _late_call(COLORS, "ListedColormap")  # type: ignore[attr-defined]
    canvas.FigureCanvasAgg = _late_call(CANVAS, "FigureCanvasAgg")  # type: ignore[attr-defined]
    return dict(modules)


def import_pyvista() -> None:
    """Import pyvista with the stand-ins; those of modules that have been loaded already are left out."""
    for name in LATE:
        sys.modules.setdefault(name, _Late(name))
    for name in QT:
        sys.modules.setdefault(f"qtpy.{name}", _Qt(f"qtpy.{name}"))
    stand_ins = {} if PLOT in sys.modules else _matplotlib()
    sys.modules.update(stand_ins)
    try:
        importlib.import_module("pyvista.plotting")  # which pyvista loads when it is first used
    finally:
        for name, module in stand_ins.items():  # others may derive classes from what the real ones have
            if sys.modules.get(name) is module:
                del sys.modules[name]
            for attribute in ("colors", "colormaps", "pyplot", "Colormap"):
                module.__dict__.pop(attribute, None)
