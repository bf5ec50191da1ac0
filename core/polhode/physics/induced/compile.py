"""Induced dipoles of a scene as arrays."""

from __future__ import annotations

import numpy as np

from polhode.engine.part import Draft
from polhode.physics.bodies import shapes
from polhode.physics.induced.arrays import Induced
from polhode.physics.induced.shapes import KINDS, each_of_dipoles, polarisability, rows_of_dipoles, semi_axes
from polhode.physics.iron.surfaces import iron_volume
from polhode.physics.magnets.dipole_cloud import EXACT, INDUCED
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body

SHIFT = 1e-3  # of the time step: the error of a central difference is of its square
PANELS = Message('take "surface"')


def check_induced(draft: Draft) -> None:
    """Add the problems of iron that is a dipole and can't be one: its shape, saturation, and a magnet in it."""
    scene = draft.scene
    every = [(b, k, shape) for b, body in enumerate(scene.bodies) for k, shape in enumerate(body.shape)]
    found = {(b, k) for b, own in enumerate(each_of_dipoles(scene)) for k in own}
    for b, k, shape in every:
        if shape.iron is None or (b, k) not in found:
            continue
        place = f"{scene.place_of(b)}.shape[{k}].iron.induced"
        if not isinstance(shape, KINDS):
            rule = Message("is 'dipole', which only a sphere or an ellipsoid can be, not a {kind}", kind=shape.kind)
            draft.problems.append(Problem(place, rule, PANELS))
        elif shape.iron.saturation is not None:
            draft.problems.append(Problem(place, Message("is 'dipole', which does not saturate"), PANELS))
        elif _holds_a_magnet(scene.bodies[b], shape):
            rule = Message("is 'dipole', and a magnet of the same body is inside")
            draft.problems.append(Problem(place, rule, Message("move the magnet out of it")))


def _holds_a_magnet(body: Body, shape: shapes.ShapeBase) -> bool:
    """Whether a dipole or the middle of a magnet of the body is inside a shape of iron, which can be hollow."""
    places = [np.array(dipole.position) for dipole in body.dipole]
    places += [np.array(other.position) for other in body.shape if other.magnet is not None]
    turn = shape.orientation.matrix()
    return any(np.linalg.norm((place - shape.position) @ turn / semi_axes(shape)) < 1.0 for place in places)


def compile_induced(draft: Draft) -> None:
    """Add the member `induced` of the Model."""
    scene, dipoles = draft.scene, draft.model["dipoles"]
    permeability, rows = scene.world.permeability, np.flatnonzero(dipoles.form == INDUCED)
    bodies, found, own_volume, volumes = list[int](), list[np.ndarray](), list[float](), dict[int, float]()
    for b, body in enumerate(scene.bodies):
        for k in rows_of_dipoles(body, scene):
            shape = body.shape[k]
            turn = shape.orientation.matrix()
            bodies.append(b)
            found.append(turn @ polarisability(shape) @ turn.T / (permeability or 1.0))
            own_volume.append(iron_volume(shape, None))
            volumes[b] = volumes.get(b, 0.0) + own_volume[-1]
    inverses = [np.linalg.inv(one) for one in found]
    draft.model["induced"] = Induced(
        row=rows.astype(np.int64),
        body=np.array(bodies, np.int64),
        iron=np.array(list(volumes), np.int64),
        own_volume=np.array(own_volume),
        volume=np.array(list(volumes.values())),
        source=np.flatnonzero(dipoles.form != INDUCED).astype(np.int64),
        polarisability=np.array(found).reshape(-1, 3, 3),
        stiffness=np.array(inverses).reshape(-1, 3, 3),
        shift=SHIFT * scene.solver.time_step,
        closed_form=np.flatnonzero(dipoles.form == EXACT).astype(np.int64) if len(rows) else np.zeros(0, np.int64),
    )
