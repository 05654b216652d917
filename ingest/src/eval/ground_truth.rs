//! A page's truth: what stands on it, where, and what it says, in a JSON file of the page's name ending in `.gt.json`. How well the page
//! was read against it is `score`'s part.
//!
//! ```json
//! {"size_px": [4379, 6625],
//!  "notices": [{"id": "n0", "type": "tender", "lang": "en", "text": "INVITATION FOR BIDS\n…",
//!               "quad_px": [[213, 292], [2797, 272], [2810, 1614], [225, 1635]],
//!               "fields": {"reference_no": "…", "organisation": "…", "title": "…", "closing_date": "2028-04-09",
//!                          "closing_time": "10:00", "bid_security_amount": 75000, "document_fee": 10000}}]}
//! ```
//!
//! A page without pixels gives `width_mm`, `height_mm` and each piece's `bbox_mm` (`[left, top, right, bottom]`) instead. A piece whose `type` is
//! not `tender` is to be kept out.

use crate::page::Placement;
use index::tender::PageBox;
use serde::Deserialize;
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// Ends the name of a truth file.
pub const ENDING: &str = ".gt.json";
/// A truth file is never larger.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// Nor does a page hold more pieces.
const MOST_PIECES: usize = 10_000;
/// Folders are searched no deeper.
const MOST_DEPTH: usize = 12;

/// What stands on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundTruth {
    /// The pieces, in no order.
    pub pieces: Vec<TruthRegion>,
}

/// One piece of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct TruthRegion {
    /// Its name on the page.
    pub id: String,
    /// Whether it is a notice, and not news or an advertisement.
    pub is_notice: bool,
    /// `en`, `si` or `ta`.
    pub language: String,
    /// Its corners in fractions of the picture as it was delivered: top left, top right, bottom right, bottom left.
    pub corners: [[f64; 2]; 4],
    /// The upright box around it, in fractions of the page.
    pub area: PageBox,
    /// What it says.
    pub text: String,
    /// What a notice's fields are.
    pub fields: Fields,
}

/// The fields of a notice that are held against its truth. `None`: it does not say.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// The reference.
    pub reference_no: Option<String>,
    /// Who buys.
    pub organisation: Option<String>,
    /// What is bought.
    pub title: Option<String>,
    /// The district.
    pub district: Option<String>,
    /// The day of closing, as 2028-04-09.
    pub closing_date: Option<String>,
    /// Its hour, as 10:00.
    pub closing_time: Option<String>,
    /// Bid security in rupees.
    pub bid_security_amount: Option<f64>,
    /// Bid security in hundredths of the bid.
    pub bid_security_pct: Option<f64>,
    /// The documents' price in rupees.
    pub document_fee: Option<f64>,
    /// The first CIDA grade.
    pub cida: Option<String>,
    /// What is bought, roughly: `works`, `goods`, `services` or `consultancy`.
    pub category: Option<String>,
    /// What the notice asks: `purchase`, `sale` and so on, as a tender's kind is written.
    pub kind: Option<String>,
}

/// Why a page's truth is of no use.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// There is none.
    #[error("{}: no truth, as there is no {name} under {}; name it so, or check --truth", page.display(), folder.display())]
    Missing {
        /// The page.
        page: PathBuf,
        /// What its truth would be called.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// It cannot be read.
    #[error("{}: cannot be read ({reason})", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It is not in the form that is asked for.
    #[error("{}: is no truth of a page ({reason}); see `ingest eval --help`", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
struct PageFile {
    size_px: Option<[f64; 2]>,
    width_mm: Option<f64>,
    height_mm: Option<f64>,
    notices: Vec<PieceFile>,
}

#[derive(Deserialize)]
struct PieceFile {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    text: String,
    quad_px: Option<[[f64; 2]; 4]>,
    bbox_mm: Option<[f64; 4]>,
    fields: Option<Fields>,
}

impl GroundTruth {
    /// The truth of a page, somewhere under `folder`: a file of the page's name, the one whose folders are most like the page's.
    ///
    /// # Errors
    /// [`TruthError`] where there is none, or it is not in the form asked for.
    pub fn of(page: &Path, folder: &Path) -> Result<Self, TruthError> {
        let stem = page.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}{ENDING}");
        let mut found = Vec::new();
        search(folder, &name, 0, &mut found);
        let alike = |path: &PathBuf| {
            let folders = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
            let (ours, theirs) = (folders(page), folders(path));
            ours.components().rev().zip(theirs.components().rev()).take_while(|(a, b)| a == b).count()
        };
        found.sort();
        // Of several as like, the first by name.
        let best = found.iter().rev().max_by_key(|path| alike(path));
        let best = best.ok_or_else(|| TruthError::Missing {
            page: page.to_owned(),
            name,
            folder: folder.to_owned(),
        });
        Self::read(best?)
    }

    fn read(path: &Path) -> Result<Self, TruthError> {
        let unread = |reason: String| TruthError::Unread { path: path.to_owned(), reason };
        let wrong = |reason: &str| TruthError::Form { path: path.to_owned(), reason: reason.to_owned() };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| unread(error.to_string()))?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unread(error.to_string()))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong("it is larger than 16 MB"));
        }
        let page: PageFile = serde_json::from_slice(&bytes).map_err(|error| wrong(&error.to_string()))?;
        if page.notices.len() > MOST_PIECES {
            return Err(wrong("it has more than 10,000 pieces"));
        }
        let sides = match (page.size_px, page.width_mm, page.height_mm) {
            (Some(size), ..) => Ok((size, true)),
            (None, Some(width), Some(height)) => Ok(([width, height], false)),
            _ => Err(wrong("it gives neither `size_px` nor `width_mm` and `height_mm`")),
        };
        let (size, in_pixels) = sides?;
        if !size.iter().all(|side| side.is_finite() && *side > 0.0) {
            return Err(wrong("the page has no size"));
        }
        let piece = |piece: PieceFile| {
            let corners = match (piece.quad_px, piece.bbox_mm) {
                (Some(corners), _) if in_pixels => corners,
                (_, Some([left, top, right, bottom])) if !in_pixels => {
                    [[left, top], [right, top], [right, bottom], [left, bottom]]
                }
                _ => return Err(wrong(&format!("piece {} has no place", piece.id))),
            };
            let [x, y, width, height] = around(corners);
            let area = [x / size[0], y / size[1], width / size[0], height / size[1]];
            let corners = corners.map(|[x, y]| [x / size[0], y / size[1]]);
            if !area.iter().all(|part| part.is_finite()) || area[2] <= 0.0 || area[3] <= 0.0 {
                return Err(wrong(&format!("the place of piece {} is no box", piece.id)));
            }
            Ok(TruthRegion {
                id: piece.id,
                is_notice: piece.kind == "tender",
                language: piece.lang,
                corners,
                area,
                text: piece.text,
                fields: piece.fields.unwrap_or_default(),
            })
        };
        Ok(Self { pieces: page.notices.into_iter().map(piece).collect::<Result<_, _>>()? })
    }
}

