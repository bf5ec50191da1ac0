"""XML of robot models, and of other files, as a tree of elements, with bounds.

Files come from other people: a document type is refused, so that there are no entities; nothing outside of the text is
read; size, depth and number of elements are limited. Numbers are decimal and finite.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

import numpy as np

from polhode.scene.files.file_io import contents
from polhode.scene.files.zip_archive import file_or_member
from polhode.scene.message import Message
from polhode.scene.problem import InputError

LARGEST = 16 * 2**20  # [bytes]; meshes are files of their own
DEEPEST = 200  # elements in each other
MOST_ELEMENTS = 100_000
LONGEST_LIST = 10_000  # characters of an attribute that holds numbers
LARGEST_NUMBER = 1e30  # of any unit: products of several stay within the range of float64
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)


@dataclass
class Element:
    """An element with its attributes, children and line."""

    tag: str
    source: str  # name of the file, for messages
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    content: str = ""  # text in it, without its children
    file: str = ""  # of an included element: its file, from the folder of the model

    def all(self, tag: str) -> Iterator[Element]:
        """The children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child with a tag; None without one."""
        return next(self.all(tag), None)

    def needed(self, tag: str) -> Element:
        """The first child with a tag. Raises InputError without one."""
        child = self.first(tag)
        if child is None:
            raise self.fault(Message("has no <{tag}>", tag=tag), Message("add it"))
        return child

    def fault(self, rule: Message, remedy: Message) -> InputError:
        """The error for this element, with its line."""
        return InputError.of(self.source, rule, remedy, self.place)

    @property
    def where(self) -> str:
        """The line, after the file where that is an included one: 12, or common/legs.xml:12."""
        return f"{self.file}:{self.line}" if self.file else str(self.line)

    @property
    def place(self) -> Message:
        """Line and tag, for messages; the name, too, where the element has one."""
        tag, name = self.tag, self.attributes.get("name", "")
        if name:
            return Message("line {line}: <{tag}> '{name}'", line=self.where, tag=tag, name=name)
        return Message("line {line}: <{tag}>", line=self.where, tag=tag)

    def has(self, name: str) -> bool:
        """Whether the attribute is stated."""
        return name in self.attributes

    def text(self, name: str) -> str:
        """The text of an attribute. Raises InputError without one."""
        found = self.attributes.get(name, "").strip()
        if not found:
            raise self.fault(Message("has no {name}", name=name), Message('add {name}="..."', name=name))
        return found

    def choice(self, name: str, choices: tuple[str, ...], usual: str) -> str:
        """The text of an attribute out of `choices`. Raises InputError for another one."""
        found = self.attributes.get(name, usual).strip()
        if found not in choices:
            rule = Message("{name} is '{value}', which is not known", name=name, value=found)
            raise self.fault(rule, Message("choose from {known}", known=", ".join(choices)))
        return found

    def number(self, name: str, usual: float) -> float:
        """A number; `usual` where it is not stated. Raises InputError for text, NaN and infinity."""
        return float(self.numbers(name, (1,), [usual])[0])

    def vector(self, name: str, usual: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """(3,) numbers. Raises InputError for another count, text, NaN and infinity."""
        return self.numbers(name, (3,), usual)

    def numbers(
        self, name: str, counts: tuple[int, ...], usual: object = None, longest: int = LONGEST_LIST
    ) -> np.ndarray:
        """(n,) numbers, n one of `counts`, of `longest` characters at most; `usual` where they are not stated.

        Raises InputError for another count, text, numbers that are not finite or too large, and where they are missing
        without `usual`.
        """
        if name not in self.attributes and usual is not None:
            return np.array(usual, dtype=float)
        words = self.text(name)[:longest].split()
        for word in words:
            if NUMBER.fullmatch(word) is None or not math.isfinite(float(word)):
                rule = Message("{name} has '{word}', which is no finite number", name=name, word=word)
                raise self.fault(rule, Message("correct it"))
        if len(words) not in counts:
            rule = Message(
                "{name} has {count} numbers, needs {needed}", name=name, count=len(words), needed=_or(counts)
            )
            raise self.fault(rule, Message("correct it"))
        values = np.array([float(word) for word in words])
        if np.any(np.abs(values) > LARGEST_NUMBER):
            rule = Message("{name} has a number beyond {most:g}", name=name, most=LARGEST_NUMBER)
            raise self.fault(rule, Message("give numbers nearer to zero"))
        return values

    def rows(self, name: str, size: int) -> np.ndarray:
        """(n, size) numbers of a long attribute. Raises InputError for text, NaN, infinity and incomplete rows."""
        count = max(len(self.text(name).split()), 1)
        if count % size:
            rule = Message("{name} has {count} numbers, which are no rows of {size}", name=name, count=count, size=size)
            raise self.fault(rule, Message("correct it"))
        return self.numbers(name, (count,), longest=LARGEST).reshape(-1, size)

    def direction(self, name: str, usual: tuple[float, float, float]) -> np.ndarray:
        """(3,) unit vector. Raises InputError for one without a length."""
        return self.unit(name, self.vector(name, usual))

    def unit(self, name: str, vector: np.ndarray) -> np.ndarray:
        """(n,) a vector of the attribute `name` at length 1. Raises InputError for one without a length."""
        size = np.abs(vector).max()
        if not size > 0:
            raise self.fault(Message("{name} is zero and has no direction", name=name), Message("give any other"))
        return np.asarray(vector / size / np.linalg.norm(vector / size))


def _or(counts: tuple[int, ...]) -> str:
    return "/".join(map(str, counts))


def read_xml(path: Path) -> Element:
    """The root element of a file, which may be in a zip (`robots.zip#/arm/urdf/arm.urdf`).

    Raises InputError, with the line, where it can't be read, is no well-formed XML in UTF-8, has a document type, or is
    too large or too deep.
    """
    source = str(path)
    try:
        text = contents(path, LARGEST, file_or_member).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        rule = Message("is not UTF-8 text (byte {byte:#04x})", byte=error.object[error.start])
        raise InputError.of(source, rule, Message("save the file as UTF-8")) from None
    return _Parsing(source).root_of(text)


class _Parsing:
    """Builds the tree of one document."""

    def __init__(self, source: str):
        self._source = source
        self._open: list[Element] = []
        self._texts: list[list[str]] = []  # pieces of the text of each open element
        self._count = 0
        self._root: Element | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype

    def root_of(self, text: str) -> Element:
        """Parse the text. Raises InputError."""
        try:
            self._parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            place = Message("line {line}", line=error.lineno)
            rule = Message("is no well-formed XML ({reason})", reason=expat.ErrorString(error.code))
            raise InputError.of(self._source, rule, Message("correct it"), place) from None
        assert self._root is not None  # else it was not well-formed
        return self._root

    def _fault(self, rule: Message, remedy: Message) -> InputError:
        place = Message("line {line}", line=self._parser.CurrentLineNumber)
        return InputError.of(self._source, rule, remedy, place)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            rule = Message("has more than {most} elements", most=MOST_ELEMENTS)
            raise self._fault(rule, Message("divide the model, or remove what is repeated"))
        if len(self._open) == DEEPEST:
            rule = Message("has more than {most} elements in each other", most=DEEPEST)
            raise self._fault(rule, Message("remove the levels that are too many"))
        element = Element(tag, self._source, self._parser.CurrentLineNumber, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _tag: str) -> None:
        self._open.pop().content = "".join(self._texts.pop())

    def _text(self, text: str) -> None:
        if self._open and text.strip():
            self._texts[-1].append(text)

    def _doctype(self, *_: object) -> None:
        rule = Message("has a document type, which could define entities or name other files")
        raise self._fault(rule, Message("remove <!DOCTYPE ...>"))
