"""Circuits and metal that are nearer to each other than their inductances allow.

L is not positive definite there: the energy of the currents has no minimum, and a run ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model, Work
from polhode.physics.coils.arrays import DYNAMIC
from polhode.physics.coils.wiring import wirings
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

REMEDY = Message("keep them farther apart, give metal more panels, or leave a stated inductance out")


class Coupled(NamedTuple):
    """Two items of a scene whose inductances are not positive definite."""

    first: str
    second: str
    coupling: float  # M/sqrt(L_1 L_2), or of a current with all others


def coupled_currents(compiled: CompiledScene, work: Work) -> Coupled | None:
    """Two circuits or conductors whose inductances were not positive definite since this was asked last, or None."""
    scene, model = compiled.scene, compiled.model
    coils, metals = [coil.name for coil in scene.coil], names_of_metal(scene, model)
    circuits = [one.name for one in wirings(scene.coil, scene.circuit)]
    found = None
    for failed, first, second in (
        (work.eddy.failed, metals_of_modes(scene, model), metals_of_modes(scene, model)),
        (work.conductors.failed, coils, metals),
        (work.circuits.failed, circuits, circuits),
    ):
        if found is None and not np.isnan(failed[0]):
            found = Coupled(first[int(failed[0])], second[int(failed[1])], float(failed[2]))
        failed[:] = np.nan
    return found


def names_of_metal(scene: Scene, model: Model) -> list[str]:
    """Names of the bodies of conductors."""
    return [scene.bodies[b].name for b in model.conductors.body.tolist()]


def metals_of_modes(scene: Scene, model: Model) -> list[str]:
    """Names of the bodies of slow modes."""
    return np.repeat(np.array(names_of_metal(scene, model), dtype=object), model.conductors.slow).tolist()


def coupled_at_start(scene: Scene, model: Model, work: Work) -> list[Problem]:
    """The problems of inductances that are not positive definite at the start, where currents of coils are given."""
    conductors, eddy = model.conductors, work.eddy
    owners = np.repeat(conductors.body, conductors.slow)
    if not np.isnan(eddy.failed[0]):
        one, other = sorted((int(owners[int(eddy.failed[0])]), int(owners[int(eddy.failed[1])])))
        coupled = Coupled(scene.bodies[one].name, scene.bodies[other].name, float(eddy.failed[2]))
        return [_problem(f"{scene.place_of(one)} and {scene.place_of(other)}", coupled)]
    firsts = zip(conductors.first_mode[:-1].tolist(), conductors.slow.tolist(), strict=True)
    slow = np.concatenate([np.zeros(0, np.int64), *(np.arange(first, first + n) for first, n in firsts)])
    matrix = eddy.mutual if eddy.mutual.any() else np.diag(conductors.time_constant[slow])
    found = []
    for k, coil in enumerate(scene.coil if len(slow) else ()):
        through, own = work.conductors.through[k, slow], float(work.coils.inductance[k, k])
        parts = through * np.linalg.solve(matrix, through)
        if own > 0.0 and parts.sum() >= own and model.circuits.kind[model.coils.circuit[k]] == DYNAMIC:
            b = int(owners[int(parts.argmax())])
            coupled = Coupled(coil.name, scene.bodies[b].name, float(np.sqrt(parts.sum() / own)))
            found.append(_problem(f"coil[{k}]", coupled))
    return found


def _problem(place: str, coupled: Coupled) -> Problem:
    rule = Message(
        "the inductances of '{first}' and '{second}' are not positive definite: their coupling is {value:.3g}, more "
        "than 1",
        first=coupled.first,
        second=coupled.second,
        value=coupled.coupling,
    )
    return Problem(place, rule, REMEDY)
