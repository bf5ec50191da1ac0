"""Nothing computes beside the window but by a Job, a ChildProcess, and what is named here with its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKERS = (
    *("threading.Thread", "threading.Timer", "_thread.", "asyncio.", "concurrent.futures.", "multiprocessing."),
    *("subprocess.", "os.fork", "os.posix_spawn", "os.spawn", "os.exec", "os.popen", "os.system", "os.startfile"),
    *(f"PySide6.QtCore.{name}" for name in ("QProcess", "QThread", "QThreadPool", "QRunnable")),
    "PySide6.QtConcurrent",
)
"""Names, and beginnings of names, of what starts a thread or a process."""
WORDS = tuple({name.rstrip(".").rpartition(".")[2] for name in MAKERS})
"""Words of which a source has one, if it uses one of these names."""
EXCEPTIONS = {
    "app/polhode_app/jobs.py": (1, "the thread of a Job"),
    "core/polhode/process/child_process.py": (2, "the process, and the threads of its pipes"),
    "app/polhode_app/runner/thread.py": (1, "the physics, as long as the window"),
    "app/polhode_app/sensor/sources.py": (1, "reads a sensor, sample by sample"),
    "app/polhode_app/export/screen_recorder.py": (1, "encodes frames of the view as they come"),
    "app/polhode_app/export/video_file.py": (1, "ffmpeg, another program, gets raw frames by a pipe"),
    "app/polhode_app/cli/terminal/interrupts.py": (2, "Ctrl-C ends a command also in the middle of a compiled call"),
    "core/polhode/compilation/web_module/linking.py": (1, "the linker, another program"),
    "core/polhode/recording/writer.py": (2, "writes the rows of a run as they come"),
    "core/polhode/mesh/distance/nodes.py": (1, "slabs of one field on all cores"),
    "core/polhode/simulation/batches/helper_thread.py": (1, "shares the work of a step, for one batch"),
    "core/polhode/fitting/runs.py": (2, "runs of one fit on all cores"),
    "core/polhode/sweep/engines/threads.py": (1, "cells of one sweep on all cores"),
    "core/polhode/sweep/engines/scheduler_answer.py": (2, "asks a network address, which may never answer"),
}


def made_in(source: str) -> list[str]:
    """Names of the calls and base classes in a source by which a thread or a process is made."""
    if not any(word in source for word in WORDS):
        return []
    tree, known = ast.parse(source), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {each.asname: each.name for each in node.names if each.asname}
        elif isinstance(node, ast.ImportFrom):
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}

    def full_name(node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            return f"{full_name(node.value)}.{node.attr}"
        return known.get(node.id, node.id) if isinstance(node, ast.Name) else ""

    used = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    used += [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    return [name for name in map(full_name, used) if name.startswith(MAKERS)]


@pytest.mark.parametrize(
    "source",
    [
        "import threading\nthreading.Thread(target=print).start()",
        "from threading import Thread as T\ndef work():\n    T(target=print)",
        "from threading import Timer\nTimer(1, print)",
        "from concurrent import futures\nfutures.ThreadPoolExecutor(1)",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool: ...",
        "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor()",
        "import subprocess as s\ns.run(['true'])",
        "from subprocess import Popen\nPopen(['true'])",
        "import os\nos.fork()",
        "from PySide6.QtCore import QProcess\nQProcess(None)",
        "from PySide6.QtCore import QThread\nclass Mine(QThread): ...",
    ],
)
def test_every_way_is_found(source: str) -> None:
    assert len(made_in(source)) == 1


def test_what_computes_beside_the_window_is_a_job_a_child_process_or_named_here() -> None:
    found = {
        str(path.relative_to(ROOT)): made
        for folder in ("core", "app")
        for path in (ROOT / folder).rglob("*.py")
        if (made := made_in(path.read_text()))
    }
    assert {name: len(made) for name, made in found.items()} == {name: n for name, (n, _) in EXCEPTIONS.items()}, found
