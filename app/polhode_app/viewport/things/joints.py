"""Joints: a ball, a pin along the axis, a block or a rod at the position where bodies are held together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.bodies.shapes import unit
from polhode.physics.joints.description import AxisJoint, DistanceJoint, Joint, OfJoints, UniversalJoint, WeldJoint
from polhode.physics.joints.ends import ends_of
from polhode.scene.formula_vector import at_the_start
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import bar, joined, placed, smooth
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.tubes import Tubes
from polhode_app.viewport.things.instances import CopiesView, Instances, groups
from polhode_app.viewport.things.shape_surfaces import unit_ball
from polhode_app.viewport.things.supports import metal

BALL = 0.014  # radius of a ball, in radii of the stage
PIN, RAIL = 2.2, 5.0  # half lengths of the pin of a hinge and the rail of a slider, in radii of the ball
THIN = 0.45  # radius of a pin, in the same
ROUND = 20  # sides of a pin
ROD = 0.004  # radius of a rod or a string, in radii of the stage
SIDES = 8  # of a rod
PIECES = 16  # of a slack string


class JointView(CopiesView):
    """An actor for equal joints of each body, and one for all rods and strings; what is broken is not drawn."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._count = 0
        self._ends: JointAnchors | None = None
        self._length, self._down = np.zeros(0), np.zeros(3)
        self._tubes = Tubes(0, PIECES + 1, SIDES)
        self._thick = np.zeros((1, 1))  # [m] radius of the rods
        self._mapper = vtkPolyDataMapper()
        self._actor = vtkActor()
        self._actor.SetMapper(self._mapper)
        self._actor.PickableOff()
        metal(self._actor.GetProperty())
        self._stage: Stage | None = None
        self._broken: frozenset[str] = frozenset()
        renderer.AddActor(self._actor)

    def rebuild(self, stage: Stage) -> None:
        """Build the shapes of all visible joints."""
        self._stage, self._broken = stage, frozenset()
        self._build(stage)

    def _build(self, stage: Stage) -> None:
        """Build the shapes of all visible joints that are not broken."""
        scene, color = stage.scene, rgb(stage.theme.support)
        shown = [joint for joint in visible_joints(scene) if joint.name not in self._broken]
        rows = {body.name: number for number, body in enumerate(scene.bodies)}
        shapes = {joint.name: _shape(scene, joint, rows, BALL * stage.radius) for joint in shown}
        looks = [(number, (rows[joint.first], _key(joint))) for number, joint in enumerate(shown)]
        rods = [joint for joint in shown if isinstance(joint, DistanceJoint)]
        self._count, self._ends = len(rods), JointAnchors(scene, rods)
        self._length = np.array([_length(scene, rod, rows) if rod.pull_only else 0.0 for rod in rods])
        gravity = at_the_start(scene.world.gravity)
        self._down = unit(gravity) if any(gravity) else np.zeros(3)
        self._tubes = Tubes(self._count, PIECES + 1, SIDES)
        strings = [(float(length), *self._down) for length in self._length]
        if strings:
            self._tubes.surface.field_data["hanging"] = strings  # read by app/polhode_app/export/motion
        self._thick = np.full((1, 1), ROD * stage.radius)
        self._mapper.SetInputData(self._tubes.surface)
        self._actor.GetProperty().SetColor(*color)
        self._replace(
            Instances(
                self._renderer, shapes[shown[numbers[0]].name], [rows[shown[k].first] for k in numbers], color, metal
            )
            for numbers in groups(looks)
        )

    def update(self, now: Snapshot) -> None:
        """Write the poses of the joints, and the ends of the rods."""
        broken = frozenset(
            joint.name
            for joint, is_broken in zip(
                self._stage.scene.joint if self._stage else (), now.joints.is_broken, strict=False
            )
            if is_broken
        )
        if self._stage is not None and broken != self._broken:
            self._broken = broken
            self._build(self._stage)
        super().update(now)
        if self._count > 0 and self._ends is not None:
            self._tubes.write(hanging(self._ends.at(now), self._length, self._down), self._thick)

    def set_visible(self, on: bool) -> None:
        """Show or hide the joints."""
        super().set_visible(on)
        self._actor.SetVisibility(on and self._count > 0)


