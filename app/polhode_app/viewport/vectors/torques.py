"""Torques as double arrows by law: about the support of a body, or the centre of mass of a free one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import SHAPE, with_prefix
from polhode_app.viewport.base.polydata import joined, smooth, unit_arrow
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.vectors.force_arrows import ForceArrows
from polhode_app.viewport.vectors.forces import COLORS as OF_FORCES
from polhode_app.viewport.vectors.forces import FRICTION, NAMES

COLORS: Mapping[str, str] = MappingProxyType({"friction": FRICTION, **OF_FORCES})
"""Colour of each law; friction of supports is a torque only."""


class TorqueView:
    """Torques of each law, and the scale."""

    def __init__(self, renderer: vtkRenderer):
        self.laws = ForceArrows(renderer, COLORS, "N", two_heads(), left=True)

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self.laws.rebuild(stage, "torques")

    def update(self, now: Snapshot) -> None:
        """Draw the torques of a snapshot that contains them."""
        if not self.laws.on:
            return
        told = [(law, now.forces[law]) for law in COLORS if law in now.forces and now.forces[law].torque.any()]
        self.laws.draw([(law, forces.about, forces.torque) for law, forces in told])
        for row, (law, _) in enumerate(reversed(told)):
            self.laws.line(law, _name(law), 1 + row)
        if told and self.laws.unit:
            words = tr("longest torque {torque}").format(torque=with_prefix(self.laws.unit, "N m"))
            self.laws.line("", words, 0)

    def set_visible(self, on: bool) -> None:
        """Show or hide the torques."""
        self.laws.set_visible(on)


def _name(law: str) -> str:
    """Display name of the torque of a law."""
    name = tr("friction of supports") if law == "friction" else tr(NAMES.get(law, law))
    return tr("torque: {law}").format(law=name)


def two_heads() -> pv.PolyData:
    """Arrow with two heads, of length 1 along x."""
    second = 1 - 1.8 * SHAPE["tip_length"]
    cone = pv.Cone(
        center=(second, 0, 0),
        direction=(1, 0, 0),
        height=SHAPE["tip_length"],
        radius=SHAPE["tip_radius"],
        resolution=int(SHAPE["tip_resolution"]),
    )
    return joined([unit_arrow(**SHAPE), smooth(cone)])
