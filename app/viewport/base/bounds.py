"""The room that everything of a scene can reach, and the ground under it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from app.viewport.base.mesh_preview_loader import sketched
from app.viewport.base.motion_range import places_of, speed_of, ways_of
from app.viewport.base.polydata import box
from app.viewport.base.solid import Solid, is_ball
from core.physics.bodies.shapes import unit
from core.physics.contact.surfaces import MeshSurface, Surface
from core.physics.paths.bead import Bead
from core.physics.paths.path_geometry import path_offsets, polyline
from core.physics.points.description import Particle, Soft, Wall
from core.physics.sensor.description import Sensor
from core.scene.scene import Body, Scene
from core.simulation.snapshot import Bodies

DIRECTIONS = 400  # samples of a sphere of reach
ALTOGETHER = 6000  # of those of all bodies
FEWEST = 60  # of one of very many bodies, and of a ball in one of the places where it may be
HANGS = 0.3  # a body whose middle is lower than this, in its reach, hangs
CLEARANCE = 0.06  # gap between a swinging thing and the ground, in reaches
LEVEL = 0.999  # vertical part of a floor's normal
FACING_UP = 0.05  # the same of a wall that something can fall on
SIDES = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 1.0, 0], [0, -1.0, 0]])
SAG = 0.5  # how far a cloth or a block may hang away from its fixed points, in its distance from them
OVER = 0.15  # how far above and beside a surface what rolls is expected, in its extent
SAMPLES = 33  # along each side of a surface
WHILE = 5.0  # [s] in which a path that is moved is looked at
AHEAD = 1.2  # [s] of the way of a ball that are seen at first
FARTHEST = 3.0  # way of what flies, in the size and the height of what it starts from

Things = Mapping[str, slice]  # the points of every soft body and particle


def room_and_ground(
    scene: Scene, bodies: Bodies, solids: tuple[Solid, ...], where: Things, points: np.ndarray
) -> tuple[np.ndarray, float]:
    """Points (n, 3) [m] that span everything that can be reached, and the height [m] of the ground.

    `bodies` and `points` (p, 3) are at the start.
    """
    unheld = solids[: len(solids) - len(scene.bead)]
    rooms = [_room(scene, solid, bodies, i) for i, solid in enumerate(unheld)] + [
        _room_of_bead(bead, scene.sensor) for bead in scene.bead
    ]
    named = {part.name: part for part in (*scene.soft, *scene.particle)}
    of_points = [_room_of_points(scene, named[name], points[at]) for name, at in where.items() if at.stop > at.start]
    if not rooms and not of_points:
        rooms = [np.array([[-0.1, -0.1, 0.0], [0.1, 0.1, 0.2]])]
    surfaces = [_room_of_surface(surface, scene) for surface in scene.surface]
    ground = _ground(scene, bodies, solids, rooms, [*of_points, *surfaces])
    if surfaces and not floors(scene):  # what rolls stays on them, or is seen to leave
        low, high = (edge(np.vstack(surfaces), axis=0) for edge in (np.min, np.max))
        above = float(np.max(high - low)) * OVER
        rooms = [room.clip(low - above, high + above) for room in rooms]
    room = np.vstack([*rooms, *of_points, *surfaces])
    if np.array_equal(*box(room)):  # a single point
        room = np.vstack([room - 0.1, room + 0.1])
    room = np.vstack([room, *(_room_of_wall(wall, scene.sensor, room) for wall in scene.wall)])
    room[:, 2] = room[:, 2].clip(min=ground)
    led = [
        _led(solid.body, scene.sensor, room) for solid, room in zip(solids, rooms, strict=False)
    ]  # a floor is no hindrance to it
    return np.vstack([room, *led, *_hung(scene)]), ground


def _room_of_surface(surface: Surface, scene: Scene) -> np.ndarray:
    """(n, 3) [m] places of a surface."""
    if isinstance(surface, MeshSurface):
        return surface.placed(sketched(scene.folder / surface.file).vertices)
    x, y = surface.grid(SAMPLES)
    return np.stack([x, y, surface.heights(x, y)], axis=-1).reshape(-1, 3) + surface.position


def _led(body: Body, sensor: Sensor, room: np.ndarray) -> np.ndarray:
    """(n, 3) [m] where a motion leads what fills a room (n, 3) at rest; none if it leads to no end."""
    return np.vstack([np.zeros((0, 3)), *(room + way for way in places_of(body, sensor))])


def _hung(scene: Scene) -> list[np.ndarray]:
    """(5, 3) [m] for each spring from a place in space to a body: that place, and where the body may swing."""
    rooms, bodies = [], {body.name for body in scene.bodies}
    for spring in scene.spring:
        for end, other in ((spring.from_, spring.to), (spring.to, spring.from_)):
            name = getattr(other, "body", other)
            if isinstance(end, tuple) and name in bodies:
                place, body = np.array(end), np.array(_place(scene, name))
                away = SAG * float(np.linalg.norm(body - place))
                rooms.append(np.vstack([place, body + away * SIDES]))
    return rooms


def hangs(scene: Scene, solid: Solid, basis: np.ndarray) -> bool:
    """Whether a body's middle is well below its pivot; `basis` (3, 3) has its u1, u2, u3 as rows."""
    gravity = np.array(scene.world.gravity)
    return bool(solid.middle @ basis @ gravity > HANGS * solid.reach * np.linalg.norm(gravity))


