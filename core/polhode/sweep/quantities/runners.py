"""Outcomes that have runners of their own, by their kind in the scene file."""

from __future__ import annotations

from collections.abc import Sequence

from polhode.analysis.columns import columns
from polhode.engine.compile import CompiledScene
from polhode.scene.problem import Problem
from polhode.scene.variants.sweep import Feature, GridAxis, SweepSettings
from polhode.sweep.quantities.grouped import GroupedRunner
from polhode.sweep.quantities.lyapunov import LyapunovRunner, check_exponents, exponents_of
from polhode.sweep.quantities.recurrence import WIDTH, RecurrenceRunner
from polhode.sweep.quantities.results import QuantityRunner, unknown_column
from polhode.sweep.quantities.section import SectionRunner, check_section


def quantity_runner(built: CompiledScene, sweep: SweepSettings) -> QuantityRunner:
    """A runner for cells of a compiled scene, for outcomes that have a width."""
    if sweep.outcome.grid:
        return RecurrenceRunner(built, sweep)
    if sweep.outcome.features:
        return GroupedRunner(built, sweep)
    return LyapunovRunner(built, sweep) if sweep.outcome.kind == "lyapunov" else SectionRunner(built, sweep)


def width_of(built: CompiledScene, sweep: SweepSettings) -> int | None:
    """How many numbers each cell has besides its value; None for outcomes without a runner of their own."""
    if sweep.outcome.kind == "lyapunov":
        return exponents_of(built, sweep)
    if sweep.outcome.grid:
        return WIDTH
    if sweep.outcome.features:
        return len(sweep.outcome.features)
    return sweep.outcome.points if sweep.outcome.kind == "section" else None


def problems_of(built: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of outcomes that have runners of their own; `where` is the place of the sweep."""
    if sweep.outcome.kind == "lyapunov":
        return check_exponents(built, sweep, where)
    if sweep.outcome.kind == "section":
        return check_section(built, sweep, where)
    return [
        *_unknown(built, sweep.outcome.features, f"{where}.outcome.features"),
        *_unknown(built, sweep.outcome.grid, f"{where}.outcome.grid"),
    ]


def _unknown(built: CompiledScene, asked: Sequence[Feature | GridAxis], where: str) -> list[Problem]:
    """Problems of quantities that are no columns of the table."""
    known = list(columns(built))
    problems = (unknown_column(one.quantity, known, f"{where}[{k}].quantity") for k, one in enumerate(asked))
    return [problem for each in problems for problem in each]
