"""PYTHONPATH of processes that tests start: the two packages of this copy of the sources, and the tests."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMPORT_PATH = os.pathsep.join(str(ROOT / folder) for folder in ("core", "app", "."))
