"""A compiled scene with other numbers in its arrays, without the compilation of a scene.

A subject names the numbers of which only values in its members of the Model depend (`Part.adjustable`), as torques of
motors and constant forces, and how these members are made; fields of World may be those of inputs. All others need a
build.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from polhode.data.input_checks import end_of_data, measured_input_problems
from polhode.engine.compile import assemble, only_inputs_of_world
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.inputs_at_start import inputs_at_start
from polhode.engine.part import Draft
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import width_of_columns
from polhode.mesh.mesh import Meshes
from polhode.scene.fields import at, parse_path
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

INDEX = re.compile(r"\[\d+\]")


def adjusted(compiled: CompiledScene, scene: Scene, paths: Collection[str], meshes: Meshes) -> CompiledScene | None:
    """A compiled scene with the numbers that `scene` has at `paths`, the only ones in which it differs.

    None where the scene must be compiled for that, or has other columns then. Raises InputError for numbers that the
    subjects refuse.
    """
    model, start, of_world, agrees = compiled.model, compiled.start, False, True
    of_inputs = {path for path in paths if isinstance(at(scene, parse_path(path)[:-1]), MeasuredInput)}
    if of_inputs and (problems := measured_input_problems(scene)):
        raise InputError(scene.title or "scene", problems)
    for path in paths:
        if path.startswith("world."):
            of_world = True
            continue
        # a number of measured data is adjusted as the field that has the data
        name = INDEX.sub("[]", path.rpartition(".")[0] if path in of_inputs else path)
        make = next((part.adjustable[name] for part in SUBJECTS if name in part.adjustable), None)
        members = make(scene, model) if make is not None else None
        if members is None:
            return None
        model = model.with_members(**members)
        agrees = agrees and not any(name in part.agreeing for part in SUBJECTS)
    inputs = compiled.inputs
    if of_world:
        if not only_inputs_of_world(compiled, scene):
            return None
        draft = Draft(scene, meshes)
        for part in SUBJECTS:
            part.check_inputs(draft)
        if draft.problems:
            raise InputError(scene.title or "scene", draft.problems)
        inputs = inputs_at_start(scene, model)
    if width_of_columns(model, inputs) != width_of_columns(compiled.model, compiled.inputs):
        return None
    if not agrees:
        start = compiled.placed.copy()
        assemble(Draft(scene, meshes), model, inputs, start)
    made = replace(compiled, scene=scene, model=model, inputs=inputs, start=start)
    return replace(made, data_end=end_of_data(scene)) if of_inputs else made
