"""Modules that a start of the window does not load are loaded on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(program: str) -> str:
    """Standard output of a program in a new process."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def test_a_start_reads_no_sources_of_modules_and_loads_no_matplotlib_no_hdf5_and_no_downloads() -> None:
    """PySide6 would read that of every module that is imported after it (see `import_as_python_does`)."""
    program = """
import linecache, sys
from polhode_app.pyside_workaround import import_as_python_does
import_as_python_does()
before = len(linecache.cache)
import polhode_app.main_window, polhode_app.runner.loop
print(len(linecache.cache) - before)
print({"matplotlib", "matplotlib.colors", "matplotlib.cm", "pyparsing", "h5py", "pooch.core"} & set(sys.modules))
"""
    read, loaded = run(program).splitlines()
    assert int(read) < 10  # descriptions of fields are read from three sources
    assert loaded == "set()"


@pytest.mark.nightly
def test_pyvista_finds_the_colour_maps_of_matplotlib() -> None:
    program = """
import polhode_app.viewport, pyvista as pv
from pyvista.plotting.colors import get_cmap_safe, get_cycler
named, listed = get_cmap_safe("viridis"), get_cmap_safe(["red", "blue"])
import matplotlib
from matplotlib.colors import Colormap, ListedColormap
print(isinstance(named, Colormap), type(listed) is ListedColormap, listed.N)
print(pv.LookupTable(matplotlib.colormaps["magma"]).cmap.name, len(get_cycler("matplotlib")))
try:
    pv.LookupTable("virids")
except ValueError:
    print("unknown")
"""
    assert run(program).split() == ["True", "True", "2", "magma", "10", "unknown"]


@pytest.mark.nightly
def test_charts_of_pyvista_find_the_canvas_and_pyplot() -> None:
    program = """
import polhode_app.viewport, pyvista as pv
chart = pv.ChartMPL()
print(type(chart._canvas).__name__, type(chart._fig).__name__)
from matplotlib.backends.backend_agg import FigureCanvasAgg
print(type(chart._canvas) is FigureCanvasAgg)
import matplotlib.pyplot, pooch
print(callable(matplotlib.pyplot.subplots), callable(pooch.retrieve))
"""
    assert run(program).split() == ["FigureCanvasAgg", "Figure", "True", "True", "True"]


def test_stand_ins_of_qtpy_have_the_classes_of_pyside() -> None:
    program = """
import polhode_app.viewport
from qtpy import QtCore, QtGui, QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QFrame
print(QtCore.Signal is Signal, QtWidgets.QAction is QAction, QtGui.QImage is QImage, QtWidgets.QFrame is QFrame)
print(hasattr(QtWidgets, "QNothing"))
"""
    assert run(program).split() == ["True", "True", "True", "True", "False"]
