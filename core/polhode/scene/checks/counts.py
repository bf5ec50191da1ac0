"""Counts in a scene file, before it costs time and memory: nested keys, and tables in each list."""

from __future__ import annotations

import re
from typing import Any

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import MOST

LISTS = {"body": "bodies", "sphere": "bodies", "bead": "bodies", "particle": "points", "ghost": "ghosts"}
MOST_SWEEPS = 1000
MOST_TABLES = 500_000  # of any other list; a file of the largest size has no more that are valid

# Ends of strings are optional, so that a text without them is read once, too.
KEY = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
STRING = r"""(?:"{3}(?:[^\\]|\\.|\\\Z)*?(?:"{3}|\Z)|'{3}.*?(?:'{3}|\Z))"""
TOKEN = re.compile(rf"{STRING}|\#[^\n]*+|({KEY}(?:[ \t]*+\.[ \t]*+{KEY})*+)", re.DOTALL)


def check_counts(data: dict[str, Any], source: str) -> None:
    """Raise InputError for a list of more tables than a scene may have, before a single one is validated."""
    problems = []
    for key, value in data.items():
        things = LISTS.get(key, "tables")
        most = MOST_SWEEPS if key == "sweep" else MOST.get(things, MOST_TABLES)
        if isinstance(value, list) and len(value) > most:
            rule = Message("has {count} {things}, more than {most}", count=len(value), things=things, most=most)
            problems.append(Problem(key, rule, Message("take fewer")))
    if problems:
        raise InputError(source, problems)


def has_deep_key(text: str, deepest: int) -> bool:
    """Whether a TOML text has a dotted key of more than `deepest` parts, whose cost in tomllib is quadratic."""
    if all(line.count(".") <= deepest for line in text.split("\n")):
        return False
    keys = (found[1] for found in TOKEN.finditer(text) if found[1])
    return any(len(re.findall(KEY, key, re.DOTALL)) > deepest for key in keys if key.count(".") >= deepest)
