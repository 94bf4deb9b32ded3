"""Draws fiscal codes with blur, tilt and perspective, and counts those that the reader finds."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import qrcode
from PIL import Image

from .reader import Reader

MODULE, BLUR, TURN, TILT, QUALITY = 3, 1.5, 8, 10, 60


def picture(payload: str) -> bytes:
    """Draws a code with 3 px per module on a receipt-like sheet: turned by 8°, tilted by 10°, blurred by 1.5 px, as JPEG of quality 60."""
    code = qrcode.QRCode(border=4, box_size=1, error_correction=qrcode.constants.ERROR_CORRECT_M)
    code.add_data(payload)
    code.make()
    cells = 1 - np.array(code.get_matrix(), np.float32)
    # Drawn at a higher resolution first, so that a module is 3 px wide after turning.
    fine = np.kron(cells, np.ones((12, 12), np.float32)) * 205 + 25
    side, edge = fine.shape[0], fine.shape[0] * MODULE / 12
    room = int(edge * 1.6) + 40
    angle, tilt = np.deg2rad(TURN), np.deg2rad(TILT)
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * edge / 2
    turned = flat @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    # Tilted back by 10°. The distance of the camera is four times the side of the code.
    depth = 1 + turned[:, 1] * np.sin(tilt) / (4 * edge)
    seen = np.stack([turned[:, 0], turned[:, 1] * np.cos(tilt)], 1) / depth[:, None] + room / 2
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, (seen * 4).astype(np.float32))
    sheet = cv2.warpPerspective(fine, matrix, (room * 4, room * 4), borderValue=230)
    sheet = cv2.GaussianBlur(cv2.resize(sheet, (room, room), interpolation=cv2.INTER_AREA), (0, 0), BLUR)
    file = io.BytesIO()
    Image.fromarray(np.clip(sheet, 0, 255).astype(np.uint8)).save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def found(reader: Reader, payloads: Path) -> tuple[int, int, list[str]]:
    """Returns the number of codes that the reader finds, the number of all codes, and the names of those not found."""
    entries = json.loads(payloads.read_text(encoding="utf-8"))
    missed = []
    for entry in entries:
        reading = reader.read(picture(entry["payload"]))
        if entry["payload"] not in [text for _, text in reading.codes]:
            missed.append(entry["name"])
    return len(entries) - len(missed), len(entries), missed
