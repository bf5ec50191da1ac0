"""Checks of conductors: shapes without rings, magnets in the metal, rings that are too far from each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING, Model, Work
from polhode.engine.part import Draft
from polhode.physics.bodies.description import Body
from polhode.physics.bodies.geometry.point_in_solid import REGIONS
from polhode.physics.bodies.shapes import Cylinder, Shape, Sphere, Tube
from polhode.physics.coils.arrays import RESISTIVE
from polhode.physics.coils.description import OpenSource
from polhode.physics.conductors.coupled.indefinite import coupled_at_start
from polhode.physics.conductors.coupled.left_out import left_out
from polhode.physics.conductors.description import Conductor
from polhode.physics.conductors.loops import are_coaxial, conducting
from polhode.physics.conductors.rings import grid_of
from polhode.physics.conductors.sheet import wall_of
from polhode.physics.plates.compile import start_poses
from polhode.scene.message import Message
from polhode.scene.problem import Problem

FARTHEST = 0.45  # distance of rings in radii of the bore, from which on the drag is 1 % off
RESOLVED = 20.0  # steps in a time constant that are recommended
NEAR = 4.0  # distance of a coil in its radii, up to which its voltage by currents in metal counts
MS = 1e3


def check_conductors(draft: Draft) -> None:
    """Add the problems of shapes that their currents do not suit, and of shapes that do not go together in a body."""
    for b, body in enumerate(draft.scene.body):
        shapes = conducting(body)
        for k, shape, conductor in shapes:
            path = f"body[{b}].shape[{k}].conductor"
            draft.problems += _problem_of(path, shape, conductor)
            if shape.iron is not None:
                rule = Message("is beside iron, in which currents are left out")
                draft.problems.append(Problem(path, rule, Message("remove one of the two")))
            elif conductor.currents != shapes[0][2].currents:
                rule = Message("is another than that of the first conductor of '{name}'", name=body.name)
                draft.problems.append(Problem(f"{path}.currents", rule, Message("take one for all shapes of a body")))
            elif conductor.currents == "rings" and not are_coaxial(shapes[0][1], shape):
                rule = Message("is rings, but the conductors of '{name}' are not about one axis", name=body.name)
                draft.problems.append(Problem(f"{path}.currents", rule, Message("take a sheet")))


def _problem_of(path: str, shape: Shape, conductor: Conductor) -> Iterator[Problem]:
    """The problem of a shape that does not suit its currents."""
    if conductor.currents == "rings" and not isinstance(shape, Tube | Cylinder):
        rule = Message("is rings, but a {kind} has no axis for them", kind=shape.kind)
        yield Problem(f"{path}.currents", rule, Message("take a tube or a cylinder, or a sheet"))
    elif conductor.thickness is not None and not (isinstance(shape, Sphere) and conductor.currents == "sheet"):
        rule = Message("is of the sheet of a sphere, not of a {kind}", kind=shape.kind)
        yield Problem(f"{path}.thickness", rule, Message("leave it out"))
    elif isinstance(shape, Sphere) and conductor.thickness is None:
        rule = Message("is missing: the currents of a solid sphere are in no sheet")
        yield Problem(f"{path}.thickness", rule, Message("give the thickness of the wall of a hollow one"))
    elif conductor.currents == "sheet" and wall_of(shape, conductor) is None:
        rule = Message("is a sheet, but this {kind} has no thin wall", kind=shape.kind)
        yield Problem(f"{path}.currents", rule, Message("take a tube, a disc, a cuboid or a hollow sphere, or rings"))


def check_start(draft: Draft, model: Model, work: Work) -> None:
    """Add the problems of magnets that start in the metal of another body, and of currents too close to each other."""
    draft.problems += coupled_at_start(draft.scene, model, work)
    scene, first = draft.scene, model.dipoles.first
    origins, bases = start_poses(scene, model.bodies)
    for b, body in enumerate(scene.body):
        in_body = (work.dipoles.position - origins[b]) @ bases[b].T - model.bodies.origin[b]
        found: set[int] = set()
        for _, shape, conductor in conducting(body):
            _, _, inside = REGIONS[type(shape)](shape)
            points = (in_body - shape.position) @ shape.orientation.matrix()
            there = np.flatnonzero(inside(points) & ~_in_hollow(conductor, shape, points))
            found |= {int(owner) for owner in np.searchsorted(first, there, side="right") - 1}
        for owner in sorted(found - {b}):
            rule = Message(
                "the magnet of '{body}' starts in the metal of '{metal}'",
                body=scene.bodies[owner].name,
                metal=body.name,
            )
            draft.problems.append(Problem(scene.place_of(owner), rule, Message("move one of them")))


def _in_hollow(conductor: Conductor, shape: Shape, points: np.ndarray) -> np.ndarray:
    """(n,) bool: which points (n, 3) [m] in the frame of a shape are inside its wall."""
    if isinstance(shape, Sphere) and conductor.thickness is not None:
        return np.asarray(np.linalg.norm(points, axis=1) < shape.radius - conductor.thickness)
    return np.zeros(len(points), dtype=np.bool_)


def conductor_warnings(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about what is left out, and about rings that are too far from each other."""
    scene, owners = compiled.scene, compiled.model.conductors.body.tolist()
    for b in owners:
        yield from _coarse_rings(scene.body[b], b)
    yield from left_out(compiled)
    yield from _fast_metal(compiled)
    yield from _resistive_coils(compiled)


