"""The report on the import of a robot, for people and for programs."""

from __future__ import annotations

from polhode.importers.report import ImportReport, ReportLine
from polhode.scene.message import Message, printable
from polhode_app.i18n.translation import translate

HEADINGS = {
    "used": Message("used:"),
    "replaced": Message("means something else here:"),
    "left_out": Message("left out:"),
}


def report_text(report: ImportReport) -> str:
    """The lists under their headings; empty ones are not there."""
    found = []
    for key, lines in report.lists.items():
        if lines:
            found += [translate(HEADINGS[key]), *(f"  {printable(translate(line.text))}" for line in lines)]
    return "\n".join(found)


def report_data(report: ImportReport) -> dict[str, list[dict[str, object]]]:
    """The lists by key. A line has its text, its file, its number, null for all of the file, and its choice, if any."""
    return {key: [_line(line) for line in lines] for key, lines in report.lists.items()}


def _line(line: ReportLine) -> dict[str, object]:
    found: dict[str, object] = {"text": translate(line.text), "file": line.file, "line": line.line}
    if line.choice is not None:
        choice = line.choice
        found["choice"] = {"option": choice.option, "name": choice.name, "value": choice.value}
    return found
