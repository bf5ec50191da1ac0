"""Warnings that a run leaves the range in which eddy currents are computed: slow magnets clear of the plates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.formulas.vector_fields import changes_with_time
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.plates.outlines import depths, owners
from polhode.scene.formula_vector import texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import FormulaField, RotatingField, Scene

FAST = 0.2  # magnetic Reynolds number from which is warned: a lift of a tenth of the drag is left out


def warnings_of_plates(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """Warnings about a placed state (k,) at `time` [s], and about speeds since the last call."""
    if compiled.model.plates.side.size:
        yield from _fast_magnets(compiled, time, work)
        yield from _touching_magnets(compiled, time, state, work)


def changing_field(scene: Scene) -> list[Problem]:
    """The warning about a field of the world that changes with time over a plate."""
    field = scene.world.magnetic_field
    changes = isinstance(field, RotatingField) and field.angular_frequency != 0.0
    if isinstance(field, FormulaField):
        changes = changes_with_time(texts(field.components, scene.folder))
    if scene.plate and changes:
        rule = Message("changes with time, but the currents that it induces in plates are left out")
        return [Problem("world.magnetic_field", rule, Message("make it constant, or accept it"))]
    return []


def _owner(compiled: CompiledScene, i: int) -> int:
    """Index of the body of dipole i."""
    return int(np.searchsorted(compiled.model.dipoles.first, i, side="right")) - 1


def _fast_magnets(compiled: CompiledScene, time: float, work: Work) -> Iterator[Problem]:
    """Warnings about magnetic Reynolds numbers since the last check, which begins again."""
    for k, plate in enumerate(compiled.scene.plate):
        number = float(work.plates.reynolds[k])
        if number > FAST:
            rule = Message(
                "before t = {time:.4g} s '{body}' moved so fast that its magnetic Reynolds number at '{plate}' was "
                "{number:.2g}, more than {limit:g}",
                time=time,
                body=compiled.scene.bodies[_owner(compiled, int(work.plates.fastest[k]))].name,
                plate=plate.name,
                number=number,
                limit=FAST,
            )
            remedy = Message("the drag is too large and there is a lift: take a thinner plate, or a worse conductor")
            yield Problem(f"plate[{k}]", rule, remedy)
    work.plates.reynolds[:] = 0.0


def _touching_magnets(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """Warnings about magnets that touch plates, by their outlines, or are nearer than their dipoles describe them."""
    plates, scene = compiled.model.plates, compiled.scene
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    deep, of_magnet = depths(plates, work.bodies.position, bases), owners(plates.outlines)
    for k, magnet in zip(*np.nonzero(deep >= 0.0), strict=True):
        b = int(of_magnet[magnet])
        rule = Message(
            "at t = {time:.4g} s the magnet of '{body}' touches the plate '{plate}', which does not hold it",
            time=time,
            body=scene.bodies[b].name,
            plate=scene.plate[k].name,
        )
        yield Problem(f"{scene.place_of(b)} and plate[{k}]", rule, Message("put a wall on its face"))
    heights = clearances(compiled, work.dipoles.position)
    for k, i in zip(*np.nonzero(heights < compiled.model.dipoles.size), strict=True):
        b = _owner(compiled, int(i))
        rule = Message(
            "at t = {time:.4g} s the magnet of '{body}' is nearer to the plate '{plate}' than its size",
            time=time,
            body=scene.bodies[b].name,
            plate=scene.plate[k].name,
        )
        remedy = Message("its dipoles are inaccurate there: give it more of them, or keep it farther away")
        yield Problem(f"{scene.place_of(b)} and plate[{k}]", rule, remedy)


def clearances(compiled: CompiledScene, positions: np.ndarray) -> np.ndarray:
    """(p, m) [m] heights of dipoles above the face of each plate on their side; positions (m, 3) [m]."""
    plates = compiled.model.plates
    heights = np.einsum("pmi,pi->pm", positions - plates.point[:, None], plates.basis[:, 2])
    return np.asarray(plates.side * heights - 0.5 * plates.thickness[:, None])


def plate_met(compiled: CompiledScene, part: str, work: Work, time_step: float) -> str:
    """Name of the plate that a dipole of the body `part` reaches within a time step [s], "" if it reaches none.

    The law is undefined inside a plate, so such a step has no finite result.
    """
    names = [body.name for body in compiled.scene.bodies]
    if not compiled.model.plates.side.size or part not in names:
        return ""
    b = names.index(part)
    own = slice(compiled.model.dipoles.first[b], compiled.model.dipoles.first[b + 1])
    turning = np.cross(work.bodies.angular_velocity[b], work.dipoles.arm[own])
    distances = np.linalg.norm(work.bodies.velocity[b] + turning, axis=1) * time_step
    met = (clearances(compiled, work.dipoles.position)[:, own] <= distances).any(axis=1)
    return compiled.scene.plate[int(met.argmax())].name if met.any() else ""
