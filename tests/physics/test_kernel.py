"""The cache of machine code: what it must not outlive."""

from __future__ import annotations

from pathlib import Path

from core.jit.sources import compiled_sources

FILES = {
    "jit/kernel.py": "import numba\n",
    "law.py": "from core.jit.kernel import kernel\nfrom core.constants import MU_0\nfrom core import vec\n",
    "constants.py": "from core.deeper.numbers import (\n    PI,\n)\nMU_0 = PI\n",
    "deeper/__init__.py": "",
    "deeper/numbers.py": "PI = 3\n",
    "vec.py": "",
    "scene.py": "from core.law import law  # uses a kernel, is in none\n",
}


def test_the_cache_depends_on_kernels_and_on_all_that_they_import(tmp_path: Path) -> None:
    core = tmp_path / "core"
    for name, text in FILES.items():
        (core / name).parent.mkdir(parents=True, exist_ok=True)
        (core / name).write_text(text)
    found = {file.relative_to(core).as_posix() for file in compiled_sources(core)}
    assert found == FILES.keys() - {"scene.py", "deeper/__init__.py"}
