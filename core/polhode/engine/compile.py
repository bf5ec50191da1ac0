"""Compiles a Scene: the arrays that the solver reads, and the start state.

All subjects check the scene first, so that an InputError names all problems at once. Then each makes its members of the
Model, and its section of the state gets its index; then each writes its section of the start state, and at last the
start state is made to agree with constraints.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.data.input_checks import end_of_data, measured_input_problems
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.inputs_at_start import inputs_at_start
from polhode.engine.ledger import LEDGER_SIZE
from polhode.engine.model import Inputs, Model, Step
from polhode.engine.part import Draft
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import run_hooks, tables_to_assemble, width_of_columns
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.changed_parts import validated
from polhode.scene.checks.lesson_rules import lesson_problems
from polhode.scene.checks.sizes import size_problems
from polhode.scene.checks.story_rules import story_problems
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

STOP_STEPS = 4  # steps in which friction stops slow sliding: every method is stable at a quarter of its rate
SECTIONS = tuple(part.section for part in SUBJECTS if part.section is not None)  # sections of the state, in order


def build(
    scene: Scene, meshes: Meshes, previous: CompiledScene | None = None, is_varied: bool = False
) -> CompiledScene:
    """Compile a scene. Raises InputError with all problems of its items.

    is_varied: whether some numbers are varied in a scene that compiles, as in sweeps, fits and draws; where a joint is
    longer then, or has other anchors, its bodies begin where it holds them

    If it differs from the scene of `previous` only in fields that inputs depend on, and has the same columns, the
    result has the same Model object, and a running state fits it. Parts of the scene that were copied without
    validation are validated first.
    """
    scene = validated(scene)
    if problems := measured_input_problems(scene):  # formulas are made of their data
        raise InputError(scene.title or "scene", problems)
    draft = Draft(scene, meshes, is_varied)
    for part in SUBJECTS:
        part.check_inputs(draft)
    if previous is not None and not draft.problems and _only_inputs_differ(previous, scene):
        model, inputs = previous.model, inputs_at_start(scene, previous.model)
        if width_of_columns(model, inputs) == width_of_columns(model, previous.inputs):
            return replace(previous, scene=scene, inputs=inputs, data_end=end_of_data(scene))
    draft.problems += size_problems(scene)
    if previous is None or previous.scene.story != scene.story:
        draft.problems += story_problems(scene)
    if scene.lesson and (previous is None or previous.scene.lesson != scene.lesson):
        draft.problems += lesson_problems(scene)
    for part in SUBJECTS:
        part.check(draft)
    if draft.problems:
        raise InputError(scene.title or "scene", draft.problems)
    for part in SUBJECTS:
        part.compile(draft)
    model = _lay_out_state(draft)
    placed = np.zeros(len(model.is_momentum))
    for part in SUBJECTS:
        part.start(draft, model, placed)
    inputs, start = inputs_at_start(scene, model), placed.copy()
    assemble(draft, model, inputs, start)
    return CompiledScene(scene, model, inputs, start, placed, **draft.results, data_end=end_of_data(scene))


def assemble(draft: Draft, model: Model, inputs: Inputs, state: np.ndarray, time: float = 0.0) -> None:
    """Make a state (k,) at `time` [s] agree with the constraints of all subjects. Raises InputError where it can't."""
    parts = [part for part in SUBJECTS if part.assemble and part.is_in(model, inputs)]
    if not parts:
        return
    work = tables_to_assemble(model, inputs)
    for part in parts:
        run_hooks(part.assemble, Step(model, inputs, time, state, work, work.rate))
        part.assembled(draft, model, work)
    if draft.problems:
        raise InputError(draft.scene.title or "scene", draft.problems)


def item_of(compiled: CompiledScene, number: int) -> str:
    """Name of the scene item that component `number` of the state belongs to; not for the ledger."""
    for section in SECTIONS:
        size = len(section.is_momentum(compiled.model))
        if number < size:
            return section.owner(compiled, number)
        number -= size
    raise IndexError("the ledger belongs to no item")


def _only_inputs_differ(previous: CompiledScene, scene: Scene) -> bool:
    """Whether a scene differs from the previous one only in fields of World on which inputs alone depend."""
    world = scene.world
    return only_inputs_of_world(previous, scene) and scene == previous.scene.model_copy(update={"world": world})


def only_inputs_of_world(previous: CompiledScene, scene: Scene) -> bool:
    """Whether only inputs depend on the fields of World in which a scene differs from the previous one."""
    old, new = previous.scene.world, scene.world
    changed = {name for name in type(new).model_fields if getattr(old, name) != getattr(new, name)}
    own = {name for part in SUBJECTS for name in part.input_fields}
    present = [part for part in SUBJECTS if part.is_in(previous.model, previous.inputs)]
    compiled = {name for part in present for name in part.model_fields}
    return changed <= own - compiled


def _lay_out_state(draft: Draft) -> Model:
    """The model of a draft, with the indices of the sections of the state and the ledger."""
    members, masks, at = dict(draft.model), [], 0
    drafted = Model(**members)
    for section in SECTIONS:
        masks.append(section.is_momentum(drafted))
        if section.member:
            members[section.member] = replace(members[section.member], at=at)
        at += len(masks[-1])
    is_momentum = np.concatenate([*masks, np.ones(LEDGER_SIZE, dtype=np.bool_)])
    stop_time = STOP_STEPS * draft.scene.solver.time_step
    return Model(**members, friction_stop_time=stop_time, ledger=at, is_momentum=is_momentum)