def _fast_metal(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about metal beside coils none of whose modes a step resolves."""
    conductors, scene = compiled.model.conductors, compiled.scene
    near = list(_coils_beside(compiled))
    for c, b in enumerate(conductors.body.tolist()):
        if near and not conductors.slow[c]:
            constant = MS * float(conductors.time_constant[conductors.first_mode[c]])
            rule = Message(
                "currents in the metal of '{name}' decay in {constant:.2g} ms, less than the step of {step:.2g} ms: "
                "what they induce in '{coil}' is left out",
                name=scene.body[b].name,
                constant=constant,
                step=MS * scene.solver.time_step,
                coil=scene.coil[near[0]].name,
            )
            remedy = Message("take a step of {step:.1g} ms to resolve them, or implicit", step=constant / RESOLVED)
            yield Problem(f"body[{b}].shape", rule, remedy)


def _resistive_coils(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about coils without a current of their own time beside metal whose currents are resolved."""
    model, scene = compiled.model, compiled.scene
    for k in _coils_beside(compiled) if model.conductors.slow.any() else ():
        if model.circuits.kind[model.coils.circuit[k]] == RESISTIVE:
            rule = Message(
                "the current of '{coil}' is treated as resistive: the energy that it exchanges with currents in metal "
                "is not accounted for",
                coil=scene.coil[k].name,
            )
            yield Problem(f"coil[{k}]", rule, Message("give it an inductance, or take a smaller step"))


def _coils_beside(compiled: CompiledScene) -> Iterator[int]:
    """Numbers of coils that metal should act on: those with a current, and open ones that start close to it."""
    scene, model = compiled.scene, compiled.model
    conductors = model.conductors
    if not len(conductors.body):
        return
    origins, bases = start_poses(scene, model.bodies)
    owner = np.repeat(conductors.body, np.diff(conductors.first_source))
    places = origins[owner] + np.einsum("si,sij->sj", conductors.position, bases[owner])
    for k, coil in enumerate(scene.coil):
        b = model.coils.body[k]
        at = model.coils.position[k] if b == NOTHING else origins[b] + model.coils.position[k] @ bases[b]
        size = coil.outer_radius + float(conductors.radius.max())
        is_near = np.linalg.norm(places - at, axis=1).min() < NEAR * size
        if is_near or not isinstance(coil.source, OpenSource):
            yield k


def _coarse_rings(body: Body, b: int) -> Iterator[Problem]:
    """The warning about rings in a tube with gaps as wide as its bore."""
    for k, shape, conductor in conducting(body):
        if isinstance(shape, Tube) and conductor.currents == "rings":
            size = shape.inner_radius, shape.radius, shape.length
            gap = shape.length / grid_of(*size, conductor.panels).rows
            if gap > FARTHEST * shape.inner_radius:
                rule = Message(
                    "{count} rings are {gap:.2g} m from each other in a bore of radius {radius:.2g} m",
                    count=conductor.panels,
                    gap=gap,
                    radius=shape.inner_radius,
                )
                needed = ceil(shape.length / (0.3 * shape.inner_radius))
                remedy = Message("take {count} or more", count=needed * grid_of(*size, needed).layers)
                yield Problem(f"body[{b}].shape[{k}].conductor.panels", rule, remedy)


def conductor_notes(compiled: CompiledScene) -> list[Message]:
    """A note on each conductor: its nodes, the slowest time constant, and how many modes have an inductance."""
    conductors, found = compiled.model.conductors, list[Message]()
    for c, b in enumerate(conductors.body.tolist()):
        first = int(conductors.first_mode[c])
        note = Message(
            "'{name}': {count} currents, the slowest of {constant:.3g} ms, {slow} with inductance",
            name=compiled.scene.bodies[b].name,
            count=int(conductors.first_node[c + 1] - conductors.first_node[c]),
            constant=MS * float(conductors.time_constant[first]),
            slow=int(conductors.slow[c]),
        )
        found.append(note)
    return found
