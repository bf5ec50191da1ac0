"""Statistics of maps against closed forms: straight boundaries, random labels, a Cantor set, distances, quantiles."""

import numpy as np
import pytest

from polhode.sweep.maps.statistics import LOG_2, QUANTILES, basin_entropy, smallest_shock, spread, uncertainty_exponent


def test_a_straight_boundary_along_the_axes():
    """Label 1 from column 202 on: boxes of column 200 to 204 hold 2 of 5 columns of label 0."""
    label = np.zeros((500, 400), dtype=np.int32)
    label[202:] = 1
    found = basin_entropy(label)
    p = 2 / 5
    mixed = -(p * np.log(p) + (1 - p) * np.log(1 - p))
    assert found.boxes == 100 * 80
    assert found.on_boundary == 80
    assert found.boundary == pytest.approx(mixed, rel=1e-12)
    assert found.basin == pytest.approx(mixed / 100, rel=1e-12)
    assert not found.is_fractal
    exponent = uncertainty_exponent(label)
    # Of pairs along the first axis e/(500 - e) cross the boundary; the fraction of all grows a little faster than e.
    assert exponent.exponent == pytest.approx(1.0, abs=0.05)
    assert exponent.boundary_dimension == pytest.approx(1.0, abs=0.05)


def test_an_oblique_boundary_has_the_exponent_one():
    x, y = np.mgrid[0:512, 0:512]
    found = uncertainty_exponent((x + 0.37 * y > 300).astype(int))
    assert found.exponent == pytest.approx(1.0, abs=0.06)
    assert found.error < 0.02
    assert basin_entropy((x + 0.37 * y > 300).astype(int)).boundary < LOG_2


@pytest.mark.parametrize("count", [2, 3, 5])
def test_random_labels(count):
    """Entropy near ln n: that of 25 draws is less by (n - 1)/(2 * 25) on the average (Miller, 1955); no scaling."""
    label = np.random.default_rng(4).integers(0, count, (500, 500))
    found = basin_entropy(label)
    assert found.basin == pytest.approx(np.log(count) - (count - 1) / 50, abs=0.01)
    assert found.is_fractal == (count > 2)
    exponent = uncertainty_exponent(label)
    assert exponent.exponent == pytest.approx(0.0, abs=0.01)
    assert exponent.fractions == pytest.approx(1 - 1 / count, abs=0.01)


def cantor(levels: int) -> np.ndarray:
    """(3^levels,) labels whose boundary is the middle-thirds Cantor set: gaps of odd and of even order alternate."""
    label = np.full(1, -1)
    for level in range(levels):
        label = np.repeat(label, 3)
        middle = np.arange(len(label)) % 3 == 1
        label[middle & (label < 0)] = level % 2
    label[label < 0] = levels % 2
    return label


def test_a_boundary_that_is_a_cantor_set():
    """Dimension ln 2/ln 3 = 0.6309, so the exponent is 0.3691; fractions oscillate about the power law."""
    label = cantor(11)
    found = uncertainty_exponent(label)
    assert found.exponent == pytest.approx(1 - np.log(2) / np.log(3), abs=0.02)
    assert found.boundary_dimension == pytest.approx(np.log(2) / np.log(3), abs=0.02)
    plane = uncertainty_exponent(np.repeat(cantor(7)[:, None], 64, axis=1))
    assert plane.boundary_dimension == pytest.approx(1 + np.log(2) / np.log(3), abs=0.08)


def test_cells_without_a_label_do_not_count():
    label = np.zeros((20, 20), dtype=int)
    label[::2] = -1
    found = basin_entropy(label)
    assert (found.basin, found.boxes, found.on_boundary) == (0.0, 16, 0)
    assert np.isnan(found.boundary)
    assert np.isnan(uncertainty_exponent(label).exponent)
    assert basin_entropy(np.full((9, 9), -1)).boxes == 0
    assert basin_entropy(np.zeros((4, 4), dtype=int)).boxes == 0
    assert np.isnan(uncertainty_exponent(np.zeros((0, 5), dtype=int)).exponent)


def test_the_smallest_shock_is_the_distance_from_a_circle():
    x = np.linspace(-2, 2, 401)
    label = (x[:, None] ** 2 + x[None] ** 2 > 1).astype(int)
    found = smallest_shock(label, (x, x), ("rad/s", "rad/s"), np.array([0.3, 0.4]))
    assert found.distance == pytest.approx(0.5, abs=0.0142)  # a diagonal of a cell
    assert found.change == pytest.approx((0.3, 0.4), abs=0.02)
    assert found.label == 1
    assert not found.is_relative
    relative = smallest_shock(label, (x, x), ("rad/s", "m"), np.array([0.3, 0.4]))
    assert relative.is_relative
    assert relative.distance == pytest.approx(0.5 / 4, abs=0.004)


def test_there_is_no_shock_out_of_a_single_basin_or_from_outside():
    x = np.linspace(0, 1, 11)
    assert smallest_shock(np.zeros((11, 11), int), (x, x), ("m", "m"), np.array([0.5, 0.5])) is None
    two = np.zeros((11, 11), int)
    two[0] = 1
    assert smallest_shock(two, (x, x), ("m", "m"), np.array([2.0, 0.5])) is None
    two[5, 5] = -1
    assert smallest_shock(two, (x, x), ("m", "m"), np.array([0.5, 0.5])) is None


def test_the_spread_of_draws():
    values = np.random.default_rng(1).normal(3.0, 0.5, (2, 20_000))
    values[1, ::2] = np.nan
    found = spread(values)
    assert found.count.tolist() == [20_000, 10_000]
    assert found.mean == pytest.approx(3.0, abs=0.02)
    assert found.deviation == pytest.approx(0.5, abs=0.015)
    z = np.array([-1.959964, -0.67449, 0, 0.67449, 1.959964])
    assert len(z) == len(QUANTILES)
    assert found.quantiles[:, 0] == pytest.approx(3.0 + 0.5 * z, abs=0.04)
    empty = spread(np.full((1, 3), np.nan))
    assert np.isnan(empty.mean[0])
    assert empty.count[0] == 0
