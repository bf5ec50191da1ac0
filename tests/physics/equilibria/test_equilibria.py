"""Equilibria, their stability and small oscillations against closed forms."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest
from meaning import Meaning, refuses
from scipy.linalg import eigh

from polhode.engine.compile import build
from polhode.equilibria.at_equilibrium import moments_along, scene_at
from polhode.equilibria.equilibria import Equilibria, find_equilibria
from polhode.equilibria.freedoms import Freedoms
from polhode.equilibria.placements import placements
from polhode.equilibria.pose import pose_of_snapshot
from polhode.equilibria.relaxation import relaxed
from polhode.equilibria.starts import make_starts
from polhode.equilibria.suitable import prepared
from polhode.equilibria.system import System
from polhode.mesh.mesh import Meshes
from polhode.physics.modal.mode_control import net_in
from polhode.physics.modal.normal_modes import lowest_modes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

G = 9.80665
DIFFERENCES = 1e-7  # relative error of eigenvalues: central differences of order 4, step 2e-4, in double precision

PENDULUM = {
    "body": [
        {
            "name": "bob",
            "support": "pivot",
            "orientation": {"axis": [1, 0, 0], "angle": 0.4},
            "shape": [{"kind": "point", "mass": 0.5, "position": [0, 0, -0.8]}],
        }
    ]
}


def scene(tables: dict) -> Scene:
    return scene_of({"format": 1, **tables}, "test")


def found_in(tables: dict, starts: int = 24, **options: object) -> Equilibria:
    return find_equilibria(scene(tables), starts, **options)  # type: ignore[arg-type]


def kinds(found: Equilibria) -> list[str]:
    return [each.stability for each in found.equilibria]


def fastest(found: Equilibria, number: int) -> list[float]:
    """Angular frequencies [1/s] of the oscillating modes, rising."""
    return sorted(2 * pi * mode.frequency for mode in found.equilibria[number].modes if mode.frequency > 0)


def test_a_pendulum_hangs_stably_and_stands_unstably() -> None:
    found = found_in(PENDULUM)
    assert kinds(found) == ["stable", "unstable"]
    bottom, top = found.equilibria
    assert bottom.energy == pytest.approx(-0.5 * G * 0.8, rel=1e-12)
    assert top.energy == pytest.approx(0.5 * G * 0.8, rel=1e-12)
    w = sqrt(G / 0.8)
    assert fastest(found, 0) == pytest.approx([w, w], rel=DIFFERENCES)
    assert np.abs(bottom.eigenvalues.real).max() == 0.0
    assert np.sort(top.eigenvalues) == pytest.approx([-w, -w, w, w], rel=DIFFERENCES)
    assert top.motion.unstable_directions == 2
    assert found.converged == found.starts == 24


def test_equilibria_are_shown_with_energy_and_stability() -> None:
    found = found_in(PENDULUM)
    shown = repr(found).splitlines()
    assert len(shown) == 3
    for line, each in zip(shown[1:], found.equilibria, strict=True):
        assert f"{each.energy:.6g} J, {each.stability}" in line


def test_a_damped_pendulum_has_the_eigenvalues_of_its_equation() -> None:
    mass, length, friction = 0.5, 0.8, 0.3
    axle = PENDULUM["body"][0] | {"support": "axle", "axis": [1, 0, 0], "friction": friction}
    found = found_in({"body": [axle]})
    assert kinds(found) == ["stable", "unstable"]
    inertia = mass * length**2
    for each, sign in zip(found.equilibria, (1.0, -1.0), strict=True):
        expected = np.roots([inertia, friction, sign * mass * G * length])
        assert np.sort_complex(each.eigenvalues) == pytest.approx(np.sort_complex(expected), rel=DIFFERENCES)
    mode = found.equilibria[0].modes[0]
    assert mode.damping_ratio == pytest.approx(friction / (2 * sqrt(inertia * mass * G * length)), rel=1e-6)


def needle(name: str, x: float, support: str = "axle") -> dict:
    held = {"support": "axle", "axis": [0, 0, 1]} if support == "axle" else {"support": support}
    rod = {"kind": "cylinder", "radius": 0.002, "length": 0.03, "mass": 0.003}
    rod["orientation"] = {"axis": [0, 1, 0], "angle": pi / 2}
    dipole = {"moment": [0.2, 0, 0]}
    turned = {"axis": [0, 0, 1], "angle": 0.7}
    return {"name": name, "position": [x, 0, 0], "orientation": turned, "shape": [rod], "dipole": [dipole], **held}


def coupling(distance: float) -> float:
    """mu0 m^2/(4 pi d^3) [J]."""
    return 1.25663706127e-6 * 0.2**2 / (4 * pi * distance**3)


def test_two_needles_on_axles_have_the_eight_equilibria_of_two_dipoles() -> None:
    # U = k (cos(a - b) - 3 cos a cos b): two minima, four saddles, two maxima on the torus of a and b
    found = found_in({"body": [needle("one", 0.0), needle("two", 0.06)]}, starts=96)
    k = coupling(0.06)
    energies = np.array([each.energy for each in found.equilibria]) / k
    assert energies == pytest.approx([-2, -2, -1, -1, 1, 1, 2, 2], rel=1e-9)
    assert [each.motion.unstable_directions for each in found.equilibria] == [0, 0, 1, 1, 1, 1, 2, 2]
    inertia = 0.003 * (0.03**2 / 12 + 0.002**2 / 4)
    assert fastest(found, 0) == pytest.approx([sqrt(k / inertia), sqrt(3 * k / inertia)], rel=DIFFERENCES)
    angles = {
        tuple(part.values[0] for part in placements(found.compiled, each.state)) for each in found.equilibria[2:4]
    }
    assert all(abs(abs(a) - pi / 2) < 1e-9 and abs(a + b) < 1e-9 for a, b in angles)  # antiparallel, side by side


def test_equilibria_of_needles_that_turn_about_their_line_are_one_family() -> None:
    # on pivots, head to tail twice and head to head twice, and one family each of antiparallel and parallel needles
    bodies = [needle("one", 0, "pivot"), needle("two", 0.06, "pivot")]
    found = found_in({"world": {"gravity": [0, 0, 0]}, "body": bodies}, 60)
    energies = np.array([each.energy for each in found.equilibria]) / coupling(0.06)
    assert energies == pytest.approx([-2, -2, -1, 1, 2, 2], rel=1e-9)
    # both spins have no stiffness, and turning both about their line where they are across it
    assert [each.neutral for each in found.equilibria] == [2, 2, 3, 3, 2, 2]
    assert [each.motion.unstable_directions for each in found.equilibria] == [0, 0, 1, 2, 4, 4]
    assert found.equilibria[0].neutral_items == ("one", "two")


def test_a_bead_in_a_double_well_has_the_frequencies_of_its_formula() -> None:
    a, b = 3.0, 0.25  # z = a (x^4/4 - b x^2/2)
    path = {"kind": "formula", "x": "q", "y": "0", "z": f"{a}*(q^4/4 - {b}*q^2/2)", "range": [-1.0, 1.0]}
    bead = {"name": "bead", "mass": 0.2, "radius": 0.01, "path": path, "parameter": 0.9}
    found = found_in({"bead": [bead]})
    assert kinds(found) == ["stable", "stable", "unstable"]
    places = [placements(found.compiled, each.state)[0].values[0] for each in found.equilibria]
    assert sorted(places[:2]) == pytest.approx([-sqrt(b), sqrt(b)], rel=1e-9)
    assert places[2] == pytest.approx(0.0, abs=1e-9)
    assert found.equilibria[0].energy == pytest.approx(-0.2 * G * a * b**2 / 4, rel=1e-9)
    assert fastest(found, 0) == pytest.approx([sqrt(2 * a * b * G)], rel=DIFFERENCES)
    assert found.equilibria[2].eigenvalues.real.max() == pytest.approx(sqrt(a * b * G), rel=DIFFERENCES)


def three_magnets() -> dict:
    bob = {
        "name": "bob",
        "support": "pivot",
        "position": [0, 0, 0.3],
        "orientation": {"axis": [1, 0, 0], "angle": 0.3},
        "shape": [{"kind": "sphere", "radius": 0.012, "mass": 0.02, "position": [0, 0, -0.25]}],
        "dipole": [{"position": [0, 0, -0.25], "moment": [0, 0, 2.0]}],
    }
    around = [(0.08 * np.cos(angle), 0.08 * np.sin(angle)) for angle in 2 * pi * np.arange(3) / 3]
    magnets = [
        {
            "name": f"magnet{k}",
            "support": "fixed",
            "position": [x, y, 0.0],
            "shape": [{"kind": "cylinder", "radius": 0.01, "length": 0.01, "mass": 0.02}],
            "dipole": [{"moment": [0, 0, 2.0]}],
        }
        for k, (x, y) in enumerate(around)
    ]
    return {"body": [bob, *magnets]}


def test_a_pendulum_over_three_magnets_obeys_the_count_of_morse() -> None:
    found = found_in(three_magnets(), starts=60)
    unstable = [each.motion.unstable_directions for each in found.equilibria]
    minima, saddles, maxima = (unstable.count(k) for k in range(3))
    assert minima - saddles + maxima == 2  # Euler's number of the sphere
    assert minima >= 3
    energies = [each.energy for each in found.equilibria]
    assert energies[:3] == pytest.approx([energies[0]] * 3, rel=1e-9)  # the symmetry of the magnets
    assert unstable[:3] == [0, 0, 0]
    assert all(each.neutral == 1 and each.neutral_items == ("bob",) for each in found.equilibria)


def test_a_mass_on_a_spring_hangs_and_balances_as_its_closed_form() -> None:
    stiffness, mass, length, damping = 40.0, 0.3, 0.5, 0.2
    particle = {"name": "ball", "mass": mass, "radius": 0.02, "position": [0.1, 0, -0.6]}
    spring = {"from": [0, 0, 0], "to": "ball", "rest_length": length, "stiffness": stiffness, "damping": damping}
    found = found_in({"particle": [particle], "spring": [spring]})
    assert kinds(found) == ["stable", "unstable"]
    low, high = -(length + mass * G / stiffness), length - mass * G / stiffness
    places = [placements(found.compiled, each.state)[0].values for each in found.equilibria]
    assert places[0] == pytest.approx((0, 0, low), abs=1e-9)
    assert places[1] == pytest.approx((0, 0, high), abs=1e-9)
    along = np.roots([mass, damping, stiffness])
    across = 1j * sqrt(G / -low)  # the tension m g over the length
    expected = np.sort_complex([*along, across, across, -across, -across])
    assert np.sort_complex(found.equilibria[0].eigenvalues) == pytest.approx(expected, abs=1e-6)
    assert found.equilibria[1].motion.unstable_directions == 2  # a compressed spring gives way to both sides


def test_a_small_soft_body_has_the_frequencies_of_its_normal_modes() -> None:
    soft = {"name": "jelly", "kind": "lattice", "counts": [2, 2, 2], "spacing": [0.1, 0.1, 0.1]}
    soft |= {"particle_mass": 0.01, "stiffness": 50.0, "damping": 0.0}
    found = found_in({"world": {"gravity": [0, 0, 0]}, "soft": [soft]}, starts=1)
    (each,) = found.equilibria
    assert each.stability == "neutral"
    assert each.neutral == 6  # the motions of a rigid body
    net = net_in(found.compiled, "jelly")
    expected = lowest_modes(net, net.available, True).frequencies
    assert fastest(found, 0) == pytest.approx(sorted(expected[expected > 1e-3 * expected.max()]), rel=1e-6)


def test_a_double_pendulum_with_a_joint_has_its_four_equilibria() -> None:
    length, mass, width = 0.5, 0.2, 0.03
    rod = {"kind": "cuboid", "size": [width, width, length], "mass": mass, "position": [0, 0, -length / 2]}
    upper = {"name": "upper", "support": "axle", "axis": [0, 1, 0], "position": [0, 0, 0], "shape": [rod]}
    lower = {"name": "lower", "support": "free", "position": [0, 0, -length], "shape": [rod]}
    joint = {"name": "elbow", "kind": "hinge", "first": "upper", "second": "lower", "axis": [0, 1, 0]}
    found = found_in({"body": [upper, lower], "joint": [joint | {"anchor": [0, 0, -length]}]}, starts=16)
    assert [each.motion.unstable_directions for each in found.equilibria] == [0, 1, 1, 2]
    unit = mass * G * length
    assert [each.energy / unit for each in found.equilibria] == pytest.approx([-2, -1, 1, 2], rel=1e-9)
    both, own = mass * length**2, mass * (length**2 / 3 + width**2 / 12)
    inertia = np.array([[own + both, both / 2], [both / 2, own]])  # of the angles of both arms from the vertical
    squares = eigh(unit * np.diag([1.5, 0.5]), inertia, eigvals_only=True)
    assert fastest(found, 0) == pytest.approx(np.sqrt(squares), rel=1e-6)


def chain(links: int) -> dict[str, object]:
    """Rods that hang on each other by hinges about one axis, the first one on an axle, begun at an angle."""
    length = 0.1
    rod = {"kind": "cuboid", "size": [0.01, 0.01, length], "mass": 0.05, "position": [0, 0, -length / 2]}
    bodies: list[dict[str, object]] = []
    joints: list[dict[str, object]] = []
    for k in range(links):
        support = {"support": "axle", "axis": [0, 1, 0]} if k == 0 else {"support": "free"}
        bodies.append({"name": f"rod{k}", "position": [0, 0, -length * k], "shape": [rod], **support})
        if k:
            ends = {"first": f"rod{k - 1}", "second": f"rod{k}", "anchor": [0, 0, -length * k]}
            joints.append({"name": f"joint{k}", "kind": "hinge", "axis": [0, 1, 0], **ends})
    return {"body": bodies, "joint": joints}


def test_descent_brings_a_chain_of_rods_from_anywhere_to_where_it_hangs() -> None:
    """Six hinges: U = -m g l sum (k + 1/2); without the stiffness, which a chain of many coordinates can't afford."""
    compiled = build(prepared(scene(chain(6))), Meshes())
    system = System(compiled)
    starts = list(make_starts(system, compiled, 5, 3))[1:]
    force = float(np.median(np.linalg.norm(system.freedoms.accelerations(np.stack(starts)), axis=1)))
    hanging = -0.05 * G * 0.1 * sum(k + 0.5 for k in range(6))
    energies = system.freedoms.potentials(np.stack(starts))
    assert energies.min() > 0.9 * hanging  # none hangs already
    for start in starts:
        state = relaxed(system, start, force)
        assert state is not None
        # The energy above the minimum is of second order in the force that is left, 1e-6 of the typical one.
        assert float(system.freedoms.potentials(state[None])[0]) == pytest.approx(hanging, rel=1e-9)


