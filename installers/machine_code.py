"""Machine code for a generic processor, so that a bundle's first start moves before anything is compiled, and the same
functions as a module of WebAssembly and as the library of FMUs."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

from polhode.jit.storage.code_folder import with_digest, without_digest
from polhode.jit.storage.shipped_code import GENERIC


def add_machine_code(python: Path, site: Path, kept: Path) -> None:
    """Compile every unit, and link the web module and the library of FMUs, by the bundle's Python, or take what `kept`
    has of an earlier build, into the package.

    The linker is that of the Python that runs this.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
    environment |= GENERIC | {"POLHODE_CACHE": str(kept), "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    words = [python, "-P", "-m", "polhode.compilation.compile_units", "--all"]
    done = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
    print(f"machine code of {len(done.stdout.split())} units", flush=True)
    for name in ("web_module", "fmi_library"):
        words = [python, "-P", "-m", f"polhode.compilation.{name}.build", "--linker", sys.executable]
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=environment)
        print(f"{name}:", done.stdout.rpartition("\r")[2].strip(), flush=True)
    program = "from polhode.jit.storage.kept import FILES, SHIPPED; print(FILES.path, SHIPPED.path, sep='\\n')"
    told = subprocess.run([python, "-P", "-c", program], check=True, capture_output=True, text=True, env=environment)
    made, shipped = map(Path, told.stdout.splitlines())
    assert shipped.is_relative_to(site)
    shipped.mkdir(parents=True)
    for file in made.iterdir():
        if (content := without_digest(file.read_bytes())) is not None:  # the lock has none
            (shipped / file.name).write_bytes(with_digest(zlib.compress(content, 9)))
