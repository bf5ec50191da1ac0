"""Shapes that are computed from a mesh once and kept: in memory, and as files of the user's cache folder.

Files have little-endian numbers without pickling; behind them is the SHA-256 of all (`CodeFolder`). Their name is the
hash of the mesh and of all settings, their folder that of the sources that compute them, so that a file never outlives
the method that made it. A file that is damaged, or that others may have written, is computed again.
"""

from __future__ import annotations

import hashlib
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.metadata import version
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np

from polhode.jit.storage.code_folder import CodeFolder, cache_folder
from polhode.jit.storage.kept import VERSION
from polhode.process.messages import Message

FOLDER = "fields"  # of all versions, in the program's cache folder
LARGEST = 500_000_000  # [bytes] of all files together; beyond it those that were not used for longest are deleted
IN_MEMORY = 64  # shapes that were asked for last

Made = TypeVar("Made")
Progress = Callable[[float], None]


@lru_cache(maxsize=1)
def kept_shapes() -> CodeFolder:
    """The files of this version."""
    return CodeFolder(cache_folder() / FOLDER / VERSION)


@dataclass(frozen=True)
class KeptShape(ABC, Generic[Made]):
    """A shape that follows from a closed mesh and from settings, the further members of a subclass.

    It is asked for and compiled like a unit of kernels (core/polhode/run/units.py), also in another process.
    """

    vertices: bytes
    """(v, 3) float64"""
    faces: bytes
    """(t, 3) int64, outwards"""

    KIND: ClassVar[str]
    LIBRARIES: ClassVar[tuple[str, ...]] = ("numpy", "scipy")
    """Those on which the result depends."""
    MAY_CRASH: ClassVar[bool] = False
    """Whether a library that computes it may end its process: where that has happened it is not computed in another."""

    @abstractmethod
    def make(self, progress: Progress) -> Made:
        """Compute it. progress: called with the part that is done, in (0, 1]"""

    @staticmethod
    @abstractmethod
    def packed(made: Made) -> bytes:
        """Content of its file."""

    @staticmethod
    @abstractmethod
    def unpacked(content: bytes) -> Made | None:
        """The shape of a file, its arrays read-only; None for a content that is not one."""

    @classmethod
    def of(cls, surface: tuple[np.ndarray, np.ndarray], *settings: float) -> Self:
        """That of vertices (v, 3) and faces (t, 3), outwards, with the settings in their order."""
        vertices, faces = np.asarray(surface[0], np.float64), np.asarray(surface[1], np.int64)
        return cls(vertices.tobytes(), faces.tobytes(), *settings)

    @property
    def surface(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (v, 3) and faces (t, 3) of the mesh."""
        return np.frombuffer(self.vertices).reshape(-1, 3), np.frombuffer(self.faces, dtype=np.int64).reshape(-1, 3)

    @property
    def settings(self) -> dict[str, float]:
        """The further members."""
        return {each.name: getattr(self, each.name) for each in fields(self)[2:]}

    @property
    def name(self) -> str:
        """Name of its file: hash of all that its content depends on, beside the sources."""
        libraries = " ".join(version(library) for library in self.LIBRARIES)
        sizes = struct.pack("<2q", len(self.vertices), len(self.faces))
        settings = repr(tuple(self.settings.items()))  # digits of Python give each number back
        digest = hashlib.sha256(f"{self.KIND} {libraries} {settings}".encode() + sizes)
        for part in (self.vertices, self.faces):
            digest.update(part)
        return digest.hexdigest()

    @property
    def is_kept(self) -> bool:
        """Whether it has a file, or can't have one; the content is not read."""
        return not kept_shapes().usable or kept_shapes().has(self.name)

    @property
    def request(self) -> Message:
        """The message that asks another process to compute and keep it."""
        return {"unit": self.name, "shape": self.KIND, "settings": self.settings}, [self.vertices, self.faces]

    def compile(self) -> None:
        """Compute it unless that has been done, and keep it on the disk."""
        self.keep(lambda part: None)

    def keep(self, progress: Progress) -> None:
        """The same, with a function that is called with the part that is done."""
        if not self.is_kept:
            _keep(self, self.make(progress), kept_shapes())

    def made(self, folder: CodeFolder | None = None) -> Made:
        """From memory, from a file of the folder, by default that of the user, or computed."""
        return cast("Made", _made(self, folder or kept_shapes()))


@lru_cache(maxsize=IN_MEMORY)
def _made(shape: KeptShape[Any], folder: CodeFolder) -> Any:
    name = shape.name
    if (content := folder.read(name)) is not None and (found := shape.unpacked(content)) is not None:
        folder.touch(name)
        return found
    made = shape.make(lambda part: None)
    _keep(shape, made, folder)
    return made


def _keep(shape: KeptShape[Any], made: Any, folder: CodeFolder) -> None:
    folder.write(shape.name, shape.packed(made))
    folder.limit(LARGEST)
