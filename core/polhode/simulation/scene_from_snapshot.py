"""A scene that starts from a snapshot, with notes on what a scene can't describe.

Inverse of running a scene: positions and velocities become start values, the phases of ellipses and rotating fields
are advanced, soft bodies get their displacements as `initial_state`, and beads that have left their paths are free
bodies. The new scene starts at t = 0 and agrees with the run to rounding, but for what the notes name. Multistep
methods lose their history.
"""

from __future__ import annotations

import re
from math import cos, sin

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING
from polhode.physics.bodies.derived_bodies import body_of_bead
from polhode.physics.bodies.shapes import Orientation
from polhode.physics.breaking.items import items_of
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.joints.description import (
    AnyJoint,
    CylindricalJoint,
    DistanceJoint,
    GearJoint,
    HingeJoint,
    OfJoints,
    TendonJoint,
)
from polhode.physics.points.description import InitialState, Particle, Soft
from polhode.physics.sensor.description import BodyFollows, Drive
from polhode.scene.formula_vector import later, vector_later
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.quantity import Vector, magnitudes
from polhode.scene.scene import (
    Body,
    EllipseMotion,
    Force,
    FormulaField,
    FormulaMotion,
    RotatingField,
    Scene,
    UniformMotion,
    World,
)
from polhode.simulation.snapshot import Snapshot


def scene_from_snapshot(compiled: CompiledScene, now: Snapshot) -> tuple[Scene, list[Message]]:
    """A scene that starts in the state `now`, and notes on what starts differently.

    compiled: the compiled scene of the snapshot

    Arrangements of spheres become single spheres. Springs get the rest lengths that were taken from the start. The
    notes name walls, paths and bodies whose motion begins at t = 0 again; there are none at the start of a run.
    """
    scene = compiled.scene
    _check_magnitudes(now)
    rows = {body.name: row for row, body in enumerate(scene.bodies)}
    bodies = tuple(_body(body, now, rows[body.name]) for body in scene.body)
    spheres = tuple(ball for sphere in scene.sphere for ball in _spheres(sphere, now, rows))
    held = now.beads.is_held.tolist()
    left = tuple(
        _body(body_of_bead(bead, scene.sensor, scene.body), now, rows[bead.name])
        for bead, on in zip(scene.bead, held, strict=True)
        if not on
    )
    beads = tuple(
        bead.model_copy(update={"parameter": float(q), "speed": float(speed)})
        for bead, q, speed, on in zip(scene.bead, now.beads.parameter, now.beads.speed, held, strict=True)
        if on
    )
    soft = tuple(_soft(soft, compiled, now) for soft in scene.soft)
    points = len(now.points.position) - len(scene.particle)
    particles = tuple(_particle(particle, now, points + k) for k, particle in enumerate(scene.particle))
    changed: dict[str, object] = {
        "body": bodies + left,
        "sphere": spheres,
        "bead": beads,
        "soft": soft,
        "particle": particles,
    }
    lengths = compiled.model.springs.rest.tolist()  # also those that the scene leaves out
    gone = _broken_springs(compiled, now)
    changed["spring"] = tuple(
        spring.model_copy(update={"rest_length": length})
        for number, (spring, length) in enumerate(zip(scene.spring, lengths, strict=True))
        if f"spring[{number}]" not in gone
    )
    broken = _broken(scene, now)
    changed["joint"] = tuple(
        _joint(joint, number, compiled, now) for number, joint in enumerate(scene.joint) if joint.name not in broken
    )
    changed["force"] = tuple(_force_later(force, now.time) for force in scene.force)
    changed["world"] = _world(scene.world, now.time)
    changed["sensor"] = scene.sensor.model_copy(update={"drive": _drives(scene, held)})
    return scene.model_copy(update=changed), _notes(scene, now)


def _check_magnitudes(now: Snapshot) -> None:
    """Raise InputError where a state has diverged so far that no scene may start from it."""
    moving = {
        "m": (now.bodies.position, now.points.position),
        "m/s": (now.bodies.velocity, now.points.velocity),
        "rad/s": (now.bodies.angular_velocity,),
    }
    for unit, arrays in moving.items():
        if max(float(np.abs(array).max(initial=0.0)) for array in arrays) > magnitudes(unit)[1]:
            rule = Message("the state at t = {time:.6g} s has diverged", time=now.time)
            raise InputError.of("", rule, Message("take an earlier one"))


