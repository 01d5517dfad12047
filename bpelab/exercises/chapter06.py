"""The checks of chapter 06."""
