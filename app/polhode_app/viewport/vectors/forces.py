"""Forces as arrows by law: on bodies at their centres of mass, on points at their positions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import with_prefix
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.vectors.force_arrows import ForceArrows

FRICTION = "#999999"  # tangential contact forces, modal damping
COLORS: Mapping[str, str] = MappingProxyType(
    {
        "gravity": PALETTE[0],
        "magnetic": PALETTE[3],
        "contact": PALETTE[5],
        "solids": PALETTE[5],
        "spheres_on_solids": PALETTE[5],
        "springs": PALETTE[2],
        "drag": PALETTE[6],
        "walls": PALETTE[1],
        "surfaces": PALETTE[1],
        "dry_friction": FRICTION,
        "modal_damping": FRICTION,
        "rough": FRICTION,
        "applied": PALETTE[4],
        "centrifugal": PALETTE[5],
        "coriolis": PALETTE[6],
        "euler": PALETTE[1],
        "force": PALETTE[4],
        "eddy currents": PALETTE[2],
        "joint axes": PALETTE[4],
    }
)
"""Colour of each law of `polhode.analysis.forces_by_law`."""
BY_MASS = ("gravity", "centrifugal", "coriolis", "euler")  # laws whose forces are in proportion to the mass
NAMES = {
    "applied": "hand",
    "solids": "contact of solids",
    "spheres_on_solids": "contact of spheres and solids",
    "dry_friction": "friction",
    "modal_damping": "modal damping",
    "coriolis": "Coriolis force",
    "euler": "Euler force",
    "force": "applied force",
    "joint axes": "springs and motors of joints",
}  # display names of laws, where the name of the module is not suitable


class ForceView:
    """Forces of each law, and the scale."""

    def __init__(self, renderer: vtkRenderer):
        self._laws = ForceArrows(renderer, COLORS, "F")
        self._held = np.zeros(0, dtype=bool)  # (n,) whether bodies are fixed or driven

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self._laws.rebuild(stage, "forces")
        self._held = np.array([body.support in ("fixed", "driven") for body in stage.scene.bodies], dtype=bool)

    def update(self, now: Snapshot) -> None:
        """Draw the forces of a snapshot that contains them."""
        if not self._laws.on:
            return
        told = [(law, now.forces[law]) for law in COLORS if law in now.forces]
        on_bodies = {law: self._without_weights(law, forces.on_bodies) for law, forces in told}
        told = [(law, forces) for law, forces in told if on_bodies[law].any() or forces.on_points.any()]
        of_bodies = [(law, forces.at_bodies, on_bodies[law]) for law, forces in told]
        self._laws.draw(of_bodies + [(law, now.points.position, forces.on_points) for law, forces in told])
        for row, (law, _) in enumerate(told):
            self._laws.line(law, tr(NAMES.get(law, law)), row)
        if told and self._laws.unit:
            words = tr("longest arrow {force}").format(force=with_prefix(self._laws.unit, "N"))
            self._laws.line("", words, len(told))

    def _without_weights(self, law: str, on_bodies: np.ndarray) -> np.ndarray:
        """(n, 3) [N] forces of a law, without weights of fixed and driven bodies: a heavy base would set the scale."""
        if law not in BY_MASS or len(on_bodies) != len(self._held):
            return on_bodies
        return np.where(self._held[:, None], 0.0, on_bodies)

    def set_visible(self, on: bool) -> None:
        """Show or hide the forces."""
        self._laws.set_visible(on)
