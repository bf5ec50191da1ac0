"""Counts lines of Python in core and app by folder: `python tests/count_lines.py [DEPTH]`; DEPTH 2 is the usual one."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lines_by_folder(depth: int) -> Counter[str]:
    """Lines of all modules of both packages, by their folders up to a depth below the package."""
    counts: Counter[str] = Counter()
    for package in ("core/polhode", "app/polhode_app"):
        for path in (ROOT / package).rglob("*.py"):
            folder = path.parent.relative_to(ROOT).parts[: depth + 1]
            counts["/".join(folder)] += len(path.read_text(encoding="utf-8").splitlines())
    return counts


if __name__ == "__main__":
    counted = lines_by_folder(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    for folder, lines in sorted(counted.items()):
        print(f"{lines:7}  {folder}")
    print(f"{counted.total():7}  in all")
