"""Warnings about iron of dipoles that is too near to others in a run, or whose moments were not found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy.spatial import cKDTree

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model, Work
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.induced.shapes import CLOSEST, each_of_dipoles, is_beside_panels, semi_axes
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

MM = 1e3
KEEP_APART = Message('take iron = { induced = "surface" }, or keep them apart')


class Balls(NamedTuple):
    """The d shapes of a scene whose iron is a dipole."""

    body: np.ndarray  # (d,) int64
    position: np.ndarray  # (d, 3) [m] from the reference point of the body, body frame
    radius: np.ndarray  # (d,) [m], largest semi-axis
    are_beside_panels: bool  # whether the scene has panels or metal, too


_KNOWN: WeakKeyDictionary[CompiledScene, Balls] = WeakKeyDictionary()  # each check asks for them


def warnings_of_dipoles(compiled: CompiledScene, time: float, work: Work) -> Iterator[Problem]:
    """The warning about dipoles so close that their energy has no minimum, now or since the last check; the state at
    `time` [s] is placed.
    """
    left, work.induced.left[0] = float(work.induced.left[0]), 0.0
    if not left > 0.0:
        return
    induced, scene = compiled.model.induced, compiled.scene
    radius = _balls(compiled).radius
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
    balls = _balls(compiled)
    if not len(compiled.model.iron.body) or not len(balls.body) or not balls.are_beside_panels:
        return
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    middles = work.bodies.position[balls.body] + _turned(balls.position, bases[balls.body])
    points, owner = _other_points(compiled.model, bases, work)
    if not np.isfinite(middles).all():
        return
    reach = CLOSEST * balls.radius
    ball, point = _within(middles, reach, points)
    one, other = _within(middles, reach + reach.max(), middles)
    touch = np.linalg.norm(middles[one] - middles[other], axis=1) < reach[one] + reach[other]
    pairs = np.concatenate(
        [
            np.stack([balls.body[ball], owner[point]], axis=1),
            np.stack([balls.body[one], balls.body[other]], axis=1)[touch],
        ]
    )
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    for a, b in pairs.tolist():
        yield iron_too_near(compiled.scene, a, b, time)


def _balls(compiled: CompiledScene) -> Balls:
    """The balls of a scene, computed once."""
    if compiled not in _KNOWN:
        scene = compiled.scene
        found = [(b, scene.bodies[b].shape[k]) for b, own in enumerate(each_of_dipoles(scene)) for k in own]
        body = np.array([b for b, _ in found], np.int64)
        position = np.array([shape.position for _, shape in found]).reshape(-1, 3) + compiled.model.bodies.origin[body]
        radius = np.array([float(semi_axes(shape).max()) for _, shape in found])
        _KNOWN[compiled] = Balls(body, position, radius, len(body) > 0 and is_beside_panels(scene))
    return _KNOWN[compiled]


def _turned(points: np.ndarray, bases: np.ndarray) -> np.ndarray:
    """Points (n, 3) [m] of body frames in the laboratory's; bases: (n, 3, 3) of their bodies, axes in rows."""
    return np.asarray(np.einsum("ni,nij->nj", points, bases))


def _other_points(model: Model, bases: np.ndarray, work: Work) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) [m] of magnets, panels and metal, and the bodies (n,) that have them; the state is placed."""
    dipoles, iron, conductors = model.dipoles, model.iron, model.conductors
    are_panels = iron.edge > 0.0
    of_iron = np.repeat(iron.body, np.diff(iron.first))[are_panels]
    panels = _turned(iron.middle.T[are_panels], bases[of_iron]) + work.bodies.position[of_iron]
    of_metal = np.tile(np.repeat(conductors.body, np.diff(conductors.first_source)), 4)
    of_dipoles = np.repeat(np.arange(len(dipoles.first) - 1), np.diff(dipoles.first))
    points = np.concatenate([work.dipoles.position[: len(of_dipoles)], panels, *_metal(work)])
    owner = np.concatenate([of_dipoles, of_iron, of_metal])
    are_finite = np.isfinite(points).all(axis=1)
    return points[are_finite], owner[are_finite]


def _metal(work: Work) -> list[np.ndarray]:
    """Points (s, 3) [m] of the metal at sources: the ends of two diameters of a ring, or the place of another one."""
    placed = work.conductors
    normal = placed.area / np.linalg.norm(placed.area, axis=1, keepdims=True)
    arms = placed.across, np.cross(normal, placed.across)
    return [placed.position + sign * arm for arm in arms for sign in (1.0, -1.0)]


def _within(middles: np.ndarray, reach: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices (m,) of middles (d, 3), and of points (n, 3), no farther from them than their reach (d,) [m]."""
    near = cKDTree(points).query_ball_point(middles, reach)
    counts = np.array([len(each) for each in near])
    return np.repeat(np.arange(len(middles)), counts), np.concatenate([np.array(each, np.int64) for each in near])


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
