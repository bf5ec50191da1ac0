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
