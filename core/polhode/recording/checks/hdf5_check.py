"""Safety check of the structure of a recording, before its contents are read.

Runs in the process of hdf5_server.py. Refused are links to other files and to anything but blocks of
VTK, external and virtual data, unknown filters and types, and whatever is larger than the file can hold. So the memory
of a reader is bounded by the size of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import h5py
from h5py import h5a, h5d, h5g, h5l, h5o, h5s, h5t, h5z

from polhode.scene.message import Message

MOST = 20_000  # links, and thus objects
ATTRIBUTES = 64  # per object
ATTRIBUTE = 2**17  # [bytes]
NUMBER = 16  # [bytes] of an element
PIECE = 2**26  # [bytes] of a chunk, or the size of the file if that is larger
UNPACKED = 1032  # largest compression ratio of deflate
UNWRITTEN = 16  # largest ratio of declared to actual size without filters: rows of fill values are not written
FILTERS = (h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE)  # others would load libraries
LAYOUTS = (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED)
KINDS = (h5t.INTEGER, h5t.FLOAT, h5t.STRING, h5t.ENUM)
ASSEMBLY, BLOCKS = "/VTKHDF/Assembly/", "/VTKHDF/"  # links in ASSEMBLY may point to BLOCKS
FAULTS = (KeyError, ValueError, TypeError, OSError, RuntimeError, IndexError, OverflowError, MemoryError)
REMEDY = Message("use another copy of it")


class DamagedFile(Exception):
    """A fault of the file: a rule and a remedy, as in a Problem, and the place in the file."""

    def __init__(self, rule: Message, remedy: Message = REMEDY, place: str = ""):
        super().__init__(rule)
        self.rule, self.remedy, self.place = rule, remedy, place


def check(file: h5py.File, size: int) -> None:
    """Raise Damaged for a file of `size` [bytes] that must not be read, and any of FAULTS for one that can't be."""
    _check_attributes(file["/"].id, "/")
    for name, each in _objects(file["/"].id):
        _check_attributes(each, name)
        if isinstance(each, h5d.DatasetID):
            _check_dataset(each, name, size)


def _objects(root: h5g.GroupID) -> Iterator[tuple[str, h5g.GroupID | h5d.DatasetID]]:
    """Every group and data set once, with one of its names; links to other places are not followed.

    Iterative, so that deep nesting does not overflow the stack. Raises Damaged for more than MOST links.
    """
    waiting, known, links = [("", root)], {h5o.get_info(root).addr}, 0
    while waiting:
        where, group = waiting.pop()
        names: list[bytes] = []
        # h5py continues while the callback returns None.
        group.links.iterate(lambda name, names=names: names.append(name) or (True if len(names) > MOST else None))
        links += len(names)
        if links > MOST:
            raise DamagedFile(Message("has more than {most} parts", most=MOST))
        for name in names:
            label = f"{where}/{name.decode(errors='replace')}"
            link = group.links.get_info(name)
            if link.type != h5l.TYPE_HARD:
                _check_link(link.type, group, name, label)
                continue
            each = h5o.open(group, name)
            if not isinstance(each, h5g.GroupID | h5d.DatasetID):
                raise DamagedFile(Message("has '{label}', which is neither a group nor a data set", label=label))
            if (address := h5o.get_info(each).addr) in known:
                continue
            known.add(address)
            yield label, each
            if isinstance(each, h5g.GroupID):
                waiting.append((label, each))


def _check_link(kind: int, group: h5g.GroupID, name: bytes, label: str) -> None:
    """Raise Damaged for any link but a soft one from the assembly to a block. `label` is its path in the file."""
    if kind == h5l.TYPE_EXTERNAL:
        raise DamagedFile(Message("has '{label}', which is a link to another file", label=label))
    if kind != h5l.TYPE_SOFT:
        raise DamagedFile(Message("has '{label}', which is a link of an unknown kind", label=label))
    target = group.links.get_val(name).decode(errors="replace")
    inside = target.startswith(BLOCKS) and "/" not in target.removeprefix(BLOCKS) and ".." not in target
    if not (label.startswith(ASSEMBLY) and inside):
        raise DamagedFile(Message("has '{label}', which is a link to '{target}'", label=label, target=target))


def _check_attributes(owner: h5g.GroupID | h5d.DatasetID, name: str) -> None:
    """Raise Damaged where an object has too many attributes, too large ones, or ones of other types."""
    count = h5a.get_num_attrs(owner)
    if count > ATTRIBUTES:
        raise DamagedFile(
            Message("has {count} attributes at '{name}', more than {most}", count=count, name=name, most=ATTRIBUTES)
        )
    for index in range(count):
        attribute = h5a.open(owner, index=index)
        own = f"{name}@{attribute.name.decode(errors='replace')}"
        size = attribute.get_type().get_size() * _count(attribute.shape)
        if size > ATTRIBUTE:
            rule = Message(
                "has the attribute '{name}' of {size} bytes, more than {most}", name=own, size=size, most=ATTRIBUTE
            )
            raise DamagedFile(rule)
        _check_type(attribute.get_type(), own)


def _count(shape: tuple[int, ...] | None) -> int:
    """Number of elements of an array; 0 without a shape."""
    return 0 if shape is None else prod(map(int, shape))


def _check_type(kind: h5t.TypeID, name: str) -> None:
    """Raise Damaged for a type that is neither a number nor text, such as a reference."""
    if kind.get_class() not in KINDS:
        raise DamagedFile(Message("has '{name}', which is made neither of numbers nor of text", name=name))


def _check_dataset(data: h5d.DatasetID, name: str, size: int) -> None:
    """Check that the data are in this file and no larger than possible; `size` [bytes] is that of the file.

    A compressed set may be UNPACKED times its stored size, the most that deflate reaches, and one chunk more; another
    chunked one UNWRITTEN times the file. Raises Damaged.
    """
    made, kind = data.get_create_plist(), data.get_type()
    if made.get_layout() == h5d.VIRTUAL or made.get_external_count() or made.get_layout() not in LAYOUTS:
        raise DamagedFile(Message("has the data set '{name}', whose numbers are in other files", name=name))
    filters = [made.get_filter(number)[0] for number in range(made.get_nfilters())]
    if not set(filters) <= set(FILTERS) or len(filters) > len(FILTERS):
        raise DamagedFile(Message("has the data set '{name}', which is packed in an unknown way", name=name))
    _check_type(kind, name)
    item, shape = kind.get_size(), data.shape
    if item > NUMBER and kind.get_class() != h5t.STRING:
        raise DamagedFile(Message("has the data set '{name}' with numbers of {size} bytes", name=name, size=item))
    declared = 0 if data.get_space().get_simple_extent_type() == h5s.NULL else item * _count(shape)
    most = size
    if made.get_layout() == h5d.CHUNKED:
        piece = item * _count(made.get_chunk())
        if piece > max(PIECE, size):
            raise DamagedFile(Message("has the data set '{name}' in pieces of {size} bytes", name=name, size=piece))
        most = UNPACKED * data.get_storage_size() + piece if filters else UNWRITTEN * size
    if declared > most:
        raise DamagedFile(
            Message(
                "has the data set '{name}' of {size} bytes, and the file has room for {most}",
                name=name,
                size=declared,
                most=most,
            )
        )
