"""Uncertain numbers of a scene that a fit holds, such as a measured length, in its covariance.

With the random number z_g of a source, one standard deviation of which moves the residuals by the vector s_g, the
values of least squares move by -(J^T J)^-1 J^T s_g, so that the covariance has further terms:

    C_x = ... + sum over g of (J^T J)^-1 J^T s_g s_g^T J (J^T J)^-1
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from polhode.fitting.models import FitModels
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import Unknown, Unknowns
from polhode.scene.fields import FieldPath, written
from polhode.scene.scene import Scene
from polhode.scene.uncertain import UncertainNumber, uncertain_numbers

UNIFORM = 1.0 / np.sqrt(3.0)  # standard deviation of a number that is uniform between -1 and 1


def held_numbers(scene: Scene, fitted: Iterable[str]) -> list[UncertainNumber]:
    """Paths and values of the uncertain numbers of a scene, but for those with the names `fitted`."""
    names = set(fitted)
    return [each for each in uncertain_numbers(scene) if written(each[0]) not in names]


def with_unknowns(task: FitTask, values: np.ndarray, each: Iterable[tuple[FieldPath, float, float]]) -> FitTask:
    """A task with other numbers of its fitted scene as unknowns: paths, values [SI] and scales.

    values: (p,) [SI] of the unknowns of `task`; offsets and scales of its data stay
    """
    found = [Unknown(written(path), path, "", value, -np.inf, np.inf, scale) for path, value, scale in each]
    of_data = dict(zip(task.unknowns.names, values.tolist(), strict=True))
    stated = dict(task.unknowns.stated) | {name: value for name, value in of_data.items() if name.startswith("data.")}
    unknowns = Unknowns(task.unknowns.scene_with(values), tuple(found), stated)
    return replace(task, unknowns=unknowns, models=FitModels(unknowns, task.models.meshes), chained=None)


def by_held_numbers(task: FitTask, values: np.ndarray) -> dict[str, np.ndarray]:
    """(r,) changes of the residuals by one standard deviation of each source, by its letter or path.

    values: (p,) [SI] of the unknowns of `task`
    """
    held = held_numbers(task.unknowns.scene_with(values), task.unknowns.names)
    if not held:
        return {}
    inner = with_unknowns(task, values, ((path, float(number), number.deviation) for path, number in held))
    slopes = inner.sensitivities(np.array([each.start for each in inner.unknowns.each]) / inner.unknowns.scales)
    found: dict[str, np.ndarray] = {}
    for (path, number), slope in zip(held, slopes.T, strict=True):
        key = f"({number.letter})" if number.letter else written(path)
        change = slope * (UNIFORM if number.distribution == "uniform" else 1.0)
        found[key] = found[key] + change if key in found else change
    return found
