"""Wine lists with expected results: 40 layouts in five languages, printed and photographed like receipts."""

import csv
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from .draw import save
from .paper import font
from .photo import Shot, photograph
from .winewords import ABBREVIATIONS, COLORS, COUNTRIES, GRAPES, HEADS, LANGUAGES, TITLES

FACES = [
    ("liberation/LiberationSerif-{}.ttf", "Regular", "Bold", "Italic"), ("liberation/LiberationSans-{}.ttf", "Regular", "Bold", "Italic"),
    ("dejavu/DejaVuSerif{}.ttf", "", "-Bold", "-Italic"), ("dejavu/DejaVuSans{}.ttf", "", "-Bold", "-Oblique"),
    ("freefont/FreeSerif{}.ttf", "", "Bold", "Italic"), ("freefont/FreeSans{}.ttf", "", "Bold", "Oblique"),
    ("liberation/LiberationSansNarrow-{}.ttf", "Regular", "Bold", "Italic"),
]
# The price columns of the layouts: the serving of each column, and its size in millilitres if the list prints one.
COLUMNS = [
    [("bottle", 750)], [("bottle", 750)], [("bottle", None)], [("glass", 100), ("bottle", 750)], [("glass", 200), ("bottle", 750)],
    [("glass", 150), ("carafe", 500), ("bottle", 750)], [("glass", 125), ("carafe", 250), ("bottle", 750)], [("half", 375), ("bottle", 750)],
    [("bottle", 750), ("magnum", 1500)], [("glass", None), ("bottle", None)], [("glass", 100), ("glass", 200)],
]
LAYOUTS = 40


@dataclass
class Wine:
    ordinal: int
    producer: str
    name: str
    color: str
    region: str
    country: str
    grapes: list[str]
    vintages: list[int]


@dataclass
class Layout:
    """The layout of a list. The number determines all its properties."""

    number: int

    def __post_init__(self):
        dice = random.Random(f"layout/{self.number}")
        self.dice = dice
        self.columns = 2 if self.number % 4 == 3 else 1
        self.prices = COLUMNS[self.number % len(COLUMNS)]
        if self.columns == 2 and len(self.prices) > 2:
            self.prices = self.prices[:2]
        self.face = FACES[dice.randrange(len(FACES))]
        self.size = dice.choice([42, 46, 50, 54])
        # The number of lines of an entry.
        self.lines = dice.choice([1, 1, 2, 2, 3])
        self.leader = dice.choice(["", "", ".", ".", "–", "_"])
        self.has_bins = dice.random() < 0.25
        # The position or the form of the vintage.
        self.vintage = dice.choice(["end", "end", "start", "short", "column"])
        self.order = dice.choice(["producer", "producer", "name"])
        self.separator = dice.choice([", ", " – ", " ", " | "])
        self.shows_region = dice.random() < 0.7
        self.shows_grapes = dice.random() < 0.35
        # The format of a price: whole units and hundredths.
        self.price = dice.choice(["{}", "{}", "{},–", "{},00", "{},{:02}", "€ {}", "{} €", "{},{:02} €", "{}.{:02}", "{}.-"])
        self.currency_by_language = dice.random() < 0.3
        # The headings of the price columns: sizes in litres, dl or cl, or words.
        self.heads = dice.choice(["size", "size", "word", "dl", "cl"])
        self.sections = dice.choice(["color", "color", "country", "both"])
        self.section_style = dice.choice(["bold", "caps", "large", "centered"])
        self.is_inverted = dice.random() < 0.06
        self.gap = dice.choice([0.5, 0.8, 1.2])
        # The line of an entry that has the prices.
        self.price_on = dice.choice(["first", "first", "last"]) if self.lines > 1 else "first"


@dataclass
class Page:
    """A page with the texts drawn so far."""

    width: int
    drawn: list = field(default_factory=list)

    def text(self, x: float, y: float, text: str, face, anchor: str = "ls"):
        self.drawn.append((x, y, text, face, anchor))


