"""Compares the entries that were read from a drawn wine list with the entries that were drawn."""

import unicodedata
from dataclasses import dataclass, field, fields
from difflib import SequenceMatcher


def folded(text: str) -> str:
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter))
    return " ".join("".join(letter if letter.isalnum() else " " for letter in plain).split())


@dataclass
class Score:
    lists: int = 0
    entries: int = 0
    found: int = 0
    extra: int = 0
    prices: int = 0
    prices_right: int = 0
    vintages: int = 0
    vintages_right: int = 0
    colors: int = 0
    colors_right: int = 0
    # Numbers of entries whose wine is in the catalogue: all of them, those whose first match is right, and those
    # with the right wine among their matches.
    known: int = 0
    wine_right: int = 0
    wine_offered: int = 0
    # The number of entries whose match was checked, and the number of them whose match is wrong with high confidence.
    matched: int = 0
    wrong_confident: int = 0
    # The numbers of matches and of right matches, by confidence in tenths.
    calibration: dict = field(default_factory=dict)

    def add(self, other: "Score"):
        for one in fields(self):
            if one.name == "calibration":
                for tenth, (count, right) in other.calibration.items():
                    before = self.calibration.get(tenth, (0, 0))
                    self.calibration[tenth] = (before[0] + count, before[1] + right)
            else:
                setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def pairs(truth: list[dict], read: list[dict]) -> list[tuple[dict, dict | None]]:
    """Pairs each entry of the truth with the most similar entry that was read; with None if no entry is similar."""
    likeness = []
    for number, entry in enumerate(truth):
        wanted = folded(entry["text"])
        for at, one in enumerate(read):
            matcher = SequenceMatcher(None, wanted, folded(one["text"]), autojunk=False)
            if matcher.real_quick_ratio() >= 0.7 and (ratio := matcher.ratio()) >= 0.7:
                likeness.append((ratio, number, at))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for _, number, at in sorted(likeness, reverse=True):
        if number not in taken and at not in used:
            taken[number] = at
            used.add(at)
    return [(entry, read[taken[number]] if number in taken else None) for number, entry in enumerate(truth)]


def score(truth: dict, reading: dict, left_out: int, report=None) -> Score:
    """Scores a reading. Calls `report` with a line of text for each error.

    `left_out` is the argument of `read-wine-list --leave-out`: one of every `left_out` wines is not in the index. If it
    is 0, the index has all wines."""
    report = report or (lambda line: None)
    result = Score(lists=1, entries=len(truth["entries"]))
    read = reading.get("entries", [])
    matched = pairs(truth["entries"], read)
    for wanted, entry in matched:
        result.prices += len(wanted["prices"])
        if entry is None:
            report(f"missing: {wanted['text']}")
            continue
        result.found += 1
        right = prices_right(wanted["prices"], entry["prices"])
        result.prices_right += right
        if right < len(wanted["prices"]) or len(entry["prices"]) > right:
            report(f"prices: {wanted['text'][:40]}: {shown(entry['prices'])} not {shown(wanted['prices'])}")
        result.vintages += 1
        result.vintages_right += wanted["vintage"] == entry.get("vintage")
        if wanted["vintage"] != entry.get("vintage"):
            report(f"vintage: {entry['text']}: {entry.get('vintage')} not {wanted['vintage']}")
        result.colors += 1
        result.colors_right += wanted["color"] == entry.get("color")
        score_match(result, wanted, entry, left_out, report)
    result.extra = len(read) - result.found
    for one in read:
        if all(one is not entry for _, entry in matched):
            report(f"extra: {one['text']}")
    return result


def shown(prices: list[dict]) -> str:
    return " ".join(f"{price['serving']}/{price.get('size')}={price['amount']}" for price in prices)


def prices_right(wanted: list[dict], read: list[dict]) -> int:
    unmatched = list(read)
    right = 0
    for price in wanted:
        for one in unmatched:
            is_size = price["size"] is None or one.get("size") is None and one["serving"] == price["serving"] or one.get("size") == price["size"]
            if one["amount"] == price["amount"] and one["serving"] == price["serving"] and is_size:
                right += 1
                unmatched.remove(one)
                break
    return right


def score_match(result: Score, wanted: dict, entry: dict, left_out: int, report):
    # The same condition as in `ReadWineLists.swift`.
    is_known = left_out == 0 or wanted["wine"] % left_out != left_out // 2
    best = entry["matches"][0] if entry["matches"] else None
    is_right = best is not None and is_known and best["wine"] == wanted["wine"]
    result.matched += 1
    if is_known:
        result.known += 1
        result.wine_right += is_right
        result.wine_offered += any(match["wine"] == wanted["wine"] for match in entry["matches"])
    if best:
        tenth = best["confidence"] // 100
        count, right = result.calibration.get(tenth, (0, 0))
        result.calibration[tenth] = (count + 1, right + is_right)
        if best["confidence"] >= 900 and not is_right:
            result.wrong_confident += 1
            expected = wanted["wine"] if is_known else "no match"
            report(f"wrong match of high confidence: {entry['text']} → {best}, expected {expected}")
    if is_known and not is_right:
        report(f"wine: {entry['text']} → {best} not {wanted['wine']}")
