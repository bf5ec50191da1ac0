"""Messages, progress, exit status and streams of commands."""
