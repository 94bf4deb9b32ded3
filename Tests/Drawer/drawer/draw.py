"""Draws one receipt, its picture and its expected result, from a seed and a number."""

import json
import random
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from . import style
from .free import FreeTill
from .layout import Till
from .paper import print_paper
from .photo import Shot, photograph, thermal
from .scene import Scene


# With `wild`: the share of receipts of invented shops (the others are of known chains), and the share of scans.
INVENTED_SHARE, SCANNED_SHARE = 0.55, 0.12
# Tesseract alone finds 76 % of the prices at hardness 0.45, 65 % at 0.54 and 49 % at 0.6. In real photos, it finds 60 %.
# bin/bench-reading compares drawn receipts with real photos.
WILD_HARDNESS = 0.56
# Unchanged print, or print that is hard to read: strokes of half the width, capitals about eight pixels high,
# faded print, or print of a nine-pin printer.
RENDERINGS = ("", "thin", "small", "pale", "matrix")


def draw(
    folder: Path, seed: int, number: int, hardness: float = 0.6, flat: bool = False, chain: str | None = None, wild: bool = False,
    rendering: str = "",
) -> Path:
    """`wild` adds invented shops, and objects around and on photographed paper. `rendering` is one of `RENDERINGS`."""
    cv2.setNumThreads(1)
    dice = random.Random(f"{seed}/{number}" + ("/wild" if wild else ""))
    around = None
    if wild:
        printed = FreeTill(dice).run() if dice.random() < INVENTED_SHARE else Till(dice.choice(style.NAMED), dice).run()
        other = print_paper(Till(dice.choice(style.NAMED), dice).run(), dice)
        around = Scene(random.Random(dice.getrandbits(63)), hardness, other, rendering)
        flat = flat or dice.random() < SCANNED_SHARE
    else:
        chosen = style.choose(dice)
        if chain:
            chosen = next(one for one in style.NAMED if one.chain == chain)
        printed = Till(chosen, dice).run()
    ink = print_paper(printed, dice, rendering)
    if rendering == "pale":
        ink = ink * dice.uniform(0.22, 0.4)
    if flat:
        small = cv2.resize(ink, None, fx=0.68, fy=0.68, interpolation=cv2.INTER_AREA)
        paper = thermal(small, dice, np.random.default_rng(dice.getrandbits(63)), hardness, {})
        shot = Shot((np.clip(paper, 0, 1) * 255).astype(np.uint8), 1, 60, {"flat": True})
    else:
        shot = photograph(ink, dice, hardness, around)
    name = f"{'wild' if wild else 'drawn'}_{seed}_{number:04d}"
    path = folder / "images" / f"{name}.jpg"
    save(shot, path)
    truth = {"file": f"images/{path.name}", **printed.truth, "drawn": {"seed": seed, "number": number, "hardness": hardness, **shot.causes}}
    (folder / "truth" / f"{name}.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def save(shot: Shot, path: Path):
    picture = shot.picture if shot.picture.ndim == 2 else shot.picture[..., ::-1]
    image = Image.fromarray(picture)
    exif = Image.Exif()
    if shot.orientation != 1:
        exif[0x0112] = shot.orientation
    image.save(path, quality=shot.quality, exif=exif)
