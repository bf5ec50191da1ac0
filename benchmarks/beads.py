"""RK4 steps of 1000 beads on splines beside real time, and beside bare C; and of beads on a formula beside a circle.

The C program (beads.c) has q and dl/dt of every bead, weight and the spline alone: no body in space that other laws
could act on, no force of the path, no ledger, no ends, and nothing stops it where a number is no longer finite.
Nothing but weight acts on the beads of the first scene, so their bodies wait while steps are taken; in the second, the
air acts on them.
"""

from __future__ import annotations

import ctypes
import tempfile
from typing import Any

import numpy as np
from c_code import compiled
from timing import best_times, report

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

COUNT, STEP, STEPS, GRAVITY = 1000, 1e-3, 200, 9.80665
CIRCLE = {"kind": "circle", "radius": 0.5}
TREFOIL = {  # three sums of waves, as somebody would type them
    "kind": "formula",
    "x": "0.2*(sin(q) + 2*sin(2*q))",
    "y": "0.2*(cos(q) - 2*cos(2*q))",
    "z": "-0.2*sin(3*q)",
    "range": [0.0, "2*pi"],
}


def spline() -> dict[str, Any]:
    """A closed one through 24 points, up and down and round."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    points = np.column_stack([2 * np.cos(turn), np.sin(turn), 0.5 + 0.4 * np.sin(3 * turn)])
    return {"kind": "spline", "closed": True, "points": points.tolist()}


def beads(path: dict[str, Any], **more: Any) -> Simulation:
    """As many beads, all along a path."""
    alike = {"path": path, "speed": 2.0, **more}
    rows = [{"name": f"bead{k}", "parameter": 5.0 * k / COUNT, **alike} for k in range(COUNT)]
    solver, world = {"method": "rk4", "time_step": STEP}, {"gravity": [0, 0, -GRAVITY]}
    return Simulation(Scene.model_validate({"world": world, "solver": solver, "bead": rows}))


class Rival:
    """The same beads in C."""

    def __init__(self, folder: str, simulation: Simulation):
        self._steps = compiled(folder, "beads.c").steps
        paths, now = simulation.compiled.model.beads.paths, simulation.snapshot().beads
        pieces = int(paths.stop_piece[0])
        self._fixed = [paths.knots[:pieces].copy(), paths.pieces[:pieces].copy()]
        self.q, self.u = now.parameter.copy(), now.speed.copy()
        self._sizes, self._period = (COUNT, pieces), float(paths.period[0])

    def run(self, steps: int) -> None:
        number = ctypes.c_double
        knots, pieces, q, u = (ctypes.c_void_p(array.ctypes.data) for array in (*self._fixed, self.q, self.u))
        constants = number(self._period), number(GRAVITY)
        self._steps(steps, number(STEP), *self._sizes, knots, pieces, *constants, q, u)


def main() -> None:
    simulation = beads(spline())
    with tempfile.TemporaryDirectory() as folder:
        rival = Rival(folder, simulation)
        ours, c = best_times(lambda: simulation.advance_steps(STEPS), lambda: rival.run(STEPS))
        apart = np.abs(simulation.snapshot().beads.parameter - rival.q).max()
        in_air = beads(spline(), drag=1e-3)
        slower, then = best_times(lambda: in_air.advance_steps(STEPS), lambda: rival.run(STEPS))
    detail = (
        f"{1e9 * ours / STEPS / COUNT:.0f} ns a bead and step, C {1e9 * c / STEPS / COUNT:.0f} ns, {apart:.0e} apart"
    )
    report(f"{COUNT} beads on splines, real time", STEP * STEPS / ours, 1.0, detail)
    report("the same / bare C", c / ours, 0.5, "")
    report("in the air / bare C", then / slower, None, f"{1e9 * slower / STEPS / COUNT:.0f} ns a bead and step")
    formula, circle = beads(TREFOIL), beads(CIRCLE)
    ours, theirs = best_times(lambda: formula.advance_steps(STEPS), lambda: circle.advance_steps(STEPS))
    detail = f"{1e9 * ours / STEPS / COUNT:.0f} ns, circle {1e9 * theirs / STEPS / COUNT:.0f} ns"
    report("on a formula / on a circle", theirs / ours, 1 / 3, detail)


if __name__ == "__main__":
    main()
