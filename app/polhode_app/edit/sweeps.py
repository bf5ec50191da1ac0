"""Sweeps of a scene as the window edits them: new ones, axes that are added, replaced and removed. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.paths.bead import Bead
from polhode.physics.points.description import Particle
from polhode.scene.fields import FieldPath, at, form_at, parse_path, with_value, written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene
from polhode.scene.uncertain import Uncertain
from polhode.scene.variants.outcome import Outcome
from polhode.scene.variants.sweep import MOST_AXES, Axis, Draws, SweepSettings
from polhode.sweep.axis_parameters import NOT_VARIED
from polhode.sweep.losses import loses_energy
from polhode_app.edit.parts import free_name

ALONE, TOGETHER, DEEP = 256, 96, 24  # values of an axis, by the number of axes
UNTIL = 20.0  # [s]
TILT_RANGE, SPIN_RANGE = 0.6, 5.0  # [rad], [rad/s] on either side


def varied_by(scene: Scene, path: FieldPath) -> tuple[str, ...]:
    """Paths of the numbers that the field at `path` offers to an axis, none of a field without numbers.

    A vector offers its components, and the orientation of a body its tilts.
    """
    if path[:1] == ("body",) and path[2:3] == ("orientation",):
        if scene.body[int(path[1])].support in ("fixed", "driven"):
            return ()
        return tuple(f"body[{path[1]}].tilt[{k}]" for k in range(3))
    if not path or path[0] in NOT_VARIED:
        return ()
    try:
        form, value = form_at(scene, path), at(scene, path)
    except LookupError:
        return ()
    if isinstance(value, tuple) and form.kind in ("numbers", "wholes", "formulas", "number_or_list"):
        return tuple(written((*path, k)) for k, each in enumerate(value) if isinstance(each, int | float))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (written(path),) if is_number and form.kind in ("number", "whole", "number_or_list") else ()


def usual_axis(scene: Scene, parameter: str, count: int) -> Axis:
    """An axis with a range about the value that the scene states."""
    if ".tilt[" in parameter:
        return Axis(parameter=parameter, range=(-TILT_RANGE, TILT_RANGE), count=count)
    path = parse_path(parameter)
    form, value = form_at(scene, path), float(at(scene, path))
    half = max(SPIN_RANGE, 1.5 * abs(value)) if form.unit == "rad/s" else 0.5 * abs(value) or 1.0
    middle = 0.0 if form.unit == "rad/s" else value
    low, high = max(middle - half, form.low), min(middle + half, form.high)
    if form.beyond and low == form.low:
        low = form.low + 0.01 * (high - form.low)
    if form.kind == "whole":
        low, high = round(low), max(round(high), round(low) + 1)
        count = min(count, high - low + 1)
    return Axis(parameter=parameter, range=(float(low), float(high)), count=max(count, 2))


def new_sweep(scene: Scene, parameter: str, quantities: Sequence[str] = ()) -> SweepSettings:
    """A sweep over one number: of where runs come to rest, or of the largest value of what moves where none does.

    quantities: columns of the table of the scene. Raises InputError.
    """
    name, axes = free_name([each.name for each in scene.sweep], "map"), (usual_axis(scene, parameter, ALONE),)
    if loses_energy(scene) or not quantities:
        return SweepSettings(name=name, until=UNTIL, axes=axes)
    outcome = Outcome(kind="extreme", quantity=moving_quantity(scene, quantities, parameter))
    return SweepSettings(name=name, until=UNTIL, axes=axes, outcome=outcome)


def moving_quantity(scene: Scene, quantities: Sequence[str], parameter: str = "") -> str:
    """The column that shows the motion of an item: the one that `parameter` belongs to, or the first that moves.

    A body on an axle or a pivot turns, so its position is constant. quantities: columns of the table, of which the
    first is returned if nothing moves.
    """
    moving = [item for item in (*scene.body, *scene.sphere, *scene.bead, *scene.particle) if _moves(item)]
    path = parse_path(parameter.replace(".tilt[", ".position[")) if parameter else ()
    own = [item for item in moving if len(path) > 1 and item is at(scene, path[:2])]
    for item in (*own, *moving):
        if (found := f"{item.name}.{_motion_of(item)}") in quantities:
            return found
    return quantities[0]


def _moves(item: Body | SolidSphere | Bead | Particle) -> bool:
    return getattr(item, "support", "free") not in ("fixed", "driven") and not getattr(item, "fixed", False)


def _motion_of(item: Body | SolidSphere | Bead | Particle) -> str:
    """The quantity of an item in which its motion is seen, along the axis about which or along which it is largest."""
    if isinstance(item, Bead):
        return "parameter"
    if isinstance(item, Body) and item.support in ("axle", "pivot"):
        about = item.axis if item.support == "axle" else item.orientation.axis
        spin = np.abs(about if about is not None else item.angular_velocity)
        return f"angular_velocity.{'xyz'[int(spin.argmax())] if spin.any() else 'y'}"
    speed = np.abs(item.velocity)
    return f"position.{'xyz'[int(speed.argmax())] if speed.any() else 'z'}"


def with_sweep(scene: Scene, number: int, settings: SweepSettings | None) -> Scene:
    """The scene with other settings of a sweep, appended for `number` = their count; without it for None.

    Raises InputError for settings that break a rule.
    """
    table = () if settings is None else (settings.model_dump(),)  # a table is checked, and a part that is given is not
    return with_value(scene, ("sweep",), scene.sweep[:number] + table + scene.sweep[number + 1 :])


def with_axis(scene: Scene, settings: SweepSettings, parameter: str, number: int | None) -> SweepSettings:
    """The settings with an axis over `parameter`: in place of axis `number`, or as one more.

    Counts of axes are adapted to their number, unless they were changed. Raises InputError for too many axes.
    """
    axes = list(settings.axes)
    if parameter in [axis.parameter for axis in axes]:
        rule = Message("two axes vary the same number")
        raise _refusal(settings, rule, Message("choose another one"))
    if number is not None and number < len(axes):
        axes[number] = usual_axis(scene, parameter, axes[number].count or ALONE)
    elif len(axes) >= MOST_AXES:
        rule = Message("has {count} axes already, the maximum", count=len(axes))
        raise _refusal(settings, rule, Message("drop it on the axis to replace"))
    else:
        before, after = _usual_count(len(axes)), _usual_count(len(axes) + 1)
        axes = [axis.model_copy(update={"count": after}) if axis.count == before else axis for axis in axes]
        axes.append(usual_axis(scene, parameter, after))
    return settings.model_copy(update={"axes": tuple(axes)})


def without_axis(settings: SweepSettings, number: int) -> SweepSettings:
    """The settings without an axis; the last one stays."""
    axes = tuple(axis for k, axis in enumerate(settings.axes) if k != number)
    return settings.model_copy(update={"axes": axes or settings.axes})


def with_draws(scene: Scene, axis: Axis, on: bool) -> Axis:
    """The axis with random draws about the stated value in place of its range, or the other way round."""
    if on == (axis.draws is not None):
        return axis
    if axis.range is None:
        return usual_axis(scene, axis.parameter, TOGETHER)
    made = stated_draws(scene, Axis(parameter=axis.parameter, draws=Draws(count=1000)))
    if made.draws is not None and made.draws.deviation is not None:
        return made
    return Axis(parameter=axis.parameter, draws=Draws(deviation=abs(axis.range[1] - axis.range[0]) / 4, count=1000))


def stated_draws(scene: Scene, axis: Axis) -> Axis:
    """The axis with deviation and distribution that the scene states, where its draws take these."""
    draws = axis.draws
    if draws is None or draws.deviation is not None:
        return axis
    with suppress(LookupError, ValueError):
        found = at(scene, parse_path(axis.parameter))
        if isinstance(found, Uncertain) and found.deviation > 0.0:
            taken = {"deviation": found.deviation, "distribution": found.distribution}
            return axis.model_copy(update={"draws": draws.model_copy(update=taken)})
    return axis


def _usual_count(axes: int) -> int:
    return (ALONE, TOGETHER, DEEP)[axes - 1]


def _refusal(settings: SweepSettings, rule: Message, remedy: Message) -> InputError:
    return InputError(settings.name, [Problem("axes", rule, remedy)])
