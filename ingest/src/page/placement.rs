//! Where a place of the picture that was delivered stands on the page that was made of it: a photograph's sheet is laid flat, and a page may be turned.

use super::photograph::Perspective;
use serde::{Deserialize, Serialize};

/// How the picture as it was delivered became the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Where the page's sheet is seen in a photograph, both in fractions of their sides.
    sheet: Option<Perspective>,
    /// Quarter turns clockwise after that.
    quarters: u32,
}

impl Placement {
    /// Of a sheet that is seen so in its photograph.
    pub(super) fn of_sheet(view: Perspective) -> Self {
        Self { sheet: Some(view), quarters: 0 }
    }

    /// The same after more quarter turns clockwise.
    pub(super) fn turned(self, quarters: u32) -> Self {
        Self { quarters: (self.quarters + quarters) % 4, ..self }
    }

    /// The place on the page of a place in the picture; both in fractions. Beyond the sheet: outside of 0 to 1.
    #[must_use]
    pub fn on_page(&self, place: [f64; 2]) -> [f64; 2] {
        let flat = self.sheet.map_or(place, |view| view.back(place));
        (0..self.quarters).fold(flat, |[x, y], _| [1.0 - y, x])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_goes_with_its_sheet() {
        let corners = [[0.1, 0.05], [0.9, 0.1], [0.95, 0.9], [0.05, 0.8]];
        let view = Perspective::onto(corners, [1.0, 1.0]).unwrap();
        let placement = Placement::of_sheet(view);
        let is_near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9;
        for (corner, flat) in corners.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            assert!(is_near(placement.on_page(corner), flat));
        }
        // What was at the top left is at the top right after one turn, and at the bottom left after three.
        assert!(is_near(placement.turned(1).on_page(corners[0]), [1.0, 0.0]));
        assert!(is_near(placement.turned(2).turned(1).on_page(corners[0]), [0.0, 1.0]));
        assert_eq!(Placement::default().turned(4).on_page([0.3, 0.2]), [0.3, 0.2]);
    }
}
