"""MJCF: files that a model includes, and parts that it repeats, as one tree of elements.

The children of the root of an included file stand where its <include> stood; names of files count from the folder of
the model. A file is read once at most, so that includes end, and only in that folder or below it.
"""

from __future__ import annotations

from pathlib import Path

from polhode.importers.reading import DEEPEST, MOST_ELEMENTS, Element, read_xml
from polhode.scene.message import Message

MOST_FILES = 100  # of one model
ROOTS = ("mujoco", "mujocoinclude")


def with_includes(root: Element, path: Path) -> None:
    """Put the elements of included files in the place of each <include>, also of those in these files.

    Raises InputError for a file that is outside of the folder, not there, no MJCF or included twice, and for too many
    files or elements, also in each other.
    """
    home = path.parent.resolve()
    done = {path.resolve()}
    waiting, count = [(root, 1)], 1
    while waiting:
        element, depth = waiting.pop()
        children, element.children = element.children[::-1], []
        while children:
            child = children.pop()
            if child.tag == "include":
                children += _included(child, home, done)[::-1]
                continue
            count += 1
            _check_size(child, count, depth)
            element.children.append(child)
        waiting += [(child, depth + 1) for child in element.children]


def _check_size(element: Element, count: int, depth: int) -> None:
    """Raise InputError for too many elements, or too many in each other."""
    if depth == DEEPEST:
        rule = Message("has more than {most} elements in each other", most=DEEPEST)
        raise element.fault(rule, Message("remove the levels that are too many"))
    if count > MOST_ELEMENTS:
        rule = Message("has more than {most} elements", most=MOST_ELEMENTS)
        raise element.fault(rule, Message("divide the model, or remove what is repeated"))


def _included(include: Element, home: Path, done: set[Path]) -> list[Element]:
    """The elements of the file that an <include> names, which is added to `done`. Raises InputError."""
    name = include.text("file")
    try:
        file = (home / name).resolve()
    except (ValueError, RuntimeError, OSError):  # a zero character, a circle of links
        rule = Message("{attribute} is '{name}', a name that no file can have", attribute="file", name=name)
        raise include.fault(rule, Message("check the name")) from None
    if not file.is_relative_to(home):
        rule = Message("file is '{name}', which leads out of the folder of the model", name=name)
        raise include.fault(rule, Message("put the file into that folder"))
    if file in done:
        rule = Message("includes '{name}', which is read already", name=name)
        raise include.fault(rule, Message("include each file once, and none in itself"))
    if len(done) > MOST_FILES:
        rule = Message("includes more than {most} files", most=MOST_FILES)
        raise include.fault(rule, Message("save the model with MuJoCo as one file"))
    done.add(file)
    root = read_xml(file)
    if root.tag not in ROOTS:
        raise root.fault(Message("is not <mujoco>, but included"), Message("include files of MJCF"))
    found = [root]
    for element in found:  # grows meanwhile
        element.file = file.relative_to(home).as_posix()
        found += element.children
    return root.children


def repeated(element: Element, room: int) -> list[Element]:
    """The copies that a <replicate> makes of its contents, as frames in each other's place, with numbered names.

    room: elements that may be made

    Raises InputError for a count that is no whole number from 1 on, and for too many elements.
    """
    number = float(element.numbers("count", (1,))[0])
    if number < 1 or number != round(number):
        rule = Message("count is {value:g}, not a whole number from 1 on", value=number)
        raise element.fault(rule, Message("correct it"))
    if number * size_of(element) > room:
        rule = Message("makes more than {most} elements", most=MOST_ELEMENTS)
        raise element.fault(rule, Message("repeat it less often"))
    separator, digits = element.attributes.get("sep", ""), len(str(int(number) - 1))
    return [_numbered(element, f"{separator}{each:0{digits}d}", "frame") for each in range(int(number))]


def size_of(element: Element) -> int:
    """The number of elements in one, with itself."""
    return 1 + sum(map(size_of, element.children))


def _numbered(element: Element, ending: str, tag: str) -> Element:
    """A copy, with an ending on the names in it."""
    attributes = {key: value + ending if key == "name" else value for key, value in element.attributes.items()}
    inside = [_numbered(child, ending, child.tag) for child in element.children]
    return Element(tag, element.source, element.line, attributes, inside, file=element.file)
