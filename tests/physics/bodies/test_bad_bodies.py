"""What is wrong with a rigid body is said with its place, the rule, the value and a remedy, and nothing else."""

from pathlib import Path

import numpy as np
import pytest

from polhode.scene.problem import InputError, Problem
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Diverged, Simulation
from scenes import scene, sphere, turned

BODY = '[[body]]\nname = "bob"\n'
SPHERE = '[[body.shape]]\nkind = "sphere"\nradius = 0.1\nmass = 1\n'
DIPOLE = "[[body.dipole]]\nmoment = [0, 0, 1]\n"
ESCAPE = "\\u001b[2J"  # clears a terminal; as a TOML file writes it


def said(folder: Path, text: str) -> list[str]:
    path = folder / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        Simulation(read_scene(path))
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BODY + SPHERE.replace("mass = 1", "mass = 0"),
            "body[0].shape: the masses of 'bob' add up to 0; give one of its shapes a mass",
        ),
        (
            BODY + SPHERE.replace("mass = 1", "mass = -1"),
            "body[0].shape[0].mass: must be at least 0, but is -1; give zero or a positive number",
        ),
        (
            BODY + SPHERE.replace("mass = 1", "density = 0"),
            "body[0].shape[0].density: must be greater than 0, but is 0; give a positive number",
        ),
        (
            BODY + 'support = "axle"\n' + SPHERE,
            "body[0]: is held by an axle, but has no axis; add axis = [x, y, z], the direction of the axle",
        ),
        (
            BODY + 'support = "axle"\naxis = [0, 0, 0]\n' + SPHERE,
            "body[0]: is held by an axle, but has the axis [0, 0, 0], which is no direction;"
            " add axis = [x, y, z], the direction of the axle",
        ),
        (
            BODY + "friction = -0.5\n" + SPHERE,
            "body[0].friction: must be at least 0, but is -0.5; give zero or a positive number",
        ),
        (
            BODY + SPHERE + DIPOLE + BODY.replace("bob", "rob") + SPHERE + DIPOLE,
            "body[1].dipole[0].position: has the same position as body[0].dipole[0], of 'bob'; move one of them",
        ),
        (
            BODY + '[[body.shape]]\nkind = "mesh"\nfile = "."\nmass = 1\n',
            "body[0].shape[0].file: '.' is a folder, not a mesh file; name a file in it, one of .stl .obj .ply",
        ),
        (
            BODY + '[[body.shape]]\nkind = "mesh"\nfile = ".."\nmass = 1\n',
            "body[0].shape[0].file: '..' is a folder, not a mesh file; name a file in it, one of .stl .obj .ply",
        ),
        (
            BODY.replace("bob", f"b{ESCAPE}b") + SPHERE,
            "body[0].name: is 'b\\x1b[2Jb', but a name has no spaces, dots, commas or control characters"
            " and is not empty; rename it",
        ),
        (
            BODY + f'"{ESCAPE}" = 1\n' + SPHERE,
            "body[0].\\x1b[2J: is not a known key (its value is 1); remove it (known here: ",
        ),
        (
            BODY + f'"{"k" * 1000}" = 1\n' + SPHERE,
            f"body[0].{'k' * 57}...: is not a known key (its value is 1); remove it (known here: ",
        ),
        (
            f'format = 1\ntitel = "{ESCAPE}"\n',
            "titel: is not a known key (its value is '\\x1b[2J'); did you mean 'title'?",
        ),
    ],
)
def test_a_fault_is_said_in_one_line_with_its_remedy(tmp_path: Path, text: str, message: str) -> None:
    (line,) = said(tmp_path, text)
    assert line.startswith(message)
    assert line.isprintable()


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
    assert str(stop.value) == (
        f"'lower' and 'upper' diverged at t = {simulation.time:.6g} s: their magnets are {distance:.3g} m apart,"
        " nearer than the bodies are large; use a smaller time step than 0.001 s, or keep magnets farther apart"
    )
    assert stop.value.part in ("lower", "upper")


def test_magnets_far_from_each_other_are_not_blamed() -> None:
    """The wheel's friction alone breaks the step, with c dt/I = 30."""
    wheel = {"name": "wheel", "angular_velocity": [0, 0, 1], "shape": [sphere(radius=0.1, mass=1.0)]}
    far = {"name": "far", "position": [5, 0, 0], **MAGNET}
    wheel |= {"friction": 30 * 0.4 * 0.1**2 / 1e-3, "dipole": [{"moment": [0, 0, 1]}]}
    with pytest.raises(Diverged, match="^'wheel' diverged at t = .*: the next state is not finite; use"):
        Simulation(scene(far, wheel, gravity=[0, 0, 0])).advance(1.0)
