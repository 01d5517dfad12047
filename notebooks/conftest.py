"""nbval, from any folder and for any single notebook: our sanitize rules, the running Python, nobody's own settings."""

import os
from pathlib import Path

os.environ |= {"BPELAB_PROGRESS": "", "BPELAB_LANGUAGE": "en"}


def pytest_configure(config):
    if hasattr(config.option, "nbval_sanitize_with"):
        config.option.nbval_sanitize_with = str(Path(__file__).parent / "nbval_sanitize.cfg")
        config.option.nbval_current_env = True
