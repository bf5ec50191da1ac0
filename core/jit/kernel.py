"""The one decorator of compiled functions, and where their machine code is kept between starts.

numba's own cache key is the file of the outer function: edit a function that it calls and the old machine code runs
on, silently with the old physics. So the cache lives in a folder named by a hash of every file that has compiled
functions, and of all that these import from core: what a kernel takes as a constant may stand there.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import numba
from platformdirs import user_cache_path

KEPT_FOLDERS = 8  # a few versions side by side do not compile again at every switch


IMPORTS = re.compile(r"^\s*(?:from|import) (core[\w.]*)(?: import ([^#\n(]*|\([^)]*\)))?", re.MULTILINE)


def compiled_sources(core: Path) -> list[Path]:
    """The files that machine code is made from: those that import this one, and what they import, and so on."""
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


def cache_folder() -> Path:
    """Folder of this version's machine code; older ones beyond the newest few are deleted."""
    core = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for source in compiled_sources(core):
        digest.update(source.relative_to(core).as_posix().encode() + b"\0" + source.read_bytes())
    root = user_cache_path("polhode") / "kernels"
    folder = root / digest.hexdigest()[:16]
    if not folder.exists() and root.exists():
        oldest_last = sorted(root.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in oldest_last[KEPT_FOLDERS - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]  # numba makes its settings at run time

# nogil: the window goes on drawing. numpy errors: a division by zero gives inf, which the finite check finds.
# contract only: any other fast-math flag lets the compiler remove that check. No NRT, numba's memory: kernels make no
# array, and counting who holds those that they get costs up to fifty times the laws, as soon as the step is too long
# for numba to see that the counts cancel.
WITHOUT_NRT: dict[str, Any] = {"_nrt": False}
kernel = numba.njit(**WITHOUT_NRT, cache=True, nogil=True, error_model="numpy", fastmath={"contract"})

# A function that returns a view of an array that it is given: without NRT only its text can be set in.
view = numba.njit(**WITHOUT_NRT, inline="always")

# The same for one that little calls but that calls much: every further level of calls above the sum of the laws costs
# a compiler's look at all of them.
inlined = view
