"""Checks of soft iron: magnets and other iron in it at the start, and what comes nearer than a panel in a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import pi

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.physics.bodies.arrays import BASIS, Bodies, body_states
from polhode.physics.iron.arrays import Iron
from polhode.physics.iron.matrices import Panels, spread_charges
from polhode.physics.magnets.arrays import Dipoles
from polhode.physics.plates.compile import start_poses
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

MM = 1e3


def overlaps_of_iron(
    scene: Scene, bodies: Bodies, dipoles: Dipoles, iron: Iron, surfaces: list[list[Panels]]
) -> Iterator[Problem]:
    """Problems of magnets, and of other iron, that start in the iron of a body.

    surfaces: of each body of iron its shapes, from the reference point of the body
    """
    positions, bases = start_poses(scene, bodies)
    points = [dipoles.position[i:j] @ bases[b] + positions[b] for b, (i, j) in enumerate(pairwise(dipoles.first))]
    middles = [
        np.concatenate([panels.centroids for panels in each]) @ bases[b] + positions[b]
        for b, each in zip(iron.body.tolist(), surfaces, strict=True)
    ]
    for a, b in enumerate(iron.body.tolist()):
        for c in range(len(points)):
            depth = _depth(surfaces[a], (points[c] - positions[b]) @ bases[b].T)
            if depth > 0.0:
                yield _overlap(
                    Message(
                        "the iron of '{iron}' overlaps the magnet of '{body}' by {depth:.2g} mm",
                        iron=scene.bodies[b].name,
                        body=scene.bodies[c].name,
                        depth=MM * depth,
                    ),
                    scene.place_of(c),
                )
        for other, c in enumerate(iron.body.tolist()):
            depth = _depth(surfaces[a], (middles[other] - positions[b]) @ bases[b].T) if other != a else 0.0
            if depth > 0.0:
                yield _overlap(
                    Message(
                        "the iron of '{iron}' overlaps that of '{body}' by {depth:.2g} mm",
                        iron=scene.bodies[b].name,
                        body=scene.bodies[c].name,
                        depth=MM * depth,
                    ),
                    scene.place_of(max(b, c)),
                )


def _overlap(rule: Message, place: str) -> Problem:
    return Problem(place, rule, Message("move one of them"))


def _depth(surfaces: list[Panels], points: np.ndarray) -> float:
    """Largest distance [m] of points (n, 3) from the panels, of those that are inside; 0 if none is."""
    deepest = 0.0
    for panels in surfaces:
        low, high = panels.corners.min(axis=(0, 1)), panels.corners.max(axis=(0, 1))
        near = points[((low < points) & (points < high)).all(axis=1)]
        if len(near):
            inside = near[spread_charges(near, panels)[1].sum(axis=1) > 2.0 * pi]
            for point in inside:
                deepest = max(deepest, float(np.linalg.norm(panels.points() - point, axis=2).min()))
    return deepest


def warnings_of_iron(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """Warnings about magnets, and other iron, nearer to iron than the edge of a panel; the state (k,) is placed."""
    iron, dipoles, scene = compiled.model.iron, compiled.model.dipoles, compiled.scene
    if not len(iron.body):
        return
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    others = [work.dipoles.position[i:j] for i, j in pairwise(dipoles.first)]
    for b, (i, j) in zip(iron.body.tolist(), pairwise(iron.first), strict=True):
        own = iron.middle[:, i:j].T[iron.edge[i:j] > 0.0] @ bases[b] + work.bodies.position[b]
        others[b] = np.concatenate([others[b], own])
    for a, b in enumerate(iron.body.tolist()):
        panels = slice(iron.first[a], iron.first[a + 1])
        middle, edge = iron.middle[:, panels], iron.edge[panels]
        reach = float(np.linalg.norm(middle, axis=0).max() + edge.max())
        for c, points in enumerate(others):
            local = (points - work.bodies.position[b]) @ bases[b].T
            local = local[np.linalg.norm(local, axis=1) < reach]
            if c != b and any((np.linalg.norm(point[:, None] - middle, axis=0) < edge).any() for point in local):
                yield _too_near(scene, b, c, time, float(edge.max()))


def _too_near(scene: Scene, b: int, c: int, time: float, edge: float) -> Problem:
    """The warning that body c is nearer to the iron of body b than a panel."""
    first, second = sorted((b, c))
    rule = Message(
        "at t = {time:.4g} s '{body}' is nearer to the iron of '{iron}' than a panel ({edge:.2g} mm)",
        time=time,
        body=scene.bodies[c].name,
        iron=scene.bodies[b].name,
        edge=MM * edge,
    )
    remedy = Message("its force is inaccurate there: give the iron more panels, or keep them apart")
    return Problem(f"{scene.place_of(first)} and {scene.place_of(second)}", rule, remedy)
