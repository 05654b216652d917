"""The typefaces of the training lines, from Debian packages and from @fontsource packages of npm."""

import glob
import os
import subprocess
import tarfile

from fontTools.ttLib import TTFont

NOTO = "/usr/share/fonts/truetype/noto/Noto"
# Weights and widths of text and headings. Newspapers use neither hairline nor black.
CUTS = ["Regular", "Regular", "Medium", "SemiBold", "Bold", "SemiCondensed", "Condensed", "CondensedBold", "ExtraCondensedMedium"]
FONTSOURCE = {
    "si": ["abhaya-libre", "gemunu-libre", "stick-no-bills", "yaldevi", "maname"],
    "ta": ["catamaran", "hind-madurai", "mukta-malar", "arima", "baloo-thambi-2", "kavivanar", "pavanam", "coiny", "anek-tamil"],
}
POSTERS = ["stick-no-bills", "coiny", "baloo-thambi-2"]
SUBSET = {"si": "sinhala", "ta": "tamil"}
# These typefaces are held out to measure the accuracy on unseen typefaces.
WITHHELD = {"si": ["lklug", "maname"], "ta": ["NotoSerifTamil", "kavivanar"], "en": ["C059", "Carlito"]}
LATIN = [
    "/usr/share/fonts/truetype/liberation/Liberation*-*.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVu*.ttf",
    "/usr/share/fonts/truetype/crosextra/Carlito-*.ttf",
    "/usr/share/fonts/truetype/open-sans/OpenSans-*.ttf",
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto*-*.ttf",
    "/usr/share/fonts/opentype/linux-libertine/LinLibertine_R*.otf",
    "/usr/share/fonts/opentype/urw-base35/*.otf",
    "/usr/share/fonts/truetype/freefont/Free*.ttf",
]
NOT_TEXT = ("Italic", "Oblique", "Light", "Thin", "Black", "Dingbats", "Symbol", "Chancery", "Mono", "-Ital", "Obl", "BI", "_RI", "_RZ", "D0500", "Ita", "Math")


def unpack(folder):
    """Fetches and unpacks the @fontsource packages below the folder, as TrueType."""
    os.makedirs(folder, exist_ok=True)
    for script, packages in FONTSOURCE.items():
        for package in packages:
            target = os.path.join(folder, package)
            if os.path.isdir(target):
                continue
            if not glob.glob(os.path.join(folder, f"fontsource-{package}-*.tgz")):
                subprocess.run(["npm", "pack", "--silent", f"@fontsource/{package}"], cwd=folder, check=True)
            archive = glob.glob(os.path.join(folder, f"fontsource-{package}-*.tgz"))[0]
            os.makedirs(target)
            with tarfile.open(archive) as packed:
                for member in packed.getmembers():
                    name = os.path.basename(member.name)
                    wanted = f"-{SUBSET[script]}-" in name or "-latin-" in name
                    if not (wanted and name.endswith("-normal.woff2")):
                        continue
                    font = TTFont(packed.extractfile(member))
                    font.flavor = None
                    font.save(os.path.join(target, name.replace(".woff2", ".ttf")))


def is_withheld(path, script):
    return any(name.lower() in path.lower() for name in WITHHELD[script])


def families(folder):
    """The trained and the withheld typefaces of each script as (path, path of the Latin font or None)."""
    latin = [path for pattern in LATIN for path in sorted(glob.glob(pattern)) if not any(no in os.path.basename(path) for no in NOT_TEXT)]
    faces = {"en": [(path, None) for path in latin], "si": [], "ta": []}
    for script, name in (("si", "Sinhala"), ("ta", "Tamil")):
        for style in ("Sans", "Serif"):
            paths = [f"{NOTO}{style}{name}-{cut}.ttf" for cut in CUTS]
            faces[script] += [(path, None) for path in paths if os.path.exists(path)]
        for package in FONTSOURCE[script]:
            natives = sorted(glob.glob(os.path.join(folder, package, f"{package}-{SUBSET[script]}-[0-9]*.ttf")))
            natives = [path for path in natives if not any(f"-{weight}-" in path for weight in (100, 200, 900))]
            # As many cuts as a Noto family has, and fewer of display typefaces.
            for number in range(3 if package in POSTERS else len(CUTS)):
                native = natives[number % len(natives)]
                own = native.replace(f"{package}-{SUBSET[script]}-", f"{package}-latin-")
                faces[script].append((native, own if os.path.exists(own) else None))
    others = {
        "si": ["/usr/share/fonts/truetype/sinhala/lklug.ttf", "/usr/share/fonts/truetype/freefont/FreeSerif.ttf", "/usr/share/fonts/truetype/freefont/FreeSerif.ttf"],
        "ta": ["/usr/share/fonts/truetype/lohit-tamil/Lohit-Tamil.ttf", "/usr/share/fonts/truetype/samyak-fonts/Samyak-Tamil.ttf",
               "/usr/share/fonts/truetype/fonts-meera-inimai/MeeraInimai-Regular.ttf"],
    }
    for script, paths in others.items():
        faces[script] += [(path, None) for path in paths if os.path.exists(path)] * 3
    taught = {script: [face for face in those if not is_withheld(face[0], script)] for script, those in faces.items()}
    withheld = {script: [face for face in those if is_withheld(face[0], script)] for script, those in faces.items()}
    return taught, withheld


_characters = {}


def characters(path):
    """The code points of a font."""
    if path not in _characters:
        _characters[path] = set(TTFont(path, lazy=True).getBestCmap())
    return _characters[path]
