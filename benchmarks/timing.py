"""Time two things side by side: machines are noisy, so they take turns and only their ratio is to be trusted."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def best_times(ours: Callable[[], object], rival: Callable[[], object], turns: int = 9) -> tuple[float, float]:
    """Shortest time [s] of each over `turns` alternating runs, after one run of each that is not counted."""
    ours(), rival()
    times = [(seconds(ours), seconds(rival)) for _ in range(turns)]
    return min(t[0] for t in times), min(t[1] for t in times)


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def report(name: str, ratio: float, goal: float | None, detail: str) -> None:
    verdict = "" if goal is None else f"(goal {goal:g} x)  {'ok  ' if ratio >= goal else 'MISS'}"
    print(f"{name:<34} {ratio:7.2f} x  {verdict:<20} {detail}")
