"""The checks of chapter 09."""
