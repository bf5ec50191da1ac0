"""Extent of a scene: points that span everything objects may reach, and the height of the ground.

The estimates use the scene alone, without simulation; they determine the camera, the ground and the size of symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import tau

import numpy as np

from polhode.physics.bodies.derived_bodies import path_at_start
from polhode.physics.bodies.shapes import unit
from polhode.physics.coils.description import Coil
from polhode.physics.contact.description import Wall
from polhode.physics.contact.surfaces import MeshSurface, Surface
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.path_geometry import path_poses, polyline
from polhode.physics.paths.path_motions import CarriedPath, SpinMotion
from polhode.physics.points.description import Chain, Particle, Soft
from polhode.scene.formula_vector import at_the_start
from polhode.scene.quantity import Vector
from polhode.scene.scene import Body, Scene
from polhode.simulation.snapshot import BodyStates
from polhode_app.viewport.base.mesh_preview_loader import sketched
from polhode_app.viewport.base.motion_range import displacements_of, rolled, speed_of, wall_range
from polhode_app.viewport.base.polydata import box
from polhode_app.viewport.base.solid import Solid, is_ball
from polhode_app.viewport.base.tethers import SAG, held_points, hung, stretched, tethers

DIRECTIONS = 400  # points on the sphere that a body may reach, at most
ALTOGETHER = 6000  # the same for all bodies together
FEWEST = 60  # the same at least, and for a ball in each position
HANGS = 0.3  # a body hangs if its centre is lower than this below the pivot, in its reach
CLEARANCE = 0.06  # gap between a swinging object and the ground, in its reach
LEVEL = 0.999  # least vertical component of the normal of a floor
FACING_UP = 0.05  # the same for a wall that objects can fall on
OVER = 0.15  # margin above and beside a surface for rolling objects, in its extent
SAMPLES = 33  # grid points along each side of a surface
WHILE = 5.0  # [s] time for which moving paths are followed
FARTHEST = 3.0  # limit of a flight, in size and initial height of the object
LOOSE = 0.1  # distance from the box that nothing is done about, in radii of the stage
FURTHER = 0.35  # growth beyond a position that was reached, in its distance from the middle of the box
LARGEST = 60.0  # growth at most, in radii of the stage

Things = Mapping[str, slice]  # points of each soft body and particle, by name


class SweptBox:
    """The only thing of a stage that changes: a box around its extent, which grows with what moves."""

    def __init__(self, extent: np.ndarray):
        """Begin with the box around the points (n, 3) [m] of an extent."""
        self.low, self.high = box(extent)
        self._middle = (self.low + self.high) / 2
        self._radius = float(np.linalg.norm(self.high - self.low)) / 2
        self.growths = 0  # how often it has grown

    def cover(self, points: np.ndarray) -> bool:
        """Grow so that points (n, 3) [m] are well inside; True if that was necessary.

        It grows in proportion to its size, so that a thing that rolls away makes it grow a few times only.
        """
        if not len(points):
            return False
        low, high = box(points)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return False
        least, most = self._middle - LARGEST * self._radius, self._middle + LARGEST * self._radius
        low, high = low.clip(least, most), high.clip(least, most)
        under, over = low < self.low - LOOSE * self._radius, high > self.high + LOOSE * self._radius
        if not (under.any() or over.any()):
            return False
        self.growths += 1
        self.low = np.where(under, (low + FURTHER * (low - self._middle)).clip(least), self.low)
        self.high = np.where(over, (high + FURTHER * (high - self._middle)).clip(max=most), self.high)
        return True

    def grow_to(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Take over the corners (3,) and (3,) [m] of another box of the same extent; True if it had grown."""
        has_grown = not (np.array_equal(low, self.low) and np.array_equal(high, self.high))
        self.low, self.high, self.growths = low, high, self.growths + has_grown
        return has_grown

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """(3,) and (3,) [m] lower and upper corner of the box."""
        return self.low, self.high

    def corners(self) -> np.ndarray:
        """(8, 3) [m] corners of the box."""
        ends = np.array(self.ends)
        return np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def extent_and_ground(
    scene: Scene, bodies: BodyStates, solids: tuple[Solid, ...], where: Things, points: np.ndarray
) -> tuple[np.ndarray, float]:
    """Points (n, 3) [m] that span everything objects may reach, and the height [m] of the ground.

    `bodies` and `points` (p, 3) [m] are the initial state, laboratory frame.
    """
    unheld = solids[: len(solids) - len(scene.bead)]
    extents = [_extent(scene, solid, bodies, i) for i, solid in enumerate(unheld)] + [
        _extent_of_bead(scene, bead) for bead in scene.bead
    ]
    named = {part.name: part for part in (*scene.soft, *scene.particle)}
    of_points = [_extent_of_points(scene, named[name], points[at]) for name, at in where.items() if at.stop > at.start]
    if not extents and not of_points:
        extents = [np.array([[-0.1, -0.1, 0.0], [0.1, 0.1, 0.2]])]
    surfaces = [_extent_of_surface(surface, scene) for surface in scene.surface]
    coils = [_extent_of_coil(coil) for coil in scene.coil if coil.body is None]
    hanging = hung(scene)
    ground = _ground(scene, bodies, solids, extents, [*of_points, *surfaces, *coils, *hanging])
    if surfaces and not floors(scene):  # rolling objects stay on the surfaces, or visibly leave them
        low, high = (edge(np.vstack(surfaces), axis=0) for edge in (np.min, np.max))
        above = float(np.max(high - low)) * OVER
        extents = [extent.clip(low - above, high + above) for extent in extents]
    extent = np.vstack([*extents, *of_points, *surfaces, *coils])
    if np.array_equal(*box(extent)):  # a single point
        extent = np.vstack([extent - 0.1, extent + 0.1])
    extent = np.vstack([extent, *(_extent_of_wall(wall, scene, extent) for wall in scene.wall)])
    extent = np.vstack([extent, *(_on_plane(plate.point, unit(plate.normal), extent) for plate in scene.plate)])
    extent[:, 2] = extent[:, 2].clip(min=ground)
    led = [
        _led(solid.body, scene, extent) for solid, extent in zip(solids, extents, strict=False)
    ]  # driven bodies pass through floors
    return np.vstack([extent, *led, *hanging]), ground


