"""Docstrings state the shapes of arrays, and banned phrases do not return. Nothing is imported or compiled."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sources import nodes_of, tree_of

ROOT = Path(__file__).parents[2]
CORE, APP = ROOT / "core/polhode", ROOT / "app/polhode_app"
EXTENT = r"[\w.]+(?:\s*[-+*/ ]\s*[\w.]+)*"
SHAPE = re.compile(rf"\(\s*{EXTENT}\s*,(?:\s*{EXTENT}\s*,?)*\s*\)|\(\.\.\.\)|\bflat\b")
# Parameters that have the same shape everywhere; the docstring of core/polhode/engine/model.py defines them.
CONVENTIONS = {"state", "rate", "power", "out", "track", "gravity", "stop_time", "held", "work_sharing", "history"}
BANNED = re.compile(
    r"\bof now\b|\banew\b|who looks|what is chosen|\bnobody\b|\bwhoever\b|\bsomebody\b|\banybody\b|last word"
    r"|who dies|looked at|\bso many\b|is no number|is its business|are its business|before the eyes"
    r"|\bof late\b|is wished|\bhaunts?\b|a hand took|\bwho asks\b",
    re.IGNORECASE,
)


def sources(root: Path) -> list[Path]:
    """Modules in a folder that are checked."""
    return sorted(root.rglob("*.py"))


def is_array(annotation: ast.expr | None) -> bool:
    return annotation is not None and re.match(r"np\.ndarray\b", ast.unparse(annotation)) is not None


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Public functions and public methods."""
    for node in tree.body:
        for each in (node, *(node.body if isinstance(node, ast.ClassDef) else ())):
            if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                yield each


def undocumented_arrays(path: Path) -> Iterator[str]:
    """Functions and fields with arrays whose shape is stated nowhere."""
    text = path.read_text(encoding="utf-8")
    tree, lines = tree_of(path), text.splitlines()
    for function in functions(tree):
        arguments = [each for each in function.args.args if each.arg not in CONVENTIONS and is_array(each.annotation)]
        stated = SHAPE.search((ast.get_docstring(function) or "") + lines[function.lineno - 1].partition("#")[2])
        if (arguments or is_array(function.returns)) and not stated:
            yield f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for field, behind in zip(owner.body, [*owner.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and is_array(field.annotation):
                stated = lines[field.lineno - 1] + lines[field.end_lineno - 1 if field.end_lineno else 0]
                if not SHAPE.search(f"{stated} {docstring_of_field(behind)}"):
                    yield f"{path.relative_to(ROOT)}:{field.lineno} {ast.unparse(field.target)}"


def docstring_of_field(behind: ast.stmt | None) -> str:
    """The string behind a field, if the statement behind it is one."""
    text = behind.value.value if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant) else ""
    return text if isinstance(text, str) else ""


def prose(path: Path) -> str:
    """Comments and docstrings of a module, or the whole text of another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    owners = (node for node in nodes_of(path) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef))
    comments = re.findall(r"(?:^|\s)#\s.*$", text, re.MULTILINE)
    return "\n".join([*(ast.get_docstring(node) or "" for node in owners), *comments])


@pytest.mark.parametrize("root", [CORE, APP], ids=["core", "app"])
def test_public_arrays_state_their_shape(root: Path) -> None:
    missing = [line for path in sources(root) for line in undocumented_arrays(path)]
    assert not missing, "\n".join(missing)


def test_conventions_are_defined() -> None:
    """The conventions of the check above are documented in the docstring of model.py."""
    stated = ast.get_docstring(ast.parse((CORE / "engine/model.py").read_text(encoding="utf-8"))) or ""
    assert not [name for name in CONVENTIONS if f"`{name}`" not in stated]


@pytest.mark.parametrize("root", [CORE, APP, ROOT / "docs", ROOT / "scenes"], ids=["core", "app", "docs", "scenes"])
def test_banned_phrases_do_not_return(root: Path) -> None:
    files = [ROOT / "README.md", *root.rglob("*.md"), *root.rglob("*.toml"), *sources(root)]
    found = [f"{each.relative_to(ROOT)}: {hit}" for each in files for hit in BANNED.findall(prose(each))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["(n, 3)", "(k,)", "(3, p)", "(LEDGER_SIZE,)", "(h + 1,)", "(2, 3, p)"])
def test_a_shape_is_found(text: str) -> None:
    assert SHAPE.search(f"{text} [m] positions")
    assert not SHAPE.search("the positions (of all points) [m]")
