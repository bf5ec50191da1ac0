"""A snapshot: its parts, whenever they are asked for, are those of its moment, and nobody changes them."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from polhode import read_scene
from polhode.scene import gallery
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Energy, Snapshot

ARRAYS = ("momentum", "angular_momentum", "walls", "numbers")


@pytest.mark.parametrize("name", ["magnet_pendulum", "bead_cradle", "jelly_pendulum", "course_10_moving_floor"])
def test_parts_that_are_asked_for_late_are_those_of_the_moment(name: str) -> None:
    simulation = Simulation(read_scene(gallery.path(name)))
    simulation.advance_steps(20)
    late, early = simulation.snapshot(), simulation.snapshot()
    expected = {field.name: repr(getattr(early, field.name)) for field in fields(Snapshot)}
    simulation.advance_steps(20)
    assert {field.name: repr(getattr(late, field.name)) for field in fields(Snapshot)} == expected
    assert repr(simulation.snapshot().numbers) != expected["numbers"]


def test_a_part_is_made_once() -> None:
    snapshot = Simulation(read_scene(gallery.path("magnet_pendulum"))).snapshot()
    assert snapshot.bodies is snapshot.bodies


def test_parts_are_read_only() -> None:
    snapshot = Simulation(read_scene(gallery.path("course_10_moving_floor"))).snapshot()
    arrays = [getattr(snapshot, name) for name in ARRAYS] + [snapshot.bodies.position, snapshot.points.velocity]
    assert not any(array.flags.writeable for array in arrays)


def test_a_snapshot_with_another_part_has_the_others() -> None:
    snapshot = Simulation(read_scene(gallery.path("magnet_pendulum"))).snapshot()
    other = replace(snapshot, energy=Energy(1.0, 2.0, 3.0, 4.0))
    assert other.energy.total == 10.0
    assert other.bodies is snapshot.bodies
    assert np.array_equal(other.numbers, snapshot.numbers)


def test_a_snapshot_has_no_other_parts() -> None:
    snapshot = Simulation(read_scene(gallery.path("magnet_pendulum"))).snapshot()
    with pytest.raises(AttributeError, match="columns"):
        _ = snapshot.columns  # type: ignore[attr-defined]
