"""Fits as edits: the scene with the values found, and a ghost that shows it as it was. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.fitting.result import Estimate
from polhode.scene.fields import FieldPath, at, with_value
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import scene_with

BEFORE = "before the fit"  # name of the ghost


def with_fit(scene: Scene, estimates: Sequence[Estimate], ghost: bool) -> Scene:
    """The scene with the values of estimates, by default with a ghost that has the former ones; sweeps stay.

    Numbers of the data among the estimates change nothing. Raises InputError where the scene can't have the values.
    """
    found = [each for each in estimates if each.unknown.path is not None]
    paths = tuple(each.unknown.path for each in found if each.unknown.path is not None)
    before = [_before(scene, each, path) for each, path in zip(found, paths, strict=True)]
    changed = scene_with(scene, paths, np.array([each.value for each in found]))
    others = tuple(each for each in scene.ghost if each.name != BEFORE)
    if not ghost or not found:
        return changed.model_copy(update={"ghost": others})
    values = [{"parameter": each.unknown.name, "value": value} for each, value in zip(found, before, strict=True)]
    return with_value(changed, ("ghost",), (*others, {"name": BEFORE, "values": values}))


def _before(scene: Scene, found: Estimate, path: FieldPath) -> float:
    """The value [SI] before the fit, as a ghost of the scene after it states it; of one left out that of its start."""
    if "tilt" in path:
        return -found.value
    value = at(scene, path)
    return found.unknown.start if value is None else float(value)
