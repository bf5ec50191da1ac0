"""A magnet over an iron half-space: the force and the torque of its image (Jackson, Classical Electrodynamics, 5.12).

At the height h, with the moment m tilted by t from the normal and kappa = (mu_r - 1)/(mu_r + 1),

    F = 3 mu0 m^2 kappa (1 + cos^2 t)/(64 pi h^4)      T = mu0 m^2 kappa sin 2t/(64 pi h^3)      towards upright

The iron is half a ball of ten heights, with panels that get larger with the distance from the magnet.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from trimesh import Trimesh

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.case import Case
from polhode.verification.iron import PERMEABILITY, magnet, scene_of_iron
from polhode.verification.meshes import with_files

HEIGHT, MOMENT, MASS, STEP = 0.02, 1.0, 0.01, 1e-5  # [m], [A m^2], [kg] of the magnet, [s]
RADIUS, INNER = 10.0, 0.3  # of the half-ball and of the first ring of panels, in heights
AROUND, BELOW = 18, 6  # panels around a ring, and rings of the round side
OF_PLANE = "0.05 % of the force, 0.4 % of the torque for panels of 0.35 heights, and for the iron that is not there"


def half_ball() -> Trimesh:
    """Half a ball below z = 0, with rings of triangles whose size is proportional to their radius [m]."""
    rings = round(np.log(RADIUS / INNER) / np.log(1.0 + 2.0 * pi / AROUND))
    flat = [(0.5 * INNER, 0.0), *((r, 0.0) for r in np.geomspace(INNER, RADIUS, rings + 1))]
    low = 0.5 * pi * np.arange(1, BELOW) / BELOW
    circles = [*flat, *((RADIUS * cos(angle), -RADIUS * sin(angle)) for angle in low)]
    angle = 2.0 * pi * (np.arange(AROUND) + 0.5 * (np.arange(len(circles))[:, None] % 2)) / AROUND
    radius, height = np.array(circles).T
    sides = np.stack([radius[:, None] * np.cos(angle), radius[:, None] * np.sin(angle)], axis=2)
    points = np.concatenate([sides, np.broadcast_to(height[:, None, None], (*angle.shape, 1))], axis=2)
    place = 1 + np.arange(len(circles) * AROUND).reshape(len(circles), AROUND)
    after = np.roll(place, -1, axis=1)
    faces = [np.stack([np.zeros(AROUND, int), place[0], after[0]], axis=1)]
    for k in range(len(circles) - 1):
        a, b, c, d = place[k], after[k], place[k + 1], after[k + 1]
        pairs = ((a, c, b), (b, c, d)) if k % 2 == 0 else ((a, c, d), (a, d, b))
        faces += [np.stack(corners, axis=1) for corners in pairs]
    faces.append(np.stack([np.full(AROUND, place.size + 1), after[-1], place[-1]], axis=1))
    vertices = np.concatenate([np.zeros((1, 3)), points.reshape(-1, 3), [[0.0, 0.0, -RADIUS]]])
    return Trimesh(HEIGHT * vertices, np.concatenate(faces), process=False)


def over_plane(permeability: float, tilt: float) -> Scene:
    """A free magnet over the iron, without gravity."""
    shape = {"kind": "mesh", "file": "iron.obj"}
    above = magnet(HEIGHT, (MOMENT * sin(tilt), 0.0, MOMENT * cos(tilt))) | {"support": "free"}
    described = scene_of_iron(shape, permeability, [above], (0, 0, 0), STEP)
    return described.with_values({"body[0].shape[0].iron.panels": len(half_ball().faces)})


def pull(permeability: float) -> Case:
    """Force on an upright magnet, from its velocity after one step."""
    kappa = (permeability - 1.0) / (permeability + 1.0)
    expected = 6.0 * PERMEABILITY * MOMENT**2 * kappa / (64.0 * pi * HEIGHT**4)

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        simulation.advance_steps(1)
        return -MASS * float(simulation.snapshot().bodies.velocity[1, 2]) / STEP

    name = f"pull of an iron plane, permeability {permeability:g}"
    scene = over_plane(permeability, 0.0)
    return Case(name, scene, with_files(measure, iron=half_ball()), expected, 1e-3 * expected, "N", OF_PLANE)


def turning() -> Case:
    """Torque on a magnet at 45 degrees over ideal iron, from its angular momentum after one step."""
    expected = PERMEABILITY * MOMENT**2 / (64.0 * pi * HEIGHT**3)

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        simulation.advance_steps(1)
        return -float(simulation.snapshot().bodies.angular_momentum[1, 1]) / STEP

    scene = over_plane(np.inf, 0.25 * pi)
    files = with_files(measure, iron=half_ball())
    return Case("torque of an iron plane", scene, files, expected, 5e-3 * expected, "N m", OF_PLANE)


CASES = (pull(5.0), pull(100.0), turning())
