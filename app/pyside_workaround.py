"""A guard for Python 3.11 against PySide6 6.12, which counts on constants that can't die, as those of Python 3.12 are.

Each of its calls without a result takes a reference of None away and gives none back, each signal that is sent one of
True: after some minutes of drawing and writing numbers the last one is gone, and the interpreter stops with
"deallocating None".
"""

from __future__ import annotations

import ctypes
import sys

CONSTANTS = (None, True, False, NotImplemented)
MORE = 1 << 40  # references: enough for ten thousand years of calls


def guard_constants() -> None:
    """Give the constants more references than all calls will ever take. Called before the first window."""
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12):
        for constant in CONSTANTS:
            ctypes.c_ssize_t.from_address(id(constant)).value += MORE  # the count is an object's first field


_surfaces: list[object] = []


def keep_surfaces(plotter: object) -> None:
    """Hold the off-screen surface that a plotter of pyvistaqt has made for questions about OpenGL.

    A QOffscreenSurface has two C++ bases. When it is deleted, PySide6 6.12 forgets the Python object of only one of
    them, and what is allocated at the other address later, a button or a menu, is taken for the deleted surface.
    """
    _surfaces.append(getattr(plotter, "_fallback", None))
