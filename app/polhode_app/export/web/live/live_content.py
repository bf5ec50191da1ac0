"""The data of a live page: those of a replay, and what each of its moving arrays follows while the engine runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode_app.export.motion.parts import Arrows, MotionPart, Movement, Posed, RunMotion, Still
from polhode_app.export.web.content import GRAIN, Content, Reader, Table, arrows
from polhode_app.export.web.live.following import Following, References
from polhode_app.export.web.live.probes import ProbeSource

FACTOR = 2.0**-20  # grain of coordinates, relative to the largest


class LiveContent(Content):
    """The data of a page whose parts follow the channels of an engine.

    A part that follows nothing known has `isLive` false: it is drawn in replays only.
    """

    def __init__(self, motion: RunMotion, probed: RunMotion, source: ProbeSource):
        """Take the motion of the replay, and in `probed` the same parts in the displaced frames of `source`."""
        super().__init__(motion)
        channels, frames = source.channels, np.array(source.frames)
        assert source.last is not None
        self._last, self._first = source.last, frames[0]
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
        """See Content; the table of the array has what it follows in `follow`."""
        found = self._arrows(movement) if values is arrows else self._points(values)
        self._is_live &= found is not None
        return self.blob.series(values(movement), grain, **({} if found is None else {"follow": found}))

    def _points(self, values: Reader) -> Table | None:
        """The frame of reference of each moving point, and its coordinates in it."""
        moved = values(self._now)
        found = self._references.points(np.asarray(moved.reshape(len(moved), -1, 3), float))
        return None if found is None else self._table(found)

    def _arrows(self, movement: Movement) -> Table | None:
        """Vectors of which arrows are multiples, with the factor of the last frame of the replay."""
        now = self._now
        assert isinstance(now, Arrows)
        assert isinstance(movement, Arrows)
        tails = self._references.points(np.asarray(now.at, float))
        found = None if tails is None else self._references.arrows(np.asarray(now.vectors, float), tails)
        if found is None or not (now.colors == now.colors[0]).all():
            return None
        size = np.linalg.norm(self._references.values(found, self._last), axis=1).max(initial=0.0)
        drawn = np.linalg.norm(movement.vectors[-1], axis=1).max(initial=0.0)
        factor = float(drawn / size) if size > 0 and drawn > 0 else self._factor_of_probe(now, found)
        return self._table(found) | {"factor": factor}

    def _factor_of_probe(self, now: Arrows, found: Following) -> float:
        """Factor of arrows in the first displaced frame."""
        size = np.linalg.norm(self._references.values(found, self._first), axis=1).max(initial=0.0)
        return float(np.linalg.norm(now.vectors[0], axis=1).max(initial=0.0) / size) if size > 0 else 0.0

    def _table(self, found: Following) -> Table:
        """Frames of reference, and coordinates in them."""
        grain = min(GRAIN * self._scale, FACTOR * float(np.abs(found.local).max(initial=0.0)) or 1.0)
        return {"frame": self.blob.whole(found.frame), "local": self.blob.series(found.local, grain, 1)}

    def _found_poses(self) -> list[tuple[int, np.ndarray, np.ndarray] | None]:
        """Frames of reference of the poses that are not those of bodies."""
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
