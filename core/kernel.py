"""The one decorator of compiled functions, and where their machine code is kept between starts.

numba's own cache key is the file of the outer function: edit a function that it calls and the old machine code runs
on, silently with the old physics. So the cache lives in a folder named by a hash of all of core's sources.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numba
from platformdirs import user_cache_path

KEPT_FOLDERS = 4  # a few versions side by side do not compile again at every switch


def cache_folder() -> Path:
    """Folder of this version's machine code; older ones beyond the newest few are deleted."""
    core = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(core.rglob("*.py")):
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
# contract only: any other fast-math flag lets the compiler remove that check. forceinline: a call that is not inlined
# copies every array's header and counts its references, which costs ten times the law that it computes.
kernel = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
