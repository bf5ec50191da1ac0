"""The argument that names a scene, its help text and its completion in shells; and options with several values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from polhode.scene import gallery
from polhode_app.cli.options.outputs import INPUT

if TYPE_CHECKING:
    from cyclopts import App
    from cyclopts.completion import CompletionContext

SCENE = (
    "Scene file (.toml, PEM's .udf), robot (MuJoCo's .xml, .urdf, a .zip with one), mesh (.stl .obj .ply .off .glb "
    ".gltf .3mf .dae), the name of a built-in scene, or - for a scene file on standard input."
)
MOST = 200  # files that are listed
# cyclopts makes a file for zsh's folder of functions; sourced, it would define a function that no command uses.
END_OF_ZSH = """
if [[ $zsh_eval_context[-1] == (loadautofunc|shfunc) ]]; then
  _cyclopts_polhode "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _cyclopts_polhode polhode
fi
"""


def scenes_and_files(context: CompletionContext) -> list[str]:
    """Built-in scenes and files that begin with the word that is completed."""
    word = context.incomplete
    head, slash, tail = word.rpartition("/")
    names = [name for name in gallery.scene_names() if name.startswith(word)]
    try:
        entries = sorted(Path(head + slash or ".").iterdir())
    except OSError:
        entries = []
    shown = [entry for entry in entries if entry.name.startswith(tail) and (tail or not entry.name.startswith("."))]
    return names + [head + slash + entry.name + ("/" if entry.is_dir() else "") for entry in shown[:MOST]]


REPEATED = ("--plot", "--show", "--hide", "--arrows", "--maxima", "--set")
"""Options of `run` and `render` that may be given several times."""


def with_options_repeated(arguments: Sequence[str]) -> list[str]:
    """A command line in which each further value of these options has the option before it: --plot a --plot b.

    Only behind the scene of a command that takes no other argument: elsewhere a value might be the scene.
    """
    if len(arguments) < 2 or arguments[0] not in ("run", "render") or arguments[1].startswith("-"):
        return [*arguments]
    made, option, values = [*arguments[:2]], "", 0
    for each in arguments[2:]:
        if each.startswith("--"):
            option, values = each, 0
        elif option in REPEATED:
            values += 1
            made += [option] if values > 1 else []
        made.append(each)
    return made


def completion_script(app: App, shell: Literal["bash", "zsh", "fish"]) -> str:
    """The script that completes the commands of `app` in a shell, to be sourced."""
    script = app.generate_completion(shell=shell)
    return script + END_OF_ZSH if shell == "zsh" else script


SceneName = Annotated[str, Parameter(help=SCENE, completer=scenes_and_files), INPUT]
"""The argument that names a scene."""
