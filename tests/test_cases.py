"""The 76 cases: which test holds which, and which are met elsewhere.

Each case is one test at least, `test_<id>_...` in tests/test_cases_*.py, with the case's own input
and two more of its kind.
"""

import re
from pathlib import Path

import pytest

IDS = """
A01 A03 A05 A06 B01 B02 B04 B06 B08 C01 C02 C03 C06 C07 D01 D02 D04 D06 D07 D09 D10 E01 E03 E05 E06 E08 E09 E10
F01 F03 F05 F06 F08 G01 G02 G05 G06 H01 H03 H04 I01 I02 I03 I06 I07 J01 J03 J05 J07 J08 K01 K02 K04 L01 L02 L04
L05 L08 L09 M01 M02 M04 M05 M08 M09 N01 N02 N04 N05 N07 N08 N11 N12 N13 N14 O01
""".split()

#: Cases that no test here holds, with the reason.
ELSEWHERE = {}

NAMED = re.compile(r"^def test_([A-O]\d\d)_", re.MULTILINE)


def held(folder):
    """The ids that the names of the tests in a folder hold."""
    return {i for path in folder.glob("test_cases*.py") for i in NAMED.findall(path.read_text(encoding="utf-8"))}


def test_every_case_is_tested_or_met_elsewhere():
    assert len(IDS) == len(set(IDS)) == 76
    here = held(Path(__file__).parent)
    assert here | set(ELSEWHERE) == set(IDS)
    assert here.isdisjoint(ELSEWHERE)


@pytest.mark.parametrize("lost", ["def test_A1_x", "def tested_A01_x", "# def test_A01_x"])
def test_a_lost_case_is_seen(tmp_path, lost):
    (tmp_path / "test_cases_x.py").write_text(f"{lost}(): pass\ndef test_B01_y(): pass\n", encoding="utf-8")
    assert held(tmp_path) == {"B01"}
