"""Eddy currents in a plate by quadrature: the reference of core/polhode/physics/plates, with which it shares no code.

The plate is taken as sheets. In each sheet the rate of B_n of one source gives the stream function psi of the current
density J = curl(psi n) by Faraday's law, lap psi = conductivity dB_n/dt, solved per azimuthal order m by the Green's
function of the plane in polar coordinates about the source. Then Biot and Savart give B at each dipole, and the
reaction of the Lorentz force the force on it.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import cumulative_simpson

PERMEABILITY = 1.25663706127e-6
RADII, ANGLES, DEPTHS = 1201, 64, 10
STEP = 1e-30  # of complex-step derivatives


def dipole_field(moment, r):
    """B [T] at points r (..., 3) [m] from a dipole; also for complex arguments."""
    square = (r * r).sum(-1)[..., None]
    along = (r * moment).sum(-1)[..., None]
    return PERMEABILITY / (4 * np.pi) * (3 * along * r / square**2.5 - moment / square**1.5)


def sheet_currents(height, moment, velocity, rate, conductivity):
    """Points (a, b, 3) [m] from below the source on a sheet, J (a, b, 3) [A/m^2], and weights (a, b) [m^2].

    height: [m] of the source above the sheet, negative below it; the normal is z
    """
    t = np.linspace(0.0, 1.0, RADII)[1:-1]
    r, dr = abs(height) * t / (1 - t), abs(height) / (1 - t) ** 2
    angle = np.arange(ANGLES) * 2 * np.pi / ANGLES
    points = np.stack([np.outer(r, np.cos(angle)), np.outer(r, np.sin(angle)), np.zeros((len(r), ANGLES))], -1)
    source = np.array([0.0, 0.0, height]) + 1j * STEP * np.array(velocity)
    changing = dipole_field(np.array(moment) + 1j * STEP * np.array(rate), points - source)[..., 2].imag / STEP
    orders = np.fft.fft(conductivity * changing, axis=1) / ANGLES
    radial, around = np.zeros((len(r), ANGLES), complex), np.zeros((len(r), ANGLES), complex)
    for m in (-2, -1, 0, 1, 2):  # a dipole has the orders 0 and 1, its motion adds one
        psi, slope = _solved(abs(m), r, dr, t, orders[:, m])
        wave = np.exp(1j * m * angle)
        radial += (1j * m * psi / r)[:, None] * wave
        around -= slope[:, None] * wave
    outward = np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1)
    along = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    current = radial.real[..., None] * outward + around.real[..., None] * along
    simpson = np.full(len(t), 2.0)
    simpson[::2] = 4.0  # the ends, where J is zero, are left out
    weights = (simpson / 3 * (t[1] - t[0]) * r * dr)[:, None] * np.full(ANGLES, 2 * np.pi / ANGLES)
    return points, current, weights


def _solved(m, r, dr, t, source):
    """psi and dpsi/dr of psi'' + psi'/r - m^2 psi/r^2 = source, bounded at 0 and at infinity."""

    def integral(values):
        whole = np.concatenate([[0.0], values * dr, [0.0]])
        x = np.concatenate([[0.0], t, [1.0]])
        real = cumulative_simpson(whole.real, x=x, initial=0.0)
        return real + 1j * cumulative_simpson(whole.imag, x=x, initial=0.0)

    inner = integral(r ** (m + 1) * source)[1:-1]
    if m == 0:
        return 0 * inner, inner / r  # only the slope counts
    outer = integral(r ** (1 - m) * source)
    outer = outer[-1] - outer[1:-1]
    psi = -(r**-m * inner + r**m * outer) / (2 * m)
    return psi, (r ** (-m - 1) * inner - r ** (m - 1) * outer) / 2


def loads(thickness, conductivity, places, moments, velocities, rates):
    """B (n, 3) [T] at, and F (n, 3) [N] on, dipoles by the currents that all of them induce in a plate about z = 0."""
    places, moments = np.array(places, float), np.array(moments, float)
    fields, forces = np.zeros_like(places), np.zeros_like(places)
    nodes, shares = np.polynomial.legendre.leggauss(DEPTHS)
    for depth, share in zip(nodes * thickness / 2, shares * thickness / 2, strict=True):
        for place, moment, velocity, rate in zip(places, moments, velocities, rates, strict=True):
            points, current, weights = sheet_currents(place[2] - depth, moment, velocity, rate, conductivity)
            points = points + [place[0], place[1], depth]
            current = current * (share * weights)[..., None]
            for i, (x, p) in enumerate(zip(places, moments, strict=True)):
                r = x - points
                distance = np.linalg.norm(r, axis=-1)[..., None]
                fields[i] += PERMEABILITY / (4 * np.pi) * (np.cross(current, r) / distance**3).sum((0, 1))
                forces[i] -= np.cross(current, dipole_field(p, points - x)).sum((0, 1))
    return fields, forces
