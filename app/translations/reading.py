"""Tables of many texts, kept beside the modules as files: each text and what it is in another language."""

from __future__ import annotations

import tomllib
from pathlib import Path


def pairs(name: str) -> dict[str, str]:
    """The table of a file in this folder."""
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
