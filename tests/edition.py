"""The web edition for the tests that look at it in a browser: built once, whichever test file comes first."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
REPOSITORY = "https://github.com/someone/bpelab"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
browsed = pytest.mark.skipif(not CHROMIUM, reason="no chromium here")

#: poor(elements): those whose text stands out from its background by less than 4.5.
CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const seen = {};
const rgb = (color) => { if (!(color in seen)) {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
  seen[color] = [...canvas.getImageData(0, 0, 1, 1).data]; } return seen[color]; };
const light = (color) => color.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const under = (node) => { for (; node; node = node.parentElement) {
  const color = rgb(getComputedStyle(node).backgroundColor);
  if (color[3] === 255) return color; } return [255, 255, 255]; };
const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
const poor = (elements) => [...new Set([...elements].flatMap((node) => {
  const style = getComputedStyle(node), front = light(rgb(node.closest("svg") ? style.fill : style.color));
  const back = light(under(node)), ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
  return ratio < 4.5 ? [`${node.tagName} ${node.textContent.slice(0, 60)} ${ratio.toFixed(2)}`] : [];
}))];
"""


def build(root):
    """Build the web edition of a REPOSITORY, unless another process of this test run has done so or is at it."""
    folder, said = root / "web", root / "web.txt"
    try:
        folder.mkdir()
    except FileExistsError:
        for _ in range(600):
            if said.exists():
                break
            time.sleep(0.5)
    else:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(NOTEBOOKS), str(folder)]
        environment = os.environ | {"BPELAB_REPOSITORY": REPOSITORY}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        whole = root / "web.part"
        whole.write_text(done.stderr if done.returncode else "", encoding="utf-8")
        whole.rename(said)
    assert said.read_text(encoding="utf-8") == ""
    return folder
