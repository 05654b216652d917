//! Maps positions of the image in a file to the page. The two differ if a photographed sheet was
//! rectified or a rotated page was turned upright.

use super::photograph::Perspective;
use serde::{Deserialize, Serialize};

/// How the image in the file was transformed into the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// The perspective of the sheet in a photograph. It maps fractions of the sheet to fractions
    /// of the photograph.
    sheet: Option<Perspective>,
    /// The clockwise quarter turns after the sheet was rectified.
    quarters: u32,
}

impl Placement {
    /// The placement of a rectified sheet.
    pub(super) fn of_sheet(view: Perspective) -> Self {
        Self { sheet: Some(view), quarters: 0 }
    }

    /// The placement after further clockwise quarter turns.
    pub(super) fn turned(self, quarters: u32) -> Self {
        Self { quarters: (self.quarters + quarters) % 4, ..self }
    }

    /// Maps a position of the image in the file to the page. Both positions are fractions.
    /// Positions beyond the sheet map outside 0 to 1.
    #[must_use]
    pub fn on_page(&self, place: [f64; 2]) -> [f64; 2] {
        let flat = self.sheet.map_or(place, |view| view.inverse(place));
        (0..self.quarters).fold(flat, |[x, y], _| [1.0 - y, x])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_map_to_the_sheet() {
        let corners = [[0.1, 0.05], [0.9, 0.1], [0.95, 0.9], [0.05, 0.8]];
        let view = Perspective::onto(corners, [1.0, 1.0]).unwrap();
        let placement = Placement::of_sheet(view);
        let is_near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9;
        for (corner, flat) in corners.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            assert!(is_near(placement.on_page(corner), flat));
        }
        // The top left corner moves to the top right after one turn, and to the bottom left after
        // three.
        assert!(is_near(placement.turned(1).on_page(corners[0]), [1.0, 0.0]));
        assert!(is_near(placement.turned(2).turned(1).on_page(corners[0]), [0.0, 1.0]));
        assert_eq!(Placement::default().turned(4).on_page([0.3, 0.2]), [0.3, 0.2]);
    }
}
