"""HTML of runs for notebooks, by the program that is installed with this library."""

from __future__ import annotations

from importlib.metadata import entry_points

GROUP = "polhode.notebook"
"""Entry points of this group take a Simulation or a RecordedRun and return HTML."""


def html_of(run: object) -> str | None:
    """HTML of a simulation or a recording for IPython and Jupyter; None where no program makes one.

    The first entry point of GROUP makes it, so that the library need not know how runs are drawn.
    """
    for entry in entry_points(group=GROUP):
        made: str = entry.load()(run)
        return made
    return None
