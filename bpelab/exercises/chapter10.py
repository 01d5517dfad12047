"""The checks of chapter 10."""
