"""Checks of soft iron: magnets and other iron in it at the start, and what comes nearer than a panel in a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import pi

import numpy as np
from scipy.spatial import cKDTree

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.physics.bodies.arrays import BASIS, Bodies, body_states
from polhode.physics.induced.shapes import each_of_dipoles
from polhode.physics.iron.arrays import Iron
from polhode.physics.iron.matrices import Panels, spread_charges
from polhode.physics.magnets.arrays import Dipoles
from polhode.physics.plates.compile import start_poses
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

MM = 1e3
ACCEPTED = 1e-8  # error of charges, relative to them, that is no more than rounding
SATURATED = 1.9  # [T] magnetisation of iron that saturates at 2.1 T, from which on that counts


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
    """Warnings about magnets, and other iron, nearer to iron than the edge of a panel, and about iron that should
    saturate, with the charges that were computed last; the state (k,) is placed.
    """
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
        yield from _saturated(compiled, a, time, work)
        reach = float(np.linalg.norm(middle, axis=0).max() + edge.max())
        for c, points in enumerate(others):
            local = (points - work.bodies.position[b]) @ bases[b].T
            local = local[np.linalg.norm(local, axis=1) < reach]
            if c != b and any((np.linalg.norm(point[:, None] - middle, axis=0) < edge).any() for point in local):
                yield _too_near(scene, b, c, time, float(edge.max()))


def warnings_of_charges(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """The warning about charges that were not found in a state since the last check: iron so close to other iron that
    the energy has no minimum, or saturation for which steps of Newton do not end; the state (k,) is placed.
    """
    iron, scene = compiled.model.iron, compiled.scene
    left, work.iron.left[0] = float(work.iron.left[0]), 0.0
    if not left > ACCEPTED:
        return
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    points = [
        work.bodies.position[b] + iron.middle[:, i:j].T @ bases[b]
        for b, (i, j) in zip(iron.body.tolist(), pairwise(iron.first), strict=True)
    ]
    gaps = {(a, b): float(cKDTree(points[a]).query(points[b])[0].min()) for a, b in combinations(range(len(points)), 2)}
    if not gaps:
        b = int(iron.body[0])
        rule = Message(
            "at t = {time:.4g} s the magnetisation of '{iron}' was not found, with an error of {value:.2g}",
            time=time,
            iron=scene.bodies[b].name,
            value=left,
        )
        yield Problem(f"{scene.place_of(b)}.shape", rule, Message("leave saturation out, or take fewer shapes"))
        return
    one, other = (int(iron.body[a]) for a in min(gaps, key=gaps.__getitem__))
    rule = Message(
        "at t = {time:.4g} s the magnetisation of iron was not found, with an error of {value:.2g}: panels of '{one}' "
        "and '{other}' are {gap:.2g} mm from each other",
        time=time,
        value=left,
        one=scene.bodies[one].name,
        other=scene.bodies[other].name,
        gap=MM * min(gaps.values()),
    )
    yield Problem(f"{scene.place_of(one)}.shape and {scene.place_of(other)}.shape", rule, Message("keep them apart"))


def iron_beside_plates(scene: Scene) -> list[Problem]:
    """The warning about plates in a scene with iron."""
    if not scene.plate or not any(shape.iron for body in scene.body for shape in body.shape):
        return []
    rule = Message("does not feel the field of the iron, only that of magnets")
    return [Problem("plate[0]", rule, Message("remove the plate, or accept it"))]


def _saturated(compiled: CompiledScene, a: int, time: float, work: Work) -> Iterator[Problem]:
    """The warning that a shape of iron a, which does not saturate, has a magnetisation that iron can't have."""
    iron, b = compiled.model.iron, int(compiled.model.iron.body[a])
    charge, value = work.iron.charge[0], 0.0
    for j in range(iron.first_shape[a], iron.first_shape[a + 1]):
        if np.isinf(iron.saturation[j]):
            value = max(value, compiled.model.permeability * iron.magnetisation_of(j, charge))
    if value > SATURATED:
        rule = Message(
            "at t = {time:.4g} s the iron of '{iron}' reaches {value:.3g} T, and has no saturation",
            time=time,
            iron=compiled.scene.bodies[b].name,
            value=value,
        )
        yield Problem(f"{compiled.scene.place_of(b)}.shape", rule, Message("give it saturation = 2.1, or accept it"))


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


def iron_notes(compiled: CompiledScene) -> list[Message]:
    """A note on the iron of each body: its panels, and the distance from which on forces are accurate."""
    iron, scene, found = compiled.model.iron, compiled.scene, []
    dipoles = sum(map(len, each_of_dipoles(scene)))
    if dipoles:
        note = Message("iron as {count} dipoles: forces are right to about 1 % from four radii apart on", count=dipoles)
        found.append(note)
    for b, (i, j) in zip(iron.body.tolist(), pairwise(iron.first), strict=True):
        edges = iron.edge[i:j][iron.edge[i:j] > 0.0]
        if not len(edges):
            continue
        note = Message(
            "the iron of '{iron}': {count} panels of {edge:.2g} mm; forces are right to about 1 % from twice that on",
            iron=compiled.scene.bodies[b].name,
            count=len(edges),
            edge=MM * float(np.median(edges)),
        )
        found.append(note)
    return found
