"""The dialog of a mesh that is dropped: units and axes that the file states, repairs and parts."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shiboken6
import trimesh
from brackets import HOLE, bracket, click_mesh
from gui import SOON
from meaning import Meaning, refuses
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from polhode import Simulation
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.scene.scene import Scene
from polhode_app.edit.hang_mesh import hang
from polhode_app.viewport.base.camera import in_picture
from polhode_app.window.files.mesh_dialog import BOX_TOP, INSIDE, SUPPORTS, MeshDialog

BOX = trimesh.creation.box([0.1, 0.2, 0.4])


@pytest.fixture
def asked(qtbot: QtBot, tmp_path: Path) -> Iterator:
    """Makes a file of a mesh of trimesh and the dialog that asks about it."""
    shown = []

    def ask(mesh: trimesh.Trimesh, name: str, to: Scene | None = None) -> MeshDialog:
        mesh.export(tmp_path / name)
        dialog = MeshDialog(tmp_path / name, Meshes(), "dark", to=to)
        qtbot.addWidget(dialog)
        shown.append(dialog)
        return dialog

    yield ask
    for dialog in filter(shiboken6.isValid, shown):
        dialog.reject()


def mass_of(dialog: MeshDialog) -> float:
    """[kg] of the first body of the scene that the dialog's options make."""
    meshes = Meshes()
    scene = hang(dialog.path, dialog.options, meshes)
    return body_properties(scene, scene.body[0], meshes).mass


def test_the_unit_and_the_axis_of_the_file_are_preset(asked) -> None:
    dialog = asked(BOX, "box.glb")
    assert Meaning("", "file", unit="1000 mm").of(dialog.unit.currentText())
    assert dialog.up.currentText() == "y"
    assert "100 × 400 × 200 mm" in dialog.facts.text()
    assert "8 kg" in dialog.facts.text()
    assert (dialog.options.scale, dialog.options.unit, dialog.options.up) == (1.0, None, None)
    assert mass_of(dialog) == pytest.approx(8.0, rel=1e-6)


def test_another_unit_and_axis_count_before_those_of_the_file(asked) -> None:
    dialog = asked(BOX, "box.3mf")
    assert Meaning("", "file", unit="1 mm").of(dialog.unit.currentText())
    dialog.unit.setCurrentText("cm")
    dialog.up.setCurrentText("x")
    assert "2 × 4 × 1 mm" in dialog.facts.text()
    options = dialog.options
    assert (options.unit, options.up) == ("cm", "x")
    shape, _magnet = hang(dialog.path, options, Meshes()).body[0].shape
    assert (shape.unit, shape.up, shape.scale) == ("cm", "x", 1.0)
    assert mass_of(dialog) == pytest.approx(8e-6, rel=1e-6)


def test_an_unlikely_size_is_asked_about_until_the_unit_is_another(asked) -> None:
    dialog = asked(trimesh.creation.box([60, 20, 10]), "part.glb")
    assert "60 m? in mm it would be 60 mm" in dialog.facts.text()
    dialog.unit.setCurrentText("mm")
    assert "it would be" not in dialog.facts.text()
    assert "60 × 10 × 20 mm" in dialog.facts.text()


def test_the_dialog_tells_what_will_touch_others(asked) -> None:
    """In scenes of format 1 the hull, and how much larger it is; in new ones the mesh as it looks."""
    ring = trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02)
    dialog = asked(ring, "ring.stl", Scene())
    assert Meaning("", "hull", ratio="2.78").of(dialog.facts.text())
    for scene in (Scene(format=2), None):
        dialog = asked(ring, "ring.stl", scene)
        assert not Meaning("", "hull").of(dialog.facts.text())
        assert "as it looks" in dialog.facts.text()
    assert hang(dialog.path, dialog.options, Meshes()).format == 2


def test_a_broken_mesh_is_offered_a_repair_that_closes_it(asked) -> None:
    broken = trimesh.Trimesh(BOX.vertices, BOX.faces[1:], process=False)
    dialog = asked(broken, "box.ply")
    assert dialog.repair.steps == ("fill_holes",)
    assert "Triangles: 11 → 12" in dialog.repair.change.text()
    assert "Holes: 1 → 0" in dialog.repair.change.text()
    assert Meaning("", "holes", "filled", count=1).of(dialog.facts.text())
    dialog.repair.boxes["fill_holes"].setChecked(False)
    assert Meaning("", "open", count=3).of(dialog.facts.text())
    assert not dialog.ok.isEnabled()
    assert dialog.repair.change.text() == ""
    dialog.unit.setCurrentText("m")  # nothing to compute without a solid
    dialog.repair.boxes["convex_hull"].setChecked(True)
    assert dialog.ok.isEnabled()
    shape, _magnet = hang(dialog.path, dialog.options, Meshes()).body[0].shape
    assert shape.repair == ("convex_hull",)
    assert mass_of(dialog) == pytest.approx(8.0, rel=1e-6)


def test_a_whole_mesh_is_offered_none(asked) -> None:
    dialog = asked(BOX, "box.stl")
    assert dialog.repair.steps == ()
    assert dialog.repair.change.text() == ""
    assert dialog.ok.isEnabled()


def test_a_mesh_that_no_repair_closes_is_refused(asked) -> None:
    with refuses("", "flat", file="flat.ply"):
        asked(trimesh.Trimesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]), "flat.ply")


