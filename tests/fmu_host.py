"""An FMU as other programs run it, by FMPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave


class RunningFmu:
    """An instance of an FMU that is ready for steps."""

    def __init__(self, path: Path, folder: Path, name: str = "one", begin: float = 0.0):
        self.description = read_model_description(str(path))
        self.references = {each.name: each.valueReference for each in self.description.modelVariables}
        self.names = {
            causality: [each.name for each in self.description.modelVariables if each.causality == causality]
            for causality in ("input", "output")
        }
        self.folder = folder
        if not folder.exists():
            extract(str(path), str(folder))
        self.slave = FMU3Slave(
            guid=self.description.instantiationToken,
            unzipDirectory=str(folder),
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName=name,
        )
        self.slave.instantiate(loggingOn=True)
        self.begin(begin)

    def begin(self, time: float = 0.0, **values: float) -> None:
        """Initialise it, with values of inputs."""
        self.slave.enterInitializationMode(startTime=time)
        self.set(values)
        self.slave.exitInitializationMode()
        self.time = time

    def set(self, values: dict[str, float]) -> None:
        """Set inputs by their names."""
        if values:
            self.slave.setFloat64([self.references[name] for name in values], [*values.values()])

    def step(self, seconds: float) -> None:
        """Make a communication step."""
        self.slave.doStep(currentCommunicationPoint=self.time, communicationStepSize=seconds)
        self.time += seconds

    def get(self, *names: str) -> np.ndarray:
        """(n,) values of variables; of all outputs for no names."""
        asked = names or self.names["output"]
        return np.array(self.slave.getFloat64([self.references[name] for name in asked]))

    def close(self) -> None:
        """Free it."""
        self.slave.freeInstance()
