"""Names and files that docstrings and comments mention exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sources import nodes_of

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("app/**/*.py")])
OTHERS = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/*.py"), *ROOT.glob("installers/**/*.py")])
FOREIGN = {"yield", "use_attribute_docstrings", "__feature__", "shape2"}
"""Words in backticks that are no names of these sources: of Python, of libraries, and an example of a file."""
FILE = re.compile(
    r"(?<![\w/.])(?:core|app|tests|benchmarks|docs|scenes|meshes|installers|firmware|\.ci)/[\w./-]*\w\.\w+"
)


def test_names_in_backticks_exist() -> None:
    """Anywhere in the sources: a name that nothing has any more is what a text keeps after a change."""
    stale = [
        f"{source.relative_to(ROOT)}:{line} `{text}`"
        for source in SOURCES
        for line, text in in_backticks(source)
        if any(len(word) > 1 and word not in known() for word in re.findall(r"[A-Za-z_]\w*", text))
    ]
    assert stale == []


def test_files_that_sources_mention_exist() -> None:
    stale = [
        f"{source.relative_to(ROOT)}: {name}"
        for source in SOURCES
        for name in FILE.findall(source.read_text("utf-8"))
        if not (ROOT / name).exists()
    ]
    assert stale == []


def in_backticks(source: Path) -> Iterator[tuple[int, str]]:
    """Line and text of what stands in backticks in docstrings, those of attributes included."""
    for text in map(text_of, nodes_of(source)):
        if text is not None:
            yield from ((text.lineno, each) for each in re.findall(r"`([^`\n]+)`", text.value))


def text_of(node: ast.AST) -> ast.Constant | None:
    """The text that is a statement of its own, such as a docstring."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value
    return None


@cache
def known() -> frozenset[str]:
    """All names of the sources and tests: definitions, uses, parameters, modules, and words of texts for programs."""
    found = set(FOREIGN)
    for source in (*SOURCES, *OTHERS):
        found |= {source.stem, *source.relative_to(ROOT).parts}
        docstrings = {id(text) for text in map(text_of, nodes_of(source)) if text is not None}
        for node in nodes_of(source):
            if id(node) not in docstrings:
                found.update(names_of(node))
    return frozenset(found)


def names_of(node: ast.AST) -> Iterator[str]:
    """Names in one node of a syntax tree."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.alias(name=name):
            yield from name.split(".")
        case ast.Constant(value=str(text)):
            yield from re.findall(r"\w+", text)


def test_a_name_that_is_gone_is_found(tmp_path: Path) -> None:
    source = tmp_path / "gone.py"
    source.write_text('def here(there):\n    """As `here` and `there`, not `a_name_that_is_' + 'gone`."""\n')
    found = [text for _, text in in_backticks(source)]
    assert found == ["here", "there", "a_name_that_is_" + "gone"]
    assert [text for text in found if text not in known()] == ["a_name_that_is_" + "gone"]
