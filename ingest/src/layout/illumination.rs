//! Illumination correction: divides an image by the local brightness of the paper.

use image::GrayImage;

/// Flattens the illumination of an image, in tiles of `tile` pixels. The paper brightness of a
/// tile is the largest 80th percentile among the tile and its neighbours. Then the
/// brightness is averaged over these tiles.
pub(crate) fn flatten_illumination(image: &mut GrayImage, tile: u32) {
    let (width, height) = image.dimensions();
    let (columns, rows) = (width.div_ceil(tile) as usize, height.div_ceil(tile) as usize);
    let mut counts = vec![[0_u32; 256]; columns];
    let mut bright = Vec::with_capacity(columns * rows);
    for band in image.as_raw().chunks((tile * width) as usize) {
        counts.iter_mut().for_each(|count| *count = [0; 256]);
        for row in band.chunks(width as usize) {
            for (count, pixels) in counts.iter_mut().zip(row.chunks(tile as usize)) {
                pixels.iter().for_each(|pixel| count[usize::from(*pixel)] += 1);
            }
        }
        bright.extend(counts.iter().map(|count| percentile(count, 0.8)));
    }
    let around = |values: &[f64], pick: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
        let mut near = Vec::with_capacity(9);
        (0..columns * rows)
            .map(|at| {
                let (column, row) = (at % columns, at / columns);
                near.clear();
                for y in row.saturating_sub(1)..(row + 2).min(rows) {
                    near.extend_from_slice(
                        &values
                            [y * columns + column.saturating_sub(1)..y * columns + (column + 2).min(columns)],
                    );
                }
                pick(&near)
            })
            .collect()
    };
    let paper = around(&bright, &|near| near.iter().copied().fold(32.0, f64::max));
    let paper = around(&paper, &|near| near.iter().sum::<f64>() / near.len() as f64);
    // The paper brightness is interpolated between tile centres.
    for (y, row) in image.chunks_mut(width as usize).enumerate() {
        let down = ((y as f64 + 0.5) / f64::from(tile) - 0.5).clamp(0.0, rows as f64 - 1.0);
        let (upper, lower) = (down as usize * columns, (down as usize + 1).min(rows - 1) * columns);
        let at = |column: usize| {
            paper[upper + column] + (paper[lower + column] - paper[upper + column]) * down.fract()
        };
        let line: Vec<f64> = (0..columns).map(at).collect();
        for (x, pixel) in row.iter_mut().enumerate() {
            let across = ((x as f64 + 0.5) / f64::from(tile) - 0.5).clamp(0.0, columns as f64 - 1.0);
            let (left, right) = (across as usize, (across as usize + 1).min(columns - 1));
            let paper = line[left] + (line[right] - line[left]) * across.fract();
            *pixel = (f64::from(*pixel) * 255.0 / paper).min(255.0) as u8;
        }
    }
}

/// The smallest brightness that at least the fraction `part` of the pixels does not exceed.
fn percentile(counts: &[u32; 256], part: f64) -> f64 {
    let wanted = f64::from(counts.iter().sum::<u32>()) * part;
    let mut seen = 0.0;
    for (value, count) in counts.iter().enumerate() {
        seen += f64::from(*count);
        if seen >= wanted {
            return value as f64;
        }
    }
    255.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    #[test]
    fn a_shadow_is_removed_and_letters_are_kept() {
        let is_ink = |x: u32, y: u32| y % 20 < 8 && x % 6 < 3;
        let mut sheet = GrayImage::from_fn(400, 200, |x, y| {
            let paper = 230 - x / 4;
            Luma([if is_ink(x, y) { paper / 3 } else { paper } as u8])
        });
        flatten_illumination(&mut sheet, 20);
        for (x, y, pixel) in sheet.enumerate_pixels() {
            assert_eq!(pixel[0] > 200, !is_ink(x, y), "{x} {y}: {}", pixel[0]);
        }
    }
}
