"""Numbers with an uncertainty in scenes: texts of files and of Python, round trips, units, and bad input."""

from __future__ import annotations

import copy
import re
from math import inf, sqrt
from pathlib import Path
from time import process_time

import pytest
from meaning import Meaning

from polhode import InputError, Simulation, read_scene, scene_schema, write_scene
from polhode.scene.problem import InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.scene.uncertain import Uncertain, UncertainItems, uncertain_numbers, uncertain_of_text
from polhode.uncertainty.sources import sources_of

BODY = 'shape = [{ kind = "sphere", radius = 0.1, mass = 1.0 }]\n'


def scene(text: str) -> Scene:
    """The scene of a TOML text."""
    return scene_of(tables_of(text, "test"), "test")


def body(text: str, before: str = "") -> Scene:
    """A scene with one free body, with these lines."""
    return scene(f'{before}\n[[body]]\nname = "ball"\nsupport = "free"\n{BODY}{text}')


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.458 +- 0.001", Uncertain(0.458, 0.001)),
        ("0.458±0.001", Uncertain(0.458, 0.001)),
        ("-4e-1 +/- 1e-3", Uncertain(-0.4, 0.001)),
        ("0.458 +- 0.001 uniform", Uncertain(0.458, 0.001, "uniform")),
        ("0.458 +- 0.001 (a)", Uncertain(0.458, 0.001, letter="a")),
        ("0.458 +- 0.001 uniform (b)", Uncertain(0.458, 0.001, "uniform", "b")),
        ("45.8 +- 0.1 cm", Uncertain(0.458, 0.001)),
        ("458 +- 1 mm uniform (b)", Uncertain(0.458, 0.001, "uniform", "b")),
        ("0.458 +- 0.001 m", Uncertain(0.458, 0.001)),
    ],
)
def test_a_text_is_the_mean_with_its_uncertainty(text: str, number: Uncertain) -> None:
    made = body(f'position = [0, 0, "{text}"]').body[0].position[2]
    assert made == number
    assert float(made) == float(number)
    assert made != float(number), "an edit of the uncertainty alone is a change"


def test_a_run_computes_with_the_mean() -> None:
    top = read_scene("heavy_top")
    given = top.with_values({"body[0].friction": "1e-4 +- 1e-5", "world.gravity[2]": "-9.7 +- 0.1"})
    plain = top.with_values({"body[0].friction": 1e-4, "world.gravity[2]": -9.7})
    one, other = Simulation(given), Simulation(plain)
    one.advance(0.1)
    other.advance(0.1)
    assert (one.snapshot().numbers == other.snapshot().numbers).all()


def test_files_in_their_own_units_state_the_deviation_in_them_too() -> None:
    given = body('position = ["10 +- 2", "0.5 +- 0.25 m", 0]', "[units]\nlength = 0.01")
    assert given.body[0].position[:2] == (Uncertain(0.1, 0.02), Uncertain(0.5, 0.25))
    again = scene(scene_text(given))
    assert again.body[0].position == given.body[0].position


def test_files_are_written_with_their_comments_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(f'[[body]]\nname = "ball"\nsupport = "free"\n{BODY}friction = "1.0 +- 0.1 (a)"  # by a fit\n')
    first = read_scene(path)
    write_scene(first, path)
    assert '"1.0 +- 0.1 (a)"  # by a fit' in path.read_text()
    write_scene(first.with_values({"body[0].friction": Uncertain(2.0, 0.5, "uniform")}), path)
    assert '"2.0 +- 0.5 uniform"  # by a fit' in path.read_text()
    assert read_scene(path).body[0].friction == Uncertain(2.0, 0.5, "uniform")
    write_scene(first.with_values({"body[0].friction": 2.0}), path)
    assert uncertain_numbers(read_scene(path)) == ()


def test_an_uncertain_default_is_written() -> None:
    given = Scene().with_values({"world.gravity[2]": "-9.80665 +- 0.01"})
    assert scene(scene_text(given)).world.gravity[2] == Uncertain(-9.80665, 0.01)


def test_numbers_are_listed_with_their_paths() -> None:
    given = body('velocity = [0, "1 +- 0.1", 0]')
    assert [(each.path, each.number.text) for each in uncertain_numbers(given)] == [
        (("body", 0, "velocity", 1), "1.0 +- 0.1")
    ]


def test_formulas_keep_their_meaning_and_vectors_may_be_tables() -> None:
    given = scene('title = "5 +- 1"\n[world]\ngravity = { x = "1 +- 0.1", z = "-9.8 + 0*t" }')
    assert given.title == "5 +- 1"
    assert given.world.gravity == (Uncertain(1.0, 0.1), 0.0, "-9.8 + 0*t")


