"""Pictures of a fit: data and model of a column over time with the residuals below, and profiles of unknowns."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties

from polhode.fitting.inference.prediction import Prediction
from polhode.fitting.profile import ProfileCurve
from polhode.fitting.result import FitResult
from polhode.scene.message import Message
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.text_actor import FONT

DATA, MODEL, RESIDUAL, HELD_OUT, ZERO = "#0072b2", "#d55e00", "#444444", "#f0e442", "#999999"


def draw_column(
    found: FitResult, rows: slice, column: int, predicted: Prediction | None, upper: Axes, lower: Axes
) -> None:
    """Draw readings and predicted readings of a column into `upper`, their differences into `lower`.

    rows: those of the run; predicted: with the 95 % intervals of a repeated run, or None
    """
    look = FontProperties(fname=str(FONT), size=10)
    x = np.array([each.value for each in found.estimates]) / found.task.unknowns.scales
    times, values = found.task.times_of_run(x)[rows], found.task.values[rows, column]
    model, is_fitted = found.model[rows, column], found.fitted_rows[rows]
    name, unit = found.task.observed.names[column], found.task.observed.units[column]
    upper.plot(times, values, ".", color=DATA, markersize=3, label=translate(Message("data")))
    upper.plot(times, model, color=MODEL, linewidth=1, label=translate(Message("model")))
    if predicted is not None:
        band, label = (predicted.lower[:, column], predicted.upper[:, column]), translate(Message("95 % of readings"))
        upper.fill_between(times, *band, color=MODEL, alpha=0.2, linewidth=0, label=label)
    upper.set_ylabel(f"{quantity(name)} [{unit_text(unit) or '1'}]", parse_math=False, fontproperties=look)
    lower.plot(times, values - model, ".", color=RESIDUAL, markersize=3)
    lower.axhline(0.0, color=ZERO, linewidth=0.5)
    lower.set_ylabel(translate(Message("difference")), parse_math=False, fontproperties=look)
    lower.set_xlabel("t [s]")
    if not is_fitted.all():
        for axes in (upper, lower):
            label = translate(Message("held out")) if axes is upper else ""
            axes.axvspan(times[np.argmin(is_fitted)], times[-1], color=HELD_OUT, alpha=0.3, label=label or None)
    upper.legend(prop=look)


def draw_profile(curve: ProfileCurve, name: str, upper: Axes, lower: Axes) -> None:
    """Draw the rise of the sum of squares over the values of an unknown into `upper`, its signed root into `lower`.

    `name` is the display name of the unknown. The root is a straight line where the data depend linearly on it.
    """
    look = FontProperties(fname=str(FONT), size=10)
    least = int(np.nanargmin(curve.rises))
    sides = np.sign(curve.values - curve.values[least])
    roots = sides * np.sqrt(np.maximum(curve.rises, 0.0))
    level = np.sqrt(curve.level)
    upper.plot(curve.values, curve.rises, ".-", color=DATA, linewidth=1, label=translate(Message("profile")))
    upper.axhline(curve.level, color=MODEL, linewidth=1, label="95 %")
    lower.plot(curve.values, roots, ".-", color=RESIDUAL, linewidth=1)
    for side in (-level, level):
        lower.axhline(side, color=MODEL, linewidth=0.5)
    for axes in (upper, lower):
        for end in curve.interval:
            if np.isfinite(end):
                axes.axvline(end, color=ZERO, linewidth=0.5)
    upper.set_ylabel(translate(Message("rise of the sum of squares")), parse_math=False, fontproperties=look)
    lower.set_ylabel(translate(Message("signed root")), parse_math=False, fontproperties=look)
    lower.set_xlabel(f"{name} [{unit_text(curve.unit) or '1'}]", parse_math=False, fontproperties=look)
    upper.legend(prop=look)
