"""Coils of a scene as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np

from polhode.data.inputs import Source, formula_of
from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, joined, no_formulas
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.gauss_points import gauss_points
from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, RESISTIVE, Circuits, Coils
from polhode.physics.coils.description import CircuitSource, Coil, LoopWinding, PolygonWinding, ThickWinding
from polhode.physics.coils.mutual import at_rest
from polhode.physics.coils.windings.inductance import circle, layers, self_inductance
from polhode.physics.coils.wiring import Wiring, wirings
from polhode.scene.scene import Scene

PER_RADIUS, MOST_RINGS = 2.0, 12  # rings per radius of length, for the coupling of coils
ELEMENTS = 32  # of a ring, in the field of another coil
LEAST_ELEMENTS = 4  # of a piece of a polygon
# Weights of the corners of a triangle, and of the area, at the seven points of Radon (Acta Math. 1948), degree 5.
OF_TRIANGLE = np.array(
    [[1 / 3, 1 / 3, 1 / 3, 9 / 40]]
    + [
        [*np.roll([1 - 2 * a, a, a], k), w]
        for a, w in (((6 - 15**0.5) / 21, (155 - 15**0.5) / 1200), ((6 + 15**0.5) / 21, (155 + 15**0.5) / 1200))
        for k in range(3)
    ]
)
DISC = 4, 8  # points of a disc: circles, and points on each
EXPLICIT_LIMIT = 1.0  # steps in L/R below which a coil is taken as resistive


def adjusted(scene: Scene, model: Model) -> dict[str, Coils | Circuits] | None:
    """The members `coils` and `circuits` of the Model with the resistances, capacitances and sources of a scene.

    None where a circuit becomes of another kind.
    """
    found = list(wirings(scene.coil, scene.circuit))
    own = [inductance_of(coil, scene.world.permeability) for coil in scene.coil]
    if [kind_of(one, own, scene) for one in found] != model.circuits.kind.tolist():
        return None
    resistance = np.array([coil.ohms for coil in scene.coil])
    return {
        "coils": replace(model.coils, resistance=resistance),
        "circuits": replace(_circuits(found, model.circuits.kind.tolist(), scene.folder), at=model.circuits.at),
    }


def kind_of(wiring: Wiring, own: Sequence[float], scene: Scene) -> int:
    """OPEN, DRIVEN, RESISTIVE or DYNAMIC. A time constant L/R below the step is not resolved, but by `implicit`.

    own: [H] self inductances of all coils
    """
    if wiring.is_open:
        return OPEN
    if wiring.is_driven:
        return DRIVEN
    solver, inductance = scene.solver, sum(own[k] for k in wiring.coils)
    if float(inductance) == 0.0:
        return RESISTIVE
    too_fast = solver.method != "implicit" and inductance < EXPLICIT_LIMIT * solver.time_step * wiring.resistance
    return RESISTIVE if too_fast else DYNAMIC


def compile_coils(draft: Draft) -> None:
    """Add the members `coils` and `circuits` of the Model."""
    scene, bodies = draft.scene, draft.model["bodies"]
    permeability, coils = scene.world.permeability, scene.coil
    own = [inductance_of(coil, permeability) for coil in coils]
    found = list(wirings(coils, scene.circuit))
    circuits = _circuits(found, [kind_of(one, own, scene) for one in found], scene.folder)
    circuit, sign = np.zeros(len(coils), dtype=np.int64), np.ones(len(coils))
    for c, one in enumerate(found):
        circuit[list(one.coils)], sign[list(one.coils)] = c, one.signs
    names = {body.name: number for number, body in enumerate(scene.bodies)}
    body = np.array([names[coil.body] if coil.body else NOTHING for coil in coils], dtype=np.int64)
    origin = np.array([bodies.origin[b] if b != NOTHING else np.zeros(3) for b in body]).reshape(-1, 3)
    parts = {
        "sheet": [sheets(coil) for coil in coils],
        "ring": [rings(coil) for coil in coils],
        "element": [elements(coil) for coil in coils],
        "point": [disc(coil) for coil in coils],
        "segment": [pieces(coil) for coil in coils],
    }
    made = Coils(
        circuit=circuit,
        sign=sign,
        in_series=np.array([isinstance(coil.source, CircuitSource) for coil in coils], dtype=np.bool_),
        body=body,
        position=origin + np.array([coil.position for coil in coils]).reshape(-1, 3),
        basis=np.array([coil.orientation.matrix().T for coil in coils]).reshape(-1, 3, 3),
        resistance=np.array([coil.ohms for coil in coils]),
        turns=np.array([coil.turns for coil in coils]),
        inductance=np.diag(own).reshape(len(coils), len(coils)),
        pair=np.zeros((0, 2), dtype=np.int64),
        **{name: np.concatenate([np.zeros((0, _WIDTHS[name])), *rows]) for name, rows in parts.items()},
        **{f"first_{name}": _firsts(rows) for name, rows in parts.items()},
    )
    draft.model["coils"] = at_rest(made, circuits.kind[circuit], permeability)
    draft.model["circuits"] = circuits


def _circuits(found: list[Wiring], kind: list[int], folder: Path) -> Circuits:
    """Circuits as arrays; `folder` is that of the scene."""
    kinds = np.array(kind, dtype=np.int64)
    switches = [one.switch for one in found if one.switch is not None]
    sources = [one.formula[1] if one.formula else None for one in found]
    address, first, numbers = joined([_code(text, folder) for text in (*sources, *switches)])
    count = len(found)
    return Circuits(
        at=0,
        kind=kinds,
        resistance=np.array([one.resistance for one in found]),
        elastance=np.array([one.elastance for one in found]),
        current=np.array([one.item.current for one in found]),
        charge=np.array([one.charge for one in found]),
        dynamic=np.flatnonzero(kinds == DYNAMIC).astype(np.int64),
        charged=np.array([c for c in range(count) if found[c].elastance > 0.0], dtype=np.int64),
        switched=np.array([c for c in range(count) if found[c].switch is not None], dtype=np.int64),
        address=address[:count],
        first_number=first[:count],
        switch_address=address[count:],
        switch_first=first[count:],
        numbers=numbers,
    )


def _code(source: Source | None, folder: Path) -> CompiledFormulas:
    """Machine code of a source as a function of t, and of its derivative; none without."""
    if source is None:
        return no_formulas()
    return compile_expressions(derivatives(formula_of(source, folder), "t")[:2], ["t"])


_WIDTHS = {"sheet": 3, "ring": 3, "element": 6, "point": 6, "segment": 6}


def _firsts(rows: list[np.ndarray]) -> np.ndarray:
    return np.cumsum([0, *(len(each) for each in rows)]).astype(np.int64)


def inductance_of(coil: Coil, permeability: float) -> float:
    """L [H] of a coil: stated, or of its winding."""
    if coil.inductance is not None:
        return coil.inductance
    return self_inductance(coil.winding, coil.turns, permeability)


def pieces(coil: Coil) -> np.ndarray:
    """(g, 6) [m] begin and end of the straight pieces of a polygon; none of others."""
    return coil.winding.pieces if isinstance(coil.winding, PolygonWinding) else np.zeros((0, 6))


def sheets(coil: Coil) -> np.ndarray:
    """(s, 3) radius [m], half length [m], turns of each; none of a polygon."""
    winding = coil.winding
    if isinstance(winding, PolygonWinding):
        return np.zeros((0, 3))
    if isinstance(winding, LoopWinding):
        return np.array([[winding.radius, 0.0, coil.turns]])
    if isinstance(winding, ThickWinding):
        radii, weights = layers(winding)
        return np.stack([radii, np.full(len(radii), 0.5 * winding.length), coil.turns * weights], axis=1)
    return np.array([[winding.radius, 0.5 * winding.length, coil.turns]])


def rings(coil: Coil) -> np.ndarray:
    """(r, 3) radius [m], height [m], turns: sheets as rings at the points of Gauss along them."""
    found = [np.zeros((0, 3))]
    for radius, half, turns in sheets(coil):
        count = min(MOST_RINGS, 2 + int(PER_RADIUS * half / radius)) if half > 0.0 else 1
        at, weight = gauss_points(count)
        found.append(np.stack([np.full(count, radius), half * at, 0.5 * turns * weight], axis=1))
    return np.concatenate(found)


def elements(coil: Coil) -> np.ndarray:
    """(e, 6) elements of wire of all rings: position [m], and vector along the wire [m] times turns."""
    if isinstance(coil.winding, PolygonWinding):
        return elements_of_polygon(coil.winding, coil.turns)
    on_circle = circle(ELEMENTS)
    found = []
    for radius, height, turns in rings(coil):
        made = np.zeros((ELEMENTS, 6))
        made[:, :2], made[:, 2] = radius * on_circle, height
        made[:, 3:5] = (2.0 * pi / ELEMENTS * radius * turns) * np.stack([-on_circle[:, 1], on_circle[:, 0]], axis=1)
        found.append(made)
    return np.concatenate(found)


def elements_of_polygon(winding: PolygonWinding, turns: float) -> np.ndarray:
    """(e, 6) elements of the pieces of a polygon at the points of Gauss, as `elements`."""
    count = max(LEAST_ELEMENTS, -(-2 * ELEMENTS // len(winding.points)))
    at, weight = gauss_points(count)
    begin, along = winding.pieces[:, None, :3], (winding.pieces[:, 3:] - winding.pieces[:, :3])[:, None]
    places = begin + 0.5 * (1.0 + at)[:, None] * along
    return np.concatenate([places, 0.5 * turns * weight[:, None] * along], axis=2).reshape(-1, 6)


def triangles(winding: PolygonWinding, turns: float) -> np.ndarray:
    """(q, 6) points and areas of triangles between the middle of a polygon and its pieces, as `disc`."""
    corners = winding.pieces.reshape(-1, 2, 3)
    middle = np.broadcast_to(np.mean(winding.points, axis=0), (len(corners), 1, 3))
    every = np.concatenate([middle, corners], axis=1)
    area = 0.5 * turns * np.cross(every[:, 1] - every[:, 0], every[:, 2] - every[:, 0])
    points = np.einsum("tc,nck->ntk", OF_TRIANGLE[:, :3], every)
    return np.concatenate([points, OF_TRIANGLE[:, 3:] * area[:, None]], axis=2).reshape(-1, 6)


def disc(coil: Coil) -> np.ndarray:
    """(q, 6) points of the discs of all rings, and their vector areas [m^2] times turns."""
    if isinstance(coil.winding, PolygonWinding):
        return triangles(coil.winding, coil.turns)
    at, weight = gauss_points(DISC[0])
    share = 0.5 * (1.0 + at)  # of the area inside
    on_circle = circle(DISC[1])
    found = []
    for radius, height, turns in rings(coil):
        inside = np.concatenate([radius * np.sqrt(part) * on_circle for part in share])
        area = np.repeat(0.5 * weight, DISC[1]) * (pi * radius**2 * turns / DISC[1])
        none = np.zeros(len(inside))
        found.append(np.column_stack([inside, np.full(len(inside), height), none, none, area]))
    return np.concatenate(found)
