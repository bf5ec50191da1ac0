"""Coils of a scene as arrays."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np

from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, joined, no_formulas
from polhode.formulas.curve_checks import derivatives
from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, RESISTIVE, Coils
from polhode.physics.coils.description import (
    Coil,
    CurrentSource,
    LoopWinding,
    OpenSource,
    ThickWinding,
    VoltageSource,
)
from polhode.physics.coils.inductance import circle, layers, self_inductance
from polhode.physics.coils.mutual import at_rest
from polhode.scene.scene import Scene

PER_RADIUS, MOST_RINGS = 2.0, 12  # rings per radius of length, for the coupling of coils
ELEMENTS = 32  # of a ring, in the field of another coil
DISC = 4, 8  # points of a disc: circles, and points on each
EXPLICIT_LIMIT = 1.0  # steps in L/R below which a coil is taken as resistive


def adjusted_resistance(scene: Scene, model: Model) -> dict[str, Coils] | None:
    """The member `coils` of the Model with the resistances of a scene; None where a coil becomes of another kind."""
    permeability = scene.world.permeability
    kind = [kind_of(coil, inductance_of(coil, permeability), scene) for coil in scene.coil]
    if kind != model.coils.kind.tolist():
        return None
    return {"coils": replace(model.coils, resistance=np.array([coil.ohms for coil in scene.coil]))}


def formula_of(coil: Coil) -> dict[str, str]:
    """Name and text of the formula of a source."""
    source = coil.source
    if isinstance(source, VoltageSource):
        return {"voltage": source.voltage}
    return {"current": source.current} if isinstance(source, CurrentSource) else {}


def kind_of(coil: Coil, inductance: float, scene: Scene) -> int:
    """OPEN, DRIVEN, RESISTIVE or DYNAMIC. A time constant L/R below the step is not resolved, but by `implicit`."""
    if isinstance(coil.source, OpenSource):
        return OPEN
    if isinstance(coil.source, CurrentSource):
        return DRIVEN
    solver = scene.solver
    if inductance == 0.0:
        return RESISTIVE
    too_fast = solver.method != "implicit" and inductance < EXPLICIT_LIMIT * solver.time_step * coil.ohms
    return RESISTIVE if too_fast else DYNAMIC


def compile_coils(draft: Draft) -> None:
    """Add the member `coils` of the Model."""
    scene, bodies = draft.scene, draft.model["bodies"]
    permeability, coils = scene.world.permeability, scene.coil
    own = np.array([inductance_of(coil, permeability) for coil in coils])
    names = {body.name: number for number, body in enumerate(scene.bodies)}
    body = np.array([names[coil.body] if coil.body else NOTHING for coil in coils], dtype=np.int64)
    origin = np.array([bodies.origin[b] if b != NOTHING else np.zeros(3) for b in body]).reshape(-1, 3)
    kind = np.array([kind_of(coil, one, scene) for coil, one in zip(coils, own, strict=True)], dtype=np.int64)
    address, first_number, numbers = joined([_source_code(coil) for coil in coils])
    parts = {
        "sheet": [sheets(coil) for coil in coils],
        "ring": [rings(coil) for coil in coils],
        "element": [elements(coil) for coil in coils],
        "point": [disc(coil) for coil in coils],
    }
    made = Coils(
        at=0,
        kind=kind,
        body=body,
        position=origin + np.array([coil.position for coil in coils]).reshape(-1, 3),
        basis=np.array([coil.orientation.matrix().T for coil in coils]).reshape(-1, 3, 3),
        resistance=np.array([coil.ohms for coil in coils]),
        current=np.array([coil.current for coil in coils]),
        inductance=np.diag(own),
        pair=np.zeros((0, 2), dtype=np.int64),
        address=address,
        first_number=first_number,
        numbers=numbers,
        **{name: np.concatenate([np.zeros((0, _WIDTHS[name])), *rows]) for name, rows in parts.items()},
        **{f"first_{name}": _firsts(rows) for name, rows in parts.items()},
    )
    draft.model["coils"] = at_rest(made, permeability)


_WIDTHS = {"sheet": 3, "ring": 3, "element": 6, "point": 4}


def _firsts(rows: list[np.ndarray]) -> np.ndarray:
    return np.cumsum([0, *(len(each) for each in rows)]).astype(np.int64)


def inductance_of(coil: Coil, permeability: float) -> float:
    """L [H] of a coil: stated, or of its winding."""
    if coil.inductance is not None:
        return coil.inductance
    return self_inductance(coil.winding, coil.turns, permeability)


def _source_code(coil: Coil) -> CompiledFormulas:
    """Machine code of the voltage or the current of a source and its derivative; none for others."""
    for text in formula_of(coil).values():
        return compile_expressions(derivatives(text, "t")[:2], ["t"])
    return no_formulas()


def sheets(coil: Coil) -> np.ndarray:
    """(s, 3) radius [m], half length [m], turns of each."""
    winding = coil.winding
    if isinstance(winding, LoopWinding):
        return np.array([[winding.radius, 0.0, coil.turns]])
    if isinstance(winding, ThickWinding):
        radii, weights = layers(winding)
        return np.stack([radii, np.full(len(radii), 0.5 * winding.length), coil.turns * weights], axis=1)
    return np.array([[winding.radius, 0.5 * winding.length, coil.turns]])


def rings(coil: Coil) -> np.ndarray:
    """(r, 3) radius [m], height [m], turns: sheets as rings at the points of Gauss along them."""
    found = []
    for radius, half, turns in sheets(coil):
        count = min(MOST_RINGS, 2 + int(PER_RADIUS * half / radius)) if half > 0.0 else 1
        at, weight = np.polynomial.legendre.leggauss(count)
        found.append(np.stack([np.full(count, radius), half * at, 0.5 * turns * weight], axis=1))
    return np.concatenate(found)


def elements(coil: Coil) -> np.ndarray:
    """(e, 6) elements of wire of all rings: position [m], and vector along the wire [m] times turns."""
    on_circle = circle(ELEMENTS)
    found = []
    for radius, height, turns in rings(coil):
        made = np.zeros((ELEMENTS, 6))
        made[:, :2], made[:, 2] = radius * on_circle, height
        made[:, 3:5] = (2.0 * pi / ELEMENTS * radius * turns) * np.stack([-on_circle[:, 1], on_circle[:, 0]], axis=1)
        found.append(made)
    return np.concatenate(found)


def disc(coil: Coil) -> np.ndarray:
    """(q, 4) points of the discs of all rings, and their areas [m^2] times turns."""
    at, weight = np.polynomial.legendre.leggauss(DISC[0])
    share = 0.5 * (1.0 + at)  # of the area inside
    on_circle = circle(DISC[1])
    found = []
    for radius, height, turns in rings(coil):
        inside = np.concatenate([radius * np.sqrt(part) * on_circle for part in share])
        area = np.repeat(0.5 * weight, DISC[1]) * (pi * radius**2 * turns / DISC[1])
        found.append(np.column_stack([inside, np.full(len(inside), height), area]))
    return np.concatenate(found)
