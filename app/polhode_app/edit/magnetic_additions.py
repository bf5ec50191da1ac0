"""Items of metal that the menu *Add* makes."""

from __future__ import annotations

from polhode.physics.bodies.materials import MATERIALS
from polhode.scene.fields import FieldPath
from polhode.scene.scene import Scene
from polhode_app.edit.contacts import with_contact
from polhode_app.edit.part_defaults import COPPER, Placement, tidy
from polhode_app.edit.parts import Table, named

WALL = 0.12  # thickness of the wall of a new tube, in its radius
ROWS = 4  # rings of a new tube per radius of its length


def plate(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A level copper plate below everything."""
    thick = tidy(spot.size / 10)
    return named(scene, "plate", point=(0.0, 0.0, round(spot.ground - thick, 9)), conductivity=COPPER, thickness=thick)


def copper_tube(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """An upright fixed tube of copper in which magnets that fall are braked; it stands on the ground."""
    copper, radius, (x, y, _) = MATERIALS["copper"], tidy(spot.size / 2), spot.position
    length = tidy(8.0 * radius)
    metal = {"conductivity": COPPER, "currents": "rings", "panels": round(ROWS * length / radius)}
    form = {"kind": "tube", "radius": radius, "inner_radius": tidy((1.0 - WALL) * radius), "length": length}
    shape = {**form, "density": copper.density, "color": copper.color, "conductor": metal}
    position = (x, y, round(spot.ground + 0.5 * length, 9))
    return with_contact(named(scene, "tube", support="fixed", position=position, shape=(shape,)))
