"""Pictures of what a plotter shows, and a plotter without a window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pyvista as pv
from PIL import Image
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from core.problem import InputError, Problem

SMOOTH = 8  # samples per pixel of a picture that nobody waits for at 60 Hz


def offscreen(size: tuple[int, int]) -> pv.Plotter:
    """A plotter of width and height [pixels] that needs no screen."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        # VTK would look for an X server first and warn that there is none.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    plotter = pv.Plotter(off_screen=True, window_size=list(size), lighting="none")
    plotter.render_window.SetMultiSamples(SMOOTH)
    return plotter


def pixels(plotter: pv.BasePlotter) -> np.ndarray:
    """(height, width, 3) bytes of the frame that was drawn last."""
    window = plotter.render_window
    width, height = window.GetSize()
    buffer = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, width - 1, height - 1, 0, buffer, 0)
    return np.ascontiguousarray(vtk_to_numpy(buffer).reshape(height, width, 3)[::-1])  # VTK counts rows from below


def picture(plotter: pv.BasePlotter, path: Path) -> None:
    """Save the frame that was drawn last as PNG; the file is whole or not there."""
    part = part_beside(path, (".png",))
    Image.fromarray(pixels(plotter)).save(part, format="PNG")
    part.replace(path)


def part_beside(path: Path, endings: tuple[str, ...]) -> Path:
    """Name for the unfinished file of a target, in the same folder. Raises InputError where nothing can be written."""
    if path.suffix.lower() not in endings:
        known = " or ".join(endings)
        raise InputError(str(path), [Problem("", f"the ending '{path.suffix}' is not a known one", f"use {known}")])
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if path.is_dir():
            raise InputError(str(path), [Problem("", "is a folder", "give the name of a file")])
        if not path.parent.is_dir():
            rule = f"there is no folder '{path.parent}'"
            raise InputError(str(path), [Problem("", rule, "make it, or choose another")])
        part.touch()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(str(path), [Problem("", f"can't be written: {reason}", "choose another folder")]) from error
    return part
