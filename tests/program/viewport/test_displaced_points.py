"""Traced points of bodies where an uncertain number is larger."""

from __future__ import annotations

import tomllib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import scene_of
from polhode.uncertainty.sources import sources_of
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.predicted_trails import _displaced

SCENE = """
[[body]]
name = "bob"
support = "pivot"
shape = [
    { kind = "point", mass = "1.0 +- 0.1", position = [0, 0, "-0.458 +- 0.01"] },
    { kind = "sphere", radius = 0.01, density = "2700 +- 50", position = [0, 0, -0.1] },
]
"""


def test_only_numbers_that_move_the_traced_point_displace_it() -> None:
    scene = scene_of(tomllib.loads(SCENE), "bob")
    stage: Any = SimpleNamespace(scene=scene, meshes=Meshes(), solids=AppearanceCache().of(scene, Meshes()), moving=[0])
    found = {source.name.rpartition(".")[2]: _displaced(stage, source) for source in sources_of(scene).each}
    assert found["mass"] is found["density"] is None
    (point,) = found["position[2]"]
    assert np.linalg.norm(point) == pytest.approx(0.458 - 0.01, abs=0.03)
