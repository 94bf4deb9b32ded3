"""Converts rows to the ink on thermal paper (1 black, 0 blank), with `SCALE` pixels per dot of the print head."""

import random
import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import qrcode
from PIL import Image, ImageDraw, ImageFont

from . import codes
from .layout import Printed, Row

SCALE = 2
# The dots of a print head for 80 mm paper, and the margin on each side.
HEAD, MARGIN = 576, 22

# Debian's fonts. A cell is HEAD / columns dots wide, so each font is squeezed or stretched to the cell, as in tills.
FOLDERS = ["/usr/share/fonts/truetype", "/usr/share/fonts/opentype"]
FONTS = {
    "dejavu": "dejavu/DejaVuSansMono.ttf", "dejavu-bold": "dejavu/DejaVuSansMono-Bold.ttf", "liberation": "liberation/LiberationMono-Regular.ttf",
    "liberation-bold": "liberation/LiberationMono-Bold.ttf", "hack": "hack/Hack-Regular.ttf", "inconsolata": "inconsolata/Inconsolata.otf",
    "anonymous": "anonymous-pro/Anonymous Pro.ttf", "courier": "courier-prime/Courier Prime Sans.otf", "noto": "noto/NotoMono-Regular.ttf",
    "free": "freefont/FreeMonoBold.ttf", "ocr-b": "ocr-b/OCRB.otf",
}
PRINT = ["dejavu", "dejavu", "hack", "hack", "noto", "inconsolata", "anonymous", "courier", "liberation-bold", "liberation", "free", "ocr-b", "dejavu-bold"]
PROPORTIONAL = [
    "dejavu/DejaVuSans.ttf", "liberation/LiberationSans-Regular.ttf", "liberation/LiberationSansNarrow-Regular.ttf", "dejavu/DejaVuSansCondensed.ttf", "freefont/FreeSans.ttf"]
# The font in Debian that is most similar to handwriting.
HAND = "freefont/FreeSerifItalic.ttf"
LOGO = ["dejavu/DejaVuSans-Bold.ttf", "liberation/LiberationSans-Bold.ttf", "liberation/LiberationSansNarrow-Bold.ttf", "liberation/LiberationSerif-Bold.ttf"]


@lru_cache(maxsize=64)
def font(path: str, size: int) -> ImageFont.FreeTypeFont:
    for folder in FOLDERS:
        if Path(folder, path).exists():
            return ImageFont.truetype(str(Path(folder, path)), size)
    raise FileNotFoundError(f"the font {path} is missing (Tests/Drawer/README.md names the Debian packages)")


