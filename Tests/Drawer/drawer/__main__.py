"""usage: python3 -m drawer [--seed N] [--count N] [--hardness 0…1] [--chain NAME] [--flat] [--wild] [--rendering NAME] [--jobs N] FOLDER

Draws receipts to FOLDER/images/drawn_SEED_NNNN.jpg, and their expected results to FOLDER/truth/drawn_SEED_NNNN.json. With --wild the names begin with wild_.
The same seed draws the same receipts."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from .draw import RENDERINGS, WILD_HARDNESS, draw


def main():
    parser = argparse.ArgumentParser(prog="drawer", description="Draws receipts and their expected results.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--hardness", type=float, help=f"difficulty from 0 to 1; default 0.6, with --wild {WILD_HARDNESS}")
    parser.add_argument("--chain", help="only receipts of this chain; ignored with --wild")
    parser.add_argument("--flat", action="store_true", help="like a scan: only the paper, without a camera")
    parser.add_argument("--wild", action="store_true", help="also invented shops of seven trades, and objects around and on the paper")
    parser.add_argument("--rendering", choices=RENDERINGS, default="", help="a kind of print that is hard to read")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.hardness is None:
        options.hardness = WILD_HARDNESS if options.wild else 0.6
    (options.folder / "images").mkdir(parents=True, exist_ok=True)
    (options.folder / "truth").mkdir(parents=True, exist_ok=True)
    draw_one = partial(draw, options.folder, options.seed, hardness=options.hardness, flat=options.flat, chain=options.chain, wild=options.wild, rendering=options.rendering)
    if options.jobs == 1:
        for number in range(options.count):
            draw_one(number)
    else:
        with ProcessPoolExecutor(options.jobs) as pool:
            list(pool.map(draw_one, range(options.count)))


main()
