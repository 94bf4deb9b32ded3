"""Additional effects on and around a photographed receipt: print on the back, worn print heads, other sheets, hands, flash
and the edge of the frame."""

import random

import cv2
import numpy as np

from .paper import SCALE as DOT


class Scene:
    """The surroundings of one photograph. Each step changes the brightness (0…1) or colours of a picture, and records its effects."""

    def __init__(self, dice: random.Random, hardness: float, other: np.ndarray, rendering: str = ""):
        """`other` is the ink of another receipt, which is visible through the paper or lies beside it."""
        self.dice, self.hardness, self.other = dice, hardness, other
        self.has_back_text = dice.random() < 0.12 + 0.25 * hardness
        self.has_worn_head = dice.random() < 0.05 + 0.15 * hardness
        self.has_neighbour = dice.random() < 0.1 + 0.15 * hardness
        self.has_hand = dice.random() < 0.06 + 0.14 * hardness
        self.has_flash = dice.random() < 0.06 + 0.12 * hardness
        self.is_cut = dice.random() < 0.08 + 0.1 * hardness
        # The long side of the picture in pixels: 640 for a picture that a messenger app has reduced, 4032 for 12
        # megapixels. `least_dot` is the minimum number of pixels per dot of print.
        self.long_side = dice.choice([640, 900, 1280, 1440, 1600, 2048, 2560, 4032])
        self.least_dot = dice.uniform(1.05 - 0.45 * hardness, 1.3)
        if rendering == "small":
            self.long_side, self.least_dot = 640, 0.5

    def on_paper(self, paper: np.ndarray, causes: dict) -> np.ndarray:
        height, width = paper.shape
        if self.has_back_text:
            depth = self.dice.uniform(0.03, 0.06 + 0.16 * self.hardness)
            back = cv2.GaussianBlur(_fitted(self.other[:, ::-1], height, width, self.dice), (0, 0), self.dice.uniform(1.5, 3.5))
            paper = paper - depth * back
            causes["back text"] = round(depth, 2)
        if self.has_worn_head:
            for _ in range(self.dice.randint(1, 4)):
                x, wide = self.dice.randrange(width), self.dice.choice([2, 2, 3, 4]) * DOT // 2
                column = paper[:, x : x + wide]
                column += (0.93 - column) * self.dice.uniform(0.5, 0.95)
            causes["worn head"] = True
        return paper

    def on_table(self, table: np.ndarray, causes: dict) -> np.ndarray:
        """Adds another sheet on the table, below the receipt."""
        if not self.has_neighbour:
            return table
        height, width = table.shape[:2]
        sheet = 0.92 - 0.75 * _fitted(self.other, height, max(8, width // 2), self.dice)
        angle, x = self.dice.uniform(-12, 12), self.dice.choice([-0.35, 0.85]) * width
        turn = cv2.getRotationMatrix2D((width / 4, height / 2), angle, 1)
        turn[0, 2] += x
        turn[1, 2] += self.dice.uniform(-0.3, 0.3) * height
        seen = cv2.warpAffine(sheet, turn, (width, height), borderValue=-1)
        causes["neighbour"] = True
        return np.where(seen[..., None] > 0, np.clip(seen, 0, 1)[..., None], table)

    def on_picture(self, scene: np.ndarray, corners: np.ndarray, causes: dict) -> np.ndarray:
        """Adds fingers at the paper's edge, and a flash. `corners`: top left, top right, bottom right, bottom left."""
        height, width = scene.shape[:2]
        if self.has_hand:
            skin = np.array([105, 140, 200], np.float32) / 255 * self.dice.uniform(0.55, 1.05)
            side = self.dice.choice([0, 1])
            top, bottom = corners[[0, 1][side]], corners[[3, 2][side]]
            mask = np.zeros((height, width), np.float32)
            thick = max(6, round(0.05 * width))
            for finger in range(self.dice.choice([1, 1, 3])):
                along = self.dice.uniform(0.02, 0.98) if finger == 0 else along + 0.055
                tip = top + (bottom - top) * along + np.array([(0.35 if side == 0 else -0.35) * thick, 0])
                start = tip + np.array([(-3 if side == 0 else 3) * thick, thick * 0.6])
                cv2.line(mask, tuple(int(v) for v in start), tuple(int(v) for v in tip), 1.0, thick, cv2.LINE_AA)
            mask = cv2.GaussianBlur(mask, (0, 0), 1 + thick / 12)[..., None]
            scene = scene * (1 - mask) + skin * (0.85 + 0.15 * mask) * mask
            causes["hand"] = True
        if self.has_flash:
            ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
            cx, cy = self.dice.uniform(0.2, 0.8) * width, self.dice.uniform(0.15, 0.85) * height
            reach = self.dice.uniform(0.08, 0.22) * max(height, width)
            strength = self.dice.uniform(0.15, 0.25 + 0.4 * self.hardness)
            spot = strength * np.exp(-(((xs - cx) ** 2 + (ys - cy) ** 2) / (2 * reach**2)))
            scene = scene + (1 - scene) * spot[..., None]
            causes["flash"] = round(strength, 2)
        return scene

    def cut(self, first: np.ndarray, last: np.ndarray, corners: np.ndarray, causes: dict) -> tuple[np.ndarray, np.ndarray]:
        """Moves the left or the right edge of the frame into the paper's margin."""
        if self.is_cut:
            width = abs(corners[1][0] - corners[0][0])
            inset = round(width * self.dice.uniform(0.0, 0.022))
            if self.dice.random() < 0.5:
                first = first + np.array([inset + max(0, int(corners[[0, 3], 0].min()) - first[0]), 0])
            else:
                last = last - np.array([inset + max(0, last[0] - int(corners[[1, 2], 0].max())), 0])
            causes["cut by frame"] = True
        return first, last


def _fitted(ink: np.ndarray, height: int, width: int, dice: random.Random) -> np.ndarray:
    """The ink scaled to a width, and repeated or cut to a height from a random position."""
    scaled = cv2.resize(ink, (width, max(1, ink.shape[0] * width // ink.shape[1])), interpolation=cv2.INTER_AREA)
    times = -(-height // scaled.shape[0]) + 1
    tall = np.concatenate([scaled] * times)
    start = dice.randrange(tall.shape[0] - height + 1)
    return tall[start : start + height]
