"""Runs of lessons in pages: what a page writes makes the numbers of the compiled scene of a variant and its values."""

from __future__ import annotations

import numpy as np
import pytest
from page_student import RUN, scene

from polhode.lessons.variants import VARIANTS, varied_scene
from polhode.mesh.mesh import Meshes
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.lesson_changes import (
    LAYOUT,
    TOGETHER,
    ZERO,
    LessonScenes,
    RunChanges,
    changes_of,
    fields_of,
    written,
)
from polhode_app.export.web.live.lesson_data import LessonTables, scale_of
from polhode_app.export.web.live.pull import pullable_image

TILT, DENSITY, GRAVITY = "body[0].tilt[1]", "body[0].shape[0].density", "world.gravity[2]"
LENGTH = "body[0].shape[0].size[2]"


def with_lesson(run: tuple[str, ...], vary: dict[str, tuple[float, float]], **more: object) -> Scene:
    """The scene with a lesson of one run."""
    lesson = Lesson(title="Run", vary=vary, step=(LessonStep(run=run, **more),))
    return scene().model_copy(update={"lesson": (lesson,)})


def scenes_of(made: Scene) -> LessonScenes:
    """Its compiled scenes."""
    image = pullable_image(Simulation(made))
    return LessonScenes(made, made.lesson[0], image, Meshes())


def check_equal(scenes: LessonScenes, changes: RunChanges, count: int) -> None:
    """Compare what a page writes with compiled scenes, at random variants and positions, and at the last ones."""
    counts = (scenes.variants, *(len(each.values) for each in changes.fields))
    random = np.random.default_rng(5)
    last = tuple(each - 1 for each in counts)
    for index in [last, *(tuple(random.integers(0, counts).tolist()) for _ in range(count))]:
        values = {
            each.path: each.values[at] for each, at in zip(changes.fields, index[1:], strict=True) if not each.reason
        }
        varied = varied_scene(scenes.scene, scenes.lesson, index[0])
        compiled = pullable_image(Simulation(varied.with_values(values)))
        assert written(scenes.image, counts, changes.groups, index) == compiled.content, index


@pytest.mark.nightly
def test_a_slider_beyond_a_variant_makes_the_scene_of_both() -> None:
    """The density changes momenta of the start, which the tilt changes as well."""
    made = with_lesson((TILT,), {GRAVITY: (-11.0, -8.0)}, range={TILT: (-0.4, 0.4)})
    scenes = scenes_of(made)
    changes = changes_of(scenes, made.lesson[0].step[0])
    assert scenes.variants == VARIANTS
    assert len(changes.fields[0].values) == 11
    assert changes.fields[0].values[changes.fields[0].start] == 0.0
    axes = [group.axes for group in changes.groups]
    assert {(0,), (1,), (0, 1)} <= {*axes}  # words that depend on one of them are kept once
    check_equal(scenes, changes, 10)


def test_two_sliders_make_the_scene_of_both() -> None:
    made = with_lesson((DENSITY, LENGTH), {})
    scenes = scenes_of(made)
    changes = changes_of(scenes, made.lesson[0].step[0])
    assert {1, 2} in [set(group.axes) for group in changes.groups]
    assert 0.0 not in changes.fields[0].values  # the scene refuses it
    check_equal(scenes, changes, 6)


@pytest.mark.nightly
def test_many_combinations_have_fewer_positions_and_the_last_numbers_are_fixed() -> None:
    more = ("body[0].shape[0].size[0]", "body[0].shape[0].size[1]")
    made = with_lesson((TILT, DENSITY, LENGTH, *more), {GRAVITY: (-11.0, -8.0)}, range={TILT: (-0.4, 0.4)})
    scenes = scenes_of(made)
    changes = changes_of(scenes, made.lesson[0].step[0])
    assert TOGETHER in [each.reason for each in changes.fields]
    assert changes.fields[0].reason == ""
    check_equal(scenes, changes, 10)


def test_numbers_that_a_page_cannot_change_say_why() -> None:
    made = with_lesson(("body[0].angular_velocity[0]", TILT, "solver.time_step"), {})
    changes = changes_of(scenes_of(made), made.lesson[0].step[0])
    assert [each.reason for each in changes.fields] == [ZERO, ZERO, LAYOUT]
    assert [len(each.values) for each in changes.fields] == [1, 1, 1]


def test_positions_have_the_start_value_and_the_ends() -> None:
    made = with_lesson((DENSITY, GRAVITY), {}, range={DENSITY: (100.0, 1900.0)})
    density, gravity = fields_of(made, made.lesson[0], made.lesson[0].step[0])
    assert (density.values[0], density.values[-1], len(density.values)) == (100.0, 1900.0, 11)
    assert density.values[density.start] == 1000.0
    assert gravity.values[gravity.start] == made.world.gravity[2]
    assert (gravity.values[0], gravity.values[-1]) == (2 * made.world.gravity[2], 0.0)
    assert density.thinned(4).values[density.thinned(4).start] == 1000.0


def test_a_lesson_whose_variants_have_another_layout_is_left_out() -> None:
    made = with_lesson((), {"solver.time_step": (1e-3, 2e-3)})
    simulation = Simulation(made)
    tables = LessonTables(simulation, pullable_image(Simulation(made)), Meshes(), Blob())
    assert tables.table({}, lambda: None) is None
    assert [note.values for note in tables.notes] == [{"titles": "Run"}]


def test_steps_are_those_of_the_library() -> None:
    made = scene().model_copy(update={"lesson": (scene().lesson[0].model_copy(update={"vary": {}}),)})
    simulation = Simulation(made)
    tables = LessonTables(simulation, pullable_image(Simulation(made)), Meshes(), Blob())
    (lesson,) = tables.table({"bob.u3.z": (-1.0, 0.5)}, lambda: None)["lessons"]
    run = lesson["steps"][RUN]["run"]
    assert (run["steps"], run["stride"], run["checkpoints"][0], run["checkpoints"][-1]) == (2000, 2, 0, 2000)
    assert lesson["steps"][3]["scale"] == [-1.75, 1.25]


def test_the_axis_of_a_drawn_curve_has_zero_and_a_margin() -> None:
    assert scale_of(0.0, 0.0) == (-1.0, 1.0)
    assert scale_of(1.0, 2.0) == (-1.0, 3.0)
