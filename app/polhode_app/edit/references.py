"""References in a scene whose items are removed, reordered or renamed: sweeps, lessons and circuits follow. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_

from polhode.physics.coils.description import Circuit, CircuitSource, Coil, OpenSource
from polhode.scene.display.lesson import Interval, Lesson, LessonStep
from polhode.scene.fields import FieldPath, at, parse_path, written
from polhode.scene.part import ScenePart
from polhode.scene.scene import Scene
from polhode.scene.variants.outcome import Feature, GridAxis
from polhode.scene.variants.sweep import Axis, SweepSettings

Lessons = tuple[Lesson, ...]


def followed(path: str, listed: FieldPath, order: list[int]) -> str | None:
    """The path of a field, as text, after the items of a list at `listed` were reordered; None if its item is gone."""
    try:
        where = parse_path(path)
    except ValueError:
        return path
    number = where[len(listed)] if where[: len(listed)] == listed and len(where) > len(listed) else None
    if not isinstance(number, int) or order[number : number + 1] == [number]:
        return path
    return written((*listed, order.index(number), *where[len(listed) + 1 :])) if number in order else None


def sweeps_reordered(scene: Scene, sweeps: tuple[SweepSettings, ...], listed: FieldPath, order: list[int]) -> object:
    """Sweeps after the items of a list at `listed` of `scene` were reordered by their old indices.

    An axis of an item that is gone keeps its name, as body[NAME].tilt[0], so that it says what it has lost instead of
    varying another item.
    """

    def follow(axis: Axis) -> Axis:
        path = followed(axis.parameter, listed, order)
        if path is None:
            where = parse_path(axis.parameter)
            part = at(scene, where[: len(listed) + 1])
            name = getattr(part, "name", "") or "removed"
            path = f"{written(listed)}[{name}]{written(where)[len(written(where[: len(listed) + 1])) :]}"
        return axis if path == axis.parameter else axis.model_copy(update={"parameter": path})

    return tuple(
        sweep.model_copy(update={"axes": axes}) if (axes := tuple(map(follow, sweep.axes))) != sweep.axes else sweep
        for sweep in sweeps
    )


def sweep_renamed(sweep: SweepSettings, old: str, name: str) -> SweepSettings:
    """A sweep with the new name of an item among the bodies and the columns of the table that its outcome names."""

    def column(text: str) -> str:
        return name + text[len(old) :] if text == old or text.startswith(f"{old}.") else text

    def of(part: Feature | GridAxis) -> ScenePart:
        return part.model_copy(update={"quantity": column(part.quantity)})

    outcome = sweep.outcome
    changes: dict[str, object] = {
        "near": tuple(map(column, outcome.near)),
        "of": column(outcome.of),
        "quantity": column(outcome.quantity),
        "features": tuple(map(of, outcome.features)),
        "grid": tuple(map(of, outcome.grid)),
    }
    return sweep.model_copy(update={"outcome": outcome.model_copy(update=changes)})


def lessons_reordered(lessons: Lessons, listed: FieldPath, order: list[int]) -> Lessons:
    """Lessons after the items of a list at `listed` were reordered by their old indices.

    Fields of removed items are left out. Unchanged lessons are the same objects.
    """
    return tuple(_reordered(lesson, listed, order) for lesson in lessons)


def _reordered(lesson: Lesson, listed: FieldPath, order: list[int]) -> Lesson:
    vary = _followed(lesson.vary, listed, order)
    steps = tuple(_step_reordered(step, listed, order) for step in lesson.step)
    if vary == lesson.vary and steps == lesson.step:
        return lesson
    return lesson.model_copy(update={"vary": vary, "step": steps})


def _step_reordered(step: LessonStep, listed: FieldPath, order: list[int]) -> LessonStep:
    if not step.run:
        return step
    paths = (followed(path, listed, order) for path in step.run)
    run = tuple(path for path in paths if path is not None)
    if run == step.run:
        return step
    return step.model_copy(update={"run": run, "range": _followed(step.range, listed, order)})


def _followed(ends: dict[str, Interval], listed: FieldPath, order: list[int]) -> dict[str, Interval]:
    """Intervals by the new paths of their fields."""
    paths = {path: followed(path, listed, order) for path in ends}
    return {new: ends[path] for path, new in paths.items() if new is not None}


def lessons_renamed(lessons: Lessons, old: str, name: str) -> Lessons:
    """Lessons with the new name of an item in the columns that their steps measure."""

    def renamed(step: LessonStep) -> LessonStep:
        return step.model_copy(update={"of": name + step.of[len(old) :]}) if step.of.startswith(f"{old}.") else step

    made = []
    for lesson in lessons:
        steps = tuple(map(renamed, lesson.step))
        made.append(lesson if steps == lesson.step else lesson.model_copy(update={"step": steps}))
    return tuple(made)


def rewired(scene: Scene, names: Mapping[str, str]) -> dict[str, tuple[Coil, ...] | tuple[Circuit, ...]]:
    """The lists of coils and circuits that change where others get new names.

    names: new names by the old ones, empty of what is removed: the ends of the coils of a removed circuit are open
    """
    circuits = tuple(_renamed(each, names) for each in scene.circuit)
    coils = tuple(_connected(each, names) for each in scene.coil)
    found: dict[str, tuple[Coil, ...] | tuple[Circuit, ...]] = {}
    if not all(map(is_, circuits, scene.circuit)):
        found["circuit"] = circuits
    if not all(map(is_, coils, scene.coil)):
        found["coil"] = coils
    return found


def _renamed(circuit: Circuit, names: Mapping[str, str]) -> Circuit:
    """A circuit with the new names of its coils."""
    if not names.keys() & set(circuit.members):
        return circuit
    signs = ["-" if name.startswith("-") else "" for name in circuit.coils]
    new = [(sign, names.get(name, name)) for sign, name in zip(signs, circuit.members, strict=True)]
    return circuit.model_copy(update={"coils": tuple(sign + name for sign, name in new if name)})


def _connected(coil: Coil, names: Mapping[str, str]) -> Coil:
    """A coil that is connected to the circuit by its new name, or open."""
    if not isinstance(coil.source, CircuitSource) or coil.source.circuit not in names:
        return coil
    name = names[coil.source.circuit]
    source = CircuitSource(kind="circuit", circuit=name) if name else OpenSource(kind="open")
    return coil.model_copy(update={"source": source})
