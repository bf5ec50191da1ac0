"""Seeds of field lines at the poles of all magnets, such that each line represents the same flux, and in coils.

A point dipole gets a small sphere around it. A shape filled with dipoles has a sphere around each of them; lines start
where rays along the moment of the shape first meet these spheres, and end where they enter one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from polhode.scene.scene import Scene
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage

LINES = 240  # lines of all magnets at most, which determines the cost
MOST = 18  # lines that leave the north pole of one magnet at most; as many reach its south pole
PLANES = 6  # half planes through the axis of a magnet in which its lines lie
CAP = 0.4  # largest fraction of the flux that is drawn; the rest returns close to the magnet
LEAST = 0.5  # radius of the smallest loop that is drawn, in half diagonals of the magnet's shape
CORE = 0.9  # radius of the sphere around a dipole, in half widths of the magnet's shape
GAP_SHARE = 0.4  # limit of this radius, in distances to the next magnet of the body
SPREAD = 0.5  # weight of the extent of the magnets along the normal of a plane; that of their moments is 1
ASKEW = np.array([0.2, 0.0, 0.1])  # (3,) cost of normals along x, y, z: planes facing the default camera are preferred
ACROSS = np.array([[0.0, 0.0], *[[r * np.cos(a), r * np.sin(a)] for r, n in ((1, 6), (2, 12)) for a in
                                 2 * np.pi * (np.arange(n) + 0.5 * (n == 6)) / n]]) / 2.5  # fmt: skip
"""(19, 2) points on a disc of radius 1, from which lines of the external field start."""


@dataclass(frozen=True, eq=False)
class Seeds:
    """Start points of field lines, and the spheres on which they lie; all in the frames of their bodies."""

    body: np.ndarray  # (k,) body of each seed
    position: np.ndarray  # (k, 3) [m] position of each seed, body frame
    sense: np.ndarray  # (k,) 1: at a north pole; -1: at a south pole, traced backwards
    magnet: np.ndarray  # (n,) body of each sphere
    center: np.ndarray  # (n, 3) [m] centres of the spheres, body frame
    radius: np.ndarray  # (n,) [m]
    coil_body: np.ndarray  # (c,) body of each point within a coil; the number after the last body is the laboratory
    coil_position: np.ndarray  # (c, 3) [m] in the frame of that body


@dataclass(frozen=True, eq=False)
class _Magnet:
    """Dipoles of a magnet as spheres, body frame."""

    body: int
    center: np.ndarray  # (m, 3) [m]
    radius: np.ndarray  # (m,) [m]
    moment: np.ndarray  # (3,) [A m^2] total moment
    share: float  # fraction of the flux that is drawn

    @property
    def axis(self) -> np.ndarray:
        """(3,) unit vector along the moment."""
        return self.moment / np.linalg.norm(self.moment)

    @property
    def flux(self) -> float:
        """Flux through the north pole, up to a factor: m/a for a sphere of radius a, m/l for a bar of length 2 l."""
        along = self.center @ self.axis
        return float(np.linalg.norm(self.moment) / max(np.ptp(along) / 2 + self.radius.max(), 1e-300))

    @cached_property
    def section(self) -> np.ndarray:
        """(3, 3) [m] map of the unit disc across the axis to the ellipse with the second moments of the spheres."""
        flat = np.eye(3) - np.outer(self.axis, self.axis)
        arms = (self.center - self.center.mean(axis=0)) @ flat
        values, axes = np.linalg.eigh(arms.T @ arms / len(arms) + flat * (self.radius**2).mean() / 4)
        return np.asarray(2 * (axes * np.sqrt(values.clip(0))) @ axes.T)

    def pole(self, at: np.ndarray, sense: float) -> np.ndarray:
        """(3,) [m] first intersection with a sphere of a ray that approaches along the axis from a pole.

        `at` (3,) is a unit vector whose component across the axis selects the ray; `sense` is 1 for the north pole, -1
        for the south pole.
        """
        arms = self.center - self.center.mean(axis=0) - self.section @ at
        height = arms @ self.axis
        arms -= height[:, None] * self.axis
        distance = np.linalg.norm(arms, axis=1)
        if (distance >= self.radius).all():  # the ray passes through the hole of a ring, or beside a bent magnet
            nearest = int(np.argmin(distance))
            return np.asarray(self.center[nearest] + sense * self.radius[nearest] * self.axis)
        top = np.sqrt((self.radius**2 - distance**2).clip(0)) + sense * height
        seen = int(np.argmax(np.where(distance < self.radius, top, -np.inf)))
        return np.asarray(self.center[seen] - arms[seen] + (sense * top[seen] - height[seen]) * self.axis)


def magnets(stage: Stage) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bodies (n,), initial positions (n, 3) [m] and directions (n, 3) of all magnets, laboratory frame."""
    each = [(i, dipole) for i, solid in enumerate(stage.solids) for dipole in solid.magnets if any(dipole.moment)]
    owner = np.array([i for i, _ in each], dtype=int)
    arm = np.array([dipole.position for _, dipole in each]).reshape(-1, 3)
    along = np.array([np.array(dipole.moment) / np.linalg.norm(dipole.moment) for _, dipole in each]).reshape(-1, 3)
    basis = stage.bodies.basis[owner]
    positions = stage.bodies.position[owner] + np.einsum("ni,nij->nj", arm, basis)
    return owner, positions, np.einsum("ni,nij->nj", along, basis)


