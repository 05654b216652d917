//! How a scan lies: upright, on a side or upside down, as tesseract tells by the letters of a small part of it.

use super::{
    Tesseract,
    clip_image::{self, ClipImage, ClipRows},
};
use crate::{
    layout::Clip,
    ocr::{TesseractError, text_layer},
    page::Page,
};

/// Parts of the page that are asked about, as fractions of it, until one tells. They are small: the whole page takes as long
/// as reading five notices.
const PARTS: [[f64; 4]; 4] =
    [[0.3, 0.4, 0.4, 0.2], [0.1, 0.15, 0.4, 0.2], [0.5, 0.65, 0.4, 0.2], [0.1, 0.65, 0.4, 0.2]];
/// Tesseract's own measure of how sure it is: upright columns of newsprint have 4 to 12.
const SURE: f64 = 2.0;
/// Its answer where there are too few letters.
const CANNOT_TELL: i32 = 1;

impl Tesseract {
    /// How many quarter turns clockwise make the page stand upright; `None` where it has too few letters to tell. That a page
    /// does not stand upright is believed only when two parts of it say so, and not against its text layer.
    pub(super) fn orientation(&self, page: &Page) -> Result<Option<u32>, TesseractError> {
        if text_layer::shows_upright(page) {
            return Ok(Some(0));
        }
        let mut before = None;
        for part in PARTS {
            let turns = self.orientation_of(page, &Clip::upright(part))?;
            match (before, turns) {
                (_, None) => {}
                (None, Some(0)) => return Ok(Some(0)),
                (None, turns) => before = turns,
                (Some(before), Some(turns)) => return Ok((before == turns).then_some(turns)),
            }
        }
        Ok(None)
    }

    fn orientation_of(&self, page: &Page, part: &Clip) -> Result<Option<u32>, TesseractError> {
        let picture = ClipImage::new(page, part);
        let dpi = picture.dpi.to_string();
        let whole = ClipRows { picture: 0, rows: 0..picture.height() };
        let bytes = clip_image::tiff(&[picture], &[whole])
            .map_err(|error| TesseractError::Failed(error.to_string()))?;
        let arguments = ["stdin", "stdout", "--dpi", &dpi, "--psm", "0", "-l", "osd"];
        let answer = self.run(&arguments, &bytes, 1)?;
        match answer.status.code() {
            Some(0) => Ok(told(&String::from_utf8_lossy(&answer.output))),
            Some(CANNOT_TELL) => Ok(None),
            _ => {
                Err(TesseractError::Failed(answer.complaint.lines().last().unwrap_or("it failed").to_owned()))
            }
        }
    }
}

/// What an answer of tesseract's orientation detection says.
fn told(answer: &str) -> Option<u32> {
    let number = |name: &str| {
        let value = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.trim().parse::<f64>().ok()
    };
    let is_sure = number("Orientation confidence")? >= SURE;
    let degrees = number("Rotate").filter(|degrees| is_sure && (0.0..360.0).contains(degrees))?;
    Some((degrees / 90.0).round() as u32 % 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_sure_answer_counts() {
        let answer = |rotate: &str, confidence: &str| {
            told(&format!("Page number: 0\nRotate: {rotate}\nOrientation confidence: {confidence}\n"))
        };
        assert_eq!(answer("270", "7.82"), Some(3));
        assert_eq!(answer("0", "7.82"), Some(0));
        assert_eq!(
            [answer("90", "0.4"), answer("x", "9"), answer("-90", "9"), answer("90", "NaN")],
            [None; 4]
        );
        assert_eq!(told(""), None);
    }
}
