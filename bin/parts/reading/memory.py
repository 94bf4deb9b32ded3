"""Measures the peak memory of the reader's child on pictures of 50 megapixels."""

import io
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from .reader import Reader

SIDES = (8160, 6120)


def large(drawn: Path) -> Image.Image:
    """Returns a drawn receipt, enlarged to 50 megapixels and with the noise of a phone's camera."""
    image = Image.open(drawn).convert("RGB")
    size = SIDES if image.width > image.height else SIDES[::-1]
    image = image.resize(size, Image.Resampling.BICUBIC)
    grain = np.random.default_rng(1)
    pixels = np.array(image)
    for first in range(0, pixels.shape[0], 512):
        part = pixels[first : first + 512].astype(np.int16)
        part += grain.integers(-6, 7, part.shape, dtype=np.int16)
        pixels[first : first + 512] = np.clip(part, 0, 255)
    return Image.fromarray(pixels)


def peaks(path: Path, drawn: Path) -> tuple[dict[str, tuple[int, float, str]], int]:
    """Returns the peak in MiB, the CPU seconds and the outcome for each format, and the MiB of the parent before these jobs."""
    image = large(drawn)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        jpeg = io.BytesIO()
        image.save(jpeg, "JPEG", quality=88)
        files = {"JPEG": jpeg.getvalue()}
        jpeg = io.BytesIO()
        image.save(jpeg, "JPEG", quality=88, progressive=True)
        files["progressive JPEG"] = jpeg.getvalue()
        source = Path(folder, "large.jpg")
        source.write_bytes(files["JPEG"])
        heic = Path(folder, "large.heic")
        made = subprocess.run(["heif-enc", "-q", "45", str(source), "-o", str(heic)], capture_output=True)
        if made.returncode == 0:
            files["HEIC"] = heic.read_bytes()
    with Reader(path) as reader:
        # Reads a damaged file, to wait until the engines are loaded.
        reader.read(files["JPEG"][:900])
        parent = reader.own_memory()[0] // 1024
        for kind, content in files.items():
            reading = reader.read(content, watched=True)
            results[kind] = (reading.peak_kib // 1024, reading.cpu, reading.outcome)
    return results, parent