def floors(scene: Scene) -> list[float]:
    """Lowest heights [m] of the walls that are level and look up."""
    level = [wall for wall in scene.wall if unit(wall.normal)[2] > LEVEL]
    return [wall.point[2] + ways_of(wall, scene.sensor)[0] for wall in level]


def _ground(
    scene: Scene, bodies: Bodies, solids: tuple[Solid, ...], rooms: list[np.ndarray], of_points: list[np.ndarray]
) -> float:
    """Height [m] of the ground: the highest floor, or else under what is fixed and what hangs, or else under all."""
    if levels := floors(scene):
        return max(levels)
    fixed = [room[:, 2].min() for room, solid in zip(rooms, solids, strict=False) if solid.body.support == "fixed"]
    swinging = [i for i, solid in enumerate(solids) if solid.body.support != "fixed"]
    hanging = [i for i in swinging if hangs(scene, solids[i], bodies.basis[i])]
    if not fixed and not hanging:
        hanging = swinging
    lowest = [*fixed, *(rooms[i][:, 2].min() - CLEARANCE * solids[i].reach for i in hanging)]
    held = rooms[len(rooms) - len(scene.bead) :]
    lowest += [room[:, 2].min() - CLEARANCE * float(np.ptp(room, axis=0).max()) for room in (*held, *of_points)]
    return float(min(lowest or [rooms[0][:, 2].min()]))


