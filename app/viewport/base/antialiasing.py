"""Multisample antialiasing for windows that are rendered by a GPU."""

from __future__ import annotations

from vtkmodules.vtkRenderingCore import vtkRenderWindow

SAMPLES = 8  # per pixel
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "gdi generic")


def drawn_by_processor(window: vtkRenderWindow) -> bool:
    """Whether a window is rendered by software."""
    drawn_by = window.ReportCapabilities().lower()
    return any(name in drawn_by for name in SOFTWARE)


def smooth_edges(window: vtkRenderWindow) -> None:
    """Enable multisampling for a real-time window, unless it is rendered by software.

    In software the cost of a frame is proportional to the number of samples.
    """
    window.SetMultiSamples(0 if drawn_by_processor(window) else SAMPLES)
