"""The report of a fit: pictures of data and model, table of the values, residuals, method, version, scene."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from polhode.fitting.profile import ProfileCurve
from polhode.fitting.result import FitResult
from polhode.scene.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.scene_writing import scene_text
from polhode_app.data.measured.content import Report, ReportSection, ReportTable
from polhode_app.data.measured.fit_picture import draw_column, draw_profile
from polhode_app.data.measured.html_page import page
from polhode_app.data.measured.pdf_pages import write_pdf
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.language import language
from polhode_app.i18n.translation import translate
from polhode_app.version import version

STRONG = 0.9  # correlations from here on are listed
METHOD = Message(
    "Least squares (trf of scipy, loss {loss}) of the computed columns at the times of the data, by windows that grow "
    "from the start; sensitivities by differences. Intervals hold for independent residuals of equal size."
)


def write_report(found: FitResult, source: str, data: str, out: Path, profiles: Sequence[ProfileCurve] = ()) -> None:
    """Write the report of a fit of the scene `source` to the file `data`, as HTML or PDF by the ending of `out`.

    profiles: of unknowns, drawn below the data

    Raises OSError.
    """
    report = report_of(found, source, data, profiles)
    if out.suffix.lower() == ".pdf":
        write_pdf(report, out)
        return
    with replacing(out) as file:
        file.write(page(report, language()).encode())


def report_of(found: FitResult, source: str, data: str, profiles: Sequence[ProfileCurve] = ()) -> Report:
    """The contents, in the current language."""
    method = translate(Message(METHOD.template, loss=found.loss))
    pictures = [
        ReportSection(drawing=partial(draw_column, found, k), caption=quantity(name))
        for k, name in enumerate(found.task.observed.names)
    ]
    sections = (
        ReportSection(table=_unknowns(found), text=" ".join(map(translate, found.notes))),
        *_correlations(found),
        *pictures,
        *map(_profile, profiles),
        ReportSection(translate(Message("Residuals")), table=_residuals(found)),
        ReportSection(translate(Message("Method")), f"{method} Polhode {version()}"),
        ReportSection(translate(Message("Scene")), listing=scene_text(found.scene)),
    )
    return Report(translate(Message("Fit of {scene} to {data}", scene=source, data=data)), sections)


def _profile(curve: ProfileCurve) -> ReportSection:
    """How much worse the data fit with an unknown held at other values."""
    low, high = (f"{end:.6g}" for end in curve.interval)
    text = Message("95 % interval by the profile: {low} – {high}", low=low, high=high)
    head = translate(Message("Profile of {name}", name=curve.name))
    return ReportSection(head, translate(text), drawing=partial(draw_profile, curve), caption=head)


def _unknowns(found: FitResult) -> ReportTable:
    """The values with their intervals."""
    heads = [Message("Unknown"), Message("Value"), Message("Unit"), Message("95 % interval"), Message("Before")]
    rows = tuple(
        (
            each.unknown.name,
            f"{each.value:.8g}",
            each.unknown.unit,
            f"{each.low:.6g} – {each.high:.6g}",
            f"{each.unknown.start:.6g}",
        )
        for each in found.estimates
    )
    return ReportTable(tuple(map(translate, heads)), rows)


def _correlations(found: FitResult) -> tuple[ReportSection, ...]:
    """Pairs of unknowns with strong correlations, if there are any."""
    names = [each.unknown.name for each in found.estimates]
    rows = tuple(
        (names[j], names[k], f"{found.correlations[j, k]:+.4f}")
        for k in range(len(names))
        for j in range(k)
        if abs(found.correlations[j, k]) > STRONG
    )
    if not rows:
        return ()
    heads = (Message("Unknown"), Message("and"), Message("Correlation"))
    return (
        ReportSection(translate(Message("Strong correlations")), table=ReportTable(tuple(map(translate, heads)), rows)),
    )


def _residuals(found: FitResult) -> ReportTable:
    """The residuals with their tests."""
    heads = [Message("Column"), Message("RMS of residuals"), Message("Number of values"), Message("Durbin-Watson")]
    heads += [Message("Ljung-Box probability"), Message("Structure")]
    rows = tuple(
        (
            quantity(test.quantity),
            f"{test.rms:.4g} {test.unit}",
            str(test.count),
            f"{test.durbin_watson:.3f}",
            f"{test.ljung_box:.3g}",
            translate(Message("yes") if test.has_structure else Message("no")),
        )
        for test in found.residuals
    )
    return ReportTable(tuple(map(translate, heads)), rows)
