"""Changing a TOML document so that it describes another scene, with its comments, order and untouched numbers kept.

Tables are the dicts, lists, numbers and texts that a TOML parser gives. `stated` makes those of the old and of the new
scene, `edit` changes in a document of tomlkit what differs between them, and `describes` checks the result by reading
it. Lists of tables, such as [[body]], are matched by name, then by index.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, MutableMapping
from typing import Any

import tomlkit
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from tomlkit.container import Container
from tomlkit.items import AoT, Array, Comment, Item, Null, Table, Trivia, Whitespace

from polhode.scene.model_fields import field_quantity, key_of
from polhode.scene.quantity import IN_FILE_UNITS, Quantity
from polhode.scene.scene import Scene, scene_in_si
from polhode.scene.uncertain import Uncertain, text_of_uncertain
from polhode.scene.units import Sizes, Units, quantity_in, sizes

Tables = dict[str, Any]


def stated(scene: Scene) -> Tables:
    """The tables of a file that holds the scene: in the file's units, without defaults, with `format`.

    Numbers are the shortest that give the scene's SI values again when read (`divided`).
    """
    return {"format": scene.format, **_stated(scene, sizes(scene.units))}


def part_stated(part: BaseModel) -> Tables:
    """The tables of one part alone, in SI, without defaults; with its kind and name, unless all else is default."""
    return _stated(part, (1.0, 1.0, 1.0, 1.0))


def _stated(part: BaseModel, units: Sizes) -> Tables:
    """The tables of a part in a file with these units; `kind` and `name` come first."""
    tables: Tables = {}
    for name, field in type(part).model_fields.items():
        value = _in_file(getattr(part, name), quantity_in(part, name), units)
        if field.is_required() or value != _default(field, units):
            tables[key_of(name, field)] = value
    first = {key: getattr(part, key) for key in ("kind", "name") if tables and key in type(part).model_fields}
    return first | tables


def _default(field: FieldInfo, units: Sizes) -> Any:
    """The default of a field as in a file; None for a required field."""
    quantity = field_quantity(field)
    if quantity is not None and quantity.in_file_units:
        return field.default
    return None if field.is_required() else _in_file(field.default, quantity, units)


def _in_file(value: Any, quantity: Quantity | None, units: Sizes) -> Any:
    """The value of a field of that quantity as a file states it."""
    if isinstance(value, BaseModel):
        return _stated(value, (1.0, 1.0, 1.0, 1.0) if isinstance(value, Units) else units)
    if isinstance(value, tuple):
        return [_in_file(item, quantity, units) for item in value]
    if isinstance(value, Uncertain):
        factor = quantity.factor(units) if quantity is not None else 1.0
        return text_of_uncertain(divided(float(value), factor), value, divided(value.deviation, factor))
    if quantity is None or value is None or isinstance(value, str):
        return value
    return divided(float(value), quantity.factor(units))


def divided(number: float, factor: float) -> float:
    """The shortest decimal number that times `factor` is `number` to the bit, or else the quotient."""
    quotient = number / factor
    for digits in (15, 16, 17):
        short = float(f"{quotient:.{digits}g}")
        if short * factor == number:
            return short
    return quotient


def document_of(tables: Tables) -> tomlkit.TOMLDocument:
    """A new document: headings for the parts of the scene, inline tables for inner parts."""
    document = tomlkit.document()
    for key, value in tables.items():
        document.add(key, _item(value, heading=True))
    return document


def _item(value: Any, heading: bool = False) -> Any:
    """The TOML item of a value; tables are inline unless they have a heading of their own."""
    if isinstance(value, dict):
        table = tomlkit.table() if heading else tomlkit.inline_table()
        for key, inner in value.items():
            table.add(key, _item(inner, heading=heading and _is_parts(inner)))
        return table
    if _is_parts(value) and heading:
        tables = tomlkit.aot()
        for inner in value:
            tables.append(_item(inner, heading=True))
        return tables
    if isinstance(value, list):
        return _array([_item(inner) for inner in value])
    if isinstance(value, str) and "\n" in value and "\r" not in value:  # readers turn "\r\n" into "\n" there
        return tomlkit.string(value, multiline=True)
    return tomlkit.item(value)


def _array(items: list[Item]) -> Array:
    """An array of TOML made at once; `extend` would count all items for each new one."""
    comma = Whitespace(","), Whitespace(" ")
    return Array([each for item in items for each in (*comma, item)][2:], Trivia())


def _is_parts(value: Any) -> bool:
    """Whether a value is a list of tables, and not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(inner, dict) for inner in value)


