"""Renders a line of text like a scanned newspaper and normalises it for the recogniser."""

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from fonts import code_points

HEIGHT = 32
MAX_WIDTH = 560
# The percentiles that give the brightness of ink and of paper, and the smallest contrast between
# ink and paper. They must equal those in `../src/ocr/recogniser.rs`.
INK_PERCENTILE, PAPER_PERCENTILE = 3, 92
MIN_CONTRAST = 20

cv2.setNumThreads(1)
_fonts = {}


def load_font(path, size):
    key = (path, size)
    if key not in _fonts:
        if len(_fonts) > 1500:
            _fonts.clear()
        _fonts[key] = ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.RAQM)
    return _fonts[key]


def normalise(picture, stretch=1.0):
    """Returns the network input of a line: HEIGHT rows, ink 255, paper 0."""
    height, width = picture.shape
    size = (max(8, int(round(width * HEIGHT / height * stretch))), HEIGHT)
    picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR).astype(np.float32)
    ink, paper = np.percentile(picture, INK_PERCENTILE), np.percentile(picture, PAPER_PERCENTILE)
    dark = 1 - (picture - ink) / max(MIN_CONTRAST, paper - ink)
    return np.clip(255 * dark, 0, 255).astype(np.uint8)


def split_by_font(word, covered):
    """Splits a word into parts that the native font covers and parts that it does not cover."""
    pieces = []
    for character in word:
        is_native = ord(character) in covered or character == "\u200d"
        if pieces and pieces[-1][1] == is_native:
            pieces[-1][0] += character
        else:
            pieces.append([character, is_native])
    return pieces


def smooth_noise(noise, height, width, size, strength):
    grid = noise.standard_normal((max(2, height // size), max(2, width // size))).astype(np.float32)
    return cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC) * strength


def draw_line(text, face, latin, draw, neighbours):
    """Draws a line in black on white, often with text of a neighbouring line above or below.

    Returns the image, the extent of the line's own ink, the type size and the baseline, or None if the
    line has no ink."""
    size = draw.randint(26, 44)
    native, other = load_font(face, size), load_font(latin, max(8, int(size * draw.uniform(0.88, 1.05))))
    covered = code_points(face)
    gap = size * 0.26 * draw.choice([1, 1, 1, draw.uniform(0.7, 2.6)])
    along, pieces = 14.0, []
    for word in text.split(" "):
        for piece, is_native in split_by_font(word, covered):
            chosen = native if is_native else other
            pieces.append((along, piece, chosen))
            along += chosen.getlength(piece)
        along += gap
    width, height, base = int(along - gap + 16), int(size * 3.4), int(size * 1.95)
    image = Image.new("L", (width, height), 255)
    canvas = ImageDraw.Draw(image)
    for left, piece, chosen in pieces:
        canvas.text((left, base), piece, font=chosen, fill=0, anchor="ls")
    own = np.asarray(image)
    rows, columns = np.where(own.min(1) < 140)[0], np.where(own.min(0) < 140)[0]
    if len(rows) == 0:
        return None
    extent = (rows[0], rows[-1] + 1, columns[0], columns[-1] + 1)
    if draw.random() < 0.55:
        pitch = size * draw.uniform(1.1, 1.5)
        for side in draw.sample([-1, 1], draw.randint(1, 2)):
            canvas.text((draw.randint(-40, 14), int(base + side * pitch)), draw.choice(neighbours), font=native, fill=0, anchor="ls")
    if draw.random() < 0.05:
        under = base + int(size * draw.uniform(0.12, 0.3))
        canvas.line((extent[2], under, extent[3], under), fill=0, width=draw.randint(1, 3))
    if draw.random() < 0.06:
        side = draw.choice([extent[2] - draw.randint(4, 10), extent[3] + draw.randint(3, 10)])
        canvas.line((side, 0, side, height), fill=0, width=draw.randint(1, 4))
    return np.asarray(image), extent, size, base


def degrade(picture, draw, noise):
    """Simulates print and scan: ink spread or loss, paper, show-through, skew, blur, grain and JPEG. Also
    returns the factor by which the width has changed."""
    height, width = picture.shape
    black = picture
    picture = picture.astype(np.float32)
    way = draw.random()
    if way < 0.45:
        spread = cv2.erode(picture, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))
        share = np.clip(draw.uniform(0, 0.6) + smooth_noise(noise, height, width, 60, 0.2), 0, 1)
        picture = picture * (1 - share) + spread * share
    elif way < 0.58:
        thin = cv2.dilate(picture, np.ones((2, 2), np.uint8))
        share = draw.uniform(0.2, 1)
        picture = picture * (1 - share) + thin * share
    if draw.random() < 0.3:
        broken = smooth_noise(noise, height, width, 3, 1.0)
        picture = np.where((broken > 2.0) & (picture < 128), picture + 110, picture)
    if draw.random() < 0.3:
        across = draw.uniform(0.74, 1.0)
        picture = cv2.resize(picture, (max(8, int(width * across)), height), interpolation=cv2.INTER_AREA)
        black = cv2.resize(black, (picture.shape[1], height), interpolation=cv2.INTER_AREA)
    stretched = picture.shape[1] / width
    width = picture.shape[1]
    ink, paper = draw.uniform(5, 110), draw.uniform(185, 252)
    picture = ink + picture / 255 * (paper - ink)
    if draw.random() < 0.3:
        back = cv2.GaussianBlur(cv2.flip(black, -1).astype(np.float32), (0, 0), 2.2)
        picture -= draw.uniform(0.03, 0.13) * (255 - back)
    picture += smooth_noise(noise, height, width, 6, draw.uniform(0, 6)) + smooth_noise(noise, height, width, 60, draw.uniform(0, 8))
    if draw.random() < 0.6:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), draw.gauss(0, 0.45) * min(1, 300 / width), 1)
        turn[0, 1] += draw.gauss(0, 0.05)
        picture = cv2.warpAffine(picture, turn, (width, height), borderValue=paper, flags=cv2.INTER_LINEAR)
    picture = cv2.GaussianBlur(picture, (0, 0), draw.uniform(0.35, 1.7))
    picture += noise.standard_normal(picture.shape).astype(np.float32) * draw.uniform(1, 17)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if draw.random() < 0.7:
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, draw.randint(35, 88)])[1], 0)
    return picture, stretched


def render_line(text, face, latin, draw, noise, neighbours):
    """Returns a training image, or None if the fonts draw no ink for the text."""
    made = draw_line(text, face, latin, draw, neighbours)
    if made is None:
        return None
    black, (top, bottom, left, right), size, base = made
    picture, stretched = degrade(black, draw, noise)
    left, right = int(left * stretched), int(right * stretched)
    off = lambda most: int(round(size * draw.uniform(-0.03, most)))
    if draw.random() < 0.7:
        top, bottom = top - off(0.2), bottom + off(0.2)
    else:
        top = min(top, int(base - size * draw.uniform(0.85, 1.1)))
        bottom = max(bottom, int(base + size * draw.uniform(0.25, 0.45)))
    left, right = max(0, left - draw.randint(0, 9)), min(picture.shape[1], right + draw.randint(0, 12))
    top, bottom = max(0, top), min(picture.shape[0], bottom)
    return normalise(picture[top:bottom, left:right], draw.uniform(0.9, 1.12))
