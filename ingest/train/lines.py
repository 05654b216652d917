"""Generates training lines. Run as a program, it is a worker that fills a pool of lines on disk until
the file POOL/stop exists. When the pool is full, new lines replace the oldest.

    python lines.py POOL NUMBER --fonts FOLDER --texts PATH...
"""

import argparse
import os
import random

import numpy as np

import fonts
import picture
from alphabet import encode
from text import Texts

SCRIPT_SHARES = {"si": 0.42, "ta": 0.33, "en": 0.25}
POOL_LINES, MAX_LABELS = 30000, 64


class LineGenerator:
    def __init__(self, seed, folder, paths, validation=False, use_held_out=False):
        self.draw, self.noise = random.Random(seed), np.random.default_rng(seed)
        self.texts = Texts(paths, validation)
        trained, held_out = fonts.families(folder)
        self.faces = held_out if use_held_out else trained
        self.latin = held_out["en"] if use_held_out else trained["en"]

    def generate(self, script=None):
        """Generates a line. Returns its script, its text and its image."""
        while True:
            chosen = script or self.draw.choices(list(SCRIPT_SHARES), list(SCRIPT_SHARES.values()))[0]
            text = self.texts.line(chosen, self.draw)
            face, own = self.draw.choice(self.faces[chosen])
            own = own if own and self.draw.random() < 0.7 else self.draw.choice(self.latin)[0]
            neighbours = [self.texts.line(chosen, self.draw) or "."]
            made = picture.render_line(text, face, own, self.draw, self.noise, neighbours) if text else None
            if made is not None and made.shape[1] <= picture.MAX_WIDTH and 0 < len(encode(text)) <= MAX_LABELS:
                return chosen, text, made


def open_pool(path, number, mode="r"):
    """Opens a worker's pool. Returns the images, the labels, the sizes (width of the image and number of
    labels), and the number of lines generated so far."""
    shapes = {"pictures": (np.uint8, (POOL_LINES, picture.HEIGHT, picture.MAX_WIDTH)), "labels": (np.int16, (POOL_LINES, MAX_LABELS)), "sizes": (np.int32, (POOL_LINES, 2)), "made": (np.int64, (1,))}
    return [np.memmap(os.path.join(path, f"{number}.{name}"), kind, mode, shape=shape) for name, (kind, shape) in shapes.items()]


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pool")
    options.add_argument("number", type=int)
    options.add_argument("--fonts", required=True)
    options.add_argument("--texts", nargs="+", required=True)
    given = options.parse_args()
    os.makedirs(given.pool, exist_ok=True)
    pictures, labels, sizes, made = open_pool(given.pool, given.number, "w+")
    lines = LineGenerator(100 + given.number, given.fonts, given.texts)
    while not os.path.exists(os.path.join(given.pool, "stop")):
        _, text, image = lines.generate()
        at, classes = int(made[0]) % POOL_LINES, encode(text)
        pictures[at, :, : image.shape[1]] = image
        pictures[at, :, image.shape[1] :] = 0
        labels[at, : len(classes)] = classes
        sizes[at] = (image.shape[1], len(classes))
        made[0] += 1
