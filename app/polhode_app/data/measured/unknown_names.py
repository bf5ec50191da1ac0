"""Display names of the unknowns of a fit, in the current language. No Qt."""

from __future__ import annotations

import re

from polhode.fitting.result import FitResult
from polhode.fitting.unknowns import SENSOR, TIME_OFFSET, TIME_SCALE
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.language import tr
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate

OF_RUN = re.compile(r"run\[(\d+)\]\.(.+)")
"""Name of an unknown of a further run (core/polhode/fitting/several.py)."""


def title_of(scene: Scene, name: str) -> str:
    """Display name of an unknown."""
    if (run := OF_RUN.fullmatch(name)) is not None:
        return tr("Run {number}: {name}").format(number=int(run[1]) + 1, name=title_of(scene, run[2]))
    if name == TIME_OFFSET:
        return tr("Time offset of the data")
    if name == TIME_SCALE:
        return tr("Time scale of the data")
    if (found := SENSOR.fullmatch(name)) is not None:
        text = tr("Scale of '{column}'") if found[2] == "scale" else tr("Offset of '{column}'")
        return text.format(column=found[1])
    return parameter_name(scene, name)


def notes_of(found: FitResult) -> list[str]:
    """The notes on a fit, with the display names of unknowns and quantities."""
    texts = []
    for note in found.notes:
        values = dict(note.values)
        if "name" in values:
            values["name"] = title_of(found.scene, str(values["name"]))
        if "quantity" in values:
            values["quantity"] = quantity(str(values["quantity"]))
        texts.append(translate(Message(note.template, note.plural, **values)))
    return texts
