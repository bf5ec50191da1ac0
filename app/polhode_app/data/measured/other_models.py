"""Section of a report that compares a fit with other models of the same data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode_app.data.measured.compared_model import ComparedModel
from polhode_app.data.measured.content import ReportSection, ReportTable
from polhode_app.data.measured.unknown_names import title_of
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.translation import translate

HEADS = (
    Message("Other model"),
    Message("Its unknowns"),
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


def other_models(scene: Scene, others: Sequence[ComparedModel]) -> tuple[ReportSection, ...]:
    """A row for each other model that could be fitted; nothing without one."""
    rows = tuple(_rows(scene, others))
    if not rows:
        return ()
    table = ReportTable(tuple(map(translate, HEADS)), rows)
    return (ReportSection(translate(Message("Other models")), translate(RULE), table),)


def _rows(scene: Scene, others: Sequence[ComparedModel]) -> Iterator[tuple[str, ...]]:
    for model in others:
        if (found := model.comparison) is None:
            continue
        where = Message(
            "{quantity}, t = {time:.6g} s, {parts:.3g} rms",
            quantity=quantity(found.quantity),
            time=found.time,
            parts=found.separation,
        )
        yield (
            translate(model.name(partial(title_of, scene))),
            str(found.unknowns[0]),
            f"{found.aicc[0] - found.aicc[1]:+.4g}",
            f"{found.f:.4g}" if found.is_nested else "–",
            f"{found.probability:.3g}" if found.is_nested else "–",
            translate(Message("this one") if found.prefers_second else Message("the other one")),
            translate(where),
        )
