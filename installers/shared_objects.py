"""Shared objects of Linux: which they need, and which Debian packages bring those that a bundle does not have."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

MAGIC = b"\x7fELF"
AT_ONCE = 100  # files of one call of a tool


def is_shared_object(path: Path) -> bool:
    """Whether a file is a program or a library of Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def needed(paths: Iterable[Path]) -> dict[Path, set[str]]:
    """Names of the libraries that each file needs, as its dynamic section has them."""
    waiting, found = list(paths), {}
    for first in range(0, len(waiting), AT_ONCE):
        part = waiting[first : first + AT_ONCE]
        # A second file makes readelf print the name of each.
        words = ["readelf", "--dynamic", "--wide", *part, *([part[0]] if len(part) == 1 else [])]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        for block in text.split("\nFile: ")[1:]:
            found[Path(block.split("\n", 1)[0])] = set(re.findall(r"\(NEEDED\).*\[(.+)\]", block))
    return found


def closure(roots: Iterable[Path], folders: list[Path]) -> set[Path]:
    """These files and those of the folders that they need, in turn."""
    known = {path.name: path for folder in folders for path in folder.iterdir() if ".so" in path.name}
    waiting, found = list(roots), set()
    while waiting:
        fresh = [path for path in waiting if path not in found]
        found.update(fresh)
        waiting = [known[name] for names in needed(fresh).values() for name in names if name in known]
    return found


def strip(paths: Iterable[Path]) -> None:
    """Remove the symbols that only a debugger or a linker reads."""
    for path in paths:
        subprocess.run(["strip", "--strip-unneeded", path], check=True)


def needed_from_outside(tree: Path, left_out: Iterable[str] = ()) -> set[str]:
    """Names of libraries that files of a folder need and the folder does not have; `left_out`: names of such files."""
    files = [path for path in tree.rglob("*") if is_shared_object(path) and path.name not in set(left_out)]
    names = {path.name for path in tree.rglob("*.so*")}
    return {name for wanted in needed(files).values() for name in wanted} - names


def packages_of(libraries: Iterable[str]) -> set[str]:
    """Debian packages of this system that bring these libraries. Raises LookupError for one that none brings."""
    cache = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    places = dict(reversed(re.findall(r"^\t(\S+) \(.*x86-64.*\) => (\S+)$", cache, re.MULTILINE)))
    found = set()
    for name in sorted(libraries):
        if name not in places:
            raise LookupError(f"{name} is not installed on this system")
        path = Path(places[name])
        for place in (path, path.resolve(), Path("/usr") / path.relative_to("/")):
            done = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True)
            if done.returncode == 0:
                found.add(done.stdout.split(":")[0])
                break
        else:
            raise LookupError(f"no package brings {path}")
    return found
