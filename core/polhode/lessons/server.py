"""A process that runs lessons: `python -m polhode.lessons.server`, whose target is a generic processor.

So the runs have the same bits on every computer. Orders come on stdin and answers go to stdout, both as messages
(core/polhode/process/messages.py), one order after the other; process.py sends and reads them.

    order   {"order": "prepare", "folder": folder}, [scene]       compiles what a run needs
            {"order": "run", "folder": folder, "until": s, "columns": [name, ...]}, [scene]
            {"order": "repeat", "source": name, "seconds": s}, [hand-in]       repeats all runs of a hand-in
    answer  {"event": "compiling", "done": n, "total": n}
            {"event": "prepared"}
            {"event": "running", "time": s}
            {"event": "finished", ...}, [arrays]       of `run`: LessonRun
            {"event": "repeated", ...}, [arrays]       of `repeat`: Repetition
            {"event": "refused", "source": text, "problems": [[place, rule, remedy], ...]}

The process ends with its stdin.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any

from polhode.engine.compiled_scene import CompiledScene
from polhode.lessons.hand_in import hand_in_of
from polhode.lessons.lesson_run import check_repeatable, run_lesson
from polhode.lessons.passing import repetition_message, run_message, serialized
from polhode.lessons.repeat import Repeater
from polhode.mesh.mesh import Meshes
from polhode.process.limits import ignore_interrupts
from polhode.process.messages import receive, send
from polhode.run.units import Unit, missing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text
from polhode.simulation.driven_parameters import build_at
from polhode.simulation.units import units_to_build, units_to_run

log = logging.getLogger(__name__)
SAID_EVERY = 0.1  # [s] between two reports of progress


def say(event: str, blobs: list[bytes] | None = None, **more: object) -> None:
    """Send an answer."""
    send(sys.stdout.buffer, {"event": event, **more}, blobs or [])


def compile_units(scene: Scene, meshes: Meshes) -> CompiledScene:
    """The compiled scene, with all units that its run needs; reports what is compiled. Raises InputError."""
    _compile(units_to_build(scene))
    compiled = build_at(scene, scene.sensor.centre, meshes)
    _compile(units_to_run(compiled))
    return compiled


def _compile(units: Iterable[Unit]) -> None:
    """Compile those of the units that are missing."""
    needed = missing(units)
    for number, unit in enumerate(needed):
        say("compiling", done=number, total=len(needed))
        unit.compile()


def report(time: float, said: list[float]) -> None:
    """Report the simulated time [s], unless that was done less than SAID_EVERY ago; `said` is changed."""
    if monotonic() - said[0] > SAID_EVERY:
        said[0] = monotonic()
        say("running", time=time)


def _prepare(head: dict[str, Any], blobs: list[bytes], meshes: Meshes) -> None:
    scene = scene_of_text(blobs[0], "scene", Path(head["folder"]))
    check_repeatable(scene)
    compile_units(scene, meshes)
    say("prepared")


def _run(head: dict[str, Any], blobs: list[bytes], meshes: Meshes) -> None:
    scene, said = scene_of_text(blobs[0], "scene", Path(head["folder"])), [0.0]
    check_repeatable(scene)
    compile_units(scene, meshes)
    found = run_lesson(scene, head["until"], head["columns"], None, meshes, lambda time: report(time, said))
    about, arrays = run_message(found)
    say("finished", arrays, **about)


def _repeat(head: dict[str, Any], blobs: list[bytes], repeater: Repeater) -> None:
    hand_in, said = hand_in_of(blobs[0], head["source"]), [0.0]
    about, arrays = repetition_message(repeater.repeat(hand_in, head["seconds"], lambda time: report(time, said)))
    say("repeated", arrays, **about)


def refuse(head: dict[str, Any], rule: Message, remedy: Message) -> None:
    """Answer an order that has failed."""
    problems = serialized([Problem("runs", rule, remedy)])
    say("refused", source=str(head.get("source", "lesson")), problems=problems)


def main() -> None:
    """Take orders until stdin ends, as it does with the program that has started this one."""
    ignore_interrupts()
    meshes, repeater = Meshes(), Repeater(compile_units)
    while (order := receive(sys.stdin.buffer)) is not None:
        head, blobs = order
        try:
            match head["order"]:
                case "prepare":
                    _prepare(head, blobs, meshes)
                case "run":
                    _run(head, blobs, meshes)
                case "repeat":
                    _repeat(head, blobs, repeater)
        except InputError as error:
            say("refused", source=str(error.source), problems=serialized(error.problems))
        except BrokenPipeError:
            return
        except OSError as error:
            rule = Message("can't be computed: {reason}", reason=reason_of(error))
            refuse(head, rule, Message("free some space on the disk, and try again"))
        except Exception as error:  # the boundary of the process: other orders do not end with this one
            rule = Message("can't be computed: the program fails with {fault}", fault=type(error).__name__)
            log.exception(rule)
            refuse(head, rule, Message("report this fault with the file"))


if __name__ == "__main__":
    main()
