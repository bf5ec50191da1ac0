"""Elements of XML, and numbers in them with all digits."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from polhode.physics.bodies.mass.mass_properties import MassProperties

LEAST = 1e-10  # least moment of inertia in parts of the largest, or of mass times squared size: MuJoCo refuses 0


def text_of(numbers: Iterable[float] | float) -> str:
    """Numbers with all digits, between spaces, without signs of zero."""
    return " ".join(repr(float(number) + 0.0) for number in np.atleast_1d(np.asarray(numbers, dtype=float)).ravel())


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """A new child of an element; attributes are texts or numbers, those that are None are left out."""
    texts = {
        key: value if isinstance(value, str) else text_of(value)  # type: ignore[arg-type]
        for key, value in attributes.items()
        if value is not None
    }
    return SubElement(parent, tag, texts)


def body_name(name: str) -> str:
    """The name of a body; "world" is that of the world in MJCF.

    Names in a scene have no dot, so that names made of one with a dot and a word are never taken.
    """
    return f"{name}.body" if name == "world" else name


def quaternion(turn: np.ndarray) -> np.ndarray | None:
    """(4,) unit quaternion w, x, y, z of a rotation (3, 3); None for the identity.

    It is the eigenvector of the largest eigenvalue of a symmetric matrix (Bar-Itzhack), without cases.
    """
    if np.array_equal(turn, np.eye(3)):
        return None
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = turn
    matrix = np.array(
        [
            [xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, xx - yy - zz, yx + xy, zx + xz],
            [xz - zx, yx + xy, yy - xx - zz, zy + yz],
            [yx - xy, zx + xz, zy + yz, zz - xx - yy],
        ]
    )
    found: np.ndarray = np.linalg.eigh(matrix)[1][:, -1]
    return found if found[0] >= 0 else -found


def position_or_none(position: np.ndarray) -> np.ndarray | None:
    """(3,) the position itself, None at the origin."""
    return position if np.any(position) else None


def inertial(parent: Element, of_body: MassProperties) -> bool:
    """Add mass and inertia, in the frame of the body. Returns whether moments were raised, as MuJoCo refuses 0.

    The moments are written about principal axes, and raised by rounding errors so that none exceeds the sum of the
    others.
    """
    moments, axes = of_body.principal()
    size = max(float(moments.max()), of_body.mass * float(of_body.center @ of_body.center) or of_body.mass * 1e-6)
    least = LEAST * size
    raised = np.maximum(moments, least)
    lack = max(0.0, float(2 * raised.max() - raised.sum()))
    raised[:2] += lack * (1 + 1e-12)
    add(
        parent,
        "inertial",
        pos=of_body.center,
        quat=quaternion(axes),
        mass=of_body.mass,
        diaginertia=raised,
    )
    return bool(np.any(moments < least))
