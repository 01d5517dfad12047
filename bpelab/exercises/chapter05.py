"""The checks of chapter 05."""
