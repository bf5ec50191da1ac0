"""Docstrings state the shapes of arrays, and banned phrases do not return. Nothing is imported or compiled.

Phrases are sought by patterns, because near phrases come back where a list of whole ones forbids some.
"""

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
WHAT = re.compile(r"What\b")  # at the start of a docstring: begin with the noun instead
RIDDLES = re.compile(
    r"\b(?:goes|go|going) on\b|\b(?:comes?|came) to\b(?! rest)|\bstands? for\b|\btells? (?:of|apart)\b|\btold apart\b"
    r"|\bsays? of\b|\bout of the numbers\b|\b(?:has|have) come to\b(?! rest)|\bleft behind\b|\banew\b|\bof now\b",
    re.IGNORECASE,
)
QUAINT_NAMES = {"told", "heard"}  # of callbacks: progress
NOT_YET: tuple[str, ...] = ()
"""Folders whose texts and names still have such phrases: shrink this list, never extend it."""
REVIEWED: dict[str, str] = {}
"""Phrases that are right where they are, by the file and the text around them."""


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


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, comment and message of three words or more; of a page, its lines."""
    if path.suffix == ".md":
        yield from enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 2:
            yield node.lineno, " ".join(node.value.split())
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield from ((number, comment) for comment in re.findall(r"(?:^|\s)#\s(.*)$", line))


def quaint(path: Path) -> Iterator[str]:
    """Riddles in the texts of a source, docstrings that begin with What, and quaint names."""
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    nodes = nodes_of(path) if path.suffix == ".py" else ()
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if id(node) in docstrings and isinstance(node, ast.Constant) and WHAT.match(str(node.value)):
            yield f"{name}:{node.lineno}: {str(node.value).splitlines()[0]}"
        elif {getattr(node, "arg", ""), getattr(node, "id", ""), getattr(node, "name", "")} & QUAINT_NAMES:
            yield f"{name}:{node.lineno}: a quaint name"
    for line, text in texts(path):
        if RIDDLES.search(text) and REVIEWED.get(name, "\n") not in text:
            yield f"{name}:{line}: {RIDDLES.search(text)[0]} ({text[:80]})"


def test_texts_of_cleaned_folders_have_no_riddles() -> None:
    read = [*sources(CORE), *sources(APP), *sorted((ROOT / "docs").rglob("*.md"))]
    clean = [path for path in read if not path.relative_to(ROOT).as_posix().startswith(NOT_YET)]
    assert len(clean) > 250
    found = [line for path in clean for line in quaint(path)]
    assert not found, "\n".join(found)


def test_the_list_of_folders_with_riddles_shrinks() -> None:
    """A folder without them leaves NOT_YET, and a phrase that is gone leaves REVIEWED."""
    for folder in NOT_YET:
        texts_in = (path for ending in ("py", "md") for path in (ROOT / folder).rglob(f"*.{ending}"))
        assert any(True for path in texts_in for _ in quaint(path)), folder
    assert not [name for name, text in REVIEWED.items() if text not in prose(ROOT / name)]


@pytest.mark.parametrize(
    "source",
    [
        '"""What a run has."""',
        '"""It goes on."""',
        "# the node that stands for an island",
        'raise Error("the way that tells of it")',
        "def run(told): ...",
    ],
)
def test_a_riddle_is_found(source: str, tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    path.write_text(f"{source}\n", "utf-8")
    assert len([*quaint(path)]) == 1


def test_plain_words_are_no_riddles(tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    path.write_text('"""Whatever moves, it comes to rest."""\nprogress = "tell it to a friend"\n', "utf-8")
    assert not [*quaint(path)]


@pytest.mark.parametrize("text", ["(n, 3)", "(k,)", "(3, p)", "(LEDGER_SIZE,)", "(h + 1,)", "(2, 3, p)"])
def test_a_shape_is_found(text: str) -> None:
    assert SHAPE.search(f"{text} [m] positions")
    assert not SHAPE.search("the positions (of all points) [m]")
