"""Eddy currents beside the reference implementation, closed forms, symmetries, and how they take energy."""

from __future__ import annotations

import eddy_reference
import numpy as np
import pytest
from sampling import sampled
from scipy.spatial.transform import Rotation

from polhode.analysis.columns import columns
from polhode.engine.diagnostics import observed
from polhode.engine.work import hooks_of, make_work
from polhode.physics.bodies.shapes import Orientation
from polhode.physics.plates.compile import frame_of
from polhode.scene.fields import parse_path, with_value, written
from polhode.scene.scene import VACUUM, Scene
from polhode.scene.variants.drivable_parameters import parameters
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from scenes import scene, sphere

COPPER = 5.9e7
WEIGHTLESS = [0, 0, 0]


def plate(thickness=0.01, **more) -> dict:
    return {"point": [0.1, -0.2, 0.3], "normal": [1, 2, 4], "conductivity": COPPER, "thickness": thickness, **more}


def bodies_above(random: np.random.Generator, sides, stated: dict, dipoles=2) -> list[dict]:
    """Free bodies of random dipoles, moving and turning, on these sides of a plate, at heights of its dipoles of 3 to 8
    cm."""
    frame = frame_of(Scene.model_validate({"plate": [stated]}).plate[0])
    found = []
    for number, side in enumerate(sides):
        place = [*random.uniform(-0.04, 0.04, 2), side * (0.055 + stated["thickness"] / 2)]
        axis, angle = random.normal(size=3), random.uniform(0, 3)
        magnets = [
            {"position": random.uniform(-0.014, 0.014, 3).tolist(), "moment": random.normal(size=3).tolist()}
            for _ in range(dipoles)
        ]
        found.append(
            {
                "name": f"magnet{number}",
                "support": "free",
                "position": (np.array(stated["point"]) + place @ frame).tolist(),
                "orientation": {"axis": axis.tolist(), "angle": angle},
                "velocity": random.normal(size=3).tolist(),
                "angular_velocity": (20 * random.normal(size=3)).tolist(),
                "shape": [sphere(0.005, 0.02, [0.003, 0.0, 0.002])],
                "dipole": magnets,
            }
        )
    return found


def described(bodies, *plates, **more) -> Scene:
    return scene(*bodies, plate=list(plates), gravity=WEIGHTLESS, **more)


