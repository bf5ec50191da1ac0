"""The story of a scene: read, checked with places, written, and kept sound by edits."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.checks.story_rules import story_problems, tried
from polhode.scene.display.story import Trial
from polhode.scene.fields import with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of, scene_schema, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.simulation.simulation import Simulation
from polhode_app.edit.parts import reordered, without
from polhode_app.session.document import Document

TEXT = """
format = 1
title = "two"
[story]
text = "Two balls."
try = [
    { label = "Push", set = { "particle[1].velocity" = [1, 0, 0], "world.gravity" = [0, 0, 0] }, restart = true },
    { label = "Show", show = ["velocities"] },
]
[[particle]]
name = "a"
mass = 1.0
[[particle]]
name = "b"
mass = 1.0
position = [1, 0, 0]
"""


def has_magnets(name: str) -> bool:
    """Whether bodies of a built-in scene are magnets."""
    bodies = read_scene(gallery.path(name)).bodies
    return any(body.dipole or any(shape.magnet for shape in body.shape) for body in bodies)


def scene(text: str = TEXT) -> Scene:
    return scene_of(tables_of(text, "story"), "story")


def test_a_story_is_read_and_written() -> None:
    read = scene()
    push, show = read.story.try_
    assert (push.label, push.restart, show.show) == ("Push", True, ("velocities",))
    assert scene(scene_text(read)) == read
    changed = tried(read, push)
    assert changed.particle[1].velocity == (1.0, 0.0, 0.0)
    assert changed.world.gravity == (0.0, 0.0, 0.0)
    assert changed.particle[0] is read.particle[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"particle[1].velocity"', '"particle[1].velocty"', Meaning("story.try[0].set", near="particle[1].velocity")),
        (
            '"particle[1].velocity"',
            '"particle[7].velocity"',
            Meaning("story.try[0].set", "scene", text="particle[7].velocity"),
        ),
        ("[1, 0, 0], ", "[1, 0], ", Meaning("story.try[0].set", count=2, needed=3)),
        ('"world.gravity" = [0, 0, 0]', '"world.permeability" = -1.0', Meaning("story.try[0].set", "least", limit=0)),
    ],
)
def test_what_a_button_cannot_set_is_said_with_its_place(old: str, new: str, said: Meaning) -> None:
    read = scene(TEXT.replace(old, new))
    with pytest.raises(InputError) as error:
        build(read, Meshes())
    assert "story.try[0].set" in str(error.value)
    assert said.of(error.value)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('["velocities"]', '["velocitis"]', "story.try[1].show[0]"),
        ('label = "Push"', 'label = ""', "story.try[0].label"),
        ('text = "Two balls."', 'tekst = "Two balls."', "story.tekst"),
    ],
)
def test_faults_of_a_story_are_found_when_it_is_read(old: str, new: str, place: str) -> None:
    with pytest.raises(InputError, match="story") as error:
        scene(TEXT.replace(old, new))
    assert place in str(error.value)


def test_buttons_follow_the_items_that_they_change() -> None:
    moved = reordered(scene(), ("particle", 1), 0)
    assert set(moved.story.try_[0].set) == {"particle[0].velocity", "world.gravity"}
    assert tried(moved, moved.story.try_[0]).particle[0].name == "b"
    gone = without(scene(), ("particle", 1))
    assert [trial.label for trial in gone.story.try_] == ["Show"]


def test_an_edit_drops_a_button_that_it_makes_impossible() -> None:
    uniform = scene(TEXT.replace('"world.gravity" = [0, 0, 0]', '"world.magnetic_field.value" = [0, 0, 1]'))
    document = Document(uniform)
    kind = {"kind": "rotating", "cosine": (0, 0, 0), "sine": (0, 0, 0), "angular_frequency": 1.0}
    edited = document.edited(with_value(uniform, ("world", "magnetic_field"), kind))
    assert [trial.label for trial in edited.scene.story.try_] == ["Show"]
    assert edited.undone().scene.story == uniform.story
    assert not story_problems(edited.scene)


def test_the_schema_knows_stories() -> None:
    schema = scene_schema()
    assert set(schema["$defs"]["Trial"]["properties"]) == {"label", "set", "show", "restart"}
    assert "try" in schema["$defs"]["Story"]["properties"]


@pytest.mark.parametrize("name", gallery.scene_names())
def test_every_scene_of_the_gallery_tells_its_story(name: str) -> None:
    read = read_scene(gallery.path(name))
    assert 20 < len(read.story.text) <= 120, "one sentence"
    assert 2 <= len(read.story.try_) <= 3
    assert not story_problems(read)
    for trial in read.story.try_:
        assert trial.set or trial.show or trial.restart
        assert len(trial.label) <= 36


RUN, AFTER = 2.0, 3.0  # [s] simulated before and after a button is pressed


def pressed(name: str) -> None:
    """Press every button that edits a built-in scene while it runs, as the window does, and let it continue."""
    read = read_scene(gallery.path(name))
    for trial in read.story.try_:
        if not trial.set:
            continue
        simulation = Simulation(tried(read, trial) if trial.restart else read)
        if not trial.restart:
            simulation.advance(RUN)
            simulation.load(tried(read, trial))
        simulation.advance(AFTER)  # raises Diverged


@pytest.mark.parametrize("name", ["heavy_top", "compass"])
def test_a_button_does_not_break_the_run(name: str) -> None:
    pressed(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", gallery.scene_names())
def test_no_button_of_the_gallery_breaks_the_run(name: str) -> None:
    pressed(name)


def after(name: str, trial: Trial, wait: float) -> tuple[Simulation, Simulation]:
    """The run of a built-in scene at a time `wait` [s] after its start, and the one after a button is pressed then."""
    read = read_scene(gallery.path(name))
    simulation = Simulation(read)
    simulation.advance(wait)
    if trial.restart:
        return simulation, Simulation(tried(read, trial))
    changed = simulation.copy()
    changed.load(tried(read, trial))
    return simulation, changed


def moon(name: str) -> Trial:
    """The button that sets the gravity of the moon."""
    return next(each for each in read_scene(gallery.path(name)).story.try_ if "world.gravity" in each.set)


def test_beads_on_cycloids_meet_at_the_bottom_on_the_moon_as_well() -> None:
    """They do at t = pi sqrt(a/g) from rest, whatever the height; after a change of g in mid-run they do not."""
    name = "isochronous_cycloids"
    _, run = after(name, moon(name), 0.7)
    run.advance(np.pi * np.sqrt(0.3 / 1.62))
    bottom = run.snapshot().bodies.position[:, 2]
    assert np.ptp(bottom) < 1e-4  # four heights up to 0.6 m at the start, and steps of 1 ms at 1 m/s near the bottom
    assert run.time == pytest.approx(np.pi * np.sqrt(0.3 / 1.62), abs=2e-3)


def test_the_pendulum_wave_forms_on_the_moon_as_well() -> None:
    """All periods grow by the same factor, so the bobs are in phase again after 30 s times this factor."""
    name = "pendulum_wave"
    _, run = after(name, moon(name), 8.0)
    gravity = -read_scene(gallery.path(name)).world.gravity[2]
    run.advance(30 * np.sqrt(gravity / 1.62))
    tilt = np.arctan2(run.snapshot().bodies.basis[:, 1, 2], run.snapshot().bodies.basis[:, 1, 1])
    assert np.ptp(tilt) < 0.02  # of an amplitude of 0.25 rad
    assert np.abs(tilt).min() > 0.2


def positions(run: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) [m] positions of all bodies and points, and (m, 3) basis vectors."""
    now = run.snapshot()
    basis = np.vstack([now.bodies.basis.reshape(-1, 3), np.zeros((1, 3))])
    return np.vstack([now.bodies.position, now.points.position]), basis


