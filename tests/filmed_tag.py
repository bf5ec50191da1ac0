"""Films of a printed tag with exact ground truth: projection, lens distortion, motion blur and noise, by numpy."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import cv2
import imageio_ffmpeg
import numpy as np

Pose = tuple[np.ndarray, np.ndarray]  # rotation (3, 3) and position (3,) [m] of the tag in the frame of the camera
TICKS = 90_000  # [1/s] of the container
SAMPLES = 4  # per pixel and direction
PAPER, INK = 200.0, 30.0  # grey levels
POOL = 4_000_000  # random numbers


LENS = ((1100.0, 1100.0), (652.0, 351.0), (1280, 720), (-0.12, 0.05, 0.0005, -0.0003, 0.0))
"""Focal lengths, centre, size and distortion of the camera: the arguments of Lens."""

SIDE_BY_SIDE = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)
"""Positions [m] of a tag that moves to the right."""


@cache
def _background(width: int, height: int) -> np.ndarray:
    """(height, width) grey levels of an uneven wall."""
    x, y = np.arange(width), np.arange(height)
    return (90.0 + 20 * np.sin(x / 60.0) + 15 * np.cos(y / 45.0)[:, None]).astype(np.float32)


@cache
def _normal() -> np.ndarray:
    """(POOL,) normal numbers; each picture takes a piece of them."""
    return np.random.default_rng(1).standard_normal(POOL, np.float32)


@dataclass(frozen=True)
class Filming:
    """A camera and what disturbs its pictures."""

    focal: float = LENS[0][0]  # [pixels]
    size: tuple[int, int] = LENS[2]  # [pixels]
    distortion: tuple[float, ...] = LENS[3]  # k1, k2, p1, p2, k3
    noise: float = 3.0  # standard deviation [grey levels]
    exposure: float = 0.0  # [s]
    exposures: int = 5  # pictures averaged over one exposure
    blur: float = 0.6  # [pixels] standard deviation of the lens
    centre: tuple[float, float] = LENS[1]

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3) camera matrix."""
        return np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])

    def picture(self, bitmap: np.ndarray, side: float, poses: list[Pose], noise: np.random.Generator) -> np.ndarray:
        """Grey picture (height, width) of a tag of `side` [m]; the mean over the poses of one exposure.

        bitmap: (n, n) cells of the tag, 0 black and 255 white, without the white border
        """
        width, height = self.size
        shown = _background(width, height).copy()
        left, top, right, bottom = self._window(side, poses)
        if right - left > 4 and bottom - top > 4:
            cells = np.full((bitmap.shape[0] + 2,) * 2, PAPER)
            cells[1:-1, 1:-1] = np.where(bitmap > 127, PAPER, INK)
            rays = self._rays(left, top, right, bottom)
            back = shown[top:bottom, left:right]
            part = np.mean([_seen(cells, side, bitmap.shape[0], pose, rays, back) for pose in poses], axis=0)
            shown[top:bottom, left:right] = cv2.GaussianBlur(part, (0, 0), self.blur)
        begin = int(noise.integers(POOL - shown.size))
        shown += np.float32(self.noise) * _normal()[begin : begin + shown.size].reshape(shown.shape)
        return np.clip(shown.round(), 0, 255).astype(np.uint8)

    def _window(self, side: float, poses: list[Pose]) -> tuple[int, int, int, int]:
        """Pixels that the sheet covers: left, top, right, bottom."""
        half = 0.5 * side * 1.5
        corners = np.array([[x, y, 0.0] for x in (-half, half) for y in (-half, half)])
        points = np.vstack(
            [
                cv2.projectPoints(
                    corners, cv2.Rodrigues(rotation)[0], position, self.matrix, np.array(self.distortion)
                )[0][:, 0]
                for rotation, position in poses
            ]
        )
        low, high = points.min(axis=0) - 6, points.max(axis=0) + 6
        left, top = np.clip(low, 0, self.size).astype(int)
        right, bottom = np.clip(high, 0, self.size).astype(int)
        return left, top, right, bottom

    def _rays(self, left: int, top: int, right: int, bottom: int) -> np.ndarray:
        """(rows, columns, 2) directions of samples, per unit of depth; linear within a pixel."""
        grid = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), axis=-1).astype(float)
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        flat = cv2.undistortPoints(grid.reshape(-1, 1, 2), self.matrix, np.array(self.distortion), criteria=criteria)
        middle = flat.reshape(grid.shape)
        down, along = np.gradient(middle, axis=0), np.gradient(middle, axis=1)
        step = (np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5
        fine = (each.repeat(SAMPLES, axis=0).repeat(SAMPLES, axis=1) for each in (middle, down, along))
        at, down, along = fine
        rows, columns = grid.shape[:2]
        return at + down * np.tile(step, rows)[:, None, None] + along * np.tile(step, columns)[None, :, None]


def _seen(cells: np.ndarray, side: float, count: int, pose: Pose, rays: np.ndarray, back: np.ndarray) -> np.ndarray:
    """Grey levels of the pixels of a window: the sheet in front of what is behind it."""
    rotation, position = pose
    homography = np.linalg.inv(np.column_stack((rotation[:, 0], rotation[:, 1], position)))
    at = np.concatenate((rays, np.ones((*rays.shape[:2], 1))), axis=-1) @ homography.T
    x, y = at[..., 0] / at[..., 2], at[..., 1] / at[..., 2]
    cell = side / count
    column = np.floor(x / cell + 0.5 * count).astype(int) + 1
    row = np.floor(0.5 * count - y / cell).astype(int) + 1
    inside = (column >= 0) & (column < count + 2) & (row >= 0) & (row < count + 2)
    fine = back.repeat(SAMPLES, axis=0).repeat(SAMPLES, axis=1)
    fine[inside] = cells[row[inside], column[inside]]
    rows, columns = back.shape
    return fine.reshape(rows, SAMPLES, columns, SAMPLES).mean(axis=(1, 3))


def frames(
    camera: Filming,
    bitmap: np.ndarray,
    side: float,
    pose: Callable[[float], Pose],
    times: np.ndarray,
    seed: int = 0,
) -> Iterator[np.ndarray]:
    """Pictures at times (n,) [s], the middles of the exposures."""
    noise = np.random.default_rng(seed)
    steps = (np.arange(camera.exposures) + 0.5) / camera.exposures - 0.5 if camera.exposure else np.zeros(1)
    for time in times:
        yield camera.picture(bitmap, side, [pose(time + camera.exposure * step) for step in steps], noise)


def facing(tilt: float, about: float = 0.0, roll: float = 0.0) -> np.ndarray:
    """Rotation (3, 3) of a tag that faces the camera, turned by `roll`, then tilted by `tilt` about an axis in its
    plane [rad].
    """
    turned = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0] @ np.diag([1.0, -1.0, -1.0])
    return turned @ cv2.Rodrigues(tilt * np.array([np.cos(about), np.sin(about), 0.0]))[0]


