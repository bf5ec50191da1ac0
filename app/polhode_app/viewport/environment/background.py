"""The background: a vertical gradient, and floors and places in front of it, which do not move.

Where the processor draws, a picture of them with its depths is copied into every frame. VTK draws a gradient as a
textured rectangle as large as the window, which takes software OpenGL as long as most scenes, and so does a floor. A
copy between framebuffers of equal format is a copy of memory there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR
from vtkmodules.vtkRenderingCore import VTK_PBR, vtkActor, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLFramebufferObject, vtkOpenGLRenderWindow, vtkTextureObject

from polhode_app.viewport.base.opengl import drawn_by_processor
from polhode_app.viewport.base.palette import RGB, Theme, rgb
from polhode_app.viewport.base.text_actor import repaint_backs

READ, DRAW = 0x8CA8, 0x8CA9  # GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER
COLORS, DEPTHS, NEAREST = 0x4000, 0x100, 0x2600  # GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT, GL_NEAREST
LAST = -1.0  # priority of observers: after those that place what is drawn
TILE = 64  # [pixel] period of the noise that hides the steps between neighbouring colours
SEED = 3


class Background:
    """The background of a renderer that fills its window.

    `still` returns the actors that do not move and that nothing is seen through.
    """

    def __init__(self, renderer: vtkRenderer, still: Callable[[], Sequence[vtkActor]] = tuple):
        self._renderer, self._still = renderer, still
        self._is_software: bool | None = None  # known with the first frame
        self._painted: tuple[object, ...] = ()  # colours and size of the picture of the gradient
        self._picture: vtkTextureObject | None = None
        self._gradient: vtkOpenGLFramebufferObject | None = None
        self._layer = _layer_of(renderer)  # draws what is still
        self._scenery: vtkOpenGLFramebufferObject | None = None  # gradient and all that is still, with depths
        self._drawn: tuple[object, ...] = ()  # state of what the scenery shows
        self._seen: tuple[object, ...] = ()  # the same in the last frame
        self._hidden: list[vtkActor] = []  # during a frame, since the scenery shows them
        renderer.AddObserver("StartEvent", lambda *_: self._start_frame(), LAST)
        renderer.AddObserver("EndEvent", lambda *_: self._end_frame())

    def paint(self, theme: Theme) -> None:
        """Set the gradient of a theme."""
        renderer = self._renderer
        renderer.GradientBackgroundOn()
        renderer.SetBackground(*rgb(theme.bottom))
        renderer.SetBackground2(*rgb(theme.top))
        repaint_backs(renderer)

    def _start_frame(self) -> None:
        """Copy a picture into the frame: the gradient, whose depths the renderer clears, or all that is still.

        The latter is drawn when its state has stayed for a frame, so that a moving camera has no further cost.
        """
        self._end_frame()  # of one that was aborted
        copies = self._can_copy()
        self._renderer.SetPreserveColorBuffer(copies)
        self._renderer.SetPreserveDepthBuffer(False)
        if not copies:
            self._seen = ()
            return
        self._prepare_gradient()
        actors = [actor for actor in self._still() if actor.GetVisibility() and not _reflects(actor)]
        state = self._state(actors)
        before, self._seen = self._seen, state
        if not actors or state != before:
            self._copy(self._gradient, None, COLORS)
            return
        if state != self._drawn:
            self._copy(self._gradient, None, COLORS)
            self._draw_still(actors)
            self._drawn = self._seen = self._state(actors)  # textures and mappers change when they are first drawn
        else:
            self._copy(self._scenery, None, COLORS | DEPTHS)
        self._renderer.SetPreserveDepthBuffer(True)
        for actor in actors:
            actor.VisibilityOff()
        self._hidden = actors

    def _end_frame(self) -> None:
        """Let the actors of the scenery be visible to all but the renderer."""
        for actor in self._hidden:
            actor.VisibilityOn()
        self._hidden = []

    def _can_copy(self) -> bool:
        """Whether the next frame has a gradient, one sample per pixel, and no passes with framebuffers of their own."""
        renderer = self._renderer
        window = renderer.GetRenderWindow()
        if self._is_software is None:
            self._is_software = drawn_by_processor(window)
        is_plain = renderer.GetPass() is None and renderer.GetSelector() is None and not window.GetMultiSamples()
        return bool(self._is_software and is_plain and renderer.GetGradientBackground())

    def _state(self, actors: Sequence[vtkActor]) -> tuple[object, ...]:
        """All that a picture of actors depends on."""
        renderer = self._renderer
        camera = renderer.GetActiveCamera()
        projection = camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1)
        return (
            self._painted,
            tuple(projection.GetData()),
            renderer.GetUseImageBasedLighting(),
            *((id(actor), *_changes(actor)) for actor in actors),
        )

    def _draw_still(self, actors: Sequence[vtkActor]) -> None:
        """Draw actors into the frame, and copy that to the scenery."""
        renderer = self._renderer
        window = renderer.GetRenderWindow()
        layer = self._layer
        layer.SetActiveCamera(renderer.GetActiveCamera())
        layer.RemoveAllViewProps()
        for actor in actors:
            layer.AddActor(actor)
        layer.DrawOn()
        layer.Render()
        layer.DrawOff()
        if self._scenery is None:
            self._scenery = vtkOpenGLFramebufferObject()
            self._scenery.SetContext(window)
        _match(self._scenery, window)
        self._copy(None, self._scenery, COLORS | DEPTHS)

    def _copy(
        self, source: vtkOpenGLFramebufferObject | None, target: vtkOpenGLFramebufferObject | None, parts: int
    ) -> None:
        """Copy a framebuffer to another one; None is that of the frame."""
        window = self._renderer.GetRenderWindow()
        width, height = window.GetSize()
        state, frame = window.GetState(), window.GetRenderFramebuffer()
        state.vtkglBindFramebuffer(READ, (source or frame).GetFBOIndex())
        state.vtkglBindFramebuffer(DRAW, (target or frame).GetFBOIndex())
        state.vtkglBlitFramebuffer(0, 0, width, height, 0, 0, width, height, parts, NEAREST)
        for end in (READ, DRAW):
            state.vtkglBindFramebuffer(end, frame.GetFBOIndex())

    def _prepare_gradient(self) -> None:
        """Draw the gradient into a framebuffer of its own where its colours or its size are new."""
        window = self._renderer.GetRenderWindow()
        width, height = window.GetSize()
        wanted = (width, height, self._renderer.GetBackground(), self._renderer.GetBackground2())
        if wanted == self._painted:
            return
        self._painted = wanted
        pixels = gradient(self._renderer.GetBackground(), self._renderer.GetBackground2(), width, height)
        self._picture = vtkTextureObject()
        self._picture.SetContext(window)
        self._picture.Create2DFromRaw(width, height, 4, VTK_UNSIGNED_CHAR, pixels)
        self._gradient = vtkOpenGLFramebufferObject()
        self._gradient.SetContext(window)
        state = window.GetState()
        state.PushFramebufferBindings()
        self._gradient.Bind()
        self._gradient.AddColorAttachment(0, self._picture)
        self._gradient.ActivateReadBuffer(0)
        state.PopFramebufferBindings()


def _layer_of(renderer: vtkRenderer) -> vtkRenderer:
    """A renderer with the lights of another one, in its window, which draws only when it is told to.

    It is added before the first frame: a window must not get renderers while it draws.
    """
    made = vtkRenderer()
    made.InteractiveOff()
    made.DrawOff()
    made.SetUseOIT(False)
    made.PreserveColorBufferOn()
    made.SetLightCollection(renderer.GetLights())
    made.AutomaticLightCreationOff()
    renderer.GetRenderWindow().AddRenderer(made)
    return made


def _reflects(actor: vtkActor) -> bool:
    """Whether an actor reflects its surroundings, which the layer does not have: it would be black there."""
    return bool(actor.GetProperty().GetInterpolation() == VTK_PBR)


def _changes(actor: vtkActor) -> tuple[int, ...]:
    """Times of the last changes of all that an actor at rest is drawn by, but for its visibility."""
    mapper, texture = actor.GetMapper(), actor.GetTexture()
    data = mapper.GetInput()
    return (
        mapper.GetMTime(),
        data.GetMTime() if data is not None else 0,
        actor.GetProperty().GetMTime(),
        actor.GetShaderProperty().GetShaderMTime(),
        texture.GetMTime() if texture is not None else 0,
    )


def _match(made: vtkOpenGLFramebufferObject, window: vtkOpenGLRenderWindow) -> None:
    """Give a framebuffer the size and the formats of that of a window."""
    width, height = window.GetSize()
    state, depth = window.GetState(), window.GetRenderBufferTargetDepthSize()
    state.PushFramebufferBindings()
    made.PopulateFramebuffer(
        width, height, True, 1, VTK_UNSIGNED_CHAR, True, depth, 0, bool(window.GetStencilCapable())
    )
    state.PopFramebufferBindings()


def gradient(bottom: RGB, top: RGB, width: int, height: int) -> np.ndarray:
    """(height, width, 4) uint8 pixels of a vertical gradient, the bottom row first, opaque and dithered."""
    share = ((np.arange(height) + 0.5) / height)[:, None, None]
    values = 255 * ((1 - share) * np.array(bottom) + share * np.array(top))
    noise = np.random.default_rng(SEED).random((TILE, TILE, 1))[np.arange(height) % TILE]
    tile = np.full((height, TILE, 4), 255, np.uint8)
    tile[..., :3] = np.floor(values + noise).clip(0, 255)
    return np.ascontiguousarray(np.tile(tile, (1, -(-width // TILE), 1))[:, :width])
