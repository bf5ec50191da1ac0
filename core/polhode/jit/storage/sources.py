"""The sources that machine code depends on, whose hash names its folder.

numba's own cache key covers the file of the outer function, not those of the functions that it calls. Here the key is
the hash of every file with compiled functions, and of all files of the library that these import, recursively: whole
files, so a change of a comment compiles everything again.
"""

from __future__ import annotations

import hashlib
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# Patterns that begin with a text are found several times as fast as one that begins with a choice. What they find in
# docstrings as well makes the set of files larger, never smaller.
FROM = re.compile(rb"from (polhode[\w.]*) import (\([^)]*\)|[^#\n(]+)")
IMPORT = re.compile(rb"import (polhode[\w.]*)")


def compiled_sources(package: Path) -> dict[str, bytes]:
    """Contents of the files below `package` that import the decorators, and of those that they import, recursively.

    Keys are the paths of the files relative to `package`, with slashes, in alphabetical order.
    """
    contents = {source.relative_to(package).as_posix(): source.read_bytes() for source in package.rglob("*.py")}
    files = {_module(path): path for path in contents}
    waiting = [name for name, path in files.items() if b"polhode.jit.kernel import" in contents[path]]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _imported(contents[files[name]]) if other in files]
    return {path: contents[path] for path in sorted(files[name] for name in found)}


def _module(path: str) -> str:
    """Name of the module in a file at a path relative to the package."""
    return ".".join(("polhode", *path.removesuffix(".py").removesuffix("__init__").split("/"))).rstrip(".")


def _imported(text: bytes) -> list[str]:
    """Modules that the imports of the library in a text may refer to; some do not exist."""
    modules = [module.decode() for module in IMPORT.findall(text)]
    for module, names in FROM.findall(text):
        modules += [f"{module.decode()}.{name.decode()}" for name in re.findall(rb"\w+", names)]
        modules.append(module.decode())
    return [module for module in modules if module != "polhode"]  # core/polhode/__init__.py only re-exports


def version_of_code(package: Path) -> str:
    """Sixteen hexadecimal digits that depend on these sources, on Python, the compiler and the program's version."""
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {version('llvmlite')} {own_version()}".encode())
    for path, content in compiled_sources(package).items():
        digest.update(path.encode() + b"\0" + content)
    return digest.hexdigest()[:16]


def own_version() -> str:
    """Version of the installed program; "" where it runs from sources that are not installed."""
    try:
        return version("polhode")
    except PackageNotFoundError:
        return ""
