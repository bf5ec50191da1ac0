"""Engine records of conductors beside soft iron, and beside conductors of other bodies.

LINK       fluxes of iron through nodes, their changes, and inductances by iron and by other conductors
LAW        forces of conductors on iron and on each other, charges by their currents
INDUCE     charges by their currents, before the moments of iron are written
"""

from __future__ import annotations

from polhode.engine.model import Model, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.conductors.coupled import mutual
from polhode.physics.conductors.coupled.arrays import make_eddy_work
from polhode.physics.conductors.coupled.iron import link_iron, magnetise
from polhode.physics.conductors.part import solve


@kernel
def forces_beside_iron(s: Step) -> None:
    """LAW and INDUCE: currents of conductors, all charges, and forces of conductors and iron on each other."""
    solve(s)
    magnetise(s)


def is_beside_iron(model: Model) -> bool:
    """Whether a scene has conductors and iron that act on each other."""
    return len(model.conductors.body) > 0 and len(model.iron.body) > 0 and len(model.coils.body) == 0


def are_several(model: Model) -> bool:
    """Whether a scene has several conductors with slow modes, which act on each other."""
    return int((model.conductors.slow > 0).sum()) > 1 and len(model.coils.body) == 0


IRON = Part(
    "conductors and iron",
    work=lambda model: {"eddy": make_eddy_work(model.conductors, model.iron, model.coils)},
    is_in=lambda model, inputs: is_beside_iron(model),
    laws={"conductors and iron": forces_beside_iron},
    link=(link_iron,),
    induce=(forces_beside_iron,),
)
SEVERAL = Part(
    "several conductors",
    is_in=lambda model, inputs: are_several(model),
    laws={"conductors on conductors": mutual.forces},
    link=(mutual.link,),
)
