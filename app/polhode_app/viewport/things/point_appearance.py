"""Appearance of points: radius and colour of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.physics.points.description import Chain, Lattice, Particle, Soft, SoftMesh
from polhode_app.viewport.base.palette import rgba, shape_color, shape_opacity
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.soft_surfaces import has_surface

SMALL = 0.16  # default radius of points of soft bodies, in distances of neighbours
INSIDE = 0.08  # the same for points inside of a soft mesh
PICKED = 0.72  # radius within which a point under a surface is picked, in distances of neighbours
SHADE = 0.55  # radius of the sphere that casts the shadow of a point of a sheet or a block, in the same: no gaps
ALONE = 0.02  # default radius of particles, in radii of the stage
ANCHOR = 0.012  # radius of fixed ends of springs, in radii of the stage
PIN = 1.25  # scale of fixed points


@dataclass(frozen=True, eq=False)
class PointAppearance:
    """Appearance of all points of a stage, in the order of the state."""

    radius: np.ndarray  # (p,) [m] radius of the drawn sphere
    color: np.ndarray  # (p, 4) uint8, red, green, blue and opacity
    skinned: np.ndarray  # (p,) bool: of a soft body with a surface, which shows it in place of points and springs
    covered: np.ndarray  # (p,) bool: the same, but for the fixed points of sheets and ropes
    reach: np.ndarray  # (p,) [m] radius within which it is picked
    shade: np.ndarray  # (p,) [m] radius of the sphere that casts the shadow
    hidden: np.ndarray  # (p,) bool: hidden by the scene


def cloud(stage: Stage) -> PointAppearance:
    """Appearance of the points of a stage; fixed points have the colour of supports."""
    count = len(stage.start.points.position)
    color, (radius, shade, reach) = np.zeros((count, 4)), np.zeros((3, count))
    skinned, covered, hidden = np.zeros((3, count), dtype=bool)
    for number, part in enumerate((*stage.scene.soft, *stage.scene.particle)):
        at = stage.where[part.name]
        radius[at], shade[at], reach[at] = _radii(part, stage.radius)
        skinned[at] = covered[at] = has_surface(part)
        color[at] = *shape_color(part.color, len(stage.scene.bodies) + number), shape_opacity(part.color)
        fixed = np.array(_fixed(part), dtype=int) + at.start
        fixed = fixed[fixed < at.stop]
        color[fixed] = rgba(stage.theme.support)
        if isinstance(part, Chain) and not has_surface(part):
            radius[fixed] = shade[fixed] = ANCHOR * stage.radius  # masses in a row hang from it
        else:
            radius[fixed] *= PIN
        covered[fixed] &= isinstance(part, SoftMesh) or is_block(part)
        if part.name in stage.scene.view.hide:
            radius[at], shade[at], hidden[at] = 0.0, 0.0, True
    return PointAppearance(radius, np.round(255 * color).astype(np.uint8), skinned, covered, reach, shade, hidden)


def anchors(stage: Stage) -> np.ndarray:
    """(n, 3) [m] fixed ends of springs, laboratory frame."""
    ends = [end for spring in stage.scene.spring for end in (spring.from_, spring.to) if isinstance(end, tuple)]
    return np.array(ends).reshape(-1, 3)


def is_block(part: Soft | Particle) -> bool:
    """Whether an item is a lattice in three dimensions."""
    return isinstance(part, Lattice) and min(part.counts) > 1


def _radii(part: Soft | Particle, size: float) -> tuple[float, float, float]:
    """Radii [m] of the drawn spheres of an item, of those that cast shadows, and of those that are picked.

    `size` is the radius of the stage [m].
    """
    if isinstance(part, Particle):
        radius = part.radius or ALONE * size
        return radius, radius, radius
    spacing = float(np.min(part.spacing))
    if isinstance(part, SoftMesh):
        return INSIDE * spacing, 0.4 * spacing, PICKED * spacing
    radius = part.particle_radius or SMALL * spacing
    shade = max(radius, (0.1 if isinstance(part, Chain) else SHADE) * spacing)
    return radius, shade, max(radius, PICKED * spacing)


def _fixed(part: Soft | Particle) -> tuple[int, ...]:
    """Indices of the fixed points of an item."""
    if isinstance(part, Particle):
        return (0,) if part.fixed else ()
    return part.fixed
