"""All compiled functions of the program by name, and the process that compiles them."""
