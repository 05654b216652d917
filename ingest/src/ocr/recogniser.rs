//! The built-in line recogniser for Sinhala, Tamil and English: a small CTC network that
//! `ingest/train` trains. It reads the text lines found by [`crate::layout`] and returns words
//! with boxes and confidences.

use super::{error::RecogniserError, placed_word::PlacedWord};
use crate::base::Word;
use crate::layout::TextLine;
use image::{GrayImage, imageops, imageops::FilterType};
use rten::{Model, ValueOrView};
use rten_tensor::{NdTensor, prelude::*};
use std::sync::LazyLock;
use tender_model::tender::PageBox;

/// The network, exported by `ingest/train`.
const NETWORK: &[u8] = include_bytes!("recogniser/lines.onnx");
/// The characters of the output classes from class 1, one line per class. Class 0 is the CTC
/// blank.
const CHARACTERS: &str = include_str!("recogniser/lines.txt");
/// The input height in pixels. It must equal the value in `ingest/train/picture.py`.
const HEIGHT: u32 = 32;
/// The percentiles that give the brightness of ink and of paper.
const INK_AND_PAPER: (f64, f64) = (0.03, 0.92);
/// A smaller contrast between ink and paper is stretched as if it were this large, in grey levels.
const MIN_CONTRAST: f32 = 20.0;
/// The number of input pixel columns per time step.
const PIXELS_PER_STEP: u32 = 4;
/// The largest width of an input line in pixels. Wider lines are compressed.
const MAX_WIDTH: u32 = 4096;
/// The most pixel columns of a batch, with all lines padded to the widest line. This limits the
/// memory.
const MAX_BATCH_COLUMNS: u32 = 16 * 640;

/// A CTC recogniser of text lines.
pub(super) struct Recogniser {
    network: Model,
    /// The characters of the classes from class 1.
    signs: Vec<&'static str>,
}

/// An image and one of its text lines.
pub(super) struct LineImage<'a> {
    pub(super) picture: &'a GrayImage,
    pub(super) line: TextLine,
}

