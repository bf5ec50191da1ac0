"""Engine records of conductors beside soft iron, and beside conductors of other bodies.

LINK       fluxes of iron through nodes, their changes, and inductances by iron and by other conductors
COUPLE     slow modes in fluxes and inductances of coils, with iron
LAW        forces of conductors on iron and on each other, charges by their currents
INDUCE     charges by their currents, before the moments of iron are written; beside coils voltages
"""

from __future__ import annotations

from polhode.engine.model import Model, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.conductors.coupled import beside_coils, mutual
from polhode.physics.conductors.coupled.arrays import make_eddy_work
from polhode.physics.conductors.coupled.iron import link_iron, magnetise
from polhode.physics.conductors.part import are_beside_both, couple_coils, solve


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


IRON = Part(
    "conductors and iron",
    work=lambda model: {"eddy": make_eddy_work(model.conductors, model.iron, model.coils)},
    is_in=lambda model, inputs: is_beside_iron(model),
    laws={"conductors and iron": forces_beside_iron},
    link=(link_iron,),
    induce=(forces_beside_iron,),
)
ALL = Part(
    "conductors, iron and coils",
    is_in=lambda model, inputs: are_beside_both(model),
    laws={"conductors, iron and coils": beside_coils.forces},
    link=(beside_coils.link,),
    induce=(beside_coils.induce,),
)
MODES = Part("modes beside coils and iron", is_in=ALL.is_in, couple=(couple_coils,))
SEVERAL = Part(
    "several conductors",
    is_in=lambda model, inputs: are_several(model),
    laws={"conductors on conductors": mutual.forces},
    link=(mutual.link,),
)
VOLTAGES = Part(
    "voltages by several conductors",
    is_in=lambda model, inputs: are_several(model) and len(model.coils.body) > 0 and not are_beside_both(model),
    induce=(mutual.induce,),
)