def load(path: Path) -> list[Wine]:
    """Loads the wines of a catalogue with the columns of X-Wines, in the order of its rows."""
    wines = []
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            color = {"Red": "red", "White": "white", "Rosé": "rose", "Sparkling": "sparkling", "Dessert": "sweet", "Dessert/Port": "fortified"}[row["Type"]]
            grapes = [part.strip(" '\"") for part in row["Grapes"].strip("[]").split(",")]
            vintages = [int(part) for part in row["Vintages"].strip("[]").split(",") if part.strip().isdigit()]
            wines.append(Wine(len(wines), row["WineryName"], row["WineName"], color, row["RegionName"], row["Country"], grapes, vintages))
    return wines


def misspelt(text: str, dice: random.Random) -> str:
    """Makes a typing error: swaps two letters, or drops, doubles or replaces one."""
    places = [at for at in range(1, len(text) - 1) if text[at].isalpha() and text[at + 1].isalpha()]
    if not places:
        return text
    at = dice.choice(places)
    kind = dice.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at] + text[at:]
    return text[:at] + dice.choice("aeiourstln") + text[at + 1 :]


def abbreviated(text: str, dice: random.Random) -> str:
    words = text.split(" ")
    for at, word in enumerate(words):
        short = ABBREVIATIONS.get(word)
        if short and dice.random() < 0.5:
            words[at] = dice.choice(short)
    return " ".join(words)


def without_accents(text: str) -> str:
    table = str.maketrans("éèêëáàâäãåíìîïóòôöõúùûüçñ", "eeeeaaaaaaiiiiooooouuuucn")
    return text.translate(table)


