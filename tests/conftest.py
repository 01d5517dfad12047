import json
from pathlib import Path

import pytest
from hypothesis import settings

import bpelab

settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("default")


@pytest.fixture(scope="session")
def expected():
    """Values worked out elsewhere: merges as [left, right, count], token lists, ids."""
    return json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def real_text():
    """Language -> real text: our own sentences and JupyterLab's messages."""
    return {
        lang: bpelab.corpora.text("parallel", lang) + bpelab.corpora.text("jupyterlab", lang) for lang in ("en", "ja")
    }
