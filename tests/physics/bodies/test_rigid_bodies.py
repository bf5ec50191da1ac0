"""Rigid bodies on pivots against closed forms, conservation laws and an independent integration."""

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.physics.bodies.arrays import body_states
from polhode.scene.part import mark_validated
from polhode.scene.problem import InputError
from polhode.scene.scene import Dipole
from polhode.simulation.simulation import Diverged, Simulation
from scenes import FIXED, OTHER, TILTED, independent_turns, scene, sphere, turned


def test_magnets_friction_and_field_agree_with_an_independent_integration():
    """RK4's global error at dt = 1e-4 is C dt^4 with C about the fifth power of the fastest rate (20 1/s) times 2 s:
    1e-10 times chaos's growth over 2 s; the tolerance leaves a factor of 100."""
    s = scene(TILTED, OTHER, FIXED, time_step=1e-4, magnetic_field={"kind": "uniform", "value": [2e-3, 1e-3, -3e-3]})
    simulation = Simulation(s)
    times = np.linspace(0.0, 2.0, 5)
    expected = independent_turns(s, times)
    for k, _ in enumerate(times):
        found = np.swapaxes(simulation.snapshot().bodies.basis, 1, 2)
        assert np.abs(found - expected[k]).max() < 1e-8
        simulation.advance(0.5)


def test_a_bob_without_inertia_about_its_thread_is_not_wound_up_by_a_torque_along_it():
    """A dipole across the thread in a field gives a torque along it; only what turns the bob may act."""
    bob = {
        "name": "bob",
        "orientation": turned(1, 0, 0, 1.0),
        "shape": [{"kind": "point", "mass": 0.1, "position": [0, 0, -0.5]}],
        "dipole": [{"position": [0, 0, -0.5], "moment": [2.0, 0, 0]}],
    }
    s = scene(bob, time_step=1e-4, magnetic_field={"kind": "uniform", "value": [0.0, 0.05, 0.02]})
    simulation = Simulation(s)
    simulation.advance(2.0)
    found = simulation.snapshot().bodies
    axis = found.basis[0, 2]
    assert abs(axis @ found.angular_momentum[0]) < 1e-15
    expected = independent_turns(s, [0.0, 2.0])[-1, 0]
    assert found.basis[0].T == pytest.approx(expected, abs=1e-8)


def test_energy_without_friction_stays_and_with_friction_only_falls():
    quiet = {**TILTED, "friction": 0.0}
    simulation = Simulation(scene(quiet, OTHER, FIXED))
    start = simulation.snapshot().energy
    simulation.advance(5.0)
    end = simulation.snapshot().energy
    # RK4 loses (w dt)^6/72 per step: 1e-7 of what swings (about end.kinetic) for w of 30 1/s over 5000 steps
    assert abs(end.total - start.total) < 1e-7 * end.kinetic
    rubbing = Simulation(scene({**TILTED, "friction": 1e-4}, OTHER, FIXED))
    totals = []
    for _ in range(20):
        totals.append(rubbing.snapshot().energy.total)
        rubbing.advance(0.1)
    assert np.all(np.diff(totals) < 0)


def test_basis_stays_orthonormal():
    simulation = Simulation(scene({**TILTED, "angular_velocity": [0, 0, 300]}))
    simulation.advance(2.0)
    basis = simulation.snapshot().bodies.basis[0]
    assert basis @ basis.T == pytest.approx(np.eye(3), abs=4e-15)
    assert 1e-12 < simulation.basis_drift < 1e-3


def test_twenty_seconds_are_twice_ten_to_the_last_bit():
    once, twice, again = (Simulation(scene(TILTED, OTHER, FIXED)) for _ in range(3))
    once.advance(20)
    twice.advance(10)
    twice.advance(10)
    for _ in range(2000):
        again.advance(0.01)
    for other in (twice, again):
        assert other.time == once.time == 20.0
        assert other.snapshot().bodies.basis.tobytes() == once.snapshot().bodies.basis.tobytes()
        assert other.snapshot().bodies.angular_momentum.tobytes() == once.snapshot().bodies.angular_momentum.tobytes()


