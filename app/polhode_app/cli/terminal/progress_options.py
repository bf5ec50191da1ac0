"""Options of the commands that take long: how much they print about their progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

USUAL, VERBOSE = 10.0, 1.0  # [s] least wall time between two lines of progress


@Parameter(name="*")
@dataclass(frozen=True)
class ProgressOptions:
    """Progress on a terminal is a bar, elsewhere lines on stderr."""

    quiet: Annotated[bool, Parameter(negative="", help="Print no progress.")] = False
    verbose: Annotated[bool, Parameter(negative="", help="Print progress every second, and what is compiled.")] = False

    @property
    def every(self) -> float:
        """Least time [s] between two lines of progress."""
        return VERBOSE if self.verbose else USUAL


DEFAULT = ProgressOptions()
