"""The application: main window, command line, and the export of tables, pictures and films."""
