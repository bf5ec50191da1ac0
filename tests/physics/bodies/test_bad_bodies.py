"""Faults of a rigid body are reported with location, rule, value and remedy, and nothing else."""

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.scene.problem import InputError, Problem
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Diverged, Simulation
from scenes import scene, sphere, turned

BODY = '[[body]]\nname = "bob"\n'
SPHERE = '[[body.shape]]\nkind = "sphere"\nradius = 0.1\nmass = 1\n'
DIPOLE = "[[body.dipole]]\nmoment = [0, 0, 1]\n"
ESCAPE = "\\u001b[2J"  # clears a terminal; as a TOML file writes it


def said(folder: Path, text: str) -> tuple[Problem, ...]:
    path = folder / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        Simulation(read_scene(path))
    return refused.value.problems


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BODY + SPHERE.replace("mass = 1", "mass = 0"),
            Meaning("body[0].shape", "masses", name="bob"),
        ),
        (
            BODY + SPHERE.replace("mass = 1", "mass = -1"),
            Meaning("body[0].shape[0].mass", "least", limit=0, value=-1),
        ),
        (
            BODY + SPHERE.replace("mass = 1", "density = 0"),
            Meaning("body[0].shape[0].density", "greater", limit=0, value=0),
        ),
        (
            BODY + 'support = "axle"\n' + SPHERE,
            Meaning("body[0]", "held", "axle"),
        ),
        (
            BODY + 'support = "axle"\naxis = [0, 0, 0]\n' + SPHERE,
            Meaning("body[0]", "held", "[0,"),
        ),
        (
            BODY + "friction = -0.5\n" + SPHERE,
            Meaning("body[0].friction", "least", limit=0, value=-0.5),
        ),
        (
            BODY + SPHERE + DIPOLE + BODY.replace("bob", "rob") + SPHERE + DIPOLE,
            Meaning("body[1].dipole[0].position", "position", place="body[0].dipole[0]", name="bob"),
        ),
        (
            BODY + '[[body.shape]]\nkind = "mesh"\nfile = "."\nmass = 1\n',
            Meaning("body[0].shape[0].file", "folder", file="."),
        ),
        (
            BODY + '[[body.shape]]\nkind = "mesh"\nfile = ".."\nmass = 1\n',
            Meaning("body[0].shape[0].file", "folder", file=".."),
        ),
        (
            BODY.replace("bob", f"b{ESCAPE}b") + SPHERE,
            Meaning("body[0].name", "characters", value="'b\\x1b[2Jb'"),
        ),
        (
            BODY + f'"{ESCAPE}" = 1\n' + SPHERE,
            Meaning("body[0].\x1b[2J", "known", "remove", value=1),
        ),
        (
            BODY + f'"{"k" * 1000}" = 1\n' + SPHERE,
            Meaning(f"body[0].{'k' * 57}...", "known", "remove", value=1),
        ),
        (
            f'format = 1\ntitel = "{ESCAPE}"\n',
            Meaning("titel", value="'\\x1b[2J'", near="title"),
        ),
    ],
)
def test_a_fault_is_said_in_one_line_with_its_remedy(tmp_path: Path, text: str, message: Meaning) -> None:
    (problem,) = said(tmp_path, text)
    assert message.of(problem)
    assert str(problem).isprintable()


def test_a_problem_shows_what_a_terminal_would_obey_and_leaves_all_other_text() -> None:
    problem = Problem("a\x1b[31m", "b\r\n\x07", "c\u202e日本\u3000語 é")
    assert str(problem) == "a\\x1b[31m: b\\r\\n\\x07; c\\u202e日本\u3000語 é"
    assert str(InputError("x\x1b.toml", [problem])).startswith("x\\x1b.toml: a")


def test_an_axle_takes_an_axis_of_any_length() -> None:
    wheel = {"name": "wheel", "support": "axle", "angular_velocity": [0, 0, 1.0], "shape": [sphere()]}
    for size in (1e-200, 1e200):
        simulation = Simulation(scene({**wheel, "axis": [0, 0, size]}))
        simulation.advance(0.1)
        assert simulation.snapshot().bodies.angular_velocity[0] == pytest.approx([0, 0, 1.0], abs=1e-12)


MAGNET = {
    "support": "free",
    "shape": [sphere(radius=0.01, mass=0.02)],
    "dipole": [{"moment": [0, 0, 1], "position": [0, 0, 0.004]}],
}


def test_two_magnets_that_meet_are_both_named() -> None:
    """Two centimetres of balls pull each other until their dipoles whirl: neither alone is at fault."""
    stand = {"name": "stand", "support": "fixed", "position": [1, 0, 0], "shape": [sphere()]}
    upper = {"name": "upper", "position": [0.005, 0, 0.05], "orientation": turned(1, 0, 0, 0.3), **MAGNET}
    simulation = Simulation(scene(stand, {"name": "lower", **MAGNET}, upper, gravity=[0, 0, 0]))
    with pytest.raises(Diverged) as stop:
        simulation.advance(2.0)
    found = simulation.snapshot().bodies
    arms = np.array([0, 0, 0.004]) @ found.basis
    distance = np.linalg.norm(found.position[1] + arms[1] - found.position[2] - arms[2])
    assert distance < 0.02
    assert Meaning("", "diverged", one="lower", other="upper", step=0.001).of(stop.value)
    assert stop.value.part in ("lower", "upper")


def test_magnets_far_from_each_other_are_not_blamed() -> None:
    """The wheel's friction alone breaks the step, with c dt/I = 30."""
    wheel = {"name": "wheel", "angular_velocity": [0, 0, 1], "shape": [sphere(radius=0.1, mass=1.0)]}
    far = {"name": "far", "position": [5, 0, 0], **MAGNET}
    wheel |= {"friction": 30 * 0.4 * 0.1**2 / 1e-3, "dipole": [{"moment": [0, 0, 1]}]}
    with refuses("", "diverged", part="wheel", raised=Diverged):
        Simulation(scene(far, wheel, gravity=[0, 0, 0])).advance(1.0)
