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

IMPORTS = re.compile(r"^[ \t]*(?:from|import) (core[\w.]*)(?: import ([^#\n(]*|\([^)]*\)))?", re.MULTILINE)


def compiled_sources(core: Path) -> list[Path]:
    """The files below `core` that import the decorators, and the files of core that they import, recursively."""
    files = {_module(source.relative_to(core.parent).parts): source for source in core.rglob("*.py")}
    texts = {name: source.read_text(encoding="utf-8") for name, source in files.items()}
    waiting = [name for name, text in texts.items() if "core.jit.kernel import" in text]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _imported(texts[name]) if other in files]
    return sorted(files[name] for name in found)


def _module(parts: tuple[str, ...]) -> str:
    """Name of the module in a file, from the parts of its path."""
    inner = parts[:-1] if parts[-1] == "__init__.py" else (*parts[:-1], parts[-1].removesuffix(".py"))
    return ".".join(inner)


def _imported(text: str) -> list[str]:
    """Modules that the imports of core in a text may refer to; some do not exist."""
    modules = []
    for module, names in IMPORTS.findall(text):
        modules += [f"{module}.{name}" for name in re.findall(r"\w+", names)]
        if module != "core":  # core/__init__.py only re-exports
            modules.append(module)
    return modules


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
