"""Faults of particles, soft bodies, springs and walls are reported with location, rule, value and remedy."""

import re
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from meaning import Meaning

from polhode.analysis.steps.contacts import touches
from polhode.analysis.steps.limits import shortest
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Diverged, Simulation
from polhode_app.cli.main import main
from polhode_app.cli.terminal.exit_status import BAD_INPUT

DUCK = (Path(__file__).parents[3] / "meshes" / "duck.stl").as_posix()
BALL = '[[particle]]\nname = "ball"\nmass = 1\n'
CHAIN = '[[soft]]\nname = "rope"\nkind = "chain"\ncount = 5\nspacing = 0.1\nparticle_mass = 0.1\nstiffness = 10\n'
LATTICE = (
    '[[soft]]\nname = "jelly"\nkind = "lattice"\ncounts = [2, 2, 2]\nspacing = [0.1, 0.1, 0.1]\n'
    "particle_mass = 0.1\nstiffness = 10\n"
)
MESH = (
    f'[[soft]]\nname = "duck"\nkind = "mesh"\nfile = "{DUCK}"\nscale = 0.001\nspacing = 0.01\n'
    "particle_mass = 0.1\nstiffness = 10\n"
)
WALL = '[[wall]]\nname = "floor"\nstiffness = 100\n'
SPRING = '[[spring]]\nfrom = "ball"\nto = [0, 0, 1]\nstiffness = 5\n'
BOB = '[[body]]\nname = "bob"\n[[body.shape]]\nkind = "sphere"\nradius = 0.1\nmass = 1\n'


def positive(place: str, value: float) -> Meaning:
    return Meaning(place, "greater", limit=0, value=value)


def not_negative(place: str, value: float) -> Meaning:
    return Meaning(place, "least", limit=0, value=value)


