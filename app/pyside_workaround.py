"""Workaround for PySide6 6.12 on Python 3.11, which assumes immortal singletons (PEP 683, Python 3.12).

Each call without a result releases a reference to None that it does not own, each emitted signal one to True. After
some minutes of drawing the reference count reaches zero and the interpreter stops with "deallocating None".
"""

from __future__ import annotations

import ctypes
import sys

CONSTANTS = (None, True, False, NotImplemented)
MORE = 1 << 40  # references added: enough for ten thousand years of calls


def guard_constants() -> None:
    """Add references to the singletons that no sequence of calls can use up. To be called before the first window."""
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12):
        for constant in CONSTANTS:
            ctypes.c_ssize_t.from_address(id(constant)).value += MORE  # the count is the first field of an object


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
