"""Pages that hold engines and nothing else, and runs of scenes in them by the threads of real pages.

    python tests/engine_page.py STEPS SCENE ...
    python tests/engine_page.py STEPS --all
    python tests/engine_page.py --module FILE SCENE ...     writes the module of these scenes

To be run with the environment GENERIC. Writes one line of JSON for each scene: its name, whether it qualifies, and the
number of components that differ after STEPS steps from those of the native run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from browser import Browser, browser
from web_runs import SCENES, small_module

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.exporters.image.qualification import problems_of
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.basins_data import UNITS, MapOfStarts, basins_data
from polhode_app.export.web.live.engine_data import BY_PAGE, engine_data, worker_script
from polhode_app.export.web.page import _hash, _json, page_file

PULL = "polhode.physics.grab.part:pull"
"""The law of a drag in a page."""
SCRIPT = """
const content = JSON.parse(document.getElementById("data").textContent);
window.polhode = { said: [] };
/** A thread with the engine of the scene. */
polhode.start = async () => {
  const arrays = new Arrays(content.arrays, await unpacked(document.getElementById("blob").textContent));
  const remote = new RemoteEngine(content.worker, (message) => polhode.said.push(message));
  const parts = await engineParts(content.engine, arrays);
  await remote.start(parts);
  polhode.remote = remote;
  if (content.map) polhode.map = new Basins(content.map, arrays, parts.module, content.worker);
};
/** Words of the state after some steps, as text. */
polhode.stateAfter = async (count) => {
  polhode.remote.step(count);
  const { values } = await polhode.remote.frame([[content.engine.places.state, content.engine.size]]);
  return [...new BigInt64Array(values[0].buffer)].map(String).join(" ");
};
/** The shortest of some batches of about 60 ms [s per step]. */
polhode.cost = async (batches) => {
  let shortest = Infinity;
  let count = 1;
  for (let k = 0; k < batches; k++) {
    polhode.remote.step(count);
    const { cost } = await polhode.remote.frame([]);
    shortest = Math.min(shortest, cost / 1000);
    count = Math.max(1, Math.round(0.06 / shortest));
  }
  return shortest;
};
"""


def engine_page(table: dict[str, object], blob: Blob, map_table: dict[str, object] | None = None) -> str:
    """An HTML page with an engine, and functions to drive it in `polhode`; its policy is that of live pages."""
    script = "\n".join(['"use strict";', *map(page_file, ("data.js", "remote.js", "live/basins.js")), SCRIPT])
    data = {"engine": table, "map": map_table, "worker": worker_script(), "arrays": blob.arrays}
    policy = f"default-src 'none'; script-src {_hash(script)} 'wasm-unsafe-eval'; worker-src blob:"
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<script type="application/json" id="data">{_json(data)}</script>'
        f'<script type="application/octet-stream" id="blob">{blob.text()}</script><script>{script}</script>'
    )


@contextmanager
def started(
    tab: Browser, simulation: Simulation, module: WebModule, made: MapOfStarts | None = None, **options: object
) -> Iterator[dict[str, object]]:
    """Context manager of a page in which an engine continues a simulation, with a map of its scene; its table."""
    with TemporaryDirectory() as folder:
        blob = Blob()
        table = engine_data(simulation, blob, module, further=UNITS if made is not None else (), **options)
        path = Path(folder) / "page.html"
        path.write_text(
            engine_page(table, blob, basins_data(made, blob, module) if made is not None else None), "utf-8"
        )
        tab.open(path)
        tab.run("polhode.start()")
        yield table


def words_after(tab: Browser, steps: int) -> np.ndarray:
    """(k,) int64 bits of the state after some steps."""
    return np.array(tab.run(f"polhode.stateAfter({steps})").split(), np.int64)


def compare(tab: Browser, simulation: Simulation, module: WebModule, steps: int) -> dict[str, object]:
    """Run a simulation both ways."""
    if problems := problems_of(simulation):
        return {"qualifies": False, "problems": [str(problem) for problem in problems]}
    with started(tab, simulation, module):
        found = words_after(tab, steps)
        errors = tab.errors() + tab.run("polhode.said.map(JSON.stringify)")
    simulation.advance_steps(steps)
    differing = int(np.count_nonzero(simulation.state.view(np.int64) != found))
    return {"qualifies": True, "differing": differing, "size": len(found), "errors": errors}


def main(words: list[str]) -> None:
    """Compare the scenes, or write their module."""
    if words[0] == "--module":
        Path(words[1]).write_bytes(small_module(words[2:], (*BY_PAGE, *UNITS, PULL)).as_file())
        return
    steps, names = int(words[0]), words[1:]
    if names == ["--all"]:
        names = sorted(path.stem for path in SCENES.glob("*.toml"))
    module = kept_module() or small_module(names, BY_PAGE)
    with browser() as tab:
        for name in names:
            found = compare(tab, Simulation(read_scene(SCENES / f"{name}.toml")), module, steps)
            print(json.dumps({"scene": name, **found}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
