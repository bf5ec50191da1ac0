"""Outcomes that have runners of their own, by their kind in the scene file."""

from __future__ import annotations

from core.engine.compile import CompiledScene
from core.scene.problem import Problem
from core.scene.variants.sweep import SweepSettings
from core.sweep.quantities.lyapunov import LyapunovRunner, check_exponents, exponents_of
from core.sweep.quantities.results import QuantityRunner
from core.sweep.quantities.section import SectionRunner, check_section


def quantity_runner(built: CompiledScene, sweep: SweepSettings) -> QuantityRunner:
    """A runner for cells of a compiled scene, for outcomes that have a width."""
    return LyapunovRunner(built, sweep) if sweep.outcome.kind == "lyapunov" else SectionRunner(built, sweep)


def width_of(built: CompiledScene, sweep: SweepSettings) -> int | None:
    """How many numbers each cell has besides its value; None for outcomes without a runner of their own."""
    if sweep.outcome.kind == "lyapunov":
        return exponents_of(built, sweep)
    return sweep.outcome.points if sweep.outcome.kind == "section" else None


def problems_of(built: CompiledScene, sweep: SweepSettings, where: str) -> list[Problem]:
    """Problems of outcomes that have runners of their own; `where` is the place of the sweep."""
    if sweep.outcome.kind == "lyapunov":
        return check_exponents(built, sweep, where)
    return check_section(built, sweep, where) if sweep.outcome.kind == "section" else []
