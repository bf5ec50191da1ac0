"""Forces in joints: what each one exerts on its second body, as arrows at its place."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.i18n.language import tr
from app.viewport.base.glyph_arrows import ArrowScale, with_prefix
from app.viewport.base.palette import PALETTE
from app.viewport.base.stage import Stage
from app.viewport.things.joints import Anchors, visible_joints
from app.viewport.vectors.bead_arrows import MOST, PUSHED, LabeledArrows
from core.simulation.snapshot import Snapshot

COLOR = PALETTE[3]


class JointForceView:
    """Force of each joint on its second body, and the scale."""

    def __init__(self, renderer: vtkRenderer):
        self._arrows, self._scale = LabeledArrows(renderer, COLOR, row=3), ArrowScale()
        self._arrows.stand_in_front()  # they begin inside of the bodies
        self._stage: Stage | None = None
        self._numbers: list[int] = []
        self._anchors: Anchors | None = None
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Restart the scale for a new stage."""
        shown = visible_joints(stage.scene)[:MOST]
        self._numbers = [
            number for number, joint in enumerate(stage.scene.joint) if any(joint is each for each in shown)
        ]
        self._anchors = Anchors(stage.scene, shown)
        self._stage, self._scale = stage, ArrowScale()

    def update(self, now: Snapshot) -> None:
        """Draw the forces."""
        if (
            not self._on
            or self._stage is None
            or self._anchors is None
            or len(now.joints.force) != len(self._stage.scene.joint)
        ):
            return
        force = now.joints.force[self._numbers]
        self._scale.measure(float(np.linalg.norm(force, axis=1).max(initial=0.0)))
        words = tr("force in a joint on its second body, longest arrow {force}")
        long = self._stage.long(PUSHED, "joint_forces")
        words = words.format(force=with_prefix(self._scale.unit, "N"))
        self._arrows.draw(self._anchors.at(now)[:, 1], self._scale.lengths(force, long), words)

    def set_visible(self, on: bool) -> None:
        """Show or hide the forces."""
        self._on = on
        self._arrows.turn(on)
