"""No command replaces a file that it reads, by whatever name: relative, through links, or in other capitals.

Parameters of commands are marked as INPUT or OUTPUT in their annotations; `check_arguments` compares them before a
command begins. Files that a scene names, such as meshes and sensor logs, are compared as soon as the scene is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

from polhode.recording.scene_bundle import files_of
from polhode.scene import gallery
from polhode.scene.column_names import units_file
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.udf.meshes import container


class Role(Enum):
    """Whether a command reads or writes the file that a parameter names."""

    INPUT = "reads"
    OUTPUT = "writes"


INPUT, OUTPUT = Role.INPUT, Role.OUTPUT


def roles(command: Callable[..., Any]) -> dict[str, Role]:
    """The parameters of a command that name files, with their roles; none of `--help` and `--version`."""
    if not command.__module__.startswith(__name__.partition(".")[0]):
        return {}
    hints = get_type_hints(command, include_extras=True)
    return {name: mark for name, hint in hints.items() for mark in get_args(hint)[1:] if isinstance(mark, Role)}


def check_arguments(command: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Raise InputError if an output of a command is one of its inputs; `arguments` are the given ones, by name."""
    found: dict[Role, list[Path]] = {INPUT: [], OUTPUT: []}
    for name, role in roles(command).items():
        found[role] += _paths(arguments.get(name))
    outputs = [file for path in found[OUTPUT] for file in written(path, bool(arguments.get("units")))]
    refuse_inputs(outputs, [file for path in found[INPUT] for file in written(path, True)])


def refuse_inputs(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Raise InputError if an output is the same file as one of the inputs."""
    read = list(inputs)
    for out in outputs:
        for path in read:
            if _is_same(out, path):
                rule = Message("is also read: it is the file '{name}'", name=path)
                raise InputError(str(out), [Problem("", rule, Message("give the output another name"))])


def refuse_files_of(scene: Scene, *outputs: Path | None) -> None:
    """Raise InputError if an output is one of the files that a scene names: a mesh, or a log of the sensor."""
    inputs = [container((scene.folder / name).absolute()) for name in files_of(scene)]
    refuse_inputs([out for out in outputs if out is not None], inputs)


def written(path: Path, units: bool) -> list[Path]:
    """The files that an output consists of: a table may have its units beside it."""
    return [path, units_file(path)] if units and path.suffix else [path]


def _paths(value: Any) -> Iterator[Path]:
    """The files that an argument names; of a built-in scene its file, of a name without a file none."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from _paths(item)
    elif isinstance(value, Path):
        yield value
    elif isinstance(value, str):
        with suppress(InputError):  # the command says so
            yield gallery.find(value)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two names lead to one file that is there."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
