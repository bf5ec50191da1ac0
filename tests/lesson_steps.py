"""Built-in lessons gone through as their texts say: values, true choices, and the closed forms of their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import atan2, cos, nan, pi, radians, sin, sqrt
from types import MappingProxyType

import numpy as np

from polhode import Scene, Simulation, read_scene
from polhode.data.headings import factor_of
from polhode.lessons.measures import measured
from polhode.lessons.variants import varied_scene
from polhode.scene.display.lesson import Lesson, LessonStep

Values = Mapping[str, float]
OWN_PERIOD = 2.0 * pi / sqrt(9.81) * (1.0 + 0.17**2 / 16.0)  # [s] 1 m, from 0.17 rad: of a student's pendulum
SAMPLES = 1000  # of a run, besides the first and the last


@dataclass(frozen=True)
class Route:
    """How a lesson is gone through."""

    runs: Mapping[int, Callable[[Scene], Values]] = field(default_factory=dict)
    """Values [SI] that the text of a step asks for, of the scene of a variant."""
    choices: Mapping[int, int] = field(default_factory=dict)
    """True choice of a prediction."""
    checks: Mapping[int, Callable[[Scene, Mapping[int, float]], float]] = field(default_factory=dict)
    """Number that a student calculates for a check, in the unit of its step, from the scene and the measurements."""


@dataclass
class Walk:
    """Results of a lesson."""

    measurements: dict[int, float] = field(default_factory=dict)
    """SI, by the number of the step."""
    tried: list[tuple[int, int]] = field(default_factory=list)
    """Number of a prediction, and its choice that the run selects."""
    differences: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Difference of a check, and the largest one that it allows."""


def opened(name: str, variant: int) -> tuple[Scene, Lesson]:
    """The scene of a variant, and its lesson."""
    scene = read_scene(name)
    return varied_scene(scene, scene.lesson[0], variant), scene.lesson[0]