def _room(scene: Scene, solid: Solid, bodies: Bodies, number: int) -> np.ndarray:
    """(n, 3) [m] points that span what one body can reach, laboratory frame."""
    origin = bodies.position[number]
    if is_ball(solid.body):  # it may roll far: what is ahead of it, and where walls may stop it
        here = solid.middle @ bodies.basis[number] + solid.size / np.sqrt(3) * BALL  # that is its radius
        stops = [np.array(wall.point) for wall in scene.wall if any(wall.point)]
        ahead = origin + _stopped(scene, origin, np.array(solid.body.velocity) * AHEAD)
        return np.vstack([here + place for place in (origin, ahead, *stops)])
    here = solid.points @ bodies.basis[number]
    if solid.body.support == "fixed":
        return here + origin
    sphere = solid.reach * _directions(int(np.clip(ALTOGETHER // len(scene.bodies), FEWEST, DIRECTIONS)))
    gravity = np.array(scene.world.gravity)
    strength = float(np.linalg.norm(gravity))
    if strength == 0:
        return sphere + origin
    # A body that hangs does not come higher than its energy lets it: keep the cap of the sphere below that.
    up = -gravity / strength
    speed = solid.reach * np.linalg.norm(solid.body.angular_velocity)
    highest = float((here @ up).max()) + speed**2 / (2 * strength)
    cap = sphere[sphere @ up <= highest]
    return np.vstack([cap, here, np.zeros(3)]) + origin


def _stopped(scene: Scene, origin: np.ndarray, way: np.ndarray) -> np.ndarray:
    """(3,) [m] a way as far as the first wall in it."""
    share = 1.0
    for wall in scene.wall:
        height, nearer = float((origin - wall.point) @ unit(wall.normal)), -float(way @ unit(wall.normal))
        if 0 <= height < share * nearer:
            share = height / nearer
    return share * way


def _room_of_bead(bead: Bead, sensor: Sensor) -> np.ndarray:
    """(n, 3) [m] points that span its path, with its radius, wherever the path is within some seconds."""
    times = np.linspace(0, WHILE, 201)
    shifts = path_offsets(bead.path_motion, times, sensor.distances(times))
    places = polyline(bead.path)
    low, high = places.min(axis=0) + shifts.min(axis=0), places.max(axis=0) + shifts.max(axis=0)
    around = [places, low - bead.radius, high + bead.radius]
    return np.vstack(around)


def _room_of_points(scene: Scene, part: Soft | Particle, points: np.ndarray) -> np.ndarray:
    """(8, 3) [m] corners of a box that what is made of points (n, 3) [m] will hardly leave."""
    radius = part.radius if isinstance(part, Particle) else part.particle_radius
    low, high = points.min(axis=0) - radius, points.max(axis=0) + radius
    held, tether = _held_points(scene, part, points), _tethers(scene).get(part.name)
    if tether is not None:
        place, reach = tether
        low, high = np.minimum(low, place - reach), np.maximum(high, place + [reach, reach, 0])
    elif len(held):
        nearest = np.full(len(points), np.inf)
        for place in held:  # few, or one row after the other of very many
            nearest = np.minimum(nearest, np.linalg.norm(points - place, axis=1))
        away = float(nearest.max())
        reach = away * (1.0 if len(held) == 1 else SAG)
        low, high = np.minimum(low, held.min(axis=0) - reach), np.maximum(high, held.max(axis=0) + [reach, reach, 0])
    else:
        low, high = _flown(scene, part, low, high)
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def _tethers(scene: Scene) -> dict[str, tuple[np.ndarray, float]]:
    """Of each particle that springs hold: what it hangs on at last (3,) [m], and how far [m] it may get from there.

    A weight that drops on a spring stretches it by 2 m g/k at most; here every spring bears all particles.
    """
    at = {particle.name: np.array(particle.position) for particle in scene.particle}
    weight = float(np.linalg.norm(scene.world.gravity)) * sum(particle.mass for particle in scene.particle)
    found = {particle.name: (at[particle.name], 0.0) for particle in scene.particle if particle.fixed}
    both_ways = [
        pair
        for spring in scene.spring
        for pair in ((spring, spring.from_, spring.to), (spring, spring.to, spring.from_))
    ]
    for _ in scene.particle:  # each turn finds what hangs on what the last one has found
        for spring, end, other in both_ways:
            if not isinstance(end, str) or end not in at or (isinstance(other, str) and other not in found):
                continue
            if isinstance(other, str):
                start, (place, before) = at[other], found[other]
            else:
                start = place = np.array(other if isinstance(other, tuple) else _place(scene, other.body))
                before = 0.0
            length = max(float(np.linalg.norm(at[end] - start)), spring.rest_length or 0.0)
            reach = before + length + 2 * weight / spring.stiffness
            if end not in found or reach < found[end][1]:
                found[end] = place, reach
    return found


def _held_points(scene: Scene, part: Soft | Particle, points: np.ndarray) -> np.ndarray:
    """(n, 3) [m] places that what is made of points (n, 3) hangs on: fixed points, and other ends of its springs."""
    if isinstance(part, Particle):
        held = [points[0]] if part.fixed else []
    else:
        held = [points[index] for index in part.fixed if index < len(points)]
    for spring in scene.spring:
        for end, other in ((spring.from_, spring.to), (spring.to, spring.from_)):
            if isinstance(end, str) and end.split(".")[0] == part.name and not isinstance(other, str):
                place = other if isinstance(other, tuple) else _place(scene, other.body)
                held.append(np.array(place))
    return np.array(held).reshape(-1, 3)


def _room_of_wall(wall: Wall, sensor: Sensor, room: np.ndarray) -> np.ndarray:
    """(n, 3) [m] where the corners of a room (n, 3) meet a wall and the ends of its motion; none if it is far away."""
    low, high = box(room)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    normal = unit(wall.normal)
    height = (corners - wall.point) @ normal
    if np.abs(height).min() > np.linalg.norm(high - low):
        return np.zeros((0, 3))
    on_it = corners - height[:, None] * normal
    return np.vstack([on_it, *(on_it + way * normal for way in ways_of(wall, sensor) if way)])


def _place(scene: Scene, name: str) -> tuple[float, float, float]:
    return next((body.position for body in scene.bodies if body.name == name), (0.0, 0.0, 0.0))


def _flown(scene: Scene, part: Soft | Particle, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The box from `low` to `high` [m], and where it falls and flies until it is down."""
    weight = -scene.world.gravity[2]
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
            height + ways_of(wall, scene.sensor)[1] + speed_of(wall, scene.sensor) ** 2 / weight + high[2] - low[2]
            for wall, height in below
        ),
        default=0,
    )
    most = FARTHEST * (size + high[2] - down)
    time = (velocity[2] + np.sqrt(max(velocity[2] ** 2 + 2 * weight * (low[2] - down), 0.0))) / weight
    way = np.clip(velocity[:2] * max(time, 0.0), -most, most)
    low, high = low.copy(), high.copy()
    low[:2], high[:2] = np.minimum(low[:2], low[:2] + way), np.maximum(high[:2], high[:2] + way)
    low[2], high[2] = min(low[2], down), max(high[2] + min(rise, most), thrown)
    return low, high


def _height(wall: Wall, at: np.ndarray) -> float | None:
    """Height [m] of a wall above or below a place (3,) [m]; None if nothing can fall on it there."""
    normal = np.array(wall.normal) / np.linalg.norm(wall.normal)
    if normal[2] < FACING_UP:
        return None
    return float(wall.point[2] - (normal[:2] @ (at[:2] - wall.point[:2])) / normal[2])


@cache
def _directions(count: int) -> np.ndarray:
    """(count, 3) unit vectors, evenly over the sphere (Fibonacci lattice), poles of z included."""
    height = np.linspace(-1, 1, count)
    angle = np.pi * (1 + 5**0.5) * np.arange(count)
    across = np.sqrt(np.maximum(0.0, 1 - height**2))
    return np.column_stack([across * np.cos(angle), across * np.sin(angle), height])


BALL = np.vstack([np.eye(3), -np.eye(3), _directions(FEWEST)])
"""(n, 3) points that span a ball of radius 1."""
