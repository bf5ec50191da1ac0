"""Place phase of shapes that press as they look: frames in the laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, put, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.contact.fields.arrays import Fields, FieldWork
from polhode.physics.contact.solids.frames import Frame


@kernel
def place_fields(fields: Fields, state: np.ndarray, body_work: BodyWork, field_work: FieldWork) -> None:
    """PLACE: write the frames of all shapes, laboratory frame; bodies are placed, `state` is (k,)."""
    for i in range(len(fields.body)):
        b = fields.body[i]
        u1, u2, u3 = read_basis(state, b)
        put(field_work.center, i, add(row(body_work.position, b), combine(row(fields.position, i), u1, u2, u3)))
        for k in range(3):
            put(field_work.axes[i], k, combine(row(fields.axes[i], k), u1, u2, u3))


@kernel
def frame_of_field(field_work: FieldWork, i: int) -> Frame:
    """Frame of shape i, as seen from the laboratory."""
    axes = field_work.axes[i]
    return Frame(row(field_work.center, i), row(axes, 0), row(axes, 1), row(axes, 2))
