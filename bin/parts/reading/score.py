"""Compares readings with the truth: prices, names, totals, dates, kinds, and which receipts were proven."""

import difflib
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


def thousandths(value) -> int | None:
    if value is None:
        return None
    try:
        return int((Decimal(str(value)) * 1000).to_integral_value())
    except InvalidOperation:
        return None


def letters(text) -> str:
    return re.sub(r"[^a-z0-9äöüß]", "", (text or "").lower())


def alike(one, other) -> bool:
    return difflib.SequenceMatcher(None, letters(one), letters(other), autojunk=False).ratio() >= 0.8


def pairs(truth: list[dict], read: list[dict]) -> list[tuple[dict, dict]]:
    """Pairs the true lines with the lines read, in order. A pair has the same total or a similar name."""
    worth = [
        [2.0 * (thousandths(t["total"]) == thousandths(r.get("total"))) + 1.5 * alike(t["name"], r.get("name")) for r in read]
        for t in truth]
    table = [[0.0] * (len(read) + 1) for _ in range(len(truth) + 1)]
    for i in reversed(range(len(truth))):
        for j in reversed(range(len(read))):
            both = worth[i][j] + table[i + 1][j + 1] if worth[i][j] else 0
            table[i][j] = max(table[i + 1][j], table[i][j + 1], both)
    found, i, j = [], 0, 0
    while i < len(truth) and j < len(read):
        if worth[i][j] and table[i][j] == worth[i][j] + table[i + 1][j + 1]:
            found.append((truth[i], read[j]))
            i, j = i + 1, j + 1
        elif table[i][j] == table[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def same(truth: dict, read: dict, key: str) -> bool:
    if truth.get(key) is None:
        return True
    if key == "kind":
        return truth[key] == {"coupon": "discount"}.get(read.get(key), read.get(key))
    return thousandths(truth[key]) == thousandths(read.get(key))


@dataclass
class Score:
    """Numbers of receipts and items."""

    receipts: int = 0
    items: int = 0
    # Items with the right price, and items with the right price and name.
    price: int = 0
    named: int = 0
    # Receipts with the right total.
    total: int = 0
    # Receipts whose truth has a date, and receipts among them whose date is right.
    dated: int = 0
    date: int = 0
    # Receipts with the right chain.
    chain: int = 0
    # Receipts whose total, date and lines are all right.
    right: int = 0
    proven: int = 0
    # Proven receipts that are not right.
    proven_wrong: int = 0

    def add(self, other: "Score"):
        for key in vars(self):
            setattr(self, key, getattr(self, key) + getattr(other, key))


def score(truth: dict, read: dict) -> Score:
    items = read.get("items") or []
    found = pairs(truth["items"], items)
    right_price = [(t, r) for t, r in found if same(t, r, "total")]
    figures = [pair for pair in found if all(same(*pair, key) for key in ("total", "quantity", "unit_price", "kind"))]
    total = thousandths(truth["total"]) == thousandths(read.get("total"))
    date = truth.get("date") is None or truth["date"] == read.get("date")
    ours, theirs = letters(read.get("chain")), letters(truth.get("chain"))
    chain = bool(theirs) and (theirs[:4] in ours or (bool(ours) and ours[:4] in theirs))
    right = total and date and len(figures) == len(truth["items"]) == len(items)
    proven = read.get("state") == "proven"
    return Score(
        1, len(truth["items"]), len(right_price), sum(alike(t["name"], r.get("name")) for t, r in right_price), total,
        truth.get("date") is not None, date and truth.get("date") is not None, chain, right, proven, proven and not right)


def plain_prices(text: str, truth: dict) -> int:
    """The number of items whose price the text contains. Each line of the text counts for one item only."""
    lines = text.splitlines()
    count = 0
    for item in truth["items"]:
        cents = abs(thousandths(item["total"])) // 10
        figure = re.compile(rf"(?<!\d){cents // 100}[.,]{cents % 100:02d}(?!\d)")
        for number, line in enumerate(lines):
            if figure.search(line):
                del lines[number]
                count += 1
                break
    return count
