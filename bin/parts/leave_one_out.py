#!/usr/bin/env python3
"""Reads every receipt without the facts of its own chain, and scores the readings.

usage: leave_one_out.py [--program ALLESTEURER] [--facts FILE] [--out FILE] [--per-receipt]

The receipts are those of ALLESTEURER_TEST_DATA (default ../shared): receipts/images/ and receipts/truth/NAME.json with `file`
and `chain`. For every chain, the facts without the blocks of the chain are written to a temporary file (`Aldi Nord`
also removes `Aldi` and `Aldi Süd`). The receipts of the chain are then read with
`ALLESTEURER read --json --facts FILE`. The script tools/score-receipts.py of the test data scores the readings. Fails
if the share of items with the right name and price is below the limit. Uses the standard library only.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
FACTS = os.path.join(PROJECT, "Sources", "DocumentParsing", "Facts", "chains.facts")
DATA = os.environ.get("ALLESTEURER_TEST_DATA", os.path.join(PROJECT, "..", "shared"))
LIMIT = 0.93


def first_word(name):
    return name.split()[0].casefold() if name.split() else ""


def without(facts, chain):
    """Returns the facts without the blocks of a chain. A block begins with a `name` and ends before the next one."""
    kept, keeps = [], True
    for line in facts.splitlines():
        if line.startswith("name:"):
            keeps = first_word(line[len("name:"):]) != first_word(chain)
        if keeps:
            kept.append(line)
    return "\n".join(kept) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=os.path.join(PROJECT, ".build", "release", "allesteurer"))
    parser.add_argument("--facts", default=FACTS)
    parser.add_argument("--out")
    parser.add_argument("--per-receipt", action="store_true")
    options = parser.parse_args()
    with open(options.facts, encoding="utf-8") as file:
        facts = file.read()
    receipts = os.path.join(DATA, "receipts")
    truth = os.path.join(receipts, "truth")
    chains = {}
    for name in sorted(os.listdir(truth)):
        with open(os.path.join(truth, name), encoding="utf-8") as file:
            entry = json.load(file)
        if "items" in entry:
            # `file` may or may not include the folder.
            image = os.path.join(receipts, "images", os.path.basename(entry["file"]))
            chains.setdefault(entry["chain"], []).append(image)
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or os.path.join(folder, "readings.jsonl")
        with open(out, "w", encoding="utf-8") as readings:
            for chain, images in chains.items():
                rest = without(facts, chain)
                if rest == facts.rstrip("\n") + "\n":
                    print(f"there are no facts about {chain}", file=sys.stderr)
                used = os.path.join(folder, "left.facts")
                with open(used, "w", encoding="utf-8") as file:
                    file.write(rest)
                command = [options.program, "read", "--json", "--facts", used, *images]
                readings.write(subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True).stdout)
        scorer = [sys.executable, os.path.join(DATA, "tools", "score-receipts.py"), truth, out]
        scored = subprocess.run(
            scorer + (["--per-receipt"] if options.per_receipt else []), stdout=subprocess.PIPE, check=True, text=True
        ).stdout
    print(scored, end="")
    # The last row is the total; its fourth column is the share of items with the right name and price.
    return float(scored.splitlines()[-1].split()[3]) < LIMIT


if __name__ == "__main__":
    sys.exit(main())
