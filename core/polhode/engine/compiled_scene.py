"""A compiled scene: the arrays of the solver, and tables of the scene's items. `polhode.engine.compile` makes it.

It knows no list of subjects, so subjects and the record by which the engine knows them may use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from polhode.data.input_checks import NO_END, DataEnd
from polhode.engine.model import Inputs, Model
from polhode.physics.bodies.mass.mass_properties import MassProperties
from polhode.physics.magnets.dipole_cloud import Magnets
from polhode.physics.modal.normal_modes import ModalPart
from polhode.physics.points.arrays import Springs, point_states
from polhode.physics.points.soft_bodies import all_springs
from polhode.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class CompiledScene:
    """A compiled scene: constant arrays, inputs, start state, mass properties and tables of its items.

    Immutable; the state of a run begins as a copy of `start`.
    """

    scene: Scene
    model: Model
    inputs: Inputs
    start: np.ndarray  # (k,) start state; core/polhode/engine/model.py
    placed: np.ndarray  # (k,) the same before it was made to agree with constraints
    properties: tuple[MassProperties, ...]  # of each body, about its centre of mass, body frame
    points: dict[str, slice]  # range of the points of each soft body and particle, in order
    magnets: tuple[Magnets, ...]  # of each body
    skins: dict[str, scipy.sparse.csr_array]  # (v, n) weights of the n points for the v vertices, by soft mesh
    modal: dict[str, ModalPart]  # soft bodies with modal coordinates, in order
    fixed_anchors: np.ndarray  # (q, 3) [m] of the anchors of springs that never move, laboratory; nan of the others
    data_end: DataEnd = NO_END  # of its measured inputs

    @cached_property
    def springs(self) -> Springs:
        """All springs as separate entries: those of soft bodies, then those of the scene, in order."""
        return all_springs(self.model.spring_rows, self.model.springs)

    @property
    def start_points(self) -> np.ndarray:
        """(p, 3) [m] positions of all points at the start, laboratory frame."""
        return np.asarray(point_states(self.model.points, self.start)[0].T)

    @cached_property
    def rest_points(self) -> np.ndarray:
        """(p, 3) [m] positions of all points at the start, without initial displacements of soft bodies."""
        positions = self.start_points.copy()
        for soft in self.scene.soft:
            if soft.initial_state is not None and soft.initial_state.displacements:
                positions[self.points[soft.name]] -= soft.initial_state.displacements
        return positions

    def modes_kept(self, name: str) -> int:
        """Number of modes of a soft body in modal coordinates; 0 for anything else."""
        return len(self.modal[name].modes.squares) if name in self.modal else 0
