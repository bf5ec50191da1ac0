"""A bare Debian in a folder, in which a package is installed and used as a person without rights would.

Commands run in their own namespaces of processes, mounts and network; the last has no interface, so nothing can be
reached. The screen is an X server outside, whose socket is the one thing shared: what the package needs to draw is not
there for another reason. Needs root.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

USER, HOME = 1000, "home/lab"
MOUNTS = """
mount -t proc proc "$ROOT/proc"
mount --bind /dev "$ROOT/dev"
mkdir -p "$ROOT/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$ROOT/tmp/.X11-unix"
"""


class BareSystem:
    """A folder with Debian's essential packages and nothing else."""

    def __init__(self, root: Path, suite: str = "bookworm"):
        """Make it with mmdebstrap, unless a file ROOT.tar has one from before."""
        self.root = root
        kept = root.with_name(f"{root.name}.tar")
        if not kept.exists():
            subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", suite, kept], check=True)
        root.mkdir()
        subprocess.run(["tar", "--extract", f"--directory={root}", "--file", kept, "--exclude=./dev/*"], check=True)
        (root / HOME).mkdir(parents=True)
        shutil.chown(root / HOME, USER, USER)
        with (root / "etc/passwd").open("a") as file:
            file.write(f"lab:x:{USER}:{USER}::/{HOME}:/bin/sh\n")

    def install(self, package: Path) -> None:
        """Install a package file with what it depends on, from Debian's servers; its recommendations are left out."""
        shutil.copy(package, self.root / "tmp")
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        self.as_root("apt-get", "-qq", "update", network=True)
        words = ("apt-get", "-qq", "install", "--no-install-recommends", f"/tmp/{package.name}")
        self.as_root("env", "DEBIAN_FRONTEND=noninteractive", *words, network=True)
        (self.root / "tmp" / package.name).unlink()

    def as_root(self, *words: str, network: bool = False) -> str:
        """Run a command as root; returns what it prints."""
        done = subprocess.run(self.command(words, network), check=True, capture_output=True, text=True)
        return done.stdout

    def as_user(self, *words: str, display: str = "") -> subprocess.Popen[bytes]:
        """Start a command as the user, with an environment as a session of a desktop has."""
        given = [f"HOME=/{HOME}", "USER=lab", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", f"DISPLAY={display}"]
        user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        return subprocess.Popen(self.command([*user, "env", "-i", f"--chdir=/{HOME}", *given, *words], network=False))

    def command(self, words: list[str] | tuple[str, ...], network: bool) -> list[str]:
        """Command line that runs `words` inside."""
        spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"])]
        return [*spaces, "sh", "-ec", f'ROOT=$0\n{MOUNTS}exec chroot "$ROOT" "$@"', str(self.root), *words]

    def files(self) -> set[str]:
        """Files and links of the whole system, without those of /tmp, of /dev and of Debian's package manager."""
        found = subprocess.run(
            ["find", ".", "-xdev", "-not", "-type", "d", "-printf", "%P\n"],
            cwd=self.root,
            check=True,
            capture_output=True,
            text=True,
        )
        own = ("tmp/", "dev/", "var/lib/apt/", "var/lib/dpkg/", "var/cache/apt/", "var/cache/debconf/", "var/log/")
        return {line for line in found.stdout.splitlines() if not line.startswith(own)}
