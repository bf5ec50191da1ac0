"""Constants and scratch arrays of joints in trees.

Nodes are the bodies of trees, parents first. The reference point of a node is the anchor of its joint to its parent;
that of a root that flies freely is its centre of mass. A parent that does not move, or the laboratory, is no node.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct

FLIES = 8  # in place of the kind of joint of a root without one
MOST_FREEDOM = 6  # motions of such a root
OWN, ABOVE = range(2)  # a node and its parent, in `Trees.frame`


class Trees(KernelStruct):
    """Joints of the components of a scene that form no loops, for articulated.py. Constant."""

    body: np.ndarray
    """(t,) int64 body of each node."""
    parent: np.ndarray
    """(t,) int64 node that it hangs on; NOTHING for roots."""
    above: np.ndarray
    """(t,) int64 body that it hangs on, also one that does not move; NOTHING for the laboratory, or without a joint."""
    held_by: np.ndarray
    """(t,) int64 of a root the index of that body in `Joints.linked`; NOTHING for others."""
    joint: np.ndarray
    """(t,) int64 joint to the parent; NOTHING for a root that flies."""
    kind: np.ndarray
    """(t,) int64 kind of that joint, or FLIES."""
    is_second: np.ndarray
    """(t,) bool: the node is the second body of that joint."""
    freedom: np.ndarray
    """(t,) int64 number of motions that the joint leaves free."""
    arm: np.ndarray
    """(t, 3) [m] reference point to the centre of mass, in the frame of the body."""
    hold: np.ndarray
    """(t, 3) [m] centre of mass, or reference point, of the parent to its anchor, in its frame; position in the
    laboratory without a body.
    """
    frame: np.ndarray
    """(t, 2, 3, 3) rows n, e1, e2 of the joint in the frame of the body, and of its parent."""
    mass: np.ndarray
    """(t,) [kg]."""
    armature: np.ndarray
    """(t,) [kg m^2] or [kg] inertia of the rotor of the joint."""
    slender: np.ndarray
    """(s,) int64 nodes with little inertia about an axis."""
    slender_axis: np.ndarray
    """(t, 3) unit vector along that axis, body frame."""
    axes: np.ndarray
    """(t, 2, 3) two principal axes about the centre of mass, in the frame of the body."""
    moments: np.ndarray
    """(t, 3) [kg m^2] moment about the third one, and by how much those about the other two are larger."""
    node: np.ndarray
    """(n,) int64 node of each joint of the scene; NOTHING for joints that are not in trees."""


class JointTreeWork(KernelStruct):
    """Scratch of nodes, laboratory frame. Spatial vectors and inertias as in articulated.py."""

    position: np.ndarray
    """(t, 3) [m] reference point."""
    offset: np.ndarray
    """(t, 3) [m] to it from that of the parent, or from the reference point of a body that does not move."""
    arm: np.ndarray
    """(t, 3) [m] from it to the centre of mass."""
    axis: np.ndarray
    """(t, 3) n of the joint, fixed in the body."""
    motion: np.ndarray
    """(t, MOST_FREEDOM, 6) S: motions that a joint leaves free; not written for hinges."""
    own: np.ndarray
    """(t, 6) [kg m^2] upper half of the tensor about the centre of mass."""
    inertia: np.ndarray
    """(t, 21) articulated inertia."""
    bias: np.ndarray
    """(t, 6) p: bias force of the node with all that hangs on it."""
    extra: np.ndarray
    """(t, 6) c: motion against the parent that the joint demands."""
    centripetal: np.ndarray
    """(t, 3) [m/s^2] acceleration of the centre of mass against the reference point by the rotation."""
    pushed: np.ndarray
    """(t, MOST_FREEDOM, 6) U: forces that the free motions take."""
    inverse: np.ndarray
    """(t, MOST_FREEDOM) 1/D."""
    drive: np.ndarray
    """(t, MOST_FREEDOM) forces along the free motions."""
    found: np.ndarray
    """(t, 6) accelerations, displacements or changes of velocity of the reference point and the body."""


def make_tree_work(trees: Trees) -> JointTreeWork:
    """Scratch arrays of trees."""
    count = len(trees.body)
    sizes = {"position": 3, "offset": 3, "arm": 3, "axis": 3, "own": 6, "inertia": 21, "bias": 6, "extra": 6}
    rows = {name: np.zeros((count, size)) for name, size in (sizes | {"centripetal": 3, "found": 6}).items()}
    of_motions = {name: np.zeros((count, MOST_FREEDOM, 6)) for name in ("motion", "pushed")}
    numbers = {name: np.zeros((count, MOST_FREEDOM)) for name in ("inverse", "drive")}
    return JointTreeWork(**rows, **of_motions, **numbers)
