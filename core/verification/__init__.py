"""Analytic cases: a scene in the program compared with a closed form. The command and the tests run the same cases.

Each file is one kind of motion and defines CASES. The closed forms are computed from the numbers of the case, never
from the scene or by a function of the program under test.
"""

from __future__ import annotations

from core.verification import beads, free_flight, magnets, meshes, methods, pendulums, rotation, spheres, tops
from core.verification.case import Case as Case
from core.verification.case import Result as Result

GROUPS: dict[str, tuple[Case, ...]] = {
    "pendulums": pendulums.CASES,
    "meshes": meshes.CASES,
    "tops": tops.CASES,
    "free and driven bodies": free_flight.CASES,
    "spheres on paths": beads.CASES,
    "spheres": spheres.CASES,
    "rotating laboratory": rotation.CASES,
    "magnets": magnets.CASES,
    "methods": methods.CASES,
}