def test_equilibria_are_told_as_they_are_found() -> None:
    told: list[int] = []
    found = found_in(three_magnets(), 12, found=lambda so_far: told.append(len(so_far.equilibria)))
    assert told == list(range(1, len(found.equilibria) + 1))


def test_the_search_begins_at_the_present_pose_as_well() -> None:
    """A pendulum that is seen upright, 1e-3 rad beside it: two starts find both rests, that of the scene and this."""
    rod = {"kind": "cuboid", "size": [0.03, 0.03, 0.5], "mass": 0.2, "position": [0, 0, -0.25]}
    pendulum = {"name": "rod", "support": "axle", "axis": [0, 1, 0], "shape": [rod]}
    turned = pendulum | {"orientation": {"axis": [0, 1, 0], "angle": np.pi - 1e-3}}
    upright = Simulation(scene({"body": [turned]})).snapshot()
    one = found_in({"body": [pendulum]}, 1)
    both = found_in({"body": [pendulum]}, 1, present=pose_of_snapshot(upright))
    assert len(one.equilibria) == 1
    assert [each.energy for each in both.equilibria] == pytest.approx([-0.05 * G, 0.05 * G], rel=1e-9)


def test_a_search_is_repeated_exactly_and_depends_on_its_seed() -> None:
    one, same, other = (found_in(three_magnets(), 12, seed=seed) for seed in (1, 1, 2))
    assert [each.state.tobytes() for each in one.equilibria] == [each.state.tobytes() for each in same.equilibria]
    assert [each.starts for each in one.equilibria] == [each.starts for each in same.equilibria]
    assert [each.state.tobytes() for each in one.equilibria] != [each.state.tobytes() for each in other.equilibria]


