"""The contents of a recording, read from an open HDF5 file and checked for types and sizes.

Runs in the process of hdf5_server.py, after the structure of the file has been checked
(core/polhode/recording/checks/hdf5_check.py). Values are checked by the reader (core/polhode/recording/reader.py).
"""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np

from polhode.recording.checks.hdf5_check import DamagedFile
from polhode.recording.contents import COMPILED, FORMAT, LARGEST_FILES, LARGEST_SCENE, ROOT, CompiledArrays, Contents
from polhode.scene.message import Message

ASSEMBLY = "Assembly"  # of links, except the blocks in /VTKHDF
EXPANSION = 16  # largest ratio of the bytes read at once to the size of the file


def read_contents(file: h5py.File, size: int) -> Contents:
    """Everything but the states, in a file of `size` [bytes]. Raises Damaged, or an exception of h5py."""
    head = group_in(file, ROOT, Message("is VTKHDF, but not a recording of Polhode: it has no scene"))
    attributes = {name: value_of(head, name) for name in head.attrs}
    _check_format(attributes)
    blocks = [group_in(file, f"VTKHDF/{name}/Steps") for name in group_in(file, "VTKHDF") if name != ASSEMBLY]
    if not blocks:
        raise DamagedFile(Message("has no block with times"), place="VTKHDF")
    rows = min(map(_count_of, blocks))  # a process that was killed may have updated the counts of some blocks only
    series = {
        "times": dataset(blocks[0], "Values", np.float64, 1),
        "steps": dataset(head, "Step", np.int64, 1),
        "sensor_tracks": dataset(head, "Hand", np.float64, 2),
    }
    states, events = dataset(head, "State", np.float64, 2), dataset(head, "Deeds", np.uint8, 1)
    for data in (*series.values(), states):
        if len(data) < rows:
            rule = Message("has {count} moments, and the recording counts {rows}", count=len(data), rows=rows)
            raise DamagedFile(rule, place=data.name[1:])
    needed = events.nbytes + sum(data.nbytes for data in series.values())
    if needed > EXPANSION * size:
        rule = Message("has numbers of {size} bytes, and the file has room for {most}", size=needed, most=size)
        raise DamagedFile(rule, place=ROOT)
    return Contents(
        attributes=attributes,
        rows=rows,
        state_size=states.shape[1],
        scene=text_in(head, "Scene"),
        events=events[:].tobytes(),
        files=files_in(head, size),
        compiled=compiled_in(head, size) if COMPILED in head else None,
        **{name: data[: max(rows, 0)] for name, data in series.items()},
    )


def _check_format(attributes: dict[str, Any]) -> None:
    """Raise Damaged for a newer format, which may have other data sets."""
    made = attributes.get("format")
    if isinstance(made, int) and made > FORMAT:
        rule = Message(
            "has format {made}, which {program} has written; this program knows {known}",
            made=made,
            program=attributes.get("program"),
            known=FORMAT,
        )
        raise DamagedFile(rule, Message("open it with a newer version"))


def read_states(file: h5py.File, start: int, stop: int) -> np.ndarray:
    """(t, k) flat states of the frames start ... stop - 1."""
    return np.asarray(file[f"{ROOT}/State"][start:stop])


def group_in(parent: h5py.Group, name: str, missing: Message | None = None) -> h5py.Group:
    """A group by its path. Raises Damaged if it is missing, with the rule `missing` if given."""
    found = parent.get(name)
    if not isinstance(found, h5py.Group):
        remedy = {"remedy": Message("open it in ParaView")} if missing and found is None else {}
        raise DamagedFile(missing or Message("is no group"), place="" if missing else name, **remedy)
    return found


def dataset(group: h5py.Group, name: str, kind: type, dimensions: int) -> h5py.Dataset:
    """A data set of this type and number of dimensions. Raises Damaged for any other."""
    found, place = group.get(name), f"{group.name[1:]}/{name}"
    if not isinstance(found, h5py.Dataset):
        raise DamagedFile(Message("is no data set"), place=place)
    if found.dtype != kind or found.ndim != dimensions:
        rule = Message(
            "is made of {found_dimensions}-dimensional {found}, not of {dimensions}-dimensional {kind}",
            found_dimensions=found.ndim,
            found=str(found.dtype),
            dimensions=dimensions,
            kind=np.dtype(kind).name,
        )
        raise DamagedFile(rule, place=place)
    return found


def _count_of(steps: h5py.Group) -> int:
    """The number of frames of a block. Raises Damaged where it is no whole number."""
    count = steps.attrs.get("NSteps")
    if not isinstance(count, np.integer):
        raise DamagedFile(Message("has no whole number of moments"), place=f"{steps.name[1:]}@NSteps")
    return int(count)


def value_of(head: h5py.Group, name: str) -> Any:
    """The value of an attribute as JSON can hold it. Raises Damaged for an array."""
    value = head.attrs[name]
    value = value.item() if isinstance(value, np.generic) else value
    value = value.decode(errors="surrogateescape") if isinstance(value, bytes) else value
    if not isinstance(value, str | int | float) or (isinstance(value, str) and not _is_utf8(value)):
        raise DamagedFile(Message("is neither a number nor a text"), place=f"{ROOT}@{name}")
    return value


def _is_utf8(text: str) -> bool:
    """Whether a text has no surrogates, which represent bytes that are not UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def text_in(head: h5py.Group, name: str) -> str:
    """A text of at most LARGEST_SCENE bytes. Raises Damaged for anything else."""
    found, place = head.get(name), f"{head.name[1:]}/{name}"
    content = found[()] if isinstance(found, h5py.Dataset) and found.shape == () else None
    if not isinstance(content, bytes):
        raise DamagedFile(Message("is no text"), place=place)
    if len(content) > LARGEST_SCENE:
        rule = Message("is a text of {size} bytes, more than {most}", size=len(content), most=LARGEST_SCENE)
        raise DamagedFile(rule, place=place)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise DamagedFile(Message("is no UTF-8 at byte {byte}", byte=error.start), place=place) from None


def compiled_in(head: h5py.Group, size: int) -> CompiledArrays:
    """The arrays of the compiled scene. Raises Damaged for other types, and for more than the file can hold."""
    group, place = group_in(head, COMPILED), f"{ROOT}/{COMPILED}"
    numbers, whole = dataset(group, "Numbers", np.float64, 1), dataset(group, "Whole", np.int64, 1)
    total = numbers.nbytes + whole.nbytes
    if total > EXPANSION * size:
        rule = Message("has numbers of {size} bytes, and the file has room for {most}", size=total, most=size)
        raise DamagedFile(rule, place=place)
    return CompiledArrays(text_in(group, "Layout"), numbers[:], whole[:])


def files_in(head: h5py.Group, size: int) -> dict[str, bytes]:
    """Contents of the scene's files by name. Raises Damaged for too many, or more than the file can hold.

    They are stored as they are, so that together they are no larger than the recording.
    """
    group = group_in(head, "Files")
    place = f"{ROOT}/Files"
    if len(group) > LARGEST_FILES:
        raise DamagedFile(
            Message("has {count} files, more than {most}", count=len(group), most=LARGEST_FILES), place=place
        )
    found = {name: dataset(group, name, np.uint8, 1) for name in group}
    total = sum(data.nbytes for data in found.values())
    if total > size:
        rule = Message("has files of {total} bytes together, and the recording has {size}", total=total, size=size)
        raise DamagedFile(rule, place=place)
    return {name: data[:].tobytes() for name, data in found.items()}
