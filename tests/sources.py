"""Source files, parsed once for all tests that look through them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(source: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(source.read_text("utf-8"))


@cache
def nodes_of(source: Path) -> tuple[ast.AST, ...]:
    """All nodes of a source file, as `ast.walk` finds them."""
    return tuple(ast.walk(tree_of(source)))
