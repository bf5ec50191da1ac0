"""The field in space: against the slow twin, magpylib, and what the field lines of a dipole are in closed form."""

import magpylib
import numpy as np
import pytest
import reference
from kernel_arguments import placed

from polhode.physics.magnets.field_in_space import (
    AT_EDGE,
    AT_MAGNET,
    PIECES,
    POINTS,
    STEPS,
    UNFINISHED,
    Sources,
    fields,
    sources,
    sources_of,
    trace,
)
from polhode.simulation.simulation import Simulation
from scenes import FIXED, FREE, TILTED, scene

MU0 = magpylib.mu_0
FAR = 10.0  # [m] of the sphere where lines end


def some_sources(count: int = 7, uniform=(1e-5, -2e-5, 3e-5)) -> Sources:
    rng = np.random.default_rng(3)
    return sources_of(rng.uniform(-0.1, 0.1, (count, 3)), rng.normal(size=(count, 3)), np.array(uniform), MU0)


def traced(seeds, senses, of: Sources, radii, reach=FAR):
    lines, strengths = np.empty((len(seeds), POINTS, 3)), np.empty((len(seeds), POINTS))
    ends = np.empty(len(seeds), dtype=np.int64)
    senses, radii = np.array(senses, dtype=float), np.full(len(of.moment), radii)
    trace(np.array(seeds, dtype=float), senses, of, of.position, radii, np.zeros(3), reach, lines, strengths, ends)
    return lines, strengths, ends


def test_the_field_agrees_with_the_twin_and_with_magpylib():
    of = some_sources()
    points = np.random.default_rng(4).uniform(-0.3, 0.3, (50, 3))
    field = np.empty_like(points)
    fields(points, of, field)
    twin = [reference.total_field(x, of.position, of.moment, of.uniform, MU0) for x in points]
    assert field == pytest.approx(np.array(twin), rel=1e-12, abs=1e-15)
    dipoles = [magpylib.misc.Dipole(position=x, moment=p) for x, p in zip(of.position, of.moment, strict=True)]
    rival = magpylib.getB(dipoles, points, sumup=True) + of.uniform
    assert field == pytest.approx(rival, rel=1e-9, abs=1e-15)


def test_the_sources_of_a_moment_are_where_the_simulation_has_its_dipoles():
    simulation = Simulation(scene(TILTED, FIXED, FREE, magnetic_field={"value": [0, 1e-3, 0]}))
    simulation.advance(0.05)
    now, (model, inputs, _, work) = simulation.snapshot(), placed(simulation)
    of = sources(model, inputs, now.bodies.position, now.bodies.basis, now.time)
    assert of.position == pytest.approx(work.dipoles.position, abs=1e-15)
    assert of.moment == pytest.approx(work.dipoles.moment, abs=1e-14)
    assert of.uniform == pytest.approx([0, 1e-3, 0])


def test_a_line_of_one_dipole_keeps_its_shell_and_comes_back():
    """r = r0 sin^2(theta). A step errs by about (h kappa)^5 / 120 of its length: 1e-3 for h kappa = 0.6."""
    of = sources_of(np.zeros((1, 3)), np.array([[0.0, 0.0, 2.0]]), np.zeros(3), MU0)
    angle = np.arcsin(np.sqrt([1 / 6, 1 / 2, 5 / 6]))
    seeds = 0.01 * np.column_stack([np.sin(angle), np.zeros(3), np.cos(angle)])
    lines, strengths, ends = traced(seeds, [1, 1, 1], of, 0.0099)
    assert (ends == AT_MAGNET).all()
    for line, strength, shell in zip(lines, strengths, 0.01 / np.sin(angle) ** 2, strict=True):
        r = np.linalg.norm(line, axis=1)
        sine_square = (line[:, 0] / r) ** 2
        assert r == pytest.approx(shell * sine_square, rel=4e-3)
        assert line[-1, 2] < 0
        exact = MU0 * 2 / (4 * np.pi * r**3) * np.sqrt(4 - 3 * sine_square)
        assert strength[::PIECES] == pytest.approx(exact[::PIECES], rel=1e-12)  # between two steps it is interpolated


def test_lines_among_dipoles_agree_with_the_twin():
    """Each step errs by less than 1e-3 of its length, as above; the whole line by less than that part of itself."""
    of = some_sources(uniform=(0, 0, 0))
    seeds = of.position + 0.02 * of.moment / np.linalg.norm(of.moment, axis=1, keepdims=True)
    lines, _, _ = traced(seeds, np.ones(len(seeds)), of, 0.005, reach=0.3)
    for line, seed in zip(lines, seeds, strict=True):
        pieces = np.linalg.norm(np.diff(line, axis=0), axis=1)
        until = min(20 * PIECES, np.count_nonzero(pieces))  # farther on it may pass a dipole, which magnifies errors
        length = pieces[:until].sum()
        twin = reference.field_line(
            seed, length, lambda x: reference.total_field(x, of.position, of.moment, of.uniform, MU0)
        )
        assert np.linalg.norm(line[until] - twin) < 4e-3 * length


def test_a_uniform_field_has_straight_lines_to_the_sphere_on_both_sides():
    of = sources_of(np.zeros((0, 3)), np.zeros((0, 3)), np.array([0.0, 3e-5, 4e-5]), MU0)
    lines, strengths, ends = traced([[0.1, 0, 0], [0.1, 0, 0]], [1, -1], of, 0.0, reach=1.0)
    assert (ends == AT_EDGE).all()
    for line, sense in zip(lines, (1, -1), strict=True):
        away = line[-1] - line[0]
        assert away / np.linalg.norm(away) == pytest.approx([0, 0.6 * sense, 0.8 * sense])
        assert 1.0 <= np.linalg.norm(line[-1]) < 1.1
    assert strengths == pytest.approx(5e-5)


def test_a_line_that_goes_nowhere_ends_after_its_steps_or_where_it_is_no_line():
    of = sources_of(np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), np.zeros(3), MU0)
    lines, _, ends = traced([[0.1, 0, 0]], [1], of, 1e-9)  # towards a sphere too small to be met
    assert ends[0] == UNFINISHED
    assert np.isfinite(lines).all()
    assert np.count_nonzero(np.diff(lines[0], axis=0).any(axis=1)) <= PIECES * STEPS
    _, _, ends = traced([[0.1, 0, 0]], [1], sources_of(of.position, np.zeros((1, 3)), of.uniform, MU0), 0.01)
    assert ends[0] == AT_EDGE  # no field: no direction
