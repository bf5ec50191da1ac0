"""The hand over a distance sensor: from bytes on a wire to numbers of the scene."""
