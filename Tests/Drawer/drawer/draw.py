"""One receipt of a seed: a picture and its truth."""

import json
import random
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from . import style
from .layout import Till
from .paper import print_paper
from .photo import Shot, photograph, thermal


def draw(folder: Path, seed: int, number: int, hardness: float = 0.6, flat: bool = False, chain: str | None = None) -> Path:
    cv2.setNumThreads(1)
    dice = random.Random(f"{seed}/{number}")
    chosen = style.choose(dice)
    if chain:
        chosen = next(one for one in style.NAMED if one.chain == chain)
    printed = Till(chosen, dice).run()
    ink = print_paper(printed, dice)
    if flat:
        small = cv2.resize(ink, None, fx=0.68, fy=0.68, interpolation=cv2.INTER_AREA)
        paper = thermal(small, dice, np.random.default_rng(dice.getrandbits(63)), hardness, {})
        shot = Shot((np.clip(paper, 0, 1) * 255).astype(np.uint8), 1, 60, {"flat": True})
    else:
        shot = photograph(ink, dice, hardness)
    name = f"drawn_{seed}_{number:04d}"
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
