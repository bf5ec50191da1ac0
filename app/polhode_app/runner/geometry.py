"""Geometry of a scene for recordings: meshes of all objects, and their vertices over time.

Recordings are VTKHDF files, which other programs display without knowing the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass

import numpy as np
import pyvista as pv
import scipy

from polhode.analysis.columns import ENERGIES, WORKS
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.columns import COLUMNS as BODY
from polhode.physics.bodies.shapes import MeshShape, Shape, unit
from polhode.physics.paths.path_geometry import PathPose, path_poses
from polhode.physics.paths.path_motions import CarriedPath, PathMotion
from polhode.physics.plates.description import Plate
from polhode.physics.points.description import SoftMesh, skin_shape
from polhode.physics.points.skinning import skin_weights
from polhode.recording.measured_frames import MeasuredFrames
from polhode.recording.vtkhdf import Block, Cells, cells_of
from polhode.scene.scene import Body, Scene
from polhode.simulation.path_pose import carrier_number
from polhode_app.viewport.base.palette import PALETTE, rgb, shape_color
from polhode_app.viewport.environment.plates import slab_of
from polhode_app.viewport.paths.path_polylines import PathPolyline, tracks
from polhode_app.viewport.things.shape_surfaces import PRIMITIVES
from polhode_app.viewport.things.surfaces import drawn

DETAIL = 800  # approximate number of vertices of all moving bodies together, which determines the file size
STILL = 20_000  # the same for bodies that never move
AROUND = (48, 32, 24, 16, 8)  # facets of a full turn; the largest number that fits is used
FINE = 2.0**-14  # resolution of positions relative to the size of the scene; the state itself has full precision
DIGITS = 12  # bits of the mantissa of velocities and forces
OF_BODY = 3 * len(BODY)  # columns of a body in the table
NUMBERS = (*(f"energy.{kind}" for kind in ENERGIES), *(f"work.{line}" for line in WORKS))


@dataclass(frozen=True, eq=False)
class _Shell:
    """Surface of a rigid body."""

    body: int
    points: np.ndarray  # (n, 3) [m] body frame
    faces: np.ndarray  # (m, 3) indices of points
    colors: np.ndarray  # (m, 3) uint8


@dataclass(frozen=True, eq=False)
class _Skin:
    """Surface of a soft mesh."""

    part: int  # index among the items made of points
    where: slice  # its points
    weights: scipy.sparse.csr_array  # (v, n) skinning weights of the vertices
    faces: np.ndarray  # (m, 3) indices of vertices
    color: np.ndarray  # (3,) uint8


def geometry(meshes: Meshes, detail: int = DETAIL) -> Callable[[CompiledScene], RecordedGeometry]:
    """Return a function that makes the geometry of compiled scenes.

    `detail` is the approximate number of vertices of all moving bodies together.
    """
    return lambda compiled: RecordedGeometry(compiled, meshes, detail)


class RecordedGeometry:
    """Blocks of the recording, and their vertices and fields over time.

    All arrays are in the laboratory frame. Called from the thread of the simulation and from that of the writer.
    """

    def __init__(self, compiled: CompiledScene, meshes: Meshes, detail: int = DETAIL):
        """Build the blocks of a compiled scene. Raises InputError for an unreadable mesh."""
        self._built, scene = compiled, compiled.scene
        moving = [i for i, body in enumerate(scene.bodies) if body.support != "fixed"]
        still = [i for i in range(len(scene.bodies)) if i not in set(moving)]
        self._shells = _shells(scene, moving, meshes, detail)
        resting = _shells(scene, still, meshes, STILL)
        self._skins = _skins(compiled, meshes, detail)
        self._tracks = list({id(track): track for track in tracks(scene).values()}.values())
        self._names = tuple(body.name for body in scene.bodies)
        self._start_positions = np.vstack(
            [np.zeros((1, 3)), *(_at_start(scene, shell) for shell in (*self._shells, *resting)), compiled.start_points]
            + [track.line for track in self._tracks]
        )
        self._corners = _corners(scene, self._start_positions)
        size = float(np.linalg.norm(np.ptp(self._start_positions, axis=0))) or 1.0
        self._grain = 2.0 ** np.ceil(np.log2(size)) * FINE
        blocks = [self._run(), self._bodies(), self._of_shells("Fixed bodies", resting, False), self._motion()]
        blocks += [self._points(), self._skin(), self._walls(), self._paths()]
        blocks.append(_surfaces(scene, self._start_positions))
        self.blocks = tuple(block for block in blocks if len(block.points))

    def with_built(self, compiled: CompiledScene) -> RecordedGeometry:
        """A copy for the same scene with changed parameters."""
        other = copy(self)
        other._built = compiled  # noqa: SLF001  (same class)
        return other

    def fits(self, other: RecordedGeometry) -> bool:
        """Whether frames of both can be stored in one file: equal blocks with equal cells."""
        mine, its = self.blocks, other.blocks
        return [block.name for block in mine] == [block.name for block in its] and all(
            a.points.shape == b.points.shape
            and a.moves == b.moves
            and (a.moves or np.array_equal(a.points, b.points))
            and all(np.array_equal(a.cells[kind][0], b.cells[kind][0]) for kind in a.cells)
            for a, b in zip(mine, its, strict=True)
        )

    def moved(self, now: MeasuredFrames) -> Mapping[str, Mapping[str, np.ndarray]]:
        """Positions and fields of all blocks at r frames, by block and name, as polhode.recording.vtkhdf requires."""
        rows, bodies, points = len(now.times), len(self._names), len(self._built.model.points.mass)
        of_bodies = now.table[:, 1 : 1 + OF_BODY * bodies].reshape(rows, bodies, OF_BODY // 3, 3)
        at = 1 + OF_BODY * bodies
        of_points = now.table[:, at : at + 6 * points].reshape(rows, points, 6)
        numbers = now.table[:, len(now.table[0]) - len(NUMBERS) :]
        ends, speeds = self._anchors(of_bodies)
        none = np.zeros_like(ends)
        return {
            "Run": {"Points": np.zeros((rows, 1, 3)), **dict(zip(NUMBERS, numbers.T, strict=True))},
            "Bodies": {"Points": self._grained(self._turned(of_bodies))},
            "Motion": {
                "Points": self._grained(of_bodies[:, :, 0]),
                "Velocity": rounded(of_bodies[:, :, 1]),
                "AngularVelocity": rounded(of_bodies[:, :, 5]),
                "AngularMomentum": rounded(of_bodies[:, :, 6]),
                "Force": rounded(now.body_force),
            },
            "Points": {
                "Points": self._grained(np.concatenate([of_points[..., :3], ends], axis=1)),
                "Velocity": rounded(np.concatenate([of_points[..., 3:], speeds], axis=1)),
                "Force": rounded(np.concatenate([now.point_force, none], axis=1)),
            },
            "Skins": {"Points": self._grained(self._spanned(of_points[..., :3]))},
            "Walls": {"Points": self._grained(self._shifted(now.displacements))},
            "Paths": {"Points": self._grained(self._carried(now, of_bodies))},
        }

    def _grained(self, positions: np.ndarray) -> np.ndarray:
        """Positions (r, n, 3) [m] rounded to a grid below the visible resolution.

        Noise in the last bits would not compress.
        """
        return np.round(positions / self._grain) * self._grain

    # Blocks in the initial state

    def _run(self) -> Block:
        """Scalars of the whole scene, as fields of a single point without cells."""
        return Block("Run", np.zeros((1, 3)), moves=False, fields=dict.fromkeys(NUMBERS, 1))

    def _bodies(self) -> Block:
        """Surfaces of the moving bodies."""
        return self._of_shells("Bodies", self._shells, True)

    def _of_shells(self, name: str, shells: list[_Shell], moves: bool) -> Block:
        """A block with the surfaces of some bodies."""
        if not shells:
            return Block(name, np.zeros((0, 3)))
        first = np.cumsum([0, *(len(shell.points) for shell in shells)])
        faces = np.vstack([shell.faces + start for shell, start in zip(shells, first, strict=False)])
        bodies = np.concatenate([np.full(len(shell.faces), shell.body, np.int32) for shell in shells])
        return Block(
            name,
            np.vstack([_at_start(self._built.scene, shell) for shell in shells]),
            {"Polygons": cells_of(faces)},
            moves,
            cell_data={"Body": bodies, "Color": np.vstack([shell.colors for shell in shells])},
            names={"Body": self._names},
        )

    def _motion(self) -> Block:
        """One point for each body, at its position, with its velocities and forces."""
        count = len(self._names)
        fields = dict.fromkeys(("Velocity", "AngularVelocity", "AngularMomentum", "Force"), 3)
        numbers = np.arange(count)
        positions = np.array([body.position for body in self._built.scene.bodies]).reshape(-1, 3)
        cells = {"Vertices": cells_of(numbers[:, None])}
        of_cells = {"Body": numbers.astype(np.int32)}
        return Block("Motion", positions, cells, fields=fields, cell_data=of_cells, names={"Body": self._names})

    def _points(self) -> Block:
        """Points of soft bodies and particles, followed by anchors of springs; and the springs as lines."""
        compiled = self._built
        points = len(compiled.model.points.mass)
        part = np.zeros(points, np.int32)
        for number, where in enumerate(compiled.points.values()):
            part[where] = number
        springs = compiled.springs
        cells = {
            "Vertices": cells_of(np.arange(points)[:, None]),
            "Lines": cells_of(np.column_stack([springs.first, springs.second])),
        }
        elsewhere = np.full(len(compiled.model.anchors.body), -1, np.int32)
        numbers = np.concatenate([part, np.append(part, elsewhere)[springs.first]])
        positions = np.vstack([compiled.start_points, np.zeros((len(compiled.model.anchors.body), 3))])
        fields, names = {"Velocity": 3, "Force": 3}, {"Part": tuple(compiled.points)}
        return Block("Points", positions, cells, fields=fields, cell_data={"Part": numbers}, names=names)

    def _skin(self) -> Block:
        """Surfaces of soft meshes."""
        skins = self._skins
        if not skins:
            return Block("Skins", np.zeros((0, 3)))
        first = np.cumsum([0, *(skin.weights.shape[0] for skin in skins)])
        faces = np.vstack([skin.faces + start for skin, start in zip(skins, first, strict=False)])
        counts = [len(skin.faces) for skin in skins]
        of_cells = {
            "Part": np.repeat([skin.part for skin in skins], counts).astype(np.int32),
            "Color": np.repeat([skin.color for skin in skins], counts, axis=0),
        }
        positions = self._spanned(self._built.start_points[None])[0]
        names = {"Part": tuple(self._built.points)}
        return Block("Skins", positions, {"Polygons": cells_of(faces)}, cell_data=of_cells, names=names)

    def _walls(self) -> Block:
        """A square for each wall."""
        walls = self._built.scene.wall
        quads = np.arange(4 * len(walls)).reshape(-1, 4)
        moves = any(wall.motion.kind != "still" for wall in walls)
        numbers = {"Wall": np.arange(len(walls), dtype=np.int32)}
        names = {"Wall": tuple(wall.name for wall in walls)}
        return Block("Walls", self._corners, {"Polygons": cells_of(quads)}, moves, cell_data=numbers, names=names)

    def _paths(self) -> Block:
        """A polyline for each path."""
        lines = [track.line for track in self._tracks]
        if not lines:
            return Block("Paths", np.zeros((0, 3)))
        ends = np.cumsum([0, *map(len, lines)])
        cells: Cells = np.arange(ends[-1], dtype=np.int64), ends.astype(np.int64)
        return Block("Paths", np.vstack(lines), {"Lines": cells}, any(map(_is_moved, self._tracks)))

    # Positions over time

    def _turned(self, of_bodies: np.ndarray) -> np.ndarray:
        """(r, n, 3) [m] vertices of the moving bodies, from columns of bodies (r, b, c, 3)."""
        parts = [
            shell.points @ of_bodies[:, shell.body, 2:5] + of_bodies[:, shell.body, None, 0] for shell in self._shells
        ]
        return np.concatenate([np.zeros((len(of_bodies), 0, 3)), *parts], axis=1)

    def _anchors(self, of_bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(r, q, 3) [m] positions and (r, q, 3) [m/s] velocities of the anchors of springs."""
        model = self._built.model
        body, position = model.anchors.body, model.anchors.position
        if not len(body):
            none = np.zeros((len(of_bodies), 0, 3))
            return none, none
        if not of_bodies.shape[1]:
            return np.broadcast_to(position, (len(of_bodies), *position.shape)), np.zeros(
                (len(of_bodies), *position.shape)
            )
        held, free = of_bodies[:, body.clip(0)], (body < 0)[:, None]
        arm = np.einsum("qj,rqjk->rqk", position - model.bodies.origin[body.clip(0)], held[:, :, 2:5])
        ends = np.where(free, position, held[:, :, 0] + arm)
        return ends, np.where(free, 0.0, held[:, :, 1] + np.cross(held[:, :, 5], arm))

    def _spanned(self, positions: np.ndarray) -> np.ndarray:
        """(r, v, 3) [m] vertices of the soft meshes, from positions of points (r, p, 3) [m]."""
        parts = [
            (skin.weights @ positions[:, skin.where].transpose(1, 0, 2).reshape(skin.weights.shape[1], -1))
            .reshape(-1, len(positions), 3)
            .transpose(1, 0, 2)
            for skin in self._skins
        ]
        return np.concatenate([np.zeros((len(positions), 0, 3)), *parts], axis=1)

    def _shifted(self, shifts: np.ndarray) -> np.ndarray:
        """(r, 4 w, 3) [m] corners of the walls, from displacements (r, w) [m] along their normals."""
        normals = np.array([unit(wall.normal) for wall in self._built.scene.wall]).reshape(-1, 3)
        return self._corners + np.repeat(shifts[:, :, None] * normals, 4, axis=1)

    def _carried(self, now: MeasuredFrames, of_bodies: np.ndarray) -> np.ndarray:
        """(r, n, 3) [m] vertices of the paths, from columns of bodies (r, b, c, 3)."""
        parts = [self._poses(track.motion, now, of_bodies).apply(track.line) for track in self._tracks]
        return np.concatenate([np.zeros((len(now.times), 0, 3)), *parts], axis=1)

    def _poses(self, motion: PathMotion, now: MeasuredFrames, of_bodies: np.ndarray) -> PathPose:
        """Poses of paths with a motion at r frames."""
        if not isinstance(motion, CarriedPath):
            return path_poses(motion, now.times, now.distances)
        carrier = of_bodies[:, carrier_number(self._built.scene, motion)]
        return PathPose(carrier[:, 2:5].swapaxes(1, 2), carrier[:, 0])


