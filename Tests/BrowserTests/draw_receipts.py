#!/usr/bin/env python3
"""Draws invented receipts, for tests on computers without the shared real receipts. usage: draw_receipts.py FOLDER"""

import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

WIDTH = 34
MONOSPACED = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

RECEIPTS = {
    "greissler": ("GREISSLEREI HUBER", "Hauptstr. 3, 3100 St. Pölten", "04.03.2026 17:21", [
        ("BIO VOLLMILCH 1L", 149), ("BUTTER 250G", 229), ("SEMMEL", 45), ("BERGKAESE", 389), ("APFELSAFT 1L", 199)]),
    "markt": ("MARKTHALLE OST", "Marktgasse 9, 4020 Linz", "11.03.2026 09:48", [
        ("KAFFEE 500G", 699), ("NUDELN 500G", 119), ("TOMATEN", 258), ("REIS 1KG", 219)]),
    "laden": ("DORFLADEN STEINER", "Dorfplatz 1, 6020 Innsbruck", "18.03.2026 12:05", [
        ("BIO VOLLMILCH 1L", 155), ("EIER 10ER", 369), ("BANANEN", 187), ("SEMMEL", 45), ("HONIG 500G", 749),
        ("MEHL 1KG", 99)]),
}


def amount(cents):
    return f"{cents // 100},{cents % 100:02}"


def lines(name, street, when, items):
    def row(left, right):
        return left + right.rjust(WIDTH - len(left))

    total = sum(price for _, price in items)
    net = (total * 100 + 55) // 110
    return [
        name.center(WIDTH), street.center(WIDTH), "UID ATU99999999".center(WIDTH), "", row("", "EUR"),
        *(row(item, f"{amount(price)} B") for item, price in items),
        "-" * WIDTH, row("SUMME EUR", f"{amount(total)}  "), row("BAR EUR", f"{amount(total)}  "), "",
        row("B 10% MwSt", f"{amount(total - net)}  "), row("Netto", f"{amount(net)}  "), "", when.center(WIDTH),
        "Danke für Ihren Einkauf".center(WIDTH),
    ]


def draw(receipt, path):
    font = ImageFont.truetype(MONOSPACED, 34) if pathlib.Path(MONOSPACED).exists() else ImageFont.load_default(34)
    text, step, margin = lines(*receipt), 46, 60
    cell = font.getlength("0")
    picture = Image.new("L", (int(cell * WIDTH) + 2 * margin, step * len(text) + 2 * margin), 250)
    pen = ImageDraw.Draw(picture)
    for number, line in enumerate(text):
        # Columns are drawn one by one, so that they are aligned even in a proportional font.
        for column, character in enumerate(line):
            pen.text((margin + column * cell, margin + number * step), character, font=font, fill=20)
    picture.save(path, quality=90, dpi=(200, 200))


def draw_all(folder):
    """Returns the paths of three pictures."""
    paths = [pathlib.Path(folder) / f"{name}.jpg" for name in RECEIPTS]
    for path, receipt in zip(paths, RECEIPTS.values()):
        draw(receipt, path)
    return paths


if __name__ == "__main__":
    print(*draw_all(sys.argv[1]), sep="\n")