def test_copies_keep_the_uncertainty() -> None:
    given = body('friction = "1 +- 0.1 (a)"')
    assert copy.deepcopy(given).body[0].friction == Uncertain(1.0, 0.1, letter="a")
    assert copy.deepcopy(given) == given
    assert Uncertain(1.0, 0.3, "uniform").standard_deviation == pytest.approx(0.3 / sqrt(3))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ('friction = "1 +- -0.1"', Meaning("body[0].friction", deviation=-0.1)),
        ('friction = "1 +- 1e99"', Meaning("body[0].friction", deviation=1e99)),
        ('friction = "1e999 +- 0.1"', Meaning("body[0].friction", value=inf)),
        ('friction = "1e999 +- -1"', Meaning("body[0].friction", value=inf)),
        ('friction = "1 +- 0.1 m"', Meaning("body[0].friction", unit="m", own="N m s")),
        ('friction = "1 +- 0.1 furlong"', Meaning("body[0].friction", unit="furlong")),
        ('velocity = [0, "1 +- 0.1 s", 0]', Meaning("body[0].velocity[1]", unit="s", own="m/s")),
        ('contact = { restitution = "0.5 +- 0.1 kg" }', Meaning("body[0].contact.restitution", unit="kg")),
        ('friction = "1 +- 0.1 (a) (b)"', Meaning("body[0].friction", text="1 +- 0.1 (a) (b)")),
        ('friction = "1 +- 0.1 gaussian"', Meaning("body[0].friction", "uniform", unit="gaussian")),
        ('friction = "1 +- 0.1 (ab)"', Meaning("body[0].friction", "uniform", unit="(ab)")),
        ('friction = "1 +- 5 %"', Meaning("body[0].friction", "uniform", own="N m s")),
        ('friction = "0.5(1)"', Meaning("body[0].friction", "deviation", "uniform", value="'0.5(1)'")),
        ('friction = "0,5 +- 0,1"', Meaning("body[0].friction", "deviation", "uniform", value="'0,5 +- 0,1'")),
        ('friction = "1e-4 +- nan"', Meaning("body[0].friction", "deviation", "uniform", value="'1e-4 +- nan'")),
        ('friction = "-1 +- 0.1"', Meaning("body[0].friction", limit=0)),
        (
            '[[force]]\non = "ball"\nforce = [0, 0, { data = "a.csv", column = "F", deviation = "0.01 +- 0.001" }]',
            Meaning("force[0].force[2].deviation", text="0.01 +- 0.001"),
        ),
        ('[solver]\ntime_step = "1e-3 +- 1e-4"', Meaning("solver.time_step", text="0.001 +- 0.0001")),
        ('[sensor]\ncentre = "0.1 +- 0.01"', Meaning("sensor.centre", text="0.1 +- 0.01")),
        (
            '[[soft]]\nkind = "chain"\nname = "c"\nspacing = 1\nparticle_mass = 1\nstiffness = 1\ncount = "5 +- 1"',
            Meaning("soft[0].count", text="5.0 +- 1.0"),
        ),
        (
            '[[soft]]\nkind = "chain"\nname = "c"\nspacing = 1\nparticle_mass = 1\nstiffness = 1\ncount = "1e999 +- 1"',
            Meaning("soft[0].count", value=inf),
        ),
    ],
)
def test_bad_input_is_refused_at_its_place_alone(text: str, meaning: Meaning) -> None:
    with pytest.raises(InputError) as refused:
        body(text)
    assert meaning.of(refused.value)
    assert len(refused.value.problems) == 1
    assert refused.value.problems[0].remedy


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[[particle]]\nname = "p"\nmass = 1\nradius = "0 +- 0.1"\ncontact = { stiffness = 1e4 }', "particle[0]"),
        ('[[circuit]]\nname = "c"\ncoils = []\ncharge = "1 +- 0.1"', "circuit[0].charge"),
    ],
)
def test_rules_about_0_hold_for_means(text: str, path: str) -> None:
    """A radius of 0 +- 0.1 is none to press with, and a charge of 1 +- 0.1 needs a capacitor."""
    for number in (text, re.sub(r" \+- 0\.1", "", text)):
        with pytest.raises(InputError) as refused:
            scene(number)
        assert path in {problem.place for problem in refused.value.problems}


def test_python_refuses_the_same() -> None:
    with pytest.raises(InputError):
        Scene().with_values({"solver.time_step": Uncertain(1e-3, 1e-4)})
    with pytest.raises(InputError):
        read_scene("heavy_top").with_values({"world.magnetic_field": {"kind": "formula", "x": Uncertain(0.5, 0.1)}})
    with pytest.raises(InvalidValue):
        Uncertain(1e-3, -1e-4)