def dipoles_of(simulation: Simulation) -> tuple[np.ndarray, ...]:
    """Bodies (m,), places, moments, velocities and rates of the moments (m, 3) of all dipoles, laboratory frame."""
    now, parts = simulation.snapshot().bodies, simulation.scene.body
    rows = [
        (b, now.position[b] + arm, moment, now.velocity[b] + np.cross(spin, arm), np.cross(spin, moment))
        for b, body in enumerate(parts)
        for spin in [now.angular_velocity[b]]
        for dipole in body.dipole
        for arm, moment in [(np.array(dipole.position) @ now.basis[b], np.array(dipole.moment) @ now.basis[b])]
    ]
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def by_quadrature(simulation: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Forces (n, 3) [N] and torques (n, 3) [N m] about the centres of mass of bodies by quadrature."""
    owner, *vectors = dipoles_of(simulation)
    about = np.array(simulation.snapshot(forces=True).forces["eddy currents"].about)
    force, torque = np.zeros_like(about), np.zeros_like(about)
    for stated in simulation.scene.plate:
        frame = frame_of(stated)
        local = [(vectors[0] - stated.point) @ frame.T, *(vector @ frame.T for vector in vectors[1:])]
        found = eddy_reference.loads(stated.thickness, stated.conductivity, *local)
        fields, forces = (part @ frame for part in found)
        for b, place, moment, field, pull in zip(owner, vectors[0], vectors[1], fields, forces, strict=True):
            force[b] += pull
            torque[b] += np.cross(moment, field) + np.cross(place - about[b], pull)
    return force, torque


@pytest.mark.parametrize(
    ("sides", "thickness", "dipoles"),
    sampled(
        [
            ((-1,), 0.02, 2),
            ((1, -1), 0.01, 2),
            ((1,), 0.001, 2),
            ((1, -1), 0.01, 1),
            ((1, -1), 0.04, 2),
            ((1, 1), 0.01, 2),
        ],
        3,
    ),
)
def test_forces_and_torques_are_those_of_the_integrated_currents(sides, thickness, dipoles):
    """To 1e-4 of the largest; the quadrature is good to 1e-6."""
    random = np.random.default_rng(3)
    stated = plate(thickness)
    simulation = Simulation(described(bodies_above(random, sides, stated, dipoles), stated))
    loads = simulation.snapshot(forces=True).forces["eddy currents"]
    for found, expected in zip((loads.on_bodies, loads.torque), by_quadrature(simulation), strict=True):
        assert np.abs(expected).min() > 1e-4 * np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_two_plates_add():
    random = np.random.default_rng(5)
    one, other = plate(0.01), plate(0.02, name="other", normal=[0, 0, 1], point=[0, 0, -0.5])
    bodies = bodies_above(random, (1, 1), one)

    def force(*plates) -> np.ndarray:
        return Simulation(described(bodies, *plates)).snapshot(forces=True).forces["eddy currents"].on_bodies

    np.testing.assert_allclose(force(one, other), force(one) + force(other), rtol=1e-12)


def drag(velocity, thickness=1e-6, height=0.03, **more) -> np.ndarray:
    """(3,) [N] on a dipole of 1 A m^2 at a height above the upper face of a plate about z = 0."""
    magnet = {"name": "magnet", "support": "free", "shape": [sphere(0.005, 0.01)], "dipole": [{"moment": [0, 0, 1.0]}]}
    placed = {"position": [0, 0, height + thickness / 2], "velocity": velocity}
    stated = plate(thickness, point=[0, 0, 0], normal=[0, 0, 1])
    now = Simulation(described([{**magnet, **placed, **more}], stated)).snapshot(forces=True)
    return now.forces["eddy currents"].on_bodies[0]


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0.6, 0.8), (0, 0, 1)])
def test_a_thin_sheet_drags_a_vertical_dipole_by_the_inverse_fourth_power(direction):
    """3 mu0^2 s T m^2 v/(128 pi h^4) along it and twice as much across; a sheet of 1 micrometre is thin to 7e-5."""
    speed = 0.1
    along = 3 * VACUUM**2 * COPPER * 1e-6 * speed / (128 * np.pi * 0.03**4)
    expected = -along * np.array(direction) * [1, 1, 2]
    np.testing.assert_allclose(drag((speed * np.array(direction)).tolist()), expected, rtol=1e-4, atol=1e-15)


def test_a_half_space_drags_by_the_inverse_cube():
    """The sheets of a thick plate add up to 3 mu0^2 s m^2 v/(128 pi) int dz/z^4 = mu0^2 s m^2 v/(128 pi h^3)."""
    force = drag([0.1, 0, 0], thickness=30.0)
    assert force[0] == pytest.approx(-(VACUUM**2) * COPPER * 0.1 / (128 * np.pi * 0.03**3), rel=1e-8)


def loads_of(bodies, *plates) -> np.ndarray:
    """(n, 6) forces [N] and torques [N m] about the centres of mass."""
    found = Simulation(described(bodies, *plates)).snapshot(forces=True).forces.get("eddy currents")
    return np.zeros((len(bodies), 6)) if found is None else np.hstack([found.on_bodies, found.torque])


def resistance(bodies, stated) -> np.ndarray:
    """(6 n, 6 n) loads per velocities and angular velocities, with the opposite sign."""
    columns = []
    for number in range(6 * len(bodies)):
        motion = np.zeros(6 * len(bodies))
        motion[number] = 1.0
        moved = [
            {**body, "velocity": part[:3].tolist(), "angular_velocity": part[3:].tolist()}
            for body, part in zip(bodies, motion.reshape(-1, 6), strict=True)
        ]
        columns.append(-loads_of(moved, stated).ravel())
    return np.array(columns).T


@pytest.mark.parametrize("sides", [(1, 1), (1, -1)])
def test_resistances_are_symmetric_and_never_drive(sides):
    """Onsager's reciprocity: one magnet drags the other as that drags this one; eigenvalues are not negative."""
    stated = plate(0.015)
    bodies = [
        {**body, "shape": [sphere(0.005, 0.02)]} for body in bodies_above(np.random.default_rng(7), sides, stated)
    ]
    found = resistance(bodies, stated)
    np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-12 * np.abs(found).max())
    across = found[:6, 6:]
    assert np.abs(across).max() > 1e-2 * np.abs(found).max()
    values = np.linalg.eigvalsh((found + found.T) / 2)
    assert values.min() > -1e-12 * values.max()


