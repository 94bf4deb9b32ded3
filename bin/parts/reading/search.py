"""Both grammars on the same recognised pages: line by line, as the product reads, and the search that is to follow it."""

import json
import os
import subprocess
from pathlib import Path

from .score import Score, score


def compare(project: Path, truths: dict[str, dict], pictures: dict[str, Path], kept: Path):
    """Yields the name of each grammar and its score. Pages are recognised once and kept in the folder `kept`."""
    environment = {**os.environ, "DEVTOOLS": "1", "OMP_THREAD_LIMIT": "1"}
    for tool in ("read-page", "parse-recognized"):
        subprocess.run(["swift", "build", "-c", "release", "--product", tool], cwd=project, env=environment, check=True)
    tools = project / ".build/release"
    kept.mkdir(parents=True, exist_ok=True)
    missing = [picture for name, picture in pictures.items() if not (kept / f"{name}.json").exists()]
    if missing:
        subprocess.run([tools / "read-page", "--out", kept, *missing], env=environment, check=True, stderr=subprocess.DEVNULL)
    for grammar, flags in (("line by line", []), ("search", ["--search"])):
        pages = [kept / f"{name}.json" for name in truths]
        run = subprocess.run([tools / "parse-recognized", *flags, *pages], capture_output=True, text=True, check=True)
        readings = {Path(reading["file"]).stem: reading for reading in map(json.loads, filter(lambda line: line.startswith("{"), run.stdout.splitlines()))}
        total = Score()
        for name, truth in truths.items():
            total.add(score(truth, readings.get(name, {})))
        yield grammar, total
