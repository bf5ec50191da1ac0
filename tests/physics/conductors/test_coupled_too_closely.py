"""Currents so close to each other that their inductances are not positive definite: named at the start and in a run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.engine.compile import build
from polhode.jit.cholesky import POSITIVE, closest_row, factorise
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Diverged, Simulation

STILL = {"gravity": [0, 0, 0]}
SPIN = {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0}


def discs(gap: float, speed: float = 0.0) -> dict[str, Any]:
    """Two discs of coarse sheets in a field that changes."""
    flat = {"kind": "cylinder", "radius": 0.02, "length": 1e-4, "mass": 0.1}
    flat["conductor"] = {"conductivity": 6e9, "panels": 40}
    low = {"name": "low", "support": "fixed", "shape": [flat]}
    high = {"name": "high", "support": "free", "position": [0, 0, gap], "velocity": [0, 0, -speed], "shape": [flat]}
    world = {**STILL, "magnetic_field": SPIN}
    return {"world": world, "solver": {"method": "rk4", "time_step": 1e-4}, "body": [low, high]}


def coils(gap: float, speed: float) -> dict[str, Any]:
    """Two loops with inductances that are stated too low for the distance that they get to."""
    loop = {"winding": {"kind": "loop", "radius": 0.02, "wire_radius": 1e-3}, "turns": 10, "resistance": 0.01}
    loop |= {"inductance": 5e-6, "current": 0.1}
    disc = {"kind": "cylinder", "radius": 0.01, "length": 0.001, "mass": 10}
    body = {
        "name": "carrier",
        "support": "free",
        "position": [0, 0, gap],
        "velocity": [0, 0, -speed],
        "shape": [disc],
    }
    both = [{**loop, "name": "still"}, {**loop, "name": "moving", "body": "carrier"}]
    return {
        "world": STILL,
        "solver": {"method": "rk4", "time_step": 1e-4},
        "body": [body],
        "coil": both,
    }


def ring_in_coil(gap: float, speed: float) -> dict[str, Any]:
    """A ring that moves into a loop of the same radius with an inductance that is stated too low."""
    described = coils(gap, speed)
    ring = {"kind": "tube", "radius": 0.0215, "inner_radius": 0.0185, "length": 0.003, "mass": 10}
    ring["conductor"] = {"conductivity": 6e9, "currents": "rings", "panels": 1}
    described["body"][0]["shape"] = [ring]
    described["coil"] = described["coil"][:1]
    return described


CASES = [(discs, ("low", "high")), (coils, ("still", "moving")), (ring_in_coil, ("still", "carrier"))]


@pytest.mark.parametrize(("of", "names"), CASES)
def test_a_run_that_brings_them_together_ends_with_their_names(of: Any, names: tuple[str, str]) -> None:
    simulation = Simulation(Scene.model_validate(of(0.02, 2.0)))
    with pytest.raises(Diverged) as caught:
        simulation.advance(0.02)
    values = caught.value.args[0].values["rule"].values
    assert {values["one"], values["other"]} == set(names)
    assert values["value"] >= 1
    assert np.isfinite(simulation.snapshot().bodies.position).all()
    simulation.reset()
    simulation.advance(1e-3)  # as before


@pytest.mark.parametrize("of", [discs, ring_in_coil])
def test_a_start_with_them_together_is_refused(of: Any) -> None:
    with pytest.raises(InputError) as caught:
        build(Scene.model_validate(of(1e-4, 0.0)), Meshes())
    problem = caught.value.problems[0]
    assert problem.place in ("body[0] and body[1]", "coil[0]")
    assert problem.rule.values["value"] >= 1


@pytest.mark.parametrize("of_coil", [{"resistance": 5.0}, {"source": {"kind": "current", "current": 0.1}}])
def test_coils_that_no_inductance_is_solved_for_may_be_close(of_coil: dict[str, Any]) -> None:
    """A resistive coil and a given current beside a ring, with a stated inductance that would be too low."""
    described = ring_in_coil(1e-4, 0.0)
    described["coil"][0] = {**described["coil"][0], "inductance": 1e-9, "current": 0.0, **of_coil}
    simulation = Simulation(Scene.model_validate(described))
    simulation.advance(1e-3)
    assert np.isnan(simulation._work.conductors.failed[0])


def test_the_first_pivot_that_is_not_positive() -> None:
    matrix = np.diag([2.0, 3.0, 1.0, 5.0])
    assert factorise(matrix.copy()) == (POSITIVE, 0.0)
    matrix[2, 1] = matrix[1, 2] = 2.0
    assert factorise(matrix.copy()) == (2, pytest.approx(2.0 / np.sqrt(3.0)))
    assert closest_row(matrix, 2) == 1
