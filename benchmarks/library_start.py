"""From `import polhode` to the first snapshot of a built-in scene, against `import numpy, scipy.linalg, numba`.

Processor time of whole processes, user and system, their ends included, alternating; machine code and bytecode are on
the disk. Goal: at most 1.5 times.
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median

RUNS = 15
LIBRARIES = "import numpy, scipy.linalg, numba"
SNAPSHOT = """
import polhode

simulation = polhode.Simulation(polhode.read_scene("heavy_top"))
simulation.snapshot()
"""


def processor_time(program: str) -> float:
    """Processor time [s] of a Python process that runs a program."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # a usual start has the bytecode
    before = os.times()
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    for program in (LIBRARIES, SNAPSHOT, SNAPSHOT):
        processor_time(program)
    times = [(processor_time(LIBRARIES), processor_time(SNAPSHOT)) for _ in range(RUNS)]
    (libraries, ours), (usual, our_usual) = (
        [reduced(column) for column in zip(*times, strict=True)] for reduced in (min, median)
    )
    print(f"libraries {libraries:.3f} s, first snapshot {ours:.3f} s: {ours / libraries:.2f} times (goal: at most 1.5)")
    print(f"medians {usual:.3f} s and {our_usual:.3f} s: {our_usual / usual:.2f} times")


if __name__ == "__main__":
    main()
