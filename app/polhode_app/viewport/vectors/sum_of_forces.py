"""The sum of the forces of all laws on each body and point, as one arrow with a scale of its own.

Forces of supports and of paths are not among the laws: the sum is the mass times the acceleration for free bodies and
for points that are not held.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Forces, Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import LONGEST, ScaledArrows, legend, with_prefix
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text

COLOR = "#ff4f81"
ROUNDING = 1e-9  # of the largest force of a law: smaller sums are rounding errors


class SumOfForcesView:
    """Arrows at centres of mass of bodies and at points, and their scale."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self.arrows, self.text = ScaledArrows(renderer, symbol="ΣF"), legend(renderer, rgb(COLOR), row=6)
        self.arrows.stand_in_front()
        self._color = np.round(255 * np.array(rgb(COLOR))).astype(np.uint8)
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        self.arrows.begin(stage.long(LONGEST, "sum_of_forces"))

    def update(self, now: Snapshot) -> None:
        """Draw the sums of a snapshot that contains the forces."""
        if not self._on:
            return
        at, total = sums(now.forces.values(), now.points.position)
        self.arrows.draw(at, total, self._color)
        force = with_prefix(self.arrows.unit, "N") if self.arrows.unit else ""
        words = tr("longest sum of forces {force}").format(force=force)
        set_colored_text(self._renderer, self.text, words, rgb(COLOR))
        self.text.SetVisibility(bool(force))

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._on = on
        self.arrows.turn(on)
        self.text.SetVisibility(False)  # shown by the next update


def sums(forces: Collection[Forces], points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n + p, 3) [m] and sums of forces (n + p, 3) [N] of bodies and points; empty without a force.

    points: (p, 3) [m] positions of the points
    """
    if not forces:
        return np.zeros((0, 3)), np.zeros((0, 3))
    each = np.array([np.vstack([law.on_bodies, law.on_points]) for law in forces])
    total, largest = each.sum(axis=0), np.abs(each).max(axis=(0, 2))
    total[np.abs(total).max(axis=1) <= ROUNDING * largest] = 0.0
    return np.vstack([next(iter(forces)).at_bodies, points]), total
