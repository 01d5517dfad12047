"""The checks of chapter 07."""
