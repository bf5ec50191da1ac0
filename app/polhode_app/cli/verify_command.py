"""`polhode verify`: compares analytic cases with closed-form solutions."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode_app.cli.terminal.console import progress, say
from polhode_app.cli.terminal.exit_status import CHECK_FAILED, DONE
from polhode_app.cli.terminal.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polhode.verification import Result

AsJson = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")]
Published = Annotated[
    bool, Parameter(negative="", help="Run the published experiments of the gallery instead, beside their values.")
]


def verify(*, published: Published = False, as_json: AsJson = False) -> int:
    """Compare analytic test cases with closed-form solutions; the exit status is 1 if one fails."""
    results: dict[str, list[Result]] = {}
    count, runs = _published() if published else _analytic()
    done = 0
    try:
        with progress("verify", count) as report:
            for group, found in runs:
                results.setdefault(group, []).extend(found)
                done += 1
                report(done)
    except KeyboardInterrupt:
        print(json_of(results) if as_json else text_of(results))
        say(Message("Stopped. The other cases have not run."))
        return INTERRUPTED
    print(json_of(results) if as_json else text_of(results))
    return DONE if all(result.passed for found in results.values() for result in found) else CHECK_FAILED


def _analytic() -> tuple[int, Iterator[tuple[str, list[Result]]]]:
    """Number of analytic cases, and their results by group, each when it is asked for."""
    from polhode.verification import GROUPS

    runs = ((group, [case.run()]) for group, cases in GROUPS.items() for case in cases)
    return sum(map(len, GROUPS.values())), runs


def _published() -> tuple[int, Iterator[tuple[str, list[Result]]]]:
    """Number of published experiments, and their results by scene, each when it is asked for."""
    from polhode.verification.published import EXPERIMENTS

    return len(EXPERIMENTS), ((experiment.name, experiment.results()) for experiment in EXPERIMENTS)


def text_of(results: dict[str, list[Result]]) -> str:
    """A table with one line for each case, by group, and a summary of the number of failures."""
    every = [result for found in results.values() for result in found]
    width = max((len(result.case.name) for result in every), default=0)
    heading = f"{'value':>18} {'expected':>18} {'error':>10} {'tolerance':>10}"
    lines = []
    for group, found in results.items():
        lines += [f"{group:{width + 2}} {heading}", *(_line(result, width) for result in found), ""]
    off = sum(not result.passed for result in every)
    verdict = f"{off} of them off" if off else "all within their tolerances"
    return "\n".join([*lines, f"{len(every)} cases, {verdict}"])


def _line(result: Result, width: int) -> str:
    """One line: name, value, expected value, error, tolerance, verdict and unit."""
    case = result.case
    numbers = f"{result.value:18.12g} {case.expected:18.12g} {result.error:10.1e} {case.tolerance:10.1e}"
    return f"  {case.name:{width}} {numbers}  {'ok ' if result.passed else 'OFF'} {case.unit}".rstrip()


def json_of(results: dict[str, list[Result]]) -> str:
    """The results as JSON with full precision; values that are not finite become null."""
    rows = [
        {
            "group": group,
            "case": result.case.name,
            "value": _number(result.value),
            "expected": float(result.case.expected),
            "error": _number(result.error),
            "tolerance": result.case.tolerance,
            "unit": result.case.unit,
            "reason": result.case.reason,
            "passed": result.passed,
        }
        for group, found in results.items()
        for result in found
    ]
    return json.dumps(rows, indent=2)


def _number(value: float) -> float | None:
    """The value, or None if it is NaN or infinite, which JSON cannot represent."""
    return value if math.isfinite(value) else None
