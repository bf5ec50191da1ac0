"""Velocities of bodies, at their centres of mass, and of points; and angular velocities of bodies."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import LONGEST, ScaledArrows, legend
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text

SPEED, SPIN = rgb(PALETTE[2]), rgb(PALETTE[5])

REST = 1e-6  # [rad/s] or [radii of the stage per second]; smaller values are rounding errors


class _Kind:
    """Arrows of one quantity, and a line of the legend with their scale."""

    def __init__(self, renderer: vtkRenderer, color: tuple[float, float, float], row: int, symbol: str):
        self.arrows = ScaledArrows(renderer, symbol=symbol)
        self.arrows.stand_in_front()
        self._renderer, self._shade = renderer, color
        self.text = legend(renderer, color, row)
        self._color = np.round(255 * np.array(color)).astype(np.uint8)

    def draw(self, at: np.ndarray, vectors: np.ndarray, words: str) -> None:
        """Draw vectors (n, 3) at positions (n, 3) [m]; `words` is the text with {number} for the scale."""
        self.arrows.draw(at, vectors, self._color)
        set_colored_text(self._renderer, self.text, words.format(number=f"{self.arrows.unit:g}"), self._shade)
        self.text.SetVisibility(self.arrows.unit > 0)

    def turn(self, on: bool) -> None:
        """Show or hide the arrows."""
        self.arrows.turn(on)
        self.text.SetVisibility(False)  # shown by the next update


class VelocityView:
    """Arrows of velocities and of angular velocities."""

    def __init__(self, renderer: vtkRenderer):
        self.speed = _Kind(renderer, SPEED, 5, "v")
        self.spin = _Kind(renderer, SPIN, 4, "ω")
        self._centers = np.zeros((0, 3))  # (n, 3) [m] centres of mass, body frame
        self._size = 1.0  # [m] of the stage
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scales for a new stage."""
        self._centers, self._size = centers_of(stage), stage.radius
        for kind in (self.speed, self.spin):
            kind.arrows.begin(stage.long(LONGEST, "velocities"))

    def update(self, now: Snapshot) -> None:
        """Draw the velocities of a snapshot."""
        if not self._on:
            return
        bodies, arms = now.bodies, np.einsum("nij,ni->nj", now.bodies.basis, self._centers)
        of_bodies = bodies.position + arms
        at = np.vstack([of_bodies, now.points.position])
        velocity = np.vstack([bodies.velocity + np.cross(bodies.angular_velocity, arms), now.points.velocity])
        self.speed.draw(at, moving(velocity, REST * self._size), tr("longest velocity {number} m/s"))
        words = tr("longest angular velocity {number} rad/s")
        self.spin.draw(of_bodies, moving(bodies.angular_velocity, REST), words)

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._on = on
        for kind in (self.speed, self.spin):
            kind.turn(on)


def moving(vectors: np.ndarray, least: float) -> np.ndarray:
    """(n, 3) vectors; those with a norm below `least` are set to zero."""
    return vectors * (np.linalg.norm(vectors, axis=1) > least)[:, None]


def centers_of(stage: Stage) -> np.ndarray:
    """(n, 3) [m] centres of mass, body frame; zero until the scene is compiled."""
    if stage.built is None:
        return np.zeros((len(stage.scene.bodies), 3))
    return np.array([part.center for part in stage.built.properties]).reshape(-1, 3)
