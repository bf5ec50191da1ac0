"""Poses of tags in rendered pictures, at a focal length of 1100 pixels, a tag of 40 mm at 1 m, and noise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, facing
from scipy.spatial.transform import Rotation

from polhode.camera.lens import Lens
from polhode.camera.pose import Hypothesis, TagModel
from polhode.camera.tag_finder import TagFinder
from polhode.camera.tags import Tag, tag_of
from polhode.camera.tracking import LiveTracker, choose_all
from polhode.camera.watching import hypothesis
from polhode.scene.problem import InvalidValue

SIDE = 0.04


@pytest.mark.parametrize(("name", "speed"), [("36h11:3", 0.0), ("4x4_50:7", 0.0), ("36h11:3", 1.0)])
def test_a_tilted_tag_is_found_within_a_fraction_of_a_millimetre(name: str, speed: float):
    """Noise of 5 of 255 levels, tilt from 15 degrees on; speed in m/s, exposed for 4 ms."""
    tag, random, camera = tag_of(name), np.random.default_rng(5), Filming(noise=5.0)
    find, bitmap = TagFinder(cv2, Lens(*LENS), tag.family, {tag.number: SIDE}), tag.bitmap(cv2)
    errors, angles = [], []
    for _ in range(12):
        turned = facing(np.radians(random.uniform(15, 50)), random.uniform(0, 6.28), random.uniform(-0.5, 0.5))
        position = np.array([random.uniform(-0.3, 0.3), random.uniform(-0.2, 0.2), 1.0])
        velocity = speed * np.array([random.uniform(-1, 1), random.uniform(-0.3, 0.3), 0.0])
        poses = [(turned, position + 0.004 * part * velocity) for part in np.linspace(-0.4, 0.4, 5)]
        (found,) = find(camera.picture(bitmap, SIDE, poses, random))["tags"]
        best = LiveTracker().choose([hypothesis(row) for row in found[1]])
        errors.append(best.position - position)
        angles.append((Rotation.from_rotvec(best.rotation) * Rotation.from_matrix(turned).inv()).magnitude())
    across, along = np.sqrt(np.mean(np.square(errors), axis=0)[:2]), np.sqrt(np.mean(np.square(errors), axis=0)[2])
    assert across.max() < 0.2e-3
    assert along < 1.2e-3
    assert np.degrees(np.sqrt(np.mean(np.square(angles)))) < 0.5


def test_the_pattern_makes_the_pose_better_than_the_corners():
    random, bitmap = np.random.default_rng(2), Tag("36h11", 3).bitmap(cv2)
    model, position = TagModel(cv2, bitmap, SIDE), np.array([0.1, 0.05, 1.0])
    picture = Filming().picture(bitmap, SIDE, [(facing(0.5), position)], random)
    corners = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * SIDE / 2
    lens = Lens(*LENS)
    seen = cv2.projectPoints(corners, cv2.Rodrigues(facing(0.5))[0], position, lens.matrix, lens.terms)[0].reshape(4, 2)
    coarse = seen + random.normal(0.0, 0.4, (4, 2))
    plain, refined = model.hypotheses(coarse, lens), model.hypotheses(coarse, lens, picture)
    off = [min(np.linalg.norm(each.position - position) for each in poses) for poses in (plain, refined)]
    assert off[1] < 0.2 * off[0]
    assert all(each.match == 0.0 for each in plain)
    assert max(each.match for each in refined) > 0.98


def turned_by(angle: float, match: float) -> Hypothesis:
    return Hypothesis(np.array([angle, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), 0.1, match)


def test_the_motion_decides_where_the_pattern_does_not():
    """The right pose rocks about 0.3 rad; the mirrored one fits slightly better in every third picture."""
    right = [0.3 + 0.05 * np.sin(k) for k in range(30)]
    pictures = [
        [turned_by(a, 0.99), turned_by(-a, 0.99 + (1e-4 if k % 3 == 1 else -1e-3))] for k, a in enumerate(right)
    ]
    assert [each.rotation[0] for each in choose_all(pictures)] == right
    tracker = LiveTracker()
    assert [tracker.choose(each).rotation[0] for each in pictures] == right


def test_later_pictures_correct_a_wrong_first_pose():
    """Which a live camera can't: the first picture is ambiguous, the others are not."""
    pictures = [[turned_by(0.3, 0.99), turned_by(-0.3, 0.9901)]] + [[turned_by(0.3, 0.99), turned_by(-0.3, 0.9)]] * 5
    assert [each.rotation[0] for each in choose_all(pictures)] == [0.3] * 6
    assert LiveTracker().choose(pictures[0]).rotation[0] == -0.3


@pytest.mark.parametrize("name", ["", "36h11", "36h11:-1", "36h12:3", "36h11:3:4", "36H11:", "../x:1"])
def test_other_words_are_no_tags(name: str):
    with pytest.raises(InvalidValue):
        tag_of(name)
