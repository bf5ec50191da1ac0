"""Maps, measured data, plots and tones as docks, commands and exports use them; no Qt."""
