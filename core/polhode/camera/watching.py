"""Poses of a tag, or positions of a ball, in the pictures of a film or a camera.

The frame of the results is that of the camera: x to the right, y down, z along the view, origin in its centre; or that
of a second tag at rest: x to its right, y up and z out of its printed side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from polhode.camera.lens import Lens
from polhode.camera.picture_process import PictureProcess
from polhode.camera.pose import Hypothesis
from polhode.camera.tags import Tag
from polhode.camera.tracking import LiveTracker, choose_all, mean_pose
from polhode.scene.message import Message
from polhode.scene.problem import InputError

AXES = "xyz"
POSE_COLUMNS = (
    "time (s)", *(f"{axis} (m)" for axis in AXES),
    *(f"u{k}.{axis}" for k in (1, 2, 3) for axis in AXES), "match",
)  # fmt: skip
"""Headings: position of the middle of the tag, its axes u1 (right), u2 (up) and u3 (out of the paper) as unit vectors,
and the correlation of the picture with the pattern."""
BALL_COLUMNS = ("time (s)", *(f"{axis} (m)" for axis in AXES), "radius (px)")
"""Headings: position of the centre, and the radius of the circle."""
Row = tuple[float, ...]


@dataclass
class Counts:
    """Pictures of a source that gave no row, by reason."""

    pictures: int = 0
    unseen: int = 0
    unordered: int = 0
    last: float = -1.0  # [s] time of the last picture with a later time than all before

    def takes(self, time: float) -> bool:
        """Count a picture; False where its time is not after all before."""
        self.pictures += 1
        if time <= self.last:
            self.unordered += 1
            return False
        self.last = time
        return True

    def notes(self) -> list[Message]:
        """Notes on pictures without a row."""
        made = []
        if self.unseen:
            made.append(
                Message(
                    "{count} of {all} pictures have no row: nothing was seen in them",
                    count=self.unseen,
                    all=self.pictures,
                )
            )
        if self.unordered:
            made.append(
                Message(
                    "{count} of {all} pictures have no row: their time is not after all before",
                    count=self.unordered,
                    all=self.pictures,
                )
            )
        return made


@dataclass
class TagWatch:
    """Looks for a tag in pictures.

    tag: the moving one; side: [m] of its black square; frame: a tag at rest of the same family and side, or None
    """

    pictures: PictureProcess
    source: str
    lens: Lens
    tag: Tag
    side: float
    frame: Tag | None = None
    counts: Counts = field(default_factory=Counts)

    def all_rows(self, progress: Callable[[float], None] = lambda _time: None) -> list[Row]:
        """Rows of POSE_COLUMNS of a film: poses chosen from all pictures together.

        progress: called with the number of pictures read. Raises InputError, also where a tag is never seen.
        """
        times, poses, reference = list[float](), list[list[Hypothesis]](), list[list[Hypothesis]]()
        for time, seen in self._seen():
            progress(self.counts.pictures)
            if self.frame is not None and self.frame.number in seen:
                reference.append(seen[self.frame.number])
            if self.tag.number in seen:
                times.append(time)
                poses.append(seen[self.tag.number])
        if not times:
            raise self._never(self.tag)
        chosen = choose_all(poses)
        if self.frame is None:
            return [
                _row(time, Rotation.from_rotvec(p.rotation), p.position, p.match)
                for time, p in zip(times, chosen, strict=True)
            ]
        if not reference:
            raise self._never(self.frame)
        turned, origin = mean_pose(choose_all(reference))
        back = turned.inv()
        return [
            _row(time, back * Rotation.from_rotvec(p.rotation), back.apply(p.position - origin), p.match)
            for time, p in zip(times, chosen, strict=True)
        ]

    def live_rows(self) -> Iterator[Row | None]:
        """A row of POSE_COLUMNS as soon as a picture has come; None for one without the tag."""
        tracker = LiveTracker()
        for time, seen in self._seen():
            if (poses := seen.get(self.tag.number)) is None:
                yield None
                continue
            chosen = tracker.choose(poses)
            yield _row(time, Rotation.from_rotvec(chosen.rotation), chosen.position, chosen.match)
        if self.counts.unseen == self.counts.pictures:
            raise self._never(self.tag)

    def _seen(self) -> Iterator[tuple[float, dict[int, list[Hypothesis]]]]:
        """Time [s] and poses by number of each picture whose time is in order. Raises InputError."""
        wanted = {self.tag.number: self.side} | ({self.frame.number: self.side} if self.frame else {})
        for answer in self.pictures.look({"lens": lens_data(self.lens), "family": self.tag.family, "tags": wanted}):
            found: dict[int, list[Hypothesis]] = {}
            for number, rows in answer["tags"]:
                if number in found:
                    place = Message("time {time:.3f} s", time=answer["time"])
                    rule = Message("shows two tags with the number {number}", number=number)
                    raise InputError.of(self.source, rule, Message("cover one of them, or print another number"), place)
                found[number] = [hypothesis(row) for row in rows]
            if self.counts.takes(answer["time"]):
                self.counts.unseen += self.tag.number not in found
                yield answer["time"], found

    def _never(self, tag: Tag) -> InputError:
        rule = Message("the tag {tag} is in none of the {count} pictures", tag=str(tag), count=self.counts.pictures)
        remedy = Message("check its family and number, and that it is lit, sharp and has a white border")
        return InputError.of(self.source, rule, remedy)


@dataclass
class BallWatch:
    """Looks for a coloured ball in pictures. diameter: [m]"""

    pictures: PictureProcess
    source: str
    lens: Lens
    diameter: float
    counts: Counts = field(default_factory=Counts)

    def all_rows(self, progress: Callable[[float], None] = lambda _time: None) -> list[Row]:
        """Rows of BALL_COLUMNS of a film, all in one plane across the view, at the median of the depths.

        Raises InputError, also where no ball is seen.
        """
        rows = [row for row in self.live_rows(progress) if row is not None]
        depth = float(np.median([row[3] for row in rows]))
        return [(t, x * depth / z, y * depth / z, depth, radius) for t, x, y, z, radius in rows]

    def live_rows(self, progress: Callable[[float], None] = lambda _time: None) -> Iterator[Row | None]:
        """A row of BALL_COLUMNS for each picture, with its own depth; None for one without the ball."""
        for answer in self.pictures.look({"lens": lens_data(self.lens), "ball": self.diameter}):
            progress(self.counts.pictures)
            if not self.counts.takes(answer["time"]):
                continue
            self.counts.unseen += answer["ball"] is None
            yield None if answer["ball"] is None else (answer["time"], *answer["ball"])
        if self.counts.unseen == self.counts.pictures:
            rule = Message("shows no coloured ball in any of the {count} pictures", count=self.counts.pictures)
            raise InputError.of(self.source, rule, Message("use a ball of a bright colour before a grey background"))


def lens_data(lens: Lens) -> dict[str, Any]:
    """The arguments of a lens, for a message."""
    return {"focal": lens.focal, "centre": lens.centre, "size": lens.size, "distortion": lens.distortion}


def csv_row(row: Row) -> str:
    """A line of the table, with its line end."""
    return ",".join(f"{value:.9g}" for value in row) + "\n"


def hypothesis(row: list[float]) -> Hypothesis:
    """The pose of a row as TagFinder makes it."""
    return Hypothesis(np.array(row[:3]), np.array(row[3:6]), row[6], row[7])


def _row(time: float, turned: Rotation, position: np.ndarray, match: float) -> Row:
    return (time, *position.tolist(), *turned.as_matrix().T.ravel().tolist(), match)
