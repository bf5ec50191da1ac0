"""Points and springs of a scene as arrays, and their start state.

Soft bodies come first, in scene order, then particles; single springs are resolved last, since they name the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.bodies.shapes import unit
from polhode.physics.modal.compile import damped_part, modal_part
from polhode.physics.modal.nets import net_of
from polhode.physics.modal.normal_modes import ModalPart
from polhode.physics.points.arrays import Anchors, Points, SpringRows, Springs, point_states
from polhode.physics.points.description import (
    BodyPoint,
    Chain,
    Damper,
    InitialState,
    Lattice,
    SoftMesh,
    Spring,
    path_length,
)
from polhode.physics.points.lattice import first_of_blocks, spring_constants
from polhode.physics.points.skinning import skin_weights
from polhode.physics.points.soft_bodies import all_springs, rest_of, skin_at_rest, soft_runs
from polhode.scene.checks.known_names import KnownNames
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import Vector
from polhode.scene.scene import Scene

AnchorPoint = tuple[int, np.ndarray]  # a body, or NOTHING for the laboratory; (3,) [m] from its origin, body frame


@dataclass(frozen=True, eq=False)
class PointParts:
    """Points and springs of a scene, and their start; passed from `check_points` to `compile_points`."""

    points: Points
    anchors: Anchors
    springs: Springs
    spring_rows: SpringRows
    fixed_anchors: np.ndarray  # (q, 3) [m] of the anchors that never move, laboratory frame; nan of the others
    rest: np.ndarray  # (p, 3) [m] positions at rest
    modal: dict[str, ModalPart]  # by name, in order
    damped: dict[str, ModalPart]  # bodies that move point by point, with the modes that are damped
    start: np.ndarray  # (2, 3, p) [m], [m/s] positions and velocities
    where: dict[str, slice]  # the points of every soft body and particle, in order
    skins: dict[str, scipy.sparse.csr_array]  # (v, n) weights of the vertices of every soft mesh
    nodes: list[list[int]]  # of each single spring, pulleys that are placed at every step, numbered as its ends


def check_points(draft: Draft) -> None:
    """Build the points and springs of a scene, and add their problems to the draft."""
    try:
        draft.results["parts"] = build_points(draft.scene, draft.meshes)
    except InputError as error:
        draft.problems += error.problems


def compile_points(draft: Draft) -> None:
    """Add the members `points`, `anchors`, `springs` and `spring_rows` of the Model, and the tables of points."""
    parts: PointParts = draft.results.pop("parts")
    anchors = _from_references(parts.anchors, draft.model["bodies"])
    draft.model |= {
        "points": parts.points,
        "anchors": anchors,
        "springs": parts.springs,
        "spring_rows": parts.spring_rows,
    }
    draft.results |= {
        "points": parts.where,
        "skins": parts.skins,
        "fixed_anchors": parts.fixed_anchors,
        "start_points": parts.start,
    }
    draft.results |= {"modal": parts.modal, "damped": parts.damped, "nodes": parts.nodes}


def start_points(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write positions [m] and velocities [m/s] of all points, laboratory frame, into the start state."""
    point_states(model.points, state)[:] = draft.results.pop("start_points")


def build_points(scene: Scene, meshes: Meshes) -> PointParts:
    """Points and springs of a scene. Raises InputError with all their problems."""
    build = _Build(scene, meshes)
    problems = build.problems
    if not problems:
        parts = build.parts()
        problems = _add_modes(scene, parts)
    if problems:
        raise InputError(scene.title or "scene", problems)
    return parts


def _add_modes(scene: Scene, parts: PointParts) -> list[Problem]:
    """Add the modes of soft bodies that move or are damped by them; returns problems with their places."""
    problems: list[Problem] = []
    springs: Springs | None = None
    for number, soft in enumerate(scene.soft):
        if not soft.modes and not np.any(soft.modal_damping):
            continue
        springs = springs or all_springs(parts.spring_rows, parts.springs)
        here = parts.where[soft.name]
        net = net_of(here, parts.rest, parts.points, springs, parts.fixed_anchors)
        try:
            if soft.modes:
                parts.modal[soft.name] = modal_part(soft, here, net)
            elif (damped := damped_part(soft, here, net)) is not None:
                parts.damped[soft.name] = damped
        except InputError as error:
            problems += [problem.at(f"soft[{number}]") for problem in error.problems]
    return problems


