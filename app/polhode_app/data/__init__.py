"""Maps, measured data and plots with tones as docks, commands and exports use them; no Qt."""
