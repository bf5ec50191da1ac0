"""Unused parts of a file: unknown elements and attributes, each listed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message, plural

MOST_NOTES = 60


@dataclass(frozen=True)
class Understood:
    """The attributes and the children of an element that are used, or that have no effect on the motion."""

    attributes: frozenset[str]
    children: frozenset[str]


class _Everything(frozenset[str]):
    """Contains every name."""

    def __contains__(self, _name: object) -> bool:
        return True


EVERYTHING = _Everything()
Vocabulary = Mapping[str, Understood]


def known(attributes: str = "", children: str = "") -> Understood:
    """Known attributes of an element, as words with spaces between them."""
    return Understood(frozenset(attributes.split()), frozenset(children.split()))


def anything() -> Understood:
    """All attributes and children of an element, which have no effect on the motion."""
    return Understood(EVERYTHING, EVERYTHING)


def left_out(root: Element, vocabulary: Vocabulary) -> Iterator[Message]:
    """A note on each kind of element, and each attribute of a kind of element, that is not in the vocabulary."""
    elements: dict[tuple[str, str], list[str]] = {}  # lines, by parent and tag
    attributes: dict[tuple[str, str], list[str]] = {}  # lines, by tag and attribute
    waiting = [root]
    while waiting:
        element = waiting.pop()
        understood = vocabulary.get(element.tag, anything())
        for name in element.attributes:
            if name not in understood.attributes:
                attributes.setdefault((element.tag, name), []).append(element.where)
        for child in element.children:
            if child.tag not in understood.children:
                elements.setdefault((element.tag, child.tag), []).append(child.where)
        waiting += [child for child in reversed(element.children) if child.tag in understood.children]
    for (parent, tag), lines in elements.items():
        yield plural(
            "<{tag}> in <{parent}> is not used (line {line})",
            "<{tag}> in <{parent}> is not used ({count} times, first in line {line})",
            count=len(lines),
            tag=tag,
            parent=parent,
            line=lines[0],
        )
    for (tag, name), lines in attributes.items():
        yield plural(
            "{name} of <{tag}> is not used (line {line})",
            "{name} of <{tag}> is not used ({count} times, first in line {line})",
            count=len(lines),
            tag=tag,
            name=name,
            line=lines[0],
        )


def left_out_here(element: Element, reason: Message) -> Message:
    """The note on an element that is left out."""
    return Message("{place} {reason} and is left out", place=element.place, reason=reason)


def shortened(notes: list[Message]) -> tuple[Message, ...]:
    """The notes, each once; of very many the first, and how many more there are."""
    each = list(dict.fromkeys(notes))
    if len(each) <= MOST_NOTES:
        return tuple(each)
    return (*each[:MOST_NOTES], Message("and {count} more of this kind", count=len(each) - MOST_NOTES))