def main_plane(stage: Stage) -> tuple[np.ndarray, np.ndarray]:
    """A point (3,) [m] and the normal (3,), an axis of the laboratory, of the plane that shows the magnets best.

    The plane should contain most magnets, fixed ones first, and their moments, since then it contains their field
    lines; if undecided, it faces the default camera.
    """
    owner, positions, along = magnets(stage)
    if len(positions) == 0:
        return stage.center.copy(), np.eye(3)[1]
    still = np.array([stage.scene.bodies[i].support == "fixed" for i in owner])
    if still.any():
        positions, along = positions[still], along[still]
    spread = np.ptp(positions, axis=0)
    faults = np.abs(along).mean(axis=0) + SPREAD * spread / max(spread.max(), 1e-300) + ASKEW
    axis = int(np.argmin(faults))
    point = (positions.min(axis=0) + positions.max(axis=0)) / 2
    point[axis] = np.sort(positions[:, axis])[(len(positions) - 1) // 2]  # through a magnet, not between two
    return point, np.eye(3)[axis]


def seeds(stage: Stage) -> Seeds:
    """The seeds of a compiled scene; stronger magnets have more."""
    _, normal = main_plane(stage)
    found: list[tuple[int, np.ndarray, float]] = []
    each = _magnets(stage)
    for magnet, count in zip(each, _counts(np.array([magnet.flux for magnet in each])), strict=True):
        for at in _cap(magnet.axis, stage.bodies.basis[magnet.body] @ normal, count, magnet.share):
            found += [(magnet.body, magnet.pole(at, sense), sense) for sense in (1.0, -1.0)]
    return Seeds(
        np.array([body for body, _, _ in found], dtype=int),
        np.array([position for _, position, _ in found]).reshape(-1, 3),
        np.array([sense for _, _, sense in found]),
        np.repeat(np.array([magnet.body for magnet in each], dtype=int), [len(magnet.radius) for magnet in each]),
        np.vstack([np.zeros((0, 3)), *(magnet.center for magnet in each)]),
        np.concatenate([np.zeros(0), *(magnet.radius for magnet in each)]),
        *_within_coils(stage.scene),
    )


def _within_coils(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Bodies (c,) and positions (c, 3) [m] of points on discs within all coils, fewer of each where there are many."""
    numbers = {body.name: number for number, body in enumerate(scene.bodies)}
    points = ACROSS[:: max(1, round(len(scene.coil) * len(ACROSS) / LINES))]
    bodies = [np.full(len(points), numbers.get(coil.body or "", len(numbers)), dtype=int) for coil in scene.coil]
    discs = [
        coil.mean_radius * points @ coil.orientation.matrix()[:, :2].T + np.array(coil.position) for coil in scene.coil
    ]
    return np.concatenate([np.zeros(0, dtype=int), *bodies]), np.vstack([np.zeros((0, 3)), *discs])


def _magnets(stage: Stage) -> list[_Magnet]:
    """All magnets with a moment."""
    assert stage.compiled is not None
    found = []
    for i, (solid, of_body) in enumerate(zip(stage.solids, stage.compiled.magnets, strict=True)):
        paths = np.array(of_body.paths)
        for path in dict.fromkeys(of_body.paths):
            own = paths == path
            center, radius, share = of_body.position[own], of_body.size[own], CAP
            if len(center) == 1:
                half, diagonal = _sizes(solid, center[0])
                radius, share = np.array([half]), min(CAP, half / (LEAST * diagonal))  # a loop has r = r0 sin^2
            moment = of_body.moment[own].sum(axis=0)
            if moment.any():
                found.append(_Magnet(i, center, radius, moment, share))
    return found


def _counts(flux: np.ndarray) -> np.ndarray:
    """(n,) numbers of lines per pole for fluxes (n,)."""
    if len(flux) == 0:
        return np.zeros(0, dtype=int)
    each = np.maximum(MOST * flux / flux.max(), 1)
    each *= min(1.0, LINES / 2 / each.sum())
    return np.maximum(np.round(each), 1).astype(int)


def _cap(axis: np.ndarray, normal: np.ndarray, count: int, share: float) -> np.ndarray:
    """(n, 3) about `count` directions around an axis (3,), each with the same flux of a dipole.

    The flux through a cap is proportional to sin^2 of its angle. Directions lie in common half planes, because lines
    within a plane are easier to perceive than evenly scattered ones. `normal` (3,) orients the planes; `share` is the
    fraction of the flux.
    """
    if count == 1:
        return axis[None]
    first = np.cross(normal, axis)
    if np.linalg.norm(first) < 1e-3:
        first = np.cross(np.eye(3)[np.abs(axis).argmin()], axis)
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    planes = min(count, PLANES)
    rings = max(1, round(count / planes))
    sine = np.sqrt(share * (np.arange(rings) + 0.5) / rings)
    angle = 2 * np.pi * np.arange(planes) / planes
    ring = np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second
    return (sine[:, None, None] * ring + np.sqrt(1 - sine**2)[:, None, None] * axis).reshape(-1, 3)


def _sizes(solid: Solid, position: np.ndarray) -> tuple[float, float]:
    """Radius [m] of the sphere around a dipole at `position` (3,) [m], and half the diagonal [m] of its shape.

    The sphere is inside of the shape, and does not reach other magnets of the body.
    """
    near = min(solid.parts, key=lambda part: float(np.linalg.norm(np.array(part.surface.center) - position)))
    low, high = np.array(near.surface.bounds).reshape(3, 2).T
    gaps = [float(np.linalg.norm(position - dipole.position)) for dipole in solid.body.dipole]
    nearest = min((gap for gap in gaps if gap > 0), default=np.inf)
    return float(min(CORE * (high - low).min() / 2, GAP_SHARE * nearest)), float(np.linalg.norm(high - low)) / 2
