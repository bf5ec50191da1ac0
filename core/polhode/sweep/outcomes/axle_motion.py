"""Motion of a body on an axle by its equation of motion (reduced_axle.py), and both Lyapunov exponents by the
variational equation

    d(theta)'' = (d alpha/d theta) d(theta) - gamma d(theta)'

for two tangent vectors, all by RK4. The phase space is the plane of angle and rate, and the time, which has no exponent
but 0 and is left out. The sum of both exponents is -gamma, whatever the motion.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel, part_of_caller

STRIDE = 8  # steps between two times at which the vectors are made orthonormal


@part_of_caller
def acceleration(harmonics: np.ndarray, cosine: float, sine: float, angle: float) -> tuple[float, float]:
    """alpha [rad/s^2] and d alpha/d theta at `angle` [rad], with multiples of the angle by the addition theorem.

    harmonics: (3, m + 1, 2) as of ReducedAxle; cosine, sine: of the phase of the field
    """
    c, s = np.cos(angle), np.sin(angle)
    ck, sk = 1.0, 0.0
    value, slope = 0.0, 0.0
    for k in range(harmonics.shape[1]):
        a = harmonics[0, k, 0] + harmonics[1, k, 0] * cosine + harmonics[2, k, 0] * sine
        b = harmonics[0, k, 1] + harmonics[1, k, 1] * cosine + harmonics[2, k, 1] * sine
        value += a * ck + b * sk
        slope += k * (b * ck - a * sk)
        ck, sk = ck * c - sk * s, sk * c + ck * s
    return value, slope


@kernel
def axle_exponents(
    harmonics: np.ndarray,
    rates: np.ndarray,
    start: np.ndarray,
    plan: tuple[int, float, int],
    sums: np.ndarray,
    spans: np.ndarray,
) -> None:
    """Add logarithms of the lengths of two tangent vectors to `sums` (2, 2), and times [s] to `spans` (2,), of both
    halves of the steps that count.

    harmonics: (3, m + 1, 2) and rates: (2,) as of ReducedAxle; start: (2,) angle [rad] and rate [rad/s], which become
    those of the end; plan: steps, step [s], the first step that counts
    """
    steps, h, first = plan
    w, g, x, v = rates[0], rates[1], start[0], start[1]
    p, q, r, s = 1.0, 0.0, 0.0, 1.0  # tangent vectors (p, q) and (r, s)
    c0, s0, since = 1.0, 0.0, 0  # since: steps since the vectors were made orthonormal
    for n in range(steps):
        # Four stages; k: rates of v, l and m: of the rates of both tangent vectors. Positions follow from the rates.
        c1, s1 = np.cos(w * h * (n + 0.5)), np.sin(w * h * (n + 0.5))
        c2, s2 = np.cos(w * h * (n + 1.0)), np.sin(w * h * (n + 1.0))
        a, b = acceleration(harmonics, c0, s0, x)
        k1, l1, m1 = a - g * v, b * p - g * q, b * r - g * s
        a, b = acceleration(harmonics, c1, s1, x + 0.5 * h * v)
        v2, q2, t2 = v + 0.5 * h * k1, q + 0.5 * h * l1, s + 0.5 * h * m1
        k2, l2, m2 = a - g * v2, b * (p + 0.5 * h * q) - g * q2, b * (r + 0.5 * h * s) - g * t2
        a, b = acceleration(harmonics, c1, s1, x + 0.5 * h * v2)
        v3, q3, t3 = v + 0.5 * h * k2, q + 0.5 * h * l2, s + 0.5 * h * m2
        k3, l3, m3 = a - g * v3, b * (p + 0.5 * h * q2) - g * q3, b * (r + 0.5 * h * t2) - g * t3
        a, b = acceleration(harmonics, c2, s2, x + h * v3)
        v4, q4, t4 = v + h * k3, q + h * l3, s + h * m3
        k4, l4, m4 = a - g * v4, b * (p + h * q3) - g * q4, b * (r + h * t3) - g * t4
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        p += h / 6 * (q + 2 * q2 + 2 * q3 + q4)
        r += h / 6 * (s + 2 * t2 + 2 * t3 + t4)
        v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        q += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        s += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4)
        c0, s0 = c2, s2
        since += 1
        if since == STRIDE or n + 1 == steps or n + 1 == first:
            one = np.sqrt(p * p + q * q)
            p, q = p / one, q / one
            part = p * r + q * s
            r, s = r - part * p, s - part * q
            other = np.sqrt(r * r + s * s)
            r, s = r / other, s / other
            if n + 1 > first:
                half = 0 if 2 * (n + 1 - first) <= steps - first else 1
                sums[half, 0] += np.log(one)
                sums[half, 1] += np.log(other)
                spans[half] += h * since
            since = 0
    start[0], start[1] = x, v
