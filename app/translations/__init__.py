"""What the program says in other languages than English."""
