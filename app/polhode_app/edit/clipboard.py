"""Copy and paste of scene items as text of the scene format. No Qt, no compiler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from polhode.scene.fields import FieldPath, at, with_value, with_values
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.toml_edit import document_of, part_stated
from polhode_app.edit.parts import INNER, LISTS, NAMED, free_for, names, renamed, shifted

SINGLE = ("world", "solver", "sensor", "grab")
SINGLES: tuple[FieldPath, ...] = tuple((key,) for key in SINGLE)
SOURCE = "clipboard"


def text_of(scene: Scene, paths: Sequence[FieldPath]) -> str:
    """The items at some paths as TOML in SI units; references to files are absolute."""
    tables: dict[str, Any] = {}
    for path in paths:
        table = _with_whole_paths(part_stated(at(scene, path)), scene.folder)
        if len(path) == 1:
            tables[str(path[0])] = table
        else:
            tables.setdefault(str(path[-2]), []).append(table)
    return tomlkit.dumps(document_of(tables))


def _with_whole_paths(table: Any, folder: Path) -> Any:
    """A copy of a TOML value in which all files have absolute paths."""
    if isinstance(table, list):
        return [_with_whole_paths(inner, folder) for inner in table]
    if not isinstance(table, dict):
        return table
    whole = {key: _with_whole_paths(value, folder) for key, value in table.items()}
    if (file := whole.get("file")) and not whole.get("vertices"):
        whole["file"] = (folder / file).absolute().as_posix()
    if "column" in whole and (file := whole.get("data")):
        whole["data"] = (folder / file).absolute().as_posix()
    return whole


def pasted(scene: Scene, text: str, chosen: FieldPath | None) -> tuple[Scene, list[FieldPath]]:
    """The scene with the items of a text, and their paths.

    Names in use are changed, together with references to them. Shapes and dipoles are added to the selected body
    `chosen`; world, solver and sensor replace those of the scene. Raises InputError.
    """
    tables = tables_of(text, SOURCE)
    inner = {key: tables.pop(key) for key in INNER if key in tables}
    paths: list[FieldPath] = []
    if inner:
        scene, paths = _inside(scene, inner, chosen)
    ghosts = tables.pop("ghost", [])
    known = {key: value for key, value in tables.items() if key in (*LISTS, *SINGLE, "units", "format")}
    if not known.keys() - {"units", "format"} and not paths and not ghosts:
        rule, remedy = (
            Message("holds no items of a scene"),
            Message("copy items in a scene tree, or [[body]] tables of a scene file"),
        )
        raise InputError(SOURCE, [Problem("", rule, remedy)])
    scene, more = _joined(scene, scene_of(known, SOURCE))
    for ghost in ghosts:
        more.append(("ghost", len(scene.ghost)))
        scene = with_value(scene, ("ghost",), (*scene.ghost, ghost))
    return scene, [*paths, *more, *(path for path in SINGLES if path[0] in known)]


def _inside(scene: Scene, inner: dict[str, Any], chosen: FieldPath | None) -> tuple[Scene, list[FieldPath]]:
    """Add shapes and dipoles to the selected body. Raises InputError if no body is selected."""
    if not chosen or chosen[0] != "body":
        rule, remedy = Message("holds shapes or dipoles, which belong to a body"), Message("select a body first")
        raise InputError(SOURCE, [Problem("", rule, remedy)])
    body, paths = at(scene, chosen[:2]), []
    for key, parts in inner.items():
        start = len(getattr(body, key))
        paths += [(*chosen[:2], key, start + k) for k in range(len(parts))]
        scene = with_value(scene, (*chosen[:2], key), (*getattr(body, key), *parts))
    return scene, paths


def _joined(scene: Scene, more: Scene) -> tuple[Scene, list[FieldPath]]:
    """The scene with the items of another one appended, and their paths."""
    taken = names(scene)
    for key in NAMED:
        for index, part in enumerate(getattr(more, key)):
            name = free_for(part, taken)
            if name != part.name:
                name = free_for(part, taken | names(more))
                more = renamed(more, (key, index), name)
            taken |= {name}
    changes: dict[str, object] = {key: getattr(more, key) for key in SINGLE if key in more.model_fields_set}
    paths: list[FieldPath] = []
    for key in LISTS:
        if parts := getattr(more, key):
            start = len(getattr(scene, key))
            changes[key] = (*getattr(scene, key), *parts)
            paths += [(key, start + k) for k in range(len(parts))]
    return (with_values(scene, (), changes) if changes else scene), paths


def twins(scene: Scene, paths: Sequence[FieldPath]) -> list[FieldPath]:
    """Paths of items that coincide with those at `paths`: equal but for their names."""
    found = []
    for listed in {path[:-1] for path in paths if len(path) > 1}:
        parts = at(scene, listed)
        texts = [_nameless(scene, part) for part in parts]
        new = {path[-1] for path in paths if path[:-1] == listed}
        placed = [texts[index] for index in new if shifted(parts[index], np.ones(3)) is not parts[index]]
        found += [(*listed, index) for index, text in enumerate(texts) if index not in new and text in placed]
    return found


def _nameless(scene: Scene, part: Any) -> Any:
    """Table of an item without its name, for comparison."""
    return {**_with_whole_paths(part_stated(part), scene.folder), "name": ""}


def moved_apart(scene: Scene, paths: Sequence[FieldPath], shift: np.ndarray) -> Scene:
    """The scene with the items at `paths` translated by `shift` (3,) [m] until none coincides with another one."""
    moved = scene
    while twins(moved, paths):
        scene = moved
        for path in paths:
            if len(path) > 1:
                moved = with_value(moved, path, shifted(at(moved, path), shift))
        if moved == scene:  # the shift is lost in rounding
            break
    return moved
