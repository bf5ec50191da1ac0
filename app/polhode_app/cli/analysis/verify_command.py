"""`polhode verify`: analytic cases."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode_app.cli.console import progress, say
from polhode_app.cli.exit_status import CHECK_FAILED, DONE
from polhode_app.cli.interrupts import INTERRUPTED


def verify(*, as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False) -> int:
    """Compare analytic test cases with closed-form solutions; the exit status is 1 if one fails."""
    from polhode.verification import GROUPS
    from polhode_app.cli import verification_report

    results = []
    try:
        with progress("verify", sum(map(len, GROUPS.values()))) as listener:
            for case in [case for cases in GROUPS.values() for case in cases]:
                results.append(case.run())
                listener(len(results))
    except KeyboardInterrupt:
        print(verification_report.as_json(results) if as_json else verification_report.as_text(results))
        say(Message("Stopped. The other cases have not run."))
        return INTERRUPTED
    print(verification_report.as_json(results) if as_json else verification_report.as_text(results))
    return DONE if all(result.passed for result in results) else CHECK_FAILED
