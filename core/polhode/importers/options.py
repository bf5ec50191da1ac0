"""Choices of the person who opens a model: where files are, what limits without a range mean, and the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from polhode.scene.message import Message

ZeroLimits = Literal["free", "locked"]
"""Meaning of the limits 0 and 0 of a joint of a URDF: no limits, or a joint that does not move."""
ZERO_LIMITS: tuple[ZeroLimits, ...] = get_args(ZeroLimits)


@dataclass(frozen=True)
class RobotOptions:
    """Choices for one model; without a choice the file decides."""

    packages: Mapping[str, Path] = field(default_factory=dict)
    """Folders by the names of packages."""
    zero_limits: ZeroLimits | None = None
    """Of all joints; None takes those as free whose effort and velocity are 0 too, as programs for CAD write them."""
    of_joints: Mapping[str, ZeroLimits] = field(default_factory=dict)
    """Of single joints, by name."""
    root: Path | None = None
    """Folder in or below which all files of an MJCF model must be; None: that of the model."""
    start: str | None = None
    """Name of the keyframe of an MJCF model at which it starts; None: at the coordinates of the file."""

    @property
    def are_for_urdf(self) -> bool:
        """Whether anything is chosen that only a URDF has."""
        return bool(self.packages or self.zero_limits or self.of_joints)

    @property
    def are_stated(self) -> bool:
        """Whether anything is chosen."""
        return self.are_for_urdf or self.are_for_mjcf

    @property
    def are_for_mjcf(self) -> bool:
        """Whether anything is chosen that only an MJCF model has."""
        return self.root is not None or self.start is not None


BY_THE_FILE = RobotOptions()


@dataclass(frozen=True)
class Choice:
    """A note that another choice would change."""

    option: Literal["package", "zero_limits"]
    name: str
    """Of the package or the joint."""
    value: str
    """The folder, or one of ZERO_LIMITS."""
    note: Message
    """The note in the report that it belongs to."""