def rounded(values: np.ndarray) -> np.ndarray:
    """Values (r, n, 3) as float32 with `DIGITS` bits of mantissa.

    Noise in the last bits would not compress.
    """
    mantissa, exponent = np.frexp(values.astype(np.float32))
    return np.ldexp(np.round(mantissa * 2.0**DIGITS) / 2.0**DIGITS, exponent).astype(np.float32)


def _is_moved(track: PathPolyline) -> bool:
    """Whether a path is in motion."""
    return track.motion.kind != "still"


def _shells(scene: Scene, bodies: list[int], meshes: Meshes, detail: int) -> list[_Shell]:
    """Surfaces of these bodies with about `detail` vertices together."""
    share = max(8, detail // max(1, sum(len(scene.bodies[b].shape) for b in bodies)))
    return [_shell(scene, b, scene.bodies[b], meshes, share) for b in bodies]


def _shell(scene: Scene, number: int, body: Body, meshes: Meshes, share: int) -> _Shell:
    """Surface of a body; each shape has about `share` vertices."""
    points, faces, colors, count = [], [], [], 0
    for shape in body.shape:
        surface = _surface(shape, scene, meshes, share)
        points.append(surface.points @ shape.orientation.matrix().T + shape.position)
        faces.append(surface.regular_faces + count)
        color = np.round(255 * np.array(rgb(shape.color or PALETTE[number % len(PALETTE)]))).astype(np.uint8)
        colors.append(np.tile(color, (len(faces[-1]), 1)))
        count += surface.n_points
    return _Shell(number, np.vstack(points).astype(float), np.vstack(faces), np.vstack(colors))


def _skins(compiled: CompiledScene, meshes: Meshes, detail: int) -> list[_Skin]:
    """Surfaces of the soft meshes with about `detail` vertices together."""
    scene, found, parts = compiled.scene, [], list(compiled.points)
    softs = [(len(scene.bodies) + number, soft) for number, soft in enumerate(scene.soft) if isinstance(soft, SoftMesh)]
    for number, soft in softs:
        shape, where = skin_shape(soft), compiled.points[soft.name]
        surface = _surface(shape, scene, meshes, max(8, detail // len(softs)))
        vertices = surface.points.astype(float) @ soft.orientation.matrix().T + soft.position
        weights = skin_weights(compiled.rest_points[where], vertices)
        color = np.round(255 * np.array(shape_color(soft.color, number))).astype(np.uint8)
        found.append(_Skin(parts.index(soft.name), where, weights, surface.regular_faces, color))
    return found


def _surface(shape: Shape, scene: Scene, meshes: Meshes, share: int) -> pv.PolyData:
    """Triangulated surface of a shape in its own frame, with at most about `share` vertices."""
    if isinstance(shape, MeshShape):
        mesh = meshes.of(shape, scene.folder)
        surface = pv.PolyData.from_regular_faces(mesh.vertices * shape.scale, mesh.faces)
        return surface.decimate(1.0 - share / surface.n_points) if surface.n_points > share else surface
    for around in AROUND:
        surface = PRIMITIVES[shape.kind](shape, around).triangulate()
        if surface.n_points <= share:
            break
    return surface


def _at_start(scene: Scene, shell: _Shell) -> np.ndarray:
    """(n, 3) [m] vertices of a body in its initial pose, laboratory frame."""
    body = scene.bodies[shell.body]
    return shell.points @ body.orientation.matrix().T + body.position


def _corners(scene: Scene, positions: np.ndarray) -> np.ndarray:
    """(4 w, 3) [m] corners of each wall at rest, large enough for the objects at positions (n, 3) [m]."""
    squares = [_square(np.array(wall.point), unit(wall.normal), positions) for wall in scene.wall]
    return np.vstack([np.zeros((0, 3)), *squares])


def _square(point: np.ndarray, normal: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """(4, 3) [m] corners of a square in a plane, large enough for the objects at positions (n, 3) [m]."""
    middle, reach = (
        (positions.min(axis=0) + positions.max(axis=0)) / 2,
        0.75 * float(np.linalg.norm(np.ptp(positions, axis=0))),
    )
    across = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    across /= np.linalg.norm(across)
    foot = middle - ((middle - point) @ normal) * normal
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.asarray(foot + (reach or 1.0) * signs @ np.array([across, np.cross(normal, across)]))


def _slab(plate: Plate, positions: np.ndarray) -> pv.PolyData:
    """Surface of a conducting plate, large enough for the objects at positions (n, 3) [m]."""
    normal = unit(plate.normal)
    square = _square(np.array(plate.point), normal, positions)
    corners = np.vstack([square + side * plate.thickness / 2 * normal for side in (-1, 1)])
    return slab_of(corners)


def _surfaces(scene: Scene, positions: np.ndarray) -> Block:
    """Block of the curved surfaces, and of the plates, large enough for the objects at positions (n, 3) [m]."""
    skins = [drawn(surface, scene)[0].triangulate() for surface in scene.surface]
    skins += [_slab(plate, positions).triangulate() for plate in scene.plate]
    if not skins:
        return Block("Surfaces", np.zeros((0, 3)))
    first = np.cumsum([0, *(skin.n_points for skin in skins)])
    faces = np.vstack([skin.regular_faces + start for skin, start in zip(skins, first, strict=False)])
    numbers = np.concatenate([np.full(skin.n_cells, k, np.int32) for k, skin in enumerate(skins)])
    names = {"Surface": tuple(part.name for part in (*scene.surface, *scene.plate))}
    points = np.vstack([skin.points for skin in skins])
    return Block("Surfaces", points, {"Polygons": cells_of(faces)}, False, cell_data={"Surface": numbers}, names=names)
