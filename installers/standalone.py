"""For Windows and macOS: put the program into a Python that works wherever it lies, as those of `uv python install`.

    python -m installers.standalone PYTHON

The libraries are the locked ones, from the registry that pip uses. What Linux does with its own tools, the choice of
shared objects, is left out. Not run yet on either system: see .github/workflows/installers.yml.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from installers.byte_code import import_and_compile
from installers.libraries import build_wheel
from installers.machine_code import add_machine_code

ROOT = Path(__file__).parents[1]


def fill(python: Path) -> Path:
    """Install the program with its libraries for `python`, with machine code; returns its site-packages folder."""
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--break-system-packages"]
    subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements.lock"], check=True)
    with TemporaryDirectory() as folder:
        subprocess.run([*pip, "--no-deps", build_wheel(ROOT, Path(folder))], check=True)
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    told = subprocess.run([python, "-I", "-c", program], check=True, capture_output=True, text=True)
    site = Path(told.stdout.strip())
    for tests in [path for path in site.rglob("tests") if path.is_dir()]:
        shutil.rmtree(tests)
    add_machine_code(python, site, ROOT / "build/bundle/machine_code")
    import_and_compile(python)
    return site


if __name__ == "__main__":
    print(fill(Path(sys.argv[1]).absolute()))
