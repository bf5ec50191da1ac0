"""The report of a fit: one HTML file with pictures of data and model, a table of the unknowns, method and scene."""

from __future__ import annotations

import base64
import io
from html import escape
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from app.i18n.translation import translate
from app.version import version
from core.fitting.fit import FitResult
from core.scene.file_writing import replacing
from core.scene.message import Message
from core.scene.scene_file import scene_text

STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.3em .8em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}img{max-width:100%}pre{background:#f4f4f4;padding:1em;overflow:auto}"
)
METHOD = Message(
    "Least squares (trf of scipy, loss {loss}) of the computed columns at the times of the data, by windows that grow "
    "from the start; sensitivities by central differences. Intervals hold for independent residuals of equal size."
)


def write_report(found: FitResult, source: str, data: str, out: Path) -> None:
    """Write the report of a fit of the scene `source` to the file `data`. Raises OSError."""
    title = translate(Message("Fit of {scene} to {data}", scene=source, data=data))
    words = Message(METHOD.template, loss=found.loss)
    parts = [
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style></head>',
        f"<body><h1>{escape(title)}</h1>",
        _unknowns(found),
        *(_picture(found, k) for k in range(len(found.residuals))),
        _residuals(found),
        f"<h2>{escape(translate(Message('Method')))}</h2><p>{escape(translate(words))} Polhode {escape(version())}</p>",
        f"<h2>{escape(translate(Message('Scene')))}</h2><pre>{escape(scene_text(found.scene))}</pre></body></html>",
    ]
    with replacing(out) as file:
        file.write("\n".join(parts).encode())


def _table(heads: list[Message], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{escape(translate(head))}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _unknowns(found: FitResult) -> str:
    """Table of the values with their intervals."""
    heads = [Message("Unknown"), Message("Value"), Message("Unit"), Message("95 % interval"), Message("Before")]
    rows = [
        [
            each.unknown.name,
            f"{each.value:.8g}",
            each.unknown.unit,
            f"{each.low:.6g} – {each.high:.6g}",
            f"{each.unknown.start:.6g}",
        ]
        for each in found.estimates
    ]
    return _table(heads, rows)


def _residuals(found: FitResult) -> str:
    """Table of the residuals with their tests."""
    heads = [Message("Column"), Message("RMS of residuals"), Message("Values"), Message("Durbin-Watson")]
    heads += [Message("Ljung-Box probability"), Message("Structure")]
    rows = [
        [
            test.quantity,
            f"{test.rms:.4g} {test.unit}",
            str(test.count),
            f"{test.durbin_watson:.3f}",
            f"{test.ljung_box:.3g}",
            translate(Message("yes") if test.has_structure else Message("no")),
        ]
        for test in found.residuals
    ]
    return _table(heads, rows)


def _picture(found: FitResult, column: int) -> str:
    """Data and model of a column over time, and the residuals below, as an image within the page."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(3, 1))
    scale, offset = found.task.unknowns.clock(np.array([each.value for each in found.estimates]))
    times, values = scale * found.task.times + offset, found.task.values[:, column]
    upper.plot(times, values, ".", color="#0072b2", markersize=3, label="data")
    upper.plot(times, found.model[:, column], color="#d55e00", linewidth=1, label="model")
    upper.set_ylabel(f"{found.task.quantities[column]} [{found.task.units[column] or '1'}]", parse_math=False)
    upper.legend()
    lower.plot(times, values - found.model[:, column], ".", color="#444444", markersize=3)
    lower.axhline(0.0, color="#999999", linewidth=0.5)
    lower.set_xlabel("t [s]")
    if found.fitted < len(times):
        for axes in (upper, lower):
            axes.axvspan(times[found.fitted], times[-1], color="#f0e442", alpha=0.3)
    figure.savefig(buffer := io.BytesIO(), format="png", dpi=110)
    alt = escape(found.task.quantities[column])
    return f'<p><img alt="{alt}" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"></p>'
