"""The sources that machine code depends on, whose hash names its folder.

numba's own cache key covers the file of the outer function, not those of the functions that it calls. Here the key is
the hash of every file with compiled functions, and of all files of core that these import, recursively: whole files, so
a change of a comment compiles everything again.
"""

from __future__ import annotations

import hashlib
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

IMPORTS = re.compile(r"^\s*(?:from|import) (core[\w.]*)(?: import ([^#\n(]*|\([^)]*\)))?", re.MULTILINE)


def compiled_sources(core: Path) -> list[Path]:
    """The files below `core` that import the decorators, and the files of core that they import, recursively."""
    texts = {source: source.read_text(encoding="utf-8") for source in sorted(core.rglob("*.py"))}
    waiting = [source for source, text in texts.items() if "core.jit.kernel import" in text]
    found: set[Path] = set()
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting += [file for file in _imported(texts[source], core) if file in texts]
    return sorted(found)


def _imported(text: str, core: Path) -> list[Path]:
    """Files that the imports of core in a text may refer to; some do not exist."""
    files = []
    for module, names in IMPORTS.findall(text):
        place = core.parent.joinpath(*module.split("."))
        inner = [place / name for name in re.findall(r"\w+", names)]
        meant = [place, *inner] if place != core else inner  # core/__init__.py only re-exports
        files += [path for at in meant for path in (at.with_suffix(".py"), at / "__init__.py")]
    return files


def version_of_code(core: Path) -> str:
    """Sixteen hexadecimal digits that depend on these sources, on Python, the compiler and the program's version."""
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {version('llvmlite')} {_own_version()}".encode())
    for source in compiled_sources(core):
        digest.update(source.relative_to(core).as_posix().encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _own_version() -> str:
    """Version of the installed program; "" where it runs from sources that are not installed."""
    try:
        return version("polhode")
    except PackageNotFoundError:
        return ""