def measured(simulation: Simulation) -> dict[str, float]:
    """The row of the table by names of columns."""
    compiled, inputs = simulation.compiled, simulation.inputs
    times, work = np.array([simulation.time]), make_work(compiled.model, inputs)
    row = observed(compiled.model, inputs, times, simulation.state[None], work)[0]
    return dict(zip(columns(compiled), row.tolist(), strict=True))


def test_the_power_of_random_motions_is_the_heat_and_never_positive():
    random = np.random.default_rng(11)
    for _ in range(5):
        stated = plate(float(random.uniform(1e-4, 0.05)))
        simulation = Simulation(described(bodies_above(random, (1, -1, 1), stated, 3), stated))
        now, found = simulation.snapshot(forces=True), measured(simulation)
        loads = now.forces["eddy currents"]
        at_centers = np.cross(now.bodies.angular_velocity, loads.at_bodies - now.bodies.position)
        power = (loads.on_bodies * (now.bodies.velocity + at_centers)).sum()
        power += (loads.torque * now.bodies.angular_velocity).sum()
        assert found["plate.heating"] > 0
        assert power == pytest.approx(-found["plate.heating"], rel=1e-10)
        on_plate = [found[f"plate.force.{axis}"] for axis in "xyz"]
        np.testing.assert_allclose(on_plate, -loads.on_bodies.sum(axis=0), rtol=1e-9)


def test_turning_everything_turns_the_loads():
    """The plate and its magnets in another orientation and place; also a normal that points the other way."""
    stated, turn = plate(0.01), Rotation.from_rotvec([0.7, -1.1, 0.4])
    bodies = bodies_above(np.random.default_rng(13), (1, -1), stated)
    moved = []
    for body in bodies:
        basis = turn.as_matrix() @ Orientation.model_validate(body["orientation"]).matrix()
        vectors = {key: turn.apply(body[key]).tolist() for key in ("position", "velocity", "angular_velocity")}
        moved.append({**body, **vectors, "orientation": {"basis": basis.T.tolist()}})
    normal, point = (-turn.apply(stated["normal"])).tolist(), turn.apply(stated["point"]).tolist()
    found, expected = loads_of(moved, {**stated, "point": point, "normal": normal}), loads_of(bodies, stated)
    np.testing.assert_allclose(found[:, :3], turn.apply(expected[:, :3]), rtol=1e-9)
    np.testing.assert_allclose(found[:, 3:], turn.apply(expected[:, 3:]), rtol=1e-9)


def test_an_upright_moment_that_spins_about_itself_feels_nothing():
    body = {
        "name": "magnet",
        "support": "free",
        "position": [0, 0, 0.04],
        "angular_velocity": [0, 0, 50.0],
        "shape": [sphere(0.005, 0.01)],
        "dipole": [{"moment": [0, 0, 1.0]}],
    }
    assert not loads_of([body], plate(0.01, point=[0, 0, 0], normal=[0, 0, 1])).any()


def test_the_ledger_counts_the_heat():
    """Energy less ledger is constant to the error of the method."""
    stated = plate(0.004)
    slow = [
        {**body, "velocity": (0.2 * np.array(body["velocity"])).tolist(), "dipole": body["dipole"][:1]}
        for body in bodies_above(np.random.default_rng(17), (1, -1), stated)
    ]
    simulation = Simulation(described(slow, stated, method="dormand_prince_8", time_step=5e-4))
    start = simulation.snapshot()
    simulation.advance(0.04)
    now = simulation.snapshot()
    assert now.ledger.damping < -1e-3 * start.energy.kinetic
    drift = (now.energy.total - now.ledger.total) - (start.energy.total - start.ledger.total)
    assert abs(drift) < 1e-10 * start.energy.kinetic


def test_scenes_without_plates_or_magnets_have_no_hook():
    without = Simulation(described(bodies_above(np.random.default_rng(1), (1,), plate())))
    stone = {"name": "stone", "support": "free", "shape": [sphere()]}
    for simulation in (without, Simulation(described([stone], plate()))):
        found = hooks_of(simulation.compiled.model, simulation.inputs)
        assert "plates" not in {part.name for of_phase in found.values() for part, _ in of_phase}
        assert not any(name.startswith("plate.") for name in columns(simulation.compiled))


