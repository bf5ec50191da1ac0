"""Whether residuals are noise or have structure: root mean square, Durbin and Watson, Ljung and Box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

LAGS = 10
LEAST_PROBABILITY = 1e-3  # probability below which residuals have structure


@dataclass(frozen=True)
class ResidualTest:
    """The residuals of one column."""

    quantity: str
    unit: str
    count: int
    rms: float  # in `unit`
    durbin_watson: float  # about 2 for independent residuals, less for similar neighbours
    ljung_box: float  # probability of these autocorrelations for independent residuals

    @property
    def has_structure(self) -> bool:
        """Whether they are unlikely to be independent: intervals are too narrow, or the model is incomplete."""
        return self.ljung_box < LEAST_PROBABILITY


def residual_test(
    quantity: str, unit: str, residuals: np.ndarray, independent: np.ndarray | None = None
) -> ResidualTest:
    """Test residuals (n,) in the order of time.

    independent: (n,) what is independent in a complete model, as innovations; by default the residuals

    Durbin and Watson: sum (r_k - r_(k-1))^2 / sum r_k^2. Ljung and Box: n (n + 2) sum over lags of
    autocorrelation^2 / (n - lag), distributed as chi squared with as many degrees of freedom as lags.
    """
    count, rms = len(residuals), float(np.sqrt(np.mean(residuals**2))) if len(residuals) else float("nan")
    residuals = residuals if independent is None else independent
    square = float(residuals @ residuals)
    lags = min(LAGS, count // 4)
    if lags < 1 or square == 0.0:
        return ResidualTest(quantity, unit, count, rms, float("nan"), 1.0)
    watson = float(np.sum(np.diff(residuals) ** 2)) / square
    centred = residuals - residuals.mean()
    variance = float(centred @ centred)
    if variance == 0.0:
        return ResidualTest(quantity, unit, count, rms, watson, 0.0)
    correlations = np.array([centred[lag:] @ centred[:-lag] for lag in range(1, lags + 1)]) / variance
    statistic = count * (count + 2) * float(np.sum(correlations**2 / (count - np.arange(1, lags + 1))))
    return ResidualTest(quantity, unit, count, rms, watson, float(chi2.sf(statistic, lags)))
