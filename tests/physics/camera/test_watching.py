"""Rows of a tag in its own frame and in that of a second tag, from answers of the process that decodes."""

from __future__ import annotations

import numpy as np
from filmed_tag import LENS, facing
from scipy.spatial.transform import Rotation

from polhode.camera.lens import Lens
from polhode.camera.pose_rows import POSE_COLUMNS, UPRIGHT, PoseRows
from polhode.camera.tags import Tag
from polhode.camera.watching import BallWatch, TagWatch

WALL = Rotation.from_matrix(facing(0.3, 0.4, 0.2))
ORIGIN = np.array([-0.2, 0.1, 1.5])


class Answers:
    """In place of the process: its answers."""

    def __init__(self, *answers: dict):
        self._answers = answers

    def look(self, wanted: dict):
        return iter(self._answers)


def tag(number: int, turned: Rotation, position: np.ndarray) -> list:
    return [number, [[*turned.as_rotvec().tolist(), *position.tolist(), 0.1, 0.99]]]


def test_poses_are_those_in_the_frame_of_the_second_tag():
    inside = [np.array([0.1 * k, 0.2, 0.05]) for k in range(4)]
    turns = [Rotation.from_euler("z", 0.2 * k) for k in range(4)]
    answers = [
        {"time": 0.1 * k, "tags": [tag(3, WALL * turns[k], WALL.apply(inside[k]) + ORIGIN), tag(7, WALL, ORIGIN)]}
        for k in range(4)
    ]
    rows = TagWatch(Answers(*answers), "film", Lens(*LENS), Tag("36h11", 3), 0.04, Tag("36h11", 7)).all_rows()
    for k, row in enumerate(rows):
        np.testing.assert_allclose(row[1:4], inside[k], atol=1e-12)
        np.testing.assert_allclose(np.reshape(row[4:13], (3, 3)).T, turns[k].as_matrix(), atol=1e-12)


def test_pictures_without_the_tag_or_out_of_order_are_counted():
    seen = [tag(3, WALL, ORIGIN)]
    answers = [
        {"time": t, "tags": found} for t, found in ((0.0, seen), (0.1, []), (0.1, seen), (0.05, seen), (0.2, seen))
    ]
    watch = TagWatch(Answers(*answers), "film", Lens(*LENS), Tag("36h11", 3), 0.04)
    assert [row[0] for row in watch.all_rows()] == [0.0, 0.2]
    assert (watch.counts.pictures, watch.counts.unseen, watch.counts.unordered) == (5, 1, 2)
    assert len(watch.counts.notes()) == 2


def test_a_ball_moves_in_one_plane():
    answers = [
        {"time": 0.1 * k, "ball": [0.1 * depth, 0.2 * depth, depth, 30.0]} for k, depth in enumerate((1, 1.1, 0.9))
    ]
    rows = BallWatch(Answers(*answers), "film", Lens(*LENS), 0.05).all_rows()
    np.testing.assert_allclose([row[1:4] for row in rows], [[0.1, 0.2, 1.0]] * 3)


def test_upright_axes_are_those_of_the_picture_and_of_the_wall():
    """A camera that looks along y, and a tag on a wall in front of it, are one frame but for the origin."""
    facing_wall, place = Rotation.from_matrix(facing(0.0)), np.array([0.1, -0.2, 1.0])
    wall = np.array([0.0, 0.0, 1.5])
    answers = [{"time": 0.0, "tags": [tag(3, facing_wall, place), tag(7, facing_wall, wall)]}]
    (alone,) = TagWatch(Answers(*answers), "", Lens(*LENS), Tag("36h11", 3), 0.04, None, True).all_rows()
    (framed,) = TagWatch(Answers(*answers), "", Lens(*LENS), Tag("36h11", 3), 0.04, Tag("36h11", 7), True).all_rows()
    np.testing.assert_allclose(alone[1:4], [0.1, 1.0, 0.2], atol=1e-12)  # right, along the view, up
    np.testing.assert_allclose(framed[1:4], [0.1, -0.5, 0.2], atol=1e-12)
    for row in (alone, framed):
        np.testing.assert_allclose(np.reshape(row[4:13], (3, 3)), np.eye(3), atol=1e-12)
    ball = BallWatch(Answers({"time": 0.0, "ball": [*place.tolist(), 30.0]}), "", Lens(*LENS), 0.05, True)
    np.testing.assert_allclose(next(ball.live_rows())[1:4], [0.1, 1.0, 0.2], atol=1e-12)


def test_the_rotation_vector_counts_whole_turns_since_the_first_row():
    axis = np.array([0.0, 0.6, 0.8])
    start = Rotation.from_rotvec([0.3, -0.2, 0.1])
    angles = np.concatenate((np.linspace(0.0, 14.0, 60), np.linspace(14.0, -8.0, 90)))
    rows = PoseRows("tag", True)
    turned = [rows.row(k, Rotation.from_rotvec(angle * axis) * start, ORIGIN, 1.0) for k, angle in enumerate(angles)]
    found = np.array([row[POSE_COLUMNS.index("turn.x (rad)") :][:3] for row in turned])
    np.testing.assert_allclose(found, angles[:, None] * (UPRIGHT["tag"] @ axis), atol=1e-9)