def beside_a_plate(**more) -> Scene:
    """A magnet that falls along a vertical wire, 0.015 m beside an upright plate of 4 mm."""
    path = {"kind": "line", "start": [0.017, 0, 10], "end": [0.017, 0, -10]}
    bead = {"name": "magnet", "mass": 0.031, "radius": 0.01, "path": path, "moment": [4.0, 0, 0]}
    upright = {"normal": [1, 0, 0], "conductivity": 3.7e7, "thickness": 0.004}
    return scene(bead=[bead], plate=[upright], **more)


def terminal_speed(conductivity=3.7e7) -> float:
    """M g/c, c = mu0^2 s m^2/(128 pi) {1/h^3 - 1/(h + T)^3}."""
    drag = VACUUM**2 * conductivity * 16.0 / (128 * np.pi) * (1 / 0.015**3 - 1 / 0.019**3)
    return 0.031 * 9.80665 / drag


@pytest.mark.parametrize("method", ["rk4", "splitting", "implicit", "adams_bashforth_2", "dormand_prince_8"])
def test_a_magnet_beside_a_plate_falls_at_its_terminal_speed(method):
    simulation = Simulation(beside_a_plate(method=method, time_step=1e-3))
    start = simulation.snapshot().energy.total
    simulation.advance(2.5)  # 28 times M/c
    now = simulation.snapshot()
    assert -now.bodies.velocity[0, 2] == pytest.approx(terminal_speed(), rel=1e-9)
    assert now.energy.total - now.ledger.total == pytest.approx(start, rel=1e-4)
    found = measured(simulation)
    assert found["plate.heating"] == pytest.approx(0.031 * 9.80665 * terminal_speed(), rel=1e-8)
    assert found["plate.force.z"] == pytest.approx(-0.031 * 9.80665, rel=1e-8)


def test_an_edit_of_the_plate_brakes_the_running_magnet_from_then_on():
    simulation = Simulation(beside_a_plate())
    simulation.advance(2.5)
    where = simulation.snapshot().bodies.position[0, 2]
    simulation.load(with_value(simulation.scene, parse_path("plate[0].conductivity"), 5.9e7))
    assert simulation.snapshot().bodies.position[0, 2] == where
    simulation.advance(2.0)
    assert -simulation.snapshot().bodies.velocity[0, 2] == pytest.approx(terminal_speed(5.9e7), rel=1e-9)


def test_a_scene_from_a_moment_goes_on_alike():
    simulation = Simulation(beside_a_plate())
    simulation.advance(0.05)
    later = Simulation(scene_from_snapshot(simulation.compiled, simulation.snapshot())[0])
    simulation.advance(0.1)
    later.advance(0.1)
    np.testing.assert_allclose(later.snapshot().bodies.position, simulation.snapshot().bodies.position, rtol=1e-12)


def test_the_sensor_drives_the_conductivity():
    drive = {"parameter": "plate[0].conductivity", "scale": 1e8, "offset": 0.0}
    sensor = {"centre": 0.59, "amplitude": 0.0, "drive": [drive]}
    simulation = Simulation(beside_a_plate(sensor=sensor))
    simulation.advance(2.5)
    assert -simulation.snapshot().bodies.velocity[0, 2] == pytest.approx(terminal_speed(5.9e7), rel=1e-6)


def test_what_drives_a_magnet_over_a_plate_supplies_the_heat():
    """A driven magnet at constant height heats at a constant power, which work.drive adds and work.damping takes."""
    motion = {"kind": "uniform", "velocity": [0.1, 0, 0]}
    body = {"name": "magnet", "support": "driven", "motion": motion, "angular_velocity": [0, 0, 3.0]}
    magnet = {**body, "position": [0, 0, 0.04], "shape": [sphere(0.005, 0.01)], "dipole": [{"moment": [0.5, 0, 1.0]}]}
    simulation = Simulation(described([magnet], plate(point=[0, 0, 0], normal=[0, 0, 1])))
    simulation.advance(2 * np.pi / 3.0)
    now = simulation.snapshot()
    assert now.ledger.damping < 0
    assert now.ledger.drive == pytest.approx(-now.ledger.damping, rel=1e-12)


def test_the_sensor_does_not_move_a_plate():
    found = [written(place) for place, _ in parameters(beside_a_plate())]
    assert "plate[0].conductivity" in found
    assert "plate[0].thickness" in found
    assert not [name for name in found if name.startswith(("plate[0].point", "plate[0].normal"))]
