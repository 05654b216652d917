"""Generates training lines. As a program, it is a worker that continuously fills a pool of lines on disk.

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

SHARES = {"si": 0.42, "ta": 0.33, "en": 0.25}
POOL, LABELS = 30000, 64


class Lines:
    def __init__(self, seed, folder, paths, validation=False, withheld=False):
        self.draw, self.noise = random.Random(seed), np.random.default_rng(seed)
        self.texts = Texts(paths, validation)
        taught, kept = fonts.families(folder)
        self.faces = kept if withheld else taught
        self.latin = kept["en"] if withheld else taught["en"]

    def one(self, script=None):
        """A script, the text of a line, and its image."""
        while True:
            chosen = script or self.draw.choices(list(SHARES), list(SHARES.values()))[0]
            text = self.texts.line(chosen, self.draw)
            face, own = self.draw.choice(self.faces[chosen])
            own = own if own and self.draw.random() < 0.7 else self.draw.choice(self.latin)[0]
            neighbours = [self.texts.line(chosen, self.draw) or "."]
            made = picture.line(text, face, own, self.draw, self.noise, neighbours) if text else None
            if made is not None and made.shape[1] <= picture.WIDEST and 0 < len(encode(text)) <= LABELS:
                return chosen, text, made


def pool(path, number, mode="r"):
    """The images, labels, widths and lengths of a worker's pool, and the number of lines so far."""
    shapes = {"pictures": (np.uint8, (POOL, picture.HEIGHT, picture.WIDEST)), "labels": (np.int16, (POOL, LABELS)), "sizes": (np.int32, (POOL, 2)), "made": (np.int64, (1,))}
    return [np.memmap(os.path.join(path, f"{number}.{name}"), kind, mode, shape=shape) for name, (kind, shape) in shapes.items()]


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pool")
    options.add_argument("number", type=int)
    options.add_argument("--fonts", required=True)
    options.add_argument("--texts", nargs="+", required=True)
    given = options.parse_args()
    os.makedirs(given.pool, exist_ok=True)
    pictures, labels, sizes, made = pool(given.pool, given.number, "w+")
    lines = Lines(100 + given.number, given.fonts, given.texts)
    while not os.path.exists(os.path.join(given.pool, "stop")):
        _, text, image = lines.one()
        at, classes = int(made[0]) % POOL, encode(text)
        pictures[at, :, : image.shape[1]] = image
        pictures[at, :, image.shape[1] :] = 0
        labels[at, : len(classes)] = classes
        sizes[at] = (image.shape[1], len(classes))
        made[0] += 1
