"""Checks of the measured inputs of a scene: their data, units and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import inf
from typing import NamedTuple

from polhode.data.inputs import notes_of, span, unit_of
from polhode.physics.bodies.description import FormulaMotion
from polhode.scene.fields import FieldPath, at, written
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message
from polhode.scene.parts_within import parts_within
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode.scene.quantity import exponents
from polhode.scene.scene import Scene
from polhode.scene.variants.input_units import units_of_input


class DataEnd(NamedTuple):
    """When the first measured input ends whose last value is not held."""

    time: float  # [s]; infinite without one
    place: str  # of the input in the scene


NO_END = DataEnd(inf, "")


def measured_inputs(scene: Scene) -> Iterator[tuple[FieldPath, MeasuredInput]]:
    """Paths and measured inputs of a scene."""
    return parts_within(scene, (MeasuredInput,))


def measured_input_problems(scene: Scene) -> list[Problem]:
    """Problems of the measured inputs of a scene: data that can't be read, units that do not fit, times."""
    problems = []
    for path, source in measured_inputs(scene):
        try:
            _check(scene, path, source)
        except InvalidValue as error:
            problems.append(error.problem.at(written(path)))
    return problems


def measured_input_notes(scene: Scene) -> list[Message]:
    """Notes of the files of a scene's measured inputs, each once: gaps, columns of the same name, times without a unit.

    None of inputs whose data can't be read, which `measured_input_problems` lists.
    """
    found: dict[Message, None] = {}
    for _, source in measured_inputs(scene):
        with suppress(InvalidValue):
            found |= dict.fromkeys(notes_of(source, scene.folder))
    return list(found)


def end_of_data(scene: Scene) -> DataEnd:
    """The end of the first measured input that ends. Raises InputError where data can't be read."""
    ends = []
    for path, source in measured_inputs(scene):
        try:
            ends.append(DataEnd(span(source, scene.folder)[1], written(path)))
        except InvalidValue as error:
            raise InputError(scene.title or "scene", [error.problem.at(written(path))]) from None
    return min(ends, default=NO_END)


def check_until(scene: Scene, end: DataEnd, until: float, varied: Iterable[str] = ()) -> None:
    """Raise InputError where a run up to `until` [s] is longer than the measured data of an input.

    end: of the compiled scene; varied: paths of numbers that change from run to run: a delay needs data that are held
    """
    for path, source in measured_inputs(scene):
        if source.outside == "refuse" and (delay := f"{written(path)}.delay") in varied:
            rule = Message("varies, but outside of its times the data are refused")
            raise InputError.of(scene.title or "scene", rule, Message('take outside = "hold"'), delay)
    if until > end.time * (1.0 + 1e-9):
        rule = Message("its data end at {end:.6g} s, but the run at {until:.6g} s", end=end.time, until=until)
        remedy = Message('run up to {end:.6g} s, or hold their last value: outside = "hold"', end=end.time)
        raise InputError.of(scene.title or "scene", rule, remedy, end.place)


def _check(scene: Scene, path: FieldPath, source: MeasuredInput) -> None:
    """Raise InvalidValue for data that do not suit the field at a path."""
    units, unit = units_of_input(scene, path), unit_of(source, scene.folder)
    if unit and units and not any(_agree(unit, other) for other in units):
        allowed = " / ".join(units)
        rule = Message("'{column}' is in {unit}, not in {units}", column=source.column, unit=unit, units=allowed)
        raise InvalidValue(rule, Message("name another column, or state its unit"), "unit")
    first, last = span(source, scene.folder)
    if not first <= 0.0 <= last:
        rule = Message(
            "has values from t = {first:.6g} s to {last:.6g} s, but the run begins at 0", first=first, last=last
        )
        raise InvalidValue(rule, Message('change delay, or take outside = "hold"'), "delay")
    if source.interpolation == "linear" and isinstance(at(scene, path[:-1]), FormulaMotion):
        rule = Message("moves a body with jumps of its velocity")
        raise InvalidValue(rule, Message('take interpolation = "cubic"'), "interpolation")


def _agree(one: str, other: str) -> bool:
    """Whether two SI units are of the same quantity; one that is not known agrees with none."""
    try:
        return exponents(one) == exponents(other)
    except KeyError:
        return False
