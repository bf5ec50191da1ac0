"""Changed hand-ins: one number, key, text or item of a list of their JSON is another, and the digest is right again.

Free text is left as it is: explanations, the name of the file of own data, and whose name it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Path = tuple[str | int, ...]


def changes(body: dict[str, Any], free: set[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Names of changes, and the contents of a hand-in after each; `free` are paths of values that are left."""
    for path, value in _values(body, ()):
        if path in free or not path:
            continue
        for name, other in _others(value):
            if other == value and type(other) is type(value):
                continue
            yield f"{_written(path)}: {name}", _replaced(body, path, other)
        holder, key = _at(body, path[:-1]), path[-1]
        made = _replaced(body, path, None)
        del _at(made, path[:-1])[key]
        yield f"{_written(path)}: removed", made
        if isinstance(holder, list):
            made = _replaced(body, path, value)
            _at(made, path[:-1]).insert(key, deepcopy(value))
            yield f"{_written(path)}: repeated", made
        else:
            made = _replaced(body, path, value)
            _at(made, path[:-1])[f"{key}_"] = deepcopy(value)
            yield f"{_written(path)}: one key more", made


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values in place of one."""
    if isinstance(value, bool) or value is None:
        yield "other", not value
    elif isinstance(value, int | float):
        yield "larger", value * 1.5 + 0.7 if isinstance(value, float) else value + 1
        yield "smaller", -value - 1
        yield "text", str(value)
    elif isinstance(value, str):
        yield "longer", value + "A"
        yield "empty", "" if value else "A"
        if len(value) > 2:
            middle = len(value) // 2
            yield "one letter", value[:middle] + ("B" if value[middle] != "B" else "C") + value[middle + 1 :]
    elif isinstance(value, list) and len(value) > 1 and value[0] != value[-1]:
        yield "reversed", value[::-1]
    yield "null", None
    yield "table", {"a": 1}


def _values(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _values(part, (*path, key))


def _at(body: Any, path: Path) -> Any:
    for key in path:
        body = body[key]
    return body


def _replaced(body: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    made = deepcopy(body)
    _at(made, path[:-1])[path[-1]] = value
    return made


def _written(path: Path) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")
