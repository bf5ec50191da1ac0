"""Smooth edges, where a graphics card makes them for nothing."""

from __future__ import annotations

from vtkmodules.vtkRenderingCore import vtkRenderWindow

SAMPLES = 8  # per pixel
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "gdi generic")


def drawn_by_processor(window: vtkRenderWindow) -> bool:
    """Whether no graphics card draws a window."""
    drawn_by = window.ReportCapabilities().lower()
    return any(name in drawn_by for name in SOFTWARE)


def smooth_edges(window: vtkRenderWindow) -> None:
    """Choose the samples of a window that must draw many frames per second.

    Where the processor draws, several samples per pixel cost as many times the frame: there it takes one.
    """
    window.SetMultiSamples(0 if drawn_by_processor(window) else SAMPLES)
