"""Forces and torques in joints: what each one exerts on its second body, as arrows at its place."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Joints, Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.glyph_arrows import ArrowScale, with_prefix
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.joints import Anchors, visible_joints
from polhode_app.viewport.vectors.bead_arrows import MOST, PUSHED, LabeledArrows


class JointArrows(ABC):
    """One vector of each joint, and the scale."""

    name: str  # of the view
    color: str
    row: int  # of the legend

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = LabeledArrows(renderer, self.color, self.row), ArrowScale()
        self._arrows.stand_in_front()  # they begin inside of the bodies
        self._stage: Stage | None = None
        self._numbers: list[int] = []
        self._anchors: Anchors | None = None
        self._on = False

    @abstractmethod
    def vectors(self, joints: Joints) -> np.ndarray:
        """(j, 3) vectors of all joints, laboratory frame."""

    @abstractmethod
    def words(self, longest: float) -> str:
        """Text of the legend for the value of the longest arrow."""

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        shown = visible_joints(stage.scene)[:MOST]
        self._numbers = [
            number for number, joint in enumerate(stage.scene.joint) if any(joint is each for each in shown)
        ]
        self._anchors = Anchors(stage.scene, shown)
        self._stage, self._scale = stage, ArrowScale()

    def update(self, now: Snapshot) -> None:
        """Draw the vectors."""
        stage, anchors = self._stage, self._anchors
        if not self._on or stage is None or anchors is None or len(now.joints.force) != len(stage.scene.joint):
            return
        vectors = self.vectors(now.joints)[self._numbers]
        self._scale.measure(float(np.linalg.norm(vectors, axis=1).max(initial=0.0)))
        lengths = self._scale.lengths(vectors, stage.long(PUSHED, self.name))
        self._arrows.draw(anchors.at(now)[:, 1], lengths, self.words(self._scale.unit))

    def set_visible(self, on: bool) -> None:
        """Show or hide the arrows."""
        self._on = on
        self._arrows.turn(on)


class JointForceView(JointArrows):
    """Force of each joint on its second body."""

    name, color, row = "joint_forces", PALETTE[3], 3

    def vectors(self, joints: Joints) -> np.ndarray:
        """(j, 3) [N]."""
        return joints.force

    def words(self, longest: float) -> str:
        """Text of the legend for `longest` [N]."""
        words = tr("force in a joint on its second body, longest arrow {force}")
        return words.format(force=with_prefix(longest, "N"))


class JointTorqueView(JointArrows):
    """Torque of each joint on its second body, about the place of the joint."""

    name, color, row = "joint_torques", PALETTE[1], 4

    def vectors(self, joints: Joints) -> np.ndarray:
        """(j, 3) [N m]."""
        return joints.torque

    def words(self, longest: float) -> str:
        """Text of the legend for `longest` [N m]."""
        words = tr("torque in a joint on its second body, longest arrow {torque}")
        return words.format(torque=with_prefix(longest, "N m"))
