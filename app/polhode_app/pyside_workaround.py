"""Workarounds for PySide6 6.12: references to singletons, surfaces of plotters, and slow imports."""

from __future__ import annotations

import builtins
import ctypes
import importlib
import sys

CONSTANTS = (None, True, False, NotImplemented)
MORE = 1 << 40  # references added: enough for ten thousand years of calls


def guard_constants() -> None:
    """Add references to the singletons that no sequence of calls can use up. To be called before the first window.

    On Python 3.11 PySide6 assumes immortal singletons (PEP 683, Python 3.12): each call without a result releases a
    reference to None that it does not own, each emitted signal one to True. After some minutes of drawing the reference
    count reaches zero and the interpreter stops with "deallocating None".
    """
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12):
        for constant in CONSTANTS:
            ctypes.c_ssize_t.from_address(id(constant)).value += MORE  # the count is the first field of an object


def load_shiboken() -> None:
    """Load what PySide6 is built on, before another thread imports anything.

    It iterates over `sys.modules` as it starts. A module that another thread adds meanwhile would end the program with
    "could not initialize part 2".
    """
    importlib.import_module("shiboken6")


def import_as_python_does() -> None:
    """Give Python its own `__import__` back, which PySide6 replaces when it is loaded.

    The one of PySide6 reads and tokenizes the source of every module that is imported from then on, to find out
    whether it uses `from __feature__ import`, which nothing here does.
    """
    importlib.import_module("PySide6.QtCore")  # which replaces it
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


_surfaces: list[object] = []


def keep_surfaces(plotter: object) -> None:
    """Keep a reference to the off-screen surface that a plotter of pyvistaqt creates to query OpenGL.

    A QOffscreenSurface has two C++ bases. When it is deleted, PySide6 6.12 forgets the Python object of only one of
    them, and a widget allocated later at the other address would be taken for the deleted surface.
    """
    _surfaces.append(getattr(plotter, "_fallback", None))


def release_surfaces(plotter: object) -> None:
    """Release the Python objects of a closed plotter's OpenGL context and surface before Qt deletes the two.

    While they exist, the second address of the deleted surface is not forgotten (see `keep_surfaces`).
    """
    for name in ("_surface", "_ctx"):
        if hasattr(plotter, name):
            setattr(plotter, name, None)
