"""The thread that imports the modules of docks ends before Python does, which cannot import while it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys, threading, time
from polhode_app.window import preload
preload.DELAY = {delay}
preload.preload_modules()
time.sleep({after})
preload.end_preloading()
print([thread.name for thread in threading.enumerate() if thread.name == "ahead"], preload.MODULES[-1] in sys.modules)
"""


@pytest.mark.parametrize(
    ("delay", "after"),
    [pytest.param(0.0, 0.1, marks=pytest.mark.nightly, id="imports"), pytest.param(3600.0, 0.0, id="waits")],
)
def test_a_program_that_quits_meanwhile_leaves_the_rest_out(delay: float, after: float) -> None:
    code = CODE.format(delay=delay, after=after)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.stdout, ended.stderr) == ("[] False\n", "")
