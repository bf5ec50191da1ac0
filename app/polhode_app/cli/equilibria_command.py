"""`polhode equilibria`: where a scene may rest, and small motions about that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import Message, plural
from polhode.scene.scene import Scene
from polhode_app.cli.options.arguments import check_numbers, check_range, naming
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.terminal.console import ProgressListener, progress, say
from polhode_app.cli.terminal.exit_status import DONE
from polhode_app.cli.terminal.interrupts import INTERRUPTED
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.i18n.translation import translate

if TYPE_CHECKING:
    from polhode.equilibria.equilibria import Equilibria, Equilibrium

MOST_STARTS = 100_000
LISTED = 12  # eigenvalues and frequencies of one equilibrium in a table; JSON has all
LARGEST_SEED = 2**63 - 1


def equilibria(
    scene: SceneName,
    /,
    *,
    starts: Annotated[int, Parameter(help="Number of states from which equilibria are searched.")] = 128,
    seed: Annotated[int, Parameter(help="Seed of these states.")] = 0,
    limit: Annotated[float, Parameter(help="Time after which no further start is tried [s].")] = 600.0,
    settings: SceneSettings = AS_STATED,
    shown: ProgressOptions = DEFAULT,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
) -> int:
    """List the equilibria of a scene: stability, energy, position, eigenvalues and frequencies of each."""
    _check(starts, seed, limit)
    described = described_by(scene, settings)
    try:
        with naming(scene), progress(scene, 1.0, shown) as listener:
            found = _search(described, starts, seed, limit, listener)
    except KeyboardInterrupt:
        say(Message("Stopped."))
        return INTERRUPTED
    for note in found.notes:
        say(Message("{file}: note: {note}", file=scene, note=note))
    print(as_json_text(found) if as_json else as_text(found, scene))
    return DONE


def _check(starts: int, seed: int, limit: float) -> None:
    """Refuse numbers that no search can have. Raises InputError."""
    check_range("--starts", starts, 1, MOST_STARTS)
    check_range("--seed", seed, 0, LARGEST_SEED)
    check_numbers(("--limit", limit, False))


def _search(scene: Scene, starts: int, seed: int, limit: float, listener: ProgressListener) -> Equilibria:
    """Compile the scene and search. Raises InputError, and KeyboardInterrupt after Ctrl-C."""
    from polhode.equilibria.equilibria import find_equilibria
    from polhode.equilibria.suitable import prepared
    from polhode.mesh.mesh import Meshes
    from polhode_app.compilation.preparation import compile_scene

    meshes, done = Meshes(), 0.0
    compile_scene(prepared(scene), meshes, listener.compiling)

    def progressed(part: float) -> None:
        nonlocal done
        done = part
        listener(done)

    return find_equilibria(scene, starts, seed, meshes, limit, progressed, lambda: listener(done))


def as_text(found: Equilibria, source: str) -> str:
    """A table of the equilibria, with a summary of the search."""
    count = len(found.equilibria)
    head = plural(
        "{source}: {count} equilibrium; {converged} of {starts} starts converged",
        "{source}: {count} equilibria; {converged} of {starts} starts converged",
        count=count,
        source=source,
        converged=found.converged,
        starts=found.starts,
    )
    lines = [translate(head)]
    if found.starts < found.wanted:
        over = Message(
            "the time limit was reached after {starts} of {wanted} starts", starts=found.starts, wanted=found.wanted
        )
        lines.append(translate(over))
    for number, each in enumerate(found.equilibria, 1):
        lines += _rows(found, number, each)
    return "\n".join(lines)


def _rows(found: Equilibria, number: int, each: Equilibrium) -> list[str]:
    """The lines of one equilibrium."""
    from polhode.equilibria.placements import placements

    rows = [f"{number:3}  {translate(words_of(each))}  {each.energy:.9g} J"]
    for part in placements(found.compiled, each.state):
        values = ", ".join(f"{value:.6g}" for value in part.values)
        of_values = f" {part.unit}" if part.unit else ""
        rows.append(f"       {part.name}.{part.quantity} = {values}{of_values}")
    frequencies = [f"{mode.frequency:.6g}" for mode in each.modes if mode.frequency > 0]
    rows.append(f"       lambda [1/s] = {_listed([_complex(value) for value in each.eigenvalues if value.imag >= 0])}")
    if frequencies:
        rows.append(f"       f [Hz] = {_listed(frequencies)}")
    return rows


def words_of(each: Equilibrium) -> Message:
    """Stability, and along how many directions it is unstable or neutral."""
    if each.stability == "unstable":
        count = each.motion.unstable_directions
        return plural("unstable in {count} direction", "unstable in {count} directions", count=count)
    if each.stability == "neutral":
        names = ", ".join(each.neutral_items)
        return plural(
            "stable, but neutral in {count} direction of {names}",
            "stable, but neutral in {count} directions of {names}",
            count=each.neutral,
            names=names,
        )
    return Message("stable")


def _complex(value: complex) -> str:
    """An eigenvalue; one with an imaginary part represents the pair."""
    return f"{value.real:.6g} ± {value.imag:.6g}i" if value.imag else f"{value.real:.6g}"


def _listed(texts: list[str]) -> str:
    """The first LISTED texts, with the number of the others."""
    more = f", ... ({len(texts)})" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more


def as_json_text(found: Equilibria) -> str:
    """The equilibria as JSON with full precision, in SI units."""
    from polhode.equilibria.placements import placements

    listed = [
        {
            "stability": each.stability,
            "energy": each.energy,
            "unstable_directions": each.motion.unstable_directions,
            "neutral_directions": each.neutral,
            "neutral_items": list(each.neutral_items),
            "starts": each.starts,
            "place": {
                f"{part.name}.{part.quantity}": list(part.values) for part in placements(found.compiled, each.state)
            },
            "eigenvalues": [[value.real, value.imag] for value in each.eigenvalues.tolist()],
            "modes": [{"frequency": mode.frequency, "damping_ratio": mode.damping_ratio} for mode in each.modes],
        }
        for each in found.equilibria
    ]
    found_data = {
        "starts": found.starts,
        "starts_wanted": found.wanted,
        "converged": found.converged,
        "notes": [str(note) for note in found.notes],
        "equilibria": listed,
    }
    return json.dumps(found_data, indent=2)
