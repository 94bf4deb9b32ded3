"""Converts a sheet to ink or to a PDF with text."""

import random
import zlib

import numpy as np
from PIL import Image, ImageDraw

from ..paper import font
from .sheets import HEIGHT, WIDTH, Sheet

# Pixels per point. Capitals of ten points are as high as the small print of a till.
SCALE = 260 / 72
FACES = {
    "sans": ("liberation/LiberationSans-Regular.ttf", "liberation/LiberationSans-Bold.ttf", "Helvetica", "Helvetica-Bold"),
    "serif": ("liberation/LiberationSerif-Regular.ttf", "liberation/LiberationSerif-Bold.ttf", "Times-Roman", "Times-Bold"),
    "narrow": ("liberation/LiberationSansNarrow-Regular.ttf", "liberation/LiberationSansNarrow-Bold.ttf", "Helvetica", "Helvetica-Bold"),
}


def width(text: str, path: str, size: float) -> float:
    return font(path, 200).getlength(text) * size / 200


def ink(sheet: Sheet) -> np.ndarray:
    canvas = Image.new("L", (round(WIDTH * SCALE), round(HEIGHT * SCALE)))
    pen = ImageDraw.Draw(canvas)
    for x, y, text, size, bold, right in sheet.pages[0]:
        path = FACES[sheet.face][bold]
        left = x - width(text, path, size) if right else x
        pen.text((left * SCALE, y * SCALE), text, fill=255, font=font(path, round(size * SCALE)), anchor="ls")
    return np.array(canvas, np.float32) / 255


def pdf(sheet: Sheet, dice: random.Random) -> bytes:
    """A PDF of one page with the standard fonts. In 40 % of the files, each word is positioned separately."""
    by_word = dice.random() < 0.4
    faces = FACES["sans" if sheet.face == "narrow" else sheet.face]
    parts = []
    for x, y, text, size, bold, right in sheet.pages[0]:
        left = x - width(text, faces[bold], size) if right else x
        for piece in text.split(" ") if by_word else [text]:
            code = piece.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
            parts.append(f"BT /F{1 + bold} {size:g} Tf {left:.2f} {HEIGHT - y:.2f} Td (".encode() + code + b") Tj ET")
            left += width(piece + " ", faces[bold], size)
    stream = zlib.compress(b"\n".join(parts))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>".encode(),
        f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream",
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode() for name in faces[2:])]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    start = len(file)
    return file + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + table + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
