"""Files that keep the progress of lessons: how many, and how large together."""

from __future__ import annotations

import os
from pathlib import Path

from polhode_app.data.lessons.kept_progress import KeptProgress


def written(kept: KeptProgress, folder: Path, count: int, size: int) -> list[str]:
    """Names of the files that are left after some were written, one after another."""
    for number in range(count):
        path = folder / f"{number:03}.json"
        kept.keep(path, {"text": "x" * size})
        kept.close()
        os.utime(path, (number, number))
    return sorted(each.name for each in folder.glob("*.json"))


def test_a_class_is_kept(tmp_path: Path) -> None:
    assert len(written(KeptProgress(tmp_path), tmp_path, 60, 10)) == 60


def test_the_oldest_files_go_where_all_are_too_large(tmp_path: Path) -> None:
    assert written(KeptProgress(tmp_path, most_bytes=3500), tmp_path, 6, 1000) == ["003.json", "004.json", "005.json"]


def test_the_newest_file_stays(tmp_path: Path) -> None:
    assert written(KeptProgress(tmp_path, most_bytes=10), tmp_path, 2, 1000) == ["001.json"]
