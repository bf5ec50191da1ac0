"""Engine records of conductors beside soft iron, and beside conductors of other bodies.

LINK       fluxes of iron through nodes, their changes, and inductances by iron and by other conductors
COUPLE     slow modes in fluxes and inductances of coils, with iron
LAW        forces of conductors on iron and on each other, charges by their currents
INDUCE     charges by their currents, before the moments of iron are written; beside coils voltages
SATURATE   charges of iron that saturates, with all currents
ENERGY     energy of iron that saturates with slow modes
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Model, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.conductors.coupled import beside_coils, mutual, saturating
from polhode.physics.conductors.coupled.arrays import make_eddy_work
from polhode.physics.conductors.coupled.iron import link_iron, magnetise
from polhode.physics.conductors.part import are_beside_both, couple_coils, solve
from polhode.physics.iron.solve import magnetic_energy


@kernel
def forces_beside_iron(s: Step) -> None:
    """LAW and INDUCE: currents of conductors, all charges, and forces of conductors and iron on each other."""
    solve(s)
    magnetise(s)


def is_beside_iron(model: Model) -> bool:
    """Whether a scene has conductors and iron, and no coils."""
    return len(model.conductors.body) > 0 and len(model.iron.body) > 0 and len(model.coils.body) == 0


def are_several(model: Model) -> bool:
    """Whether a scene has several conductors with slow modes, which act on each other."""
    return int((model.conductors.slow > 0).sum()) > 1


def saturate_together(model: Model) -> bool:
    """Whether iron of a scene saturates together with slow modes of conductors."""
    return bool(np.isfinite(model.iron.saturation).any() and model.conductors.slow.any())


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of iron that has saturated together with slow modes; these have theirs."""
    work = s.work.iron
    s.out[MAGNETIC] += magnetic_energy(s.model.iron, s.model.permeability, work.of_magnets, work)


INDUCTANCES = Part(
    "inductances of several conductors", is_in=lambda model, inputs: are_several(model), link=(mutual.link,)
)
IRON = Part(
    "conductors and iron",
    work=lambda model: {"eddy": make_eddy_work(model.conductors, model.iron, model.coils)},
    is_in=lambda model, inputs: is_beside_iron(model),
    laws={"conductors and iron": forces_beside_iron},
    induce=(forces_beside_iron,),
)
ALL = Part(
    "conductors, iron and coils",
    is_in=lambda model, inputs: are_beside_both(model),
    laws={"conductors, iron and coils": beside_coils.forces},
    induce=(beside_coils.induce,),
)
LINK_IRON = Part(
    "iron in conductors",
    is_in=lambda model, inputs: is_beside_iron(model) and not saturate_together(model),
    link=(link_iron,),
)
LINK_BESIDE_COILS = Part(
    "iron in conductors beside coils",
    is_in=lambda model, inputs: are_beside_both(model) and not saturate_together(model),
    link=(beside_coils.link,),
)
SATURATING = Part(
    "iron that saturates in conductors",
    is_in=lambda model, inputs: is_beside_iron(model) and saturate_together(model),
    link=(saturating.link_iron,),
    saturate=(saturating.solve_with_modes,),
)
SATURATING_BESIDE_COILS = Part(
    "iron that saturates in conductors beside coils",
    is_in=lambda model, inputs: are_beside_both(model) and saturate_together(model),
    link=(saturating.link_beside_coils,),
    saturate=(saturating.solve_with_modes,),
)
LINKS = LINK_IRON, LINK_BESIDE_COILS, SATURATING, SATURATING_BESIDE_COILS
MODES = Part("modes beside coils and iron", is_in=ALL.is_in, couple=(couple_coils,))
ENERGY = Part(
    "energy of iron that saturates beside conductors",
    is_in=lambda model, inputs: saturate_together(model),
    energy=(energy,),
)
SEVERAL = Part(
    "several conductors",
    is_in=lambda model, inputs: are_several(model),
    laws={"conductors on conductors": mutual.forces},
)
VOLTAGES = Part(
    "voltages by several conductors",
    is_in=lambda model, inputs: are_several(model) and len(model.coils.body) > 0 and not are_beside_both(model),
    induce=(mutual.induce,),
)
