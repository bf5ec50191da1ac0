"""From a Scene to the arrays that the solver reads, and the state from one build to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from scipy.sparse import csr_array

from core.engine.inputs_at_start import inputs_at_start
from core.engine.model import Inputs, Model, bead_states, body_states, changed_by_forces, point_states
from core.mesh.mesh import Meshes
from core.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, MOMENTUM, ON_PATH, POSITION, SUPPORTS, Bodies
from core.physics.bodies.mass_properties import MassProperties, body_properties
from core.physics.bodies.shapes import Sphere, unit
from core.physics.contact.compile import build_contacts, build_hulls
from core.physics.contact.compile_surfaces import build_surfaces
from core.physics.contact.compile_tangential import build_rough
from core.physics.magnets.arrays import Dipoles
from core.physics.magnets.dipole_cloud import Magnets, magnets_of
from core.physics.magnets.tree import Settings, settings
from core.physics.modal.compile import ModalPart, modal_arrays, reduce_to_modes
from core.physics.paths.arrays import BEAD_SIZE
from core.physics.paths.compile import build_beads, start_of_beads
from core.physics.points.arrays import POINT_SIZE, Anchors, Springs
from core.physics.points.compile import PointParts, all_springs, build_points
from core.physics.sensor.description import BodyFollows
from core.scene.problem import InputError, Problem
from core.scene.scene import Body, EllipseMotion, Scene, Solver, UniformMotion

# An eigenvalue of the tensor counts as zero below this part of the largest: rounding leaves 1e-16, real bodies 1e-6.
SINGULAR = 1e-10
TURNING = ("pivot", "axle", "free")  # supports that leave a body to its torques
MANY = 4000  # dipoles from which their tree is faster than all pairs, wherever they are: benchmarks/many_dipoles.py
USUAL = 1e-4  # the tolerance for which that holds
STOP_STEPS = 4  # steps in which friction stops what slides slowly: every method is stable at a quarter of its rate
COINCIDENT = 1e-9  # [m] two magnets that are nearer than this are in one place


@dataclass(frozen=True)
class CompiledScene:
    """What a scene becomes: constant arrays, the state at its start, and what its bodies weigh."""

    scene: Scene
    model: Model
    inputs: Inputs
    start: np.ndarray  # flat state
    properties: tuple[MassProperties, ...]  # of each body, about its centre of mass, body frame
    points: dict[str, slice]  # the points of every soft body and particle, in order
    magnets: tuple[Magnets, ...]  # of each body
    skins: dict[str, csr_array]  # (v, n) weights of the vertices of every soft mesh by its points
    modal: dict[str, ModalPart]  # the soft bodies that move by their modes, in order

    @cached_property
    def springs(self) -> Springs:
        """All springs one by one: first those of soft bodies, then those of the scene, in order."""
        return all_springs(self.model)

    @property
    def start_points(self) -> np.ndarray:
        """(p, 3) [m] where all points start."""
        return np.asarray(point_states(self.model, self.start)[0].T)

    @cached_property
    def rest_points(self) -> np.ndarray:
        """(p, 3) [m] where all points start, those of soft bodies where they were if they started unbent."""
        places = self.start_points.copy()
        for soft in self.scene.soft:
            if soft.initial_state is not None and soft.initial_state.displacements:
                places[self.points[soft.name]] -= soft.initial_state.displacements
        return places

    def modes_kept(self, name: str) -> int:
        """How many modes a soft body moves by; 0 of one whose points all move, and of what is no soft body."""
        return len(self.modal[name].modes.squares) if name in self.modal else 0

    def part(self, number: int) -> str:
        """Name of the part that a number of the state before the ledger belongs to."""
        bodies = len(self.model.bodies.mass)
        if number < BODY_SIZE * bodies:
            return self.scene.bodies[number // BODY_SIZE].name
        if number < self.model.points.at:
            return list(self.modal)[number // BODY_SIZE - bodies]
        if number >= self.model.rough.at:
            return self.scene.bodies[self.model.rough.body[(number - self.model.rough.at) // 3, 0]].name
        if number >= self.model.beads.at:
            return self.scene.bead[(number - self.model.beads.at) % len(self.scene.bead)].name
        if number >= self.model.modal.at:
            mode = (number - self.model.modal.at) % len(self.model.modal.damping)
            return list(self.modal)[int(np.searchsorted(self.model.modal.first_mode, mode, "right")) - 1]
        point = (number - self.model.points.at) % len(self.model.points.mass)
        return next(name for name, where in self.points.items() if point < where.stop)


def build(scene: Scene, meshes: Meshes) -> CompiledScene:
    """Model, inputs and start state of a scene; raises InputError with everything that is wrong with its parts."""
    properties, parts, magnets = _checked(scene, meshes)
    bodies = _bodies(scene.bodies, properties, len(scene.bead))
    dipoles = _dipoles(magnets, bodies)
    modal = modal_arrays(parts.modal.values(), len(parts.fixed))
    beads = build_beads(scene)
    bodies.support[beads.body] = ON_PATH
    contacts = build_contacts(scene, bodies, parts.where)
    rough = build_rough(scene, bodies, contacts)
    rows = len(scene.bodies) + len(parts.modal)
    sizes = rows, len(parts.fixed), len(modal.damping), len(scene.bead), len(rough.first)
    by_forces, (points_at, modes_at, beads_at, rough_at, ledger) = _layout(*sizes)
    model = Model(
        bodies=bodies,
        dipoles=dipoles,
        contacts=contacts,
        hulls=build_hulls(scene, bodies, meshes),
        points=replace(parts.points, at=points_at),
        modal=replace(modal, at=modes_at),
        anchors=_from_references(parts.anchors, bodies),
        springs=parts.springs,
        runs=parts.runs,
        walls=parts.walls,
        surfaces=build_surfaces(scene, [*bodies.radius, *parts.points.radius]),
        rough=replace(rough, at=rough_at),
        beads=replace(beads, at=beads_at),
        permeability=scene.world.permeability,
        friction_stop_time=STOP_STEPS * scene.solver.time_step,
        ledger=ledger,
        is_momentum=by_forces,
        tree=_tree(scene.solver, dipoles),
    )
    start = _start(scene.bodies, model)
    point_states(model, start)[:] = parts.start
    reduce_to_modes(model, start)
    bead_states(model, start)[:] = start_of_beads(scene.bead, beads)
    inputs = inputs_at_start(scene.world, scene.sensor, parts.fixed)
    return CompiledScene(
        scene, model, inputs, start, tuple(properties), parts.where, tuple(magnets), parts.skins, parts.modal
    )


def _checked(scene: Scene, meshes: Meshes) -> tuple[list[MassProperties], PointParts, list[Magnets]]:
    """Mass properties, points and springs, and magnets of a scene; raises InputError with all that is wrong."""
    properties, problems = _all_properties(scene, meshes)
    try:
        parts = build_points(scene, meshes)
    except InputError as error:
        raise InputError(error.source, [*problems, *error.problems]) from error
    if not problems:
        magnets = [magnets_of(scene, body, meshes) for body in scene.bodies]
        problems = [*_beyond_numbers(magnets), *_coinciding(scene.bodies, magnets)]
    if problems:
        raise InputError(scene.title or "scene", problems)
    return properties, parts, magnets


def _layout(n: int, p: int, k: int, c: int, r: int) -> tuple[np.ndarray, tuple[int, int, int, int, int]]:
    """Which numbers of the state forces change, and where points, modes, beads, stretches and the ledger begin.

    It is the state of n bodies and frames, p points, k modes, c beads and r springs along rough surfaces.
    """
    by_forces = changed_by_forces(n, p, k, c, r)
    sizes = BODY_SIZE * n, POINT_SIZE * p, 2 * k, BEAD_SIZE * c, 3 * r
    points, modes, beads, stretches, ledger = accumulate(sizes)
    return by_forces, (points, modes, beads, stretches, ledger)


def _from_references(anchors: Anchors, bodies: Bodies) -> Anchors:
    """Anchors whose places in bodies count from the reference points instead of the origins."""
    origins = np.where((anchors.body >= 0)[:, None], bodies.origin[anchors.body.clip(0)] if len(bodies.mass) else 0, 0)
    return replace(anchors, position=anchors.position + origins)


def momentum_of_spin(bodies: Bodies, b: int, spin: np.ndarray) -> np.ndarray:
    """Angular momentum of a spin, both in the body frame, as far as the body can turn."""
    inverses, axes = bodies.inverse_moments[b], bodies.axes[b]
    moments = np.where(inverses > 0, 1.0, 0.0) / np.where(inverses > 0, inverses, 1.0)
    return np.asarray(axes.T @ (moments * (axes @ spin)))


def _all_properties(scene: Scene, meshes: Meshes) -> tuple[list[MassProperties], list[Problem]]:
    """Mass properties of the bodies, and what is wrong with them."""
    properties: list[MassProperties] = []
    problems: list[Problem] = []
    for b, body in enumerate(scene.bodies):
        try:
            properties.append(body_properties(scene, body, meshes))
            problems += [problem.at(scene.place_of(b)) for problem in _unturnable(body, properties[-1])]
        except InputError as error:
            problems += [problem.at(scene.place_of(b)) for problem in error.problems]
    return properties, problems


def _beyond_numbers(magnets: Sequence[Magnets]) -> list[Problem]:
    """Shapes whose remanence makes a moment that is no number."""
    rule, remedy = "its moment is beyond the largest number", "give a smaller remanence, or check [units]"
    return [
        Problem(f"body[{b}].{place}", rule, remedy)
        for b, of_body in enumerate(magnets)
        for place in dict.fromkeys(np.array(of_body.places)[~np.isfinite(of_body.moment).all(axis=1)].tolist())
    ]


def _coinciding(bodies: Sequence[Body], magnets: Sequence[Magnets]) -> list[Problem]:
    """Dipoles of two bodies in one place at the start, where their field is not a number; each two magnets once."""
    problems: dict[tuple[str, str], Problem] = {}
    seen: dict[bytes, tuple[int, str]] = {}
    for b, (body, of_body) in enumerate(zip(bodies, magnets, strict=True)):
        cells = np.round((of_body.position @ body.orientation.matrix().T + body.position) / COINCIDENT)
        for place, cell in zip(of_body.places, cells + 0.0, strict=True):  # no cell is minus zero
            a, other = seen.setdefault(cell.tobytes(), (b, place))
            if a != b:
                here, there = f"body[{b}].{place}", f"body[{a}].{other}"
                rule = f"is in the same place as {there}, of '{bodies[a].name}'"
                at = here if place.endswith("magnet") else f"{here}.position"
                problems.setdefault((here, there), Problem(at, rule, "move one of them"))
    return list(problems.values())


def _unturnable(body: Body, properties: MassProperties) -> list[Problem]:
    if body.support in ("pivot", "axle") and not np.any(properties.about(np.zeros(3)) > 0):
        rule = f"body '{body.name}' has all its mass on the pivot, so nothing says how it turns"
        return [Problem("shape", rule, "move the mass off the pivot, or give it a size")]
    return []


def _bodies(bodies: Sequence[Body], properties: Sequence[MassProperties], beads: int) -> Bodies:
    free = np.array([body.support == "free" for body in bodies], dtype=bool).reshape(-1, 1)
    centers = np.array([p.center for p in properties]).reshape(-1, 3)
    references = np.where(free, centers, 0.0)
    inertia = np.array([p.about(at) for p, at in zip(properties, references, strict=True)]).reshape(-1, 3, 3)
    inverse_moments, axes = _turning(bodies, inertia)
    can_turn = inverse_moments > 0
    return Bodies(
        support=np.array([SUPPORTS[body.support] for body in bodies], dtype=np.int64),
        mass=np.array([p.mass for p in properties]),
        center=centers - references,
        origin=-references,
        inertia=inertia,
        inverse_inertia=_with_eigenvalues(axes, inverse_moments),
        axes=np.ascontiguousarray(np.swapaxes(axes, 1, 2)),
        inverse_moments=inverse_moments,
        turnable=_with_eigenvalues(axes, can_turn.astype(float)),
        restricted=np.any(~can_turn, axis=1),
        friction=np.array([body.friction if body.support in TURNING else 0.0 for body in bodies]),
        drag=np.array([(body.drag, body.quadratic_drag) for body in bodies]).reshape(-1, 2),
        round=np.array([_ball_radius(body) > 0 for body in bodies], dtype=np.bool_),
        radius=np.array([_ball_radius(body) for body in bodies], dtype=float),
        first_bead=len(bodies) - beads,
        motion=np.array([_script(body) for body in bodies]).reshape(-1, 5, 3),
        follows=np.array([_follows(body) for body in bodies]).reshape(-1, 4),
    )


def _turning(bodies: Sequence[Body], inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inverse principal moments (n, 3), zero where a body can't turn, and the axes (n, 3, 3) in columns, body frame."""
    moments, axes = np.linalg.eigh(inertia)
    has_inertia = moments > SINGULAR * moments[:, -1:]
    inverses = np.where(has_inertia, 1.0, 0.0) / np.where(has_inertia, moments, 1.0)
    for b, body in enumerate(bodies):
        if body.support == "axle" and body.axis is not None:
            n = body.orientation.matrix().T @ unit(body.axis)
            axes[b] = np.linalg.svd(np.outer(n, n))[0]  # n first, up to its sign, and two across
            inverses[b] = 1.0 / (n @ inertia[b] @ n), 0.0, 0.0
        if body.support == "driven":
            inverses[b] = 1.0  # its momentum stands for the velocity that it keeps
    return inverses, axes