def _extent_of_coil(coil: Coil) -> np.ndarray:
    """(8, 3) [m] corners of the box of a coil of the laboratory."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    half = np.array([coil.outer_radius, coil.outer_radius, coil.half_length])
    return np.asarray((signs * half) @ coil.orientation.matrix().T + coil.position)


def _extent_of_surface(surface: Surface, scene: Scene) -> np.ndarray:
    """(n, 3) [m] points of a surface."""
    if isinstance(surface, MeshSurface):
        return surface.placed(sketched(surface, scene.folder).vertices)
    x, y = surface.grid(SAMPLES)
    return np.stack([x, y, surface.heights(x, y)], axis=-1).reshape(-1, 3) + surface.position


def _led(body: Body, scene: Scene, extent: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points reached by a driven body of an extent (n, 3) at rest; none if its motion is unbounded."""
    return np.vstack([np.zeros((0, 3)), *(extent + displacement for displacement in displacements_of(body, scene))])


def hangs(scene: Scene, solid: Solid, basis: np.ndarray) -> bool:
    """Whether the centre of a body is well below its pivot; `basis` (3, 3) has u1, u2, u3 as rows."""
    gravity = np.array(at_the_start(scene.world.gravity))
    return bool(solid.middle @ basis @ gravity > HANGS * solid.reach * np.linalg.norm(gravity))


def floors(scene: Scene) -> list[float]:
    """Heights [m] of the horizontal walls that face upwards, at the lowest point of their motion."""
    level = [wall for wall in scene.wall if unit(wall.normal)[2] > LEVEL]
    return [wall.point[2] + wall_range(wall, scene)[0] for wall in level]


def _ground(
    scene: Scene, bodies: BodyStates, solids: tuple[Solid, ...], extents: list[np.ndarray], of_points: list[np.ndarray]
) -> float:
    """Height [m] of the ground.

    The highest floor; without floors below fixed and hanging bodies and those that turn about an axle, or else below
    everything.
    """
    if levels := floors(scene):
        return max(levels)
    fixed = [
        extent[:, 2].min() for extent, solid in zip(extents, solids, strict=False) if solid.body.support == "fixed"
    ]
    swinging = [i for i, solid in enumerate(solids) if solid.body.support != "fixed"]
    hanging = [i for i in swinging if hangs(scene, solids[i], bodies.basis[i])]
    if not fixed and not hanging:
        hanging = swinging
    lowest = [*fixed, *(extents[i][:, 2].min() - CLEARANCE * solids[i].reach for i in hanging)]
    turning = [i for i in swinging if i not in hanging and solids[i].body.support == "axle"]
    lowest += [_lowest_about_axle(solids[i], bodies, i) - CLEARANCE * solids[i].reach for i in turning]
    held = extents[len(extents) - len(scene.bead) :]
    lowest += [plate.point[2] - plate.thickness / 2 for plate in scene.plate if abs(unit(plate.normal)[2]) > LEVEL]
    lowest += [extent[:, 2].min() - CLEARANCE * float(np.ptp(extent, axis=0).max()) for extent in (*held, *of_points)]
    return float(min(lowest or [extents[0][:, 2].min()]))


