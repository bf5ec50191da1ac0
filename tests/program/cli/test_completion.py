"""Completion of commands, options, scenes and files, in real shells with the scripts of `polhode completion`."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from select import select

import pytest
from import_path import IMPORT_PATH


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Variables by which a shell finds the program, in an empty home with one scene."""
    program = tmp_path / "polhode"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m polhode_app "$@"\n')
    program.chmod(0o755)
    (tmp_path / "heavy.toml").write_text("")
    own = {"PYTHONPATH": IMPORT_PATH, "HOME": str(tmp_path), "TERM": "dumb"}
    return {**os.environ, **own, "PATH": f"{tmp_path}:{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_scenes_and_files(tmp_path: Path, environment: Mapping[str, str]) -> None:
    script = """
source <(polhode completion bash)
complete_words() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
    _polhode; echo "${COMPREPLY[@]}"
}
complete_words polhode equi
complete_words polhode run heavy
complete_words polhode check heavy_top --js
"""
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["equilibria", "heavy_top heavy.toml", "--json"], done.stderr


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish: `sh .ci/packages shells` installs it")
def test_fish_completes_commands_scenes_and_files(tmp_path: Path, environment: Mapping[str, str]) -> None:
    script = """
polhode completion fish | source
for line in "polhode equi" "polhode run heavy" "polhode check heavy_top --js"
    complete -C $line | string replace --regex "\t.*" "" | sort | string join " "
end
"""
    done = subprocess.run(["fish", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["equilibria", "heavy.toml heavy_top", "--json"], done.stderr


SOURCED = "autoload -Uz compinit && compinit -u -D; source <(polhode completion zsh)"
IN_FOLDER = "polhode completion zsh > _polhode; fpath=($PWD $fpath); autoload -Uz compinit && compinit -u -D"


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh: `sh .ci/packages shells` installs it")
@pytest.mark.parametrize("setup", [SOURCED, IN_FOLDER])
def test_zsh_completes_commands_scenes_and_files(setup: str, tmp_path: Path, environment: Mapping[str, str]) -> None:
    wanted = {
        "polhode equi": "polhode equilibria ",
        "polhode run heavy_t": "polhode run heavy_top ",
        "polhode run heavy.": "polhode run heavy.toml ",
        "polhode check heavy_top --js": "polhode check heavy_top --json ",
    }
    zsh = Zsh(tmp_path, environment, setup)
    try:
        assert {line: zsh.completed(line) for line in wanted} == wanted
    finally:
        zsh.end()


class Zsh:
    """An interactive zsh on a terminal."""

    def __init__(self, folder: Path, environment: Mapping[str, str], setup: str):
        self._shown = folder / "shown.txt"
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
        show = 'show() { print -rn -- "$BUFFER" > shown.txt; BUFFER= }; zle -N show; bindkey "^X^X" show'
        self._type(f"{setup}; {show}; print > ready.txt\n")
        self._read_until(folder / "ready.txt")

    def completed(self, line: str) -> str:
        """The line after Tab."""
        self._shown.unlink(missing_ok=True)
        self._type(line + "\t" + "\x18\x18")  # the shell reads the latter after the completion
        self._read_until(self._shown)
        return self._shown.read_text()

    def end(self) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._terminal)

    def _type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def _read_until(self, file: Path) -> None:
        """Take the output of the shell, which waits for that, until a file has its content."""
        end, output = time.monotonic() + 60.0, b""
        while not (file.exists() and file.stat().st_size > 0):
            if select([self._terminal], [], [], 0.1)[0]:
                output += os.read(self._terminal, 65536)
            assert time.monotonic() < end, output.decode()