def but(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


CASES = [
    (but(BALL, ("mass = 1", "mass = 0")), positive("particle[0].mass", 0)),
    (
        but(BALL, ("mass = 1", "mass = 1e-305")),
        Meaning("particle[0].mass", "computed", value=1e-305),
    ),
    (BALL + "radius = -1\n", not_negative("particle[0].radius", -1)),
    (
        BALL + "contact = { stiffness = 10 }\n",
        Meaning("particle[0]", "contact", "size"),
    ),
    (BALL + "radius = 0.1\ncontact = { stiffness = 0 }\n", positive("particle[0].contact.stiffness", 0)),
    (
        BALL + "radius = 0.1\ncontact = { stiffness = 10, rolling = 1 }\n",
        Meaning("particle[0].contact.rolling", "key", value=1),
    ),
    (
        but(BALL, ('"ball"', '"ball.1"')),
        Meaning("particle[0].name", "characters", value="'ball.1'"),
    ),
    (but(CHAIN, ("stiffness = 10", "stiffness = 0")), positive("soft[0].stiffness", 0)),
    (but(LATTICE, ("stiffness = 10", "stiffness = -1")), positive("soft[0].stiffness", -1)),
    (but(LATTICE, ("0.1, 0.1, 0.1", "0.1, 0, 0.1")), positive("soft[0].spacing[1]", 0)),
    (
        but(LATTICE, ("[2, 2, 2]", "[2000, 2000, 2]")),
        Meaning("soft[0]", counts="[2000, 2000, 2]", points=8000000),
    ),
    (
        but(LATTICE, ("0.1, 0.1, 0.1", "1e200, 1, 1")),
        Meaning("soft[0].spacing[0]", "most", limit=1e60, value=1e200),
    ),
    (but(CHAIN, ("count = 5", "count = 1")), Meaning("soft[0].count", "least", limit=2, value=1)),
    (
        but(CHAIN, ("spacing = 0.1", "spacing = 1e308")),
        Meaning("soft[0].spacing", "most", limit=1e60, value=1e308),
    ),
    (CHAIN + "direction = [0, 0, 0]\n", Meaning("soft[0].direction", "direction", "zero")),
    (
        CHAIN + "contact = { stiffness = 10 }\n",
        Meaning("soft[0]", "contact", "points"),
    ),
    (CHAIN + "fixed = [0, 5]\n", Meaning("soft[0].fixed", wrong=5, last=4)),
    (CHAIN + "fixed = [-1]\n", not_negative("soft[0].fixed[0]", -1)),
    (CHAIN + "fixed = [1.5]\n", Meaning("soft[0].fixed[0]", "whole", value=1.5)),
    (
        but(MESH, ("spacing = 0.01", "spacing = 1")),
        Meaning("soft[0].spacing", spacing=1, points=1, size="0.0828 x 0.051 x 0.0609"),
    ),
    (
        but(MESH, ("spacing = 0.01", "spacing = 1e-11")),
        Meaning("soft[0].spacing", "million", spacing=1e-11),
    ),
    (
        but(MESH, (DUCK, "none.stl")),
        Meaning("soft[0].file", "folder", file="none.stl"),
    ),
    (but(WALL, ("100", "0")), positive("wall[0].stiffness", 0)),
    (WALL + "normal = [0, 0, 0]\n", Meaning("wall[0].normal", "direction", "zero")),
    (WALL + "damping = -1\n", not_negative("wall[0].damping", -1)),
    (
        WALL + 'motion = { kind = "sine", amplitude = 0.1, period = 0 }\n',
        positive("wall[0].motion.period", 0),
    ),
    (
        WALL + 'motion = { kind = "sinus" }\n',
        Meaning("wall[0].motion", value="'sinus'", near="sine", known="still, sine, formula, sensor"),
    ),
    (BALL + but(WALL, ("floor", "ball")), Meaning("", "parts", name="ball")),
    (BALL + but(SPRING, ("= 5", "= -5")), positive("spring[0].stiffness", -5)),
    (BALL + SPRING + "rest_length = -1\n", not_negative("spring[0].rest_length", -1)),
    (
        BALL + but(SPRING, ("ball", "bal")),
        Meaning("spring[0].from", name="bal", near="ball"),
    ),
    (
        BALL + but(SPRING, ("[0, 0, 1]", "[0, 0, 1e160]")),
        Meaning("spring[0].to", "computed", value=1e160, unit="m", limit=1e15),
    ),
    (SPRING, Meaning("spring[0].from", "spring", name="ball")),
    (
        BALL + WALL + but(SPRING, ("[0, 0, 1]", '"floor"')),
        Meaning("spring[0].to", "spring", name="floor", known="ball"),
    ),
    (
        CHAIN + but(SPRING, ("ball", "ropes.1")),
        Meaning("spring[0].from", name="ropes.1", near="rope.1"),
    ),
    (
        CHAIN + but(SPRING, ("ball", "rope.5")),
        Meaning("spring[0].from", name="rope.5", soft="rope"),
    ),
    (
        CHAIN + but(SPRING, ("ball", "rope.-1")),
        Meaning("spring[0].from", name="rope.-1", soft="rope"),
    ),
    (
        CHAIN + but(SPRING, ("ball", "rope")),
        Meaning("spring[0].from", "whole", name="rope", soft="rope"),
    ),
    (
        BOB + BALL + but(SPRING, ("[0, 0, 1]", '{ body = "bobb", point = [0, 0, 0] }')),
        Meaning("spring[0].to.body", name="bobb", near="bob"),
    ),
    (
        BALL + but(SPRING, ("[0, 0, 1]", '"ball"')),
        Meaning("spring[0].to", "one", "from"),
    ),
    (
        BOB + but(SPRING, ("ball", "bob"), ("[0, 0, 1]", '{ body = "bob", point = [0, 0, 1] }')),
        Meaning("spring[0].to", "one", "from"),
    ),
    (but(SPRING, ('"ball"', "[0, 0, 0]")), Meaning("spring[0].to", "still", "from")),
    (
        BALL + but(SPRING, ("[0, 0, 1]", "[0, 0, 0]")),
        Meaning("spring[0]", "position", "direction"),
    ),
    (BALL + but(SPRING, ("[0, 0, 1]", "[0, 1]")), Meaning("spring[0].to", count=2, needed=3)),
    (BALL + but(SPRING, ("[0, 0, 1]", "3")), Meaning("spring[0].to", "list", value=3)),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("text", "message"), CASES)
def test_a_fault_is_said_in_one_line_with_its_remedy(tmp_path, capsys, text: str, message: Meaning) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == BAD_INPUT
    lines = capsys.readouterr().err.splitlines()
    said = [line.strip().removeprefix(f"{path}: ") for line in lines]
    assert len([line for line in said if message.of(line)]) == 1, lines
    assert "Traceback" not in "".join(lines)


def test_all_faults_of_all_parts_are_said_at_once() -> None:
    parts = {
        "soft": [{"name": "rope", "kind": "chain", "count": 3, "spacing": 0.1, "particle_mass": 1, "stiffness": 1}],
        "particle": [{"name": "ball", "mass": 1.0}],
        "spring": [{"from": "rope.7", "to": [0, 0, 1], "stiffness": 1}],
    }
    parts["soft"][0]["fixed"] = [4]
    with pytest.raises(InputError) as refused:
        build(scene_of(parts, ""), Meshes())
    assert {problem.place.partition("[")[0] for problem in refused.value.problems} == {"soft", "spring"}


def test_directions_may_be_of_any_length() -> None:
    for size in (1e-300, 1e-160, 1e160, 1e300):
        wall = {"name": "floor", "stiffness": 1, "normal": [0, 3 * size, 4 * size]}
        chain = {"name": "rope", "kind": "chain", "count": 3, "spacing": 0.5, "particle_mass": 1, "stiffness": 1}
        chain |= {"direction": [0, 3 * size, -4 * size]}
        compiled = build(scene_of({"wall": [wall], "soft": [chain]}, ""), Meshes())
        assert compiled.model.walls.normal == pytest.approx(np.array([[0, 0.6, 0.8]]))
        assert compiled.springs.rest == pytest.approx([0.5, 0.5])


number = st.one_of(
    st.sampled_from([0, -1, 1, 2.5, 1e-320, 1e-160, 1e160, 1e308, float("nan"), float("inf")]), st.floats()
)
vector = st.lists(number, min_size=2, max_size=4)
end = st.one_of(
    vector,
    st.sampled_from(["ball", "rope", "rope.0", "rope.1", "rope.9", "rope.-1", "rope.", ".", "", "bob", "floor"]),
    st.fixed_dictionaries({"body": st.sampled_from(["bob", "ball", ""]), "point": vector}),
)
contact = st.fixed_dictionaries({"stiffness": number}, optional={"damping": number, "rolling": number})
parts = st.fixed_dictionaries(
    {
        "body": st.just([{"name": "bob", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1}]}]),
        "particle": st.lists(
            st.fixed_dictionaries(
                {"name": st.just("ball"), "mass": number},
                optional={"radius": number, "position": vector, "contact": contact},
            ),
            max_size=1,
        ),
        "soft": st.lists(
            st.fixed_dictionaries(
                {
                    "name": st.just("rope"),
                    "kind": st.just("chain"),
                    "count": st.integers(-1, 4),
                    "spacing": number,
                    "particle_mass": number,
                    "stiffness": number,
                },
                optional={"direction": vector, "fixed": st.lists(st.integers(-1, 5)), "damper": st.text(max_size=5)},
            ),
            max_size=1,
        ),
        "spring": st.lists(st.fixed_dictionaries({"from": end, "to": end, "stiffness": number}), max_size=2),
        "wall": st.lists(
            st.fixed_dictionaries({"name": st.just("floor"), "stiffness": number}, optional={"normal": vector}),
            max_size=1,
        ),
    }
)


