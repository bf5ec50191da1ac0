"""`polhode verify`: analytic cases."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from app.cli.console import progress, say
from app.cli.exit_status import CHECK_FAILED, DONE
from app.cli.interrupts import INTERRUPTED
from core.scene.message import Message


def verify(*, as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False) -> int:
    """Compare analytic test cases with closed-form solutions; the exit status is 1 if one fails."""
    from app.cli import verification_report
    from core.verification import GROUPS

    results = []
    try:
        with progress("verify", sum(map(len, GROUPS.values()))) as heard:
            for case in [case for cases in GROUPS.values() for case in cases]:
                results.append(case.run())
                heard(len(results))
    except KeyboardInterrupt:
        print(verification_report.as_json(results) if as_json else verification_report.as_text(results))
        say(Message("Stopped. The other cases have not run."))
        return INTERRUPTED
    print(verification_report.as_json(results) if as_json else verification_report.as_text(results))
    return DONE if all(result.passed for result in results) else CHECK_FAILED
