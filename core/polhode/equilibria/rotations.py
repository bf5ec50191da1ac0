"""Rotation vectors and matrices of many rotations at once."""

from __future__ import annotations

import numpy as np


def matrices(vectors: np.ndarray) -> np.ndarray:
    """(..., 3, 3) rotation matrices of rotation vectors (..., 3) [rad], by Rodrigues' formula.

    R = 1 + sin(a)/a K + (1 - cos(a))/a^2 K^2 with a the length of the vector and K its cross product matrix.
    """
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    cross = np.zeros((*vectors.shape, 3))
    cross[..., 2, 1], cross[..., 0, 2], cross[..., 1, 0] = np.moveaxis(vectors, -1, 0)
    cross -= np.swapaxes(cross, -1, -2)
    half = np.sinc(angle / (2 * np.pi))  # sin(a/2)/(a/2), also for 0
    return np.asarray(np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half**2 * (cross @ cross))


def vectors(turns: np.ndarray) -> np.ndarray:
    """(m, 3) rotation vectors [rad], of at most pi, of rotation matrices (m, 3, 3).

    By unit quaternions, whose largest component is computed first (Shepperd, J. Guidance and Control 1, 223 (1978)).
    """
    trace = np.trace(turns, axis1=1, axis2=2)
    diagonal = np.diagonal(turns, axis1=1, axis2=2)
    squares = np.column_stack([1 + trace, 1 + 2 * diagonal - trace[:, None]])  # 4 w^2, 4 x^2, 4 y^2, 4 z^2
    skew = turns - np.swapaxes(turns, 1, 2)
    both = turns + np.swapaxes(turns, 1, 2)
    x, y, z = skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]
    xy, xz, yz = both[:, 0, 1], both[:, 0, 2], both[:, 1, 2]
    w2, x2, y2, z2 = squares.T
    products = np.stack([[w2, x, y, z], [x, x2, xy, xz], [y, xy, y2, yz], [z, xz, yz, z2]]).transpose(2, 0, 1)
    found = products[np.arange(len(turns)), np.argmax(squares, axis=1)]
    found = found / np.linalg.norm(found, axis=1, keepdims=True)
    found = np.where(found[:, :1] < 0, -found, found)
    sine = np.linalg.norm(found[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, found[:, 0])
    return np.asarray(found[:, 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)[:, None])
