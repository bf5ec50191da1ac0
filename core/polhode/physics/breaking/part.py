"""Engine record of springs that break: a status in the state, which PLACE writes into the masks of springs."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.part import Part, StateSection
from polhode.physics.breaking.breaking import (
    break_springs,
    count_broken,
    keep_status,
    mask,
    settle_after_step,
    write_margins,
)
from polhode.physics.breaking.compile import compile_breaking, make_breaking_work, start_breaking
from polhode.physics.breaking.items import items_of


def _owner_of_status(compiled: CompiledScene, number: int) -> str:
    """Name of the soft body or single spring to which the status of a spring belongs."""
    item = int(np.searchsorted(compiled.model.breaking.first, number, side="right")) - 1
    return list(items_of(compiled.scene))[item]


PART = Part(
    "breaking springs",
    compile=compile_breaking,
    work=lambda model: {"breaking": make_breaking_work(model)},
    section=StateSection(
        lambda model: np.zeros(len(model.breaking.spring), dtype=np.bool_), _owner_of_status, "breaking"
    ),
    start=start_breaking,
    is_in=lambda model, inputs: len(model.breaking.spring) > 0,
    place=(mask,),
    project=(keep_status,),
    finish=(settle_after_step,),
    observe=(count_broken,),
    width=lambda model: len(model.breaking.law),
    switch=(write_margins,),
    switches=lambda model: len(model.breaking.law),
    impact=(break_springs,),
)