def test_seconds_that_the_step_does_not_divide_end_on_time():
    coarse = Simulation(scene(TILTED, time_step=3e-3))
    for k in range(1, 11):
        coarse.advance(0.01)
        assert coarse.time == pytest.approx(0.01 * k, abs=1e-15)
    fine = Simulation(scene(TILTED, time_step=2.5e-3))
    fine.advance(0.1)
    assert coarse.snapshot().bodies.basis == pytest.approx(fine.snapshot().bodies.basis, abs=1e-13)


def test_a_diverging_run_stops_on_the_last_good_state_and_names_the_body():
    """Friction c with c dt/I = 30 lies far beyond RK4's limit of 2.785: the spin grows without bound."""
    wheel = {"name": "wheel", "angular_velocity": [0, 0, 1], "shape": [sphere(radius=0.1, mass=1.0)]}
    wheel["friction"] = 30 * 0.4 * 0.1**2 / 1e-3
    simulation = Simulation(scene({**TILTED}, wheel, gravity=[0, 0, 0]))
    with refuses("", "diverged", part="wheel", raised=Diverged) as stop:
        simulation.advance(1.0)
    last = simulation.snapshot().bodies
    assert stop.value.time == simulation.time > 0
    assert last.basis[1] @ last.basis[1].T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.isfinite(last.angular_momentum).all()
    simulation.reset()
    assert (simulation.time, simulation.steps) == (0.0, 0)
    simulation.advance_steps(1)


def test_a_force_beyond_all_numbers_stops_the_run_at_its_start():
    magnet = Dipole(moment=(0.0, 0.0, 1.0)).model_copy(update={"moment": (0.0, 0.0, 1e160)})
    mark_validated(magnet)  # a file could not have such a moment
    needle = {"shape": [sphere()], "dipole": [magnet]}  # the force of two of them overflows
    simulation = Simulation(scene({"name": "a", **needle}, {"name": "b", "position": [1, 0, 0], **needle}))
    with refuses("", "diverged", part="a", time=0, raised=Diverged):
        simulation.advance(1.0)


def test_dipoles_in_the_same_place_are_named():
    here = {"shape": [sphere()], "dipole": [{"moment": [0, 0, 1]}]}
    there = {
        **here,
        "position": [0.1, 0, 0],
        "dipole": [{"moment": [0, 0, 1]}, {"position": [-0.1, 0, 0], "moment": [1, 0, 0]}],
    }
    with pytest.raises(InputError) as refused:
        Simulation(scene({"name": "a", **here}, {"name": "b", **there}))
    (problem,) = refused.value.problems
    assert Meaning("body[1].dipole[1].position", "position", place="body[0].dipole[0]", name="a").of(problem)


def test_an_edit_carries_the_motion_of_bodies_and_changes_what_was_edited():
    simulation = Simulation(scene(TILTED, OTHER))
    simulation.advance(0.3)
    before = simulation.snapshot()
    heavier = {**TILTED, "shape": [*TILTED["shape"], sphere(position=(0, 0, -0.1))]}
    simulation.load(scene({**OTHER, "position": [0.3, 0, 0.2]}, heavier))
    after = simulation.snapshot()
    assert after.time == before.time
    assert after.bodies.basis[1] == pytest.approx(before.bodies.basis[0], abs=1e-15)
    assert after.bodies.angular_velocity[1] == pytest.approx(before.bodies.angular_velocity[0], rel=1e-12)
    assert after.bodies.position[0] == pytest.approx([0.3, 0, 0.2])
    assert after.bodies.angular_velocity[0] == pytest.approx(before.bodies.angular_velocity[1], rel=1e-12)
    simulation.load(scene({**OTHER, "support": "free"}, heavier))
    assert np.abs(simulation.snapshot().bodies.angular_velocity[0]).max() == 0  # held in another way


def test_snapshots_are_read_only_copies():
    simulation = Simulation(scene(TILTED))
    snapshot = simulation.snapshot()
    basis = snapshot.bodies.basis.copy()
    simulation.advance(0.1)
    assert (snapshot.bodies.basis == basis).all()
    with pytest.raises(ValueError, match="read-only"):
        snapshot.bodies.basis[0, 0, 0] = 2.0


def test_state_of_a_fixed_body_never_changes():
    simulation = Simulation(scene(FIXED, TILTED))
    start = body_states(simulation.compiled.model.bodies, simulation.compiled.start)[0].copy()
    simulation.advance(1.0)
    assert (body_states(simulation.compiled.model.bodies, simulation.state)[0] == start).all()
