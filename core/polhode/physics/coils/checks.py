"""Checks of coils: sources, impossible couplings, magnets in the wire, time constants that a step does not resolve."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.data.inputs import Source, formula_of
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Model, Work
from polhode.engine.part import Draft
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.vector_fields import infinite_values
from polhode.physics.coils.arrays import DYNAMIC, RESISTIVE
from polhode.physics.coils.compile import inductance_of
from polhode.physics.coils.description import Coil, LoopWinding, PolygonWinding, ThickWinding
from polhode.physics.coils.wiring import Wiring, empty_circuits, wirings
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

RESOLVED = 20.0  # steps in the time constant L/R of a coil that are recommended
MS = 1e3


def check_coils(draft: Draft) -> None:
    """Add the problems of sources whose formulas are not finite."""
    for one in wirings(draft.scene.coil, draft.scene.circuit):
        formulas: list[tuple[str, Source]] = [one.formula] if one.formula else []
        if one.switch is not None:
            formulas.append((f"{one.path}.switch", one.switch))
        for path, source in formulas:
            parts = derivatives(formula_of(source, draft.scene.folder), "t")[:2]
            draft.problems += infinite_values(parts, [path] * 2, {})[:1]


def check_start(draft: Draft, model: Model, work: Work) -> None:
    """Add the problems of coils at the start: couplings of more than 1, and magnets in the wire."""
    draft.problems += [*_couplings(draft, model, work), *_magnets_in_wire(draft, model, work)]


def _couplings(draft: Draft, model: Model, work: Work) -> Iterator[Problem]:
    """Pairs of coils with M^2 > L_1 L_2, for which the energy of the field would be negative."""
    coils, inductance = draft.scene.coil, work.coils.inductance
    own = np.diag(inductance)
    active = np.flatnonzero(model.circuits.kind[model.coils.circuit] == DYNAMIC).tolist()
    for number, k in enumerate(active):
        for j in active[:number]:
            coupling = abs(float(inductance[k, j])) / float(np.sqrt(own[k] * own[j]))
            if coupling >= 1.0:
                rule = Message(
                    "coils '{first}' and '{second}' have a coupling of {value:.3g}, more than 1",
                    value=coupling,
                    first=coils[j].name,
                    second=coils[k].name,
                )
                yield Problem(f"coil[{k}]", rule, Message("raise the inductance, or leave it out"))


def _magnets_in_wire(draft: Draft, model: Model, work: Work) -> Iterator[Problem]:
    """Magnets of which a dipole starts in the wire of a coil on another body."""
    first, bodies = model.dipoles.first, draft.scene.bodies
    for k, coil in enumerate(draft.scene.coil):
        local = (work.dipoles.position - work.coils.position[k]) @ work.coils.axes[k].T
        inside = in_wire(coil, local)
        for b in np.unique(np.searchsorted(first, np.flatnonzero(inside), side="right") - 1).tolist():
            if b != model.coils.body[k]:
                rule = Message(
                    "the magnet of '{body}' starts inside the winding of '{coil}'", body=bodies[b].name, coil=coil.name
                )
                yield Problem(draft.scene.place_of(b), rule, Message("move one of them"))


def in_wire(coil: Coil, points: np.ndarray) -> np.ndarray:
    """(n,) bool: whether points (n, 3) [m], frame of the coil, are in the wire of its winding."""
    if isinstance(coil.winding, PolygonWinding):
        return _near_pieces(coil.winding, points)
    winding, rho, z = coil.winding, np.hypot(points[:, 0], points[:, 1]), np.abs(points[:, 2])
    if isinstance(winding, LoopWinding):
        return np.asarray(np.hypot(rho - winding.radius, z) <= winding.wire_radius)
    inner = winding.inner_radius if isinstance(winding, ThickWinding) else winding.radius
    return np.asarray((inner <= rho) & (rho <= coil.outer_radius) & (z <= coil.half_length))


def _near_pieces(winding: PolygonWinding, points: np.ndarray) -> np.ndarray:
    """(n,) bool: whether points (n, 3) [m] are nearer to a piece of a polygon than the radius of its wire."""
    begin, along = winding.pieces[:, :3], winding.pieces[:, 3:] - winding.pieces[:, :3]
    r = points[:, None] - begin
    share = np.clip((r * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
    distance = np.linalg.norm(r - share[..., None] * along, axis=2)
    return np.asarray((distance <= winding.wire_radius).any(axis=1))


def circuit_warnings(compiled: CompiledScene) -> list[Problem]:
    """Warnings about circuits without coils, and those whose inductance is left out: a step does not resolve it."""
    scene = compiled.scene
    found = empty_circuits(scene.coil, scene.circuit)
    for c, one in enumerate(wirings(scene.coil, scene.circuit)):
        inductance = _inductance(one, scene)
        if compiled.model.circuits.kind[c] == RESISTIVE and inductance > 0.0:
            constant = MS * inductance / one.resistance
            rule = Message(
                "L/R of '{coil}' is {constant:.2g} ms, and the step {step:.2g} ms: it is treated as resistive",
                coil=one.name,
                constant=constant,
                step=MS * scene.solver.time_step,
            )
            remedy = Message("take a step of {step:.1g} ms to resolve it, or implicit", step=constant / RESOLVED)
            found.append(Problem(one.path, rule, remedy))
    return found


def _inductance(one: Wiring, scene: Scene) -> float:
    """L [H] of a circuit, the sum over its coils."""
    return sum(inductance_of(scene.coil[k], scene.world.permeability) for k in one.coils)


def coil_notes(compiled: CompiledScene) -> list[Message]:
    """A note on each circuit: its inductance, resistance and time constant."""
    found = []
    for one in wirings(compiled.scene.coil, compiled.scene.circuit):
        inductance, ohms = _inductance(one, compiled.scene), one.resistance
        if ohms > 0.0:
            constant = MS * inductance / ohms
            note = Message(
                "'{coil}': L = {inductance:.4g} mH, R = {ohms:.4g} ohm, L/R = {constant:.3g} ms",
                coil=one.name,
                inductance=MS * inductance,
                ohms=ohms,
                constant=constant,
            )
        else:
            note = Message("'{coil}': L = {inductance:.4g} mH", coil=one.name, inductance=MS * inductance)
        found.append(note)
    return found
