"""The sources that machine code depends on, whose hash names its folder.

numba's own cache key covers the file of the outer function, not those of the functions that it calls. Here the key is
the hash of every file with compiled functions, and of all files of the library that these import, recursively: whole
files, so a change of a comment compiles everything again.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

# Patterns that begin with a text are found several times as fast as one that begins with a choice. What they find in
# docstrings as well makes the set of files larger, never smaller.
FROM = re.compile(rb"from (polhode[\w.]*) import (\([^)]*\)|[^#\n(]+)")
IMPORT = re.compile(rb"import (polhode[\w.]*)")


def compiled_sources(package: Path) -> dict[str, bytes]:
    """Contents of the files below `package` that import the decorators, and of those that they import, recursively.

    Keys are the paths of the files relative to `package`, with slashes, in alphabetical order.
    """
    contents = dict(_sources_below(str(package), ""))
    files = {_module(path): path for path in contents}
    waiting = [name for name, path in files.items() if b"polhode.jit.kernel import" in contents[path]]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _imported(contents[files[name]]) if other in files]
    return {path: contents[path] for path in sorted(files[name] for name in found)}


def _sources_below(folder: str, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Paths and contents of all sources in a folder, paths with `prefix` before them; twice as fast as pathlib."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield prefix + entry.name, Path(entry.path).read_bytes()
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources_below(entry.path, f"{prefix}{entry.name}/")


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


def version_of_sources(package: Path) -> str:
    """Sixteen hexadecimal digits that depend on these sources and on the program's version, as structs do."""
    digest = hashlib.sha256(own_version().encode())
    for path, content in compiled_sources(package).items():
        digest.update(path.encode() + b"\0" + content)
    return digest.hexdigest()[:16]


def version_of_code(sources: str) -> str:
    """Digits that depend on those of the sources, on Python and on the compiler."""
    programs = f"{sys.version} {_version('numba')} {_version('llvmlite')} {sources}"
    return hashlib.sha256(programs.encode()).hexdigest()[:16]


def own_version() -> str:
    """Version of the installed program; "" where it runs from sources that are not installed."""
    return _version("polhode")


def _version(name: str) -> str:
    """Version of an installed library; "" if it is not installed.

    `importlib.metadata.version` would import the parser of e-mail.
    """
    try:
        text = distribution(name).read_text("METADATA") or ""
    except PackageNotFoundError:
        return ""
    found = re.search(r"^Version: *(.+?) *$", text, re.MULTILINE)
    return found[1] if found is not None else ""
