"""The checks of chapter 03."""
