"""The checks of chapter 04."""
