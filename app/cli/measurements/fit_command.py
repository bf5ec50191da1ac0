"""`polhode fit`: finds numbers of a scene from measured data."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from app.cli.arguments import naming, refusal, scene_called
from app.cli.console import progress, say
from app.cli.exit_status import DONE, kept
from app.edit.open_file import REPORT_ENDINGS
from app.i18n.translation import translate
from app.version import version
from core.data.reading import read_data
from core.scene.message import Message
from core.scene.scene_file import write_scene

if TYPE_CHECKING:
    from core.fitting.result import FitResult


def fit(
    scene: Annotated[str, Parameter(help="Scene file, or the name of a built-in scene.")],
    /,
    *,
    data: Annotated[Path, Parameter(help="Measured data: text, zip, workbook or project of Tracker.")],
    map_: Annotated[tuple[str, ...], Parameter(name="--map", help="COLUMN=QUANTITY: data and column of the table.")],
    free: Annotated[tuple[str, ...], Parameter(help="Unknown, such as body[0].friction or data.time_offset.")],
    bounds: Annotated[tuple[str, ...], Parameter(help="UNKNOWN=LOW:HIGH in SI.")] = (),
    unit: Annotated[tuple[str, ...], Parameter(help="COLUMN=UNIT in place of that of the file.")] = (),
    state: Annotated[
        tuple[str, ...], Parameter(help="NUMBER=VALUE of the data, such as data.time_offset=0.2 or data.wx.scale=-1.")
    ] = (),
    table: Annotated[str | None, Parameter(help="Table of a zip, workbook or project.")] = None,
    loss: Annotated[
        Literal["linear", "soft_l1", "huber", "cauchy"], Parameter(help="Other than linear: outliers count less.")
    ] = "linear",
    hold_out: Annotated[float, Parameter(help="Part of the rows, the last ones, that is only predicted.")] = 0.0,
    out: Annotated[Path | None, Parameter(help="Scene to write with the values found (.toml).")] = None,
    report: Annotated[Path | None, Parameter(help="Report with pictures to write (.html, .pdf).")] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
) -> int:
    """Find numbers of a scene from measured data, with intervals, and say what the data leave open."""
    _check_outputs(out, report)
    mapping, units = _pairs("--map", map_), _pairs("--unit", unit)
    limits = {name: _range(name, text) for name, text in _pairs("--bounds", bounds).items()}
    stated = {name: _number("--state", name, text) for name, text in _pairs("--state", state).items()}
    described = scene_called(scene)
    with progress(f"{data}: reading", 1.0) as heard:
        measured = read_data(data, units, table, heard)
    for note in measured.notes:
        say(Message("{file}: note: {note}", file=data, note=note))

    def work() -> None:
        from app.compilation.preparation import start_simulation
        from core.fitting.fit import fit as fit_scene
        from core.mesh.mesh import Meshes

        meshes = Meshes()
        with naming(scene, data), progress(f"{scene}: fit", 0.0) as heard:
            start_simulation(described.model_copy(update={"sweep": (), "ghost": ()}), meshes, heard)
            found = fit_scene(
                described, measured, mapping, free, limits, loss, hold_out, meshes, stated, lambda _rows: heard(0.0)
            )
        print(json.dumps(as_data(found), indent=2, ensure_ascii=False) if as_json else as_text(found))
        if out is not None:
            write_scene(found.scene, out)
        if report is not None:
            from app.export.measurements.fit_report import write_report

            write_report(found, scene, str(data), report)

    if out is None and report is None:
        work()
        return DONE
    return kept(work, scene, out or report or data)


def _check_outputs(out: Path | None, report: Path | None) -> None:
    """Refuse files with other endings than a scene or a report has. Raises InputError."""
    if out is not None and out.suffix.lower() != ".toml":
        rule = Message("'{name}' has no ending of a scene", name=out.name)
        raise refusal("--out", rule, Message("choose an ending out of {endings}", endings=".toml"))
    if report is not None and report.suffix.lower() not in REPORT_ENDINGS:
        rule = Message("'{name}' has no ending of a report", name=report.name)
        raise refusal("--report", rule, Message("choose an ending out of {endings}", endings=", ".join(REPORT_ENDINGS)))


def _pairs(option: str, texts: tuple[str, ...]) -> dict[str, str]:
    """Texts NAME=VALUE as a dict. Raises InputError."""
    found = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not (name and sign and value):
            rule = Message("must be NAME=VALUE, but is '{text}'", text=text)
            raise refusal(option, rule, Message("write both, with = between them"))
        found[name] = value
    return found


def _number(option: str, name: str, text: str) -> float:
    """A number. Raises InputError."""
    try:
        return float(text)
    except ValueError:
        rule = Message("'{name}' is '{text}', which is no number", name=name, text=text)
        raise refusal(option, rule, Message("write NAME=NUMBER")) from None


def _range(name: str, text: str) -> tuple[float, float]:
    """Bounds LOW:HIGH; an empty one is none. Raises InputError."""
    low, _, high = text.partition(":")
    try:
        bounds = (float(low or -math.inf), float(high or math.inf))
    except ValueError:
        bounds = (math.nan, math.nan)
    if not bounds[0] < bounds[1]:
        rule = Message("the bounds of '{name}' are '{text}'", name=name, text=text)
        raise refusal("--bounds", rule, Message("write LOW:HIGH, such as 0:1"))
    return bounds


def as_text(found: FitResult) -> str:
    """The result as lines for people: values with 95 % intervals, correlations, residuals."""
    width = max(len(each.unknown.name) for each in found.estimates)
    lines = [
        f"{each.unknown.name:{width}}  {each.value:.9g} {each.unknown.unit}  95 %: {each.low:.6g} .. {each.high:.6g}"
        for each in found.estimates
    ]
    names = [each.unknown.name for each in found.estimates]
    for k in range(len(names)):
        for j in range(k):
            if abs(found.correlations[k, j]) > 0.9:
                value = float(found.correlations[k, j])
                told = Message("correlation {a}, {b}: {value:.4f}", a=names[j], b=names[k], value=value)
                lines.append(translate(told))
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
    return "\n".join(lines)


def as_data(found: FitResult) -> dict[str, object]:
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
    }
