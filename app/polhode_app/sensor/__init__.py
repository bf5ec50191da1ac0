"""The distance sensor: from bytes on a serial line to the distance used by the simulation."""
