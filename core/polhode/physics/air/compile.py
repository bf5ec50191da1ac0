"""Wind of a scene as kernel arrays; wind and drag of points are inputs, and may change between batches."""

from __future__ import annotations

import numpy as np

from polhode.engine.part import Draft
from polhode.formulas.codegen import compile_expressions, no_formulas
from polhode.formulas.vector_fields import components, infinite_components
from polhode.physics.air.arrays import Air
from polhode.scene.formula_vector import PLACE_AND_TIME, has_formulas, texts
from polhode.scene.scene import World
from polhode.scene.start_places import start_places


def check_wind(draft: Draft) -> None:
    """Add the problems of formulas of the wind without a finite value where something starts."""
    velocity = draft.scene.world.wind.velocity
    if has_formulas(velocity):
        names = [f"world.wind.velocity.{axis}" for axis in "xyz"]
        draft.problems += infinite_components(components(texts(velocity)), names, start_places(draft.scene))


def build_air(world: World) -> Air:
    """The wind and the air of a world as kernel arrays; frequency 2 pi/period, 0 for a steady wind."""
    wind = world.wind
    frequency = 2 * np.pi / wind.period if wind.period > 0 else 0.0
    if not has_formulas(wind.velocity):
        return Air(np.array(wind.velocity), frequency, wind.drag, False, no_formulas())
    velocity = compile_expressions(components(texts(wind.velocity)), PLACE_AND_TIME)
    return Air(np.zeros(3), frequency, wind.drag, True, velocity)
