"""Recordings for tests, and what VTK's own reader makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader

from polhode.mesh.mesh import Meshes
from polhode.recording.checks.hdf5_check import FAULTS, DamagedFile
from polhode.recording.checks.hdf5_contents import read_states
from polhode.recording.checks.hdf5_server import opened, refusal
from polhode.recording.contents import Contents
from polhode.recording.writer import RecordingWriter
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.runner.geometry import geometry


def begun(scene: Scene, path: Path, every: int = 1) -> tuple[Simulation, RecordingWriter]:
    """A simulation at its start that is being recorded."""
    meshes = Meshes()
    simulation = Simulation(scene, meshes)
    return simulation, RecordingWriter(path, simulation, every, "test", geometry(meshes))


def advance(simulation: Simulation, taping: RecordingWriter, rows: int) -> None:
    """Go on by some moments."""
    for _ in range(rows):
        simulation.advance_steps(taping.every)
        taping.take()


def ended(taping: RecordingWriter) -> None:
    """Whole on the disk, and nothing went wrong."""
    taping.finish()
    taping.join(120.0)
    assert not taping.failure
    assert not taping.going


class LocalFile:
    """A recording that is read in this process, in place of an IsolatedFile: faster, where HDF5 survives it."""

    def __init__(self, path: Path):
        self.path, self._size = path, path.stat().st_size
        self.close = lambda: None

    def contents(self, check_cancelled: Callable[[], None] = lambda: None) -> Contents:
        try:
            self._file, contents = opened(self.path, self._size)
        except (DamagedFile, *FAULTS) as error:
            place, rule, remedy = refusal(error)["refused"]
            problem = Problem(place, Message.restored(rule), Message.restored(remedy))
            raise InputError(str(self.path), [problem]) from error
        return Contents.of(*contents.message())

    def states(self, start: int, stop: int) -> np.ndarray:
        return read_states(self._file, start, stop)


class Animation:
    """A file as VTK reads it."""

    def __init__(self, path: Path):
        self._reader = vtkHDFReader()
        self._reader.SetFileName(str(path))
        self._reader.UpdateInformation()
        self.times = self._reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or ()

    def at(self, time: float) -> dict[str, dict[str, np.ndarray]]:
        """By block: its points, its fields, and the number of its cells."""
        information = self._reader.GetOutputInformation(0)
        information.Set(vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP(), time)
        self._reader.Modified()
        self._reader.Update()
        whole, found = self._reader.GetOutputDataObject(0), {}
        for number in range(whole.GetNumberOfPartitionedDataSets()):
            part = whole.GetPartitionedDataSet(number).GetPartition(0)
            fields = part.GetPointData()
            arrays = {
                fields.GetArrayName(k): vtk_to_numpy(fields.GetArray(k)) for k in range(fields.GetNumberOfArrays())
            }
            arrays["points"] = vtk_to_numpy(part.GetPoints().GetData())
            arrays["cells"] = np.array(part.GetNumberOfCells())
            found[whole.GetMetaData(number).Get(whole.NAME())] = arrays
        return found
