"""What machine code is made from: edit any of it, and the old machine code must not run on with the old physics.

numba's own key is the file of the outer function, not those of the functions that it calls. Here it is every file that
has compiled functions, and all that these import from core: what a kernel takes as a constant may stand there.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

import llvmlite
import numba

IMPORTS = re.compile(r"^\s*(?:from|import) (core[\w.]*)(?: import ([^#\n(]*|\([^)]*\)))?", re.MULTILINE)


def compiled_sources(core: Path) -> list[Path]:
    """The files that machine code is made from: those that import the decorators, and what they import, and so on."""
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
    """Files that may be meant by the imports of core in a text; some of them are not there."""
    files = []
    for module, names in IMPORTS.findall(text):
        place = core.parent.joinpath(*module.split("."))
        inner = [place / name for name in re.findall(r"\w+", names)]
        meant = [place, *inner] if place != core else inner  # the package only says what others are to use of it
        files += [path for at in meant for path in (at.with_suffix(".py"), at / "__init__.py")]
    return files


def version_of_code(core: Path) -> str:
    """Sixteen letters that are others as soon as a source, Python or the compiler is another one."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {llvmlite.__version__}".encode())
    for source in compiled_sources(core):
        digest.update(source.relative_to(core).as_posix().encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]