def _lowest_about_axle(solid: Solid, bodies: BodyStates, number: int) -> float:
    """Least height [m] that a body reaches when it turns about its axle."""
    here, axis = solid.points @ bodies.basis[number], unit(solid.body.axis)
    along = here @ axis
    off = np.linalg.norm(here - along[:, None] * axis, axis=1)
    return float(bodies.position[number][2] + (along * axis[2] - off * np.hypot(axis[0], axis[1])).min())


def _extent(scene: Scene, solid: Solid, bodies: BodyStates, number: int) -> np.ndarray:
    """(n, 3) [m] points that span what one body may reach, laboratory frame."""
    origin = bodies.position[number]
    if is_ball(solid.body):  # it may roll far: include the next part of its path, and the walls
        here = solid.middle @ bodies.basis[number] + solid.size / np.sqrt(3) * BALL  # of its radius
        stops = [np.array(wall.point) for wall in scene.wall if any(wall.point)]
        size = float(np.linalg.norm(np.ptp(bodies.position, axis=0)))
        ahead = origin + _stopped(scene, origin, rolled(solid.body, 2 * solid.size / np.sqrt(3), size))
        return np.vstack([here + position for position in (origin, ahead, *stops)])
    here = solid.points @ bodies.basis[number]
    if solid.body.support == "fixed":
        return here + origin
    sphere = solid.reach * _directions(int(np.clip(ALTOGETHER // len(scene.bodies), FEWEST, DIRECTIONS)))
    gravity = np.array(at_the_start(scene.world.gravity))
    strength = float(np.linalg.norm(gravity))
    if strength == 0:
        return sphere + origin
    # Energy conservation limits the height of a hanging body: keep the part of the sphere below.
    up = -gravity / strength
    speed = solid.reach * np.linalg.norm(solid.body.angular_velocity)
    highest = float((here @ up).max()) + speed**2 / (2 * strength)
    cap = sphere[sphere @ up <= highest]
    return np.vstack([cap, here, np.zeros(3)]) + origin


def _stopped(scene: Scene, origin: np.ndarray, displacement: np.ndarray) -> np.ndarray:
    """(3,) [m] a displacement, shortened to the first wall that it meets."""
    share = 1.0
    for wall in scene.wall:
        height, nearer = float((origin - wall.point) @ unit(wall.normal)), -float(displacement @ unit(wall.normal))
        if 0 <= height < share * nearer:
            share = height / nearer
    return share * displacement


def _extent_of_bead(scene: Scene, bead: Bead) -> np.ndarray:
    """(n, 3) [m] points that span the path of a bead during WHILE, with the radius of the bead."""
    times, points = np.linspace(0, WHILE, 201), polyline(bead.path)
    if isinstance(bead.path_motion, CarriedPath):
        points = path_at_start(bead, scene.sensor, scene.body).apply(points)
        carriers = [body for body in scene.body if body.name == bead.path_motion.body]
        passed = np.vstack([points, *(_carried(body, points) for body in carriers)])
    else:
        poses = path_poses(bead.path_motion, times, scene.sensor.distances(times))
        passed = poses.apply(points).reshape(-1, 3)
    return np.vstack([points, passed.min(axis=0) - bead.radius, passed.max(axis=0) + bead.radius])


def _carried(body: Body, points: np.ndarray) -> np.ndarray:
    """(n, 3) [m] points that span what a path at `points` (m, 3) [m] at the start reaches as its body turns."""
    if body.support == "axle" and body.axis is not None:
        turn = SpinMotion(kind="spin", axis=body.axis, point=body.position, angular_velocity=1.0)
        angles = np.linspace(0, tau, 49)
        return path_poses(turn, angles, angles).apply(points).reshape(-1, 3)
    reach = 0.0 if body.support == "fixed" else float(np.linalg.norm(points - body.position, axis=1).max())
    return np.array([body.position, body.position]) + [[-reach], [reach]]


def _extent_of_points(scene: Scene, part: Soft | Particle, points: np.ndarray) -> np.ndarray:
    """(8, 3) [m] corners of a box that a soft body or particle with points (n, 3) [m] will hardly leave."""
    radius = part.radius if isinstance(part, Particle) else part.particle_radius
    low, high = points.min(axis=0) - radius, points.max(axis=0) + radius
    held, tether = held_points(scene, part, points), tethers(scene).get(part.name)
    if tether is not None:
        position, reach = tether
        low, high = np.minimum(low, position - reach), np.maximum(high, position + [reach, reach, 0])
    elif len(held):
        nearest = np.full(len(points), np.inf)
        for position in held:  # one at a time, to save memory
            nearest = np.minimum(nearest, np.linalg.norm(points - position, axis=1))
        away = float(nearest.max())
        reach = away * (1.0 if len(held) == 1 else SAG) + (stretched(scene, part) if isinstance(part, Chain) else 0.0)
        low, high = np.minimum(low, held.min(axis=0) - reach), np.maximum(high, held.max(axis=0) + [reach, reach, 0])
    else:
        low, high = _flown(scene, part, low, high)
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def _extent_of_wall(wall: Wall, scene: Scene, extent: np.ndarray) -> np.ndarray:
    """(n, 3) [m] projections of the corners of an extent (n, 3) [m] on a wall in its extreme positions.

    Empty if the wall is far away.
    """
    normal = unit(wall.normal)
    on_it = _on_plane(wall.point, normal, extent)
    return np.vstack(
        [on_it, *(on_it + displacement * normal for displacement in wall_range(wall, scene) if displacement)]
    )


def _on_plane(point: Vector, normal: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """(8, 3) [m] projections of the corners of an extent (n, 3) [m] on a plane; none if the plane is far away."""
    low, high = box(extent)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    height = (corners - point) @ normal
    if np.abs(height).min() > np.linalg.norm(high - low):
        return np.zeros((0, 3))
    return np.asarray(corners - height[:, None] * normal)


def _flown(scene: Scene, part: Soft | Particle, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The box from `low` to `high` (3,) [m], extended by its ballistic flight until it lands."""
    weight = -at_the_start(scene.world.gravity)[2]
    if weight <= 0:
        return low, high
    middle, velocity = (low + high) / 2, np.array(part.velocity)
    size = float(np.linalg.norm(high - low))
    floors = [(wall, height) for wall in scene.wall if (height := _height(wall, middle)) is not None]
    below = [(wall, height) for wall, height in floors if height < high[2]]
    down = min([low[2], *(height for _, height in below)]) if below else low[2] - 0.5 * size
    rise = max(velocity[2], 0.0) ** 2 / (2 * weight)
    thrown = max(
        (
            height + wall_range(wall, scene)[1] + speed_of(wall, scene) ** 2 / weight + high[2] - low[2]
            for wall, height in below
        ),
        default=0,
    )
    most = FARTHEST * (size + high[2] - down)
    time = (velocity[2] + np.sqrt(max(velocity[2] ** 2 + 2 * weight * (low[2] - down), 0.0))) / weight
    displacement = np.clip(velocity[:2] * max(time, 0.0), -most, most)
    low, high = low.copy(), high.copy()
    low[:2], high[:2] = np.minimum(low[:2], low[:2] + displacement), np.maximum(high[:2], high[:2] + displacement)
    low[2], high[2] = min(low[2], down), max(high[2] + min(rise, most), thrown)
    return low, high


def _height(wall: Wall, at: np.ndarray) -> float | None:
    """Height [m] of a wall above or below a position (3,) [m]; None if nothing can fall on it."""
    normal = np.array(wall.normal) / np.linalg.norm(wall.normal)
    if normal[2] < FACING_UP:
        return None
    return float(wall.point[2] - (normal[:2] @ (at[:2] - wall.point[:2])) / normal[2])


@cache
def _directions(count: int) -> np.ndarray:
    """(count, 3) unit vectors, evenly distributed (Fibonacci lattice), with the poles of the z axis."""
    height = np.linspace(-1, 1, count)
    angle = np.pi * (1 + 5**0.5) * np.arange(count)
    across = np.sqrt(np.maximum(0.0, 1 - height**2))
    return np.column_stack([across * np.cos(angle), across * np.sin(angle), height])


BALL = np.vstack([np.eye(3), -np.eye(3), _directions(FEWEST)])
"""(n, 3) points on a sphere of radius 1, with its extreme ones along the axes."""
