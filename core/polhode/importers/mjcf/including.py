"""MJCF: files that a model includes, as one tree of elements.

The children of the root of an included file replace its <include>; names of files count from the folder of
the model. A file is read once at most, so that includes end, and only in that folder or below it.
"""

from __future__ import annotations

from pathlib import Path

from polhode.scene.files.xml_tree import DEEPEST, MOST_ELEMENTS, Element, read_xml
from polhode.scene.message import Message

MOST_FILES = 100  # of one model
ROOTS = ("mujoco", "mujocoinclude")


def with_includes(root: Element, path: Path, home: Path) -> None:
    """Put the elements of included files in the place of each <include>, also of those in these files.

    path: of the model, in whose folder the files are; home: folder in or below which they must be

    Raises InputError for a file that is outside of the folder, not there, no MJCF or included twice, and for too many
    files or elements, also in each other.
    """
    done = {path.resolve()}
    waiting, count = [(root, 1)], 1
    while waiting:
        element, depth = waiting.pop()
        children, element.children = element.children[::-1], []
        while children:
            child = children.pop()
            if child.tag == "include":
                children += _included(child, path.parent, home.resolve(), done)[::-1]
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


def file_of(element: Element, folder: Path, home: Path) -> Path:
    """The file in `folder` that an element names. Raises InputError where it is not in `home`, which is resolved."""
    name = element.text("file")
    try:
        file = (folder / name).resolve()
    except (ValueError, RuntimeError, OSError):  # a zero character, a circle of links
        rule = Message("{attribute} is '{name}', a name that no file can have", attribute="file", name=name)
        raise element.fault(rule, Message("check the name")) from None
    if not file.is_relative_to(home):
        rule = Message("file is '{name}', which leads out of the folder of the model", name=name)
        raise element.fault(rule, Message("put the file into that folder, or name the folder of all of them as root"))
    return file


def named_by_file(root: Element, file: Path, home: Path) -> None:
    """Let all elements of a file know it, as it is named from `home`."""
    found = [root]
    for element in found:  # grows meanwhile
        element.file = file.relative_to(home).as_posix()
        found += element.children


def _included(include: Element, folder: Path, home: Path, done: set[Path]) -> list[Element]:
    """The elements of the file that an <include> names, which is added to `done`. Raises InputError."""
    file = file_of(include, folder, home)
    if file in done:
        rule = Message("includes '{name}', which is read already", name=include.text("file"))
        raise include.fault(rule, Message("include each file once, and none in itself"))
    if len(done) > MOST_FILES:
        rule = Message("includes more than {most} files", most=MOST_FILES)
        raise include.fault(rule, Message("save the model with MuJoCo as one file"))
    done.add(file)
    root = read_xml(file)
    if root.tag not in ROOTS:
        raise root.fault(Message("is not <mujoco>, but included"), Message("include files of MJCF"))
    named_by_file(root, file, home)
    return root.children