def point_named(where: Mapping[str, slice], name: str) -> int:
    """Index of the point with a name, NOTHING if there is none. `where` has the points of every soft body."""
    part, _, index = name.rpartition(".")
    here = where.get(name if name in where else part, slice(0, 0))
    if name in where:
        return here.start if here.stop - here.start == 1 else NOTHING
    number = here.start + int(index) if index.isdecimal() else here.stop
    return number if number < here.stop else NOTHING


class _Build:
    """Collects points and springs item by item; the problems of all items are in `problems`."""

    def __init__(self, scene: Scene, meshes: Meshes):
        self.problems: list[Problem] = []
        self._scene, self._meshes = scene, meshes
        self._positions: list[np.ndarray] = []
        self._velocities: list[np.ndarray] = []
        self._rows: list[np.ndarray] = []  # mass, radius, fixed of each point
        self._where: dict[str, slice] = {}
        self._skins: dict[str, scipy.sparse.csr_array] = {}
        self._anchors: list[AnchorPoint] = []
        self._runs: list[np.ndarray] = []  # (r, 7) first, second, count, rest, k, d, full
        self._blocks: list[np.ndarray] = []  # numbers of runs
        self._rest: list[np.ndarray] = []  # positions of each item without initial displacements
        self._fixed_anchors: list[np.ndarray] = []  # of each anchor, nan of one that moves
        self._nodes: list[list[int]] = []  # of each single spring, pulleys that are placed at every step
        self._springs: list[tuple[np.ndarray, np.ndarray]] = []  # ends (s, 2), and (s, 4) rest, k, d, full
        for number, soft in enumerate(scene.soft):
            try:
                self._add_soft(soft)
            except InputError as error:
                self.problems += [problem.at(f"soft[{number}]") for problem in error.problems]
        for number, particle in enumerate(scene.particle):
            row = np.array([[particle.mass, particle.radius, particle.fixed]])
            try:
                self._add_points(particle.name, np.array([particle.position]), np.array([particle.velocity]), row)
            except InputError as error:
                self.problems += [problem.at(f"particle[{number}]") for problem in error.problems]
        self._count = sum(map(len, self._positions))
        self._bodies = {body.name: b for b, body in enumerate(scene.bodies)}
        nothing = Message("add it to the scene")
        self._known_bodies = KnownNames(self._bodies, None if self._bodies else nothing)
        self._known = KnownNames([*self._bodies, *self._where], None if self._bodies or self._where else nothing)
        self._all = np.concatenate([np.zeros((0, 3)), *self._positions])
        for number, spring in enumerate(scene.spring):
            try:
                self._add_spring(spring)
            except InputError as error:
                self.problems += [problem.at(f"spring[{number}]") for problem in error.problems]

    def _add_points(self, name: str, positions: np.ndarray, velocities: np.ndarray, rows: np.ndarray) -> None:
        """Append the points of one item.

        positions: (n, 3) [m]; velocities: (n, 3) [m/s]; rows: (n, 3) mass [kg], radius [m], fixed.
        """
        start = sum(map(len, self._positions))
        self._where[name] = slice(start, start + len(positions))
        self._positions.append(positions)
        self._rest.append(positions)
        self._velocities.append(velocities)
        self._rows.append(rows)

    def _add_soft(self, soft: Lattice | Chain | SoftMesh) -> None:
        """Append points, springs and skin of a soft body. Raises InputError.

        Velocities at the start are v + omega x (x - mean of x) plus those of its initial state; displacements of the
        initial state move the points, not the natural lengths.
        """
        positions, joined = soft_runs(soft, self._scene, self._meshes)
        if isinstance(soft, SoftMesh):
            self._skins[soft.name] = skin_weights(positions, skin_at_rest(soft, self._scene, self._meshes))
        rows = np.tile([soft.particle_mass, soft.particle_radius, 0.0], (len(positions), 1))
        rows[list(soft.fixed), 2] = 1.0
        arms = positions - positions.mean(axis=0)
        velocities = soft.velocity + np.cross(soft.angular_velocity, arms)
        of_points = soft.initial_state or InitialState()
        start = positions + _vectors_per_point(of_points.displacements, "displacements", soft.name, len(positions))
        velocities = velocities + _vectors_per_point(of_points.velocities, "velocities", soft.name, len(positions))
        self._add_points(soft.name, start, velocities, rows)
        self._rest[-1] = positions
        here, constants = self._where[soft.name], spring_constants(soft, joined)
        law = _rows(rest_of(soft, positions, joined), constants[:, 0], constants[:, 1], soft.damper)
        self._blocks.append(sum(map(len, self._runs)) + first_of_blocks(joined, constants))
        self._runs.append(np.hstack([joined + [here.start, here.start, 0], law]))

    def _add_spring(self, spring: Spring) -> None:
        """Append a single spring. Raises InputError if its ends cannot move apart, or if it has no direction."""
        first, at_first = self._end(spring.from_, "from")
        second, at_second = self._end(spring.to, "to")
        nodes, places = self._course(spring)
        self._nodes.append(nodes)
        distance = path_length([tuple(at_first), *places, tuple(at_second)], spring.strands)
        if spring.axis is not None:
            distance = float((at_second - at_first) @ unit(spring.axis))
            if distance < 0.0 and spring.rest_length is None:
                rule = Message("points from the second end to the first: the length is {length:.6g} m", length=distance)
                raise InputError("", [Problem("axis", rule, Message("reverse it, or give rest_length"))])
        rest = distance if spring.rest_length is None else spring.rest_length
        joined = [self._anchors[-1 - end][0] if end < 0 else ("point", end) for end in (first, second)]
        if joined[0] == joined[1] and not (spring.over and joined[0] != NOTHING):
            rule = Message("stands still, as from does") if joined[0] == NOTHING else Message("moves as one with from")
            raise InputError("", [Problem("to", rule, Message("join two things that can move apart"))])
        directed = spring.axis is not None or (spring.pull_only and rest > 0.0)
        is_loose = spring.rest_length is not None and float(spring.rest_length) == 0.0
        if distance == 0.0 and not is_loose and not directed:
            rule = Message("has both ends at the same position, so it has no direction")
            raise InputError("", [Problem("", rule, Message("move one of them, or give rest_length = 0"))])
        if spring.breaks_at_strain is not None and float(rest) == 0.0:
            rule = Message("is a multiple of the rest length, which is 0")
            raise InputError("", [Problem("breaks_at_strain", rule, Message("give breaks_at instead"))])
        linear = not spring.has_tension_law  # others have a law of their own, compile_tension.py
        stiffness, damping = (spring.stiffness or 0.0, spring.damping) if linear else (0.0, 0.0)
        rows = _rows(np.array([rest]), stiffness, damping, spring.damper)
        self._springs.append((np.array([[first, second]]), rows))

    def _course(self, spring: Spring) -> tuple[list[int], list[Vector]]:
        """Numbers of the pulleys of a spring, if they are placed at every step, and positions [m] of all at the start.

        Raises InputError for bodies that are not there.
        """
        if not spring.has_course:
            return [], list(spring.over)
        nodes, places = [], []
        for name, point in spring.course:
            if name and name not in self._bodies:
                rule = Message("there is no body '{name}'", name=name)
                raise InputError("", [Problem("over_bodies", rule, _remedy(name, self._known_bodies))])
            number, (x, y, z) = self._end(BodyPoint(body=name, point=point) if name else point, "over")
            nodes.append(number)
            places.append((x, y, z))
        return nodes, places

    def _end(self, end: str | BodyPoint | tuple[float, float, float], key: str) -> tuple[int, np.ndarray]:
        """Number of a spring's end, an anchor's below zero, and its position [m] at the start, laboratory frame."""
        if isinstance(end, tuple):
            return self._anchor((NOTHING, np.array(end)), np.array(end), moves=False)
        name, point = (end.body, np.array(end.point)) if isinstance(end, BodyPoint) else (end, np.zeros(3))
        if name in self._bodies:
            b = self._bodies[name]
            body = self._scene.bodies[b]
            at = body.position + body.orientation.matrix() @ point
            return self._anchor((b, point), at, moves=body.support != "fixed")
        if isinstance(end, BodyPoint):
            rule = Message("there is no body '{name}'", name=name)
            raise InputError(
                "",
                [Problem(f"{key}.body", rule, _remedy(name, self._known_bodies))],
            )
        number = point_named(self._where, name)
        if number == NOTHING:
            raise InputError("", [Problem(key, *self._unknown(name, name.rpartition(".")[0]))])
        return number, self._all[number]

    def _anchor(self, anchor: AnchorPoint, at: np.ndarray, moves: bool) -> tuple[int, np.ndarray]:
        self._anchors.append(anchor)
        self._fixed_anchors.append(np.full(3, np.nan) if moves else at)
        return -len(self._anchors), at

    def _unknown(self, name: str, part: str) -> tuple[Message, Message]:
        """Rule and remedy for a spring's end that names no point: a whole soft body, a wrong index, an unknown name."""
        for soft in (name, part):
            if soft in self._where:
                where = self._where[soft]
                rule = (
                    Message("'{name}' is a whole soft body", name=name)
                    if soft == name
                    else Message("'{name}' is no point of '{soft}'", name=name, soft=soft)
                )
                return rule, Message(
                    "name one of {soft}.0 to {soft}.{last}", soft=soft, last=where.stop - where.start - 1
                )
        rule = Message("there is nothing named '{name}' that a spring can hold", name=name)
        return rule, _remedy(name, self._known)

    def parts(self) -> PointParts:
        rows = np.concatenate([np.zeros((0, 3)), *self._rows])
        start = np.array([self._all.T, np.concatenate([np.zeros((0, 3)), *self._velocities]).T])
        fixed = rows[:, 2] > 0
        start[1, :, fixed] = 0.0
        return PointParts(
            points=Points(rows[:, 0].copy(), 1.0 / rows[:, 0], rows[:, 1].copy(), fixed),
            anchors=Anchors(
                np.array([body for body, _ in self._anchors], dtype=np.int64),
                np.array([at for _, at in self._anchors]).reshape(-1, 3),
            ),
            springs=self._spring_arrays(),
            spring_rows=self._run_arrays(),
            fixed_anchors=np.array(self._fixed_anchors).reshape(-1, 3),
            rest=np.concatenate([np.zeros((0, 3)), *self._rest]),
            modal={},
            damped={},
            start=np.ascontiguousarray(start),
            where=self._where,
            skins=self._skins,
            nodes=[[self._count - 1 - node for node in nodes] for nodes in self._nodes],
        )

    def _run_arrays(self) -> SpringRows:
        rows = np.concatenate([np.zeros((0, 7)), *self._runs])
        block = np.concatenate([*self._blocks, [len(rows)]]).astype(np.int64)
        first, second, count = np.ascontiguousarray(rows[:, :3].T.astype(np.int64))
        rest, stiffness, damping = np.ascontiguousarray(rows[:, 3:6].T)
        return SpringRows(block, first, second, count, rest, stiffness, damping, rows[:, 6] > 0)

    def _spring_arrays(self) -> Springs:
        """Single springs as Springs: numbers of anchors become p, p + 1, ..."""
        ends = np.concatenate([np.zeros((0, 2), dtype=np.int64), *(ends for ends, _ in self._springs)])
        rows = np.concatenate([np.zeros((0, 4)), *(rows for _, rows in self._springs)])
        first, second = np.ascontiguousarray(np.where(ends < 0, self._count - 1 - ends, ends).T)
        rest, stiffness, damping = np.ascontiguousarray(rows[:, :3].T)
        return Springs(first, second, rest, stiffness, damping, rows[:, 3] > 0)


