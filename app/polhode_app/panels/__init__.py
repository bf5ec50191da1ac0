"""Main window components: docks, panels, bars and dialogs (Qt)."""
