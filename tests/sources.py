"""Source files, parsed once for all tests that look through them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


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


def module_at(source: Path) -> ModuleType:
    """The module of a source file that belongs to no package."""
    spec = spec_from_file_location(source.stem, source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