impl Recogniser {
    /// The built-in recogniser. The network is loaded on the first call.
    pub(super) fn built_in() -> Result<&'static Self, RecogniserError> {
        static BUILT_IN: LazyLock<Result<Recogniser, String>> = LazyLock::new(|| {
            let network = Model::load_static_slice(NETWORK).map_err(|error| error.to_string())?;
            Ok(Recogniser {
                network,
                signs: CHARACTERS.split('\n').filter(|sign| !sign.is_empty()).collect(),
            })
        });
        BUILT_IN.as_ref().map_err(|error| RecogniserError(error.clone()))
    }

    /// Reads the words of each line. The place of a word is in pixels of the line's image. `area`
    /// maps a box `[left, top, width, height]` of the image of a line, given by the index of the
    /// line, to the page.
    pub(super) fn read(
        &self,
        lines: &[LineImage<'_>],
        area: impl Fn(usize, [f64; 4]) -> PageBox,
    ) -> Result<Vec<Vec<PlacedWord>>, RecogniserError> {
        let pictures: Vec<GrayImage> = lines.iter().map(normalise).collect();
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|at| pictures[*at].width());
        let mut read: Vec<Vec<PlacedWord>> = vec![Vec::new(); lines.len()];
        let mut rest = &order[..];
        while let Some(widest) = rest.last().map(|at| pictures[*at].width()) {
            let count = ((MAX_BATCH_COLUMNS / widest.max(1)) as usize).clamp(1, rest.len());
            let (before, batch) = rest.split_at(rest.len() - count);
            rest = before;
            let scores = self.scores(&batch.iter().map(|at| &pictures[*at]).collect::<Vec<_>>())?;
            for (row, at) in batch.iter().enumerate() {
                let steps = (pictures[*at].width().div_ceil(PIXELS_PER_STEP) as usize).min(scores.size(2));
                let best = (0..steps).map(|step| {
                    let of = (0..scores.size(1)).map(|class| (class, scores[[row, class, step]]));
                    of.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
                });
                let words = self.words(best);
                let [left, _, right, _] = lines[*at].line.area.map(f64::from);
                let a_step = (right - left) / f64::from(pictures[*at].width()) * f64::from(PIXELS_PER_STEP);
                let [top, bottom] = lines[*at].line.letters.map(f64::from);
                read[*at] = words
                    .map(|(text, [first, last], confidence)| {
                        let place =
                            [left + first * a_step, top, (left + (last + 1.0) * a_step).min(right), bottom];
                        let area = area(*at, [place[0], top, place[2] - place[0], bottom - top]);
                        PlacedWord { word: Word::new(text, area, confidence), place }
                    })
                    .collect();
            }
        }
        Ok(read)
    }

    /// The probability of each class at each time step: (images, classes, steps).
    fn scores(&self, pictures: &[&GrayImage]) -> Result<NdTensor<f32, 3>, RecogniserError> {
        let widest = pictures.iter().map(|picture| picture.width()).max().unwrap_or_default();
        let width = widest.div_ceil(16) as usize * 16;
        let mut batch = NdTensor::<f32, 4>::zeros([pictures.len(), 1, HEIGHT as usize, width]);
        for (nth, picture) in pictures.iter().enumerate() {
            for (x, y, pixel) in picture.enumerate_pixels() {
                batch[[nth, 0, y as usize, x as usize]] = f32::from(pixel.0[0]) / 255.0;
            }
        }
        let failed = |error: &dyn std::fmt::Display| RecogniserError(error.to_string());
        let scores =
            self.network.run_one(ValueOrView::from(batch.view()), None).map_err(|error| failed(&error))?;
        scores.try_into().map_err(|error| failed(&error))
    }

    /// Decodes the best class and its probability at each step (greedy CTC). Returns each word
    /// with its first and last step and its confidence, which is the lowest probability of its
    /// characters.
    fn words(
        &self,
        best: impl Iterator<Item = (usize, f32)>,
    ) -> impl Iterator<Item = (String, [f64; 2], f64)> {
        struct PartialWord {
            text: String,
            steps: [f64; 2],
            signs: Vec<f64>,
        }
        let mut words: Vec<PartialWord> = Vec::new();
        let (mut before, mut is_open) = (0, false);
        for (step, (class, probability)) in best.enumerate() {
            let sign = class.checked_sub(1).and_then(|nth| self.signs.get(nth)).copied();
            let (step, probability) = (step as f64, f64::from(probability));
            match sign {
                None => {}
                Some(" ") => is_open = false,
                Some(sign) => {
                    if !is_open {
                        words.push(PartialWord {
                            text: String::new(),
                            steps: [step, step],
                            signs: Vec::new(),
                        });
                        is_open = true;
                    }
                    if let Some(word) = words.last_mut() {
                        word.steps[1] = step;
                        if class == before {
                            let last = word.signs.last_mut();
                            last.into_iter().for_each(|last| *last = last.max(probability));
                        } else {
                            word.text.push_str(sign);
                            word.signs.push(probability);
                        }
                    }
                }
            }
            before = class;
        }
        words.into_iter().map(|word| {
            let least = word.signs.iter().copied().fold(1.0, f64::min);
            (word.text, word.steps, least)
        })
    }
}

