"""Tables: their columns, their times, their digits."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polhode import Simulation
from polhode.analysis.columns import columns, columns_of
from polhode.analysis.table.csv_table import CsvTable
from polhode.analysis.table.row_times import RowTimes
from polhode.physics.bodies.shapes import Cuboid, Orientation
from polhode.scene.scene import Body, Dipole, Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.batches.chunked_run import ChunkedRun
from polhode_app.cli.results.batch import Request, run_to_file


def two_magnets() -> Scene:
    """Two turned bars on pivots that move each other."""
    box = Cuboid(kind="cuboid", size=(0.02, 0.03, 0.1), mass=0.05, position=(0.0, 0.0, -0.05))
    return Scene(
        body=tuple(
            Body(
                name=name,
                position=(x, 0.0, 1.0),
                orientation=Orientation(axis=(1.0, 0.3, 0.0), angle=0.5),
                angular_velocity=(0.0, 0.4, 3.0),
                shape=(box,),
                dipole=(Dipole(moment=(0.0, 0.1, 1.0), position=(0.0, 0.0, -0.1)),),
            )
            for name, x in (("left", -0.2), ("right", 0.2))
        )
    )


def read(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = list(csv.reader(file))
    return heading, np.array(rows, dtype=float)


def test_columns_stand_in_scene_order_under_their_agreed_names() -> None:
    names = [*columns(Simulation(two_magnets()).compiled)]
    assert names[:7] == ["time", *(f"left.{v}.{x}" for v in ("position", "velocity") for x in "xyz")]
    assert names[7:16] == [f"left.u{k}.{x}" for k in (1, 2, 3) for x in "xyz"]
    assert names[16:22] == [f"left.{v}.{x}" for v in ("angular_velocity", "angular_momentum") for x in "xyz"]
    assert names[22:25] == [f"left.body_angular_momentum.{x}" for x in "xyz"]
    assert names[25] == "right.position.x"
    assert names[-17:-12] == [f"energy.{e}" for e in ("kinetic", "gravity", "magnetic", "elastic", "total")]
    lines = "friction", "drive", "field", "damping", "contact", "air", "hand", "joint_friction", "motor"
    lines += "projection", "source", "joule"
    assert names[-12:] == [f"work.{line}" for line in lines]
    assert len(names) == 1 + 2 * 24 + 5 + 12


def test_numbers_stand_under_their_columns() -> None:
    scene = two_magnets()
    simulation = Simulation(scene)
    simulation.advance(0.1)
    moment = simulation.snapshot()
    named = dict(zip(columns(simulation.compiled), moment.numbers, strict=True))
    bodies, energy = moment.bodies, moment.energy
    assert named["time"] == moment.time
    for b, name in enumerate(("left", "right")):
        for i, x in enumerate("xyz"):
            assert named[f"{name}.position.{x}"] == bodies.position[b, i]
            assert named[f"{name}.angular_velocity.{x}"] == bodies.angular_velocity[b, i]
            assert named[f"{name}.angular_momentum.{x}"] == bodies.angular_momentum[b, i]
            in_body = bodies.basis[b, i] @ bodies.angular_momentum[b]
            assert named[f"{name}.body_angular_momentum.{x}"] == pytest.approx(in_body, rel=1e-14, abs=1e-18)
            for k in range(3):
                assert named[f"{name}.u{k + 1}.{x}"] == bodies.basis[b, k, i]
    assert named["energy.total"] == energy.kinetic + energy.gravity + energy.magnetic + energy.elastic


@given(until=st.floats(0, 1e3), every=st.floats(0.05, 1e4))
def test_rows_fall_on_multiples_between_both_ends(until: float, every: float) -> None:
    found = list(RowTimes(until, every))
    assert len(found) == len(RowTimes(until, every))
    assert found[-1] == until
    assert found[0] == 0.0
    assert found[:-1] == [float(k * Decimal(repr(every))) for k in range(len(found) - 1)]
    gaps = np.diff(found)
    assert (gaps > 0).all()
    assert (gaps < every * (1 + 1e-8)).all()


@pytest.mark.parametrize(
    ("until", "every", "count"), [(10, 0.01, 1001), (0.3, 0.1, 4), (1, 0.3, 5), (0, 0.1, 1), (1, 5, 2)]
)
def test_the_last_row_is_no_double(until: float, every: float, count: int) -> None:
    assert len(list(RowTimes(until, every))) == count


def test_a_table_holds_the_digits_of_the_run(tmp_path: Path) -> None:
    scene = two_magnets()
    run_to_file(scene, Request(0.05, 0.01, tmp_path / "run.csv"))
    _, table = read(tmp_path / "run.csv")
    simulation = Simulation(scene)
    for number, line in enumerate(table):
        assert line[0] == (0.05 if number == 5 else number * 0.01)
        assert list(line[1:]) == simulation.snapshot().numbers.tolist()[1:]  # not one bit is lost on the way
        simulation.advance_steps(10)


def test_rows_between_steps_are_as_good_as_rows_on_steps(tmp_path: Path) -> None:
    """At 0.0125 and 0.05 s: RK4 at 1 ms and at less has errors far below 1e-9 here, a missed time 1e-3."""
    run_to_file(two_magnets(), Request(0.05, 0.0125, tmp_path / "between.csv"))
    run_to_file(two_magnets(), Request(0.05, 0.0005, tmp_path / "on.csv"))
    between, on = read(tmp_path / "between.csv")[1], read(tmp_path / "on.csv")[1]
    np.testing.assert_allclose(between, on[::25], rtol=1e-7, atol=1e-9)


def test_every_row_can_be_read_while_the_run_goes_on(tmp_path: Path) -> None:
    scene = two_magnets()
    simulation = Simulation(scene)
    with CsvTable(tmp_path / "open.csv", columns(simulation.compiled)) as table:
        for count in range(1, 4):
            table.add_rows(simulation.snapshot().numbers[None])
            heading, rows = read(tmp_path / "open.csv")
            assert rows.shape == (count, len(heading))


def test_a_long_row_is_walked_in_strides_that_meet_its_end() -> None:
    simulation, heard = Simulation(two_magnets()), []
    ChunkedRun().advance(simulation, 2.0, heard.append)
    assert simulation.time == pytest.approx(2.0, abs=1e-12)
    assert len(heard) > 3
    assert heard == sorted(heard)


def test_steps_between_rows_do_not_depend_on_the_speed_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows every 0.3 s and steps of 7 ms: 42 whole ones and one of 6 ms, however long the chunks are."""
    states = []
    for seconds in (0.0, 1e9):  # chunks of a single step, and chunks that double each time
        monkeypatch.setattr("polhode.simulation.batches.chunked_run.CHUNK_SECONDS", seconds)
        described = two_magnets()
        solver = described.solver.model_copy(update={"time_step": 0.007})
        simulation, run = Simulation(described.model_copy(update={"solver": solver})), ChunkedRun()
        for time in (0.3, 0.6, 0.9):
            run.advance(simulation, time, lambda time: None)
        assert simulation.steps == 3 * 43
        states.append(simulation.state.tobytes())
    assert states[0] == states[1]


