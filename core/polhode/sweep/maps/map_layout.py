"""Names and types in the file of a map (HDF5):

Polhode-map           group with the attributes format, program, created, sweep (index in the scene)
  status, label,      (*shape,) results of all cells, contiguous
  time, value
  features            (*shape, f) as in SweepMap
  axis0, axis1, ...   (count,) values [SI], with the attributes parameter and unit
  Scene               text: the scene with its sweeps, as TOML with all digits
  Files/NAME          (bytes,) uint8 content of each file that the scene names
"""

from __future__ import annotations

import numpy as np

ROOT = "Polhode-map"
MAPS = (".h5", ".hdf5")  # endings of files of maps
FORMAT = 1
NO_LABEL = -1  # of a cell without an attractor
ARRAYS = {"status": np.uint8, "label": np.int32, "time": np.float64, "value": np.float64}
FEATURES = "features"
