"""Shapes as they look that overlap deeply at the start of a scene, and the shift that separates them.

Beyond the sum of both roundings their cores overlap, and what lies beyond half of a wall is pushed out on its other
side: the forces of such a start are wrong.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.physics.contact.fields.depth import deepest_overlap
from polhode.physics.contact.neighbours.arrays import near_pairs
from polhode.scene.message import Message
from polhode.scene.problem import Problem

STEPS = 50  # of the search for a shift
GAP = 1e-9  # [m] between separated shapes: depths below rounding could not be removed
MM = 1000.0
MOST = 8  # pairs of bodies that are named
Pairs = list[tuple[int, int]]
_KNOWN: WeakKeyDictionary[CompiledScene, tuple[Problem, ...]] = WeakKeyDictionary()  # every reset asks for them


def deep_overlaps(compiled: CompiledScene) -> tuple[Problem, ...]:
    """A warning for each of the first MOST pairs of bodies whose shapes overlap deeply at the start.

    Its `values` are the position [m] of one of the bodies at which the shapes just do not touch.
    """
    if compiled not in _KNOWN:
        _KNOWN[compiled] = _found(compiled) if len(compiled.model.fields.body) else ()
    return _KNOWN[compiled]


def _found(compiled: CompiledScene) -> tuple[Problem, ...]:
    work, neighbours = make_work(compiled.model, compiled.inputs), compiled.model.neighbours
    _place(compiled, work, compiled.start)
    pairs: dict[tuple[int, int], Pairs] = {}
    for j, i in near_pairs(neighbours, work.neighbours):
        bodies = int(neighbours.body[j]), int(neighbours.body[i])
        if j >= neighbours.fields and bodies[0] != bodies[1]:
            pairs.setdefault(bodies, []).append((i - neighbours.fields, j - neighbours.fields))
    depths = {bodies: _depth(compiled, work, shapes) for bodies, shapes in pairs.items()}
    deep = [bodies for bodies in pairs if depths[bodies] > 0.0][:MOST]
    return tuple(_problem(compiled, work, bodies, pairs[bodies], depths[bodies]) for bodies in deep)


def _place(compiled: CompiledScene, work: Work, state: np.ndarray) -> None:
    place(compiled.model, compiled.inputs, 0.0, state, work)


def _depth(compiled: CompiledScene, work: Work, shapes: Pairs) -> float:
    """Largest overlap [m] among pairs of shapes that are placed and whose cores overlap, or 0."""
    model, rounding = compiled.model, compiled.model.fields.rounding
    depths = [deepest_overlap(model.fields, model.solids, work.fields, i, j)[0] for i, j in shapes]
    deep = [depth for depth, (i, j) in zip(depths, shapes, strict=True) if depth > rounding[i] + rounding[j]]
    return max(deep, default=0.0)


def separating_shift(compiled: CompiledScene, work: Work, moved: int, shapes: Pairs) -> np.ndarray | None:
    """Translation (3,) [m] of the body `moved` after which none of the pairs of shapes overlaps; None if none is found.

    It follows the gradients of the distances, by the depth of the deepest pair in each step.
    """
    model, shift = compiled.model, np.zeros(3)
    for _ in range(STEPS):
        state = compiled.start.copy()
        state[BODY_SIZE * moved : BODY_SIZE * moved + 3] += shift
        _place(compiled, work, state)
        found = [(*deepest_overlap(model.fields, model.solids, work.fields, i, j), i) for i, j in shapes]
        depth, away, i = max(found)
        if depth == 0.0:
            return shift
        if not any(away):
            return None
        sign = 1.0 if model.fields.body[i] == moved else -1.0
        shift += sign * (depth + GAP) * np.array(away)
    return None


def _problem(compiled: CompiledScene, work: Work, bodies: tuple[int, int], shapes: Pairs, depth: float) -> Problem:
    """The warning about two bodies that overlap by a depth [m]; its remedy moves the later one that is free."""
    scene = compiled.scene
    one, other = (scene.bodies[b].name for b in bodies)
    rule = Message("'{a}' and '{b}' overlap by {depth:.2g} mm at the start", a=one, b=other, depth=MM * depth)
    free = [b for b in bodies if scene.bodies[b].support == "free"]
    shift = separating_shift(compiled, work, free[-1], shapes) if free else None
    if shift is None:
        return Problem(scene.place_of(bodies[1]), rule, Message("move them apart"))
    path, name = f"{scene.place_of(free[-1])}.position", scene.bodies[free[-1]].name
    x, y, z = (MM * shift).tolist()
    remedy = Message("move '{name}' by ({x:.3g}, {y:.3g}, {z:.3g}) mm", name=name, x=x, y=y, z=z)
    position = tuple((np.array(scene.bodies[free[-1]].position) + shift).tolist())
    return Problem(path, rule, remedy, values=((path, position),))
