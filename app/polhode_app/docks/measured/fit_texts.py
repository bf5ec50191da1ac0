"""Texts of the tab of the fit: identifiability of the unknowns, and statistics of the residuals."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Protocol

from polhode.fitting.fit import PreparedFit
from polhode.fitting.inference.comparison import Comparison, compared
from polhode.fitting.result import FitResult
from polhode.fitting.suggested_measurements import SuggestedMeasurement
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.measured.measured_layer import MeasuredLayer
from polhode_app.data.measured.unknown_names import notes_of, title_of
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import translate, translate_problem


class HasBounds(Protocol):
    """A list of unknowns."""

    bounds: Sized


def determination_text(
    scene: Scene,
    is_complete: bool,
    layer: MeasuredLayer | None,
    unknowns: HasBounds,
    prepared: PreparedFit | InputError | None,
    further: Sequence[SuggestedMeasurement] | None = None,
) -> str:
    """Missing input of a fit, or the identifiability of its unknowns and suggested measurements."""
    if layer is None:
        return tr("Open measured data in the other tab first.")
    if not layer.mapping:
        return tr("Let a column of the data measure a quantity first, in the other tab.")
    if not len(unknowns.bounds) or not is_complete:
        return tr("Choose the unknowns of the fit: start values, masses, friction, fields.")
    if prepared is None:
        return tr("Checking which unknowns the data determine...")
    if isinstance(prepared, InputError):
        return "\n".join(map(translate_problem, prepared.problems))
    found = prepared.determination
    values = ", ".join(f"{value:.3g}" for value in found.singular_values)
    lines = [tr("Singular values of the scaled sensitivities: {values}").format(values=values)]
    lines += [translate(_with_titles(scene, problem.advice)) for problem in found.problems]
    if not found.problems:
        lines.append(tr("The data determine all unknowns."))
    if further is not None:
        lines += _further_lines(scene, further)
    return "\n".join(lines)


def _with_titles(scene: Scene, message: Message) -> Message:
    """A message about unknowns with their display names."""
    values = dict(message.values)
    for key, value in values.items():
        if isinstance(value, Message):
            values[key] = _with_titles(scene, value)
        elif isinstance(value, str):
            values[key] = title_of(scene, value)
    return Message(message.template, message.plural, **values)


def _further_lines(scene: Scene, further: Sequence[SuggestedMeasurement]) -> list[str]:
    """Suggested measurements, the best first."""
    if not further:
        return [tr("No other quantity or start would determine much more.")]
    lines = [
        tr("Suggested measurements (smallest singular value now {before}):").format(before=f"{further[0].before:.2g}")
    ]
    return lines + [f"{each.least_determined:.2g}: {translate(_with_titles(scene, each.text))}" for each in further]


def with_previous(previous: FitResult | None, found: FitResult) -> tuple[Comparison, ...]:
    """The comparison of a fit with the previous one, where that has other unknowns or segments, and the same rows."""
    if previous is None:
        return ()
    try:
        comparison = compared(previous, found)
    except InputError:
        return ()
    return (comparison,) if comparison.sums[0] != comparison.sums[1] or comparison.is_nested else ()


def comparison_text(found: Comparison) -> str:
    """Which of two models is the better one, by which criterion, and where they separate."""
    criterion = tr("AICc changes by {difference}").format(difference=f"{found.aicc[1] - found.aicc[0]:+.4g}")
    if found.is_nested:
        criterion += tr(", F = {f}, p = {p}").format(f=f"{found.f:.4g}", p=f"{found.probability:.2g}")
    text = tr("Compared with the previous fit: {criterion}. They separate most in {quantity} at t = {time} s.")
    return text.format(criterion=criterion, quantity=quantity(found.quantity), time=f"{found.time:.4g}")


def residual_texts(found: FitResult, others: Sequence[Comparison] = ()) -> str:
    """Statistics of the residuals of each column, and comparisons with other fits."""
    lines = notes_of(found)
    if found.covariance.by_inputs > 0.0:
        part = f"{100 * found.covariance.by_inputs:.0f} %"
        lines.append(tr("Noise of measured inputs: {part} of the sum of squares").format(part=part))
    lines += map(comparison_text, others)
    for k, test in enumerate(found.residuals):
        text = tr("{name}: rms {rms}, Durbin-Watson {watson}, Ljung-Box {probability}")
        unit = unit_text(test.unit)
        line = text.format(
            name=quantity(test.quantity),
            rms=f"{test.rms:.3g} {unit}".rstrip(),
            watson=f"{test.durbin_watson:.2f}",
            probability=f"{test.ljung_box:.2g}",
        )
        if found.held_out:
            line += tr("; held out: rms {rms}").format(rms=f"{found.held_out[k]:.3g} {unit}".rstrip())
        lines.append(line)
    return "\n".join(lines)
