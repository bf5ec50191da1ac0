"""How the points of a scene look: the radius and the colour of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.viewport.base.palette import rgb, shape_color
from app.viewport.base.stage import Stage
from core.physics.points.description import Chain, Particle, Soft, SoftMesh

SMALL = 0.16  # radius of a soft body's point without one, in the distance to the next
INSIDE = 0.08  # the same of a point under a skin
ALONE = 0.02  # radius of a particle without one, in radii of the stage
ANCHOR = 0.012  # radius of a place in space that a spring holds, in radii of the stage
PIN = 1.25  # a fixed point is drawn so much larger


@dataclass(frozen=True, eq=False)
class PointAppearance:
    """All points of a stage, in the order of the state."""

    radius: np.ndarray  # (p,) [m] of the sphere that is drawn
    color: np.ndarray  # (p, 3) bytes
    covered: np.ndarray  # (p,) bool: a skin is around it
    shade: np.ndarray  # (p,) [m] radius of the sphere that throws its shadow
    hidden: np.ndarray  # (p,) bool: the scene does not want to see it


def cloud(stage: Stage) -> PointAppearance:
    """The points of a stage as they look; those that are fixed have the colour of supports."""
    count = len(stage.start.points.position)
    radius, color, shade = np.zeros(count), np.zeros((count, 3)), np.zeros(count)
    covered, hidden = np.zeros((2, count), dtype=bool)
    for number, part in enumerate((*stage.scene.soft, *stage.scene.particle)):
        at = stage.where[part.name]
        drawn, own = _radii(part, stage.radius)
        radius[at], shade[at], covered[at] = drawn, own, isinstance(part, SoftMesh)
        color[at] = shape_color(part.color, len(stage.scene.bodies) + number)
        fixed = np.array(_fixed(part), dtype=int) + at.start
        fixed = fixed[fixed < at.stop]
        color[fixed] = rgb(stage.theme.support)
        radius[fixed] *= PIN
        if part.name in stage.scene.view.hide:
            radius[at], shade[at], hidden[at] = 0.0, 0.0, True
    return PointAppearance(radius, np.round(255 * color).astype(np.uint8), covered, shade, hidden)


def anchors(stage: Stage) -> np.ndarray:
    """(n, 3) [m] places in space that springs hold."""
    ends = [end for spring in stage.scene.spring for end in (spring.from_, spring.to) if isinstance(end, tuple)]
    return np.array(ends).reshape(-1, 3)


def _radii(part: Soft | Particle, size: float) -> tuple[float, float]:
    """Radius [m] of each point of a part as it is drawn, and of what throws its shadow."""
    if isinstance(part, Particle):
        radius = part.radius or ALONE * size
        return radius, radius
    spacing = float(np.min(part.spacing))
    if isinstance(part, SoftMesh):
        return INSIDE * spacing, 0.4 * spacing
    radius = part.particle_radius or SMALL * spacing
    return radius, max(radius, (0.1 if isinstance(part, Chain) else 0.25) * spacing)


def _fixed(part: Soft | Particle) -> tuple[int, ...]:
    if isinstance(part, Particle):
        return (0,) if part.fixed else ()
    return part.fixed
