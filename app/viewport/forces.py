"""Forces as arrows, each law in its own colour: of a body at its centre of mass, of a point where it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer, vtkTextActor

from app.viewport.palette import PALETTE, rgb
from app.viewport.stage import Stage
from app.viewport.tension import force_text, rounded_up
from core.snapshot import Snapshot

MOST = 1200  # arrows; of more forces the largest are drawn
LONGEST = 0.28  # length of the arrow of the force that the scale names, in radii of the stage
SHORTEST = 0.01  # shorter arrows are left out, in the same length
RELAXED = 0.1  # the scale follows downwards when the largest force is less than this part of it
SHAPE = {"tip_length": 0.24, "tip_radius": 0.07, "tip_resolution": 12, "shaft_radius": 0.022, "shaft_resolution": 8}
FRICTION = "#999999"  # what acts along what touches
COLORS: Mapping[str, str] = MappingProxyType(
    {
        "gravity": PALETTE[0],
        "magnetic": PALETTE[3],
        "contact": PALETTE[5],
        "springs": PALETTE[2],
        "drag": PALETTE[6],
        "walls": PALETTE[1],
        "surfaces": PALETTE[1],
        "dry_friction": FRICTION,
        "rough": FRICTION,
        "applied": PALETTE[4],
    }
)
"""Colour of each law of `core.force_parts`."""
NAMES = {"applied": "hand", "dry_friction": "friction"}  # what a law is called where its file's name says little


class ForceView:
    """One actor for all arrows, and a list of the laws that act with the length of a round force."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows = pv.PolyData(np.zeros((MOST, 3), np.float32))
        self._arrows.point_data["force"] = np.zeros((MOST, 3), np.float32)
        self._arrows.point_data["color"] = np.zeros((MOST, 3), np.uint8)
        mapper = vtkGlyph3DMapper()
        mapper.SetSourceData(pv.Arrow(direction=(1, 0, 0), **SHAPE))
        mapper.SetInputData(self._arrows)
        mapper.SetOrientationArray("force")
        mapper.SetScaleArray("force")
        mapper.SetScaleModeToScaleByMagnitude()
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        self._actor = vtkActor()
        self._actor.SetMapper(mapper)
        self._actor.PickableOff()
        self._actor.GetProperty().SetAmbient(0.45)
        self._actor.GetProperty().SetDiffuse(0.6)
        renderer.AddActor(self._actor)
        self._texts = {law: _text(renderer, rgb(color)) for law, color in COLORS.items()}
        self._scale_text = _text(renderer, (1.0, 1.0, 1.0))
        self._length = 1.0
        self._unit = 0.0  # [N] whose arrow is `LONGEST`
        self._on = False

    def show(self, stage: Stage) -> None:
        self._length, self._unit = LONGEST * stage.radius, 0.0
        self._scale_text.GetTextProperty().SetColor(*rgb(stage.theme.text))

    def move(self, now: Snapshot) -> None:
        """Write the forces of a moment that has them."""
        if not self._on:
            return
        laws = [law for law in COLORS if law in now.forces]
        parts = [(now.forces[law].at_bodies, now.forces[law].on_bodies) for law in laws]
        parts += [(now.points.position, now.forces[law].on_points) for law in laws]
        counts = [len(at) for at, _ in parts]
        at = np.vstack([np.zeros((0, 3)), *(at for at, _ in parts)])
        force = np.vstack([np.zeros((0, 3)), *(force for _, force in parts)])
        color = np.repeat(np.tile(np.arange(len(laws)), 2), counts)
        size = np.linalg.norm(force, axis=1)
        self._measure(float(size.max(initial=0.0)))
        chosen = np.flatnonzero(size > SHORTEST * self._unit)
        if len(chosen) > MOST:
            chosen = chosen[np.argpartition(size[chosen], -MOST)[-MOST:]]
        count = len(chosen)
        colors = np.round(255 * np.array([rgb(COLORS[law]) for law in laws] or [(0, 0, 0)])).astype(np.uint8)
        arrays = self._arrows.point_data
        np.asarray(self._arrows.points)[:count] = at[chosen]
        arrays["force"][:count] = force[chosen] * (self._length / self._unit if self._unit else 0.0)
        arrays["force"][count:] = 0.0
        arrays["color"][:count] = colors[color[chosen]]
        # What is left out hides inside the first arrow, or it would stretch the bounds.
        np.asarray(self._arrows.points)[count:] = at[chosen[0]] if count else 0.0
        for name in ("force", "color"):
            self._arrows.GetPointData().GetArray(name).Modified()
        self._arrows.GetPoints().Modified()
        self._arrows.Modified()
        self._list(laws)

    def switch(self, on: bool) -> None:
        self._on = on
        self._actor.SetVisibility(on)
        for text in (*self._texts.values(), self._scale_text):
            text.SetVisibility(False)  # the next moment shows those that it needs

    def _measure(self, largest: float) -> None:
        """Choose the force of the longest arrow: a round one that stays until the forces are of another size."""
        if largest > 0 and not RELAXED * self._unit < largest <= self._unit:
            self._unit = rounded_up(largest)

    def _list(self, laws: list[str]) -> None:
        for text in self._texts.values():
            text.SetVisibility(False)
        for row, law in enumerate(laws):
            text = self._texts[law]
            text.SetInput(NAMES.get(law, law))
            text.SetPosition(0.985, 0.955 - 0.035 * row)
            text.SetVisibility(True)
        self._scale_text.SetInput(f"longest arrow {force_text(self._unit)}" if self._unit else "")
        self._scale_text.SetPosition(0.985, 0.955 - 0.035 * len(laws))
        self._scale_text.SetVisibility(bool(laws))


def _text(renderer: vtkRenderer, color: tuple[float, float, float]) -> vtkTextActor:
    text = vtkTextActor()
    text.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    text.PickableOff()
    text.VisibilityOff()
    look = text.GetTextProperty()
    look.SetFontSize(15)
    look.SetColor(*color)
    look.SetJustificationToRight()
    renderer.AddActor(text)
    return text
