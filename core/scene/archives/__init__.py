"""Reading of archives."""
