//! Reads a clip from the text layer of a born-digital page. A reliable text layer is exact, but a
//! text layer in a legacy font is useless. A clip with implausible text is left to the next
//! reader.

use super::{ClipText, PageOrientation, ReadError, ReadOutcome, Reader, ReaderName};
use super::{line_assembly::assemble, placed_word::PlacedWord};
use crate::base::Word;
use crate::layout::Clip;
use crate::page::Page;
use tender_model::vocabulary::Language;

/// A clip with fewer words may be a caption on a scanned image, which needs OCR.
const MIN_WORDS: usize = 4;

/// Reads clips from the text layer.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextLayerReader;

/// A text layer shows that the page is upright only if it has at least this many long words. On a
/// rotated page, Poppler splits the text layer into letters.
const MIN_UPRIGHT_WORDS: usize = 40;
/// A text layer shows that the page is upright only if at least this fraction of its words is
/// long.
const MIN_UPRIGHT_SHARE: f64 = 0.33;
/// The fewest letters of a long word. A long word is also wider than high.
const MIN_LONG_WORD: usize = 4;

impl Reader for TextLayerReader {
    fn read(&self, page: &Page, clips: &[&Clip], _: PageOrientation) -> Result<ReadOutcome, ReadError> {
        let texts: Vec<Option<ClipText>> = clips.iter().map(|clip| self.read_clip(page, clip)).collect();
        // The Tamil text of a page uses one font. A font that splits some words visibly splits
        // other words invisibly.
        let all: Vec<String> = texts.iter().flatten().map(ClipText::text).collect();
        let splits_words = pdf_text::plausible::has_split_words(&all.join("\n"));
        let is_trusted = |text: &ClipText| {
            pdf_text::plausible::is_plausible(&text.text())
                && !(splits_words && text.language == Language::Tamil)
        };
        Ok(ReadOutcome::Texts(texts.into_iter().map(|text| text.filter(is_trusted)).collect()))
    }
}

/// Whether the text layer shows that the page is upright.
pub(super) fn shows_upright(page: &Page) -> bool {
    let is_long = |word: &&Word| {
        word.text.chars().count() >= MIN_LONG_WORD
            && word.area[2] * f64::from(page.image.width()) > word.area[3] * f64::from(page.image.height())
    };
    let words = page.layer.as_deref().unwrap_or_default();
    let upright = words.iter().filter(is_long).count();
    upright >= MIN_UPRIGHT_WORDS && upright as f64 >= MIN_UPRIGHT_SHARE * words.len() as f64
}

impl TextLayerReader {
    /// The text of the layer within a clip, reliable or not. `None` if it has too few words.
    fn read_clip(self, page: &Page, clip: &Clip) -> Option<ClipText> {
        let layer = page.layer.as_ref()?;
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
            inside.then(|| vec![PlacedWord { word: word.clone(), place: [left, top, right, bottom] }])
        });
        let words: Vec<_> = words.collect();
        if words.len() < MIN_WORDS {
            return None;
        }
        assemble(words, ReaderName::TextLayer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, Luma};

    fn page(words: &[&str]) -> Page {
        let word = |(place, text): (usize, &&str)| {
            let (column, row) = ((place % 4) as f64, (place / 4) as f64);
            Word::new((*text).to_owned(), [0.1 + column * 0.2, 0.1 + row * 0.05, 0.18, 0.02], 1.0)
        };
        let layer = Some(words.iter().enumerate().map(word).collect());
        let image = GrayImage::from_pixel(1000, 1000, Luma([255]));
        Page { layer, ..Page::of(image, 300.0) }
    }

    #[test]
    fn only_words_within_the_clip_are_used() {
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
        let text = TextLayerReader
            .read(&page, &[&clip], PageOrientation::Known)
            .unwrap()
            .texts()
            .unwrap()
            .remove(0)
            .unwrap();
        assert_eq!(
            text.text().split_whitespace().collect::<Vec<_>>().join(" "),
            "Sealed bids are invited by the Chairman of"
        );
        assert_eq!(text.reader, ReaderName::TextLayer);
    }

    #[test]
    fn legacy_fonts_and_images_are_left_to_other_readers() {
        let whole = Clip::upright([0.0, 0.0, 1.0, 1.0]);
        let legacy =
            page(&["Y%S", ",xld", "m%cd;dka;%sl", "iudcjd§", "ckrcfha", "m%ldYs;", "le|jkq", ",efí", "i|yd"]);
        for page in [legacy, page(&["11"]), Page { layer: None, ..page(&[]) }] {
            assert_eq!(
                TextLayerReader.read(&page, &[&whole], PageOrientation::Known).unwrap().texts().unwrap(),
                [None]
            );
        }
    }

    #[test]
    fn a_tamil_font_that_splits_words_is_trusted_in_no_clip() {
        let clips = [Clip::upright([0.05, 0.05, 0.9, 0.1]), Clip::upright([0.05, 0.15, 0.9, 0.1])];
        let read = |first: [&str; 8]| {
            let sound = ["கேள்வி", "கோரல்", "உள்ளக", "வீதிகளுக்கு", "தார்", "இடுதல்", "அரச", "தாபனம்"];
            let page = page(&[first, sound].concat());
            TextLayerReader
                .read(&page, &clips.each_ref(), PageOrientation::Known)
                .unwrap()
                .texts()
                .unwrap()
                .iter()
                .map(Option::is_some)
                .collect::<Vec<_>>()
        };
        assert_eq!(read(["கூட்டு", "வீதி", "அரச", "மரம்", "நகர", "சபை", "பிரதேச", "செயலகம்"]), [true, true]);
        assert_eq!(read(["கூட்", "டு", "அரச", "மரம்", "நகர", "சபை", "பிரதேச", "செயலகம்"]), [false, false]);
        assert_eq!(read(["Sealed", "bids", "are", "invited", "by", "the", "Chairman", "of"]), [true, true]);
    }
}