def _vectors_per_point(vectors: tuple[Vector, ...], key: str, name: str, count: int) -> np.ndarray:
    """(count, 3) vectors, one for each point; zero where none are given. Raises InputError."""
    if len(vectors) not in (0, count):
        rule = Message(
            "has {vectors} vectors for the {count} points of '{name}'", vectors=len(vectors), count=count, name=name
        )
        raise InputError(
            name, [Problem(f"initial_state.{key}", rule, Message("give one for each, or leave initial_state out"))]
        )
    return np.array(vectors or [(0.0, 0.0, 0.0)])


def _rows(rest: np.ndarray, stiffness: ArrayLike, damping: ArrayLike, damper: Damper) -> np.ndarray:
    """(n, 4) natural length [m], stiffness [N/m], damping [N s/m] and 1 for a full damper, of springs of one item."""
    return np.column_stack(np.broadcast_arrays(rest, stiffness, damping, float(damper == "full")))


def _remedy(name: str, known: KnownNames) -> Message:
    """The remedy for the unknown name of a body, a soft body or, with a dot, one of its points."""
    part, dot, index = name.partition(".")
    return known.remedy(part, f"{{near}}{dot}{index}")


def _from_references(anchors: Anchors, bodies: Bodies) -> Anchors:
    """Anchors with positions from the reference points of bodies instead of from the origins."""
    origins = np.where((anchors.body >= 0)[:, None], bodies.origin[anchors.body.clip(0)] if len(bodies.mass) else 0, 0)
    return replace(anchors, position=anchors.position + origins)
