"""The checks of chapter 02."""
