"""The background: a vertical gradient. Where the processor draws, a picture of it is copied into every frame.

VTK draws a gradient as a textured rectangle as large as the window, which takes software OpenGL as long as most scenes.
A copy between framebuffers of equal format is a copy of memory there.
"""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR
from vtkmodules.vtkRenderingCore import vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLFramebufferObject, vtkTextureObject

from polhode_app.viewport.base.opengl import drawn_by_processor
from polhode_app.viewport.base.palette import RGB, Theme, rgb
from polhode_app.viewport.base.text_actor import repaint_backs

READ, COLORS, NEAREST = 0x8CA8, 0x4000, 0x2600  # GL_READ_FRAMEBUFFER, GL_COLOR_BUFFER_BIT, GL_NEAREST
TILE = 64  # [pixel] period of the noise that hides the steps between neighbouring colours
SEED = 3


class Background:
    """The background of a renderer that fills its window."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._is_software: bool | None = None  # known with the first frame
        self._painted: tuple[object, ...] = ()  # colours and size of the picture
        self._picture: vtkTextureObject | None = None
        self._buffer: vtkOpenGLFramebufferObject | None = None
        renderer.AddObserver("StartEvent", lambda *_: self._start_frame())

    def paint(self, theme: Theme) -> None:
        """Set the gradient of a theme."""
        renderer = self._renderer
        renderer.GradientBackgroundOn()
        renderer.SetBackground(*rgb(theme.bottom))
        renderer.SetBackground2(*rgb(theme.top))
        repaint_backs(renderer)

    def _start_frame(self) -> None:
        """Copy the picture of the gradient into the frame; the renderer then clears the depth only."""
        copies = self._can_copy()
        self._renderer.SetPreserveColorBuffer(copies)
        if not copies:
            return
        window = self._renderer.GetRenderWindow()
        width, height = window.GetSize()
        wanted = (width, height, self._renderer.GetBackground(), self._renderer.GetBackground2())
        if wanted != self._painted:
            self._draw(width, height)
            self._painted = wanted
        assert self._buffer is not None
        state, target = window.GetState(), window.GetRenderFramebuffer().GetFBOIndex()
        state.vtkglBindFramebuffer(READ, self._buffer.GetFBOIndex())
        state.vtkglBlitFramebuffer(0, 0, width, height, 0, 0, width, height, COLORS, NEAREST)
        state.vtkglBindFramebuffer(READ, target)

    def _can_copy(self) -> bool:
        """Whether the next frame has a gradient, one sample per pixel, and no passes with framebuffers of their own."""
        renderer = self._renderer
        window = renderer.GetRenderWindow()
        if self._is_software is None:
            self._is_software = drawn_by_processor(window)
        is_plain = renderer.GetPass() is None and renderer.GetSelector() is None and not window.GetMultiSamples()
        return bool(self._is_software and is_plain and renderer.GetGradientBackground())

    def _draw(self, width: int, height: int) -> None:
        """Draw the gradient into a framebuffer of its own."""
        window = self._renderer.GetRenderWindow()
        pixels = gradient(self._renderer.GetBackground(), self._renderer.GetBackground2(), width, height)
        self._picture = vtkTextureObject()
        self._picture.SetContext(window)
        self._picture.Create2DFromRaw(width, height, 4, VTK_UNSIGNED_CHAR, pixels)
        self._buffer = vtkOpenGLFramebufferObject()
        self._buffer.SetContext(window)
        state = window.GetState()
        state.PushFramebufferBindings()
        self._buffer.Bind()
        self._buffer.AddColorAttachment(0, self._picture)
        self._buffer.ActivateReadBuffer(0)
        state.PopFramebufferBindings()


def gradient(bottom: RGB, top: RGB, width: int, height: int) -> np.ndarray:
    """(height, width, 4) uint8 pixels of a vertical gradient, the bottom row first, opaque and dithered."""
    share = ((np.arange(height) + 0.5) / height)[:, None, None]
    values = 255 * ((1 - share) * np.array(bottom) + share * np.array(top))
    noise = np.random.default_rng(SEED).random((TILE, TILE, 1))[np.arange(height) % TILE]
    tile = np.full((height, TILE, 4), 255, np.uint8)
    tile[..., :3] = np.floor(values + noise).clip(0, 255)
    return np.ascontiguousarray(np.tile(tile, (1, -(-width // TILE), 1))[:, :width])
