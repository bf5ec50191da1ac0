"""How time passes: the compiled loop of steps, events within a step, and observers. The only callers of a method."""
