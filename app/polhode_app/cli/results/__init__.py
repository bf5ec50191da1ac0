"""Tables, recordings and reports that commands write."""
