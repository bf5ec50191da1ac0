"""Slow, obvious twins of what moves in a rotating laboratory: Newton's laws in an inertial frame, then turned back.

No force of inertia stands here. The laboratory is the rotation R(t) of its axes to the inertial ones, dR/dt = R [W x].
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Laboratory:
    """Where the laboratory is: W(t) and its derivative, in its own axes, and gravity, which turns with it."""

    def __init__(self, w, change, gravity):
        self.w, self.change, self.gravity = w, change, np.array(gravity, float)

    def point(self, time, turn, place):
        """Place, velocity and acceleration in the inertial frame of a point that rests in the laboratory."""
        w = np.array(self.w(time))
        speed = np.cross(w, place)
        return turn @ place, turn @ speed, turn @ (np.cross(w, speed) + np.cross(self.change(time), place))

    def solve(self, start, rates, times):
        """(len(times), 3, 3) turns of the laboratory, and (len(times), k) y with dy/dt = rates(time, turn, y)."""

        def all_rates(time, y):
            turn = y[:9].reshape(3, 3)
            return np.concatenate([(turn @ skew(self.w(time))).ravel(), rates(time, turn, y[9:])])

        first = np.concatenate([np.eye(3).ravel(), start])
        found = solve_ivp(all_rates, (0, times[-1]), first, "DOP853", times, rtol=1e-13, atol=1e-14)
        return found.y[:9].T.reshape(-1, 3, 3), found.y[9:].T


def free_body(lab, mass, inertia, place, velocity, turn, spin, times):
    """Places of the centre of mass and turns of a free body, in the laboratory; so are its start and its spin.

    Its turns from body to laboratory axes are (len(times), 3, 3); inertia about the centre of mass, body frame.
    """
    w0 = np.array(lab.w(0.0))
    start = [place, velocity + np.cross(w0, place), turn.ravel(), turn.T @ (spin + w0)]

    def rates(time, of_lab, y):
        q, spin = y[6:15].reshape(3, 3), y[15:]
        change = np.linalg.solve(inertia, -np.cross(spin, inertia @ spin))
        return np.concatenate([y[3:6], of_lab @ lab.gravity, (q @ skew(spin)).ravel(), change])

    labs, y = lab.solve(np.concatenate(start), rates, times)
    places = np.einsum("tji,tj->ti", labs, y[:, :3])
    return places, np.einsum("tji,tjk->tik", labs, y[:, 6:15].reshape(-1, 3, 3))


def pendulum(lab, mass, center, inertia, pivot, turn, spin, times):
    """Turns of a body on a pivot that rests in the laboratory; `center` from the pivot, `inertia` about the centre.

    The pivot's force is what carries the centre of mass along, and its torque about that centre turns the body.
    """

    def rates(time, of_lab, y):
        q, spin = y[:9].reshape(3, 3), y[9:]
        tensor, s = q @ inertia @ q.T, q @ center
        carried = lab.point(time, of_lab, pivot)[2] + np.cross(spin, np.cross(spin, s)) - of_lab @ lab.gravity
        against = -np.cross(spin, tensor @ spin) - np.cross(s, mass * carried)
        change = np.linalg.solve(tensor - mass * skew(s) @ skew(s), against)
        return np.concatenate([(skew(spin) @ q).ravel(), change])

    labs, y = lab.solve(np.concatenate([turn.ravel(), spin + np.array(lab.w(0.0))]), rates, times)
    return np.einsum("tji,tjk->tik", labs, y[:, :9].reshape(-1, 3, 3))


def point_on_a_spring(lab, mass, spring, end, place, velocity, times):
    """Places in the laboratory of a point on a spring (stiffness, damping, length), whose other end rests there."""
    stiffness, damping, rest = spring
    start = np.concatenate([place, velocity + np.cross(lab.w(0.0), place)])

    def rates(time, of_lab, y):
        held, moving, _ = lab.point(time, of_lab, end)
        away, speed = y[:3] - held, y[3:] - moving
        length = np.linalg.norm(away)
        pull = stiffness * (length - rest) + damping * (speed @ away) / length
        return np.concatenate([y[3:], of_lab @ lab.gravity - pull / mass * away / length])

    labs, y = lab.solve(start, rates, times)
    return np.einsum("tji,tj->ti", labs, y[:, :3])
