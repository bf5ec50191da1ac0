"""Conductors beside iron: image fields, a twin in numpy, coils instead of rings, conservation laws, warnings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from laws import BOB, YOKE, Laws, difference, imbalance
from ring_or_coil import BALL, RING, STILL, ring_or_coil

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import BASIS
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import units_to_run

MU0 = 1.25663706127e-6
ROTATING = {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0}
FORMULA = {"kind": "formula", "x": "0", "y": "0.1*x*cos(200*t)", "z": "0.02 + 0.1*y*cos(200*t)"}


def mixed(currents: str, irons: int, iron: dict[str, Any] | None = None, conductivity: float = 3.7e7) -> dict[str, Any]:
    """A moving tube, a magnet, and one or two pieces of iron that move and turn; `iron` is of the last one."""
    size = {"length": 0.03 if currents == "sheet" else 0.01}
    metal = {"conductivity": conductivity, "currents": currents, "panels": 120 if currents == "sheet" else 12}
    tube = {"name": "tube", **YOKE, "shape": [{**RING, **size, "conductor": metal}]}
    magnet = {"kind": "sphere", "radius": 0.002, "mass": 0.01, "magnet": {"moment": [0.1, 0, 0.5]}}
    bodies = [tube, BOB | {"position": [0.02, 0.005, 0.05], "shape": [magnet]}]
    for number in range(irons):
        of_it = (iron or {}) if number == irons - 1 else {}
        place = {"position": [[-0.01, 0.01, -0.02], [0.012, -0.01, 0.014]][number], "velocity": [0.2, -0.1, 0.05]}
        shape = {**BALL, "iron": {"permeability": 500, "panels": 80, **of_it}}
        spin = [4, -3, 2 * number]
        bodies.append({"name": f"ball{number}", "support": "free", **place, "angular_velocity": spin, "shape": [shape]})
    return {"world": {**STILL, "magnetic_field": ROTATING}, "solver": {"method": "rk4"}, "body": bodies}


SATURATING, DIPOLE = {"saturation": 0.05}, {"induced": "dipole"}
CASES = [
    ("sheet", 2, None),
    ("rings", 2, None),
    ("sheet", 1, SATURATING),
    ("rings", 1, SATURATING),
    ("rings", 2, SATURATING),
    ("sheet", 1, DIPOLE),
    ("rings", 2, DIPOLE),
]


@pytest.mark.parametrize(("currents", "irons", "iron"), CASES)
def test_forces_and_torques_are_the_gradient_of_the_energy(
    currents: str, irons: int, iron: dict[str, Any] | None
) -> None:
    laws = with_currents(mixed(currents, irons, iron))
    for body in range(2 + irons):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6, body


def with_currents(described: dict[str, Any]) -> Laws:
    """The laws of a scene with all modes as states, and currents in all of them."""
    described["solver"] = {"method": "implicit", "time_step": 1e-3}
    laws = Laws(described)
    start, conductors = laws.compiled.start, laws.compiled.model.conductors
    assert conductors.slow.sum() == conductors.first_node[-1]
    start[conductors.at : conductors.at + conductors.slow.sum()] *= 1.5
    return laws


@pytest.mark.parametrize("step", [1e-3, 1e-6])
@pytest.mark.parametrize(("currents", "irons", "iron"), CASES)
def test_forces_are_opposite(currents: str, irons: int, iron: dict[str, Any] | None, step: float) -> None:
    """With the modes as states and without."""
    described = mixed(currents, irons, iron)
    del described["world"]["magnetic_field"]
    laws = Laws(described) if step == 1e-3 else with_currents(described)
    found = np.array([laws.wrench(body) for body in range(2 + irons)])
    places = np.array([laws.compiled.start[18 * b : 18 * b + 3] for b in range(2 + irons)])
    assert np.abs(found[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(found[:, :3]).max()
    turning = found[:, 3:] + np.cross(places, found[:, :3])
    assert np.abs(turning.sum(axis=0)).max() < 1e-12 * np.abs(turning).max()


@pytest.mark.parametrize("conductivity", [2e6, 1e9])
@pytest.mark.parametrize(("currents", "irons", "iron"), CASES)
def test_ledger(currents: str, irons: int, iron: dict[str, Any] | None, conductivity: float) -> None:
    """Energy to the fourth order of RK4 or better, with fast modes and with slow ones, in a field that changes."""
    drifts = []
    for step in (2e-4, 1e-4):
        described = mixed(currents, irons, iron, conductivity)
        described["solver"]["time_step"] = step
        described["world"]["magnetic_field"] = ROTATING if irons == 2 else FORMULA
        simulation = Simulation(Scene.model_validate(described))
        assert (simulation.compiled.model.conductors.slow.sum() > 0) == (conductivity == 1e9)
        table = simulation.run(0.016, 4e-3)
        drifts.append(np.ptp(imbalance(table)))
    assert -table["work.joule"][-1] > 20 * drifts[1]
    assert drifts[1] < 2e-6 * np.ptp(table["energy.magnetic"])
    assert drifts[0] / drifts[1] > 12


class Twin:
    """Fluxes of iron through the nodes of a scene with one conductor and linear iron, slowly, in numpy."""

    def __init__(self, laws: Laws, described: dict[str, Any]):
        self.model, self.start, self.described = laws.compiled.model, laws.compiled.start, described

    def flux(self, time: float) -> np.ndarray:
        """(n,) [Wb] through nodes at `time` [s], with the velocities at the start."""
        iron, conductors = self.model.iron, self.model.conductors
        poses = [self._pose(b, time) for b in range(len(self.described["body"]))]
        own = [slice(i, j) for i, j in zip(iron.first[:-1], iron.first[1:], strict=True)]
        corners = iron.point.reshape(3, 3, -1)
        points, middles, areas = [], [], []
        for b, part in zip(iron.body, own, strict=True):
            at, turn = poses[b]
            points.append(np.einsum("tcn,cd->tnd", corners[:, :, part], turn) + at)
            middles.append(iron.middle[:, part].T @ turn + at)
            areas.append(iron.area[:, part].T @ turn)
        field = np.array([0.01 * np.sin(200 * time) * 1.0, 0, 0.02 * np.cos(200 * time)]) / MU0
        psi = []
        for b, of_points, of_middles in zip(iron.body, points, middles, strict=True):
            found = -of_middles @ field
            for c in range(len(poses)):
                for k in range(self.model.dipoles.first[c], self.model.dipoles.first[c + 1]) if c != b else ():
                    r = of_points - (poses[c][0] + self.model.dipoles.position[k] @ poses[c][1])
                    moment = self.model.dipoles.moment[k] @ poses[c][1]
                    found = found + (r @ moment / np.linalg.norm(r, axis=2) ** 3).mean(axis=0) / (4 * np.pi)
            psi.append(found)
        inverse = [iron.inverse[part, : part.stop - part.start] for part in own]
        charges = [-r @ p for r, p in zip(inverse, psi, strict=True)]
        for _ in range(60 if len(own) > 1 else 0):
            distance = np.linalg.norm(middles[0][:, None] - middles[1][None], axis=2)
            others = charges[1] @ (1 / distance).T, charges[0] @ (1 / distance)
            charges = [-r @ (p + q / (4 * np.pi)) for r, p, q in zip(inverse, psi, others, strict=True)]
        inner = [iron.from_flux[part, : part.stop - part.start] @ q for part, q in zip(own, charges, strict=True)]
        moments = np.concatenate([u[:, None] * a for u, a in zip(inner, areas, strict=True)])
        return self._through(np.concatenate(middles), moments, *poses[conductors.body[0]])

    def _pose(self, b: int, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Position (3,) [m] of the reference point and axes (3, 3) as rows of a body."""
        spin = np.array(self.described["body"][b]["angular_velocity"], dtype=float)
        velocity = np.array(self.described["body"][b]["velocity"])
        basis = self.start[18 * b + BASIS : 18 * b + BASIS + 9].reshape(3, 3)
        size = np.linalg.norm(spin)
        k, angle = spin / size, size * time
        turned = (
            basis * np.cos(angle) + np.cross(k, basis) * np.sin(angle) + np.outer(basis @ k, k) * (1 - np.cos(angle))
        )
        return self.start[18 * b : 18 * b + 3] + velocity * time, turned

    def _through(self, middles: np.ndarray, moments: np.ndarray, at: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Fluxes of dipoles: B at the centroids of triangles, or the integral of A along rings."""
        conductors, flux = self.model.conductors, np.zeros(int(self.model.conductors.first_node[-1]))
        places, areas = conductors.position @ turn + at, conductors.area @ turn
        if conductors.radius[0] > 0:
            for i, place in enumerate(places):
                across = conductors.across[i] @ turn
                other = np.cross(areas[i], across) / np.linalg.norm(areas[i])
                angle = 2 * np.pi * np.arange(256)[:, None] / 256
                line = place + across * np.cos(angle) + other * np.sin(angle)
                along = (other * np.cos(angle) - across * np.sin(angle)) * 2 * np.pi / 256
                r = line[:, None] - middles
                potential = np.cross(moments, r) / np.linalg.norm(r, axis=2)[..., None] ** 3
                flux[i] = MU0 / (4 * np.pi) * np.einsum("lpi,li->", potential, along)
            return flux
        for i in range(0, len(places), 3):
            r = places[i : i + 3].mean(axis=0) - middles
            d = np.linalg.norm(r, axis=1)[:, None]
            field = (3 * np.sum(moments * r, axis=1)[:, None] * r / d**5 - moments / d**3).sum(axis=0)
            through = MU0 / (4 * np.pi) * field @ areas[i : i + 3].sum(axis=0)
            for n in conductors.node[i]:
                if n >= 0:
                    flux[n] += through / 3
        return flux


@pytest.mark.parametrize("currents", ["sheet", "rings"])
def test_fluxes_of_iron_and_their_changes(currents: str) -> None:
    """As of the twin: fluxes, and changes as differences of fluxes along the motion."""
    described = mixed(currents, 2, None)
    laws, h = Laws(described), 1e-5
    alone = Laws({**described, "body": described["body"][:2]})
    for each in (laws, alone):
        each.wrench(0)
    one, other = laws.work.conductors, alone.work.conductors
    twin = Twin(laws, described)
    expected = twin.flux(0.0)
    assert np.abs(one.flux - other.flux - expected).max() < 1e-9 * np.abs(expected).max()
    change = (8 * (twin.flux(h) - twin.flux(-h)) - twin.flux(2 * h) + twin.flux(-2 * h)) / (12 * h)
    assert np.abs(one.change - other.change - change).max() < 1e-7 * np.abs(change).max()


def drag_of_shell(inner: float, shell: float, at: float, conductance: float) -> float:
    """Drag [N s/m] of a thin shell on a radial dipole of 1 A m^2 that moves along its radius, slowly; with iron of
    infinite permeability inside unless its radius is 0, by multipoles.
    """
    total = 0.0
    for k in range(1, 60):
        image = 1 + (k + 1) / k * (inner / shell) ** (2 * k + 1)
        rate = MU0 * k * shell ** (k - 1) * (k + 1) * (k + 2) / (4 * np.pi * at ** (k + 3)) * image
        total += conductance * rate**2 * shell**4 * 4 * np.pi / (k * (k + 1) * (2 * k + 1))
    return total


def drag_of(bodies: list[dict[str, Any]], position: list[float], velocity: list[float]) -> float:
    """Drag [N s/m] on an upright dipole of 1 A m^2, without the pull at rest."""
    ball = {"kind": "sphere", "radius": 0.001, "mass": 0.01, "magnet": {"moment": [0, 0, 1.0]}}
    forces = []
    for moving in (velocity, [0, 0, 0]):
        bob = {"name": "bob", "support": "free", "position": position, "velocity": moving, "shape": [ball]}
        forces.append(Laws({"world": STILL, "body": [bob, *bodies]}).wrench(0)[:3])
    return -float((forces[0] - forces[1]) @ velocity) / float(np.dot(velocity, velocity))


def test_drag_of_a_shell_about_an_iron_ball() -> None:
    """The mesh of the shell is as wrong without the ball."""
    wall = {"kind": "sphere", "radius": 0.01505, "mass": 1, "conductor": {"conductivity": 1e6, "panels": 640}}
    wall["conductor"] |= {"thickness": 1e-4}
    shell = {"name": "shell", "support": "fixed", "shape": [wall]}
    iron = {"kind": "sphere", "radius": 0.01, "mass": 1, "iron": {"permeability": np.inf, "panels": 320}}
    core = {"name": "core", "support": "fixed", "shape": [iron]}
    found = [drag_of(bodies, [0, 0, 0.03], [0, 0, 0.01]) for bodies in ([shell], [shell, core])]
    expected = [drag_of_shell(radius, 0.015, 0.03, 100.0) for radius in (0.0, 0.01)]
    assert expected[1] / expected[0] > 1.5
    assert found[0] == pytest.approx(expected[0], rel=0.06)
    assert found[1] / found[0] == pytest.approx(expected[1] / expected[0], rel=0.03)


@pytest.mark.nightly
def test_drag_of_a_sheet_over_iron_is_that_of_an_image() -> None:
    """Upright dipole at h over a sheet with iron at d below: 1 + 2 (2h/(h + h'))^4 + (h/h')^4, h' = h + 2d."""
    h, d = 0.02, 0.01
    plate = {
        "kind": "cylinder",
        "radius": 0.1,
        "length": 1e-3,
        "mass": 1,
        "conductor": {"conductivity": 1e5, "panels": 1000},
    }
    block = {
        "kind": "cylinder",
        "radius": 0.12,
        "length": 0.02,
        "mass": 1,
        "iron": {"permeability": np.inf, "panels": 1200},
    }
    disc = {"name": "disc", "support": "fixed", "shape": [plate]}
    iron = {"name": "iron", "support": "fixed", "position": [0, 0, -d - 0.01], "shape": [block]}
    found = [drag_of(bodies, [0, 0, h], [0.01, 0, 0]) for bodies in ([disc], [disc, iron])]
    image = h + 2 * d
    assert found[1] / found[0] == pytest.approx(1 + 2 * (2 * h / (h + image)) ** 4 + (h / image) ** 4, rel=0.02)


@pytest.mark.parametrize(
    ("iron", "conductivity", "saturation"),
    [(True, 3e8, None), (True, 1e7, None), (False, 3e8, None), (True, 3e9, 0.02), (True, 1e7, 0.02)],
)
def test_a_ring_is_a_coil(iron: bool, conductivity: float, saturation: float | None) -> None:
    """Beside iron, in the resistive form as well, and beside another ring: coils are solved by another program."""
    ring, coil = (
        Simulation(Scene.model_validate(ring_or_coil(is_metal, iron, conductivity, saturation))).run(0.03, 1e-3)
        for is_metal in (True, False)
    )
    pairs = [("ring.heating", "ring_coil.heat"), ("energy.magnetic", "energy.magnetic")]
    pairs += [("third.induced_moment.x",) * 2] if iron else [("third.heating", "third_coil.heat")]
    for body in ("ring", "bob", "third"):
        pairs += [(f"{body}.{what}",) * 2 for what in ("velocity.x", "velocity.z", "position.z")]
    for one, other in pairs:
        assert np.abs(ring[one] - coil[other]).max() < 1e-6 * np.abs(ring[one]).max(), one
    assert ring["ring.heating"].max() > 1e-4


def test_interactions_that_are_left_out_are_named() -> None:
    """Iron close to a sheet; none of iron that saturates."""

    def places(described: dict[str, Any]) -> set[str]:
        return {one.place for one in Simulation(Scene.model_validate(described)).warnings}

    assert not places(mixed("rings", 1, None, 1e9))
    assert not places(mixed("rings", 1, SATURATING, 1e9))
    close = mixed("sheet", 1, None)
    close["body"][2]["position"] = [0.02, 0, 0]
    assert places(close) >= {"body[0] and body[2]"}
    coil = {"name": "coil", "winding": {"kind": "loop", "radius": 0.1, "wire_radius": 1e-3}, "source": {"kind": "open"}}
    assert not places(mixed("rings", 1, None, 1e9) | {"coil": [coil]})
    assert not places(mixed("rings", 1, SATURATING, 1e9) | {"coil": [coil]})


def test_metal_alone_and_iron_alone_have_no_unit_of_both() -> None:
    both = mixed("sheet", 1, None)
    found = []
    for bodies in (both["body"], both["body"][:2], both["body"][1:]):
        units = units_to_run(build(Scene.model_validate({**both, "body": bodies}), Meshes()))
        found.append({unit.kernel.__name__ for unit in units if ".coupled." in unit.kernel.__module__})
    assert found == [{"forces_beside_iron", "link_iron"}, set(), set()]
