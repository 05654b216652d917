//! The ink of an image: its components that may be letters or signs.

use crate::layout::{
    components::{Component, components},
    mask::{Area, Mask},
};
use image::{GrayImage, imageops};

/// A pixel is ink if it is darker than paper by more than this fraction of the contrast.
const MIN_DARKNESS: f64 = 0.45;
/// The percentiles that give the brightness of ink and of paper.
const INK_AND_PAPER: (f64, f64) = (0.01, 0.80);
/// The smallest contrast between paper and ink, in grey levels. An image with less contrast counts
/// as blank.
const MIN_CONTRAST: f64 = 30.0;
/// The smallest and the largest height of a letter, in millimetres.
pub(super) const LETTER_HEIGHT: (f64, f64) = (0.8, 9.0);
/// The smallest ink area of a component, in square millimetres. Smaller components are dust.
const MIN_AREA: f64 = 0.02;
/// The shortest length and the largest thickness of a rule, in millimetres.
const RULE_SIZE: (f64, f64) = (9.0, 1.1);
/// A frame or a table is wider than the first value and higher than the second value, in
/// millimetres. Less than the third value, a fraction, of its box is ink.
const FRAME_SIZE: (f64, f64, f64) = (12.0, 4.0, 0.15);
/// A component more than this many times as high as the median letter may be letters that touch
/// across lines. Such a component is split at [`DARKER_THRESHOLDS`].
const TOUCHING_HEIGHT: f64 = 1.9;
/// The darkness thresholds that are tried in turn to split letters that touch. See
/// [`MIN_DARKNESS`].
const DARKER_THRESHOLDS: [f64; 3] = [0.6, 0.7, 0.8];
/// The sigma of the blur against grain, in pixels.
const BLUR_SIGMA: f32 = 0.7;

/// A blurred image, with the brightness of its ink and of its paper.
pub(super) struct ContrastImage {
    greys: GrayImage,
    ink: f64,
    paper: f64,
}

impl ContrastImage {
    /// `None` if the image is smaller than 3 by 3 pixels or has too little contrast.
    pub(super) fn of(image: &GrayImage) -> Option<Self> {
        if image.width() < 3 || image.height() < 3 {
            return None;
        }
        let greys = imageops::fast_blur(image, BLUR_SIGMA);
        let mut counts = [0_usize; 256];
        greys.as_raw().iter().for_each(|grey| counts[usize::from(*grey)] += 1);
        let grey_at = |share: f64| {
            let mut left = (share * greys.as_raw().len() as f64) as usize;
            let passes = |count: &usize| {
                let passes = *count > left;
                left = left.saturating_sub(*count);
                passes
            };
            counts.iter().position(passes).unwrap_or(255) as f64
        };
        let (ink, paper) = (grey_at(INK_AND_PAPER.0), grey_at(INK_AND_PAPER.1));
        (paper - ink >= MIN_CONTRAST).then_some(Self { greys, ink, paper })
    }

    /// The pixels that are darker than paper by more than the fraction `darker` of the contrast.
    fn mask(&self, darker: f64) -> Mask {
        let threshold = self.paper - darker * (self.paper - self.ink);
        let bits = self.greys.as_raw().iter().map(|grey| f64::from(*grey) < threshold).collect();
        Mask { width: self.greys.width() as usize, height: self.greys.height() as usize, bits }
    }

    /// The components of the ink without dust, rules, frames and components that are too high for
    /// a letter. Components in which letters may touch across lines are split at darker
    /// thresholds.
    pub(super) fn ink_components(&self, per_mm: f64) -> Vec<InkComponent> {
        let found = components(&self.mask(MIN_DARKNESS), true);
        let is_print = |part: &&Component| part.pixels as f64 >= MIN_AREA * per_mm * per_mm;
        let mut pieces: Vec<InkComponent> =
            found.parts.iter().filter(is_print).map(InkComponent::from).collect();
        let mut heights: Vec<usize> = pieces.iter().map(|piece| piece.area.height()).collect();
        heights.retain(|height| *height as f64 >= LETTER_HEIGHT.0 * per_mm);
        heights.sort_unstable();
        let Some(usual) = heights.get(heights.len() / 2).map(|height| *height as f64) else { return pieces };
        for darker in DARKER_THRESHOLDS {
            let (high, others): (Vec<InkComponent>, Vec<InkComponent>) =
                pieces.into_iter().partition(|piece| {
                    piece.area.height() as f64 > TOUCHING_HEIGHT * usual && !piece.is_rule_or_frame(per_mm)
                });
            pieces = others;
            for piece in high {
                let area = piece.area;
                let cut = imageops::crop_imm(
                    &self.greys,
                    area.left as u32,
                    area.top as u32,
                    area.width() as u32,
                    area.height() as u32,
                );
                let within = Self { greys: cut.to_image(), ink: self.ink, paper: self.paper };
                let parts = components(&within.mask(darker), true).parts;
                pieces.extend(parts.iter().filter(is_print).map(|part| InkComponent::from(part).moved(area)));
            }
        }
        pieces.retain(|piece| {
            piece.area.height() as f64 <= LETTER_HEIGHT.1 * per_mm && !piece.is_rule_or_frame(per_mm)
        });
        pieces
    }
}

/// A connected component of ink.
#[derive(Debug, Clone, Copy)]
pub(super) struct InkComponent {
    pub(super) area: Area,
    pixels: usize,
}

impl From<&Component> for InkComponent {
    fn from(part: &Component) -> Self {
        Self { area: part.area, pixels: part.pixels }
    }
}

impl InkComponent {
    /// Moves a component of the cut-out `cut` to its place in the whole image.
    fn moved(self, cut: Area) -> Self {
        let Area { left, top, right, bottom } = self.area;
        let area = Area {
            left: left + cut.left,
            top: top + cut.top,
            right: right + cut.left,
            bottom: bottom + cut.top,
        };
        Self { area, ..self }
    }

    fn is_rule_or_frame(&self, per_mm: f64) -> bool {
        let [width, height] = [self.area.width(), self.area.height()].map(|side| side as f64 / per_mm);
        let is_rule =
            width > RULE_SIZE.0 && height < RULE_SIZE.1 || height > RULE_SIZE.0 && width < RULE_SIZE.1;
        let is_frame = width > FRAME_SIZE.0
            && height > FRAME_SIZE.1
            && (self.pixels as f64) < FRAME_SIZE.2 * self.area.size() as f64;
        is_rule || is_frame
    }
}
