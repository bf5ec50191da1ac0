"""Analytic cases: a scene in the program compared with a closed form. The command and the tests run the same cases.

Each file is one kind of motion and defines CASES. The closed forms are computed from the numbers of the case, never
from the scene or by a function of the program under test. Tolerances are estimates of the method's error at the scene's
step; `reason` is their derivation.

    from polhode.verification import GROUPS

    for case in GROUPS["tops"]:
        result = case.run()
        print(case.name, result.value, case.expected, result.passed)

Errors of RK4 that the reasons use, with z = w dt for an oscillation of angular frequency w: per step the amplitude is
multiplied by 1 - z^6/144 and the phase is off by z^5/120, that is z^4/120 of the phase itself (Hairer, Norsett and
Wanner, Solving Ordinary Differential Equations I, section II.1, for the method).
"""

from __future__ import annotations

from polhode.verification import (
    coils,
    conductors,
    formulas,
    iron,
    iron_plane,
    magnets,
    meshes,
    methods,
    plates,
    soft_bodies,
    spheres,
    strings,
)
from polhode.verification.bodies import free_flight, joints, pendulums, rotation, tops
from polhode.verification.case import Case as Case
from polhode.verification.case import Result as Result
from polhode.verification.paths import beads, beads_on_bodies, tracks

GROUPS: dict[str, tuple[Case, ...]] = {
    "pendulums": pendulums.CASES,
    "meshes": meshes.CASES,
    "tops": tops.CASES,
    "free and driven bodies": free_flight.CASES,
    "spheres on paths": beads.CASES,
    "beads on rough and one-sided tracks": tracks.CASES,
    "beads on bodies": beads_on_bodies.CASES,
    "spheres": spheres.CASES,
    "soft bodies": soft_bodies.CASES,
    "strings": strings.CASES,
    "joints": joints.CASES,
    "rotating laboratory": rotation.CASES,
    "magnets": magnets.CASES,
    "eddy currents": plates.CASES,
    "coils": coils.CASES,
    "conductors": conductors.CASES,
    "iron": iron.CASES,
    "iron half-space": iron_plane.CASES,
    "formulas": formulas.CASES,
    "methods": methods.CASES,
}
"""Cases by the kind of motion, in the order of the table that `polhode verify` prints."""