def _body(body: Body, now: Snapshot, row: int) -> Body:
    """A body at its current position, as far as its support leaves it free. `row` is its index in the snapshot."""
    if body.support == "fixed":
        return body
    basis = tuple(_vector(u) for u in now.bodies.basis[row])
    turned = {
        "orientation": Orientation(basis=basis),
        "angular_velocity": _vector(now.bodies.angular_velocity[row]),
    }
    if body.support == "free":
        turned |= {"position": _vector(now.bodies.position[row]), "velocity": _vector(now.bodies.velocity[row])}
    if isinstance(body.motion, UniformMotion):
        turned["position"] = _vector(now.bodies.position[row])
    if isinstance(body.motion, EllipseMotion):
        phase = body.motion.phase + body.motion.angular_frequency * now.time
        turned["motion"] = body.motion.model_copy(update={"phase": phase})
    if isinstance(body.motion, FormulaMotion):
        turned["motion"] = body.motion.model_copy(
            update={name: later(text, now.time) for name, text in body.motion.sources.items()}
        )
        if body.motion.turns:
            return body.model_copy(update={"motion": turned["motion"]})
    return body.model_copy(update=turned)


def _spheres(sphere: SolidSphere, now: Snapshot, rows: dict[str, int]) -> list[SolidSphere]:
    """The spheres of an arrangement one by one, at their current positions."""
    return [
        sphere.model_copy(
            update={
                "name": name,
                "arrangement": None,
                "color": sphere.color_of(number),
                "position": _vector(now.bodies.position[rows[name]]),
                "velocity": _vector(now.bodies.velocity[rows[name]]),
                "angular_velocity": _vector(now.bodies.angular_velocity[rows[name]]),
            }
        )
        for number, name in enumerate(sphere.names)
    ]


def _particle(particle: Particle, now: Snapshot, point: int) -> Particle:
    """A particle at its current position; `point` is its index in the snapshot. A fixed one keeps velocity zero."""
    position, velocity = _vector(now.points.position[point]), _vector(now.points.velocity[point])
    return particle.model_copy(
        update={"position": position, "velocity": (0.0, 0.0, 0.0) if particle.fixed else velocity}
    )


def _soft(soft: Soft, compiled: CompiledScene, now: Snapshot) -> Soft:
    """A soft body with its displacements [m] and velocities [m/s], laboratory frame, as its initial state."""
    where = compiled.points[soft.name]
    bent = now.points.position[where] - compiled.rest_points[where]
    broken = tuple(_broken_springs(compiled, now).get(soft.name, []))
    start = InitialState(displacements=_vectors(bent), velocities=_vectors(now.points.velocity[where]), broken=broken)
    still = (0.0, 0.0, 0.0)
    return soft.model_copy(update={"initial_state": start, "velocity": still, "angular_velocity": still})


def _drives(scene: Scene, held: list[bool]) -> tuple[Drive, ...]:
    """The driven parameters, without those of beads that have left; the beads behind these have other numbers."""
    kept = {str(number): sum(held[:number]) for number, on in enumerate(held) if on}
    found = []
    for drive in scene.sensor.drive:
        of_bead = re.match(r"bead\[(\d+)\]", drive.parameter)
        if of_bead is None:
            found.append(drive)
        elif of_bead[1] in kept:
            parameter = f"bead[{kept[of_bead[1]]}]{drive.parameter[of_bead.end() :]}"
            found.append(drive.model_copy(update={"parameter": parameter}))
    return tuple(found)


def _broken_springs(compiled: CompiledScene, now: Snapshot) -> dict[str, list[int]]:
    """Numbers of the broken springs of soft bodies and single springs, by the names of their columns."""
    first = compiled.model.breaking.first
    found = {
        name: np.flatnonzero(now.broken_springs[first[item] : first[item + 1]]).tolist()
        for item, name in enumerate(items_of(compiled.scene))
    }
    return {name: numbers for name, numbers in found.items() if numbers}