def test_a_search_can_be_ended_and_is_bounded_in_time() -> None:
    class Enough(Exception):
        pass

    parts = []

    def stop(part: float) -> None:
        parts.append(part)
        if len(parts) == 3:
            raise Enough

    with pytest.raises(Enough):
        found_in(PENDULUM, 24, progress=stop)
    assert parts == pytest.approx([1 / 24, 2 / 24, 3 / 24])
    found = found_in(PENDULUM, 24, time_limit=0.0)
    assert (found.starts, found.wanted, found.equilibria) == (0, 24, ())


def test_a_scene_can_be_put_into_an_equilibrium_and_stays_there() -> None:
    described = scene(three_magnets())
    found = find_equilibria(described, 30)
    changed = scene_at(described, found, found.equilibria[0])
    run = Simulation(changed)
    typical = np.abs(Freedoms(found.compiled).accelerations(Simulation(described).state[None])).max()
    assert np.abs(Freedoms(run.compiled).accelerations(run.state[None])).max() < 1e-9 * typical
    start = run.snapshot().bodies.basis[0].copy()
    run.advance(2.0)
    assert run.snapshot().bodies.basis[0] == pytest.approx(start, abs=1e-9)
    assert changed.body[1:] == described.body[1:]


def test_moments_of_a_mode_move_along_it_about_the_equilibrium() -> None:
    found = found_in(PENDULUM)
    each = found.equilibria[0]
    moments = moments_along(found, each, each.modes[0], 0.1, 8)
    down = np.array([moment.bodies.basis[0, 2, 2] for moment in moments])
    expected = np.cos(0.1 * np.sin(2 * pi * np.arange(8) / 8))  # the tilt of the body's z axis
    assert down == pytest.approx(expected, abs=1e-9)


