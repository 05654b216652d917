"""The text of training lines: words and phrases in three languages, random words, numbers, dates and references."""

import glob
import json
import os
import random
import re

from alphabet import SINHALA, TAMIL, clean

SCRIPTS = {"si": re.compile("[\u0d80-\u0dff]"), "ta": re.compile("[\u0b80-\u0bff]"), "en": re.compile("[A-Za-z]")}
# Letters of other scripts, which are removed from a line because its fonts may lack them.
FOREIGN_LETTERS = {"si": SCRIPTS["ta"], "ta": SCRIPTS["si"], "en": re.compile("[\u0b80-\u0dff]")}
MAX_CHARACTERS = 46


def strings(value):
    """Yields every string within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def read_lines(path):
    with open(path, encoding="utf-8", errors="ignore") as file:
        if path.endswith(".json"):
            yield from strings(json.load(file))
        elif path.endswith(".jsonl"):
            for line in file:
                yield from strings(json.loads(line))
        else:
            yield from file


def script_of(text):
    counts = {script: len(pattern.findall(text)) for script, pattern in SCRIPTS.items()}
    best = max(counts, key=counts.get)
    return best if counts[best] else None


class Texts:
    """Generates the text of lines. A twelfth of the phrases is held out for validation."""

    def __init__(self, paths, validation=False):
        phrases = {"si": set(), "ta": set(), "en": set()}
        for path in paths:
            files = sorted(glob.glob(os.path.join(path, "**", "*.*"), recursive=True)) if os.path.isdir(path) else [path]
            for file in files:
                if file.endswith((".txt", ".json", ".jsonl", ".tsv", ".csv", ".md")) and not file.endswith("held-out.txt"):
                    for line in read_lines(file):
                        for piece in re.split(r"[\t\n]|(?<=[.!?]) ", line):
                            piece = clean(re.sub(r"\{\{?\w*\}?\}|<[^>]*>|https?://\S+", " ", piece))
                            script = script_of(piece)
                            if script and piece:
                                phrases[script].add(piece)
        shuffle = random.Random(7)
        self.phrases, self.words = {}, {}
        for script, found in phrases.items():
            found = sorted(found)
            shuffle.shuffle(found)
            held_out = len(found) // 12
            chosen = found[:held_out] if validation else found[held_out:]
            self.phrases[script] = [phrase.split() for phrase in chosen]
            self.words[script] = sorted({word for phrase in self.phrases[script] for word in phrase})

    def line(self, script, draw):
        """Generates a line in one script, with numbers and some English. It has at most MAX_CHARACTERS
        characters, and up to three more if punctuation is added."""
        wanted, words, way = draw.randint(2, 44), [], draw.random()
        while sum(map(len, words)) + len(words) < wanted:
            if way < 0.5:
                phrase = draw.choice(self.phrases[script])
                start = draw.randrange(len(phrase))
                words += phrase[start : start + draw.randint(1, 6)]
            elif way < 0.72:
                words.append(draw.choice(self.words[script]))
            elif way < 0.88:
                words.append(random_word(script, draw))
            else:
                words.append(random_number(draw))
            if draw.random() < 0.12:
                words.append(random_number(draw))
            if script != "en" and draw.random() < 0.03:
                words.append(draw.choice(self.words["en"]))
        line = " ".join(words)
        while len(line) > MAX_CHARACTERS and " " in line:
            line = line.rsplit(" ", 1)[0]
        line = line[:MAX_CHARACTERS]
        if script == "en" and draw.random() < 0.12:
            line = line.upper()
        if draw.random() < 0.15:
            line += draw.choice(".,:;")
        if draw.random() < 0.04:
            line = draw.choice(["({})", "“{}”", "‘{}’", '"{}"', "({}"]).format(line)
        return clean(FOREIGN_LETTERS[script].sub("", line))


def random_number(draw):
    """Generates a number, amount, date, time, reference, telephone number, or web or mail address as
    printed in notices."""
    upto = draw.randint
    year, month, day = upto(2010, 2034), upto(1, 12), upto(1, 31)
    letters = lambda most: "".join(draw.choice("ABCDEFGHIJKLMNOPRSTUVWXYZ") for _ in range(upto(1, most)))
    way = upto(0, 10)
    if way == 0:
        return f"{year}.{month:02d}.{day:02d}"
    if way == 1:
        mark = draw.choice("./-")
        return f"{day:02d}{mark}{month:02d}{mark}{year}"
    if way == 2:
        mark = draw.choice("-/")
        return f"{year}{mark}{month:02d}{mark}{day:02d}"
    if way == 3:
        amount = draw.choice([upto(1, 999) * 500, upto(1, 90) * 100000, upto(1, 99999)])
        return draw.choice(["Rs.", "රු. ", "රු.", "රුපියල් ", "LKR ", "ரூபா ", "ரூ. ", "Rs. ", ""]) + f"{amount:,}" + draw.choice([".00", ".00", "/=", "/-", "", ".50"])
    if way == 4:
        return f"0{upto(11, 99)}-{upto(2000000, 2999999)}"
    if way in (5, 6):
        parts = [letters(4) if draw.random() < 0.6 else str(upto(1, draw.choice([9, 99, 2034]))) for _ in range(upto(2, 6))]
        return draw.choice("///-").join(parts) + draw.choice(["", "", f"({letters(1)})"])
    if way == 7:
        hour = f"{upto(1, 12)}{draw.choice('..:')}{draw.choice(['00', '30', '15', '45'])}"
        before = draw.choice(["පෙ.ව. ", "ප.ව. ", "මු.ප. ", "பி.ப. ", "மு.ப. ", "", "", ""])
        return before + hour if before else hour + draw.choice([" a.m.", " p.m.", "", " am", " hrs"])
    if way == 8:
        months = "January February March April May June July August September October November December".split()
        return f"{day}{draw.choice(['st', 'nd', 'rd', 'th', ''])} {draw.choice(months)} {year}"
    if way == 9:
        name = "".join(draw.choice("abcdefghijklmnoprstuvwy.") for _ in range(upto(3, 9)))
        return draw.choice(["www.", "info@", "procurement@", "Tel: ", "Fax: ", "No. "]) + name + draw.choice([".lk", ".gov.lk", ".com", ""])
    return str(upto(0, draw.choice([99, 9999, 99999]))) + draw.choice(["", "", "%", ")", "."])


def span(characters, first, last):
    return [character for character in characters if first <= ord(character) <= last]


# Common letters are listed three more times, so that they are chosen more often.
LETTERS = {"si": span(SINHALA, 0x0D9A, 0x0DC6) + list("කතනපමයරලවසහදගටඩබ") * 3, "ta": span(TAMIL, 0x0B95, 0x0BB9) + list("கசடதபறனநமயரலவழளணங") * 3}
VOWELS = {"si": span(SINHALA, 0x0D85, 0x0D96), "ta": span(TAMIL, 0x0B85, 0x0B94)}
SIGNS = {"si": span(SINHALA, 0x0DCF, 0x0DDE) + ["\u0dca"] * 3, "ta": span(TAMIL, 0x0BBE, 0x0BCC) + ["\u0bcd"] * 4}


def random_word(script, draw):
    """Generates a word of random syllables, or of random letters in English. Random words teach the
    network letters instead of a word list."""
    if script == "en":
        word = "".join(draw.choice("abcdefghijklmnopqrstuvwxyzetaoinsrhl") for _ in range(draw.randint(2, 9)))
        return word.capitalize() if draw.random() < 0.3 else word
    word = draw.choice(VOWELS[script]) if draw.random() < 0.12 else ""
    for _ in range(draw.randint(1, 5)):
        word += draw.choice(LETTERS[script])
        if script == "si" and draw.random() < 0.1:
            word += "\u0dca\u200d" + draw.choice("රය")
        elif script == "si" and draw.random() < 0.02:
            word += "\u0dca\u200d" + draw.choice("ෂදවථ")
        if draw.random() < 0.62:
            word += draw.choice(SIGNS[script])
        elif script == "si" and draw.random() < 0.06:
            word += "ං"
    return word
