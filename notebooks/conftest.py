"""nbval, from any folder and for any single notebook: our sanitize rules and the running Python."""

from pathlib import Path


def pytest_configure(config):
    if hasattr(config.option, "nbval_sanitize_with"):
        config.option.nbval_sanitize_with = str(Path(__file__).parent / "nbval_sanitize.cfg")
        config.option.nbval_current_env = True
