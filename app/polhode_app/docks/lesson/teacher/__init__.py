"""Actions of teachers: recording of steps, worksheets, and the table of a class."""