def uneven(count: int, interval: float, jitter: float) -> np.ndarray:
    """(count,) times [s] of a film whose rate varies, from 0 on, in ticks of the container."""
    k = np.arange(count)
    times = k * interval + jitter * np.sin(1.7 * k)
    return np.floor(times * TICKS + 0.5) / TICKS


def write_film(
    path: Path, pictures: Iterable[np.ndarray], size: tuple[int, int], interval: float, jitter: float, *codec: str
) -> None:
    """A film with pictures at the times of `uneven`, by the encoder of imageio-ffmpeg."""
    formula = f"settb=1/{TICKS},setpts='floor((N*{interval!r}+{jitter!r}*sin(1.7*N))*{TICKS}+0.5)'"
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "{format}",
        "-s", f"{size[0]}x{size[1]}", "-r", "30", "-i", "-", "-vf", formula, "-fps_mode", "vfr",
        "-enc_time_base", f"1/{TICKS}", "-video_track_timescale", str(TICKS), "-pix_fmt", "yuv420p", "-threads", "1",
        *(codec or ("-c:v", "libx264", "-crf", "12", "-preset", "ultrafast")), str(path),
    ]  # fmt: skip
    pictures = iter(pictures)
    first = next(pictures)
    command[command.index("{format}")] = "bgr24" if first.ndim == 3 else "gray"
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for picture in chain([first], pictures):
            encoder.stdin.write(picture.tobytes())
        encoder.stdin.close()
        assert encoder.wait() == 0
