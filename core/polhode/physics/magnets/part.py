"""Engine records of magnets. The sum over dipoles is a hook of its own: by all pairs, by the tree, or beside closed
forms.

LAW and ENERGY call it in the phase SHARED, so that its code is compiled once. A field by formulas has hooks of its own.
"""

from __future__ import annotations

from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.part import Part
from polhode.engine.program import SHARED, call_phase
from polhode.jit.kernel import kernel
from polhode.physics.induced.magnets import add_pairs_with_magnets
from polhode.physics.magnets.arrays import make_dipole_work
from polhode.physics.magnets.compile import build_world_field, check_field, check_magnets, compile_magnets
from polhode.physics.magnets.exact.arrays import make_exact_work
from polhode.physics.magnets.exact.law import add_pairs_of_others, exact_energy, load_exact, place_exact
from polhode.physics.magnets.field_by_formula import energy_by_formula, load_bodies_by_formula
from polhode.physics.magnets.magnetic import add_by_tree, add_pairs, clear_sums, load_bodies, magnetic_energy
from polhode.physics.magnets.placement import place_dipoles


@kernel
def place(s: Step) -> None:
    """PLACE: arms, positions and moments of all dipoles."""
    place_dipoles(s.model.bodies, s.model.dipoles, s.state, s.work.bodies, s.work.dipoles)


@kernel
def add_mutual(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    """Add fields and forces of dipoles on those of other bodies to the work arrays, by all pairs or by the tree.

    The state is passed in form only: the hooks of SHARED read positions and moments of dipoles from `work`.
    """
    call_phase(SHARED, model, inputs, time, work.rate, work, work.energy)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques on bodies by the world's field and by other magnets; power of the world's field."""
    clear_sums(s.work.dipoles)
    add_mutual(s.model, s.inputs, s.time, s.work)
    load_bodies(s.model.dipoles, s.inputs.field, s.time, s.work.bodies, s.work.dipoles, s.work.power)


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of all dipoles."""
    clear_sums(s.work.dipoles)
    add_mutual(s.model, s.inputs, s.time, s.work)
    s.out[MAGNETIC] += magnetic_energy(s.inputs.field, s.time, s.work.dipoles)


@kernel
def forces_by_formula(s: Step) -> None:
    """LAW: forces and torques on bodies by the field of the formulas, and its power."""
    load_bodies_by_formula(s.model.dipoles, s.inputs.field, s.time, s.work.bodies, s.work.dipoles, s.work.power)


@kernel
def formula_energy(s: Step) -> None:
    """ENERGY: U [J] of all dipoles in the field of the formulas."""
    s.out[MAGNETIC] += energy_by_formula(s.inputs.field, s.time, s.work.dipoles)


@kernel
def all_forces(s: Step) -> None:
    """Hook for display: forces by other magnets and by the field of the formulas."""
    forces(s)
    forces_by_formula(s)


@kernel
def all_pairs(s: Step) -> None:
    """SHARED: sum over all pairs of dipoles."""
    add_pairs(s.model.dipoles, s.model.permeability, s.work.dipoles)


@kernel
def tree(s: Step) -> None:
    """SHARED: sum over dipoles by the tree."""
    add_by_tree(s.model.dipoles, s.model.permeability, s.model.tree, s.work.dipoles)


@kernel
def pairs_of_others(s: Step) -> None:
    """SHARED: sum over all pairs of the dipoles that no closed form replaces, and of those with iron of dipoles."""
    add_pairs_of_others(s.model.exact, s.model.permeability, s.work.dipoles, s.work.exact)
    add_pairs_with_magnets(s.model.induced, s.model.dipoles, s.model.permeability, s.work.dipoles)


@kernel
def place_closed_forms(s: Step) -> None:
    """PLACE: charges and shapes of magnets that act by closed forms."""
    place_exact(s.model.exact, s.state, s.work.bodies, s.work.exact)


@kernel
def closed_form_forces(s: Step) -> None:
    """LAW: forces and torques on bodies by closed forms of the field of magnets."""
    load_exact(s.model.exact, s.model.permeability, s.work.bodies, s.work.exact)


@kernel
def closed_form_energy(s: Step) -> None:
    """ENERGY: U [J] of magnets by closed forms."""
    s.out[MAGNETIC] += exact_energy(s.model.exact, s.model.permeability, s.work.exact)


@kernel
def every_force(s: Step) -> None:
    """Hook for display: all forces on magnets, with those by closed forms."""
    forces(s)
    closed_form_forces(s)
    if s.inputs.field.value.address != 0:
        forces_by_formula(s)


def has_exact(model: Model) -> bool:
    """Whether magnets of a model act by closed forms."""
    return len(model.exact.solid) > 0


MAGNETS = Part(
    "magnets",
    in_lanes=True,
    check=check_magnets,
    compile=compile_magnets,
    input_fields=("magnetic_field",),
    inputs=lambda scene, model: {"field": build_world_field(scene)},
    work=lambda model: {"dipoles": make_dipole_work(model.dipoles, model.tree)},
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0,
    place=(place,),
    laws={"magnetic": forces},
    energy=(energy,),
)
PAIRS = Part(
    "pairs of dipoles",
    in_lanes=True,
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening == 0.0 and not has_exact(model),
    shared=(all_pairs,),
)
TREE = Part(
    "tree of dipoles",
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening > 0.0,
    shared=(tree,),
)
FIELD = Part(
    "magnetic field by formulas",
    check_inputs=check_field,
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and inputs.field.value.address != 0,
    laws={"magnetic by formulas": forces_by_formula},
    energy=(formula_energy,),
    shown={"magnetic": all_forces},
)
EXACT = Part(
    "closed forms of magnets",
    is_in=lambda model, inputs: has_exact(model),
    work=lambda model: {"exact": make_exact_work(model.exact, model.dipoles.first)},
    place=(place_closed_forms,),
    laws={"magnetic by closed forms": closed_form_forces},
    energy=(closed_form_energy,),
    shared=(pairs_of_others,),
    shown={"magnetic": every_force},
)
PARTS = (MAGNETS, PAIRS, TREE, FIELD, EXACT)
