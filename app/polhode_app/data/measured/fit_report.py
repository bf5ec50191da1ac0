"""The report of a fit: values, data and model, measured quantities, identifiability, residuals, method, scene."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import numpy as np

from polhode.fitting.inference.prediction import Prediction
from polhode.fitting.profile import ProfileCurve
from polhode.fitting.result import FitResult
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.scene_writing import scene_text
from polhode_app.data.measured.compared_model import ComparedModel
from polhode_app.data.measured.content import Report, ReportSection, ReportTable
from polhode_app.data.measured.fit_picture import draw_column, draw_profile
from polhode_app.data.measured.html_page import page
from polhode_app.data.measured.other_models import other_models
from polhode_app.data.measured.pdf_pages import write_pdf
from polhode_app.data.measured.unknown_names import notes_of, title_of
from polhode_app.i18n.field_names import choice, quantity, scene_title, unit_text, value_text
from polhode_app.i18n.language import language
from polhode_app.i18n.translation import translate
from polhode_app.i18n.uncertain_numbers import rounded
from polhode_app.version import version

STRONG = 0.9  # correlations from here on are listed, of more unknowns than MOST_IN_MATRIX
MOST_IN_MATRIX = 8
MS = 1e3  # [ms/s]
METHOD = Message(
    "Least squares (trf of scipy, loss {loss}) of the computed columns at the times of the data, by windows that grow "
    "from the start; sensitivities by differences. Intervals hold for independent residuals of equal size."
)
IN_SEGMENTS = Message(
    "Least squares of the computed columns in segments of the data, each with a start of its own; sensitivities by "
    "differences. Intervals hold for independent residuals of equal size."
)
INPUT_NOISE = Message(
    "The noise of the measured inputs widens the intervals; it is expected to make {part:.0f} % of the sum of squares."
)
PREDICTED = Message(
    "The bands contain 95 % of the readings of a repeated run: noise of the readings, uncertainty of the values, and "
    "noise of measured inputs."
)


def write_report(
    found: FitResult,
    source: str,
    data: str,
    out: Path,
    profiles: Sequence[ProfileCurve] = (),
    others: Sequence[ComparedModel] = (),
    predicted: Prediction | None = None,
) -> None:
    """Write the report of a fit of the scene `source` to the file `data`, as HTML or PDF by the ending of `out`.

    profiles: of unknowns, drawn below the data; others: comparisons with other models; predicted: a repeated run

    Raises OSError.
    """
    report = report_of(found, source, data, profiles, others, predicted)
    if out.suffix.lower() == ".pdf":
        write_pdf(report, out)
        return
    with replacing(out) as file:
        file.write(page(report, language()).encode())


def report_of(
    found: FitResult,
    source: str,
    data: str,
    profiles: Sequence[ProfileCurve] = (),
    others: Sequence[ComparedModel] = (),
    predicted: Prediction | None = None,
) -> Report:
    """The contents, in the current language, with the names and units of the window."""
    names = [title_of(found.scene, each.unknown.name) for each in found.estimates]
    sections = (
        ReportSection(table=_about(found, source, data)),
        ReportSection(translate(Message("Result")), " ".join(notes_of(found)), _unknowns(found, names)),
        *_pictures(found, predicted),
        ReportSection(translate(Message("Measured quantities")), table=_mapping(found)),
        ReportSection(translate(Message("Identifiability")), _identifiability(found)),
        *_correlations(found, names),
        *(_profile(curve, title_of(found.scene, curve.name)) for curve in profiles),
        ReportSection(translate(Message("Residuals")), table=_residuals(found)),
        *other_models(found.scene, others),
        ReportSection(translate(Message("Method")), _method(found, predicted)),
        ReportSection(translate(Message("Scene")), listing=scene_text(found.scene)),
    )
    scene = scene_title(found.scene) or Path(source).name
    title = Message("Fit of {scene} to {data}", scene=scene, data=Path(data).name)
    return Report(translate(title), sections)


def _pictures(found: FitResult, predicted: Prediction | None) -> list[ReportSection]:
    """Data and model of each column of each run; the first run with the intervals of a prediction."""
    sections, first = list[ReportSection](), 0
    runs = [len(times) for times in _times_of_runs(found)]
    for number, count in enumerate(runs):
        rows, band = slice(first, first + count), predicted if number == 0 and found.runs is None else None
        first += count
        for k, name in enumerate(found.task.observed.names):
            caption = quantity(name)
            if len(runs) > 1:
                caption = translate(Message("Run {number}: {caption}", number=number + 1, caption=caption))
            sections.append(ReportSection(drawing=partial(draw_column, found, rows, k, band), caption=caption))
    return sections


def _method(found: FitResult, predicted: Prediction | None) -> str:
    """How the values and their intervals are found."""
    method = Message(METHOD.template, loss=found.loss) if found.runs is None else IN_SEGMENTS
    texts = [translate(method)]
    if found.covariance.by_inputs > 0.0:
        texts.append(translate(Message(INPUT_NOISE.template, part=100 * found.covariance.by_inputs)))
    if predicted is not None and found.runs is None:
        texts.append(translate(PREDICTED))
    return " ".join(texts)


def _about(found: FitResult, source: str, data: str) -> ReportTable:
    """When and of what the fit is."""
    solver = found.scene.solver
    facts = (
        (Message("Date"), datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %z")),
        (Message("Scene"), source),
        (Message("Data"), data),
        (Message("Fitted"), _fitted(found)),
        *(() if found.runs is None else ((Message("Segments"), str(found.runs.count)),)),
        (Message("Integration"), f"{choice(solver.method)}, {solver.time_step * MS:.6g} ms"),
        (Message("Program"), f"Polhode {version()}"),
    )
    return ReportTable((), tuple((translate(name), text) for name, text in facts))


def _fitted(found: FitResult) -> str:
    """Rows and times of the data that were fitted, of each run."""
    texts, is_fitted, at = [], found.fitted_rows, 0
    for times in _times_of_runs(found):
        last = int(is_fitted[at : at + len(times)].sum())
        at += len(times)
        count = Message("rows 1 to {last} of {all}", last=last, all=len(times))
        texts.append(f"{translate(count)}, {times[0]:.6g} – {times[last - 1]:.6g} s")
    if len(texts) == 1:
        return texts[0]
    runs = (Message("Run {number}: {caption}", number=k + 1, caption=text) for k, text in enumerate(texts))
    return "; ".join(map(translate, runs))


def _times_of_runs(found: FitResult) -> list[np.ndarray]:
    """(n,) [s] times of the data of each run."""
    return [part.times for part, _ in found.task.pieces(np.zeros(len(found.estimates)))]


def _mapping(found: FitResult) -> ReportTable:
    """Which quantity each column of the data measures."""
    heads = Message("Column"), Message("Quantity"), Message("Unit")
    observed = found.task.observed
    each = zip(found.task.columns, observed.names, observed.units, strict=True)
    rows = tuple((column, quantity(name), unit_text(unit)) for column, name, unit in each)
    return ReportTable(tuple(map(translate, heads)), rows)


def _identifiability(found: FitResult) -> str:
    """Singular values of the sensitivities at the start, and what these mean."""
    values = ", ".join(f"{value:.3g}" for value in found.determination.singular_values)
    head = Message("Singular values of the scaled sensitivities: {values}", values=values)
    problems = [problem.advice for problem in found.determination.problems]
    verdict = problems or [Message("The data determine all unknowns.")]
    return ". ".join([translate(head), *map(translate, verdict)])


def _profile(curve: ProfileCurve, name: str) -> ReportSection:
    """How much worse the data fit with an unknown held at other values."""
    low, high = curve.interval
    text = Message("95 % interval by the profile: {interval}", interval=_interval(low, high, curve.unit))
    head = translate(Message("Profile of {name}", name=name))
    return ReportSection(head, translate(text), drawing=partial(draw_profile, curve, name), caption=head)


def _interval(low: float, high: float, unit: str) -> str:
    """An interval with its unit, to two digits of its half width."""
    half = (high - low) / 2
    return f"{rounded(low, half)[0]} – {rounded(high, half)[0]} {unit_text(unit)}".rstrip()


def _unknowns(found: FitResult, names: Sequence[str]) -> ReportTable:
    """The values with their intervals."""
    heads = [Message("Unknown"), Message("Value"), Message("± 95 %"), Message("95 % interval"), Message("Start value")]
    rows = []
    for each, name in zip(found.estimates, names, strict=True):
        value, half = rounded(each.value, (each.high - each.low) / 2)
        unit = each.unknown.unit
        start = value_text(each.unknown.start, unit)
        rows.append((name, f"{value} {unit_text(unit)}".rstrip(), half, _interval(each.low, each.high, unit), start))
    return ReportTable(tuple(map(translate, heads)), tuple(rows))


def _correlations(found: FitResult, names: Sequence[str]) -> tuple[ReportSection, ...]:
    """The correlations of all pairs of unknowns, of many only the strong ones; nothing for a single unknown."""
    if len(names) < 2:
        return ()
    if len(names) <= MOST_IN_MATRIX:
        heads = ("", *(f"({k + 1})" for k in range(len(names))))
        rows = tuple(
            (f"({k + 1}) {name}", *(f"{found.correlations[j, k]:+.3f}" for j in range(len(names))))
            for k, name in enumerate(names)
        )
        return (ReportSection(translate(Message("Correlations")), table=ReportTable(heads, rows)),)
    rows = tuple(
        (names[j], names[k], f"{found.correlations[j, k]:+.4f}")
        for k in range(len(names))
        for j in range(k)
        if abs(found.correlations[j, k]) > STRONG
    )
    heads = tuple(map(translate, (Message("Unknown"), Message("and"), Message("Correlation"))))
    return (ReportSection(translate(Message("Strong correlations")), table=ReportTable(heads, rows)),) if rows else ()


def _residuals(found: FitResult) -> ReportTable:
    """The residuals with their tests."""
    heads = [Message("Column"), Message("RMS of residuals"), Message("Number of values"), Message("Durbin-Watson")]
    heads += [Message("Ljung-Box probability"), Message("Structure")]
    rows = tuple(
        (
            quantity(test.quantity),
            f"{test.rms:.3g} {unit_text(test.unit)}".rstrip(),
            str(test.count),
            f"{test.durbin_watson:.2f}",
            f"{test.ljung_box:.2g}",
            translate(Message("yes") if test.has_structure else Message("no")),
        )
        for test in found.residuals
    )
    return ReportTable(tuple(map(translate, heads)), rows)
