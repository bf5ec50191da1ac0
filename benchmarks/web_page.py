"""Time of a step in a page against the native time for a generic processor, and whether pages keep up with real time.

Each scene runs in the thread of a page in headless Chromium and natively on one core, by turns and the same steps.
Times and their ratio are medians over the turns after the first ones, in which the browser still compiles. Goals: at
most 1.5 x the native time, 3 x where rows of springs fill SIMD registers, and four times the time of a step in the page
below the step for 80 % of the scenes: real time on a processor four times slower.

    .venv/bin/python benchmarks/web_page.py                    all scenes of the gallery that can run in a page
    .venv/bin/python benchmarks/web_page.py heavy_top cloth_on_ball

Needs the module (make web-module) and Chromium.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import CHROMIUM, Browser, browser  # noqa: E402
from engine_page import started  # noqa: E402

from polhode import Simulation, read_scene  # noqa: E402
from polhode.compilation.web_module.module import WebModule, web_module  # noqa: E402
from polhode.exporters.image.qualification import problems_of  # noqa: E402
from polhode.jit.storage.shipped_code import GENERIC  # noqa: E402
from polhode.run.loop import advance  # noqa: E402

TURNS, FIRST = 60, 20  # turns, and those that do not count
LENGTH = 0.006  # [s] of a turn, about: short enough to be undisturbed once on a loaded machine
SLOWER = 4.0  # a processor by this factor must be in real time
GOAL, GOAL_OF_ROWS, SHARE = 1.5, 3.0, 0.8


class Cost(NamedTuple):
    """Times of a step of one scene [s]."""

    scene: str
    native: float
    page: float
    ratio: float  # of these
    step: float  # of simulated time
    has_rows: bool  # of springs, in SIMD registers

    @property
    def is_fast(self) -> bool:
        """Whether the ratio is within its goal."""
        return self.ratio <= (GOAL_OF_ROWS if self.has_rows else GOAL)

    @property
    def is_live(self) -> bool:
        """Whether a slower processor runs it in real time."""
        return SLOWER * self.page <= self.step

    def __str__(self) -> str:
        ratio = f"{self.ratio:5.2f} x {'ok  ' if self.is_fast else 'MISS'}"
        times = f"{1e6 * self.native:10.2f} {1e6 * self.page:10.2f} us {ratio}"
        return f"{self.scene:<36}{times} {self.step / self.page:10.1f} x real time  {'rows' if self.has_rows else ''}"


def cost_of(name: str, tab: Browser, module: WebModule) -> Cost | None:
    """Times of a scene; None if it needs Python."""
    simulation = Simulation(read_scene(ROOT / "scenes" / f"{name}.toml"))
    if problems_of(simulation):
        return None
    structs, page, native = simulation.structs, [], []
    method, model, inputs, work, state, clock = structs
    with started(tab, simulation, module):
        count, done = 1, 0
        while len(native) < TURNS:
            begun = perf_counter()
            taken = advance(method, model, inputs, state, work, clock._replace(done=done), count)
            passed, done = perf_counter() - begun, done + taken
            told = tab.run(f"polhode.remote.step({count}), polhode.remote.frame([]).then(({{cost}}) => cost)")
            if taken < count:
                break
            if passed < LENGTH / 3:  # too short to be measured
                count = max(2 * count, int(count * LENGTH / max(passed, 1e-5) / 2))
                continue
            native.append(passed / count)
            page.append(1e-3 * told)
    native, page = native[FIRST:], page[FIRST:]
    if len(native) < 2:
        return None
    ratio = median(there / here for here, there in zip(native, page, strict=True))
    return Cost(name, median(native), median(page), ratio, clock.step, bool(model.spring_rows.count.sum()))


def main(names: list[str]) -> None:
    """Print a line for each scene, and how many meet the goals."""
    if CHROMIUM is None:
        sys.exit("there is no Chromium")
    if any(os.environ.get(name) != value for name, value in GENERIC.items()):
        os.execve(sys.executable, [sys.executable, __file__, *names], os.environ | GENERIC)
    every, module = names or sorted(path.stem for path in (ROOT / "scenes").glob("*.toml")), web_module()
    costs = []
    with browser() as tab:
        for name in every:
            if (cost := cost_of(name, tab, module)) is None:
                print(f"{name:<36}is not measured", flush=True)
                continue
            costs.append(cost)
            print(cost, flush=True)
    for has_rows, goal in ((False, GOAL), (True, GOAL_OF_ROWS)):
        if some := [cost for cost in costs if cost.has_rows == has_rows]:
            ratio = median(cost.ratio for cost in some)
            within, kind = sum(cost.is_fast for cost in some), "with rows" if has_rows else "without rows"
            print(f"{kind}: median {ratio:.2f} x, {within} of {len(some)} within {goal:g} x")
    live = sum(cost.is_live for cost in costs)
    verdict = "ok" if live >= SHARE * len(costs) else "MISS"
    print(f"real time on a processor {SLOWER:g} times slower: {live} of {len(costs)} (goal {SHARE:.0%}) {verdict}")


if __name__ == "__main__":
    main(sys.argv[1:])
