"""Converts print to a photograph: ink, paper, surroundings, light and camera. Each effect increases with the hardness (0…1)."""

import random
from dataclasses import dataclass

import cv2
import numpy as np

from .paper import SCALE as DOT
from .scene import Scene


@dataclass
class Shot:
    """The photograph and its effects, which are kept with the expected result to sort failures by cause."""

    picture: np.ndarray
    orientation: int
    quality: int
    causes: dict


def noise(generator: np.random.Generator, shape, cell: int) -> np.ndarray:
    """Smooth random brightness (-1…1) with features of about `cell` pixels."""
    small = generator.standard_normal((max(2, shape[0] // cell + 2), max(2, shape[1] // cell + 2))).astype(np.float32)
    grown = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return grown / max(1e-6, float(np.abs(grown).max()))


def thermal(ink: np.ndarray, dice: random.Random, generator: np.random.Generator, hardness: float, causes: dict) -> np.ndarray:
    """Converts ink to the brightness of the paper: uneven heat, missing dots, faded parts, and print that is visible from the back."""
    height, width = ink.shape
    ink = cv2.GaussianBlur(ink, (0, 0), 0.9 + 0.8 * dice.random())
    strength = np.full((height, width), dice.uniform(0.85, 1.0), np.float32)
    if dice.random() < 0.35 + 0.4 * hardness:
        fade = dice.uniform(0.1, 0.25 + 0.4 * hardness)
        strength *= 1 - fade * (0.5 + 0.5 * noise(generator, (height, width), 350))
        causes["faded"] = round(fade, 2)
    if dice.random() < 0.3 * hardness + 0.05:
        # Burnt-out dots of the head make thin white lines along the paper.
        for _ in range(dice.randint(1, 3)):
            x = dice.randrange(width)
            strength[:, x : x + dice.choice([2, 3])] *= 0.15
        causes["dead dots"] = True
    if dice.random() < 0.5 * hardness:
        # Uneven feed and heat make a fine grain in the print.
        strength *= 1 - 0.45 * np.clip(noise(generator, (height, width), 4), 0, 1)
        causes["grain"] = True
    paper = np.full((height, width), dice.uniform(0.9, 0.97), np.float32)
    if dice.random() < 0.25 + 0.3 * hardness:
        # Pale, mirrored advertising on the back.
        depth = dice.uniform(0.03, 0.06 + 0.07 * hardness)
        block = np.roll(ink[:, ::-1], dice.randrange(height), 0)
        block = cv2.GaussianBlur(cv2.resize(block[: height // 3], (width, height)), (0, 0), 4)
        paper -= depth * np.clip(block * 1.5, 0, 1)
        causes["back print"] = round(depth, 2)
    black = dice.uniform(0.08, 0.22)
    return paper - (paper - black) * np.clip(ink * strength, 0, 1)


def creased(paper: np.ndarray, dice: random.Random, generator: np.random.Generator, hardness: float, causes: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The shading of folds and crumples, and maps of the position of each point of the paper."""
    height, width = paper.shape
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    shade = np.ones((height, width), np.float32)
    folds = dice.randint(0, round(1 + 3 * hardness))
    for _ in range(folds):
        across = dice.random() < 0.75
        slant = dice.uniform(-0.08, 0.08)
        if across:
            away = ys - dice.uniform(0.1, 0.9) * height - slant * (xs - width / 2)
            reach = dice.uniform(0.05, 0.2) * height
        else:
            away = xs - dice.uniform(0.25, 0.75) * width - slant * (ys - height / 2) * 0.3
            reach = dice.uniform(0.2, 0.5) * width
        depth = dice.uniform(0.03, 0.06 + 0.14 * hardness)
        shade *= 1 - depth * np.exp(-np.abs(away) / reach) * np.sign(away)
        shade -= dice.uniform(-0.05, 0.14 * hardness + 0.02) * np.exp(-((away / (3 + 4 * dice.random())) ** 2))
        bend = dice.uniform(-1, 1) * (1 + 14 * hardness)
        if across:
            ys = ys + bend * np.exp(-np.abs(away) / reach)
        else:
            xs = xs + bend * np.exp(-np.abs(away) / reach)
    if folds:
        causes["folds"] = folds
    if dice.random() < 0.15 + 0.35 * hardness:
        wrinkle = 2 + 18 * hardness * dice.random()
        ys = ys + wrinkle * noise(generator, (height, width), 420)
        xs = xs + wrinkle * 0.6 * noise(generator, (height, width), 500)
        shade *= 1 + 0.05 * hardness * noise(generator, (height, width), 130)
        causes["crumpled"] = round(float(wrinkle), 1)
    if dice.random() < 0.35 + 0.3 * hardness:
        # Paper from a roll stays bent, so lines bow.
        bow = dice.uniform(-1, 1) * (2 + 26 * hardness)
        ys = ys + bow * (((np.mgrid[0:height, 0:width][1] / width) - 0.5) ** 2 * 4)
        causes["curl"] = round(abs(bow), 1)
    return shade, xs, ys


def background(dice: random.Random, generator: np.random.Generator, shape) -> np.ndarray:
    """The surface below the paper, in colour: wood, stone, cloth, or an almost plain dark or pale one."""
    height, width = shape
    kind = dice.choice(["wood", "wood", "stone", "cloth", "dark", "pale"])
    base = {"wood": (70, 105, 150), "stone": (125, 128, 130), "cloth": (dice.randrange(60, 180), dice.randrange(60, 180), dice.randrange(60, 180)), "dark": (35, 36, 40), "pale": (195, 200, 203)}[kind]
    field = np.zeros(shape, np.float32)
    if kind == "wood":
        grain = noise(generator, (height, max(4, width // 16)), 6)
        field = cv2.resize(grain, (width, height)).T if dice.random() < 0.5 and height == width else cv2.resize(grain, (width, height))
        field = field * 0.16 + noise(generator, shape, 300) * 0.12
    elif kind == "stone":
        field = noise(generator, shape, 7) * 0.15 + noise(generator, shape, 90) * 0.1
    elif kind == "cloth":
        ys, xs = np.mgrid[0:height, 0:width]
        field = (0.06 * np.sin(xs * dice.uniform(0.5, 1.4)) * np.sin(ys * dice.uniform(0.5, 1.4))).astype(np.float32)
    else:
        field = noise(generator, shape, 200) * 0.08
    return np.clip(np.array(base, np.float32)[None, None] / 255 * (1 + field[..., None]), 0, 1)


def photograph(ink: np.ndarray, dice: random.Random, hardness: float, around: Scene | None = None) -> Shot:
    """The picture as the camera stores it, with EXIF orientation and JPEG quality. `around` is what surrounds the paper."""
    causes: dict = {}
    generator = np.random.default_rng(dice.getrandbits(63))
    paper = thermal(ink, dice, generator, hardness, causes)
    if around:
        paper = around.on_paper(paper, causes)
    shade, xs, ys = creased(paper, dice, generator, hardness, causes)
    height, width = paper.shape

    long_side = around.long_side if around else dice.choice([1440, 1440, 1600, 2048, 2048, 4032])
    frame = (long_side, long_side * 3 // 4)
    causes["camera"] = frame[0]
    # The strip fills most of the long side of the frame; a long strip fills all of it.
    fill = dice.uniform(0.75, 0.97)
    scale = min(frame[0] * fill / height, frame[1] * dice.uniform(0.65, 0.95) / width)
    # Print must be large enough to be read, so long strips are photographed with more pixels.
    smallest = (around.least_dot if around else dice.uniform(0.95, 1.25)) / DOT
    if scale < smallest:
        frame = tuple(round(side * smallest / scale) for side in frame)
        causes["camera"], scale = frame[0], smallest
    dots = scale * DOT
    causes["pixels per dot"] = round(dots, 2)
    tilt = np.deg2rad(dice.gauss(0, 0.15 + 2.2 * hardness))
    lean = [dice.uniform(-1, 1) * (0.003 + 0.08 * hardness) for _ in range(2)]
    corners = np.array([[-width / 2, -height / 2], [width / 2, -height / 2], [width / 2, height / 2], [-width / 2, height / 2]], np.float64) * scale
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    placed = corners @ turn.T
    depth = 1 + lean[0] * placed[:, 0] / (width * scale) + lean[1] * placed[:, 1] / (height * scale)
    placed = placed / depth[:, None]
    # Portrait: the long side of the picture is along the strip.
    size = (frame[1], frame[0])
    span = np.abs(placed).max(0)
    shrink = min(1.0, size[0] / 2 * 0.99 / span[0], size[1] / 2 * 0.99 / span[1])
    placed = placed * shrink + np.array(size) / 2 + [dice.uniform(-0.5, 0.5) * max(0, size[i] - 2 * span[i] * shrink) * 0.8 for i in range(2)]
    causes["tilt"] = round(float(np.rad2deg(tilt)), 1)
    causes["perspective"] = round(max(abs(lean[0]), abs(lean[1])), 3)

    if dice.random() < 0.85:
        # Cropped to the paper, by the phone or its owner.
        border = [round(dice.uniform(-0.005, 0.05) * size[0]) for _ in range(4)]
        first = np.maximum(0, np.floor(placed.min(0)).astype(int) - border[:2])
        last = np.minimum(size, np.ceil(placed.max(0)).astype(int) + border[2:])
        if around:
            first, last = around.cut(first, last, placed, causes)
        placed = placed - first
        size = (int(last[0] - first[0]), int(last[1] - first[1]))
        causes["cropped"] = True

    # The transformation from the frame to the paper.
    inverse = cv2.getPerspectiveTransform(
        placed.astype(np.float32), np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32))
    lit = paper * shade
    # Maps the deformed strip to the camera's view. It is smoothed first if it becomes smaller.
    sigma = 0.45 / max(0.2, scale * shrink)
    if sigma > 0.5:
        lit = cv2.GaussianBlur(lit, (0, 0), sigma)
    strip = cv2.remap(lit, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.warpPerspective(strip, inverse, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=-1)
    mask = cv2.warpPerspective(np.ones_like(strip), inverse, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=0)
    shape = (size[1], size[0])
    scene = background(dice, generator, shape)
    if around:
        scene = around.on_table(scene, causes)
    # A soft shadow beside the strip.
    offset = round(0.006 * size[1])
    shadow = cv2.GaussianBlur(np.roll(mask, (offset, offset), (0, 1)), (0, 0), offset + 1)
    scene *= (1 - 0.45 * shadow)[..., None]
    tint = np.array([dice.uniform(0.9, 1.0), dice.uniform(0.95, 1.0), 1.0], np.float32)
    scene = scene * (1 - mask[..., None]) + np.clip(seen, 0, 1)[..., None] * tint * mask[..., None]

    scene *= light(dice, generator, shape, hardness, causes)[..., None]
    if around:
        scene = around.on_picture(scene, placed, causes)
    scene = lens(scene, dice, generator, hardness, dots * shrink, causes)
    picture = np.clip(scene * 255, 0, 255).astype(np.uint8)
    orientation = dice.choice([6, 6, 8, 3]) if dice.random() < 0.06 else 1
    picture = stored(picture, orientation)
    if dice.random() < 0.04:
        # Above a table, cameras can guess the wrong orientation. The file does not show that.
        picture = np.ascontiguousarray(np.rot90(picture, dice.choice([1, 3])))
        orientation = 1
        causes["sideways"] = True
    quality = dice.randint(round(88 - 38 * hardness), 92)
    causes["jpeg"] = quality
    return Shot(picture, orientation, quality, causes)


def light(dice: random.Random, generator: np.random.Generator, shape, hardness: float, causes: dict) -> np.ndarray:
    """The light on each pixel: a gradient, the shadow of a hand or the phone, and the exposure."""
    height, width = shape
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    angle, slope = dice.uniform(0, 6.3), dice.uniform(0, 0.1 + 0.3 * hardness)
    field = 1 - slope * (0.5 + 0.5 * (xs * np.cos(angle) + ys * np.sin(angle)))
    if dice.random() < 0.2 + 0.4 * hardness:
        angle, place = dice.uniform(0, 6.3), dice.uniform(-0.5, 0.7)
        edge = xs * np.cos(angle) + ys * np.sin(angle) - place + 0.1 * noise(generator, shape, max(shape) // 3)
        dark = dice.uniform(0.15, 0.25 + 0.35 * hardness)
        field *= 1 - dark / (1 + np.exp(-edge / dice.uniform(0.02, 0.15)))
        causes["shadow"] = round(dark, 2)
    exposure = dice.uniform(1.0 - 0.45 * hardness, 1.08)
    causes["exposure"] = round(exposure, 2)
    return field * exposure


def lens(scene: np.ndarray, dice: random.Random, generator: np.random.Generator, hardness: float, dots: float, causes: dict) -> np.ndarray:
    """Defocus, motion, noise, and sharpening by the phone. Blur is measured in dots of print, not in pixels."""
    blur = dice.uniform(0.3, 0.55 + 1.0 * hardness) * max(0.55, dots)
    scene = cv2.GaussianBlur(scene, (0, 0), max(0.4, blur * 0.75))
    causes["blur in dots"] = round(blur * 0.75 / dots, 2)
    if dice.random() < 0.15 + 0.3 * hardness:
        length = dice.uniform(0.3, 0.6 + 1.2 * hardness) * dots
        angle, size = dice.uniform(0, 3.14), 2 * int(length) + 3
        kernel = np.zeros((size, size), np.float32)
        for step in np.linspace(-length / 2, length / 2, 40):
            kernel[round(size / 2 - 0.5 + step * np.sin(angle)), round(size / 2 - 0.5 + step * np.cos(angle))] += 1
        scene = cv2.filter2D(scene, -1, kernel / kernel.sum())
        causes["motion in dots"] = round(length / dots, 2)
    grain = dice.uniform(0.004, 0.01 + 0.035 * hardness)
    scene = scene + (generator.standard_normal(scene.shape[:2]).astype(np.float32) * grain)[..., None]
    causes["noise"] = round(grain, 3)
    if dice.random() < 0.5:
        scene = scene + 0.6 * (scene - cv2.GaussianBlur(scene, (0, 0), 1.5))
    return scene


def stored(picture: np.ndarray, orientation: int) -> np.ndarray:
    """The pixels as a camera stores them. A viewer that obeys the EXIF orientation shows the picture upright."""
    turns = {1: 0, 6: 1, 3: 2, 8: 3}[orientation]
    return np.ascontiguousarray(np.rot90(picture, turns))
