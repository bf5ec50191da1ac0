"""Warnings about iron of dipoles that is too near to others in a run, or whose moments were not found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.spatial.distance import cdist

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.conductors.arrays import ConductorWork
from polhode.physics.induced.shapes import CLOSEST, is_beside_panels, of_dipoles, semi_axes
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

MM = 1e3
KEEP_APART = Message('take iron = { induced = "surface" }, or keep them apart')


def warnings_of_dipoles(compiled: CompiledScene, time: float, work: Work) -> Iterator[Problem]:
    """The warning about dipoles so close that their energy has no minimum, now or since the last check; the state at
    `time` [s] is placed.
    """
    left, work.induced.left[0] = float(work.induced.left[0]), 0.0
    if not left > 0.0:
        return
    induced, scene = compiled.model.induced, compiled.scene
    shapes = [body.shape[k] for body in scene.bodies for k in of_dipoles(body, scene)]
    radius = np.array([float(semi_axes(shape).max()) for shape in shapes])
    at = work.induced.position[:, : len(radius)].T
    with np.errstate(over="ignore"):
        gap = np.linalg.norm(at[:, None] - at, axis=2) - radius[:, None] - radius
    gap[np.tril_indices(len(gap))] = np.inf
    i, j = np.unravel_index(int(gap.argmin()), gap.shape)
    found = {"time": time, "value": left}
    one, other = int(induced.body[i]), int(induced.body[j])
    if not gap[i, j] < 0.0:
        rule = Message(
            "at t = {time:.4g} s moments of iron as dipoles were not found, with an error of {value:.2g}", **found
        )
        yield Problem(f"{scene.place_of(one)}.shape", rule, KEEP_APART)
        return
    rule = Message(
        "at t = {time:.4g} s moments of iron as dipoles were not found, with an error of {value:.2g}: '{one}' and "
        "'{other}' overlap by {depth:.2g} mm",
        one=scene.bodies[one].name,
        other=scene.bodies[other].name,
        depth=-MM * float(gap[i, j]),
        **found,
    )
    yield Problem(f"{scene.place_of(one)}.shape and {scene.place_of(other)}.shape", rule, KEEP_APART)


def dipoles_too_near(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """Warnings about iron of dipoles, in a scene with panels or metal, that is nearer to magnets, metal and other iron
    than one and a half radii; the state (k,) is placed.
    """
    scene, iron, dipoles = compiled.scene, compiled.model.iron, compiled.model.dipoles
    if not len(iron.body) or not is_beside_panels(scene):
        return
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    points = [work.dipoles.position[i:j] for i, j in pairwise(dipoles.first)]
    for b, (i, j) in zip(iron.body.tolist(), pairwise(iron.first), strict=True):
        panels = iron.middle[:, i:j].T[iron.edge[i:j] > 0.0] @ bases[b] + work.bodies.position[b]
        points[b] = np.concatenate([points[b], panels])
    conductors = compiled.model.conductors
    for b, (i, j) in zip(conductors.body.tolist(), pairwise(conductors.first_source), strict=True):
        points[b] = np.concatenate([points[b], *_metal(conductors.radius[i:j], work.conductors, slice(i, j))])
    balls = [[body.shape[k] for k in of_dipoles(body, scene)] for body in scene.bodies]
    middles = [
        work.bodies.position[b]
        + (np.array([shape.position for shape in each]).reshape(-1, 3) + compiled.model.bodies.origin[b]) @ bases[b]
        for b, each in enumerate(balls)
    ]
    reaches = [CLOSEST * np.array([float(semi_axes(shape).max()) for shape in each]) for each in balls]
    for b in np.flatnonzero([len(each) for each in balls]).tolist():
        for c in range(len(points)):
            is_near = (cdist(middles[b], points[c]) < reaches[b][:, None]).any()
            if c > b:
                is_near |= (cdist(middles[b], middles[c]) < reaches[b][:, None] + reaches[c]).any()
            if c != b and is_near:
                yield iron_too_near(scene, min(b, c), max(b, c), time)


def _metal(radius: np.ndarray, work: ConductorWork, sources: slice) -> Iterator[np.ndarray]:
    """Points (s, 3) [m] of the metal at sources: the ends of two diameters of a ring, or the place of another one."""
    across, normal = work.across[sources], work.area[sources]
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    for arm in (across, np.cross(normal, across)):
        for sign in (1.0, -1.0):
            yield work.position[sources] + np.where(radius > 0.0, sign, 0.0)[:, None] * arm


def iron_too_near(scene: Scene, a: int, b: int, time: float) -> Problem:
    """The warning about bodies a and b, of which one or both are iron of dipoles."""
    rule = Message(
        "at t = {time:.4g} s '{one}' and '{other}' are nearer than one and a half radii of each: iron is too weak as "
        "dipoles",
        time=time,
        one=scene.bodies[a].name,
        other=scene.bodies[b].name,
    )
    return Problem(f"body[{a}] and body[{b}]", rule, KEEP_APART)
