"""After any fault a file is the old or the new one whole, and one message says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import polhode
from faults import (
    FAULTS,
    NEEDS_STRACE,
    Injector,
    Kind,
    beginning,
    film,
    picture,
    pictures,
    recording,
    same,
    whole_rows,
)
from sampling import sampled

AUTOSAVE = """
from pathlib import Path
from polhode_app.session.autosave import Autosave
from polhode.scene.scene_file import scene_of
autosave = Autosave(Path(FOLDER))
for title in "ab":
    autosave.keep(scene_of({"title": title}, ""), False, None)
    autosave.wait()
"""
SETTINGS = """
from pathlib import Path
from PySide6.QtCore import QSettings
from polhode_app.session.settings import Settings
settings = Settings(QSettings(FOLDER + "/settings.ini", QSettings.Format.IniFormat))
settings.opened(Path("/tmp"))
"""
CODE = """
import sys
from pathlib import Path
from polhode.jit.storage.code_folder import CodeFolder
files = CodeFolder(Path(FOLDER) / "kernels" / "0123456789abcdef")
files.write("one", bytes(5000))
assert files.read("one") in (None, bytes(5000))
if files.trouble:
    print(files.trouble.kind, files.trouble.why, file=sys.stderr)
"""
SENSOR_LOG = """
import sys
from pathlib import Path
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.sources import Sample
from polhode.scene.problem import reason_of
hub = SensorHub()
try:
    hub.start_log(Path(FOLDER) / "log.csv")
except OSError as error:
    print(reason_of(error), file=sys.stderr)
    sys.exit(2)
for k in range(4):
    hub._on_sample(None, Sample(k / 50, 300.0, k / 50))
hub.stop_log()
if hub.log_error:
    print(hub.log_error, file=sys.stderr)
    sys.exit(3)
"""
PLOT = """
import sys
from pathlib import Path
from polhode_app.data.plots.plot_store import PlotStore
try:
    PlotStore().table({}).save(Path(FOLDER) / "plot.csv")
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""


def settings(content: bytes, path: Path, expected: bytes) -> bool:
    return content.startswith(b"[General]") and content.endswith(b"\n")


def autosaved(content: bytes, path: Path, expected: bytes) -> bool:
    return content in (b'format = 1\ntitle = "a"\n', b'format = 1\ntitle = "b"\n')


RENDER = "render heavy_top --until 0.1 --size 32x32 --out {out}"
RUN = "run heavy_top --until 0.05 --out {out}"
KINDS = {
    "scene": Kind("convert {inputs}/top.udf {out}", "top.toml", same),
    "PEM file": Kind("convert double_mesh {out}", "top.udf", same),
    "table": Kind(RUN, "run.csv", beginning),
    "recording": Kind(RUN, "run.vtkhdf", recording),
    "exported table": Kind("convert {inputs}/run.vtkhdf {out}", "run.csv", beginning),
    "exported Parquet": Kind("convert {inputs}/run.vtkhdf {out}", "run.parquet", same),
    "scene of a recording": Kind("convert {inputs}/run.vtkhdf {out}", "top.toml", same),
    "picture": Kind(RENDER, "top.png", picture),
    "pictures": Kind(
        RENDER.replace("{out}", "{folder}/top-%d.png"),
        "top-0.png",
        pictures,
        names=("top-1.png", "top-2.png", "top-3.png"),
    ),
    "film": Kind(RENDER, "top.gif", film, in_main=True),
    "film in its encoder": Kind(RENDER, "top.mp4", film, in_encoder=True),
    "autosave": Kind("", "0.toml", autosaved, AUTOSAVE, old=None, says=False, names=("0.lock",)),
    "settings": Kind("", "settings.ini", settings, SETTINGS, old=b"[General]\nlanguage=en\n", says=False, names=None),
    "machine code": Kind("", "kernels/0123456789abcdef/one", same, CODE, old=None, says=False, names=None),
    "sensor log": Kind("", "log.csv", whole_rows, SENSOR_LOG),
    "plotted data": Kind("", "plot.csv", same, PLOT),
}
SAMPLE = {  # of each kind the calls, by their places in its list, and the faults
    "scene": ((-2, "ENOSPC"), (-1, "KILL")),
    "table": ((-2, "ENOSPC"), (-3, "KILL")),
    "recording": ((14, "ENOSPC"), (20, "KILL")),  # later calls differ by time
    "picture": ((-3, "EIO"),),
    "film in its encoder": ((-2, "ENOSPC"),),
    "autosave": ((-5, "ENOSPC"),),
    "settings": ((-2, "ENOSPC"),),
    "machine code": ((-3, "ENOSPC"),),
    "sensor log": ((-2, "ENOSPC"),),
}

pytestmark = NEEDS_STRACE


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that commands convert."""
    folder = tmp_path_factory.mktemp("inputs")
    for words in ("convert double_mesh top.udf", "run heavy_top --until 0.05 --out run.vtkhdf"):
        done = polhode(*words.split(), folder=folder)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", sampled(SAMPLE, 6))
def test_a_fault_leaves_the_old_or_the_new_file(name: str, inputs: Path, tmp_path: Path) -> None:
    injector = Injector(KINDS[name], inputs, tmp_path)
    calls = injector.calls()
    for place, fault in SAMPLE[name]:
        assert not injector.fault_of(calls[place], fault), (calls[place], fault)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", KINDS)
def test_every_fault_of_every_call_leaves_the_old_or_the_new_file(
    name: str, fault: str, inputs: Path, tmp_path: Path
) -> None:
    injector = Injector(KINDS[name], inputs, tmp_path)
    calls = injector.calls()
    found = {call: injector.fault_of(call, fault) for call in calls}
    wrong = {call: what for call, what in found.items() if what not in ("", "missed")}
    assert not wrong, "\n".join(f"{call}: {what}" for call, what in wrong.items())
    missed = [call for call, what in found.items() if what == "missed"]
    assert len(missed) <= len(calls) / 4, missed
