"""Steps of two magnets by closed forms beside clouds of 64 dipoles, and the display of their field.

Both run in turns on the same core. A cloud costs the product of the numbers of dipoles, a closed form their sum.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
from timing import best_times, report, seconds

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

STEPS, TURNS = 200, 9
SOLIDS: dict[str, dict[str, Any]] = {
    "discs": {"kind": "cylinder", "radius": 6.35e-3, "length": 3.175e-3},
    "cuboids": {"kind": "cuboid", "size": [0.01, 0.01, 0.01]},
    "tubes": {"kind": "tube", "radius": 8e-3, "inner_radius": 4e-3, "length": 4e-3},
}


def pair(solid: dict[str, Any], field: str, dipoles: int = 64) -> Simulation:
    """Two free magnets 0.1 m apart."""
    magnet = {"remanence": [0, 0, 1.3], "field": field, "dipoles": dipoles}
    shape = {**solid, "density": 7500, "magnet": magnet}
    bodies = [{"name": f"m{k}", "support": "free", "position": [0, 0, 0.1 * k], "shape": [{**shape}]} for k in range(2)]
    return Simulation(Scene.model_validate({"world": {"gravity": [0, 0, 0]}, "body": bodies}))


def main() -> None:
    points = np.random.default_rng(1).uniform(-0.1, 0.1, (2000, 3))
    for name, solid in SOLIDS.items():
        exact, cloud, dense = pair(solid, "exact"), pair(solid, "dipoles"), pair(solid, "dipoles", 512)
        ours, rival = best_times(lambda s=exact: s.advance_steps(STEPS), lambda s=cloud: s.advance_steps(STEPS), TURNS)
        detail = f"{ours / STEPS * 1e6:.0f} against {rival / STEPS * 1e6:.0f} us a step of RK4"
        report(f"{name} / 64 dipoles", rival / ours, None, detail)
        ours, rival = best_times(lambda s=exact: s.advance_steps(20), lambda s=dense: s.advance_steps(20), 3)
        report(f"{name} / 512 dipoles", rival / ours, None, f"{rival / 20 * 1e6:.0f} us a step of these")
        took = median(seconds(lambda s=exact: s.field(points)) for _ in range(TURNS))
        print(f"{name}: field in space {took / len(points) * 1e9:.0f} ns a point")


if __name__ == "__main__":
    main()