@pytest.mark.nightly
@pytest.mark.parametrize("name", gallery.scene_names())
def test_every_button_is_seen_to_do_something_also_when_the_run_is_old(name: str) -> None:
    """Pressed after 20 s, when much has come to rest, it moves something by 1.5 % of the scene, or turns it by 3°."""
    for trial in read_scene(gallery.path(name)).story.try_:
        if not trial.set or trial.restart:
            continue
        runs = after(name, trial, 20.0)
        moved, turned, reached = 0.0, 0.0, []
        for _ in range(10):
            for run in runs:
                run.advance(0.3)
            (one, axes), (other, other_axes) = map(positions, runs)
            moved, turned = max(moved, np.abs(one - other).max()), max(turned, np.abs(axes - other_axes).max())
            reached.append(one)
        size = float(np.ptp(np.vstack(reached), axis=0).max()) or 1.0
        assert moved > 0.015 * size or turned > 0.05, trial.label


LONG, LOOK = 30.0, 0.1  # [s] simulated, as long as somebody may look at what a button has done, and between looks


def watched(name: str) -> None:
    """Run a built-in scene, and what each of its buttons makes of it, for as long as somebody looks at it."""
    read = read_scene(gallery.path(name))
    for label, changed in [("", read), *((trial.label, tried(read, trial)) for trial in read.story.try_ if trial.set)]:
        simulation = Simulation(changed)
        while simulation.time < LONG:
            simulation.advance(LOOK)  # the distances are checked at the end of each
        assert [f"{label}: {warning.rule}" for warning in simulation.warnings] == []


@pytest.mark.parametrize("name", ["double_mesh", "two_needles"])
def test_magnets_stay_where_the_model_holds(name: str) -> None:
    """Also after a button: point dipoles do not come nearer to each other than two of their sizes."""
    watched(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in gallery.scene_names() if has_magnets(name)])
def test_magnets_of_every_scene_stay_where_the_model_holds(name: str) -> None:
    watched(name)
