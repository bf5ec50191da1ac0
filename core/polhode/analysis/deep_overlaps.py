"""Shapes as they look that overlap deeply (core/polhode/physics/contact/fields/depth.py): at the start of a scene, with
the shift that separates them, and in a run, where the contact is too soft or the step too long.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING, Work
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.physics.contact.fields.depth import DEEP, deepest_overlap, overlap_of_sphere
from polhode.physics.contact.neighbours.arrays import near_pairs
from polhode.physics.contact.separate import are_separate
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

STEPS = 50  # of the search for a shift
GAP = 1e-9  # [m] between separated shapes: depths below rounding could not be removed
MM = 1000.0
MOST = 8  # pairs of bodies that are named
Pairs = list[tuple[int, int]]
Found = dict[tuple[int, int], Problem]  # by the indices of both bodies
_KNOWN: WeakKeyDictionary[CompiledScene, Found] = WeakKeyDictionary()  # every reset asks for them


def deep_overlaps(compiled: CompiledScene) -> tuple[Problem, ...]:
    """A warning for each of the first MOST pairs of bodies whose shapes overlap deeply at the start.

    Its `values` are the position [m] of one of the bodies at which the shapes just do not touch.
    """
    return tuple(_at_start(compiled).values())


def deep_overlaps_in_run(compiled: CompiledScene, work: Work) -> Iterator[Problem]:
    """Warnings about deep overlaps since the last call, but for those of bodies that overlap at the start."""
    fields, scene = work.fields, compiled.scene
    for j in np.nonzero(fields.deepest)[0].tolist():
        owner, b = int(fields.deep_owner[j]), int(compiled.model.fields.body[j])
        if (min(owner, b), max(owner, b)) in _at_start(compiled):
            continue
        name, path = _owner(scene, owner)
        rule = Message(
            "after t = {time:.4g} s '{a}' and '{b}' overlapped by {depth:.2g} mm, too deep for their contact",
            time=float(fields.since[j]),
            a=name,
            b=scene.bodies[b].name,
            depth=MM * float(fields.deepest[j]),
        )
        remedy = Message("raise the stiffness or take a smaller step")
        yield Problem(f"{path}.contact and {scene.place_of(b)}.contact", rule, remedy)
    fields.deepest[:] = 0.0


def _owner(scene: Scene, number: int) -> tuple[str, str]:
    """Name and path of a scene item by its number in `Contacts.owner`: a body, or one with points."""
    if number < len(scene.bodies):
        return scene.bodies[number].name, scene.place_of(number)
    number -= len(scene.bodies)
    kind, items = ("soft", scene.soft) if number < len(scene.soft) else ("particle", scene.particle)
    number -= 0 if kind == "soft" else len(scene.soft)
    return items[number].name, f"{kind}[{number}]"


def _at_start(compiled: CompiledScene) -> Found:
    """The warnings of `deep_overlaps`."""
    if compiled not in _KNOWN:
        _KNOWN[compiled] = _found(compiled) if len(compiled.model.fields.body) else {}
    return _KNOWN[compiled]


def _found(compiled: CompiledScene) -> Found:
    work, neighbours = make_work(compiled.model, compiled.inputs), compiled.model.neighbours
    _place(compiled, work, compiled.start)
    pairs: dict[tuple[int, int], Pairs] = {}
    for i, j in near_pairs(neighbours, work.neighbours):
        bodies = int(neighbours.body[i]), int(neighbours.body[j])
        is_seen = j >= neighbours.fields and not neighbours.solids <= i < neighbours.fields
        if is_seen and NOTHING not in bodies and bodies[0] != bodies[1]:
            pairs.setdefault(bodies, []).append((i, j))
    depths = {bodies: _depth(compiled, work, items) for bodies, items in pairs.items()}
    deep = [bodies for bodies in pairs if depths[bodies] > 0.0][:MOST]
    return {bodies: _problem(compiled, work, bodies, pairs[bodies], depths[bodies]) for bodies in deep}


def _place(compiled: CompiledScene, work: Work, state: np.ndarray) -> None:
    place(compiled.model, compiled.inputs, 0.0, state, work)


def _overlap(compiled: CompiledScene, work: Work, i: int, j: int) -> tuple[float, tuple[float, ...], float]:
    """Overlap [m] of two items i < j, a sphere or a shape and a shape, direction that frees i, and overlap [m] beyond
    which it is deep.
    """
    model, first = compiled.model, compiled.model.neighbours.fields
    fields, shape = model.fields, j - first
    if i >= first:
        deep = fields.rounding[i - first] + fields.rounding[shape]
        return *deepest_overlap(fields, model.solids, work.fields, i - first, shape), deep
    radius, center = model.contacts.radius[i], tuple(work.contacts.position[i].tolist())
    apart = fields.solid[shape] != NOTHING or are_separate(
        fields.first_separate, fields.separate, model.contacts.body[i], fields.body[shape]
    )
    if apart:
        return 0.0, (), 0.0
    deep = DEEP * min(radius, fields.largest[shape])
    return *overlap_of_sphere(fields, model.solids, work.fields, shape, center, radius), deep


def _depth(compiled: CompiledScene, work: Work, items: Pairs) -> float:
    """Largest overlap [m] among pairs of items that are placed and overlap deeply, or 0."""
    found = (_overlap(compiled, work, i, j) for i, j in items)
    return max((depth for depth, _, deep in found if depth > deep), default=0.0)


def separating_shift(compiled: CompiledScene, work: Work, moved: int, items: Pairs) -> np.ndarray | None:
    """Translation (3,) [m] of the body `moved` after which none of the pairs of items overlaps; None if none is found.

    It follows the gradients of the distances, by the depth of the deepest pair in each step.
    """
    shift = np.zeros(3)
    for _ in range(STEPS):
        state = compiled.start.copy()
        state[BODY_SIZE * moved : BODY_SIZE * moved + 3] += shift
        _place(compiled, work, state)
        depth, away, i = max((*_overlap(compiled, work, i, j)[:2], i) for i, j in items)
        if depth == 0.0:
            return shift
        if not any(away):
            return None
        sign = 1.0 if compiled.model.neighbours.body[i] == moved else -1.0
        shift += sign * (depth + GAP) * np.array(away)
    return None


def _problem(compiled: CompiledScene, work: Work, bodies: tuple[int, int], items: Pairs, depth: float) -> Problem:
    """The warning about two bodies that overlap by a depth [m]; its remedy moves the later one that is free."""
    scene = compiled.scene
    one, other = (scene.bodies[b].name for b in bodies)
    rule = Message("'{a}' and '{b}' overlap by {depth:.2g} mm at the start", a=one, b=other, depth=MM * depth)
    free = [b for b in bodies if scene.bodies[b].support == "free"]
    shift = separating_shift(compiled, work, free[-1], items) if free else None
    if shift is None:
        return Problem(scene.place_of(bodies[1]), rule, Message("move them apart"))
    path, name = f"{scene.place_of(free[-1])}.position", scene.bodies[free[-1]].name
    x, y, z = (MM * shift).tolist()
    remedy = Message("move '{name}' by ({x:.3g}, {y:.3g}, {z:.3g}) mm", name=name, x=x, y=y, z=z)
    position = tuple((np.array(scene.bodies[free[-1]].position) + shift).tolist())
    return Problem(path, rule, remedy, values=((path, position),))
