"""The unknowns of a fit as the window keeps them: by name with their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, nan

from polhode.fitting.unknowns import SENSOR, TIME_OFFSET, TIME_SCALE
from polhode.fitting.unstated import unstated
from polhode.scene.fields import Form, at
from polhode.scene.problem import InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import number_at
from polhode.sweep.axis_parameters import axis_parameters
from polhode_app.data.measured.measured_layer import MeasuredLayer
from polhode_app.data.measured.unknown_names import title_of

Shown = dict[str, tuple[str, float, str, tuple[float, float]]]


class UnknownList:
    """Names of unknowns, in order, with their bounds [SI]."""

    def __init__(self) -> None:
        self.bounds: dict[str, tuple[float, float]] = {}

    def free(self, name: str) -> None:
        """Add an unknown."""
        self.bounds.setdefault(name, (-inf, inf))

    def keep(self, name: str) -> None:
        """Remove an unknown."""
        self.bounds.pop(name, None)

    def bound(self, name: str, low: float, high: float) -> None:
        """Set bounds."""
        if name in self.bounds:
            self.bounds[name] = (low, high)

    def keep_known(self, scene: Scene, layer: MeasuredLayer) -> None:
        """Drop unknowns that scene and data do not have any more."""
        known = self.shown(scene, layer)
        self.bounds = {name: each for name, each in self.bounds.items() if name in known}

    def shown(self, scene: Scene, layer: MeasuredLayer | None) -> Shown:
        """Title, value, unit and bounds of each unknown that scene or data have."""
        found: Shown = {}
        for name, bounds in self.bounds.items():
            state = _state(scene, layer, name)
            if state is not None:
                found[name] = (title_of(scene, name), *state, bounds)
        return found

    def offered(self, scene: Scene, layer: MeasuredLayer | None) -> Iterator[tuple[str, Form, float]]:
        """Path, form and value of all numbers that can be unknown; nan if the scene does not state it."""
        names = [TIME_OFFSET, TIME_SCALE]
        for column in layer.mapping if layer is not None else ():
            names += [f"data.{column}.offset", f"data.{column}.scale"]
        for name in names if layer is not None else ():
            state = _state(scene, layer, name)
            if state is not None:
                yield name, Form("number", state[1]), state[0]
        yield from (each for each in axis_parameters(scene) if each[1].kind == "number")
        yield from ((name, form, nan) for name, form in unstated(scene))


def _state(scene: Scene, layer: MeasuredLayer | None, name: str) -> tuple[float, str] | None:
    """Value and unit of a number of the scene or of the data, nan of one left out; None where it is none."""
    if name in (TIME_OFFSET, TIME_SCALE) or SENSOR.fullmatch(name):
        if layer is None:
            return None
        of_column = SENSOR.fullmatch(name)
        if of_column is not None and of_column[1] not in layer.mapping:
            return None
        usual = 1.0 if name.endswith("scale") else 0.0
        unit = "s" if name == TIME_OFFSET else ""
        if of_column is not None and of_column[2] == "offset":
            unit = layer.data.column(of_column[1]).unit
        return layer.stated.get(name, usual), unit
    left_out = dict(unstated(scene))
    if name in left_out:
        return nan, left_out[name].unit
    try:
        path, unit = number_at(scene, name)
    except InvalidValue:
        return None
    return (0.0 if "tilt" in path else float(at(scene, path))), unit
