"""The alphabet of the recogniser: the classes of the network.

A class is one printed sign. Sinhala joins letters with a virama and a zero width joiner. The two
most common joints and the repaya are single classes, because a narrow sign has no room for three
outputs.
"""

import re
import unicodedata

JOINT_RA = "\u0dca\u200d\u0dbb"
JOINT_YA = "\u0dca\u200d\u0dba"
REPAYA = "\u0dbb\u0dca\u200d"
JOINTS = [JOINT_RA, JOINT_YA, REPAYA]
JOINER = "\u200d"


def block(first, last):
    """The assigned characters of a range."""
    return [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Cn"]


SINHALA = block(0x0D82, 0x0DDE)
TAMIL = block(0x0B82, 0x0BCD)
LATIN = block(0x20, 0x7E) + list("–—‘’“”•½¼£×°…")
# Class 0 is the CTC blank.
CLASSES = LATIN + [JOINER] + SINHALA + JOINTS + TAMIL
NUMBER = {token: number + 1 for number, token in enumerate(CLASSES)}
TOKENS = re.compile("|".join(map(re.escape, sorted(CLASSES, key=len, reverse=True))))


def clean(text):
    """The text in NFC without unsupported characters and with single spaces."""
    text = unicodedata.normalize("NFC", text).replace("\u200c", "").replace("\u00a0", " ")
    return re.sub(r"\s+", " ", "".join(TOKENS.findall(re.sub(r"\s", " ", text)))).strip()


def encode(text):
    """The class indices of a cleaned text."""
    return [NUMBER[token] for token in TOKENS.findall(text)]


def decode(classes):
    """Greedy CTC decoding."""
    pairs = zip(classes, [0, *classes])
    return "".join(CLASSES[now - 1] for now, before in pairs if now and now != before)
