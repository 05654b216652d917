//! The fonts: one for each script, found in the folders of the system.

use krilla::text::Font;
use rustybuzz::{Direction, Face, UnicodeBuffer};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A script with a font of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin letters, digits and punctuation.
    Latin,
    Sinhala,
    Tamil,
}

impl Script {
    const ALL: [Self; 3] = [Self::Latin, Self::Sinhala, Self::Tamil];

    /// The script of a character. `None`: it takes that of the text before it.
    const fn of(letter: char) -> Option<Self> {
        match letter {
            '\u{0d80}'..='\u{0dff}' => Some(Self::Sinhala),
            '\u{0b80}'..='\u{0bff}' => Some(Self::Tamil),
            // The joiners decide how Sinhala letters combine.
            '\u{200c}' | '\u{200d}' | ' ' => None,
            _ => Some(Self::Latin),
        }
    }

    const fn family(self) -> &'static str {
        match self {
            Self::Latin => "NotoSans",
            Self::Sinhala => "NotoSansSinhala",
            Self::Tamil => "NotoSansTamil",
        }
    }
}

/// How heavy the letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// A font is missing, or its file is not a font.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the font {name} is missing in {}", folders.join(", "))]
pub struct FontError {
    name: String,
    folders: Vec<String>,
}

/// A font for drawing and for measuring.
struct LoadedFont {
    font: Font,
    data: Arc<Vec<u8>>,
}

impl LoadedFont {
    fn load(name: &str, folders: &[PathBuf]) -> Result<Self, FontError> {
        let read = |folder: &PathBuf| {
            let data = Arc::new(fs::read(folder.join(format!("{name}.ttf"))).ok()?);
            Face::from_slice(&data, 0)?;
            let font = Font::new(data.clone().into(), 0)?;
            Some(Self { font, data })
        };
        folders.iter().find_map(read).ok_or_else(|| FontError {
            name: name.to_owned(),
            folders: folders.iter().map(|folder| folder.display().to_string()).collect(),
        })
    }
}

/// The fonts of a document, in two weights.
pub struct Fonts {
    regular: [LoadedFont; 3],
    bold: [LoadedFont; 3],
}

/// The part of a text that one font draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run<'t> {
    pub(crate) script: Script,
    pub(crate) text: &'t str,
}

/// Divides a text into runs of one script each.
pub(crate) fn runs(text: &str) -> Vec<Run<'_>> {
    let mut found = Vec::new();
    let (mut start, mut script) = (0, None);
    for (at, letter) in text.char_indices() {
        let own = Script::of(letter);
        if let (Some(before), Some(own)) = (script, own)
            && before != own
        {
            found.push(Run { script: before, text: &text[start..at] });
            start = at;
        }
        script = own.or(script);
    }
    if start < text.len() {
        found.push(Run { script: script.unwrap_or(Script::Latin), text: &text[start..] });
    }
    found
}

impl Fonts {
    /// Reads the Noto fonts for Latin, Sinhala and Tamil. The first folder that has a font counts.
    ///
    /// # Errors
    /// [`FontError`] if a font is in none of the folders.
    pub fn load(folders: &[impl AsRef<Path>]) -> Result<Self, FontError> {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.as_ref().to_owned()).collect();
        let load = |style: &str| -> Result<[LoadedFont; 3], FontError> {
            let [latin, sinhala, tamil] =
                Script::ALL.map(|script| LoadedFont::load(&format!("{}-{style}", script.family()), &folders));
            Ok([latin?, sinhala?, tamil?])
        };
        Ok(Self { regular: load("Regular")?, bold: load("Bold")? })
    }

    fn loaded(&self, script: Script, weight: Weight) -> &LoadedFont {
        let fonts = match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        };
        &fonts[script as usize]
    }

    pub(crate) fn font(&self, script: Script, weight: Weight) -> Font {
        self.loaded(script, weight).font.clone()
    }

    /// Measures text with these fonts.
    pub(crate) fn ruler(&self, weight: Weight) -> Ruler<'_> {
        // `load` has parsed the same bytes.
        let faces = Script::ALL.map(|script| Face::from_slice(&self.loaded(script, weight).data, 0));
        Ruler { faces }
    }
}

/// Measures shaped text.
pub(crate) struct Ruler<'f> {
    faces: [Option<Face<'f>>; 3],
}

impl Ruler<'_> {
    /// The width of a text without line breaks, for a font size of 1.
    pub(crate) fn width(&self, text: &str) -> f32 {
        runs(text).into_iter().map(|run| self.run_width(run)).sum()
    }

    pub(crate) fn run_width(&self, run: Run<'_>) -> f32 {
        let Some(face) = &self.faces[run.script as usize] else { return 0.0 };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run.text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        let shaped = rustybuzz::shape(face, &[], buffer);
        let units: i32 = shaped.glyph_positions().iter().map(|position| position.x_advance).sum();
        units as f32 / face.units_per_em() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_into_scripts() {
        let found: Vec<_> =
            runs("Roof: ශ්\u{200d}රී ලංකා, நூலகம் 5").iter().map(|run| (run.script, run.text)).collect();
        assert_eq!(
            found,
            [
                (Script::Latin, "Roof: "),
                (Script::Sinhala, "ශ්\u{200d}රී ලංකා"),
                (Script::Latin, ", "),
                (Script::Tamil, "நூலகம் "),
                (Script::Latin, "5"),
            ]
        );
        assert_eq!(runs(""), []);
        assert_eq!(runs(" "), [Run { script: Script::Latin, text: " " }]);
    }

    #[test]
    fn a_missing_font_is_named_with_the_folders() {
        let empty = tempfile::tempdir().unwrap();
        let error = Fonts::load(&[empty.path()]).err().unwrap().to_string();
        assert_eq!(error, format!("the font NotoSans-Regular is missing in {}", empty.path().display()));
    }
}