impl TruthRegion {
    /// The same on a page that was laid flat or turned.
    #[must_use]
    pub fn placed(self, placement: &Placement) -> Self {
        let area = around(self.corners.map(|corner| placement.on_page(corner)));
        Self { area, ..self }
    }
}

/// The upright box around four corners.
fn around(corners: [[f64; 2]; 4]) -> PageBox {
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or_default()
    };
    let (left, top) = (bound(0, f64::min), bound(1, f64::min));
    [left, top, bound(0, f64::max) - left, bound(1, f64::max) - top]
}

fn search(folder: &Path, name: &str, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth < MOST_DEPTH {
            search(&entry.path(), name, depth + 1, found);
        } else if !is_folder && entry.file_name() == name {
            found.push(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn read(json: &str) -> Result<GroundTruth, TruthError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("p1.gt.json"), json).unwrap();
        GroundTruth::of(Path::new("p1.jpg"), folder.path())
    }

    #[test]
    fn a_piece_stands_where_its_corners_do() {
        let truth = read(
            r#"{"size_px": [100, 200], "notices": [{"id": "n0", "type": "tender", "lang": "en", "text": "x",
                "quad_px": [[10, 22], [51, 20], [50, 60], [11, 61]], "fields": {"document_fee": 500, "cida": null}}]}"#,
        );
        let piece = &truth.unwrap().pieces[0];
        assert_eq!(piece.area, [0.1, 0.1, 0.41, 0.205]);
        assert_eq!((piece.is_notice, piece.fields.document_fee), (true, Some(500.0)));
    }

    #[test]
    fn a_page_may_be_measured_in_millimetres() {
        let truth = read(
            r#"{"width_mm": 350, "height_mm": 540, "notices": [{"id": "n9", "type": "ad", "bbox_mm": [35, 54, 105, 108]}]}"#,
        );
        let piece = &truth.unwrap().pieces[0];
        assert_eq!((piece.area, piece.is_notice), ([0.1, 0.1, 0.2, 0.1], false));
    }

    #[rstest]
    #[case("[]")]
    #[case(r#"{"notices": []}"#)]
    #[case(r#"{"size_px": [0, 10], "notices": []}"#)]
    #[case(r#"{"size_px": [10, 10], "notices": [{"id": "a", "type": "tender"}]}"#)]
    #[case(r#"{"size_px": [10, 10], "notices": [{"id": "a", "type": "ad", "quad_px": [[1,1],[1,1],[1,1],[1,1]]}]}"#)]
    #[case("\u{0}")]
    fn rubbish_is_named(#[case] json: &str) {
        let error = read(json).unwrap_err();
        assert!(matches!(error, TruthError::Form { .. }), "{error}");
    }

    #[test]
    fn the_truth_in_the_likest_folder_is_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        for (place, width) in [("a/2026-11-20", 1), ("a/2026-11-21", 2), ("b/2026-11-20", 4)] {
            let path = folder.path().join("truth").join(place);
            fs::create_dir_all(&path).unwrap();
            let piece = format!(r#"{{"id": "n", "type": "ad", "bbox_mm": [0, 0, {width}, 1]}}"#);
            let page = format!(r#"{{"width_mm": 8, "height_mm": 8, "notices": [{piece}]}}"#);
            fs::write(path.join("p1.gt.json"), page).unwrap();
        }
        let width =
            |file: &str| GroundTruth::of(Path::new(file), folder.path()).unwrap().pieces[0].area[2] * 8.0;
        assert_eq!(width("a/2026-11-21/p1.jpg"), 2.0);
        assert_eq!(width("b/2026-11-20/p1.pdf"), 4.0);
        assert!(matches!(
            GroundTruth::of(Path::new("p2.jpg"), folder.path()),
            Err(TruthError::Missing { .. })
        ));
    }
}
