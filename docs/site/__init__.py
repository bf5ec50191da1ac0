"""The documentation as a site: `make docs` writes it to build/docs. Pages are those of docs/ and some that are
generated from the program itself: scenes, fields of scene files, options of commands, and the library.
"""
