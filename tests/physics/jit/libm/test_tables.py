"""The tables of the elementary functions are those that their program computes by mpmath."""

from __future__ import annotations

from pathlib import Path

from sources import module_at

PROGRAM = Path(__file__).parents[4] / ".ci/libm_tables.py"


def test_tables_are_those_of_their_program() -> None:
    made = module_at(PROGRAM)
    assert made.TABLES.read_text(encoding="utf-8") == made.text()
