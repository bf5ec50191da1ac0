"""Numbers of scenes that are inputs of FMUs."""

from __future__ import annotations

import pytest

from polhode import Simulation, read_scene
from polhode.exporters.fmi.description import model_description
from polhode.exporters.fmi.settable import changeable
from polhode.mesh.mesh import Meshes


@pytest.mark.parametrize("name", ["coil_gun", "magnet_pendulum"])
def test_a_number_that_is_no_input_is_that_of_the_scene(name: str) -> None:
    """Resistances in series are summed in the machine code, and a capacitance is a divisor there."""
    scene = read_scene(name)
    packed, _, inputs = changeable(Simulation(scene), Meshes())
    values = {number.name: number.start for number in inputs}
    assert packed.scene.with_values(values) == scene.with_values(values)


def test_a_title_that_xml_can_not_have_is_written() -> None:
    scene = read_scene("heavy_top").with_values({"title": "a\u0001b"})
    assert "a\ufffdb".encode() in model_description(scene, "top", "0", [], [])
