import json
from pathlib import Path

import pytest
from hypothesis import settings

import bpelab

EXAMPLES = 100
settings.register_profile("default", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.load_profile("default")


def pytest_addoption(parser):
    parser.addoption(
        "--fuzz", type=int, default=1, metavar="N", help="N times as many examples in property tests, newly drawn"
    )


def pytest_configure(config):
    times = config.getoption("--fuzz")
    if times < 1:
        raise pytest.UsageError(f"--fuzz must be at least 1, got {times}")
    if times > 1:
        settings.register_profile("fuzz", deadline=None, derandomize=False, max_examples=EXAMPLES * times)
        settings.load_profile("fuzz")


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
