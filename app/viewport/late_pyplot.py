"""Loads matplotlib's pyplot when it is first used: pyvista imports it for charts, which no view of ours has.

A third of a second of every start. The module stands in `sys.modules` as one that imports the real one at the first
access of an attribute; what accesses it does not notice.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

NAME = "matplotlib.pyplot"


class _Late(ModuleType):
    """A module that has no attributes of its own."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # such as __file__, which is asked of all modules
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


def load_pyplot_late() -> None:
    """To be called before pyvista's plotter is imported; no effect if pyplot has been loaded."""
    if NAME not in sys.modules:
        sys.modules[NAME] = _Late(NAME)
