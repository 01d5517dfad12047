"""The checks of "Build your own", step by step."""
