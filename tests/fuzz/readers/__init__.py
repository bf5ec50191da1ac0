"""The readers that are fuzzed, by name."""

from fuzz.readers import formulas, measured_data, meshes, recordings, robots, scenes, sensor_logs, serial_lines, udf

TARGETS = {
    module.TARGET.name: module.TARGET
    for module in (scenes, meshes, recordings, udf, robots, formulas, serial_lines, sensor_logs, measured_data)
}
