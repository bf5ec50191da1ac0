"""Built-in lessons: each step works at all values that a student may set, and the numbers are those of the theory."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import asin, isfinite, isnan, pi, radians, sin, sqrt

import numpy as np
import pytest
from lesson_steps import OWN_PERIOD, ROUTES, Route, as_asked, gone_through, opened, samples
from sampling import sampled
from scipy.special import ellipk

from polhode import Simulation, columns, read_scene
from polhode.lessons.variants import VARIANTS, varied_values
from polhode.scene import gallery
from polhode.scene.display.lesson import LessonStep

SLOW = ("bicycle_wheel", "magnet_over_compass", "rolling_race")  # their kernels take longest to compile
FAST = [pytest.param(name, marks=pytest.mark.nightly) if name in SLOW else name for name in ROUTES]
ALL = sampled([(name, variant) for variant in range(VARIANTS) for name in ROUTES], 37)


def test_twelve_built_in_scenes_have_a_lesson() -> None:
    scenes = {name: read_scene(name) for name in gallery.scene_names()}
    assert {name for name, scene in scenes.items() if scene.lesson} == set(ROUTES)
    titles = Counter(lesson.title for scene in scenes.values() for lesson in scene.lesson)
    assert len(titles) == 12
    assert max(titles.values()) == 1


@pytest.mark.parametrize("name", ROUTES)
def test_a_lesson_fits_in_forty_lines_and_twelve_steps(name: str) -> None:
    text = gallery.path(name).read_text("utf-8")
    assert len(re.search(r"\[\[lesson\]\].*", text, re.DOTALL)[0].strip().splitlines()) <= 40
    lesson = read_scene(name).lesson[0]
    kinds = [step.kind for step in lesson.step]
    assert 6 <= len(kinds) <= 12
    assert {"predict", "run", "measure", "explain"} <= set(kinds)
    assert kinds[-1] == "explain"
    assert kinds.index("predict") < kinds.index("compare" if "compare" in kinds else "check")


@pytest.mark.parametrize("name", ROUTES)
def test_texts_of_lessons_are_on_one_line(name: str) -> None:
    """They are looked up in the catalogues as they are."""
    for step in read_scene(name).lesson[0].step:
        for text in (step.text, step.ask, *step.choices, step.explain or ""):
            assert text == " ".join(text.split())


@pytest.mark.parametrize("name", FAST)
def test_what_a_lesson_measures_is_a_column(name: str) -> None:
    scene = read_scene(name)
    assert {step.of for step in scene.lesson[0].step if step.of} <= columns(scene).keys()


@pytest.mark.parametrize("name", ROUTES)
def test_names_of_students_make_different_numbers(name: str) -> None:
    """Of 16 variants at least nine have values of their own."""
    lesson = read_scene(name).lesson[0]
    made = {tuple(varied_values(lesson, variant).values()) for variant in range(VARIANTS)}
    assert len(made) > 8 or not lesson.vary


def check_route(name: str, variant: int) -> None:
    """Each measurement exists, runs select the true choices, right answers pass the checks and wrong ones do not."""
    scene, lesson = opened(name, variant)
    route = ROUTES[name]
    walk = gone_through(scene, lesson, route, as_asked(scene, route))
    assert all(isfinite(value) for value in walk.measurements.values()), walk.measurements
    assert {number: choice for number, choice in walk.tried if number in route.choices} == dict(route.choices)
    assert walk.differences.keys() == route.checks.keys()
    for number, (difference, allowed) in walk.differences.items():
        assert abs(difference) <= allowed, (number, difference, allowed)
        assert lesson.step[number].check.tolerance <= 0.15


@pytest.mark.parametrize("name", FAST)
def test_a_lesson_works_as_its_texts_say(name: str) -> None:
    check_route(name, 0)


@pytest.mark.parametrize(("name", "variant"), ALL)
def test_a_lesson_works_for_every_variant(name: str, variant: int) -> None:
    check_route(name, variant)


def at(step: LessonStep, share: float) -> dict[str, float]:
    """Values of the fields of a run at a part of their ranges."""
    return {path: low + share * (high - low) for path, (low, high) in step.range.items()}


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", FAST)
def test_a_lesson_works_at_all_values_that_may_be_set(name: str, share: float) -> None:
    """Each measurement exists; but gliders that start at rest in their middles do not move, and have no period."""
    scene, lesson = opened(name, 3)
    assert all(set(step.range) == set(step.run or ()) for step in lesson.step)
    walk = gone_through(scene, lesson, Route(), lambda number: at(lesson.step[number], share))
    missing = [number for number, value in walk.measurements.items() if isnan(value)]
    assert missing == ([8] if (name, share) == ("three_gliders", 0.5) else [])


# Closed forms


def walked(name: str, variant: int = 5) -> tuple[object, dict[int, float]]:
    """The scene of a variant and its measurements, as the texts of the lesson say."""
    scene, lesson = opened(name, variant)
    return scene, gone_through(scene, lesson, ROUTES[name], as_asked(scene, ROUTES[name])).measurements


def agm(first: float, second: float) -> float:
    """Arithmetic-geometric mean."""
    while abs(first - second) > 1e-15 * first:
        first, second = 0.5 * (first + second), sqrt(first * second)
    return first


def test_periods_of_large_swings_are_those_of_the_mean_of_gauss() -> None:
    """T = T0/agm(1, cos(a/2)); lines between samples of 12 ms are within 1e-3 of the crossings, over many periods."""
    scene, found = walked("large_swings")
    bodies = Simulation(scene).compiled.model.bodies
    inertia, moment = bodies.inertia[0][1, 1], -bodies.mass[0] * bodies.center[0][2]
    period = 2.0 * pi * sqrt(inertia / (moment * -scene.world.gravity[2]))
    swing = {angle: 1.0 / agm(1.0, np.cos(angle / 2.0)) for angle in (0.2, 1.57, 3.0)}
    assert swing[3.0] == pytest.approx(2.0 / pi * ellipk(sin(1.5) ** 2), rel=1e-12)
    assert found[3] == pytest.approx(period * swing[0.2], rel=1e-3)
    assert found[4] == pytest.approx(swing[3.0] / swing[0.2], rel=1e-3)
    assert found[9] == pytest.approx(swing[1.57] / swing[0.2], rel=1e-3)


def test_the_resonant_mass_swings_by_its_quality_factor() -> None:
    """sqrt(1 + Q^2) with Q = m w/c; exp(-c t/2m) is 1e-9 after 30 s, samples of 30 ms miss (w dt)^2/8 of a crest."""
    scene, found = walked("resonance")
    quality = 0.1 * 9.0 / scene.spring[1].damping
    assert found[7] == pytest.approx(sqrt(1.0 + quality**2), rel=0.01)
    assert found[2] == pytest.approx(2.0 * pi / sqrt(15.876 / 0.1 - (0.09 / 0.2) ** 2), rel=5e-3)


def test_coupled_pendulums_have_two_normal_modes() -> None:
    """w1^2 = m g l/I and w2^2 = w1^2 + 2 k d^2/I; amplitudes of 0.2 rad swing slower by a^2/16 = 0.25 %."""
    scene, found = walked("coupled_pendulums")
    bodies = Simulation(scene).compiled.model.bodies
    inertia, moment = bodies.inertia[0][1, 1], -bodies.mass[0] * bodies.center[0][2]
    slow = moment * 9.80665 / inertia
    fast = slow + 2.0 * scene.spring[0].stiffness * 0.25**2 / inertia
    assert found[5] == pytest.approx(2.0 * pi / sqrt(slow) * (1.0 + 0.2**2 / 16.0), rel=1e-3)
    assert found[7] == pytest.approx(2.0 * pi / sqrt(fast) * (1.0 + 0.2**2 / 16.0), rel=2e-3)


@pytest.mark.nightly
def test_a_wheel_on_a_string_precesses_with_its_weight_over_its_angular_momentum() -> None:
    """m g r/(J w), to 5 %: it nods and swings on its string, which adds (r/l) of the acceleration at the start."""
    scene, found = walked("bicycle_wheel")
    rates = {spin: 0.329 * -scene.world.gravity[2] / (0.0963617 * spin) for spin in (35.0, 70.0)}
    assert found[4] == pytest.approx(0.5 * pi / rates[35.0], rel=0.05)
    assert found[4] * found[8] == pytest.approx(0.5 * pi / rates[70.0], rel=0.02)


def test_a_disturbance_of_the_t_handle_grows_exponentially() -> None:
    """A tenth of it costs ln(10)/s, s = w sqrt((I3 - I2)(I2 - I1)/(I1 I3)), while it is small: here 0.5 % and less."""
    scene = read_scene("t_handle")
    one, two, three = sorted(np.diag(Simulation(scene).compiled.model.bodies.inertia[0]))
    growth = 11.0 * sqrt((three - two) * (two - one) / (one * three))
    step = scene.lesson[0].step[6]
    times = []
    for push in (-0.05, -0.005):  # about y, and nothing about x
        run = samples(scene, step, {"body[0].angular_velocity[0]": 0.0, "body[0].angular_velocity[1]": push})
        times.append(run.time[np.flatnonzero(run["handle.u1.z"] < 0.0)[0]])
    assert times[1] - times[0] == pytest.approx(np.log(10.0) / growth, rel=0.02)  # samples of 10 ms


def test_the_gliders_have_the_modes_of_a_linear_molecule() -> None:
    scene, found = walked("three_gliders")
    ratio = sqrt(1.0 + 2.0 * 0.16 / scene.particle[1].mass)
    assert found[2] < 1e-12
    assert found[4] == pytest.approx(2.0 * pi * sqrt(0.16 / 10.0), rel=1e-4)
    assert found[8] * ratio == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("variant", range(0, VARIANTS, 5))
def test_the_peg_falls_when_the_plane_has_turned_to_it(variant: int) -> None:
    """The plane turns at W (1 - 3/8 a^2); the bob is at the peg once in a swing of 1.02 s; to 2 %."""
    scene, found = walked("foucault_pendulum", variant)
    amplitude = -scene.body[0].orientation.angle
    turn = asin(0.124 / sin(amplitude)) / (scene.world.rotation[2] * (1.0 - 0.375 * amplitude**2))
    assert -0.15 < found[5] - turn < 1.02 + 0.02 * turn
    assert turn == pytest.approx(radians(30.0) / scene.world.rotation[2], rel=0.04)


@pytest.mark.nightly
def test_rolling_bodies_accelerate_by_their_shapes() -> None:
    """g sin(a)/(1 + I/(m r^2)): 2/5 for the ball, 1/2 for the cylinder, (1 + q^2)/2 for the tube."""
    scene, found = walked("rolling_race")
    pull = -scene.world.gravity[2] * sin(radians(10.0))
    path = (0.4 - scene.body[0].position[0]) / np.cos(radians(10.0))
    expected = [sqrt(2.0 * path * (1.0 + share) / pull) for share in (0.4, 0.5, 0.5 * (1.0 + 0.9**2))]
    assert found[2] == pytest.approx(expected[0], rel=2e-3)
    assert found[5] == pytest.approx(expected[1], rel=2e-3)
    assert found[2] * found[3] == pytest.approx(expected[2], rel=2e-3)


@pytest.mark.nightly
def test_the_needle_points_along_the_sum_of_both_fields() -> None:
    scene, found = walked("magnet_over_compass")
    for number, height in ((2, 0.1), (8, 0.2)):
        field = 1e-7 * scene.body[1].dipole[0].moment[0] / height**3
        assert np.tan(found[number]) == pytest.approx(field / 30e-6, rel=5e-3)


def test_the_plate_takes_all_energy_of_the_magnet() -> None:
    _, found = walked("eddy_current_brake")
    energy = (0.031 * 0.3 + 0.001 * 0.145) * 9.80665 * (1.0 - np.cos(0.4))
    assert found[8] == pytest.approx(energy / 10.0, rel=2e-3)


def test_equal_starts_end_at_one_magnet_and_near_ones_at_several() -> None:
    ends = []
    for variant in range(6):
        _, found = walked("basins_of_three_magnets", variant)
        assert found[2] == pytest.approx(0.0, abs=0.01)
        ends += [(round(found[6] / 0.21), round(found[9] / 0.21))]
    assert any(first != second for first, second in ends)
    assert len({first for first, _ in ends}) > 1
    again = walked("basins_of_three_magnets", 0)[1]
    assert again == walked("basins_of_three_magnets", 0)[1]


def test_the_model_of_an_own_pendulum_has_its_period() -> None:
    _, found = walked("pendulum_from_the_horizontal")
    assert found[1] == pytest.approx(OWN_PERIOD, rel=1e-4)
    assert found[4] == pytest.approx(1.0, abs=3e-3)
    assert found[7] == pytest.approx(OWN_PERIOD, rel=1e-3)


def test_measured_times_follow_each_other() -> None:
    """Samples of a run of a lesson: from 0 to its end, at most 2000 of them."""
    scene, lesson = opened("three_gliders", 0)
    times = samples(scene, lesson.step[1], {}).time
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(lesson.step[1].until)
    assert all(one < other for one, other in pairwise(times))
    assert 1000 <= len(times) <= 2001
