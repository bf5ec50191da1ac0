"""Engine records of magnets. The sum over dipoles is a hook of its own, by all pairs or by the tree.

LAW and ENERGY call it in the phase SHARED, so that its code is compiled once. A field by formulas has hooks of its own.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.engine.program import SHARED, call_phase
from polhode.jit.kernel import kernel
from polhode.physics.magnets.arrays import make_dipole_work
from polhode.physics.magnets.compile import build_world_field, check_field, check_magnets, compile_magnets
from polhode.physics.magnets.field_by_formula import energy_by_formula, load_bodies_by_formula
from polhode.physics.magnets.magnetic import (
    add_by_tree,
    add_pairs,
    clear_sums,
    load_bodies,
    magnetic_energy,
)
from polhode.physics.magnets.placement import place_dipoles


@kernel
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PLACE: arms, positions and moments of all dipoles."""
    place_dipoles(model.bodies, model.dipoles, state, work.bodies, work.dipoles)
    return 0.0


@kernel
def add_mutual(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    """Add fields and forces of dipoles on those of other bodies to the work arrays, by all pairs or by the tree.

    The state is passed in form only: the hooks of SHARED read positions and moments of dipoles from `work`.
    """
    call_phase(SHARED, model, inputs, time, work.rate, work, work.energy)


@kernel
def forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces and torques on bodies by the world's field and by other magnets; power of the world's field."""
    clear_sums(work.dipoles)
    add_mutual(model, inputs, time, work)
    load_bodies(model.dipoles, inputs.field, time, work.bodies, work.dipoles, work.power)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: U [J] of all dipoles."""
    clear_sums(work.dipoles)
    add_mutual(model, inputs, time, work)
    out[2] += magnetic_energy(inputs.field, time, work.dipoles)
    return 0.0


@kernel
def forces_by_formula(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """LAW: forces and torques on bodies by the field of the formulas, and its power."""
    load_bodies_by_formula(model.dipoles, inputs.field, time, work.bodies, work.dipoles, work.power)
    return 0.0


@kernel
def formula_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: U [J] of all dipoles in the field of the formulas."""
    out[MAGNETIC] += energy_by_formula(inputs.field, time, work.dipoles)
    return 0.0


@kernel
def all_forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """Hook for display: forces by other magnets and by the field of the formulas."""
    forces(model, inputs, time, state, work, out)
    forces_by_formula(model, inputs, time, state, work, out)
    return 0.0


@kernel
def all_pairs(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SHARED: sum over all pairs of dipoles."""
    add_pairs(model.dipoles, model.permeability, work.dipoles)
    return 0.0


@kernel
def tree(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SHARED: sum over dipoles by the tree."""
    add_by_tree(model.dipoles, model.permeability, model.tree, work.dipoles)
    return 0.0


MAGNETS = Part(
    "magnets",
    in_lanes=True,
    check=check_magnets,
    compile=compile_magnets,
    input_fields=("magnetic_field",),
    inputs=lambda scene, model: {"field": build_world_field(scene.world)},
    work=lambda model: {"dipoles": make_dipole_work(model.dipoles, model.tree)},
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0,
    place=(place,),
    laws={"magnetic": forces},
    energy=(energy,),
)
PAIRS = Part(
    "pairs of dipoles",
    in_lanes=True,
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening == 0.0,
    shared=(all_pairs,),
)
TREE = Part(
    "tree of dipoles",
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening > 0.0,
    shared=(tree,),
)
FIELD = Part(
    "magnetic field by formulas",
    check=check_field,
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and inputs.field.value.address != 0,
    laws={"magnetic by formulas": forces_by_formula},
    energy=(formula_energy,),
    shown={"magnetic": all_forces},
)
PARTS = (MAGNETS, PAIRS, TREE, FIELD)