def _ball_radius(body: Body) -> float:
    """That [m] of a free body that is a sphere, and turns like one; 0 of any other."""
    whole = body.shape[0]
    is_ball = body.support == "free" and len(body.shape) == 1 and body.inertia is None
    return whole.radius if is_ball and isinstance(whole, Sphere) else 0.0


def _script(body: Body) -> np.ndarray:
    """(5, 3) the rows c, v, r1, r2, (w, p, 0) of a driven body's motion."""
    script = np.zeros((5, 3))
    script[0] = body.position
    if isinstance(body.motion, UniformMotion):
        script[1] = body.motion.velocity
    if isinstance(body.motion, EllipseMotion):
        script[2:4] = body.motion.r1, body.motion.r2
        script[4, :2] = body.motion.angular_frequency, body.motion.phase
    if isinstance(body.motion, BodyFollows):
        script[1] = unit(body.motion.axis)
    return script


def _follows(body: Body) -> tuple[float, float, float, float]:
    """How a driven body follows the hand; all zero where it does not."""
    return body.motion.numbers if isinstance(body.motion, BodyFollows) else (0.0, 0.0, 0.0, 0.0)


def _with_eigenvalues(axes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n, 3, 3) symmetric matrices with the given eigenvalues (n, 3) on the columns of `axes` (n, 3, 3)."""
    return np.ascontiguousarray(np.einsum("nij,nj,nkj->nik", axes, values, axes))


def _dipoles(magnets: Sequence[Magnets], bodies: Bodies) -> Dipoles:
    counts = [len(of_body.size) for of_body in magnets]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    places = [origin + of_body.position for origin, of_body in zip(bodies.origin, magnets, strict=True)]
    position = np.concatenate([np.zeros((0, 3)), *places])
    size = np.concatenate([np.zeros(0), *(of_body.size for of_body in magnets)])
    reaches = np.linalg.norm(position, axis=1) + size
    return Dipoles(
        first=first,
        position=position,
        moment=np.concatenate([np.zeros((0, 3)), *(of_body.moment for of_body in magnets)]),
        size=size,
        reach=np.array([reaches[a:b].max(initial=0.0) for a, b in pairwise(first)]),
    )


def many(tolerance: float) -> float:
    """Number of dipoles from which their tree is faster than all pairs, measured: a smaller tolerance asks for more."""
    return MANY * max(1.0, USUAL / tolerance) ** 0.25


def _tree(solver: Solver, dipoles: Dipoles) -> Settings:
    enough = len(dipoles.moment) >= many(solver.dipole_tolerance)
    wanted = solver.dipole_sum == "tree" or (solver.dipole_sum == "auto" and enough)
    return settings(solver.dipole_tolerance if wanted else 0.0)


def _start(bodies: Sequence[Body], model: Model) -> np.ndarray:
    """Flat state at the start: L = Q I Q^T omega with Q = [u1 u2 u3], as far as the body can turn."""
    state = np.zeros(len(model.is_momentum))
    for b, (row, body) in enumerate(zip(body_states(model, state), bodies, strict=True)):
        turn = body.orientation.matrix()
        spin = np.array(body.angular_velocity)
        to_reference = turn @ -model.bodies.origin[b]
        row[POSITION:MOMENTUM] = body.position + to_reference
        row[BASIS:ANGULAR_MOMENTUM] = turn.T.ravel()
        if body.support != "fixed":
            row[ANGULAR_MOMENTUM:] = turn @ momentum_of_spin(model.bodies, b, turn.T @ spin)
        if body.support == "free":
            row[MOMENTUM:BASIS] = model.bodies.mass[b] * (np.array(body.velocity) + np.cross(spin, to_reference))
    return state