class List:
    """A list: its layout, language, wines and page."""

    def __init__(self, wines: list[Wine], layout: int, language: str, dice: random.Random):
        self.layout, self.language, self.dice = Layout(layout), language, dice
        self.wines = wines
        self.entries: list[dict] = []
        size = self.layout.size
        path, regular, bold, italic = self.layout.face
        self.regular, self.bold, self.italic = (font(path.format(weight), size) for weight in (regular, bold, italic))
        self.title = font(path.format(bold), round(size * 2.2))
        self.heading = font(path.format(bold), round(size * (1.5 if self.layout.section_style in ("large", "centered") else 1.1)))
        self.small = font(path.format(italic), round(size * 0.85))
        self.pitch = size * 1.35
        # As wide as a price of 1,080, so that few prices touch.
        self.price_width = max(size * 3.6, self.regular.getlength(self.printed(108_000)[0]) + size)
        self.column_width = size * (21 if self.layout.columns == 2 else 30) + len(self.layout.prices) * self.price_width
        self.margin = size * 2
        self.page = Page(round(self.margin * 2 + self.column_width * self.layout.columns + (self.layout.columns - 1) * size * 3))

    def run(self) -> tuple[np.ndarray, dict]:
        sections = self.sections()
        y = self.margin + self.pitch * 2
        self.page.text(self.page.width / 2, y, TITLES[self.language], self.title, "ms")
        top = y + self.pitch * 2
        bottoms = []
        for column in range(self.layout.columns):
            y = top
            left = self.margin + column * (self.column_width + self.layout.size * 3)
            for heading, wines in sections[column :: self.layout.columns]:
                y = self.section(left, y, heading, wines)
            bottoms.append(y)
        height = round(max(bottoms) + self.margin)
        image = Image.new("L", (self.page.width, height), 0)
        draw = ImageDraw.Draw(image)
        for x, at, text, face, anchor in self.page.drawn:
            draw.text((x, at), text, fill=255, font=face, anchor=anchor)
        truth = {"language": self.language, "layout": self.layout.number, "entries": self.entries}
        return np.asarray(image, np.float32) / 255, truth

    def sections(self) -> list[tuple[str, list[Wine]]]:
        count = self.dice.randint(10, 22)
        chosen = self.dice.sample(self.wines, count)
        groups: dict[str, list[Wine]] = {}
        for wine in chosen:
            groups.setdefault(self.heading_of(wine), []).append(wine)
        return sorted(groups.items(), key=lambda group: -len(group[1]))

    def heading_of(self, wine: Wine) -> str:
        color, country = COLORS[self.language][wine.color], COUNTRIES[self.language].get(wine.country, wine.country)
        return {"color": color, "country": country, "both": f"{color} – {country}"}[self.layout.sections]

    def section(self, left: float, y: float, heading: str, wines: list[Wine]) -> float:
        size = self.layout.size
        if self.layout.section_style == "caps":
            heading = heading.upper()
        y += self.pitch * 0.6
        right = left + self.column_width
        if self.layout.section_style == "centered":
            self.page.text(left + self.column_width / 2, y, heading, self.heading, "ms")
            y += self.pitch * 0.9
            self.heads(right, y)
        else:
            self.page.text(left, y, heading, self.heading)
            self.heads(right, y)
        y += self.pitch * 1.2
        for wine in wines:
            y = self.entry(left, right, y, wine) + self.pitch * self.layout.gap * (0.8 if self.layout.lines > 1 else 0.3)
        return y + self.pitch * 0.5

    def heads(self, right: float, y: float):
        if len(self.layout.prices) == 1 and self.layout.number % 2 == 0:
            return
        for at, (serving, milliliters) in enumerate(self.layout.prices):
            self.page.text(self.price_x(right, at), y, self.head(serving, milliliters), self.small, "rs")

    def price_x(self, right: float, column: int) -> float:
        return right - (len(self.layout.prices) - 1 - column) * self.price_width

    def head(self, serving: str, milliliters: int | None) -> str:
        if milliliters is None or self.layout.heads == "word" and serving != "glass":
            return HEADS[self.language][serving]
        decimal = "." if self.language == "en" else ","
        if self.layout.heads == "dl":
            return f"{milliliters / 100:g} dl".replace(".", decimal)
        if self.layout.heads == "cl":
            return f"{milliliters / 10:g} cl".replace(".", decimal)
        return f"{milliliters / 1000:g} l".replace(".", decimal)

    def entry(self, left: float, right: float, y: float, wine: Wine) -> float:
        dice, size = self.dice, self.layout.size
        producer, name = wine.producer, wine.name
        if dice.random() < 0.25:
            producer, name = abbreviated(producer, dice), abbreviated(name, dice)
        if dice.random() < 0.12:
            name = misspelt(name, dice)
        if dice.random() < 0.06:
            producer = misspelt(producer, dice)
        if dice.random() < 0.15:
            producer, name = without_accents(producer), without_accents(name)
        year = dice.choice(wine.vintages[:12]) if wine.vintages and dice.random() < 0.85 else None
        region = wine.region if self.layout.shows_region else ""
        if region and self.layout.sections == "color" and dice.random() < 0.5:
            region += ", " + COUNTRIES[self.language].get(wine.country, wine.country)
        grapes = ", ".join(GRAPES.get(grape, grape) for grape in wine.grapes[:2]) if self.layout.shows_grapes else ""
        shown_year = "" if year is None else f"’{year % 100:02}" if self.layout.vintage == "short" and year >= 1930 else str(year)
        first, second = (producer, name) if self.layout.order == "producer" else (name, producer)
        if self.layout.lines == 1:
            rows = [[first + self.layout.separator + second, region]]
        else:
            rows = [[first], [second]] if self.layout.lines == 3 else [[first + self.layout.separator + second]]
            rows.append([part for part in (region, grapes) if part])
        rows = [row for row in rows if any(row)]
        lead = left
        bin_number = None
        if self.layout.has_bins:
            bin_number = str(100 + len(self.entries))
            self.page.text(left, y, bin_number, self.regular)
            lead += size * 2.6
        texts = []
        for at, row in enumerate(rows):
            text = ", ".join(part for part in row if part)
            if at == 0 and shown_year:
                text = f"{shown_year} {text}" if self.layout.vintage == "start" else f"{text} {shown_year}"
            face = self.regular if at == 0 else self.small
            texts.append((self.wrapped(text, face, right - lead - len(self.layout.prices) * self.price_width), face))
        lines = [(line, face) for part, face in texts for line in part]
        price_line = 0 if self.layout.price_on == "first" else len(lines) - 1
        prices = []
        for at, (line, face) in enumerate(lines):
            self.page.text(lead, y, line, face)
            if at == price_line:
                prices = self.prices(right, y, lead + face.getlength(line), wine)
            if at < len(lines) - 1:
                y += self.pitch
        self.entries.append({
            "wine": wine.ordinal, "vintage": year, "bin": bin_number, "color": wine.color, "prices": prices,
            "text": " ".join(line for line, _ in lines)})
        return y + self.pitch

    def wrapped(self, text: str, face, width: float) -> list[str]:
        lines = [""]
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and face.getlength(longer) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def prices(self, right: float, y: float, text_end: float, wine: Wine) -> list[dict]:
        dice = self.dice
        bottle = round(1800 * (1 + dice.expovariate(0.7)) / 100) * 100
        prices = []
        first = right
        for at, (serving, milliliters) in enumerate(self.layout.prices):
            if len(self.layout.prices) > 1 and dice.random() < 0.12 and len(prices) + len(self.layout.prices) - at > 1:
                if dice.random() < 0.5:
                    self.page.text(self.price_x(right, at), y, dice.choice(["–", "-", "n/a"]), self.regular, "rs")
                continue
            share = {"glass": (milliliters or 150) / 750 * 1.2, "carafe": (milliliters or 500) / 750 * 1.1, "half": 0.55, "bottle": 1, "magnum": 2.1}[serving]
            amount = max(300, round(bottle * share / 50) * 50)
            printed, amount = self.printed(amount)
            x = self.price_x(right, at)
            self.page.text(x, y, printed, self.regular, "rs")
            first = min(first, x - self.regular.getlength(printed))
            prices.append({"serving": serving, "size": milliliters, "amount": amount})
        if self.layout.leader:
            step = self.regular.getlength(self.layout.leader) * (1 if self.layout.leader == "_" else 1.5)
            x = text_end + self.layout.size * 0.6
            while x < first - self.layout.size * 0.6:
                self.page.text(x, y, self.layout.leader, self.regular)
                x += step
        return prices

    def printed(self, amount: int) -> tuple[str, int]:
        form = self.layout.price
        if "{:02}" not in form:
            amount = round(amount / 100) * 100
        text = form.format(amount // 100, amount % 100)
        if self.language == "en":
            text = text.replace(",", ".").replace("€", "£" if self.layout.currency_by_language else "$")
        elif self.layout.currency_by_language and "€" not in text:
            text = "CHF " + text if self.language in ("de", "fr", "it") else text
        return text, amount


def draw_list(folder: Path, catalogue: Path, seed: int, number: int, hardness: float, flat: bool = False) -> Path:
    """Draws list `number`, with layout `number % 40` and the next language in turn. The same seed draws the same lists."""
    import cv2

    cv2.setNumThreads(1)
    dice = random.Random(f"wines/{seed}/{number}")
    language = LANGUAGES[(number // LAYOUTS + number) % len(LANGUAGES)]
    printed = List(load(catalogue), number % LAYOUTS, language, dice)
    ink, truth = printed.run()
    if printed.layout.is_inverted:
        # Light print on a dark card.
        ink = 1 - 0.95 * ink
    camera_dice = random.Random(dice.getrandbits(63))
    if flat:
        shot = Shot(np.clip((0.95 - 0.85 * ink) * 255, 0, 255).astype(np.uint8), 1, 85, {"flat": True})
    else:
        shot = photograph(ink, camera_dice, hardness)
    name = f"list_{seed}_{number:04d}"
    path = folder / "images" / f"{name}.jpg"
    save(shot, path)
    truth = {"file": f"images/{path.name}", **truth, "drawn": {"seed": seed, "number": number, "hardness": hardness, "inverted": printed.layout.is_inverted, **shot.causes}}
    (folder / "truth" / f"{name}.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path
