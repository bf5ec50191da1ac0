"""The start of the library: what a process does until the first snapshot, and what it leaves to later."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from polhode import read_scene
from polhode.jit.kernel_struct import KernelStruct
from polhode.scene.checks import changed_parts

START = """
import gc, json, sys
cycle = []
cycle.append(cycle)  # of the user, not to be kept alive
import polhode
scene = polhode.read_scene("heavy_top")
polhode.Simulation(scene).snapshot()
from polhode.scene.field_docs import _docs_in
print(json.dumps({
    "enabled": gc.isenabled(), "frozen": gc.get_freeze_count(), "parsed": _docs_in.cache_info().currsize,
    "found": sorted({"email.parser", "tomlkit"} & sys.modules.keys()),
}))
"""

FROZEN = """
import gc
gc.freeze()
before = gc.get_freeze_count()
import polhode
polhode.Scene
print(before, gc.get_freeze_count())
"""


def test_a_first_snapshot_parses_no_sources_and_freezes_no_object():
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"enabled": True, "frozen": 0, "parsed": 0, "found": []}


def test_objects_that_a_caller_has_frozen_stay_frozen():
    done = subprocess.run([sys.executable, "-c", FROZEN], capture_output=True, text=True, check=True)
    before, after = map(int, done.stdout.split())
    assert before > 0
    assert after >= 0.9 * before  # some are deleted by reference counts


def test_a_scene_of_a_file_is_validated_once(monkeypatch: pytest.MonkeyPatch):
    found: list[str] = []
    original = changed_parts._revalidated
    monkeypatch.setattr(changed_parts, "_revalidated", lambda *given: found.append(given[1]) or original(*given))
    scene = read_scene("heavy_top")
    assert changed_parts.validated(scene) is scene
    assert found == []
    changed = scene.model_copy(update={"title": "Another"}).in_folder(scene.folder)
    changed_parts.validated(changed)
    assert found == [""]  # a copy by pydantic has not been validated


class Pair(KernelStruct):
    rows: np.ndarray
    scale: float = 2.0


def test_a_struct_takes_each_member_once_and_does_not_change():
    rows = np.zeros(3)
    pair = Pair(rows)
    assert pair.rows is rows
    assert pair.scale == 2.0
    assert Pair(scale=3.0, rows=rows).scale == 3.0
    for values, named in (((), {}), ((rows, 1.0, 2.0), {}), ((rows,), {"rows": rows}), ((rows,), {"width": 1.0})):
        with pytest.raises(TypeError, match="Pair"):
            Pair(*values, **named)
    with pytest.raises(AttributeError):
        pair.scale = 1.0  # type: ignore[misc]
