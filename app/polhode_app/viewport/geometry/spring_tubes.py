"""Single springs as tubes: coils of wire whose thickness shows the stiffness, straight wires, and strings."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.string_curves import StringCurves
from polhode_app.viewport.geometry.tubes import Tubes, tangents_of

TURNS = 9  # of a coil
PIECES, FEWEST_PIECES = 14, 6  # segments of a turn: with few coils, and with many
RINGS = 6000  # segments of all coils together, from which on they have fewer
END = 0.12  # fraction of a coil that is straight, at either end
WIDE, WIDEST, NARROWEST = 0.085, 0.034, 0.008  # radius of a coil, in its rest length, and its limits in stage radii
STUBBIEST = 0.3  # limit of the radius of a coil, in its rest length
POINT = 0.3  # length, in radii of the stage, by which a spring that starts as a point is as thick as others
SHORT = 0.3  # least length for that, in lengths at the start
WIRE = 0.13  # radius of the wire of a spring of USUAL stiffness, in radii of its coil
USUAL = 50.0  # [N/m]; the radius grows with the fourth root of the stiffness, as that of real springs
THINNEST, THICKEST = 0.06, 0.28  # limits of the radius of the wire, in radii of the coil
VISIBLE = 0.0025  # least radius of the wire, in radii of the stage
STRING = 0.0035  # radius of a string or a straight wire, in radii of the stage
STRING_POINTS = 33
SIDES, FEW_SIDES, FEW = 8, 4, 12  # of a tube: with up to FEW coils, and with more


class SpringTubes:
    """Tubes of the single springs of a stage, and of those between a few masses, as up to three meshes."""

    def __init__(
        self,
        stage: Stage,
        curves: StringCurves,
        rest: np.ndarray,
        stiffness: np.ndarray,
        ends: np.ndarray,
        thicker: float = 1.0,
    ):
        """`rest` (s,) [m] are natural lengths, `ends` (s, 2, 3) [m] the ends at the start.

        The first ones are those of the single springs of the scene, the others are coils. `thicker` scales the
        thickness of all tubes, so that they enclose those of another view.
        """
        springs = stage.scene.spring
        shown = [k for k, spring in enumerate(springs) if not spring.hidden]
        self._strings = [k for k in shown if springs[k].is_string]
        coils = [k for k in shown if springs[k].look == "coil" and not springs[k].is_string]
        self._coils = np.array([*coils, *range(len(springs), len(rest))], dtype=int)
        self._wires = np.array([k for k in shown if springs[k].look == "line" and not springs[k].is_string], dtype=int)
        self._curves = curves
        length = np.maximum(rest, SHORT * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))[self._coils]
        length = np.where(length > 0, length, POINT * stage.radius)
        wide = np.clip(WIDE * length, NARROWEST * stage.radius, WIDEST * stage.radius)
        self._radius = np.minimum(wide, STUBBIEST * length)[:, None, None]
        wire = self._radius[..., 0] * _wire_ratios(stiffness[self._coils])[:, None]
        self._wire = thicker * np.maximum(wire, np.minimum(VISIBLE * stage.radius, THICKEST * self._radius[..., 0]))
        self._thread = np.full((1, 1), thicker * STRING * stage.radius)
        self._pieces = int(np.clip(RINGS / (TURNS * max(len(self._coils), 1)), FEWEST_PIECES, PIECES))
        sides = SIDES if len(self._coils) <= FEW else FEW_SIDES
        self._parts = {
            "coils": (self._coils, Tubes(len(self._coils), TURNS * self._pieces + 1, sides)),
            "wires": (self._wires, Tubes(len(self._wires), 2, SIDES)),
            "strings": (np.array(self._strings, dtype=int), Tubes(len(self._strings), STRING_POINTS, SIDES)),
        }
        along = ends[self._coils, 1] - ends[self._coils, 0]
        self._across = np.eye(3)[np.abs(along).argmin(axis=1)]  # a fixed direction, so that coils do not rotate
        if len(self._coils) and not (stage.compiled is not None and len(stage.compiled.model.breaking.spring)):
            coils = np.column_stack([self._radius[:, 0, 0], self._wire[:, 0], self._across])
            self._parts["coils"][1].surface.field_data["coils"] = coils  # read by app/polhode_app/export/motion

    @property
    def surfaces(self) -> list[pv.PolyData]:
        """The meshes that are not empty."""
        return [tubes.surface for numbers, tubes in self._parts.values() if len(numbers)]

    def write(self, ends: np.ndarray, whole: np.ndarray | None = None) -> None:
        """Write all tubes for springs between `ends` (s, 2, 3) [m]; whole: (s,) bool, none: all.

        Tubes of broken springs are contracted to a point.
        """
        if len(self._coils):
            lines, across = self._wound(ends[self._coils, 0], ends[self._coils, 1] - ends[self._coils, 0])
            self._parts["coils"][1].write(lines, self._wire, across)
        if len(self._wires):
            self._parts["wires"][1].write(ends[self._wires], self._thread)
        if self._strings:
            lines = np.stack([self._curves.curve(k, *ends[k], STRING_POINTS) for k in self._strings])
            self._parts["strings"][1].write(lines, self._thread)
        if whole is None or whole.all():
            return
        for numbers, tubes in self._parts.values():
            if len(numbers):
                gone = np.flatnonzero(~whole[numbers])
                each = np.asarray(tubes.surface.points).reshape(len(numbers), -1, 3)
                each[gone] = ends[numbers[gone], 0][:, None]

    def paint(self, colors: np.ndarray) -> None:
        """Give each spring a colour (s, 3) uint8."""
        for numbers, tubes in self._parts.values():
            if len(numbers):
                each = tubes.surface.n_cells // len(numbers)
                tubes.surface.cell_data.set_scalars(np.repeat(colors[numbers], each, axis=0), "tension")

    def _wound(self, start: np.ndarray, along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(c, n, 3) [m] points of the coils, and (c, n, 3) unit vectors perpendicular to them, away from the axes."""
        unit = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        u = self._across - np.einsum("ni,ni->n", self._across, unit)[:, None] * unit
        u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-300)
        v = np.cross(unit, u)
        share = np.linspace(0, 1, TURNS * self._pieces + 1)
        angle = 2 * np.pi * TURNS * share
        ramp = np.clip(np.minimum(share, 1 - share) / END - 0.5, 0, 1)
        wide = self._radius * (ramp * ramp * (3 - 2 * ramp))[None, :, None]
        away = np.cos(angle)[None, :, None] * u[:, None] + np.sin(angle)[None, :, None] * v[:, None]
        lines = start[:, None] + share[None, :, None] * along[:, None] + wide * away
        tangents = tangents_of(lines)
        across = away - np.einsum("cni,cni->cn", away, tangents)[..., None] * tangents
        return lines, across / np.linalg.norm(across, axis=2, keepdims=True).clip(min=1e-300)


def _wire_ratios(stiffness: np.ndarray) -> np.ndarray:
    """(s,) radius of the wire of each spring of a stiffness (s,) [N/m], in radii of its coil; NaN is a usual one."""
    return np.clip(WIRE * (np.nan_to_num(stiffness, nan=USUAL) / USUAL) ** 0.25, THINNEST, THICKEST)
