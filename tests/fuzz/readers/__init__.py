"""The readers that are fuzzed, by name."""

from fuzz.readers import (
    cameras,
    films,
    formulas,
    hand_ins,
    measured_data,
    meshes,
    recordings,
    robots,
    scenes,
    sensor_logs,
    serial_lines,
    udf,
)

MODULES = (
    *(scenes, meshes, recordings, udf, robots, formulas, serial_lines, sensor_logs, measured_data, films, cameras),
    hand_ins,
)
TARGETS = {module.TARGET.name: module.TARGET for module in MODULES}
