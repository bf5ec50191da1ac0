"""Source files, parsed once for all tests that look through them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(source: Path) -> ast.Module:
    """The syntax tree of a source file."""
    tree = ast.parse(source.read_text("utf-8"))
    gc.freeze()  # else every collection of garbage looks through a million nodes
    return tree


@cache
def nodes_of(source: Path) -> tuple[ast.AST, ...]:
    """All nodes of a source file, as `ast.walk` finds them."""
    return tuple(ast.walk(tree_of(source)))
