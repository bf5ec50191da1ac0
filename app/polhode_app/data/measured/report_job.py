"""Writes the report of a fit, as work for a background thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from polhode.fitting.inference.prediction import Prediction, prediction
from polhode.fitting.profile import ProfileCurve
from polhode.fitting.result import FitResult
from polhode.scene.problem import InputError
from polhode_app.data.measured.compared_model import ComparedModel


def band_of(found: FitResult, progress: Callable[[int], None] = lambda _rows: None) -> Prediction | None:
    """Where a repeated run is expected; None for a fit in segments, and if the run does not reach the last row.

    progress: called before each run with its number of rows, may raise to end the prediction
    """
    if found.runs is not None:
        return None
    try:
        return prediction(found, progress=progress)
    except InputError:
        return None


def report_fit(
    found: FitResult,
    source: str,
    data: str,
    out: Path,
    profiles: Sequence[ProfileCurve] = (),
    others: Sequence[ComparedModel] = (),
) -> Path | OSError:
    """Write the report of a fit of the scene `source` to the file `data`; its path, or why it can't be written."""
    # Imported here, because it loads matplotlib, which no event of the window may wait for.
    from polhode_app.data.measured.fit_report import write_report

    try:
        write_report(found, source, data, out, profiles, others, band_of(found))
    except OSError as error:
        return error
    return out
