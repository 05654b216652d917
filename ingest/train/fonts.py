"""The typefaces of the training lines, from Debian packages and from @fontsource packages of npm."""

import glob
import os
import subprocess
import tarfile

from fontTools.ttLib import TTFont

NOTO = "/usr/share/fonts/truetype/noto/Noto"
# Weights and widths of text and headings. Newspapers use neither the thinnest nor the heaviest
# weights.
CUTS = ["Regular", "Regular", "Medium", "SemiBold", "Bold", "SemiCondensed", "Condensed", "CondensedBold", "ExtraCondensedMedium"]
FONTSOURCE = {
    "si": ["abhaya-libre", "gemunu-libre", "stick-no-bills", "yaldevi", "maname"],
    "ta": ["catamaran", "hind-madurai", "mukta-malar", "arima", "baloo-thambi-2", "kavivanar", "pavanam", "coiny", "anek-tamil"],
}
DISPLAY_FAMILIES = ["stick-no-bills", "coiny", "baloo-thambi-2"]
SUBSET = {"si": "sinhala", "ta": "tamil"}
# These typefaces are not used for training. They measure the accuracy on unseen typefaces.
HELD_OUT = {"si": ["lklug", "maname"], "ta": ["NotoSerifTamil", "kavivanar"], "en": ["C059", "Carlito"]}
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
# Parts of the file names of Latin fonts that are not for upright running text.
NOT_TEXT = ("Italic", "Oblique", "Light", "Thin", "Black", "Dingbats", "Symbol", "Chancery", "Mono", "-Ital", "Obl", "BI", "_RI", "_RZ", "D0500", "Ita", "Math")


def unpack(folder):
    """Fetches the @fontsource packages from npm and unpacks them below the folder, as TrueType."""
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


def is_held_out(path, script):
    return any(name.lower() in path.lower() for name in HELD_OUT[script])


def families(folder):
    """Returns the trained and the held-out typefaces of each script. A typeface is the path of its font
    and the path of its own Latin font, or None."""
    latin = [path for pattern in LATIN for path in sorted(glob.glob(pattern)) if not any(no in os.path.basename(path) for no in NOT_TEXT)]
    faces = {"en": [(path, None) for path in latin], "si": [], "ta": []}
    for script, name in (("si", "Sinhala"), ("ta", "Tamil")):
        for style in ("Sans", "Serif"):
            paths = [f"{NOTO}{style}{name}-{cut}.ttf" for cut in CUTS]
            faces[script] += [(path, None) for path in paths if os.path.exists(path)]
        for package in FONTSOURCE[script]:
            natives = sorted(glob.glob(os.path.join(folder, package, f"{package}-{SUBSET[script]}-[0-9]*.ttf")))
            natives = [path for path in natives if not any(f"-{weight}-" in path for weight in (100, 200, 900))]
            # Each family is listed as often as a Noto family, but a display family only three
            # times.
            for number in range(3 if package in DISPLAY_FAMILIES else len(CUTS)):
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
    trained = {script: [face for face in those if not is_held_out(face[0], script)] for script, those in faces.items()}
    held_out = {script: [face for face in those if is_held_out(face[0], script)] for script, those in faces.items()}
    return trained, held_out


_code_points = {}


def code_points(path):
    """Returns the code points that a font covers."""
    if path not in _code_points:
        _code_points[path] = set(TTFont(path, lazy=True).getBestCmap())
    return _code_points[path]
