"""A plotter without a window, for the tests that look at what is drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import pyvista as pv

from polhode_app.viewport.base.picture import offscreen


@pytest.fixture
def plotter() -> Iterator[pv.Plotter]:
    plotter = offscreen((320, 240))
    yield plotter
    plotter.close()
