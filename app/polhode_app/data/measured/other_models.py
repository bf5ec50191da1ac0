"""Section of a report that compares a fit with other models of the same data."""

from __future__ import annotations

from collections.abc import Sequence

from polhode.fitting.inference.comparison import Comparison
from polhode.scene.message import Message
from polhode_app.data.measured.content import ReportSection, ReportTable
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.translation import translate

HEADS = (
    Message("Unknowns of the other model"),
    Message("AICc less that of this model"),
    Message("F"),
    Message("Probability"),
    Message("Better model"),
    Message("They separate most"),
)
RULE = Message(
    "A model with more unknowns is the better one if F is improbable without them (below 0.05); of models that are not "
    "nested, the one with the smaller AICc."
)


def other_models(others: Sequence[Comparison]) -> tuple[ReportSection, ...]:
    """A row for each other model; nothing without one."""
    if not others:
        return ()
    table = ReportTable(tuple(map(translate, HEADS)), tuple(map(_row, others)))
    return (ReportSection(translate(Message("Other models")), translate(RULE), table),)


def _row(found: Comparison) -> tuple[str, ...]:
    where = Message(
        "{quantity}, t = {time:.6g} s, {parts:.3g} rms",
        quantity=quantity(found.quantity),
        time=found.time,
        parts=found.separation,
    )
    return (
        str(found.unknowns[0]),
        f"{found.aicc[0] - found.aicc[1]:+.4g}",
        f"{found.f:.4g}" if found.is_nested else "–",
        f"{found.probability:.3g}" if found.is_nested else "–",
        translate(Message("this one") if found.prefers_second else Message("the other one")),
        translate(where),
    )
