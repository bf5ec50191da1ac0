"""`polhode verify`: compares analytic cases with closed-form solutions."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode_app.cli.console import progress, say
from polhode_app.cli.exit_status import CHECK_FAILED, DONE
from polhode_app.cli.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from polhode.verification import Result


def verify(*, as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False) -> int:
    """Compare analytic test cases with closed-form solutions; the exit status is 1 if one fails."""
    from polhode.verification import GROUPS

    results = []
    try:
        with progress("verify", sum(map(len, GROUPS.values()))) as report:
            for case in [case for cases in GROUPS.values() for case in cases]:
                results.append(case.run())
                report(len(results))
    except KeyboardInterrupt:
        print(json_of(results) if as_json else text_of(results))
        say(Message("Stopped. The other cases have not run."))
        return INTERRUPTED
    print(json_of(results) if as_json else text_of(results))
    return DONE if all(result.passed for result in results) else CHECK_FAILED


def text_of(results: list[Result]) -> str:
    """A table with one line for each case, by group, and a summary of the number of failures."""
    from polhode.verification import GROUPS

    of_case = {result.case.name: result for result in results}
    width = max((len(result.case.name) for result in results), default=0)
    heading = f"{'value':>18} {'expected':>18} {'error':>10} {'tolerance':>10}"
    lines = []
    for group, cases in GROUPS.items():
        found = [of_case[case.name] for case in cases if case.name in of_case]
        if found:
            lines += [f"{group:{width + 2}} {heading}", *(_line(result, width) for result in found), ""]
    off = sum(not result.passed for result in results)
    verdict = f"{off} of them off" if off else "all within their tolerances"
    return "\n".join([*lines, f"{len(results)} cases, {verdict}"])


def _line(result: Result, width: int) -> str:
    """One line: name, value, expected value, error, tolerance, verdict and unit."""
    case = result.case
    numbers = f"{result.value:18.12g} {case.expected:18.12g} {result.error:10.1e} {case.tolerance:10.1e}"
    return f"  {case.name:{width}} {numbers}  {'ok ' if result.passed else 'OFF'} {case.unit}".rstrip()


def json_of(results: list[Result]) -> str:
    """The results as JSON with full precision; values that are not finite become null."""
    from polhode.verification import GROUPS

    group_of = {case.name: group for group, cases in GROUPS.items() for case in cases}
    rows = [
        {
            "group": group_of[result.case.name],
            "case": result.case.name,
            "value": _number(result.value),
            "expected": float(result.case.expected),
            "error": _number(result.error),
            "tolerance": result.case.tolerance,
            "unit": result.case.unit,
            "reason": result.case.reason,
            "passed": result.passed,
        }
        for result in results
    ]
    return json.dumps(rows, indent=2)


def _number(value: float) -> float | None:
    """The value, or None if it is NaN or infinite, which JSON cannot represent."""
    return value if math.isfinite(value) else None
