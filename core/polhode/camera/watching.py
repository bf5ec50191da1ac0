"""Poses of a tag, or positions of a ball, in the pictures of a film or a camera.

The frame of the results is that of the camera: x to the right, y down, z along the view, origin in its centre; or that
of a second tag at rest: x to its right, y up and z out of its printed side. Both have upright axes on request
(pose_rows.py).
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
from polhode.camera.pose_rows import BALL_COLUMNS, POSE_COLUMNS, PoseRows, Row, axes_of, ball_row
from polhode.camera.tags import Tag
from polhode.camera.tracking import LiveTracker, choose_all, mean_pose
from polhode.scene.message import Message
from polhode.scene.problem import InputError


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

    tag: the moving one; side: [m] of its black square; frame: a tag at rest of the same family and side, or None;
    upright: whether the axes of the rows are those of pose_rows.py
    """

    columns = POSE_COLUMNS
    pictures: PictureProcess
    source: str
    lens: Lens
    tag: Tag
    side: float
    frame: Tag | None = None
    upright: bool = False
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
        chosen, back, origin = choose_all(poses), Rotation.identity(), np.zeros(3)
        if self.frame is not None:
            if not reference:
                raise self._never(self.frame)
            turned, origin = mean_pose(choose_all(reference))
            back = turned.inv()
        rows = PoseRows("camera" if self.frame is None else "tag", self.upright)
        return [
            rows.row(time, back * Rotation.from_rotvec(p.rotation), back.apply(p.position - origin), p.match)
            for time, p in zip(times, chosen, strict=True)
        ]

    def live_rows(self) -> Iterator[Row | None]:
        """A row of POSE_COLUMNS as soon as a picture has come; None for one without the tag."""
        tracker, rows = LiveTracker(), PoseRows("camera", self.upright)
        for time, seen in self._seen():
            if (poses := seen.get(self.tag.number)) is None:
                yield None
                continue
            chosen = tracker.choose(poses)
            yield rows.row(time, Rotation.from_rotvec(chosen.rotation), chosen.position, chosen.match)
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
    """Looks for a coloured ball in pictures. diameter: [m]; upright: as of TagWatch"""

    columns = BALL_COLUMNS
    pictures: PictureProcess
    source: str
    lens: Lens
    diameter: float
    upright: bool = False
    counts: Counts = field(default_factory=Counts)

    def all_rows(self, progress: Callable[[float], None] = lambda _time: None) -> list[Row]:
        """Rows of BALL_COLUMNS of a film, all in one plane across the view, at the median of the depths.

        Raises InputError, also where no ball is seen.
        """
        rows, axes = [row for row in self._seen(progress) if row is not None], axes_of("camera", self.upright)
        depth = float(np.median([row[3] for row in rows]))
        return [ball_row((t, x * depth / z, y * depth / z, depth, radius), axes) for t, x, y, z, radius in rows]

    def live_rows(self) -> Iterator[Row | None]:
        """A row of BALL_COLUMNS for each picture, with its own depth; None for one without the ball."""
        axes = axes_of("camera", self.upright)
        for row in self._seen(lambda _count: None):
            yield None if row is None else ball_row(row, axes)

    def _seen(self, progress: Callable[[float], None]) -> Iterator[Row | None]:
        """A row in the axes of the camera for each picture whose time is in order. Raises InputError."""
        for answer in self.pictures.look({"lens": lens_data(self.lens), "ball": self.diameter}):
            progress(self.counts.pictures)
            if not self.counts.takes(answer["time"]):
                continue
            self.counts.unseen += answer["ball"] is None
            yield None if answer["ball"] is None else (answer["time"], *answer["ball"])
        if self.counts.unseen == self.counts.pictures:
            rule = Message("shows no coloured ball in any of the {count} pictures", count=self.counts.pictures)
            raise InputError.of(self.source, rule, Message("use a ball of a bright colour before a grey background"))


@dataclass(frozen=True)
class Wanted:
    """A tag or a coloured ball that is looked for."""

    size: float  # [m] side of the black square of the tag, or diameter of the ball
    tag: Tag | None = None  # None for a ball
    frame: Tag | None = None
    upright: bool = False

    def watch(self, pictures: PictureProcess, lens: Lens) -> TagWatch | BallWatch:
        """Look for it in pictures."""
        source = str(pictures.source)
        if self.tag is None:
            return BallWatch(pictures, source, lens, self.size, self.upright)
        return TagWatch(pictures, source, lens, self.tag, self.size, self.frame, self.upright)


def lens_data(lens: Lens) -> dict[str, Any]:
    """The arguments of a lens, for a message."""
    return {"focal": lens.focal, "centre": lens.centre, "size": lens.size, "distortion": lens.distortion}


def csv_row(row: Row) -> str:
    """A line of the table, with its line end."""
    return ",".join(f"{value:.9g}" for value in row) + "\n"


def hypothesis(row: list[float]) -> Hypothesis:
    """The pose of a row as TagFinder makes it."""
    return Hypothesis(np.array(row[:3]), np.array(row[3:6]), row[6], row[7])
