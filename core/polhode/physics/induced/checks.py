"""Warnings about iron of dipoles whose moments were not found in a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.physics.induced.shapes import of_dipoles, semi_axes
from polhode.scene.message import Message
from polhode.scene.problem import Problem

MM = 1e3


def warnings_of_dipoles(compiled: CompiledScene, time: float, work: Work) -> Iterator[Problem]:
    """The warning about dipoles so close that their energy has no minimum; the state is placed at `time` [s]."""
    if not work.induced.left[0] > 0.0:
        return
    induced, scene = compiled.model.induced, compiled.scene
    shapes = [body.shape[k] for body in scene.bodies for k in of_dipoles(body, scene)]
    radius = np.array([float(semi_axes(shape).max()) for shape in shapes])
    at = work.induced.position[:, : len(radius)].T
    with np.errstate(over="ignore"):
        gap = np.linalg.norm(at[:, None] - at, axis=2) - radius[:, None] - radius
    gap[np.tril_indices(len(gap))] = np.inf
    i, j = np.unravel_index(int(gap.argmin()), gap.shape)
    found = {"time": time, "value": float(work.induced.left[0])}
    remedy = Message('take iron = { induced = "surface" }, or keep them apart')
    one, other = int(induced.body[i]), int(induced.body[j])
    if not gap[i, j] < 0.0:
        rule = Message(
            "at t = {time:.4g} s moments of iron as dipoles were not found, with an error of {value:.2g}", **found
        )
        yield Problem(f"{scene.place_of(one)}.shape", rule, remedy)
        return
    rule = Message(
        "at t = {time:.4g} s moments of iron as dipoles were not found, with an error of {value:.2g}: '{one}' and "
        "'{other}' overlap by {depth:.2g} mm",
        one=scene.bodies[one].name,
        other=scene.bodies[other].name,
        depth=-MM * float(gap[i, j]),
        **found,
    )
    yield Problem(f"{scene.place_of(one)}.shape and {scene.place_of(other)}.shape", rule, remedy)
