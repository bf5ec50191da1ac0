"""The optional library of Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem


def parquet_library(out: Path) -> tuple[Any, Any]:
    """Import the optional dependency pyarrow; returns `pyarrow` and `pyarrow.parquet`. Raises InputError."""
    try:
        import pyarrow  # noqa: PLC0415  (optional)
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        rule = Message("needs the library pyarrow, which is not installed")
        remedy = Message("install it with 'pip install pyarrow', or use .csv")
        raise InputError(str(out), [Problem("", rule, remedy)]) from None
    return pyarrow, pyarrow.parquet