def test_parts_become_shapes_that_share_the_mass(asked) -> None:
    small = BOX.copy().apply_scale(0.5).apply_translation([1, 0, 0])
    dialog = asked(trimesh.util.concatenate([small, BOX]), "two.stl")
    dialog.repair.split.setChecked(True)
    dialog.material.setCurrentIndex(1)
    dialog.mass.setValue(9000.0)
    first, second, *_magnet_on_its_rod = hang(dialog.path, dialog.options, Meshes()).body[0].shape
    assert (first.part, second.part) == (0, 1)
    assert (first.mass, second.mass) == pytest.approx((8.0, 1.0), rel=1e-6)
    assert mass_of(dialog) == pytest.approx(9.0)
    assert np.allclose(first.position, second.position)


def test_the_pivot_is_inside_the_material_and_the_magnets_keep_their_own_rule(asked) -> None:
    """Of a tube, whose bounding box has its top in the hole; the marks have a legend."""
    tube = trimesh.creation.annulus(30.0, 50.0, 120.0)
    dialog = asked(tube, "tube.stl")
    pivot = np.array(dialog.options.pivot)
    assert 0.03 < np.hypot(*pivot[:2]) < 0.05
    assert abs(pivot[2]) < 0.06
    assert pivot[2] > 0.4 * np.ptp(tube.vertices[:, 2]) * dialog.options.scale
    dialog.pivot.setCurrentIndex(BOX_TOP)
    assert np.hypot(*dialog.options.pivot[:2]) < 1e-9
    dialog.pivot.setCurrentIndex(INSIDE)
    simulation = Simulation(hang(dialog.path, dialog.options, Meshes()))
    simulation.advance(5.0)
    assert not simulation.warnings
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("pivot" in text and "centre of mass" in text and "magnet" in text for text in texts)


def test_a_click_beside_a_hole_takes_its_centre_and_an_axle_turns_about_it(asked, qtbot: QtBot) -> None:
    """The bracket swings about its screw hole: axis and centre of the hole, and the plate hangs below."""
    dialog = asked(bracket(), "bracket.stl")
    pivot = np.array(dialog.options.pivot)
    center = dialog.facts.text()
    assert center
    assert pivot[2] > 0.055  # at the top of the plate, above the centre of mass
    dialog.show()
    qtbot.waitUntil(lambda: dialog.preview.surface.height() > 100, timeout=SOON)
    qtbot.wait(200)
    click_mesh(qtbot, dialog, HOLE + [0.0, -2.0, 4.0])  # on the plate, 1 mm beside the rim
    assert np.array(dialog.options.pivot) == pytest.approx(HOLE / 1000, abs=1e-5)
    assert "6 mm" in dialog.facts.text()
    dialog.support.setCurrentIndex(SUPPORTS.index("axle"))
    scene = hang(dialog.path, dialog.options, Meshes())
    body = scene.body[0]
    assert (body.support, body.axis) == ("axle", (0.0, 1.0, 0.0))
    assert abs(body.orientation.matrix()[:, 1] @ [0.0, 1.0, 0.0]) == pytest.approx(1.0, abs=1e-6)
    simulation = Simulation(scene)
    before = simulation.snapshot().bodies.basis[0].copy()
    simulation.advance(0.1)
    assert np.abs(simulation.snapshot().bodies.basis[0] - before).max() > 0.05  # it swings
    assert not simulation.warnings


def test_a_pivot_is_typed_in_millimetres(asked, qtbot: QtBot) -> None:
    dialog = asked(bracket(), "bracket.stl")
    dialog.show()
    for box, text in zip(dialog.places, ("10", "0", "30"), strict=True):
        box.lineEdit().selectAll()
        qtbot.keyClicks(box.lineEdit(), text)
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert dialog.options.pivot == pytest.approx((0.01, 0.0, 0.03))
    assert dialog.isVisible()  # Return ends the typing, not the dialog


def test_a_click_through_a_hole_takes_its_centre_and_one_beside_the_mesh_nothing(asked, qtbot: QtBot) -> None:
    dialog = asked(bracket(), "bracket.stl")
    dialog.show()
    qtbot.waitUntil(lambda: dialog.preview.surface.height() > 100, timeout=SOON)
    qtbot.wait(200)
    before = dialog.options
    click_mesh(qtbot, dialog, np.array([35.0, 0.0, 55.0]))  # 15 mm beside the plate
    assert dialog.options == before
    click_mesh(qtbot, dialog, HOLE)  # in which no material is seen
    assert np.array(dialog.options.pivot) == pytest.approx(HOLE / 1000, abs=1e-5)
    assert "6 mm" in dialog.facts.text()


def test_the_preview_shows_the_whole_mesh_and_is_turned_by_a_drag(asked, qtbot: QtBot) -> None:
    dialog = asked(BOX, "box.stl")
    dialog.show()
    qtbot.waitUntil(lambda: dialog.preview.surface.height() > 100, timeout=SOON)
    qtbot.wait(100)
    renderer = dialog.preview.plotter.renderer

    def is_whole_and_large() -> bool:
        seen = np.array([in_picture(renderer, corner) for corner in BOX.vertices])
        return bool(np.abs(seen).max() < 1.0 and np.ptp(seen, axis=0).max() > 1.2)

    qtbot.waitUntil(is_whole_and_large, timeout=SOON)
    before = renderer.GetActiveCamera().GetPosition()
    middle = dialog.preview.surface.rect().center()
    qtbot.mousePress(dialog.preview.surface, Qt.MouseButton.LeftButton, pos=middle)
    for step in (10, 30, 50):
        qtbot.mouseMove(dialog.preview.surface, middle + QPoint(step, 0), delay=20)
    qtbot.mouseRelease(dialog.preview.surface, Qt.MouseButton.LeftButton, pos=middle + QPoint(50, 0))
    assert np.linalg.norm(np.subtract(renderer.GetActiveCamera().GetPosition(), before)) > 0.01
    assert dialog.pivot.currentIndex() == INSIDE  # a drag is no click
