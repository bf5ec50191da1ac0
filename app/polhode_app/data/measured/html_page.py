"""A report as one HTML file, with its pictures in it."""

from __future__ import annotations

import base64
import io
from html import escape

from matplotlib.figure import Figure

from polhode_app.data.measured.content import Drawing, Report, ReportSection, ReportTable

STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.3em .8em;text-align:right}"
    "td:first-child,th:first-child,.facts td{text-align:left}.facts td{border:0;padding:.1em .8em .1em 0}"
    "img{max-width:100%}pre{background:#f4f4f4;padding:1em;overflow:auto}"
)
SIZE = (9.0, 5.0)  # [inch] of a picture
RESOLUTION = 110  # [1/inch]


def page(report: Report, language: str) -> str:
    """The text of the file."""
    title = escape(report.title)
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    body = "\n".join(_section(section) for section in report.sections)
    return f'<!DOCTYPE html><html lang="{language}"><head>{head}</head>\n<body><h1>{title}</h1>\n{body}</body></html>\n'


def _section(section: ReportSection) -> str:
    parts = []
    if section.heading:
        parts.append(f"<h2>{escape(section.heading)}</h2>")
    if section.text:
        parts.append(f"<p>{escape(section.text)}</p>")
    if section.table is not None:
        parts.append(_table(section.table))
    if section.drawing is not None:
        parts.append(_image(section.drawing, section.caption))
    if section.listing:
        parts.append(f"<pre>{escape(section.listing)}</pre>")
    return "\n".join(parts)


def _table(table: ReportTable) -> str:
    top = "".join(f"<th>{escape(head)}</th>" for head in table.heads)
    kind, top = ("", f"<tr>{top}</tr>") if table.heads else (' class="facts"', "")
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<table{kind}>{top}{body}</table>"


def _image(draw: Drawing, caption: str) -> str:
    """A picture within the page."""
    figure = Figure(figsize=SIZE, layout="constrained")
    draw(*figure.subplots(2, sharex=True, height_ratios=(3, 1)))
    figure.savefig(buffer := io.BytesIO(), format="png", dpi=RESOLUTION)
    image = base64.b64encode(buffer.getvalue()).decode()
    return f'<p><img alt="{escape(caption)}" src="data:image/png;base64,{image}"></p>'