class Printer:
    """The printer of a till: its font, its pitch, and the visibility of its dots."""

    def __init__(self, dice: random.Random, columns: int, proportional: bool = False, rendering: str = ""):
        self.face = FONTS[dice.choice(PRINT)]
        self.cell = HEAD / max(columns, 34)
        # Capitals are 15 to 19 dots high. The line pitch is 24 to 32 dots.
        self.capital = dice.choice([15, 16, 17, 17, 18, 19])
        self.pitch = self.capital + dice.choice([9, 10, 11, 12, 13])
        self.is_dotted = dice.random() < 0.45
        # Many monospaced fonts have a slashed zero, but few tills do. Three of four printers use the letter O.
        self.zero = dice.choice(["O", "O", "O", "0"])
        self.logo_face = dice.choice(LOGO)
        self.text_width = round(self.cell * columns)
        # The proportional font is drawn only for printers that use it, so that other receipts of the same seed do not change.
        self.flowing_face = dice.choice(PROPORTIONAL) if proportional and rendering != "matrix" else None
        self.rendering = rendering

    @lru_cache(maxsize=4096)
    def glyph(self, letter: str, wide: int, high: int, bold: bool) -> np.ndarray:
        """The ink of one cell, with `SCALE` pixels per dot."""
        width, height = round(self.cell * wide * SCALE), round(self.pitch * high * SCALE)
        size = 96
        face = font(self.face, size)
        top = face.getbbox("H")[1]
        capital = face.getbbox("H")[3] - top
        advance = face.getlength("H")
        canvas = Image.new("L", (round(advance), capital * 3))
        pen = ImageDraw.Draw(canvas)
        pen.text((0, capital - top), self.zero if letter == "0" else letter, fill=255, font=face)
        if letter == "0" and self.zero == "O":
            # Narrower than the letter O.
            narrow = canvas.resize((round(advance * 0.9), canvas.height))
            canvas.paste(0, (0, 0, canvas.width, canvas.height))
            canvas.paste(narrow, (round(advance * 0.05), 0))
        if bold:
            canvas = Image.fromarray(np.maximum(np.array(canvas), np.roll(np.array(canvas), size // 28, 1)))
        # `canvas` has room for a capital above and below, and is scaled so that capitals are `self.capital` dots high.
        dots = canvas.resize((max(1, round(self.cell * wide * 0.96)), round(self.capital * 3 * high)), Image.Resampling.BOX)
        ink = np.array(dots, dtype=np.float32) / 255
        if self.rendering == "matrix":
            ink = needles(canvas, ink.shape)
        elif self.is_dotted:
            ink = (ink > 0.38).astype(np.float32)
        ink = cv2.resize(ink, (round(ink.shape[1] * SCALE), ink.shape[0] * SCALE), interpolation=cv2.INTER_NEAREST if self.is_dotted else cv2.INTER_CUBIC)
        if self.rendering == "thin":
            ink = thinned(ink)
        cell = np.zeros((height, width), np.float32)
        # The baseline is at about four fifths of the pitch.
        first = round(self.pitch * high * 0.78 * SCALE) - 2 * self.capital * high * SCALE
        rows = slice(max(0, first), min(height, first + ink.shape[0]))
        source = ink[rows.start - first : rows.stop - first, :width]
        cell[rows, : source.shape[1]] = source
        return cell

    def line(self, row: Row, width: int) -> np.ndarray:
        wide, high, bold = {"bold": (1, 1, True), "wide": (2, 1, False), "tall": (1, 2, False), "big": (2, 2, False)}.get(row.look, (1, 1, False))
        height = round(self.pitch * high * SCALE)
        strip = np.zeros((height, width), np.float32)
        text = row.text if not row.centred else row.text.strip()
        if self.flowing_face:
            return self.flowing(strip, text, row.centred, wide, high, bold)
        span = round(len(text) * self.cell * wide * SCALE)
        start = (width - span) // 2 if row.centred else MARGIN * SCALE + (HEAD - self.text_width) * SCALE // 2
        for i, letter in enumerate(text):
            if letter == " ":
                continue
            cell = self.glyph(letter, wide, high, bold)
            x = start + round(i * self.cell * wide * SCALE)
            if 0 <= x and x + cell.shape[1] <= width:
                strip[:, x : x + cell.shape[1]] = np.maximum(strip[:, x : x + cell.shape[1]], cell)
        return strip

    def flowing(self, strip: np.ndarray, text: str, centred: bool, wide: int, high: int, bold: bool) -> np.ndarray:
        """A line in a proportional font. Parts after two or more spaces end at their columns, as tills align amounts."""
        width = strip.shape[1]
        start = MARGIN * SCALE + (HEAD - self.text_width) * SCALE // 2
        for part in re.finditer(r"\S+(?: \S+)*", text):
            ink = self.set_part(part.group(), wide, high, bold)
            room = round((part.end() - part.start() + 1) * self.cell * wide * SCALE)
            if ink.shape[1] > room:
                ink = cv2.resize(ink, (room, ink.shape[0]), interpolation=cv2.INTER_AREA)
            left = start + round(part.start() * self.cell * wide * SCALE)
            if centred:
                x = (width - ink.shape[1]) // 2
            elif part.start() > 0 and text[part.start() - 2 : part.start()] == "  " and any(c.isdigit() for c in part.group()):
                x = start + round(part.end() * self.cell * wide * SCALE) - ink.shape[1]
            else:
                x = left
            x = max(0, min(x, width - ink.shape[1]))
            height = min(strip.shape[0], ink.shape[0])
            area = strip[:height, x : x + ink.shape[1]]
            np.maximum(area, ink[:height, : area.shape[1]], out=area)
        return strip

    @lru_cache(maxsize=1024)
    def set_part(self, text: str, wide: int, high: int, bold: bool) -> np.ndarray:
        face = font(self.flowing_face, 96)
        box = face.getbbox("H")
        capital = box[3] - box[1]
        canvas = Image.new("L", (max(1, round(face.getlength(text))), capital * 2))
        ImageDraw.Draw(canvas).text((0, capital // 2 - box[1]), text, fill=255, font=face, stroke_width=2 if bold else 0, stroke_fill=255)
        scale = self.capital * high * SCALE / capital
        ink = np.array(canvas.resize((max(1, round(canvas.width * scale * wide / high)), max(1, round(canvas.height * scale))), Image.Resampling.BOX), np.float32) / 255
        if self.rendering == "thin":
            ink = thinned(ink)
        # The baseline is at about four fifths of the pitch, as in `glyph`.
        first = round(self.pitch * high * 0.78 * SCALE) - round(1.5 * self.capital * high * SCALE)
        return np.pad(ink, ((max(0, first), 0), (0, 0))) if first >= 0 else ink[-first:]


def needles(canvas: Image.Image, shape: tuple[int, int]) -> np.ndarray:
    """A letter of a nine-pin printer: round dots on a coarse grid. `shape` is in dots of the thermal head."""
    height, width = shape
    grid = np.array(canvas.resize((7, 27), Image.Resampling.BOX), np.float32) / 255 > 0.33
    ink = np.zeros((height * 4, width * 4), np.float32)
    across, down = width * 4 / 7, height * 4 / 27
    for row, column in np.argwhere(grid):
        cv2.circle(ink, (round((column + 0.5) * across), round((row + 0.5) * down)), max(1, round(min(across, down) * 0.46)), 1.0, -1)
    return cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)


def thinned(ink: np.ndarray) -> np.ndarray:
    """Strokes of half the width, as of a print head that is not warm enough."""
    return cv2.erode(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))) * 0.8 + 0.15 * ink


def logo(printer: Printer, text: str, width: int, dice: random.Random) -> np.ndarray:
    height = dice.choice([50, 70, 90]) * SCALE
    face = font(printer.logo_face, height * 3 // 4)
    box = face.getbbox(text)
    canvas = Image.new("L", (box[2] + 8, height + 12), 0)
    ImageDraw.Draw(canvas).text((0, 0), text, fill=255, font=face)
    room = int(width * dice.uniform(0.3, 0.8))
    if canvas.width > room:
        canvas = canvas.resize((room, canvas.height * room // canvas.width))
    strip = np.zeros((canvas.height + 10 * SCALE, width), np.float32)
    x = (width - canvas.width) // 2
    strip[: canvas.height, x : x + canvas.width] = np.array(canvas, np.float32) / 255
    return strip


def qr_code(text: str, width: int, dice: random.Random, paper: int = HEAD) -> np.ndarray:
    code = qrcode.QRCode(border=4, error_correction=qrcode.constants.ERROR_CORRECT_M if len(text) < 200 else qrcode.constants.ERROR_CORRECT_L)
    code.add_data(text)
    code.make()
    cells = np.array(code.get_matrix(), np.float32)
    side = max(3, min(7, paper * dice.choice([50, 60, 70]) // 100 // cells.shape[0])) * SCALE
    picture = np.kron(cells, np.ones((side, side), np.float32))
    strip = np.zeros((picture.shape[0], width), np.float32)
    x = (width - picture.shape[1]) // 2
    strip[:, x : x + picture.shape[1]] = picture
    return strip


def bars(kind: str, digits: str, width: int) -> np.ndarray:
    widths = codes.itf_widths(digits) if kind == "itf" else codes.code128_widths(digits)
    dot = 2 * SCALE
    row, is_bar = [], True
    for w in widths:
        row += [1.0 if is_bar else 0.0] * (w * dot)
        is_bar = not is_bar
    strip = np.zeros((70 * SCALE, width), np.float32)
    row = np.array(row[: width - 20 * SCALE], np.float32)
    x = (width - len(row)) // 2
    strip[6 * SCALE : 64 * SCALE, x : x + len(row)] = row
    return strip


def written(printer: Printer, text: str, width: int, dice: random.Random) -> np.ndarray:
    """A printed label and a line with a handwritten value, from `label|value`."""
    label, _, value = text.partition("|")
    line = printer.line(Row(label), width)
    height = round(printer.pitch * 2.2 * SCALE)
    strip = np.zeros((height, width), np.float32)
    strip[-line.shape[0] :] = line
    left = max(width * 55 // 100, round(len(label) * printer.cell * SCALE) + MARGIN * 2 * SCALE)
    strip[-round(printer.pitch * 0.2 * SCALE) - 3 : -round(printer.pitch * 0.2 * SCALE), left : width - MARGIN * SCALE] = 1
    face = font(HAND, round(printer.capital * dice.uniform(1.5, 2.1) * SCALE))
    x = left + dice.randrange(4, 30)
    for letter in value:
        # Each character is drawn separately, slightly rotated and shifted.
        canvas = Image.new("L", (face.size * 2, height))
        ImageDraw.Draw(canvas).text((face.size // 2, height - round(printer.pitch * dice.uniform(0.2, 0.45) * SCALE)), letter, fill=255, font=face, anchor="ls", stroke_width=dice.choice([0, 1, 2]), stroke_fill=255)
        sign = np.array(canvas.rotate(dice.uniform(-7, 7), resample=Image.Resampling.BILINEAR), np.float32) / 255
        first = x - face.size // 2
        area = strip[:, max(0, first) : min(width, first + sign.shape[1])]
        np.maximum(area, sign[:, : area.shape[1]], out=area)
        x += round(face.getlength(letter) * dice.uniform(0.98, 1.2))
    return strip


def print_paper(printed: Printed, dice: random.Random, rendering: str = "") -> np.ndarray:
    """Ink (0…1) on the whole strip of paper. `rendering` is "", thin or matrix; other values have no effect here."""
    printer = Printer(dice, printed.style.columns, getattr(printed.style, "proportional", False), rendering)
    width = (HEAD + 2 * MARGIN) * SCALE
    blank = np.zeros((dice.randrange(20, 60) * SCALE, width), np.float32)
    strips = [blank]
    for row in printed.rows:
        if row.look == "logo":
            strips.append(logo(printer, row.text, width, dice) if dice.random() < 0.6 else printer.line(Row(row.text, "big", True), width))
        elif row.look == "qr":
            strips.append(qr_code(row.text, width, dice))
        elif row.look.startswith("bars:"):
            strips.append(bars(row.look[5:], row.text, width))
        elif row.look == "hand":
            strips.append(written(printer, row.text, width, dice))
        else:
            strips.append(printer.line(row, width))
    strips.append(blank)
    return np.concatenate(strips)