def samples(scene: Scene, step: LessonStep, values: Values) -> Simulation:
    """A run of a step, with the samples of a lesson."""
    of_run = scene.with_values(values) if values else scene
    count = max(1, round(step.until / of_run.solver.time_step))
    every = max(1, count // SAMPLES) * of_run.solver.time_step
    return Simulation(of_run).run(until=step.until, every=every)


def gone_through(scene: Scene, lesson: Lesson, route: Route, values_of: Callable[[int], Values]) -> Walk:
    """All steps of a lesson. values_of: values of the fields of the run of a step"""
    walk, run, last = Walk(), None, nan
    for number, step in enumerate(lesson.step):
        if step.kind == "run":
            run = samples(scene, step, values_of(number))
        elif step.kind == "measure":
            times = np.linspace(0.0, 20.0, 2001)
            curve = np.cos(2.0 * pi * times / OWN_PERIOD) if step.own_data else run[step.of]
            found = measured(step, times if step.own_data else run.time, np.asarray(curve))
            last = walk.measurements[number] = found / last if step.relative else found
        elif step.kind in ("compare", "check"):
            predicted = next(lesson.before(number, "predict"), None)
            if step.kind == "compare" and lesson.step[predicted].bounds:
                walk.tried.append((predicted, int(np.searchsorted(lesson.step[predicted].bounds, last, "right"))))
            if step.check is not None and number in route.checks:
                unit = step.unit if step.ask else lesson.step[predicted].unit
                number_given = route.checks[number](scene, walk.measurements) * (factor_of(unit)[0] if unit else 1.0)
                allowed = max(step.check.tolerance * abs(last), step.check.absolute)
                walk.differences[number] = (number_given - last, allowed)
    return walk


def as_asked(scene: Scene, route: Route) -> Callable[[int], Values]:
    """Values as the texts of a lesson ask for them."""
    return lambda number: route.runs[number](scene) if number in route.runs else {}


def _gravity(scene: Scene) -> float:
    return -float(scene.world.gravity[2])


def _exchange(_scene: Scene, found: Mapping[int, float]) -> float:
    return found[5] * found[7] / (2.0 * (found[5] - found[7]))


def _inner_shift(scene: Scene) -> float:
    return -2.0 * 0.16 / scene.particle[1].mass * 0.03


def _tangent(scene: Scene, _found: Mapping[int, float]) -> float:
    return float(np.degrees(atan2(1e-7 * scene.body[1].dipole[0].moment[0] / 0.2**3, 30e-6)))


def _x_rate(scene: Scene) -> float:
    return float(scene.body[0].angular_velocity[0])


def _own_pendulum(gravity: float) -> Callable[[Scene], Values]:
    return lambda _: {
        "body[0].shape[0].position[2]": -1.0,
        "body[0].orientation.angle": 0.17,
        "world.gravity[2]": -gravity,
    }


ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        "large_swings": Route(
            {7: lambda _: {"body[3].orientation.angle": 1.57}}, {1: 2}, {10: lambda *_: 1.0 + 1.57**2 / 16.0}
        ),
        "resonance": Route(
            {1: lambda _: {"body[0].motion.r2[2]": 0.0, "particle[2].position[2]": 0.3}},
            {4: 2},
            {3: lambda *_: 2.0 * pi * sqrt(0.1 / 15.9), 9: lambda scene, _: 0.1 * 9.0 / scene.spring[1].damping},
        ),
        "coupled_pendulums": Route(
            {4: lambda _: {"body[1].orientation.angle": 0.2}, 6: lambda _: {"body[1].orientation.angle": -0.2}},
            {0: 2},
            {10: _exchange},
        ),
        "bicycle_wheel": Route(
            {7: lambda _: {"body[1].angular_velocity[0]": 70.0}},
            {0: 1, 6: 2},
            {5: lambda scene, _: 0.5 * pi * 0.0964 * 35.0 / (0.329 * _gravity(scene))},
        ),
        "t_handle": Route(
            {
                6: lambda scene: {"body[0].angular_velocity[1]": scene.body[0].angular_velocity[1] / 10.0},
                9: lambda _: {f"body[0].angular_velocity[{axis}]": (11.0, 0.1, 0.0)[axis] for axis in range(3)},
            },
            {0: 0, 5: 1},
        ),
        "three_gliders": Route(
            {
                7: lambda scene: {
                    "particle[0].position[0]": -0.27,
                    "particle[1].position[0]": _inner_shift(scene),
                    "particle[2].position[0]": 0.33,
                }
            },
            {0: 0},
            {
                5: lambda *_: 2.0 * pi * sqrt(0.16 / 10.0),
                9: lambda scene, _: 1.0 / sqrt(1.0 + 2.0 * 0.16 / scene.particle[1].mass),
            },
        ),
        "foucault_pendulum": Route(
            {8: lambda scene: {"world.rotation[2]": 2.0 * scene.world.rotation[2]}},
            {0: 2, 7: 0},
            {6: lambda scene, _: radians(30.0) / scene.world.rotation[2]},
        ),
        "rolling_race": Route(
            {8: lambda _: {"body[1].shape[0].mass": 5.0}},
            {0: 2, 7: 1},
            {6: lambda scene, _: sqrt(2.0 * 1.297 / (2.0 / 3.0 * _gravity(scene) * sin(radians(10.0))))},
        ),
        "magnet_over_compass": Route({5: lambda _: {"body[1].position[2]": 0.216}}, {0: 1, 4: 0}, {9: _tangent}),
        "eddy_current_brake": Route(
            {5: lambda _: {"plate[0].conductivity": 3.5e7}},
            {0: 1, 4: 2},
            {9: lambda *_: 1e3 * 0.00945 * 9.807 * (1.0 - cos(0.4)) / 10.0},
        ),
        "basins_of_three_magnets": Route(
            {
                1: lambda _: {"body[0].angular_velocity[0]": 0.8, "body[0].angular_velocity[1]": 0.0},
                8: lambda scene: {"body[0].angular_velocity[0]": _x_rate(scene) + 0.01},
            },
            {0: 1},
        ),
        "pendulum_from_the_horizontal": Route(
            {3: _own_pendulum(4.0 * pi**2 / OWN_PERIOD**2), 6: _own_pendulum(9.81)}, {}, {8: lambda *_: OWN_PERIOD}
        ),
    }
)
"""Built-in lessons by the names of their scenes."""
