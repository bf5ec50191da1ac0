"""A quantity as a tone: pitch, synthesis, sound device, WAV file. No Qt."""
