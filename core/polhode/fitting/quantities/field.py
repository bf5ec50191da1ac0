"""The magnetic field [T] at a point of the laboratory, or at a point fixed in a body along the axes of the body.

Sum of all dipoles, with clouds, by the law of pairs (core/polhode/physics/magnets/pair.py), and of the world's field at
the time of the row; at a point of a body without its own dipoles. The dipoles of a body are at rest in its frame, so
one call of the kernel for each body handles all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polhode.fitting.quantities.names import FIELD, direction_of, point_of
from polhode.fitting.quantities.quantity import Has, ObservedQuantity, pose, pose_columns
from polhode.physics.magnets.exact.in_space import Solids
from polhode.physics.magnets.exact.solids import CENTER

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene


def field_quantity(name: str, compiled: CompiledScene, has: Has) -> ObservedQuantity | None:
    """The quantity of a name such as "phone.field[0, 0.07, 0].x", or None. Raises InvalidValue, also by `has`."""
    found = FIELD.fullmatch(name)
    if found is None:
        return None
    body, point, direction = found["body"], point_of(name, found["point"]), direction_of(name, found)
    if body is not None:
        has(found, "body", "u1.x")
    bodies, first = compiled.scene.bodies, compiled.model.dipoles.first
    holder = next((k for k, each in enumerate(bodies) if each.name == body), -1)
    owners = [k for k in range(len(bodies)) if first[k + 1] > first[k] and k != holder]
    read = [holder] * (body is not None) + owners
    columns = ("time", *(each for k in read for each in pose_columns(bodies[k].name)))

    def law(values: np.ndarray, ran: CompiledScene) -> np.ndarray:
        poses = [pose(values, 1 + 12 * k) for k in range(len(read))]
        directions, points = np.tile(direction, (len(values), 1)), np.tile(point, (len(values), 1))
        if body is not None:
            origin, basis = poses.pop(0)
            points, directions = origin + point @ basis, direction @ basis
        field = _of_world(ran, points, values[:, 0])
        for owner, (origin, basis) in zip(owners, poses, strict=True):
            field += _of_body(ran, owner, points, origin, basis)
        return np.einsum("ni,ni->n", field, directions)

    return ObservedQuantity(name, "T", columns, law)


def _of_body(ran: CompiledScene, owner: int, points: np.ndarray, origin: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """(n, 3) [T] of the magnets of a body at points (n, 3) [m], laboratory frame.

    origin: (n, 3) [m] of the body; basis: (n, 3, 3) its rows u1, u2, u3
    """
    from polhode.physics.magnets.field_in_space import fields, sources_of  # noqa: PLC0415

    dipoles, bodies = ran.model.dipoles, ran.model.bodies
    own = slice(dipoles.first[owner], dipoles.first[owner + 1])
    arms = dipoles.position[own] - bodies.origin[owner]
    exact = ran.model.exact
    of_body = exact.shown_owner == owner
    rows = exact.shown[of_body]
    rows[:, CENTER : CENTER + 3] -= bodies.origin[owner]
    solids = Solids(rows, exact.filled[of_body] - own.start, exact.reach[of_body])
    sources = sources_of(arms, dipoles.moment[own], np.zeros(3), ran.model.permeability, solids=solids)
    inside = np.einsum("nij,nj->ni", basis, points - origin)
    field = np.empty(inside.shape)
    fields(np.ascontiguousarray(inside), sources, field)
    return np.einsum("ni,nij->nj", field, basis)


def _of_world(ran: CompiledScene, points: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(n, 3) [T] of the world at points (n, 3) [m] and times (n,) [s]."""
    world = ran.inputs.field
    angle = (world.frequency * times)[:, None]
    field = np.cos(angle) * world.cosine + np.sin(angle) * world.sine
    if world.value.address != 0:
        from polhode.physics.magnets.field_in_space import fields, sources_of  # noqa: PLC0415

        here, none = np.empty((1, 3)), np.zeros((0, 3))
        for k in np.flatnonzero(np.isfinite(times)):
            fields(points[k : k + 1].copy(), sources_of(none, none, np.zeros(3), 0.0, world, times[k]), here)
            field[k] += here[0]
    return np.asarray(field)
