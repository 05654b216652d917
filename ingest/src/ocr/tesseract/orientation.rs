//! Detects the orientation of a scan from the letters of small parts, with Tesseract.

use super::{
    Tesseract,
    clip_image::{self, ClipImage, ClipRows},
};
use crate::{
    layout::Clip,
    ocr::{OcrError, text_layer},
    page::Page,
};

/// The parts of the page that are tried in turn, as fractions: `[x, y, width, height]`. They are
/// small, because a whole page takes as long as reading five notices.
const PARTS: [[f64; 4]; 4] =
    [[0.3, 0.4, 0.4, 0.2], [0.1, 0.15, 0.4, 0.2], [0.5, 0.65, 0.4, 0.2], [0.1, 0.65, 0.4, 0.2]];
/// The lowest orientation confidence of Tesseract that is accepted. Upright newsprint reaches 4 to
/// 12.
const MIN_CONFIDENCE: f64 = 2.0;
/// The exit status of Tesseract if there are too few letters.
const TOO_FEW_LETTERS: i32 = 1;

impl Tesseract {
    /// Detects the clockwise quarter turns that make the page upright. An upright text layer, or a
    /// first legible part that is upright, means no turn. A turn needs two agreeing parts. `None`
    /// if the parts disagree or have too few letters.
    pub(super) fn detect_orientation(&self, page: &Page) -> Result<Option<u32>, OcrError> {
        if text_layer::shows_upright(page) {
            return Ok(Some(0));
        }
        let mut before = None;
        for part in PARTS {
            let turns = self.detect_part_orientation(page, &Clip::upright(part))?;
            match (before, turns) {
                (_, None) => {}
                (None, Some(0)) => return Ok(Some(0)),
                (None, turns) => before = turns,
                (Some(before), Some(turns)) => return Ok((before == turns).then_some(turns)),
            }
        }
        Ok(None)
    }

    fn detect_part_orientation(&self, page: &Page, part: &Clip) -> Result<Option<u32>, OcrError> {
        let picture = ClipImage::new(page, part);
        let dpi = picture.dpi.to_string();
        let whole = ClipRows { picture: 0, rows: 0..picture.height() };
        let bytes =
            clip_image::tiff(&[picture], &[whole]).map_err(|error| OcrError::Failed(error.to_string()))?;
        let arguments = ["stdin", "stdout", "--dpi", &dpi, "--psm", "0", "-l", "osd"];
        let answer = self.run(&arguments, &bytes, 1)?;
        match answer.status.code() {
            Some(0) => Ok(parse_orientation(&String::from_utf8_lossy(&answer.output))),
            Some(TOO_FEW_LETTERS) => Ok(None),
            _ => Err(OcrError::Failed(
                answer.error_output.lines().last().unwrap_or("it gave no reason").to_owned(),
            )),
        }
    }
}

/// Parses the output of the orientation detection. `None` if the orientation is not confident.
fn parse_orientation(answer: &str) -> Option<u32> {
    let number = |name: &str| {
        let value = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.trim().parse::<f64>().ok()
    };
    let is_sure = number("Orientation confidence")? >= MIN_CONFIDENCE;
    let degrees = number("Rotate").filter(|degrees| is_sure && (0.0..360.0).contains(degrees))?;
    Some((degrees / 90.0).round() as u32 % 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_confident_orientation_counts() {
        let answer = |rotate: &str, confidence: &str| {
            parse_orientation(&format!(
                "Page number: 0\nRotate: {rotate}\nOrientation confidence: {confidence}\n"
            ))
        };
        assert_eq!(answer("270", "7.82"), Some(3));
        assert_eq!(answer("0", "7.82"), Some(0));
        assert_eq!(
            [answer("90", "0.4"), answer("x", "9"), answer("-90", "9"), answer("90", "NaN")],
            [None; 4]
        );
        assert_eq!(parse_orientation(""), None);
    }
}
