"""The memory of a simulation as one block, for programs that run its compiled kernels without Python."""
