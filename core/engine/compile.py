"""From a Scene to the arrays that the solver reads, and to its state at the start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.engine.inputs_at_start import inputs_at_start
from core.engine.ledger import LEDGER_SIZE
from core.engine.model import Inputs, Model
from core.engine.part import Draft
from core.engine.registry import SUBJECTS
from core.mesh.mesh import Meshes
from core.physics.points.arrays import Springs, point_states
from core.physics.points.compile import all_springs
from core.scene.problem import InputError
from core.scene.scene import Scene

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from core.physics.bodies.mass_properties import MassProperties
    from core.physics.magnets.dipole_cloud import Magnets
    from core.physics.modal.compile import ModalPart

STOP_STEPS = 4  # steps in which friction stops what slides slowly: every method is stable at a quarter of its rate
SECTIONS = tuple(part.section for part in SUBJECTS if part.section is not None)  # of the state, in their order


@dataclass(frozen=True)
class CompiledScene:
    """What a scene becomes: constant arrays, the state at its start, and what its bodies weigh."""

    scene: Scene
    model: Model
    inputs: Inputs
    start: np.ndarray  # (k,) state
    properties: tuple[MassProperties, ...]  # of each body, about its centre of mass, body frame
    points: dict[str, slice]  # the points of every soft body and particle, in order
    magnets: tuple[Magnets, ...]  # of each body
    skins: dict[str, csr_array]  # (v, n) weights of the vertices of every soft mesh by its points
    modal: dict[str, ModalPart]  # the soft bodies that move by their modes, in order

    @cached_property
    def springs(self) -> Springs:
        """All springs one by one: first those of soft bodies, then those of the scene, in order."""
        return all_springs(self.model)

    @property
    def start_points(self) -> np.ndarray:
        """(p, 3) [m] where all points start."""
        return np.asarray(point_states(self.model.points, self.start)[0].T)

    @cached_property
    def rest_points(self) -> np.ndarray:
        """(p, 3) [m] where all points start, those of soft bodies where they were if they started unbent."""
        places = self.start_points.copy()
        for soft in self.scene.soft:
            if soft.initial_state is not None and soft.initial_state.displacements:
                places[self.points[soft.name]] -= soft.initial_state.displacements
        return places

    def modes_kept(self, name: str) -> int:
        """How many modes a soft body moves by; 0 of one whose points all move, and of what is no soft body."""
        return len(self.modal[name].modes.squares) if name in self.modal else 0

    def part(self, number: int) -> str:
        """Name of the part of the scene that a number of the state before the ledger belongs to."""
        for section in SECTIONS:
            size = len(section.is_momentum(self.model))
            if number < size:
                return section.owner(self, number)
            number -= size
        raise IndexError("the ledger belongs to no part")


def build(scene: Scene, meshes: Meshes, previous: CompiledScene | None = None) -> CompiledScene:
    """Model, inputs and start state of a scene; raises InputError with everything that is wrong with its parts.

    Where it differs from the scene of `previous` only in what its inputs depend on, the model is that of `previous`:
    the same object.
    """
    if previous is not None and _only_inputs_differ(previous, scene):
        return replace(previous, scene=scene, inputs=inputs_at_start(scene, previous.model))
    draft = Draft(scene, meshes)
    for part in SUBJECTS:
        part.check(draft)
    if draft.problems:
        raise InputError(scene.title or "scene", draft.problems)
    for part in SUBJECTS:
        part.compile(draft)
    model = _laid_out(draft)
    start = np.zeros(len(model.is_momentum))
    for part in SUBJECTS:
        part.start(draft, model, start)
    return CompiledScene(scene, model, inputs_at_start(scene, model), start, **draft.results)


def _only_inputs_differ(previous: CompiledScene, scene: Scene) -> bool:
    old, new = previous.scene.world, scene.world
    changed = {name for name in type(new).model_fields if getattr(old, name) != getattr(new, name)}
    own = {name for part in SUBJECTS for name in part.input_fields}
    present = [part for part in SUBJECTS if part.is_in(previous.model, previous.inputs)]
    compiled = {name for part in present for name in part.model_fields}
    return changed <= own - compiled and scene.model_copy(update={"world": old}) == previous.scene


def _laid_out(draft: Draft) -> Model:
    """The model of a draft, with the sections of the state one after another and the ledger as the last one."""
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
