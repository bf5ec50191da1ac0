"""Report on a file that was read: lists of used, replaced and left out parts, with files and lines.

The lists are made of the notes that readers write. The words of a note state its list: what "is not used", "is left
out" or "is not drawn" is left out, all else means something else here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from polhode.importers.notes import Vocabulary
from polhode.importers.options import Choice
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message, plural

LEFT_OUT = ("not used", "left out", "not drawn")  # words of what is left out


@dataclass(frozen=True)
class ReportLine:
    """One line of a report."""

    text: Message
    file: str
    """Name of the file, from the folder of the model; of an included file its own."""
    line: int | None
    """In the file, counted from 1; None for what concerns all of it."""
    choice: Choice | None = None
    """The choice that this line depends on; None where there is nothing to choose."""


@dataclass(frozen=True)
class ImportReport:
    """The used, replaced and left out parts of a model."""

    used: tuple[ReportLine, ...] = ()
    replaced: tuple[ReportLine, ...] = ()
    left_out: tuple[ReportLine, ...] = ()

    @property
    def lists(self) -> dict[str, tuple[ReportLine, ...]]:
        """The three lists by their keys in JSON."""
        return {"used": self.used, "replaced": self.replaced, "left_out": self.left_out}


def report_of(
    root: Element, path: Path, vocabulary: Vocabulary, notes: Sequence[Message], choices: Sequence[Choice]
) -> ImportReport:
    """The report on a document that was read, with all its notes."""
    by_note = {choice.note: choice for choice in choices}
    used = [_line(note, path, by_note) for note in (*_noted_folders(choices), *_used(root, vocabulary))]
    found = [_line(note, path, by_note) for note in dict.fromkeys(notes)]
    left_out = [line for line in found if _is_left_out(line.text)]
    return ImportReport(tuple(used), tuple(line for line in found if line not in left_out), tuple(left_out))


def _used(root: Element, vocabulary: Vocabulary) -> Iterable[Message]:
    """A line for each kind of element that is used, with the number of these and the line of the first one."""
    places: dict[str, list[str]] = {}
    waiting = [root]
    while waiting:
        element = waiting.pop()
        places.setdefault(element.tag, []).append(element.where)
        understood = vocabulary.get(element.tag)
        if understood is not None:
            waiting += [child for child in reversed(element.children) if child.tag in understood.children]
    for tag, where in places.items():
        yield plural(
            "<{tag}> (line {line})",
            "<{tag}> ({count} times, first in line {line})",
            count=len(where),
            tag=tag,
            line=where[0],
        )


def _noted_folders(choices: Sequence[Choice]) -> Iterable[Message]:
    return (choice.note for choice in choices if choice.option == "package")


def _line(note: Message, path: Path, choices: dict[Message, Choice]) -> ReportLine:
    file, _, line = _place(note).rpartition(":")
    return ReportLine(note, file or path.name, int(line) if line.isdigit() else None, choices.get(note))


def _place(note: Message) -> str:
    """The place that a note or a message in it states: 12, or common/legs.xml:12; empty without one."""
    if "line" in note.values:
        return str(note.values["line"])
    inner = (_place(value) for value in note.values.values() if isinstance(value, Message))
    return next((place for place in inner if place), "")


def _is_left_out(note: Message) -> bool:
    return any(words in note.template for words in LEFT_OUT)
