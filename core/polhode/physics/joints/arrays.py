"""Constants and scratch arrays of joints."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.physics.joints.ends import FIRST as FIRST
from polhode.physics.joints.ends import SECOND as SECOND
from polhode.physics.joints.trees.arrays import JointTreeWork, Trees

BALL, HINGE, SLIDER, CYLINDRICAL, UNIVERSAL, WELD, DISTANCE, GEAR, TENDON = range(9)
KINDS = {
    "ball": BALL,
    "hinge": HINGE,
    "slider": SLIDER,
    "cylindrical": CYLINDRICAL,
    "universal": UNIVERSAL,
    "weld": WELD,
    "distance": DISTANCE,
    "gear": GEAR,
    "tendon": TENDON,
}
# Status of a joint with limits or dry friction, of a string, or of one that can break; a number of the state.
FREE, SLIDES_FORWARD, SLIDES_BACKWARD, STUCK, AT_LOWER, AT_UPPER, BROKEN = range(7)
"""FREE: nothing acts along the axis, or the string is slack. SLIDES: dry friction acts against positive or negative
rates. STUCK: dry friction holds. AT_LOWER, AT_UPPER: held at a limit, of a string: taut. BROKEN: holds nothing."""
NO_MOTOR, FORCED, ENFORCED = range(3)
PER_JOINT = 3  # switching functions of a joint with a status
SLOTS = 4  # bodies of a joint, at least: two, or those of the two hinges of a gear; tendons may have more


class Factor(KernelStruct):
    """Pattern of the matrix A = J W J^T of the constraint equations, and of its factors (block_ldl.py). Constant.

    Block (i, k) couples joints i and k. Joints are eliminated in an order in which few blocks fill up; position p of
    that order is joint `order[p]`. Numbers of a block are together, row by row, in `JointWork.matrix`.
    """

    order: np.ndarray
    """(n,) int64 joints in the order of elimination."""
    diagonal: np.ndarray
    """(n,) int64 offset of the diagonal block of each position."""
    first: np.ndarray
    """(n + 1,) int64 index of the first block below the diagonal of each position, in `below` and `offset`."""
    below: np.ndarray
    """(b,) int64 position whose rows the block has."""
    offset: np.ndarray
    """(b,) int64 offset of the block."""
    target: np.ndarray
    """(t,) int64 offset of the block that each pair of blocks of a position changes, in the order of the factorisation.
    """
    pairs: np.ndarray
    """(s, 5) int64 terms of the matrix: joint and slot of the rows, joint and slot of the columns, offset of the block;
    the body is the same in both slots.
    """
    size: int
    """Number of numbers of all blocks."""


class Joints(KernelStruct):
    """Joints of a scene in order. Constant; read by LAW, SOLVE, PROJECT, FINISH and OBSERVE.

    The frame of a joint in a body has the rows n, e1, e2: n along the axis, e1 from which the angle is counted.
    """

    at: int
    """Index of the section of joints in the state: the angles of hinges and cylindrical joints."""
    kind: np.ndarray
    """(n,) int64 one of KINDS."""
    body: np.ndarray
    """(n, s) int64 bodies, s SLOTS or more; NOTHING for the laboratory and for slots that are not used."""
    member: np.ndarray
    """(n, s) int64 their indices in `linked`; NOTHING for what no force moves, and for joints in trees."""
    listed: np.ndarray
    """(n, s) int64 as `member`, also for what is fixed or driven."""
    linked: np.ndarray
    """(m,) int64 bodies of joints that are no nodes of trees, in order."""
    moved: np.ndarray
    """(m,) int64 index in BodyMotions of those that formulas move, else NOTHING."""
    anchor: np.ndarray
    """(n, 2, 3) [m] reference point of the body to the anchor, body frame; position in the laboratory without a body.
    """
    frame: np.ndarray
    """(n, 2, 3, 3) rows n, e1, e2 in the frame of each body."""
    first_term: np.ndarray
    """(n + 1,) int64 index of the first hinge or slider that a gear or a tendon ties; others tie none."""
    tied: np.ndarray
    """(t,) int64 these hinges and sliders."""
    coefficient: np.ndarray
    """(t,) their coefficients in the equation of the gear, or in the length of the tendon."""
    row: np.ndarray
    """(n + 1,) int64 index of the first equation of each joint; joints in trees have none."""
    jacobian: np.ndarray
    """(n, s) int64 index of its first row in `JointWork.jacobian`."""
    angle: np.ndarray
    """(n,) int64 index of the angle among the angles of the state; NOTHING for joints without one."""
    length: np.ndarray
    """(n,) [m] of a rod or string."""
    status: np.ndarray
    """(n,) int64 index of the status among the numbers of the state; NOTHING for joints that have none."""
    switching: np.ndarray
    """(q,) int64 joints with a status."""
    largest: int
    """Index of the largest force [N] and torque [N m] of each joint among the numbers of the state."""
    holds: np.ndarray
    """(n,) bool: the last equation holds the coordinate at a limit or by dry friction, and is empty at other times."""
    pull_only: np.ndarray
    """(n,) bool: a string."""
    limits: np.ndarray
    """(n, 2) [rad] or [m] smallest and largest coordinate; infinite without a limit, of a string its length."""
    restitution: np.ndarray
    """(n,) at the limits."""
    dry_friction: np.ndarray
    """(n,) [N m] or [N]."""
    breaks_at: np.ndarray
    """(n,) [N]; infinite for joints that do not break."""
    offset: np.ndarray
    """(n,) [rad] or [m] of a gear: coordinate of the second joint where that of the first is 0."""
    armature: np.ndarray
    """(n,) [kg m^2] or [kg] inertia of the rotor of a hinge or slider."""
    rotors: np.ndarray
    """(a,) int64 joints that have one."""
    rotor: np.ndarray
    """(n,) int64 number of the equation of the rotor among those of its joint; NOTHING for joints without one."""
    friction: np.ndarray
    """(n,) [N m s] or [N s/m]."""
    spring: np.ndarray
    """(n, 3) stiffness, damping and rest angle or displacement."""
    motor: np.ndarray
    """(n,) int64 NO_MOTOR, FORCED or ENFORCED."""
    address: Addresses
    """(n,) int64 machine code of the motor's torque or speed and its derivative (`call_1_2`)."""
    first_number: np.ndarray
    """(n,) int64 index of its first constant."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""
    scale: float
    """[m] size of the joints and their bodies, to which lengths are compared."""
    row_scale: np.ndarray
    """(r,) to which residuals of the equations are compared: `scale` of a length [m], 1 of a direction or an angle."""
    jointed: np.ndarray
    """(b,) int64 bodies that joints move."""
    contrasts: bool
    """Whether a body in `linked` is so much lighter than another one that factors serve for their own state only."""
    slender: np.ndarray
    """(s,) int64 index in `linked` of bodies with little or no inertia about an axis."""
    slender_axis: np.ndarray
    """(m, 3) unit vector along that axis, body frame; 0 of points, which have no inertia about any."""
    null_response: np.ndarray
    """(m, 3, 3) [1/(kg m^2)] response about axes without inertia, body frame; 0 of other bodies."""
    acting: np.ndarray
    """(a,) int64 joints with a spring, friction or a stated torque or force."""
    factor: Factor
    trees: Trees


WIDTH = 8  # columns of force, torque, and the largest of both


def section_size(joints: Joints) -> int:
    """Number of numbers of the state: angles, status, and the largest force and torque of each joint."""
    return joints.largest + 2 * len(joints.kind)


def widths(joints: Joints) -> np.ndarray:
    """(n,) int64 number of columns of each joint."""
    return WIDTH + has_coordinate(joints) + (joints.status != NOTHING)


def has_coordinate(joints: Joints) -> np.ndarray:
    """(n,) int64 1 for joints with an angle or a displacement along their axis, and for tendons, else 0."""
    return np.isin(joints.kind, [HINGE, CYLINDRICAL, SLIDER, TENDON]).astype(np.int64)


@kernel
def scale_of_coordinate(joints: Joints, j: int) -> float:
    """To what the coordinate of joint j is compared: the size of the joints [m], or 1 rad of a hinge."""
    return 1.0 if joints.kind[j] == HINGE else joints.scale


class JointWork(KernelStruct):
    """Scratch of joints with r equations and m bodies. Written by SOLVE and FINISH; columns read it after SOLVE."""

    jacobian: np.ndarray
    """(s, 6) rows of J: force and torque on the body of a slot per unit of the multiplier, laboratory frame."""
    mobile: np.ndarray
    """(s, 6) rows of J W: change of velocity [m/s] and angular velocity [rad/s] of the body by that impulse."""
    bias: np.ndarray
    """(r,) second derivative of each equation without accelerations, [m/s^2] or [1/s^2]."""
    residual: np.ndarray
    """(r,) [m] or pure: by how much each equation is violated."""
    speed: np.ndarray
    """(r,) [m/s] or [rad/s] rate that a motor demands of its equation; 0 for others."""
    multiplier: np.ndarray
    """(r,) right-hand side, then the solution: forces [N] or torques [N m] of the equations."""
    kept: np.ndarray
    """(r,) multipliers of a first solution."""
    acceleration: np.ndarray
    """(m, 6) [m/s^2], [rad/s^2] of the bodies without joints, laboratory frame."""
    matrix: np.ndarray
    """(k,) blocks of A, then of its factors."""
    original: np.ndarray
    """(r,) diagonal of A before it is factored, by which pivots are measured."""
    inverse: np.ndarray
    """(r,) inverse pivots; 0 for equations that others contain."""
    column: np.ndarray
    """(c,) blocks of one position before they are divided by the pivots."""
    applied: np.ndarray
    """(n,) [N] or [N m] of springs, friction and motors along the axis, on the second body. Written by LAW."""
    values: np.ndarray
    """(PER_JOINT q,) switching functions, where steps are not divided at their zeros; FINISH."""
    reached: np.ndarray
    """(q,) bool: joints with a status that reach a limit at an impact; IMPACT, as the next three."""
    rebound: np.ndarray
    """(q,) [rad/s] or [m/s] minus the rates of their coordinates before it."""
    pressed: np.ndarray
    """(q,) [N m] or [N] multipliers of the equations that hold the coordinates."""
    bounces: np.ndarray
    """(q,) bool: those that do not stay at their limits."""
    load: np.ndarray
    """(b, 3) [N] sums of all other forces on `Joints.jointed`. Written by SOLVE."""
    moment: np.ndarray
    """(b, 3) [N m] of their torques."""
    poses: np.ndarray
    """(b, 4, 3) position [m], u1, u2, u3 of these bodies before the projection."""
    kinetic: np.ndarray
    """(1,) [J] their energy then."""
    left: np.ndarray
    """(1,) largest residual that the last projection left, relative to the size of the joints. Written by FINISH."""
    still: np.ndarray
    """(m, 6) zeros: displacements of bodies that do not move."""
    tree: JointTreeWork


@kernel
def slots(joints: Joints) -> int:
    """Number of bodies that a joint may have."""
    return joints.body.shape[1]


@kernel
def status_of(joints: Joints, j: int, state: np.ndarray) -> int:
    """Status of joint j; FREE for those that have none."""
    return FREE if joints.status[j] == NOTHING else int(state[joints.at + joints.status[j]] + 0.5)


@kernel
def write_status(joints: Joints, j: int, state: np.ndarray, status: int) -> None:
    """Write the status of joint j, which has one, into `state` (k,)."""
    state[joints.at + joints.status[j]] = status
