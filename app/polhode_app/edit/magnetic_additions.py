"""New magnets, and what magnets act on: compasses, plates, coils. No Qt, no compiler."""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.scene.fields import FieldPath
from polhode.scene.scene import Dipole, Scene
from polhode_app.edit.contacts import with_contact
from polhode_app.edit.part_defaults import COPPER, NEODYMIUM, STEEL, Placement, fresh, round_to, tidy
from polhode_app.edit.parts import Table, named

MAGNET = 1.2  # [T] remanence of neodymium magnets
NEEDLE = 5e5  # [A/m] magnetization of a new compass needle, of steel
CALM = 1.5  # [s] in which the swing of a new needle decays to a part of 1/e
TURNS = 200.0  # of a new coil


def magnet(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A fixed cylindrical magnet: on the ground, or about a position along an axis from its south to its north pole."""
    along = np.array(spot.axis or (0.0, 0.0, spot.size / 2))
    length = float(np.linalg.norm(along))
    magnet = {"remanence": (0.0, 0.0, MAGNET)}
    radius = tidy(spot.size / 4) if spot.axis is None else tidy(length / 5)
    bar = {
        "kind": "cylinder",
        "radius": radius,
        "length": tidy(length),
        "density": NEODYMIUM,
        "magnet": magnet,
    }
    x, y, z = spot.position
    position = (x, y, round(spot.ground + spot.size / 4, 9)) if spot.axis is None else (x, y, z)
    table = named(scene, "magnet", support="fixed", position=position, shape=(bar,), **_turned_to(along / length))
    return with_contact(table)


def compass(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A needle with a red north and a white south half that turns about a vertical axle, at the height of magnets."""
    half, radius, (x, y, _) = spot.size / 2, spot.size / 14, spot.position
    volume = pi * radius**2 * half / 3  # of one half
    halves = [
        {
            "kind": "cone",
            "radius": tidy(radius),
            "length": tidy(half),
            "density": STEEL,
            "position": (round_to(sign * half / 4), 0.0, 0.0),
            "orientation": {"axis": (0.0, 1.0, 0.0), "angle": sign * pi / 2},
            "color": color,
        }
        for sign, color in ((1.0, "#d9480f"), (-1.0, "#e9ecef"))
    ]
    inertia = 2 * STEEL * volume * half**2 / 10  # [kg m^2] of thin cones about their common base
    return named(
        scene,
        "needle",
        support="axle",
        axis=(0.0, 0.0, 1.0),
        position=(x, y, round(spot.ground + spot.size / 4, 9)),
        friction=round_to(2 * inertia / CALM),
        shape=tuple(halves),
        dipole=({"moment": (round_to(2 * NEEDLE * volume), 0.0, 0.0)},),
    )


def _turned_to(axis: np.ndarray) -> Table:
    """Orientation in which local z is along a unit vector (3,), as a field; none for z itself."""
    across = np.cross((0.0, 0.0, 1.0), axis)
    sine = float(np.linalg.norm(across))
    if sine < 1e-6:
        return {} if axis[2] > 0 else {"orientation": {"axis": (1.0, 0.0, 0.0), "angle": pi}}
    turn = tuple(round(float(number), 4) + 0.0 for number in across / sine)
    return {"orientation": {"axis": turn, "angle": round(float(np.arctan2(sine, axis[2])), 4)}}


def dipole(_scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A dipole for the selected body."""
    return fresh(Dipole, spot.size)


def plate(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A level copper plate below everything."""
    thick = tidy(spot.size / 10)
    return named(scene, "plate", point=(0.0, 0.0, round(spot.ground - thick, 9)), conductivity=COPPER, thickness=thick)


def coil(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A shorted coil of copper wire, level, in which a magnet that falls through induces a current."""
    radius = tidy(spot.size)
    return named(
        scene,
        "coil",
        position=spot.position,
        winding={"kind": "solenoid", "radius": radius, "length": radius},
        turns=TURNS,
        wire={"radius": round_to(0.4 * radius / TURNS)},
    )
