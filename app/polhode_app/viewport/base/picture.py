"""Off-screen plotters, and pictures of plotters as arrays and PNG files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyvista as pv
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from polhode.scene.files.file_writing import check_place, discard, empty_beside, replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode_app.version import version
from polhode_app.viewport.base.opengl import check_window, quiet
from polhode_app.viewport.base.text_actor import DOTS

LARGE = (2**23, 2**25)  # pixels above which the number of samples per pixel is halved, each time
USUAL = 720  # [pixel] height of a picture with the default font size; fonts scale with the height
SMOOTH = 8  # samples per pixel of pictures that are not rendered in real time


def offscreen(size: tuple[int, int], transparent: bool = False) -> pv.Plotter:
    """A plotter of `size` (width, height) [pixel] that needs no display; with `transparent` it has an alpha channel.

    Raises InputError where OpenGL is missing or too old.
    """
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        # VTK would look for an X server first and warn that there is none.
        os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    with quiet():
        plotter = pv.Plotter(off_screen=True, window_size=list(size), lighting="none")
    large = sum(size[0] * size[1] > limit for limit in LARGE)
    plotter.render_window.SetMultiSamples(SMOOTH >> large)
    plotter.render_window.SetDPI(round(DOTS * max(1.0, size[1] / USUAL)))
    if transparent:
        plotter.render_window.SetAlphaBitPlanes(1)
    check_window(plotter.render_window)
    return plotter


def pixels(plotter: pv.BasePlotter, transparent: bool = False) -> np.ndarray:
    """(height, width, 3) uint8 of the last frame, top row first; (height, width, 4) with `transparent`."""
    window = plotter.render_window
    width, height = window.GetSize()
    buffer = vtkUnsignedCharArray()
    if transparent:
        window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, buffer, 0)
    else:
        window.GetPixelData(0, 0, width - 1, height - 1, 0, buffer, 0)
    rows = vtk_to_numpy(buffer).reshape(height, width, 4 if transparent else 3)
    return np.ascontiguousarray(rows[::-1])  # VTK has the bottom row first


def picture(plotter: pv.BasePlotter, path: Path, about: Mapping[str, str] | None = None) -> None:
    """Save the last frame as PNG. Raises the errors of `save`."""
    save(pixels(plotter), path, about)


def save(frame: np.ndarray, path: Path, about: Mapping[str, str] | None = None, token: str = "") -> None:
    """Save a picture (height, width, 3 or 4) uint8 as PNG with metadata `about`.

    Large pictures are packed less, which takes a sixth of the time. The file is replaced atomically; `token` is that of
    the unfinished one (`temporary_name`). Raises InputError if it cannot be created, and OSError if the disk is full.
    """
    check_target(path, (".png",))
    known = PngInfo()
    for name, text in {"Software": f"Polhode {version()}", **(about or {})}.items():
        known.add_itxt(name, text)
    with replacing(path, token=token) as file:
        level = 1 if frame.shape[0] * frame.shape[1] > LARGE[0] // 2 else 6
        Image.fromarray(frame).save(file, format="PNG", pnginfo=known, compress_level=level)


def _known(endings: tuple[str, ...]) -> Message:
    """Remedy that names the valid extensions."""
    if len(endings) == 1:
        return Message("use {ending}", ending=endings[0])
    return Message("use {endings} or {last}", endings=", ".join(endings[:-1]), last=endings[-1])


def check_target(path: Path, endings: tuple[str, ...]) -> None:
    """Check that a picture or a film can be written, before the work. Raises InputError."""
    if path.suffix.lower() not in endings:
        raise InputError(
            str(path),
            [
                Problem(
                    "",
                    Message("the ending '{ending}' is not a known one", ending=path.suffix),
                    _known(endings),
                )
            ],
        )
    try:
        check_place(path)
        discard(*empty_beside(path))
    except OSError as error:
        reason = reason_of(error)
        raise InputError(
            str(path),
            [Problem("", Message("can't be written: {reason}", reason=reason), Message("choose another folder"))],
        ) from error
