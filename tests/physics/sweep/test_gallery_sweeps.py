"""Sweeps of the gallery's scenes against closed forms, on coarser grids than their own."""

import numpy as np
import pytest

from polhode.run.status import SETTLED
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.sweep import Sweep


def coarser(name: str, number: int, counts: tuple[int, ...], **more) -> Sweep:
    """A sweep of a scene with other counts of cells."""
    scene = read_scene(gallery.path(name))
    sweep = scene.sweep[number]
    axes = tuple(axis.model_copy(update={"count": n}) for axis, n in zip(sweep.axes, counts, strict=True))
    return Sweep(scene, SweepSettings.model_validate(sweep.model_copy(update={"axes": axes} | more)))


def lowest(moments: np.ndarray, pull: float, spin: float, lean: float) -> float:
    """Smallest cos(theta) of a symmetric top with the angular velocity `spin` [rad/s] about the vertical and the lean
    `lean` [rad] at the start: a root of the cubic of its energy, 2 (E' - M g l u)(1 - u^2)/I1 - (Lz - L3 u)^2/I1^2.

    (Goldstein, Classical Mechanics, section 5.7)
    """
    u0, (across, _, along) = np.cos(lean), moments
    l3, lz = along * spin * u0, spin * (across * (1 - u0**2) + along * u0**2)
    energy = 0.5 * across * spin**2 * (1 - u0**2) + pull * u0
    u = np.polynomial.Polynomial([0.0, 1.0])
    cubic = 2 * (energy - pull * u) * (1 - u**2) / across - (lz - l3 * u) ** 2 / across**2
    if cubic(u0 - 1e-4) <= 0:
        return float(u0)
    roots = cubic.roots()
    real = roots.real[abs(roots.imag) < 1e-9]
    return float(real[real < u0 - 1e-4].max())


def test_the_fall_of_a_top_is_that_of_its_cubic():
    sweep = coarser("sleeping_top", 0, (9, 5), until=8.0)
    made = sweep.run()
    mass = sweep.compiled.properties[0]
    moments = np.diag(mass.about(np.zeros(3)))
    pull = mass.mass * 9.80665 * mass.center[2]
    expected = [
        [lowest(moments, pull, spin, 0.02 + tilt) for tilt in made.axis_values[1]] for spin in made.axis_values[0]
    ]
    # Samples at steps of 4 ms miss a turning point by up to (w dt)^2/8 of a nutation with w up to 40/s.
    assert made.value == pytest.approx(np.array(expected), abs=8e-3)
    critical = 2 * np.sqrt(pull * moments[0]) / moments[2]
    assert critical == pytest.approx(82.1, abs=0.05)
    upright = made.value[:, 0]
    assert (upright[made.axis_values[0] > 1.05 * critical] > 0.95).all()
    assert (upright[made.axis_values[0] < 0.9 * critical] < 0.9).all()


def test_the_wells_of_a_bead_are_mirror_images_with_a_smooth_boundary():
    """The track is symmetric under q -> -q, so a start (q, v) ends where (-q, -v) does not."""
    made = coarser("double_well", 0, (24, 24)).run()
    certain = (made.status == SETTLED) & (made.status == SETTLED)[::-1, ::-1]
    assert certain.mean() > 0.95
    assert np.array_equal(made.label[certain], 1 - made.label[::-1, ::-1][certain])
    assert [part.cells for part in made.fractions()] == pytest.approx([288, 288], abs=6)


def test_the_driven_compass_is_chaotic_where_its_exponent_is_positive():
    """At some frequencies it is, at others not; the exponents sum to -c/I."""
    axes = (5,)
    sections, exponents = coarser("driven_compass", 0, axes).run(), coarser("driven_compass", 1, axes).run()
    inertia = np.diag(coarser("driven_compass", 1, axes).compiled.properties[0].about(np.zeros(3)))[2]
    assert exponents.features.sum(axis=1) == pytest.approx(-1.5e-6 / inertia, abs=1e-4)
    assert (exponents.value > 0.5).tolist() == np.isnan(sections.value).tolist()
    assert np.isnan(sections.value).any()
    assert not np.isnan(sections.value).all()
