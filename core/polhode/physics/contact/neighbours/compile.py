"""Everything of a scene that can touch, as kernel arrays of neighbours."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.contact.arrays import Contacts
from polhode.physics.contact.fields.arrays import Fields
from polhode.physics.contact.neighbours.arrays import CONVEX, GRID, SOLID, SPHERE, Neighbours
from polhode.physics.contact.solids.arrays import Solids

MARGIN = 0.4  # of half the smallest width of an item, or of the median of all where that is larger


def build_neighbours(contacts: Contacts, solids: Solids, fields: Fields) -> Neighbours:
    """The items of a scene: its spheres, convex solids, and shapes that press as they look."""
    spheres, (middles, halves) = len(contacts.radius), np.zeros((2, len(fields.body), 3))
    for i in range(len(fields.body)):
        points = fields.point[fields.first_point[i] : fields.first_point[i + 1]]
        low, high = points.min(axis=0), points.max(axis=0)
        middles[i], halves[i] = (low + high) / 2, (high - low) / 2
    middle = np.concatenate([np.zeros((spheres + len(solids.body), 3)), middles])
    half = np.concatenate([np.zeros((spheres, 3)), solids.bound, halves])
    around = fields.rounding + fields.spacing  # surfaces may bulge between sample points
    radius = np.concatenate([contacts.radius, solids.radius, around])
    kinds = np.repeat([SPHERE, SOLID], [spheres, len(solids.body)]), np.where(fields.solid == NOTHING, GRID, CONVEX)
    width = radius + half.min(axis=1)
    typical = float(np.median(width)) if len(width) else 0.0
    return Neighbours(
        kind=np.concatenate(kinds).astype(np.int64),
        owner=np.concatenate([contacts.owner, solids.body, fields.body]),
        body=np.concatenate([contacts.body, solids.body, fields.body]),
        middle=middle,
        half=half,
        radius=radius,
        turning=np.linalg.norm(middle, axis=1) + np.linalg.norm(half, axis=1),
        margin=MARGIN * np.maximum(width, typical),
        solids=spheres,
        fields=spheres + len(solids.body),
        first_separate=contacts.first_separate,
        separate=contacts.separate,
    )
