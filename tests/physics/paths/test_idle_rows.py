"""Beads whose bodies are idle rows of a batch: they move as they do where something might act on their bodies."""

import numpy as np
import pytest
from kernel_arguments import placed

from polhode.analysis.columns import columns
from polhode.engine.idle import begin_batch, end_batch, has_idle_rows
from polhode.physics.grab.interactions import PullBody
from polhode.physics.paths.path_kernels import piece_at
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Diverged, Simulation
from scenes import G

RING = {"kind": "spline", "points": [[0, 0, 0], [1, 0, 0.3], [0.8, 1, -0.2], [0.1, 0.7, 0.2]], "closed": True}
BENT = {"kind": "spline", "points": [[0, 0, 0.4], [0.5, 0, 0.0], [0.8, 0.3, 0.1], [1.2, 0.2, 0.5]]}
LINE = {"kind": "line", "start": [0, 0, 0], "end": [0.8, 0, -0.6]}
SINE = {"kind": "sine", "direction": [0.6, 0, 0.8], "amplitude": 0.2, "period": 0.7}
FAR = {"name": "far", "point": [0, 0, -1e3], "stiffness": 1e3}  # it touches nothing, but it might
BOB = {"name": "bob", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0, "position": [0.3, 0, -1]}]}
GRAIN = {"name": "grain", "mass": 0.1, "position": [3, 0, 0]}

SETS = {
    "round a ring": [{"path": RING, "parameter": 0.1 * k, "speed": 2.0 + 0.1 * k, "mass": 0.3} for k in range(19)],
    "with friction": [{"path": RING, "parameter": 0.3, "speed": -2.0, "friction": 0.2, "mass": 0.7}],
    "to and fro": [{"path": BENT, "parameter": 0.2, "speed": 4.0}, {"path": BENT, "parameter": 0.9}],
    "to a stop": [{"path": LINE, "ends": "stop", "friction": 0.1}, {"path": RING}],
    "off its path": [{"path": LINE, "ends": "leave"}, {"path": RING}, {"path": LINE, "parameter": 0.5}],
    "on formulas": [{"path": {"kind": "circle", "radius": 0.5}, "parameter": 0.3}, {"path": BENT}],
    "on a cycloid": [{"path": {"kind": "cycloid", "radius": 0.2}, "parameter": 0.7}, {"path": RING}],
    "on moving paths": [{"path": BENT, "path_motion": SINE, "ends": "stop", "speed": 3.0}, {"path": RING}],
    "all alike on moving paths": [{"path": RING, "path_motion": SINE, "parameter": 0.1 * k} for k in range(3)],
}


def run(beads, **parts):
    named = [{"name": f"bead{number}", **bead} for number, bead in enumerate(beads)]
    solver, world = {"method": "rk4", "time_step": 1e-3}, {"gravity": [0, 0, -G]}
    return Simulation(Scene.model_validate({"solver": solver, "world": world, "bead": named, **parts}))


def has_idle_bodies(simulation):
    """Whether its next batch would leave out the bodies of its beads."""
    model, inputs, state, work = placed(simulation)
    batch = model, inputs, simulation.time, state, work
    begin_batch(*batch)
    idle = has_idle_rows(work)
    end_batch(*batch)
    return idle


@pytest.mark.parametrize("others", [{}, {"body": [BOB], "particle": [GRAIN]}], ids=["alone", "beside others"])
@pytest.mark.parametrize("name", SETS)
def test_beads_move_the_same_whether_or_not_their_bodies_wait(name, others):
    one, other = run(SETS[name], **others), run(SETS[name], wall=[FAR], **others)
    assert has_idle_bodies(one)
    assert not has_idle_bodies(other)
    for steps in (1, 300, 701):
        one.advance_steps(steps)
        other.advance_steps(steps)
        now, then = one.snapshot(), other.snapshot()
        np.testing.assert_allclose(now.numbers, then.numbers, rtol=0, atol=1e-11)
        np.testing.assert_array_equal(now.beads.is_held, then.beads.is_held)
        np.testing.assert_allclose(now.beads.constraint, then.beads.constraint, atol=1e-10)
    assert has_idle_bodies(one) == now.beads.is_held.all()


def test_what_waits_is_where_it_belongs_after_every_batch():
    """And batches of any length give the same bytes."""
    once, often = run(SETS["round a ring"]), run(SETS["round a ring"])
    once.advance_steps(300)
    for _ in range(100):
        often.advance_steps(3)
    state = once.state
    assert state.tobytes() == often.state.tobytes()
    placed = once.snapshot().bodies
    np.testing.assert_array_equal(state[: 19 * 18].reshape(19, 18)[:, :3], placed.position)
    np.testing.assert_array_equal(state[: 19 * 18].reshape(19, 18)[:, 6:15].reshape(19, 3, 3), placed.basis)


def test_columns_between_the_ends_of_batches_are_those_of_single_steps():
    sampled, stepped = run(SETS["on moving paths"]), run(SETS["on moving paths"])
    names = list(columns(sampled.compiled))
    wanted = [k for k, name in enumerate(names) if name.startswith(("bead0", "energy"))]
    assert len(wanted) > 20
    sampled.sample(wanted, 10)
    sampled.advance_steps(50)
    rows = []
    for _ in range(5):
        stepped.advance_steps(10)
        rows.append(stepped.snapshot().numbers[wanted])
    np.testing.assert_allclose(sampled.sampled(), rows, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    "bead", [{"rolling": True}, {"drag": 0.1}, {"moment": [0, 0, 1]}, {"contact": {"stiffness": 1e3}}], ids=str
)
def test_nothing_waits_that_turns_or_that_something_acts_on(bead):
    assert not has_idle_bodies(run([{"path": RING, **bead}]))


def test_nothing_waits_while_a_hand_pulls():
    simulation = run([{"path": RING, "mass": 2.0}])
    assert has_idle_bodies(simulation)
    simulation.grab(PullBody(0, (0, 0, 0), (1.0, 0.0, 0.0)))
    assert not has_idle_bodies(simulation)
    simulation.release()
    assert has_idle_bodies(simulation)


def test_a_step_that_is_not_finite_leaves_the_last_good_one():
    """Weight is beyond all numbers once gravity is that strong."""
    simulation = run([{"path": LINE, "mass": 1e10}, {"path": RING}])
    simulation.advance_steps(5)
    before = simulation.state
    simulation.inputs.gravity[:] = 0, 0, -1e300
    with pytest.raises(Diverged, match="'bead0' diverged"):
        simulation.advance_steps(10)
    np.testing.assert_array_equal(simulation.state, before)
    assert simulation.steps == 5


def test_paths_that_are_alike_share_their_pieces_and_are_found_from_any_guess():
    paths = run([{"path": RING}, {"path": BENT}, {"path": RING}]).compiled.model.beads.paths
    assert len(paths.pieces) == 4 + 3
    np.testing.assert_array_equal(paths.first_piece, [0, 4, 0])
    np.testing.assert_array_equal(paths.stop_piece, [4, 7, 4])
    for i in range(3):
        for q in [*np.linspace(-1, 9, 41), *paths.knots, *paths.ends, np.nan]:
            found = {piece_at(paths, i, q, guess)[1] for guess in range(-1, 9)}
            assert len(found) == 1
