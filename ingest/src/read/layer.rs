//! Reads a clip from the words that a born-digital page carries: exact where they can be trusted, and worse than nothing
//! where they are in a legacy font, so what makes no sense is left to the next reader.

use super::assemble::{Placed, assemble};
use super::{ClipText, ReadError, Reader, ReaderName, trust};
use crate::layout::Clip;
use crate::page::Page;

/// Fewer words than these are a caption on a picture of text: the picture must be read.
const FEW_WORDS: usize = 4;

/// Places the words of the page's text layer into the clip.
#[derive(Debug, Clone, Copy, Default)]
pub struct LayerReader;

impl Reader for LayerReader {
    fn read(&self, page: &Page, clip: &Clip) -> Result<Option<ClipText>, ReadError> {
        let Some(layer) = &page.layer else { return Ok(None) };
        let (columns, rows) = clip.size(page);
        let place = |x: f64, y: f64| {
            let [across, down] = clip.locate([x, y]);
            (across * f64::from(columns), down * f64::from(rows))
        };
        let words = layer.iter().filter_map(|word| {
            let [x, y, width, height] = word.area;
            let [across, down] = clip.locate([x + width / 2.0, y + height / 2.0]);
            let inside = (0.0..=1.0).contains(&across) && (0.0..=1.0).contains(&down);
            let ((left, top), (right, bottom)) = (place(x, y), place(x + width, y + height));
            inside.then(|| vec![Placed { word: word.clone(), place: [left, top, right, bottom] }])
        });
        let words: Vec<_> = words.collect();
        if words.len() < FEW_WORDS {
            return Ok(None);
        }
        let text = assemble(words, ReaderName::TextLayer);
        Ok(text.filter(|text| trust::is_sound(&text.text())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Word;
    use image::{GrayImage, Luma};

    fn page(words: &[&str]) -> Page {
        let word = |(place, text): (usize, &&str)| {
            let (column, row) = ((place % 4) as f64, (place / 4) as f64);
            Word {
                text: (*text).to_owned(),
                area: [0.1 + column * 0.2, 0.1 + row * 0.05, 0.18, 0.02],
                confidence: 1.0,
            }
        };
        let layer = Some(words.iter().enumerate().map(word).collect());
        let image = GrayImage::from_pixel(1000, 1000, Luma([255]));
        Page { number: 1, image, dpi: 300.0, layer, hash: String::new() }
    }

    #[test]
    fn only_the_words_of_the_clip_are_taken() {
        let page = page(&[
            "Sealed",
            "bids",
            "are",
            "invited",
            "by",
            "the",
            "Chairman",
            "of",
            "another",
            "committee",
            "far",
            "off",
        ]);
        let clip = Clip::upright([0.05, 0.05, 0.9, 0.13]);
        let text = LayerReader.read(&page, &clip).unwrap().unwrap();
        assert_eq!(
            text.text().split_whitespace().collect::<Vec<_>>().join(" "),
            "Sealed bids are invited by the Chairman of"
        );
        assert_eq!(text.reader, ReaderName::TextLayer);
    }

    #[test]
    fn a_legacy_font_or_a_bare_picture_is_left_to_others() {
        let whole = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let legacy =
            page(&["Y%S", ",xld", "m%cd;dka;%sl", "iudcjd§", "ckrcfha", "m%ldYs;", "le|jkq", ",efí", "i|yd"]);
        assert_eq!(LayerReader.read(&legacy, &whole).unwrap(), None);
        assert_eq!(LayerReader.read(&page(&["11"]), &whole).unwrap(), None);
        assert_eq!(LayerReader.read(&Page { layer: None, ..page(&[]) }, &whole).unwrap(), None);
    }
}