def test_points_stand_after_the_bodies_under_their_names() -> None:
    soft = {"kind": "chain", "name": "rope", "count": 2, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10.0}
    ball = {"name": "ball", "mass": 1.0, "position": [1, 2, 3], "velocity": [4, 5, 6]}
    simulation = Simulation(scene_of({"soft": [soft], "particle": [ball]}, "test"))
    named = dict(zip(columns(simulation.compiled), simulation.snapshot().numbers, strict=True))
    assert list(named)[1:4] == ["rope.0.position.x", "rope.0.position.y", "rope.0.position.z"]
    assert named["rope.1.position.z"] == -0.1
    assert [named[f"ball.{v}.{x}"] for v in ("position", "velocity") for x in "xyz"] == [1, 2, 3, 4, 5, 6]


def test_columns_of_a_part_stand_where_the_table_has_them():
    scene = scene_of(
        {
            "format": 1,
            "sphere": [{"name": "ball", "mass": 1.0, "radius": 0.1}],
            "soft": [
                {"name": "cloth", "kind": "lattice", "counts": [3, 2, 1], "spacing": [1, 1, 1]}
                | {"particle_mass": 1.0, "stiffness": 1.0}
            ],
            "particle": [{"name": "grain", "mass": 1.0}],
            "bead": [{"name": "pearl", "mass": 1.0, "path": {"kind": "circle", "radius": 1.0}}],
        },
        "here",
    )
    compiled = Simulation(scene).compiled
    table = columns(compiled)
    order = list(table)
    told = {owner: list(columns_of(compiled, owner)) for owner in ("ball", "cloth", "grain", "pearl", "energy", "work")}
    for owner, found in told.items():
        assert [column for _, column, _ in found] == [name for name in order if name.startswith(f"{owner}.")]
        assert all(order[place] == column and table[column] == unit for place, column, unit in found)
    assert sum(map(len, told.values())) == len(table) - 1  # the time is nobody's
