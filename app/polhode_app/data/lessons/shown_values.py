"""Measured values as steps of lessons show them. No Qt."""

from __future__ import annotations

from polhode.data.headings import factor_of
from polhode.lessons.measures import unit_of
from polhode.scene.display.lesson import LessonStep
from polhode_app.i18n.field_names import unit_text
from polhode_app.i18n.language import tr

DIGITS, OF_DIFFERENCE = 6, 3


def shown_value(value: float | None, step: LessonStep, unit: str, digits: int = DIGITS) -> str:
    """A value [SI] of a step with its unit, or that there is none.

    unit: that of the measured quantity, in SI
    """
    if value is None:
        return tr("none")
    name = step.unit or (unit_of(step, unit) if step.kind == "measure" else unit)
    size = factor_of(step.unit)[0] if step.unit else 1.0
    return f"{value / size:.{digits}g} {unit_text(name)}".rstrip()