def test_dry_friction_is_left_out_with_a_note() -> None:
    rubbing = PENDULUM["body"][0] | {"dry_friction": 1.0}
    found = found_in({"body": [rubbing]})
    assert len(found.equilibria) == 2
    assert Meaning("", "friction", names="'bob'").of(found.notes[0])


def test_forces_that_depend_on_time_are_noted() -> None:
    field = {"kind": "rotating", "cosine": [1e-3, 0, 0], "sine": [0, 1e-3, 0], "angular_frequency": 3.0}
    found = found_in({"world": {"magnetic_field": field}, "body": [needle("one", 0)]})
    assert any(Meaning("", "depend", "time").of(note) for note in found.notes)
    assert not found_in(PENDULUM).notes


def test_a_falling_body_has_no_equilibrium() -> None:
    ball = {"name": "ball", "support": "free", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0}]}
    found = found_in({"body": [ball]}, 8)
    assert found.equilibria == ()
    assert found.converged == 0


@pytest.mark.parametrize("tables", [{}, {"body": [PENDULUM["body"][0] | {"support": "fixed"}]}])
def test_a_scene_in_which_nothing_moves_is_refused(tables: dict) -> None:
    with refuses("", "scene", "forces"):
        found_in(tables)


def test_too_many_coordinates_are_refused() -> None:
    soft = {"name": "cloth", "kind": "lattice", "counts": [15, 15, 1], "spacing": [0.1, 0.1, 0.1]}
    with refuses("", "coordinates", count=675, most=600):
        found_in({"soft": [soft | {"particle_mass": 0.01, "stiffness": 50.0}]})
