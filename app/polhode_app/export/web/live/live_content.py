"""The data of a live page: those of a replay, and what each of its moving arrays follows while the engine runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode_app.export.motion.parts import Arrows, MotionPart, Movement, Posed, RunMotion, Still
from polhode_app.export.web.content import Content, Reader, Table, arrows
from polhode_app.export.web.live.channels import Channels
from polhode_app.export.web.live.following import Following, References

FACTOR = 2.0**-20  # grain of factors, relative to the largest


class LiveContent(Content):
    """The data of a page whose parts follow the channels of an engine.

    A part that follows nothing known has `isLive` false: it is drawn in replays only.
    """

    def __init__(self, motion: RunMotion, probed: RunMotion, channels: Channels, frames: np.ndarray):
        """Take the motion of the replay; and in `probed` the same parts in displaced frames (f, c)."""
        super().__init__(motion)
        self._probed, self._channels = probed, channels
        self._scale = probed.stages["dark"].radius
        self._references = References(channels, frames, self._scale)
        self._poses_found = self._found_poses()
        self._now: Movement = Still()
        self._is_live = True
        self.left_out: list[str] = []
        """Names of views of which something is not live."""

    def parts(self) -> list[Table]:
        """All parts, each with `isLive` unless it is."""
        made = []
        for part, probed in zip(self._motion.parts, self._probed.parts, strict=True):
            self._now, self._is_live = probed.movement, True
            table = self.part(part)
            if not self._is_live or not self._poses_known(probed):
                self.left_out += [part.view] if part.view not in self.left_out else []
                table["isLive"] = False
            made.append(table)
        return made

    def moving(self, movement: Movement, values: Reader, grain: float) -> int:
        """See Content; the table of the array tells what it follows."""
        moved = values(self._now)
        moved = moved.reshape(len(moved), -1, 3)
        find = self._references.arrows if values is arrows else self._references.points
        found = find(np.asarray(moved, float))
        if isinstance(self._now, Arrows) and not (self._now.colors == self._now.colors[0]).all():
            found = None
        self._is_live &= found is not None
        about = {} if found is None else {"follow": self._table(found, grain) | {"isScaled": values is arrows}}
        return self.blob.series(values(movement), grain, **about)

    def _table(self, found: Following, grain: float) -> Table:
        """What points follow: the frame of reference of each, and their coordinates in it."""
        grain = min(grain, FACTOR * float(np.abs(found.local).max(initial=0.0)) or grain)
        return {"frame": self.blob.whole(found.frame), "local": self.blob.series(found.local, grain, 1)}

    def _found_poses(self) -> list[tuple[int, np.ndarray, np.ndarray] | None]:
        """What the poses follow that are not those of bodies."""
        first, poses = self._channels.bodies, self._probed.poses
        return self._references.poses(poses.position[:, first:], poses.quaternion[:, first:])

    def _poses_known(self, part: MotionPart) -> bool:
        """Whether all poses of a part follow something known."""
        if not isinstance(part.movement, Posed):
            return True
        first = self._channels.bodies
        return all(pose < first or self._poses_found[pose - first] is not None for pose in part.movement.poses.tolist())

    @property
    def references(self) -> dict[str, Any]:
        """How the page finds the frames of reference in the channels, and the poses of what is not a body."""
        channels = self._channels
        poses = [
            None if found is None else [found[0], *found[1].tolist(), *found[2].tolist()] for found in self._poses_found
        ]
        return {
            "bodies": [channels.of_body(body) for body in range(channels.bodies)],
            "vectors": [*channels.vectors],
            "walls": [[channels.of_wall(wall), *normal.tolist()] for wall, normal in enumerate(channels.normals)],
            "poses": poses,
        }