def test_the_schema_allows_such_texts_for_quantities_alone() -> None:
    parts = scene_schema()["$defs"]
    friction = parts["Body"]["properties"]["friction"]
    assert friction["type"] == ["number", "string"]
    assert re.search(friction["pattern"], "1 +- 0.1")
    assert not re.search(friction["pattern"], "much")
    assert parts["Solver"]["properties"]["time_step"]["type"] == "number"
    assert parts["Lattice"]["properties"]["counts"]["prefixItems"][0]["type"] == "integer"


def test_scenes_are_searched_again_for_what_changed() -> None:
    """Answers follow edits in any order, and items that stay are not searched again."""
    items, first = UncertainItems(), body("friction = 1.0")
    second = first.with_values({"body[0].friction": "1 +- 0.1"})
    third = second.with_values({"world.gravity[2]": "-9.8 +- 0.1"})
    answers = [items.are_in(each) for each in (first, second, third, second, first, third)]
    assert answers == [False, True, True, True, False, True]
    assert items.are_in(third.with_values({"body[0].friction": 1.0, "world.gravity[2]": -9.8})) is False


def test_long_texts_are_read_at_once() -> None:
    """Numbers with thousands of digits or spaces after them, before a line break that no such text has."""
    for long in (f"1+-1{' ' * 20000}a\na", f"{'1' * 20000}x", f"1 +- {'1' * 20000}x", f"1{' ' * 20000}x"):
        began = process_time()
        assert uncertain_of_text(long, "") is None
        assert process_time() - began < 0.1


def test_a_deviation_of_0_is_certain() -> None:
    given = body('friction = "1 +- 0"\nposition = [0, 0, "50 +- 0 cm"]', "[units]\nlength = 0.01\nmass = 0.01")
    plain = body("friction = 1.0\nposition = [0, 0, 50]", "[units]\nlength = 0.01\nmass = 0.01")
    assert type(given.body[0].friction) is float
    assert given.body[0].friction == plain.body[0].friction
    assert float(given.body[0].position[2]) == plain.body[0].position[2] == 0.5
    assert uncertain_numbers(given) == ()
    mixed = given.with_values({"world.gravity[2]": "-9.8 +- 0.1"})
    assert [source.name for source in sources_of(mixed).each] == ["world.gravity[2]"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (
            '[[body]]\nname = "b"\nsupport = "driven"\nmotion = { kind = "formula", x = %s }',
            "body[0].motion.x",
        ),
        (
            '[[wall]]\nname = "w"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
            'motion = { kind = "formula", displacement = %s }',
            "wall[0].motion.displacement",
        ),
        (
            '[[joint]]\nname = "j"\nkind = "hinge"\nfirst = "b"\nmotor = { kind = "torque", torque = %s }',
            "joint[0].motor.torque",
        ),
        ('[world]\nmagnetic_field = { kind = "formula", x = %s }', "world.magnetic_field.x"),
        ('[[force]]\non = "b"\nenergy = %s', "force[0].energy"),
    ],
)
def test_formulas_are_certain(text: str, path: str) -> None:
    """ "+-" in them is no minus sign, wherever it is; a sign before a value, after a space, is one."""
    variable = "x" if "energy" in text else "t"
    for formula in ("0.5 +- 0.1", f"1+-2*{variable}", f"0.1*sin(3*{variable}) +- 0.01", "2 ± 0.1", "2 +/- 0.1"):
        with pytest.raises(InputError) as refused:
            scene(text % f'"{formula}"')
        assert Meaning(path, text=formula).of(refused.value)
        assert refused.value.problems[0].remedy
    assert path not in _paths_of_problems(text % f'"1 + -2*{variable}"')


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[[force]]\non = "b"\nforce = { x = "1.0 +- 0.5", y = %s }', "force[0].force.y"),
        ('[[force]]\non = "b"\ntorque = [0, %s, 0]', "force[0].torque[1]"),
        ("[world]\ngravity = [0, 0, %s]", "world.gravity[2]"),
        ("[world]\nrotation = [0, 0, %s]", "world.rotation[2]"),
        ("[world]\nwind = { velocity = [0, 0, %s] }", "world.wind.velocity[2]"),
        ("[[spring]]\nforce = %s", "spring[0].force"),
        ('[[circuit]]\nname = "c"\nvoltage = %s', "circuit[0].voltage"),
    ],
)
def test_an_uncertainty_in_a_formula_is_refused_where_numbers_may_have_one(text: str, path: str) -> None:
    for formula in ("0.1*cos(0*t) +- 0.5", "0.1 +- 0.01*t"):
        with pytest.raises(InputError) as refused:
            scene(text % f'"{formula}"')
        assert Meaning(path, text=formula).of(refused.value)


def _paths_of_problems(text: str) -> list[str]:
    try:
        scene(text)
    except InputError as error:
        return [problem.place for problem in error.problems]
    return []