@given(parts)
@settings(suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.filterwarnings("error")
def test_any_tables_are_a_scene_or_refused_with_a_remedy(tables) -> None:
    try:
        compiled = build(scene_of(tables, ""), Meshes())
        problems = ()
    except InputError as refused:
        compiled, problems = None, refused.problems
    assert all(problem.rule and problem.remedy and str(problem).isprintable() for problem in problems)
    assert bool(problems) == (compiled is None)
    if compiled is None:
        return
    assert np.isfinite(compiled.start).all()
    assert np.isfinite(compiled.model.springs.rest).all()
    assert np.isfinite(compiled.model.walls.normal).all()


def test_a_scene_whose_step_is_too_long_for_its_springs_is_told_so(tmp_path, capsys) -> None:
    path = tmp_path / "stiff.toml"
    path.write_text(BALL + but(SPRING, ("= 5", "= 1e8")), encoding="utf-8")
    assert main(["check", str(path)]) == 0
    said = capsys.readouterr()
    # rk4 on x'' = -k/m x: 2 sqrt(2)/w
    assert "0.000283 s" in said.out
    assert Meaning("solver.time_step", method="rk4", step=0.001, limit=0.000283).of(said.err)
    assert recommended(said.err) < 0.000283
    assert read_scene(path).solver.time_step == 1e-3


def test_a_step_too_long_for_a_contact_that_is_still_to_come_is_told_so(tmp_path, capsys) -> None:
    path = tmp_path / "hard.toml"
    path.write_text(BALL + "radius = 0.1\nposition = [0, 0, 1]\n" + but(WALL, ("100", "1e8")), encoding="utf-8")
    assert main(["check", str(path)]) == 0
    # rk4 on x'' = -k/m x: 2 sqrt(2)/w
    said = capsys.readouterr().err
    assert Meaning("solver.time_step", step=0.001, part="ball", other="floor").of(said)
    assert recommended(said) < 0.00028


def recommended(warning: str) -> float:
    """The step [s] that the remedy of a warning names."""
    return float(re.search(r"; .*?(\d\S*) s", warning)[1])


@pytest.mark.parametrize(("step", "stays"), [(2.7e-3, True), (3.0e-3, False)])
def test_the_step_that_a_contact_allows_is_where_a_body_on_the_floor_begins_to_shake(step, stays) -> None:
    """A bar that an axle holds by one end lies with the other on the floor: 1/m is r^2/I."""
    wall = {"name": "floor", "stiffness": 4e5, "point": [0, 0, -0.05]}
    shape = {"kind": "rod", "length": 1.0, "mass": 1.2, "position": [0.5, 0, 0]}
    shape |= {"orientation": {"axis": [0, 1, 0], "angle": np.pi / 2}}
    bar = {"name": "bar", "support": "axle", "axis": [0, 1, 0], "shape": [shape]}
    bar |= {"orientation": {"axis": [0, 1, 0], "angle": np.arcsin(0.05)}}
    tables = {"body": [bar], "wall": [wall], "solver": {"time_step": step}}
    simulation = Simulation(scene_of(tables, ""))
    # I = m/3: w^2 = 3 k/m cos^2 of the tilt
    assert shortest(touches(simulation.compiled), "rk4")[0] == pytest.approx(2 * np.sqrt(2 * 0.4 / 4e5), rel=1e-3)
    with nullcontext() if stays else suppress(Diverged):
        simulation.advance_steps(4000)
    assert (abs(simulation.snapshot().bodies.angular_velocity[0, 1]) < 0.1) == stays


OWNERS = ("place", "body0", "body1", "body2", "ball0", "ball1", "ball2")


def end_on(owner: str, number: int) -> object:
    """An end of a spring on an owner, each number in another place."""
    if owner == "place":
        return [10.0, 0.0, 0.1 * number]
    return {"body": owner, "point": [0.01 * number, 0.0, 0.0]} if owner.startswith("body") else owner


@given(st.lists(st.tuples(st.sampled_from(OWNERS), st.sampled_from(OWNERS)), min_size=3, max_size=8))
@settings(deadline=None)
def test_springs_are_refused_just_where_both_ends_are_on_one_thing(springs: list[tuple[str, str]]):
    balls = [{"name": f"ball{k}", "mass": 1.0, "position": [0, k + 1.0, 0]} for k in range(3)]
    shape = {"kind": "sphere", "radius": 0.1, "mass": 1.0}
    bodies = [{"name": f"body{k}", "support": "free", "position": [k + 1.0, 0, 0], "shape": [shape]} for k in range(3)]
    made = [
        {"from": end_on(one, 2 * k), "to": end_on(other, 2 * k + 1), "rest_length": 0.0, "stiffness": 1.0}
        for k, (one, other) in enumerate(springs)
    ]
    wrong = {f"spring[{k}].to" for k, (one, other) in enumerate(springs) if one == other}
    scene = scene_of({"particle": balls, "body": bodies, "spring": made}, "")
    found: set[str] = set()
    try:
        build(scene, Meshes())
    except InputError as error:
        found = {problem.place for problem in error.problems}
    assert found == wrong