def _broken(scene: Scene, now: Snapshot) -> set[str]:
    """Names of the joints that are broken, and of the gears and tendons of such hinges."""
    found = {joint.name for joint, broken in zip(scene.joint, now.joints.is_broken, strict=True) if broken}
    tied = {joint.name: {joint.first, joint.second} for joint in scene.joint if isinstance(joint, GearJoint)}
    tied |= {joint.name: set(joint.joints) for joint in scene.joint if isinstance(joint, TendonJoint)}
    return found | {name for name, hinges in tied.items() if hinges & found}


def _joint(joint: AnyJoint, number: int, compiled: CompiledScene, now: Snapshot) -> AnyJoint:
    """A joint with its angle at the time of the snapshot, and with values that it took from the start."""
    changed: dict[str, object] = {}
    motor = getattr(joint, "motor", None)
    if motor is not None:
        texts = {key: later(text, now.time) for key in ("torque", "speed") if (text := getattr(motor, key)) is not None}
        changed["motor"] = motor.model_copy(update=texts)
    if isinstance(joint, OfJoints):
        return joint.model_copy(update=changed)
    joints, origin = compiled.model.joints, compiled.model.bodies.origin
    anchors = [
        _vector(joints.anchor[number, slot] - (origin[b] if b != NOTHING else 0.0))
        for slot, b in enumerate(joints.body[number, :2].tolist())
    ]
    changed |= {"anchor": None, "anchor_first": anchors[0], "anchor_second": anchors[1]}
    if isinstance(joint, DistanceJoint):
        changed["length"] = float(joints.length[number])
    if isinstance(joint, HingeJoint | CylindricalJoint):
        changed["angle"] = float(now.joints.coordinate[number])
    return joint.model_copy(update=changed)


def _force_later(force: Force, time: float) -> Force:
    """A force by formulas with t counted from `time` [s]."""
    changed = {"force": vector_later(force.force, time), "torque": vector_later(force.torque, time)}
    energy = later(force.energy, time) if force.energy is not None else None
    return force.model_copy(update={**changed, "energy": energy})


def _world(world: World, time: float) -> World:
    """The world with its formulas of t and a rotating field as they are at `time` [s]."""
    changed: dict[str, object] = {"rotation": vector_later(world.rotation, time)}
    changed["gravity"] = vector_later(world.gravity, time)
    changed["wind"] = world.wind.model_copy(update={"velocity": vector_later(world.wind.velocity, time)})
    world = world.model_copy(update=changed)
    field = world.magnetic_field
    if isinstance(field, FormulaField):
        texts = {axis: later(text, time) for axis, text in zip("xyz", field.components, strict=True)}
        return world.model_copy(update={"magnetic_field": field.model_copy(update=texts)})
    if not isinstance(field, RotatingField):
        return world
    c, s = np.array(field.cosine), np.array(field.sine)
    turn = field.angular_frequency * time
    turned = {"cosine": _vector(c * cos(turn) + s * sin(turn)), "sine": _vector(s * cos(turn) - c * sin(turn))}
    return world.model_copy(update={"magnetic_field": field.model_copy(update=turned)})


def _notes(scene: Scene, now: Snapshot) -> list[Message]:
    """Notes on parts of the current state that a scene cannot contain."""
    by_clock = [wall.name for wall in scene.wall if wall.motion.kind == "sine"]
    held = now.beads.is_held.tolist()
    left = [bead.name for bead, on in zip(scene.bead, held, strict=True) if not on]
    on_time = [bead.name for bead in scene.bead if bead.path_motion.kind not in ("still", "body")]
    by_clock += [name for name in on_time if name not in left]
    by_clock += [body.name for body in scene.body if isinstance(body.motion, BodyFollows)]
    lost = [Message("'{name}' has left its path and becomes a free body", name=name) for name in left]
    lost += [Message("what moves '{name}' begins at t = 0 again", name=name) for name in by_clock]
    if scene.world.wind.period > 0:
        lost.append(Message("the wind begins to swing at t = 0 again"))
    return lost if now.time > 0 else []


def _vector(values: np.ndarray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _vectors(values: np.ndarray) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x, y, z in values.tolist())