/// Scales a line to the network input: `HEIGHT` rows, ink 255 and paper 0.
fn normalise(LineImage { picture, line }: &LineImage<'_>) -> GrayImage {
    let [left, top, right, bottom] = line.area;
    let (width, height) = (right.saturating_sub(left).max(1), bottom.saturating_sub(top).max(1));
    let cut = imageops::crop_imm(*picture, left, top, width, height).to_image();
    let wide = (f64::from(width) * f64::from(HEIGHT) / f64::from(height)).round() as u32;
    let mut line = imageops::resize(&cut, wide.clamp(8, MAX_WIDTH), HEIGHT, FilterType::Triangle);
    let mut greys = line.as_raw().clone();
    greys.sort_unstable();
    let at = |share: f64| f32::from(greys[(share * (greys.len() - 1) as f64) as usize]);
    let (ink, paper) = (at(INK_AND_PAPER.0), at(INK_AND_PAPER.1));
    for pixel in line.pixels_mut() {
        let dark = 1.0 - (f32::from(pixel.0[0]) - ink) / (paper - ink).max(MIN_CONTRAST);
        pixel.0[0] = (255.0 * dark).clamp(0.0, 255.0) as u8;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::text_lines;
    use std::{fs, path::Path};

    /// The character error rate, without white space, for the notice `number`. The notice is
    /// printed in the region `[left, top, width, height]` of a scanned fixture.
    fn letter_errors(number: &str, [left, top, width, height]: [f64; 4]) -> f64 {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
        let page = image::open(fixtures.join("newspapers/daily-lanka/2026-11-20/p1.jpg")).unwrap().to_luma8();
        let truth = fs::read(fixtures.join("truth/newspapers/daily-lanka/2026-11-20/p1.gt.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        let mut notices = truth["notices"].as_array().unwrap().iter();
        let notice = notices.find(|notice| notice["id"] == number).unwrap();
        let (wide, high) = page.dimensions();
        let of = |share: f64, side: u32| (share * f64::from(side)) as u32;
        let picture =
            imageops::crop_imm(&page, of(left, wide), of(top, high), of(width, wide), of(height, high));
        let picture = picture.to_image();
        let lines = text_lines(&picture, 300.0 / 25.4).into_iter();
        let lines: Vec<_> = lines.map(|line| LineImage { picture: &picture, line }).collect();
        let read = Recogniser::built_in().unwrap().read(&lines, |_, _| [0.0; 4]).unwrap();
        let read: String = read.iter().flatten().map(|placed| placed.word.text.as_str()).collect();
        let expected: String = notice["text"].as_str().unwrap().split_whitespace().collect();
        strsim::levenshtein(&read, &expected) as f64 / expected.chars().count() as f64
    }

    #[test]
    fn a_scan_in_an_untrained_typeface_is_legible() {
        let errors = letter_errors("n7", [0.723, 0.212, 0.221, 0.17]);
        assert!(errors < 0.2, "Noto Serif Tamil: {errors}");
    }

    #[test]
    fn there_is_a_character_for_each_class() {
        let recogniser = Recogniser::built_in().unwrap();
        let scores = recogniser.scores(&[&GrayImage::new(40, HEIGHT)]).unwrap();
        assert_eq!(scores.size(1), recogniser.signs.len() + 1);
        assert!(recogniser.signs.contains(&" ") && recogniser.signs.contains(&"්‍ර"));
    }

    #[test]
    fn words_are_decoded_greedily() {
        let recogniser = Recogniser::built_in().unwrap();
        let class = |sign: &str| recogniser.signs.iter().position(|other| *other == sign).unwrap() + 1;
        let best = [
            (0, 0.9),
            (class("1"), 0.6),
            (class("1"), 0.8),
            (0, 0.9),
            (class("1"), 0.95),
            (class(" "), 0.9),
            (class("ක"), 0.99),
        ];
        let words: Vec<_> = recogniser.words(best.into_iter()).collect();
        let sure = f64::from(0.8_f32);
        assert_eq!(words[0], ("11".to_owned(), [1.0, 4.0], sure));
        assert_eq!((words[1].0.as_str(), words[1].1), ("ක", [6.0, 6.0]));
    }

    #[test]
    fn empty_and_noisy_images_are_not_errors() {
        let noise = GrayImage::from_fn(37, 3, |x, y| image::Luma([((x * 73 + y * 151) % 256) as u8]));
        let line = |area| LineImage { picture: &noise, line: TextLine { area, letters: [0, 3] } };
        let lines = [line([0, 0, 37, 3]), line([5, 1, 6, 2]), line([30, 2, 37, 3])];
        let read = Recogniser::built_in().unwrap().read(&lines, |_, _| [0.0; 4]).unwrap();
        assert_eq!(read.len(), 3);
        assert!(Recogniser::built_in().unwrap().read(&[], |_, _| [0.0; 4]).unwrap().is_empty());
    }
}
