"""Builds what a wheel brings beside the sources: `python -m polhode.compilation.prebuilt`, of `make wheel`.

The web module and the library of FMUs do not depend on Python and the compiler of who installs the wheel, unlike
machine code. They are built, unless that has been done, and written into the package, in the folder of PREBUILT
(core/polhode/jit/storage/kept.py); those of other versions are deleted.
"""

from __future__ import annotations

import shutil
import sys
import zlib

from polhode.compilation.fmi_library.library import FILE as LIBRARY
from polhode.compilation.web_module.module import FILE as MODULE
from polhode.jit.storage.code_folder import with_digest
from polhode.jit.storage.kept import PREBUILT
from polhode.scene.problem import InputError


def main() -> int:
    """Build and write the files; returns the exit status."""
    try:
        contents = {file.name: file.build(lambda part: None, lambda: None) for file in (MODULE, LIBRARY)}
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    shutil.rmtree(PREBUILT.path.parent, ignore_errors=True)
    PREBUILT.path.mkdir(parents=True)
    for name, content in contents.items():
        (PREBUILT.path / name).write_bytes(with_digest(zlib.compress(content, 9)))
        sys.stdout.write(f"{name}: {len(content)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
