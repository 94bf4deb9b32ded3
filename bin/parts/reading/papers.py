"""Measures how well papers of ten kinds are read: total, day, merchant and category of the draft."""

import difflib
from collections import Counter
from decimal import Decimal

from .score import letters, thousandths

MEASURES = ["total", "date", "merchant", "category", "kind", "tip", "total offered", "date offered", "merchant offered"]
# Spellings of umlauts that count as equal.
FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def same_name(meant: str, read) -> bool:
    """Whether the text that was read contains the name, with fewer than one wrong letter in six."""
    whole, part = letters(read).translate(FOLDED), letters(meant).translate(FOLDED)
    if not whole or not part:
        return False
    if part in whole:
        return True
    return any(
        difflib.SequenceMatcher(None, part, whole[start : start + len(part)], autojunk=False).ratio() >= 0.84
        for start in range(max(1, len(whole) - len(part) + 1)))


def compare(truth: dict, reading: dict) -> dict[str, bool]:
    paper = reading.get("paper") or {}
    total = thousandths(truth["total"])
    tip = truth.get("tip")
    found = {
        "total": thousandths(paper.get("total")) == total, "date": paper.get("date") == truth["date"],
        "merchant": same_name(truth["merchant"], paper.get("merchant")), "category": paper.get("category") == truth["category"],
        "kind": paper.get("kind") == truth["kind"], "tip": thousandths(paper.get("tip")) == (thousandths(tip) if tip else None)}
    found["total offered"] = found["total"] or any(thousandths(value) == total for value in paper.get("totals", []))
    found["date offered"] = found["date"] or truth["date"] in paper.get("dates", [])
    found["merchant offered"] = found["merchant"] or any(same_name(truth["merchant"], name) for name in paper.get("merchants", []))
    return found


def is_proven_wrong(truth: dict, reading: dict, found: dict[str, bool]) -> bool:
    return (reading.get("paper") or {}).get("state") == "proven" and not (found["total"] and found["date"])


class PaperScore:
    def __init__(self):
        self.right: dict[str, Counter] = {}
        self.papers: Counter = Counter()
        self.proven, self.wrong = 0, []

    def add(self, name: str, truth: dict, reading: dict) -> dict[str, bool]:
        found = compare(truth, reading)
        kind = truth["kind"]
        self.papers[kind] += 1
        self.right.setdefault(kind, Counter()).update(measure for measure in MEASURES if found[measure])
        self.proven += (reading.get("paper") or {}).get("state") == "proven"
        if is_proven_wrong(truth, reading, found):
            self.wrong.append(name)
        return found

    def share(self, measure: str) -> Decimal:
        return Decimal(sum(counts[measure] for counts in self.right.values())) / max(1, sum(self.papers.values()))

    def table(self) -> list[str]:
        lines = [f"  {'kind':<12}{'n':>4}" + "".join(f"{measure:>{max(7, len(measure) + 2)}}" for measure in MEASURES)]
        for kind, count in [*self.papers.items(), ("all", sum(self.papers.values()))]:
            counts = self.right.get(kind) or sum(self.right.values(), Counter())
            lines.append(f"  {kind:<12}{count:>4}" + "".join(f"{counts[measure] / count:>{max(7, len(measure) + 2)}.2f}" for measure in MEASURES))
        return lines
