"""Measures how well wine lists are read and their wines found, and compares with the limits; run by bin/bench-wine."""

import argparse
import json
import os
import resource
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "Tests/Drawer")]

from drawer.winelists import draw_list  # noqa: E402
from PIL import Image  # noqa: E402
from wine_score import Score, folded, score  # noqa: E402

PROJECT = Path(__file__).parents[2]
PARTS = ["drawn", "frames", "real", "speed"]
# The long side of a camera frame in pixels, and the number of drawn lists that are also read in this size.
FRAME, FRAMES = 1280, 10
# One of every LEFT_OUT wines is left out of the index, so that the lists have wines that are not in the catalogue.
LEFT_OUT = 12
missed = 0


def check_limit(what: str, part: float, whole: float, wanted: float, at_most: bool = False):
    global missed
    share = part / whole if whole else 0.0
    holds = share <= wanted if at_most else share >= wanted
    missed += not holds
    print(f"  {what:<32} {part}/{whole} = {share:.3f}".ljust(64) + f"{'meets' if holds else 'MISSES'} {'≤' if at_most else '≥'} {wanted}", flush=True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.binaries = Path(os.environ["BENCH_BINARIES"])
        self.data = Path(os.environ.get("ALLESTEURER_TEST_DATA") or PROJECT / "../shared").resolve() / "wine"
        self.catalogue = self.data / "XWines_Slim_1K_wines.csv"

    def pages(self, pictures: list[Path], folder: Path, *flags: str) -> list[Path]:
        """Runs read-page on pictures, and prints its CPU seconds and Tesseract's. Returns the files of the recognised pages."""
        folder.mkdir(parents=True, exist_ok=True)
        run = subprocess.run([self.binaries / "read-page", *flags, "--out", folder, *pictures], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
        seconds = [float(line.split()[-2]) for line in run.stderr.splitlines() if line.endswith(" s")]
        if seconds:
            print(f"  {'reader: CPU seconds per page':<32} {sum(seconds) / len(seconds):.2f}")
            print(f"  {'Tesseract: CPU seconds per page':<32} {self.tesseract(pictures[: self.options.tesseract_pages]):.2f}", flush=True)
        return [folder / f"{picture.stem}.json" for picture in pictures]

    def tesseract(self, pictures: list[Path]) -> float:
        """CPU seconds per page of Tesseract with default options, for comparison."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for picture in pictures:
            command = ["tesseract", picture, "-", "-l", "deu"]
            subprocess.run(command, env={**os.environ, "OMP_THREAD_LIMIT": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent / max(1, len(pictures))

    def entries(self, pages: list[Path], *flags: str) -> dict[str, dict]:
        command = [self.binaries / "read-wine-list", "--catalogue", self.catalogue, *flags, *pages]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        lists = [json.loads(line) for line in run.stdout.splitlines()]
        return {Path(one["file"]).stem: one for one in lists}

    def lists(self) -> tuple[Path, dict[str, dict]]:
        """Returns the folder of the drawn lists, and their truths by name. The first call draws the lists."""
        options = self.options
        folder = PROJECT / "var/drawn-wine" / f"{options.seed}-{options.drawn}-{options.hardness}"
        if not (folder / "done").exists():
            print(f"drawing {options.drawn} lists …", flush=True)
            for part in ("images", "truth"):
                (folder / part).mkdir(parents=True, exist_ok=True)
            one = partial(draw_list, folder, self.catalogue, options.seed, hardness=options.hardness)
            with ProcessPoolExecutor(options.jobs) as pool:
                list(pool.map(one, range(options.drawn)))
            (folder / "done").touch()
        return folder, {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "truth").glob("*.json"))}

    def drawn(self):
        options = self.options
        folder, truths = self.lists()
        print(f"{len(truths)} drawn lists, {sum(len(truth['entries']) for truth in truths.values())} entries:", flush=True)
        pages = self.pages([folder / truth["file"] for truth in truths.values()], folder / "pages")
        readings = self.entries(pages, "--leave-out", str(LEFT_OUT))
        total = Score()
        for name, truth in truths.items():
            lines: list[str] = []
            one = score(truth, readings.get(name, {}), LEFT_OUT, lines.append)
            total.add(one)
            if options.failures:
                print(f"    {name} ({truth['language']}): entries {one.found}/{one.entries} prices {one.prices_right}/{one.prices} wines {one.wine_right}/{one.known}")
                print("".join(f"      {line}\n" for line in lines), end="")
        self.report(total, readings)

    def frames(self):
        """Reads drawn lists in the size and with the options of a camera frame. Has no limits."""
        folder, truths = self.lists()
        small = folder / "frames"
        small.mkdir(exist_ok=True)
        some = dict(list(truths.items())[:: max(1, len(truths) // FRAMES)][:FRAMES])
        for name, truth in some.items():
            with Image.open(folder / truth["file"]) as picture:
                frame = picture.convert("RGB")
                frame.thumbnail((FRAME, FRAME))
                frame.save(small / f"{name}.jpg", quality=85)
        print(f"{len(some)} of them as frames of {FRAME} pixels:", flush=True)
        readings = self.entries(self.pages([small / f"{name}.jpg" for name in some], folder / "frame-pages", "--quick"), "--leave-out", str(LEFT_OUT))
        total = Score()
        for name, truth in some.items():
            total.add(score(truth, readings.get(name, {}), LEFT_OUT, lambda line: None))
        for what, part, whole in (("entries found", total.found, total.entries), ("prices by size right", total.prices_right, total.prices),
                                  ("right wine", total.wine_right, total.known)):
            print(f"  {what:<32} {part}/{whole} = {part / max(1, whole):.3f}")

    def report(self, total: Score, readings: dict[str, dict]):
        check_limit("entries found", total.found, total.entries, 0.95)
        check_limit("prices by size right", total.prices_right, total.prices, 0.95)
        check_limit("vintages right", total.vintages_right, total.vintages, 0.97)
        check_limit("right wine", total.wine_right, total.known, 0.92)
        check_limit("wrong wine of high confidence", total.wrong_confident, total.matched, 0.01, at_most=True)
        print(f"  {'false entries':<32} {total.extra}")
        print(f"  {'colours right':<32} {total.colors_right}/{total.colors}")
        print(f"  {'right wine among three':<32} {total.wine_offered}/{total.known}")
        for tenth, (count, right) in sorted(total.calibration.items()):
            print(f"  {f'confidence from {tenth / 10}':<32} {right}/{count} right")
        lists = max(1, len(readings))
        for what, key in (("entries: CPU ms per list", "readMilliseconds"), ("matching: CPU ms per list", "matchMilliseconds")):
            print(f"  {what:<32} {sum(one[key] for one in readings.values()) / lists:.2f}")

    def real(self):
        picture = self.data / "menu_en_red.png"
        if not picture.exists():
            return print(f"real: skipped, no {picture.name} below {self.data}")
        truth = json.loads((self.data / "menu_en_red.json").read_text(encoding="utf-8"))
        print("the real list:", flush=True)
        reading = self.entries(self.pages([picture], PROJECT / "var/drawn-wine/real")).get(picture.stem, {"entries": []})
        unmatched = list(reading["entries"])
        found = 0
        for wine in truth["wines"]:
            wanted = [round(price * 100) for price in (wine["glass"], wine["bottle"]) if price]
            first = set(folded(wine["name"]).split("printed")[0].split())
            hit = next((one for one in unmatched if [price["amount"] for price in one["prices"]] == wanted and first & set(folded(one["text"]).split())), None)
            if hit:
                unmatched.remove(hit)
                found += 1
            elif self.options.failures:
                print(f"    missing: {wine['name']} {wanted}")
        check_limit("entries with their prices", found, len(truth["wines"]), 1.0)

    def speed(self):
        for count in (100_000, 500_000):
            subprocess.run([self.binaries / "read-wine-list", "--catalogue", self.catalogue, "--speed", str(count)], check=True)


def main():
    parser = argparse.ArgumentParser(prog="bin/bench-wine")
    parser.add_argument("--drawn", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hardness", type=float, default=0.4)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tesseract-pages", type=int, default=4, help="pages that Tesseract reads too, to print its time")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--only", action="append", choices=PARTS)
    bench = Bench(parser.parse_args())
    if not bench.catalogue.exists():
        return print(f"skipped: there is no {bench.catalogue.name} below {bench.data}")
    for part in bench.options.only or PARTS:
        getattr(bench, part)()
    sys.exit(1 if missed else 0)


main()
