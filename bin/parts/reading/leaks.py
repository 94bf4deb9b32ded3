"""Measures memory and descriptors of the reader's parent over many jobs, to find leaks."""

import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from .reader import Reader


def picture(kind: str) -> bytes:
    image = Image.new("L", (360, 200), 235)
    face = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", 24)
    ImageDraw.Draw(image).text((20, 20), "KORBMANN\nMILCH    1,29 A\nSUMME    1,29", fill=20, font=face)
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def watch(path: Path, jobs: int):
    """Yields about twelve times: the number of jobs done, resident KiB, descriptors and the outcomes so far."""
    jpeg = picture("JPEG")
    files = [jpeg, picture("PNG"), picture("WEBP"), picture("PDF"), jpeg[:900], b"GIF89a" + bytes(20), b"%PDF-1.4\n%%EOF"]
    outcomes: dict[str, int] = {}
    with Reader(path) as reader:
        for job in range(jobs):
            outcome = reader.read(files[job % len(files)]).outcome
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if job in (0, 9) or (job + 1) % max(1, jobs // 10) == 0:
                yield job + 1, *reader.own_memory(), dict(outcomes)
