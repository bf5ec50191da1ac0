"""Reader of MJCF: files and parts (including), classes (styles), and what becomes of each kind of element."""
