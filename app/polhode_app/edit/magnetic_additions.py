"""Items of soft iron that the menu *Add* makes."""

from __future__ import annotations

from polhode.physics.bodies.materials import MATERIALS
from polhode.scene.fields import FieldPath
from polhode.scene.scene import Scene
from polhode_app.edit.contacts import with_contact
from polhode_app.edit.part_defaults import Placement, tidy
from polhode_app.edit.parts import Table, named


def iron_core(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A fixed ball of soft iron, at the height of magnets."""
    iron, (x, y, _) = MATERIALS["iron"], spot.position
    ball = {"kind": "sphere", "radius": tidy(spot.size / 4), "density": iron.density, "color": iron.color}
    position = (x, y, round(spot.ground + spot.size / 4, 9))
    table = named(scene, "core", support="fixed", position=position, shape=({**ball, "iron": {}},))
    return with_contact(table)
