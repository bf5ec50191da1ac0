"""Checks of iron beside coils: circuits without an inductance, wires in iron or close to it, and iron that a wire
threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import pi

import numpy as np
import scipy.spatial.distance

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING, Work
from polhode.physics.bodies.arrays import BASIS, Bodies, body_states
from polhode.physics.bodies.shapes import Shape, Torus, Tube
from polhode.physics.coils.arrays import RESISTIVE, Coils
from polhode.physics.coils.checks import in_wire
from polhode.physics.coils.windings.inductance import circle
from polhode.physics.coils.wiring import wirings
from polhode.physics.iron.arrays import Iron
from polhode.physics.iron.matrices import Panels, spread_charges
from polhode.physics.plates.compile import start_poses
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

POINTS = 128  # of a closed line, for the number of times that two of them are linked
MM = 1e3


def circuits_beside_iron(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about circuits whose inductance is left out, and which iron should add to."""
    scene = compiled.scene
    if not len(compiled.model.iron.body) and not len(compiled.model.induced.row):
        return
    for c, one in enumerate(wirings(scene.coil, scene.circuit)):
        if compiled.model.circuits.kind[c] == RESISTIVE:
            rule = Message(
                "the inductance of '{coil}' is left out, and so is the voltage that iron induces in it", coil=one.name
            )
            if len(compiled.model.induced.row):
                rule = Message(
                    "the inductance of '{coil}' is left out: its current does not magnetise iron of dipoles",
                    coil=one.name,
                )
            remedy = Message("take a shorter step, or implicit, and leave the inductance to the winding")
            yield Problem(f"{one.path}.resistance", rule, remedy)


def wires_in_iron(
    scene: Scene, bodies: Bodies, coils: Coils, iron: Iron, surfaces: list[list[Panels]]
) -> Iterator[Problem]:
    """Problems of coils that start in the iron of a body, or thread it.

    surfaces: of each body of iron its shapes, from the reference point of the body
    """
    origins, bases = start_poses(scene, bodies)
    for k, coil in enumerate(scene.coil):
        carrier = int(coils.body[k])
        at, axes = coils.position[k], coils.basis[k]
        if carrier != NOTHING:
            at, axes = origins[carrier] + at @ bases[carrier], axes @ bases[carrier]
        elements = coils.element[coils.first_element[k] : coils.first_element[k + 1], :3]
        rings = coils.ring[coils.first_ring[k] : coils.first_ring[k + 1]]
        turns = list(_circles(rings)) or [elements]
        for b, of_body in zip(iron.body.tolist(), surfaces, strict=True):
            names = {"iron": scene.bodies[b].name, "coil": coil.name}
            middles = np.concatenate([panels.centroids for panels in of_body]) @ bases[b] + origins[b]
            wire = (elements @ axes + at - origins[b]) @ bases[b].T
            if in_wire(coil, (middles - at) @ axes.T).any() or any(_inside(panels, wire) for panels in of_body):
                rule = Message("the wire of '{coil}' starts in the iron of '{iron}'", **names)
                yield Problem(f"coil[{k}]", rule, Message("move one of them"))
                continue
            lines = [line + bodies.origin[b] for line in _holes(scene, b)]
            if any(_links(line, (ring @ axes + at - origins[b]) @ bases[b].T) for line in lines for ring in turns):
                rule = Message("the iron '{iron}' encloses a wire of '{coil}'", **names)
                yield Problem(f"coil[{k}]", rule, Message("cut a gap into it"))


def _inside(panels: Panels, points: np.ndarray) -> bool:
    """Whether any of points (n, 3) [m] is in the iron within a closed surface."""
    low, high = panels.corners.min(axis=(0, 1)), panels.corners.max(axis=(0, 1))
    near = points[((low < points) & (points < high)).all(axis=1)]
    return bool(len(near) and (spread_charges(near, panels)[1].sum(axis=1) > 2.0 * pi).any())


def _holes(scene: Scene, b: int) -> Iterator[np.ndarray]:
    """Closed lines (n, 3) [m] in the iron of a body around the holes of its shapes, from the origin of the body."""
    for shape in scene.bodies[b].shape:
        radius = _middle(shape)
        if shape.iron is not None and radius > 0.0:
            ring = np.column_stack([radius * circle(POINTS), np.zeros(POINTS)])
            yield ring @ shape.orientation.matrix().T + shape.position


def _middle(shape: Shape) -> float:
    """Radius [m] of the middle of the wall of a shape with a hole about its axis; 0 of others."""
    if isinstance(shape, Tube):
        return 0.5 * (shape.inner_radius + shape.radius)
    return shape.radius if isinstance(shape, Torus) else 0.0


def _circles(rings: np.ndarray) -> Iterator[np.ndarray]:
    """(n, 3) [m] points of the first and the last of rings (r, 3), frame of the coil; of no rings none."""
    for radius, height, _ in (*rings[:1], *rings[-1:]):
        yield np.column_stack([radius * circle(POINTS), np.full(POINTS, height)])


def _links(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two closed lines (n, 3) and (m, 3) [m] are linked, by the integral of Gauss."""
    along, across = (np.roll(line, -1, axis=0) - line for line in (one, other))
    r = (one + 0.5 * along)[:, None] - (other + 0.5 * across)
    volume = np.einsum("ijk,ijk->ij", r, np.cross(along[:, None], across[None]))
    return bool(abs((volume / np.linalg.norm(r, axis=2) ** 3).sum()) / (4.0 * pi) > 0.5)


def warnings_of_wires(compiled: CompiledScene, time: float, state: np.ndarray, work: Work) -> Iterator[Problem]:
    """Warnings about wires nearer to iron than the edge of a panel; the state (k,) is placed."""
    iron, coils, scene = compiled.model.iron, compiled.model.coils, compiled.scene
    if not len(iron.body) or not scene.coil:
        return
    bases = body_states(compiled.model.bodies, state)[:, BASIS : BASIS + 9].reshape(-1, 3, 3)
    for b, (i, j) in zip(iron.body.tolist(), pairwise(iron.first), strict=True):
        middle, edge = iron.middle[:, i:j].T @ bases[b] + work.bodies.position[b], iron.edge[i:j]
        for k in range(len(scene.coil)):
            local = (middle - work.coils.position[k]) @ work.coils.axes[k].T
            rho, z = np.hypot(local[:, 0], local[:, 1]), np.abs(local[:, 2])
            sheets = coils.sheet[coils.first_sheet[k] : coils.first_sheet[k + 1]]
            elements = coils.element[coils.first_element[k] : coils.first_element[k + 1], :3]
            is_near = (
                any((np.hypot(rho - radius, np.maximum(z - half, 0.0)) < edge).any() for radius, half, _ in sheets)
                if len(sheets)
                else (scipy.spatial.distance.cdist(local, elements).min(axis=1) < edge).any()
            )
            if is_near:
                rule = Message(
                    "at t = {time:.4g} s its wire is nearer to the iron of '{iron}' than a panel ({edge:.2g} mm)",
                    time=time,
                    iron=scene.bodies[b].name,
                    edge=MM * float(edge.max()),
                )
                remedy = Message("forces and inductances are inaccurate there: give the iron more panels")
                yield Problem(f"coil[{k}].winding", rule, remedy)
