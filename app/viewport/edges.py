"""Smooth edges, where a graphics card makes them for nothing."""

from __future__ import annotations

from vtkmodules.vtkRenderingCore import vtkRenderWindow

SAMPLES = 8  # per pixel
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "gdi generic")


def smooth_edges(window: vtkRenderWindow) -> None:
    """Choose the samples of a window that must draw many frames per second; it has drawn one already.

    Where the processor draws, several samples per pixel cost as many times the frame: there it takes one.
    """
    drawn_by = window.ReportCapabilities().lower()
    window.SetMultiSamples(0 if any(name in drawn_by for name in SOFTWARE) else SAMPLES)
