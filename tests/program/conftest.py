"""A plotter without a window, for the tests that look at what is drawn; each test begins in English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import pyvista as pv

from polhode_app.i18n.language import set_language
from polhode_app.viewport.base.picture import offscreen


@pytest.fixture(autouse=True)
def _english() -> None:
    """A command sets the language of the process, which the next test would inherit."""
    set_language("en")


@pytest.fixture
def plotter() -> Iterator[pv.Plotter]:
    plotter = offscreen((320, 240))
    yield plotter
    plotter.close()
