"""Texts that stand in app/polhode_app/texts instead of in sources. `make translations` collects those of TRANSLATED."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "texts"
TRANSLATED = ("errata", "help", "lesson_page", "page")


@cache
def read_data(name: str) -> dict[str, Any]:
    """The tables of the file `name`.toml, read on first use."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def texts_in(data: object) -> Iterator[str]:
    """All texts among the values of tables and lists."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from texts_in(inner)