def describes(text: str, tables: Tables) -> bool:
    """Whether a TOML text states a scene of these tables, but for the last digits of numbers (`same`)."""
    try:
        scene = Scene.model_validate(tomllib.loads(text), context=IN_FILE_UNITS)
        return same(stated(scene_in_si(scene)), tables)
    except ValueError:
        return False


def comments_to_headings(document: tomlkit.TOMLDocument) -> None:
    """Hand each heading the comments and empty lines above it, so that they move and go with its table.

    `document` is changed in place; its text stays the same. tomlkit keeps these lines in the table before.
    """
    above: list[tuple[Container, int]] = []
    for container, index, item in _lines(document):
        if isinstance(item, Table):
            text = "".join(where.body[at][1].as_string() for where, at in above)
            for where, at in above:
                where.body[at] = (None, Null())
            item.trivia.indent = text + item.trivia.indent
        if isinstance(item, Comment | Whitespace):
            above.append((container, index))
        else:
            above.clear()


def _lines(container: Container) -> Iterator[tuple[Container, int, Item]]:
    """All items of a document in the order of its text, tables with a heading before their items, with positions."""
    for index, (_, item) in enumerate(container.body):
        tables = item.body if isinstance(item, AoT) else [item]
        for table in tables:
            if not isinstance(table, Table) or not table.is_super_table():
                yield container, index, table
            if isinstance(table, Table):
                yield from _lines(table.value)


def edit(table: MutableMapping[str, Any], old: Tables, new: Tables, top: bool = True) -> None:
    """Change `table`, which states `old`, in place, where `new` differs from it; `top` is the document itself.

    Only the values that differ are written; their neighbours keep their digits and comments. A `basis`, the short form
    of an orientation, is removed where the orientation changes.
    """
    if old.get("orientation") != new.get("orientation"):
        table.pop("basis", None)  # the short form of an orientation
    for key in [*new, *(old.keys() - new.keys())]:
        before, value = old.get(key), new.get(key)
        if before != value:
            _edit_value(table, key, before, value, top)


def _edit_value(table: MutableMapping[str, Any], key: str, before: Any, value: Any, top: bool) -> None:
    """Change one value of a table, from `before` to `value`; None in either is a missing key.

    A table whose kind is the same is edited inside, everything else is replaced.
    """
    there = table.get(key)
    if isinstance(there, Table) and top:
        edit(there, before or {}, value or {}, top=False)  # also where one of them states nothing but defaults
    elif value is None:
        table.pop(key, None)
    elif isinstance(there, MutableMapping) and _are_of_one_kind(before, value):
        edit(there, before, value, top=False)
    elif isinstance(there, AoT | Array) and _is_parts(before) and _is_parts(value):
        _edit_parts(there, before, value)
    else:
        item = _item(value, heading=_is_parts(value) or (top and isinstance(value, dict)))
        table[key] = item
        if there is None and isinstance(table, Table):
            item.trivia.indent = table.trivia.indent.rpartition("\n")[2]  # without the comment above the heading


def _are_of_one_kind(before: Any, value: Any) -> bool:
    """Whether two values are tables with the same `kind`, or without one."""
    return isinstance(before, dict) and isinstance(value, dict) and before.get("kind") == value.get("kind")


def _edit_parts(parts: AoT | Array, old: list[Tables], new: list[Tables]) -> None:
    """Edit a list of tables in place; each old table becomes the new one of its name, else of its index."""
    kept = [parts[index] for index in range(len(old))]
    parts.clear()
    for value, index in zip(new, _origins(old, new), strict=True):
        if index is None:
            part = _item(value, heading=isinstance(parts, AoT))
            part.trivia.indent = "\n" if isinstance(parts, AoT) else ""
        else:
            part = kept[index]
            edit(part, old[index], value, top=False)
        parts.append(part)


def _origins(old: list[Tables], new: list[Tables]) -> list[int | None]:
    """For each table of `new` the index of its origin in `old`, or None: by name first, then by index."""
    names = [part.get("name") for part in old]
    origins = [names.index(part["name"]) if part.get("name") in names and "name" in part else None for part in new]
    for index in range(min(len(old), len(new))):
        if origins[index] is None and index not in origins:
            origins[index] = index
    return origins


def same(one: Any, other: Any) -> bool:
    """Whether two values of a file are equal; numbers to 1e-14, relative, which a change of units may cost."""
    if isinstance(one, float | int) and isinstance(other, float | int):
        return one == other or math.isclose(one, other, rel_tol=1e-14)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)
