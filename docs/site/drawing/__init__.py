"""Media that the program draws for the site: films, pictures, replays, figures, and the window."""
