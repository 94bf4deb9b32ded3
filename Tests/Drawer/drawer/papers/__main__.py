"""usage: python3 -m drawer.papers [--seed N] [--count N] [--first N] [--hardness 0…1] FOLDER

Draws papers of ten kinds in turn, with their expected results: FOLDER/images/paper_SEED_NNNN.jpg (or .pdf) and FOLDER/truth/paper_SEED_NNNN.json."""

import argparse
import json
import random
from pathlib import Path

import cv2
import numpy as np

from ..draw import SCANNED_SHARE, WILD_HARDNESS, save
from ..paper import print_paper
from ..photo import Shot, photograph, thermal
from ..scene import Scene
from .output import ink, pdf
from .payee import Payee
from .sheets import Sheet
from .strips import Strip
from .words import KINDS

# For each kind, the share of papers on whole sheets, and the share of these sheets that are PDFs with text. Papers of other
# kinds are strips.
SHEETS = {"invoice": 1.0, "order": 1.0, "hotel": 0.7, "ticket": 0.5}
PDFS = {"invoice": 0.35, "order": 1.0, "hotel": 0.2, "ticket": 0.5}


def draw(folder: Path, seed: int, number: int, hardness: float) -> Path:
    cv2.setNumThreads(1)
    dice = random.Random(f"{seed}/{number}/papers")
    payee = Payee(KINDS[number % len(KINDS)], dice)
    name = f"paper_{seed}_{number:04d}"
    if dice.random() < SHEETS.get(payee.kind, 0):
        sheet = Sheet(payee)
        truth = sheet.run()
        if dice.random() < PDFS[payee.kind]:
            path = folder / "images" / f"{name}.pdf"
            path.write_bytes(pdf(sheet, dice))
            return save_truth(folder, path, truth, {"pdf": True})
        drawn = ink(sheet)
    else:
        printed = Strip(payee).run()
        truth, drawn = printed.truth, print_paper(printed, dice)
    path = folder / "images" / f"{name}.jpg"
    shot = scan(drawn, dice, hardness) if dice.random() < SCANNED_SHARE else photo(drawn, dice, hardness)
    save(shot, path)
    return save_truth(folder, path, truth, {"seed": seed, "number": number, "hardness": hardness, **shot.causes})


def scan(drawn: np.ndarray, dice: random.Random, hardness: float) -> Shot:
    """A scan of the paper: print and paper, without a camera."""
    small = cv2.resize(drawn, None, fx=0.68, fy=0.68, interpolation=cv2.INTER_AREA)
    paper = thermal(small, dice, np.random.default_rng(dice.getrandbits(63)), hardness, {})
    return Shot((np.clip(paper, 0, 1) * 255).astype(np.uint8), 1, 60, {"flat": True})


def photo(drawn: np.ndarray, dice: random.Random, hardness: float) -> Shot:
    """A photograph of the paper among other objects."""
    other = print_paper(Strip(Payee("diy", dice)).run(), dice)
    return photograph(drawn, dice, hardness, Scene(random.Random(dice.getrandbits(63)), hardness, other))


def save_truth(folder: Path, path: Path, truth: dict, causes: dict) -> Path:
    """Writes the expected result of a paper, with the effects that were drawn. Returns the path of the picture."""
    result = {"file": f"images/{path.name}", **truth, "drawn": causes}
    (folder / "truth" / f"{path.stem}.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def main():
    parser = argparse.ArgumentParser(prog="drawer.papers", description="Draws papers of ten kinds with their expected results.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first number, to draw a part of a set")
    parser.add_argument("--hardness", type=float, default=WILD_HARDNESS, help=f"difficulty from 0 to 1; default {WILD_HARDNESS}")
    options = parser.parse_args()
    (options.folder / "images").mkdir(parents=True, exist_ok=True)
    (options.folder / "truth").mkdir(parents=True, exist_ok=True)
    for number in range(options.first, options.first + options.count):
        draw(options.folder, options.seed, number, options.hardness)


main()
