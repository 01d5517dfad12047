"""The checks of chapter 08."""