def visible_joints(scene: Scene) -> list[Joint]:
    """The joints of a scene that have a position and are not hidden."""
    return [each for each in scene.joint if not isinstance(each, OfJoints) and each.name not in scene.view.hide]


class JointAnchors:
    """Positions of the anchors of some joints."""

    def __init__(self, scene: Scene, joints: Sequence[Joint]):
        rows = {body.name: number for number, body in enumerate(scene.bodies)}
        ends = [ends_of(scene, joint, rows) for joint in joints]
        bodies = [[-1 if b is None else b for b in each.bodies] for each in ends]
        self._bodies = np.array(bodies, dtype=int).reshape(-1, 2)
        self._arms = np.array([each.anchors for each in ends]).reshape(-1, 2, 3)

    def at(self, now: Snapshot) -> np.ndarray:
        """(n, 2, 3) [m] anchors in the first and the second bodies, laboratory frame."""
        held = self._bodies >= 0
        found = self._arms.copy()
        turned = np.einsum("ni,nij->nj", self._arms[held], now.bodies.basis[self._bodies[held]])
        found[held] = turned + now.bodies.position[self._bodies[held]]
        return found


def _key(joint: Joint) -> tuple[object, ...]:
    """Joints with equal keys look alike in the frame of their first body."""
    axes = getattr(joint, "axis", None), getattr(joint, "second_axis", None)
    return joint.kind, joint.anchor, joint.anchor_first, joint.anchor_second, *axes  # type: ignore[attr-defined]


def _shape(scene: Scene, joint: Joint, rows: dict[str, int], radius: float) -> pv.PolyData:
    """Surface of a joint in the frame of its first body; `radius` [m] is that of a ball."""
    ends = ends_of(scene, joint, rows)
    position = ends.anchors[0]
    if isinstance(joint, WeldJoint):
        cube = smooth(pv.Cube(x_length=1.6, y_length=1.6, z_length=1.6))
        return placed(cube, np.eye(3), position, radius)
    pieces = [placed(unit_ball(ROUND), np.eye(3), position, radius)]
    half = RAIL if isinstance(joint, AxisJoint) and joint.coordinate != "turns" else PIN
    axes = [unit(joint.axis)] if isinstance(joint, AxisJoint | UniversalJoint) else []
    if isinstance(joint, UniversalJoint):
        axes.append(ends.turns[0].T @ ends.turns[1] @ unit(joint.second_axis))
    pieces += [bar(position - half * radius * n, position + half * radius * n, THIN * radius, ROUND) for n in axes]
    return joined(pieces)


def _length(scene: Scene, string: DistanceJoint, rows: dict[str, int]) -> float:
    """Length [m] of a string."""
    first, second = ends_of(scene, string, rows).positions
    return string.length or float(np.linalg.norm(second - first))


def hanging(ends: np.ndarray, length: np.ndarray, down: np.ndarray) -> np.ndarray:
    """(n, PIECES + 1, 3) [m] points of strings between `ends` (n, 2, 3); where slack they sag along `down` (3,).

    length: (n,) [m]; what is shorter than its chord is straight. A parabola with the chord c and the length l sags by
    about sqrt(3 (l^2 - c^2))/4.
    """
    along = np.linspace(0.0, 1.0, PIECES + 1)[None, :, None]
    chord = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    sag = np.sqrt(3.0 * np.maximum(length**2 - chord**2, 0.0)) / 4.0
    straight = ends[:, None, 0] + along * (ends[:, 1] - ends[:, 0])[:, None]
    return np.asarray(straight + 4.0 * along * (1.0 - along) * sag[:, None, None] * down)
