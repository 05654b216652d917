"""The alphabet of the recogniser: the classes of the network.

A class is one printed sign. Sinhala joins letters with a virama and a zero width joiner. The two
most common joints and the repaya are single classes: each is a narrow sign of three characters, and
the network has too few time steps for three outputs.
"""

import re
import unicodedata

JOINT_RA = "\u0dca\u200d\u0dbb"
JOINT_YA = "\u0dca\u200d\u0dba"
REPAYA = "\u0dbb\u0dca\u200d"
JOINTS = [JOINT_RA, JOINT_YA, REPAYA]
JOINER = "\u200d"


def assigned_characters(first, last):
    """Returns the assigned characters of a Unicode range."""
    return [chr(code) for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Cn"]


SINHALA = assigned_characters(0x0D82, 0x0DDE)
TAMIL = assigned_characters(0x0B82, 0x0BCD)
LATIN = assigned_characters(0x20, 0x7E) + list("–—‘’“”•½¼£×°…")
# Class 0 is the CTC blank.
CLASSES = LATIN + [JOINER] + SINHALA + JOINTS + TAMIL
CLASS_NUMBERS = {token: number + 1 for number, token in enumerate(CLASSES)}
TOKEN_PATTERN = re.compile("|".join(map(re.escape, sorted(CLASSES, key=len, reverse=True))))


def clean(text):
    """Returns the text in NFC, without unsupported characters and with single spaces."""
    text = unicodedata.normalize("NFC", text).replace("\u200c", "").replace("\u00a0", " ")
    return re.sub(r"\s+", " ", "".join(TOKEN_PATTERN.findall(re.sub(r"\s", " ", text)))).strip()


def encode(text):
    """Returns the class of each sign of a cleaned text."""
    return [CLASS_NUMBERS[token] for token in TOKEN_PATTERN.findall(text)]


def decode(classes):
    """Returns the text of the best class at each time step, without repeats and blanks (greedy CTC
    decoding)."""
    pairs = zip(classes, [0, *classes])
    return "".join(CLASSES[now - 1] for now, before in pairs if now and now != before)
