"""Measures how well receipts are read and compares with the limits; run by bin/bench-reading."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "Tests/Drawer")]

from drawer.draw import WILD_HARDNESS  # noqa: E402
from reading import fiscal, leaks, memory  # noqa: E402
from reading.papers import PaperScore  # noqa: E402
from reading.reader import Reader  # noqa: E402
from reading.score import Score, plain_prices, score, thousandths  # noqa: E402

PROJECT = Path(__file__).parents[2]
PARTS = ["visible", "chains", "drawn", "wild", "codes", "speed", "memory"]
# Parts that run only when they are named.
EXTRA = ["hard", "papers", "leaks"]
# The renderings of the part `hard`, see Tests/Drawer.
HARD = ["thin", "small", "pale", "matrix"]
missed = 0


def check_limit(what: str, figure, holds: bool, wanted: str):
    global missed
    missed += not holds
    print(f"  {what:<44} {figure:<22} {'meets' if holds else 'MISSES'} {wanted}", flush=True)


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class Bench:
    def __init__(self, options):
        self.options = options
        self.binaries = Path(os.environ["BENCH_BINARIES"])
        self.data = Path(os.environ.get("ALLESTEURER_TEST_DATA") or PROJECT / "../shared").resolve()
        self.receipts = self.data / "receipts"
        # CPU seconds of the reader and of the tesseract command, for each picture.
        self.seconds: dict[str, tuple[float, float]] = {}
        # Two shares of the prices on the real photos: those that plain tesseract finds in single-block mode, and those
        # that the reader finds.
        self.photos: tuple[float, float] | None = None

    def read(self, files: list[Path], *flags: str) -> dict[str, dict]:
        """Reads files with `allesteurer read --json`. Returns the output by the name of the file without its suffix."""
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        run = subprocess.run(
            [self.binaries / "allesteurer", "read", "--json", *flags, *files], env=environment, capture_output=True, text=True)
        readings = [json.loads(line) for line in run.stdout.splitlines() if line.strip()]
        return {Path(reading["file"]).stem: reading for reading in readings}

    def tesseract(self, file: Path, *flags: str) -> tuple[str, float]:
        """Returns the text that the `tesseract` command reads, and its CPU seconds."""
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(
                ["tesseract", file, "-", "-l", "deu", *flags], env={**os.environ, "OMP_THREAD_LIMIT": "1"}, stdout=output, stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            output.seek(0)
            return output.read(), usage.ru_utime + usage.ru_stime

    # Parts

    def visible(self):
        """Measures the real receipts of the test data. Compares the photos among them with the tesseract command."""
        if not self.receipts.is_dir():
            return print(f"visible: skipped, no receipts below {self.data}")
        truths = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((self.receipts / "truth").glob("*.json"))}
        readings = self.read([self.picture(truth) for truth in truths.values()])
        total, pdf = Score(), Score()
        for name, truth in truths.items():
            one = score(truth, readings.get(name, {}))
            total.add(one)
            if truth["file"].endswith(".pdf"):
                pdf.add(one)
            if one.proven_wrong or not one.right:
                self.print_errors(name, truth, readings.get(name, {}), one)
        print(f"{total.receipts} real receipts, {total.items} items:")
        self.accuracy(total, 0.995, 0.99)
        check_limit("total", f"{total.total}/{total.receipts}", total.total == total.receipts, "all")
        check_limit("date", f"{total.date}/{total.dated}", total.date == total.dated, "all dated ones")
        print(f"  {'chain':<44} {total.chain}/{total.receipts}")
        check_limit("all right", f"{total.right}/{total.receipts}", total.right >= 38, "≥ 38")
        check_limit("proven", f"{total.proven}/{total.receipts}", share(total.proven, total.receipts) >= 0.8, "≥ 80 %")
        check_limit("PDFs right, names too", f"{pdf.right}/{pdf.receipts}, {pdf.named}/{pdf.items}", pdf.right == pdf.receipts and pdf.named == pdf.items, "perfect")
        check_limit("proven but wrong", str(total.proven_wrong), total.proven_wrong == 0, "0")
        photos, found = Score(), 0
        for name, truth in truths.items():
            if name.startswith(("rr_", "fr_")) and truth["file"].endswith(".jpg") and (reading := readings.get(name)):
                file = self.picture(truth)
                self.seconds[name] = (float(reading.get("seconds") or 0), self.tesseract(file)[1])
                found += plain_prices(self.tesseract(file, "--psm", "6")[0], truth)
                photos.add(score(truth, reading))
        self.photos = (share(found, photos.items), share(photos.price, photos.items))
        print(f"  {'photos: plain tesseract, single block':<44} {self.photos[0]:.3f} of the prices, this program {self.photos[1]:.3f}")

    def picture(self, truth: dict) -> Path:
        """The file of a real receipt. Some truth files name it without its folder."""
        return self.receipts / "images" / Path(truth["file"]).name

    def accuracy(self, total: Score, price: float, named: float | None):
        """Checks the shares of items with the right price, and with the right price and name. `price` and `named` are the limits."""
        check_limit("price", f"{share(total.price, total.items):.3f}", share(total.price, total.items) >= price, f"≥ {price}")
        if named:
            check_limit("name and price", f"{share(total.named, total.items):.3f}", share(total.named, total.items) >= named, f"≥ {named}")

    def print_errors(self, name: str, truth: dict, reading: dict, one: Score):
        if self.options.failures:
            flag = "  PROVEN BUT WRONG" if one.proven_wrong else ""
            wrong = "" if thousandths(truth["total"]) == thousandths(reading.get("total")) else f" total {reading.get('total')} not {truth['total']}"
            date = "" if truth.get("date") is None or truth["date"] == reading.get("date") else f" date {reading.get('date')} not {truth['date']}"
            drawn = {key: value for key, value in truth.get("drawn", {}).items() if key not in ("seed", "number", "hardness")}
            print(f"    {name} ({truth['chain']}) {reading.get('state')}: price {one.price}, named {one.named} of {one.items}, read {len(reading.get('items') or [])}{wrong}{date}{flag} {drawn or ''}")

    def chains(self):
        script = PROJECT / "bin/parts/leave_one_out.py"
        if not script.exists() or not self.receipts.is_dir():
            return print("chains: skipped, there is no bin/parts/leave_one_out.py or no receipts")
        print("leaving one chain's facts out:", flush=True)
        command = [sys.executable, script, "--program", self.binaries / "allesteurer"]
        run = subprocess.run(command, env={**os.environ, "ALLESTEURER_TEST_DATA": str(self.data)})
        global missed
        missed += run.returncode != 0

    def draw(self, count: int, *flags: str) -> Path:
        """Draws a set of receipts, which is kept in var/. The same seed draws the same receipts."""
        hardness = str(self.options.wild_hardness if "--wild" in flags else self.options.hardness)
        folder = PROJECT / "var/drawn" / "-".join([str(self.options.seed), str(count), hardness, *(flag.strip("-") for flag in flags)])
        if not (folder / "done").exists():
            print(f"drawing {count} receipts {' '.join(flags)} …", flush=True)
            command = [sys.executable, "-m", "drawer", "--seed", str(self.options.seed), "--count", str(count), "--hardness", hardness]
            subprocess.run([*command, *flags, folder], cwd=PROJECT / "Tests/Drawer", check=True)
            (folder / "done").touch()
        return folder

    def drawn_set(self, folder: Path, title: str) -> tuple[Score, float, float]:
        """Reads a drawn set. Returns its score and the shares of prices that plain tesseract finds: by default, and in single-block mode."""
        truths = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "truth").glob("*.json"))}
        total, found, as_block = Score(), 0, 0
        names = list(truths)
        # Product and tesseract run at the same time, on one core each, for a few receipts at a time, so that a changing
        # load of the machine affects both.
        with ThreadPoolExecutor(1) as side_by_side:
            for first in range(0, len(names), 10):
                group = names[first : first + 10]
                files = [folder / truths[name]["file"] for name in group]
                reading = side_by_side.submit(self.read, files)
                plains = [(self.tesseract(file), self.tesseract(file, "--psm", "6")[0]) for file in files]
                readings = reading.result()
                for name, ((text, seconds), block) in zip(group, plains):
                    found += plain_prices(text, truths[name])
                    as_block += plain_prices(block, truths[name])
                    one = score(truths[name], readings.get(name, {}))
                    total.add(one)
                    self.seconds[name] = (float(readings.get(name, {}).get("seconds") or 0), seconds)
                    if not one.right:
                        self.print_errors(name, truths[name], readings.get(name, {}), one)
        plain, block = share(found, total.items), share(as_block, total.items)
        print(f"{total.receipts} {title}, {total.items} items, drawn as {folder.name}:")
        # By default, tesseract searches for columns, and loses prices that are far from their names. In
        # single-block mode, it does not search for columns. The better of the two results shows how hard the set
        # is to read.
        print(f"  {'plain tesseract finds, by default':<44} {plain:.3f} of the prices")
        print(f"  {'plain tesseract, single block':<44} {block:.3f} of the prices")
        print(f"  {'name and price':<44} {share(total.named, total.items):.3f}")
        print(f"  totals {total.total}, dates {total.date}/{total.dated}, chains {total.chain}, all right {total.right}, proven {total.proven}")
        return total, plain, block

    def drawn(self):
        total, _, _ = self.drawn_set(self.draw(self.options.drawn), "drawn receipts of known layouts")
        self.accuracy(total, 0.998, None)
        self.shares(total, 0.95, 0.85)

    def wild(self):
        """Measures receipts of invented shops of every trade, drawn like photos that people take."""
        total, _, block = self.drawn_set(self.draw(self.options.drawn, "--wild"), "drawn receipts of any layout")
        if self.photos:
            # The results of this set predict the results of real photos only if the set is as hard to read as they are.
            for what, real, drawn in (("plain tesseract", self.photos[0], block), ("this program", self.photos[1], share(total.price, total.items))):
                check_limit(f"{what} compared with real photos", f"{drawn - real:+.3f}", abs(drawn - real) <= 0.02, "within ± 0.02")
        self.accuracy(total, 0.97, None)
        self.shares(total, None, 0.5)

    def hard(self):
        for rendering in HARD:
            folder = self.draw(max(1, self.options.drawn // 5), "--wild", f"--rendering={rendering}")
            total, _, _ = self.drawn_set(folder, f"drawn receipts, {rendering} print")
            self.accuracy(total, 0.97, None)
            self.shares(total, None, None)

    def shares(self, total: Score, right: float | None, proven: float | None):
        """Checks the shares of right and of proven receipts. `right` and `proven` are the limits."""
        if right:
            check_limit("all right", f"{total.right}/{total.receipts}", share(total.right, total.receipts) >= right, f"≥ {right:.0%}")
        if proven:
            check_limit("proven", f"{total.proven}/{total.receipts}", share(total.proven, total.receipts) >= proven, f"≥ {proven:.0%}")
        check_limit("proven but wrong", str(total.proven_wrong), total.proven_wrong == 0, "0")

    def papers(self):
        """Measures the drafts of papers of ten kinds other than supermarket receipts."""
        count, seed = self.options.papers, self.options.seed
        folder = PROJECT / "var/drawn" / f"{seed}-{count}-papers"
        if not (folder / "done").exists():
            print(f"drawing {count} papers …", flush=True)
            command = [sys.executable, "-m", "drawer.papers", "--seed", str(seed), "--count", str(count), folder]
            subprocess.run(command, cwd=PROJECT / "Tests/Drawer", check=True)
            (folder / "done").touch()
        truths = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "truth").glob("*.json"))}
        readings = self.read([folder / truth["file"] for truth in truths.values()])
        score = PaperScore()
        for name, truth in truths.items():
            found = score.add(name, truth, readings.get(name, {}))
            if self.options.failures and not all(found.values()):
                paper = readings.get(name, {}).get("paper") or {}
                wrong = [f"{key} {paper.get(key)} not {truth[key]}" for key in ("total", "date", "merchant", "category") if not found[key]]
                print(f"    {name} ({truth['kind']}, {truth.get('country')}): {'; '.join(wrong) or ', '.join(key for key, right in found.items() if not right)}")
        print(f"{len(truths)} papers of ten kinds, {score.proven} proven:", *score.table(), sep="\n")
        for measure, wanted in (("total", 0.97), ("date", 0.95), ("merchant", 0.9), ("category", 0.85)):
            check_limit(measure, f"{score.share(measure):.3f}", score.share(measure) >= wanted, f"≥ {wanted}")
        check_limit("proven but wrong", str(len(score.wrong)), not score.wrong, "0")
        seconds = sorted(float(reading.get("seconds") or 0) for reading in readings.values())
        median = seconds[len(seconds) // 2] if seconds else 99
        check_limit("CPU seconds, median", f"{median:.2f}", median <= 2, "≤ 2")

    def codes(self):
        payloads = self.data / "fiscal-qr/payloads.json"
        if not payloads.exists():
            return print("codes: skipped, no fiscal-qr/payloads.json")
        parsed = subprocess.run(
            ["swift", "test", "--filter", "every payload gives exactly the expected figures"], cwd=PROJECT, capture_output=True, text=True,
            env={**os.environ, "ALLESTEURER_TEST_DATA": str(self.data)})
        passes = parsed.returncode == 0 and "1 test" in parsed.stdout + parsed.stderr
        print("fiscal codes:")
        check_limit("14 payloads parsed exactly", "all" if passes else "not all", passes, "14")
        with Reader(self.binaries / "allesteurer-reader") as reader:
            found, count, names = fiscal.found(reader, payloads)
        check_limit("found in distorted pictures", f"{found}/{count}" + (f" not {', '.join(names)}" if names else ""), found >= 13, "≥ 13")

    def speed(self):
        if not self.seconds:
            return check_limit("speed", "not measured", False, "needs the part visible or drawn")
        ours = sorted(mine for mine, _ in self.seconds.values())
        theirs = sorted(plain for _, plain in self.seconds.values())
        ratio = sum(ours) / max(0.001, sum(theirs))
        last = min(len(ours) - 1, int(len(ours) * 0.95))
        print(f"CPU seconds (user and system) of {len(ours)} photos:")
        check_limit("median", f"{ours[len(ours) // 2]:.2f}", ours[len(ours) // 2] <= 2.2, f"≤ 2.2 (tesseract: {theirs[len(theirs) // 2]:.2f})")
        check_limit("95th percentile", f"{ours[last]:.2f}", ours[last] <= 5, f"≤ 5 (tesseract: {theirs[last]:.2f})")
        print(f"  {'total, relative to tesseract':<44} {ratio:.2f} ×")

    def memory(self):
        folder = self.draw(self.options.drawn)
        results, parent = memory.peaks(self.binaries / "allesteurer-reader", sorted((folder / "images").glob("*.jpg"))[0])
        print("reader's child on 50 megapixels (VmHWM):")
        for kind, (peak, seconds, outcome) in results.items():
            check_limit(f"{kind}, {seconds:.1f} s, {outcome}", f"{peak} MiB", peak <= 350 and outcome in ("finished", "unreadable"), "≤ 350 MiB")
        check_limit("reader's parent with its engines loaded", f"{parent} MiB", parent <= 150, "≤ 150 MiB")
        if "HEIC" not in results:
            check_limit("HEIC", "not made", False, "heif-enc (libheif-examples) is missing")

    def leaks(self):
        seen = list(leaks.watch(self.binaries / "allesteurer-reader", self.options.jobs))
        print(f"the reader's parent over {self.options.jobs} jobs:")
        for jobs, resident, descriptors, outcomes in seen:
            print(f"  after {jobs:5d}: {resident} KiB resident, {descriptors} descriptors, {outcomes}")
        # The growth of the first ten jobs is not counted, because they fill caches that are kept.
        growth = seen[-1][1] - seen[1][1]
        check_limit("growth after the tenth job", f"{growth} KiB", growth < 2048, "< 2 MiB")
        check_limit("descriptors", f"{seen[0][2]} → {seen[-1][2]}", seen[0][2] == seen[-1][2], "unchanged")


def main():
    parser = argparse.ArgumentParser(prog="bin/bench-reading", description=__doc__)
    parser.add_argument("--drawn", type=int, default=500, help="how many receipts to draw (500)")
    parser.add_argument("--papers", type=int, default=200, help="how many papers of ten kinds to draw (200)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--hardness", type=float, default=0.65, help="hardness of the drawn receipts of known layouts (0.65)")
    parser.add_argument("--wild-hardness", type=float, default=WILD_HARDNESS, help=f"hardness of the drawn receipts of any layout ({WILD_HARDNESS})")
    parser.add_argument("--only", choices=PARTS + EXTRA, action="append", help="run only this part; may be given more than once")
    parser.add_argument("--jobs", type=int, default=1000, help="number of jobs of the part leaks (1000)")
    parser.add_argument("--failures", action="store_true", help="print every receipt that has an error")
    options = parser.parse_args()
    bench = Bench(options)
    for part in PARTS + EXTRA:
        if part in (options.only or PARTS):
            getattr(bench, part)()
    print(f"{missed} limits missed" if missed else "all limits met")
    sys.exit(1 if missed else 0)


main()
