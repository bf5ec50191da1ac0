"""Four kernels, a map and a fit beside their rivals: fails where one has lost a third of its committed speed.

Ratios are medians of interleaved pairs: both programs run on the same core in the same minute. What is committed holds
for the kind of processor that it was measured on; on another one a ratio is printed and not judged. Where numba's
settings name a processor, both programs are compiled for it:

    python benchmarks/guard.py            exit status 1 where a kernel is slower than 0.7 of its committed ratio
    python benchmarks/guard.py --large    the lattice that does not fit into the cache
    NUMBA_CPU_NAME=haswell NUMBA_CPU_FEATURES=+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt python benchmarks/guard.py
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from math import ceil
from statistics import median

import fit
import pairs
import springs
import sweep
import top
from c_code import compiled
from numba.core.registry import cpu_target
from timing import seconds

from polhode.jit.processor import instruction_set
from polhode.simulation.simulation import Simulation

ALLOWED = 0.7  # of a committed ratio: machines are noisy, and a law that costs every scene shows as more than that
TURNS = 9
LONG = 1.0  # [s] of a pair, of which a quarter of the turns has to do
SHORT = 0.1  # [s]: a shorter batch is repeated, because after the other program caches and clock of the core are cold
COMMITTED = {
    "avx512 by AMD": {
        "top / MuJoCo": 31.0,
        "cells of a map / scipy": 2900.0,
        "fit / MuJoCo": 2.8,  # 5.7 on the processor before: most of a short fit is Python
        "8 x 8 points / C": 2.1,
        "100 x 100 points / C": 2.4,
        "300 x 300 points / C": 2.2,
        "100 needles / C": 2.7,
    },
    "avx512 by Intel": {
        "top / MuJoCo": 28.5,
        "cells of a map / scipy": 3400.0,
        "fit / MuJoCo": 2.5,
        "8 x 8 points / C": 1.85,
        "100 x 100 points / C": 1.5,
        "300 x 300 points / C": 2.0,
        "100 needles / C": 2.3,
    },
    "avx2": {
        "top / MuJoCo": 29.0,
        "8 x 8 points / C": 1.7,
        "100 x 100 points / C": 1.8,
        "300 x 300 points / C": 1.7,
        "100 needles / C": 2.3,
    },
}
"""Ratios by kind of processor, measured by this program on a quiet machine."""

Pair = tuple[str, Callable[[], object], Callable[[], object], float]
"""Name; a batch of ours and of the rival; steps of ours over those of the rival."""


def top_beside_mujoco() -> Iterator[Pair]:
    rival = top.rival()
    if rival is None:
        print("top / MuJoCo: skipped, MuJoCo is not installed")
        return
    simulation = Simulation(top.top())
    yield "top / MuJoCo", lambda: simulation.advance_steps(40_000), lambda: rival(4000), 10.0


def lattices_beside_c(folder: str, sizes: Sequence[tuple[int, int]]) -> Iterator[Pair]:
    """sizes: points on a side, and steps of each."""
    library = compiled(folder, "springs.c")
    for side, steps in sizes:
        simulation = Simulation(springs.lattice(side, "axial"))
        rival = springs.Rival(library, simulation.scene, simulation.snapshot().points.velocity.copy())
        ours, theirs = (lambda s=simulation, n=steps: s.advance_steps(n)), (lambda r=rival, n=steps: r.run(n))
        yield f"{side} x {side} points / C", ours, theirs, 1.0


def needles_beside_c(folder: str) -> Iterator[Pair]:
    simulation = Simulation(pairs.needles(100))
    rival = pairs.rival_steps(100, simulation, pairs.c_programs(folder))
    yield "100 needles / C", lambda: simulation.advance_steps(200), lambda: rival(200), 1.0


def cells_beside_scipy() -> Iterator[Pair]:
    """Cells of the map of three magnets, on one thread."""
    run = sweep.sweep(8, 1)
    run.run()
    run.chunks.renew()  # it ended with the sweep
    cells = run.variation.spread_cells(64)

    def rival() -> None:
        with redirect_stdout(io.StringIO()):  # it compares the labels
            sweep.by_scipy(run, cells[:2])

    yield "cells of a map / scipy", lambda: run.chunks.run(cells), rival, len(cells) / 2


def fit_beside_mujoco() -> Iterator[Pair]:
    """A fit to 20 s of a spherical pendulum."""
    if find_spec("mujoco") is None:
        print("fit / MuJoCo: skipped, MuJoCo is not installed")
        return
    data = fit.made(20.0)
    runs = fit.rollouts(data)
    yield "fit / MuJoCo", lambda: fit.ours(data), lambda: fit.by_scipy(runs), 1.0


def cases(folder: str, are_large: bool) -> Iterator[Pair]:
    if are_large:
        yield from lattices_beside_c(folder, [(300, 20)])
        return
    yield from top_beside_mujoco()
    yield from cells_beside_scipy()
    yield from fit_beside_mujoco()
    if shutil.which("gcc") is None:
        print("springs and needles: skipped, there is no gcc")
        return
    yield from lattices_beside_c(folder, [(8, 20_000), (100, 100)])
    yield from needles_beside_c(folder)


def ratio(ours: Callable[[], object], rival: Callable[[], object], share: float) -> float:
    """Median of the rival's time over ours, step for step, after one run of ours that compiles and is not counted."""
    ours()
    both = [(work, max(1, ceil(SHORT / seconds(work)))) for work in (rival, ours)]
    turns = TURNS if sum(seconds_each(*one) for one in both) < LONG else TURNS // 4
    times = [[seconds_each(*one) for one in both] for _ in range(turns)]
    return median(share * theirs / own for theirs, own in times)


def seconds_each(work: Callable[[], object], count: int) -> float:
    """Mean time [s] of `count` runs in a row."""
    return seconds(lambda: [work() for _ in range(count)]) / count


def kind_of_processor() -> str:
    """Widest vector instruction set and, for AVX-512, the maker, after whom ratios differ by up to 1.6."""
    widest = instruction_set()
    if widest != "avx512":
        return widest
    processor = cpu_target.target_context.codegen().magic_tuple()[1]
    return f"{widest} by {'AMD' if processor.startswith('znver') else 'Intel'}"


def main() -> int:
    kind = kind_of_processor()
    known, slower = COMMITTED.get(kind, {}), []
    with tempfile.TemporaryDirectory() as folder:
        for name, ours, rival, share in cases(folder, "--large" in sys.argv[1:]):
            found, committed = ratio(ours, rival, share), known.get(name)
            if committed is None:
                print(f"{name:<24}{found:7.2f} x   (none is committed for {kind})")
                continue
            if found < ALLOWED * committed:  # once more: a neighbour may have taken the core
                found = max(found, ratio(ours, rival, share))
            verdict = "ok" if found >= ALLOWED * committed else f"SLOWER than {ALLOWED:g} of it"
            print(f"{name:<24}{found:7.2f} x   committed {committed:g} x   {verdict}")
            slower += [name] if verdict != "ok" else []
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
