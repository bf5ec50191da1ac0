"""Output of `polhode fit`: results, profiles and suggested measurements, as text and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polhode.scene.message import Message
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.version import version

if TYPE_CHECKING:
    from polhode.fitting.determination import Determination
    from polhode.fitting.profile import ProfileCurve
    from polhode.fitting.result import FitResult
    from polhode.fitting.suggested_measurements import SuggestedMeasurement
    from polhode_app.data.measured.compared_model import ComparedModel


def as_text(found: FitResult) -> str:
    """The result as lines for people: values with 95 % intervals, correlations, residuals."""
    width = max(len(each.unknown.name) for each in found.estimates)
    lines = [
        f"{each.unknown.name:{width}}  {each.value:.9g} {each.unknown.unit}  95 %: {each.low:.6g} .. {each.high:.6g}"
        for each in found.estimates
    ]
    if found.runs is not None:
        segments = Message("in {count} segments, each with a start of its own", count=found.runs.count)
        lines.append(translate(segments))
    if found.covariance.by_inputs > 0.0:
        noise = Message(
            "noise of measured inputs: {part:.0f} % of the sum of squares", part=100 * found.covariance.by_inputs
        )
        lines.append(translate(noise))
    names = [each.unknown.name for each in found.estimates]
    for k in range(len(names)):
        for j in range(k):
            if abs(found.correlations[k, j]) > 0.9:
                value = float(found.correlations[k, j])
                message = Message("correlation {a}, {b}: {value:.4f}", a=names[j], b=names[k], value=value)
                lines.append(translate(message))
    for k, test in enumerate(found.residuals):
        residuals = Message(
            "{quantity}: rms {rms:.4g} {unit}, {count} values, Durbin-Watson {durbin:.3f}, Ljung-Box p = {chance:.3g}",
            quantity=test.quantity,
            rms=test.rms,
            unit=test.unit,
            count=test.count,
            durbin=test.durbin_watson,
            chance=test.ljung_box,
        )
        lines.append(translate(residuals))
        if found.held_out:
            rest = Message("  held out: rms {rms:.4g} {unit}", rms=found.held_out[k], unit=test.unit)
            lines.append(translate(rest))
    lines += [translate(Message("note: {words}", words=translate(note))) for note in found.notes]
    return "\n".join(lines)


def profile_text(curve: ProfileCurve) -> str:
    """A profile as a table, with the interval in which it is below the level of 95 %."""
    low, high = curve.interval
    head = Message(
        "profile of {name}: 95 % where the sum of squares rises by less than {level:.3g}: {low:.6g} .. {high:.6g}",
        name=curve.name,
        level=curve.level,
        low=low,
        high=high,
    )
    rows = [f"  {value:<14.8g} {rise:8.3f}" for value, rise in zip(curve.values, curve.rises, strict=True)]
    return "\n".join([translate(head), *rows])


def comparison_text(model: ComparedModel) -> str:
    """Another model and this one: F test, AICc, and where they separate."""
    comparison = model.comparison
    assert comparison is not None
    first, second = comparison.unknowns
    criterion = Message(
        "other model ({name}): AICc {one:.6g}, unknowns: {first}; this one: AICc {other:.6g}, unknowns: {second}",
        name=model.name(),
        first=first,
        second=second,
        one=comparison.aicc[0],
        other=comparison.aicc[1],
    )
    lines = [translate(criterion)]
    if comparison.is_nested:
        test = Message("F = {f:.4g}, p = {p:.3g}", f=comparison.f, p=comparison.probability)
        lines.append(f"  {translate(test)}")
    where = Message(
        "they separate most in {quantity} at t = {time:.6g} s, by {parts:.3g} root mean squares of the residuals",
        quantity=comparison.quantity,
        time=comparison.time,
        parts=comparison.separation,
    )
    return "\n".join([*lines, f"  {translate(where)}"])


def comparison_data(model: ComparedModel) -> dict[str, object]:
    """Contents of `comparison_text` for JSON, with the sums of squares of each column."""
    comparison = model.comparison
    assert comparison is not None
    return {
        "without": list(model.without),
        "against": model.scene or None,
        "nested": comparison.is_nested,
        "sums_of_squares": list(comparison.sums),
        "unknowns": list(comparison.unknowns),
        "values": comparison.count,
        "f": comparison.f if comparison.is_nested else None,
        "probability": comparison.probability if comparison.is_nested else None,
        "aicc": list(comparison.aicc),
        "separation": {
            "quantity": comparison.quantity,
            "time": comparison.time,
            "root_mean_squares": comparison.separation,
        },
        "columns": [
            {
                "quantity": each.quantity,
                "unit": each.unit,
                "values": each.count,
                "sigma": each.sigma,
                "sums_of_squares": list(each.sums),
            }
            for each in comparison.columns
        ],
    }


def plan_text(first: Determination, further: Sequence[SuggestedMeasurement]) -> str:
    """The identifiability of the unknowns, and suggested measurements."""
    values = ", ".join(f"{value:.3g}" for value in first.singular_values)
    message = Message("Singular values of the scaled sensitivities: {values}", values=values)
    lines = [translate(message), *(translate_problem(problem) for problem in first.problems)]
    return "\n".join([*lines, further_text(further)])


def further_text(further: Sequence[SuggestedMeasurement]) -> str:
    """Suggested measurements, the best first."""

    if not further:
        return translate(Message("No other quantity or start would determine much more."))
    lines = [
        translate(
            Message("Suggested measurements (smallest singular value now {before:.2g}):", before=further[0].before)
        )
    ]
    lines += [f"  {each.least_determined:8.2g}  {translate(each.text)}" for each in further]
    return "\n".join(lines)


def plan_data(first: Determination, further: Sequence[SuggestedMeasurement]) -> dict[str, object]:
    """Contents of `plan_text` for JSON."""
    return {
        "version": version(),
        "singular_values": first.singular_values.tolist(),
        "open_directions": first.open_directions.tolist(),
        "problems": [str(problem.message) for problem in first.problems],
        "further": [
            {
                "kind": each.kind,
                "name": each.name,
                "description": str(each.description),
                "smallest_singular_value": {"before": each.before, "after": each.after},
                "open_directions": each.open_after,
                "smallest_determined": each.least_determined,
            }
            for each in further
        ],
    }


def as_data(
    found: FitResult, profiles: Sequence[ProfileCurve] = (), others: Sequence[ComparedModel] = ()
) -> dict[str, object]:
    """The result as JSON holds it; SI."""
    return {
        "version": version(),
        "converged": found.has_converged,
        "loss": found.loss,
        "unknowns": [
            {
                "name": each.unknown.name,
                "unit": each.unknown.unit,
                "start": each.unknown.start,
                "value": each.value,
                "error": each.error,
                "interval": [each.low, each.high],
            }
            for each in found.estimates
        ],
        "correlations": found.correlations.tolist(),
        "singular_values": found.determination.singular_values.tolist(),
        "residuals": [
            {
                "quantity": test.quantity,
                "unit": test.unit,
                "count": test.count,
                "rms": test.rms,
                "durbin_watson": None if math.isnan(test.durbin_watson) else test.durbin_watson,
                "ljung_box": test.ljung_box,
                "has_structure": test.has_structure,
            }
            for test in found.residuals
        ],
        "held_out": list(found.held_out),
        "shift_by_half_the_time_step": [None if math.isnan(each) else each for each in found.step_shift.tolist()],
        "segments": 1 if found.runs is None else found.runs.count,
        "noise_of_inputs": found.covariance.by_inputs,
        "comparisons": [comparison_data(each) for each in others],
        "notes": [str(note) for note in found.notes],
        "profiles": list(map(_profile_data, profiles)),
    }


def _profile_data(curve: ProfileCurve) -> dict[str, object]:
    """A profile as JSON holds it."""
    return {
        "name": curve.name,
        "unit": curve.unit,
        "values": curve.values.tolist(),
        "rises": [None if math.isnan(rise) else rise for rise in curve.rises.tolist()],
        "level": curve.level,
        "interval": [None if math.isinf(end) else end for end in curve.interval],
    }
