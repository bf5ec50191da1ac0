"""Solution of the equations of joints."""
