"""Magnets as the engine knows them."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.part import Part
from core.jit.kernel import kernel
from core.physics.magnets.magnetic import add_by_tree, add_magnetism, add_pairs, magnetic_energy
from core.physics.magnets.placement import place_dipoles


@kernel
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    place_dipoles(model.bodies, model.dipoles, state, work.bodies, work.dipoles)
    return 0.0


@kernel
def forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_magnetism(model, inputs, time, work)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    out[2] += magnetic_energy(model, inputs, time, work)
    return 0.0


@kernel
def all_pairs(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_pairs(model.dipoles, model.permeability, work.dipoles)
    return 0.0


@kernel
def tree(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_by_tree(model.dipoles, model.permeability, model.tree, work.dipoles)
    return 0.0


MAGNETS = Part(
    "magnets",
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0,
    place=(place,),
    laws={"magnetic": forces},
    energy=(energy,),
)
PAIRS = Part(
    "pairs of dipoles",
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening == 0.0,
    shared=(all_pairs,),
)
TREE = Part(
    "tree of dipoles",
    is_in=lambda model, inputs: len(model.dipoles.moment) > 0 and model.tree.opening > 0.0,
    shared=(tree,),
)
PARTS = (MAGNETS, PAIRS, TREE)
