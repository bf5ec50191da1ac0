"""Dipole moments: an arrow from the north pole of each magnet, longer for a stronger one.

A magnetic shape has one arrow for its whole dipole cloud. Where a mesh covers magnets, the letters N and S are over the
picture, since those on the shapes are hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode.scene.scene import Dipole
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import NORTH, SOUTH, rgb
from polhode_app.viewport.base.polydata import arrow, crossings, joined
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import Symbols
from polhode_app.viewport.things.instances import MANY, CopiesView, Instances, groups

LENGTH = 0.15  # length of the arrow of the strongest dipole, in radii of the stage
OWN_LENGTH = 1.2  # limit of the length, in sizes of the body
CROWDED = 0.5  # the same in scenes with many bodies
NEARBY = 1e-6  # distance, in sizes of the body, below which two points of a ray are one
SHAPE = {"tip_length": 0.42, "tip_radius": 0.13, "tip_resolution": 24, "shaft_radius": 0.045, "shaft_resolution": 16}


class DipoleView(CopiesView):
    """Arrows fixed to their bodies: a frame writes poses only. The letters of covered poles are moved by it."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._letters = Symbols(renderer, "N")
        self._poles: list[Pole] = []
        self._has_letters = True

    def rebuild(self, stage: Stage) -> None:
        """Build the arrows of all magnets."""
        magnets = [solid.magnets for solid in stage.solids]
        strongest = max((norm(magnet) for of_body in magnets for magnet in of_body), default=0.0)
        seen = [(i, of_body) for i, of_body in enumerate(magnets) if i not in stage.unseen]
        looks = [(i, (id(stage.solids[i].parts), of_body)) for i, of_body in seen if of_body]
        color = rgb(stage.theme.arrow)
        self._replace(
            Instances(
                self._renderer, arrows(stage, numbers[0], magnets[numbers[0]], strongest), numbers, color, _bright
            )
            for numbers in groups(looks)
        )
        covered = [
            (i, of_body) for i, of_body in seen if any(shape.kind == "mesh" for shape in stage.solids[i].body.shape)
        ]
        self._poles = [pole for i, of_body in covered for pole in _poles_of(i, stage.solids[i], of_body)]
        self.update(stage.start)

    def update(self, now: Snapshot) -> None:
        """Write the poses of the bodies, and the positions of letters."""
        super().update(now)
        bodies = now.bodies
        at = [bodies.position[pole.number] + pole.position @ bodies.basis[pole.number] for pole in self._poles]
        poles = self._poles if self._on and self._has_letters else []
        colors = np.array([rgb(NORTH if pole.letter == "N" else SOUTH) for pole in poles]).reshape(-1, 3)
        self._letters.draw(np.array(at[: len(poles)]).reshape(-1, 3), 255 * colors, [pole.letter for pole in poles])

    def set_visible(self, on: bool) -> None:
        """Show or hide arrows; letters follow with the next snapshot."""
        super().set_visible(on)
        if not on:
            self._letters.draw(np.zeros((0, 3)), np.zeros((0, 3)))

    def hide_annotations(self) -> None:
        """Leave out the letters."""
        self._has_letters = False
        self._letters.draw(np.zeros((0, 3)), np.zeros((0, 3)))


class Pole(NamedTuple):
    """A pole of a magnet that a mesh covers."""

    number: int  # of the body
    position: np.ndarray  # (3,) [m] on the surface of the body, body frame
    letter: str  # N or S


def _poles_of(number: int, solid: Solid, magnets: Sequence[Dipole]) -> Iterator[Pole]:
    """Both poles of each magnet of a body."""
    for magnet in magnets:
        if norm(magnet) > 0:
            back = magnet.model_copy(update={"moment": tuple(-part for part in magnet.moment)})
            yield Pole(number, north_pole(solid, magnet), "N")
            yield Pole(number, north_pole(solid, back), "S")


def _bright(look: vtkProperty) -> None:
    """Set ambient and diffuse reflection."""
    look.SetAmbient(0.45)
    look.SetDiffuse(0.6)


def norm(dipole: Dipole) -> float:
    """Magnitude of a dipole moment [A m^2]."""
    return float(np.linalg.norm(dipole.moment))


def arrows(stage: Stage, number: int, magnets: Sequence[Dipole], strongest: float) -> pv.PolyData:
    """Arrows of the magnets of one body, body frame; `strongest` is the largest moment in the scene [A m^2]."""
    solid = stage.solids[number]
    own = (OWN_LENGTH if len(stage.solids) < MANY else CROWDED) * solid.size * stage.sizes.get("dipoles", 1.0)
    longest = min(stage.long(LENGTH, "dipoles"), own)
    pieces = []
    for magnet in magnets:
        if norm(magnet) > 0:
            # The cube root is proportional to the size of a magnet; weak dipoles beside strong ones stay visible.
            length = longest * float(np.cbrt(norm(magnet) / strongest))
            pieces.append(arrow(north_pole(solid, magnet), np.array(magnet.moment), length, **SHAPE))
    return joined(pieces)


def north_pole(solid: Solid, dipole: Dipole) -> np.ndarray:
    """(3,) [m] where a ray from the dipole along its moment leaves the last shape that it begins in, body frame.

    A dipole outside of all shapes belongs to the nearest one.
    """
    start, moment = np.array(dipole.position), np.array(dipole.moment)
    strength = np.linalg.norm(moment)
    if strength == 0:
        return start
    ahead, nearby = moment / strength, NEARBY * solid.size
    met = [crossings(part.corners, start, ahead) for part in solid.parts]
    ends = [of_part.max() for of_part in met if _begins_inside(of_part, nearby)]
    if not ends:
        distances = [np.linalg.norm(np.array(part.surface.center) - start) for part in solid.parts]
        ends = [met[int(np.argmin(distances))].max(initial=0.0)]
    return np.asarray(start + ahead * max(ends))


def _begins_inside(met: np.ndarray, nearby: float) -> bool:
    """Whether a ray begins inside of a closed surface, or on it, which it crosses at distances `met` (n,) [m].

    Crossings nearer to each other than `nearby` [m] are one, at an edge of triangles.
    """
    ordered = np.sort(met)
    single = np.count_nonzero(np.diff(ordered, prepend=-np.inf) > nearby)
    return len(met) > 0 and bool(single % 2 or ordered[0] <= nearby)
