//! The ground truth of a page: its regions with their boxes, texts and fields. It is a JSON file
//! with the name of the page and the suffix `.gt.json`.
//!
//! ```json
//! {"size_px": [4379, 6625],
//!  "notices": [{"id": "n0", "type": "tender", "lang": "en", "text": "INVITATION FOR BIDS\n…",
//!               "quad_px": [[213, 292], [2797, 272], [2810, 1614], [225, 1635]],
//!               "fields": {"reference_no": "…", "organisation": "…", "title": "…",
//!                          "closing_date": "2028-04-09", "closing_time": "10:00",
//!                          "bid_security_amount": 75000, "document_fee": 10000}}]}
//! ```
//!
//! Ground truth that a portal exports (`ingest truth`) has `complete: false`: texts that nobody has
//! checked are missing, so what is read elsewhere on the page is not judged. Its regions have
//! `page_box` (`[x, y, width, height]` as fractions of the straightened page) instead of `quad_px`,
//! and no text. The ground truth of page 7 of `paper.pdf` is `paper.7.gt.json`.
//!
//! A page that is measured in millimetres has `width_mm` and `height_mm` instead of `size_px`. Its
//! regions have `bbox_mm` (`[left, top, right, bottom]`) instead of `quad_px`. A region whose
//! `type` is not `tender` is not a notice.

use crate::page::Placement;
use serde::Deserialize;
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};
use tender_model::tender::PageBox;

/// The suffix of a ground truth file.
pub const GROUND_TRUTH_SUFFIX: &str = ".gt.json";
/// The largest ground truth file, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The most regions of a page.
const MAX_REGIONS: usize = 10_000;
/// The deepest nesting of folders.
const MAX_DEPTH: usize = 12;

/// The ground truth of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundTruth {
    /// The regions, in any order.
    pub regions: Vec<TruthRegion>,
    /// Whether the regions are all texts of the page.
    pub is_complete: bool,
}

/// A region of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct TruthRegion {
    /// The id of the region on the page.
    pub id: String,
    /// Whether the region is a notice. Other regions are news or advertisements.
    pub is_notice: bool,
    /// The language: `en`, `si` or `ta`.
    pub language: String,
    /// The corners as fractions of the image in the file: top left, top right, bottom right,
    /// bottom left. `None`: `area` is on the straightened page already.
    pub corners: Option<[[f64; 2]; 4]>,
    /// The bounding box as fractions of the page. See [`TruthRegion::placed`].
    pub area: PageBox,
    /// The text. Empty: it is not known.
    pub text: String,
    /// The fields of a notice.
    pub fields: Fields,
}

/// The true fields of a notice. A field is `None` if the ground truth does not state it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// The reference.
    pub reference_no: Option<String>,
    /// The organisation.
    pub organisation: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The district.
    pub district: Option<String>,
    /// The closing date, as 2028-04-09.
    pub closing_date: Option<String>,
    /// The closing time, as 10:00.
    pub closing_time: Option<String>,
    /// The bid security in rupees.
    pub bid_security_amount: Option<f64>,
    /// The bid security as a percentage of the bid.
    pub bid_security_pct: Option<f64>,
    /// The document fee in rupees.
    pub document_fee: Option<f64>,
    /// The first CIDA grade.
    pub cida: Option<String>,
    /// The rough category: `works`, `goods`, `services` or `consultancy`.
    pub category: Option<String>,
    /// The kind of notice: `purchase`, `sale` and so on.
    pub kind: Option<String>,
}

/// Why the ground truth of a page cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The page has no ground truth file.
    #[error("{}: no ground truth, because there is no {name} under {}; rename it, or check --truth", page.display(), folder.display())]
    Missing {
        /// The page.
        page: PathBuf,
        /// The expected file name.
        name: String,
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// The ground truth file cannot be read.
    #[error("{}: cannot be read ({reason})", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The ground truth file has an invalid format.
    #[error("{}: is not the ground truth of a page ({reason}); see `ingest eval --help`", path.display())]
    InvalidFormat {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
struct TruthFile {
    size_px: Option<[f64; 2]>,
    width_mm: Option<f64>,
    height_mm: Option<f64>,
    #[serde(default = "complete")]
    complete: bool,
    notices: Vec<TruthFileRegion>,
}

const fn complete() -> bool {
    true
}

#[derive(Deserialize)]
struct TruthFileRegion {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    text: String,
    quad_px: Option<[[f64; 2]; 4]>,
    bbox_mm: Option<[f64; 4]>,
    page_box: Option<PageBox>,
    fields: Option<Fields>,
}

impl GroundTruth {
    /// Reads the ground truth of a page from a file under `folder` with the name of the page.
    /// Among several files, the file is used whose parent folders best match those of the page.
    ///
    /// # Errors
    /// [`TruthError`] if no ground truth is found, or if a file is invalid.
    pub fn of(page: &Path, folder: &Path) -> Result<Self, TruthError> {
        let stem = page.file_stem().unwrap_or_default().to_string_lossy();
        Self::named(format!("{stem}{GROUND_TRUTH_SUFFIX}"), page, folder)
    }

    /// Reads the ground truth of the pages of a file, with their numbers. Only the first page must
    /// have ground truth, and only if no other page has.
    ///
    /// # Errors
    /// [`TruthError`] if no ground truth is found, or if a file is invalid.
    pub fn of_pages(file: &Path, folder: &Path) -> Result<Vec<(u32, Self)>, TruthError> {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let mut found = Vec::new();
        find_files(folder, &|name: &str| further_page(name, &stem).is_some(), 0, &mut found);
        let names: BTreeSet<(u32, String)> = found
            .iter()
            .filter_map(|path| path.file_name()?.to_str())
            .filter_map(|name| Some((further_page(name, &stem)?, name.to_owned())))
            .collect();
        let mut pages = Vec::new();
        match Self::of(file, folder) {
            Err(TruthError::Missing { .. }) if !names.is_empty() => {}
            first => pages.push((1, first?)),
        }
        for (number, name) in names {
            match Self::named(name, file, folder) {
                // A file of the same name in other folders is about another newspaper.
                Err(TruthError::Missing { .. }) => {}
                truth => pages.push((number, truth?)),
            }
        }
        Ok(pages)
    }

    fn named(name: String, page: &Path, folder: &Path) -> Result<Self, TruthError> {
        let mut found = Vec::new();
        find_files(folder, &|found: &str| found == name, 0, &mut found);
        let alike = |path: &PathBuf| {
            let folders = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
            let (ours, theirs) = (folders(page), folders(path));
            ours.components().rev().zip(theirs.components().rev()).take_while(|(a, b)| a == b).count()
        };
        found.sort();
        // Among equal matches, the first path in sort order is used.
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
        let wrong =
            |reason: &str| TruthError::InvalidFormat { path: path.to_owned(), reason: reason.to_owned() };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| unread(error.to_string()))?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unread(error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(wrong("it is larger than 16 MB"));
        }
        let page: TruthFile = serde_json::from_slice(&bytes).map_err(|error| wrong(&error.to_string()))?;
        if page.notices.len() > MAX_REGIONS {
            return Err(wrong("it has more than 10,000 regions"));
        }
        let are_on_page = page.notices.iter().all(|region| region.page_box.is_some());
        let sides = match (page.size_px, page.width_mm, page.height_mm) {
            (Some(size), ..) => Ok((size, true)),
            (None, Some(width), Some(height)) => Ok(([width, height], false)),
            _ if are_on_page && !page.complete => Ok(([1.0, 1.0], true)),
            _ => Err(wrong("it has neither `size_px` nor `width_mm` and `height_mm`")),
        };
        let (size, in_pixels) = sides?;
        if !size.iter().all(|side| side.is_finite() && *side > 0.0) {
            return Err(wrong("the page has no size"));
        }
        let region = |region: TruthFileRegion| {
            let corners = match (region.quad_px, region.bbox_mm) {
                (Some(corners), _) if in_pixels => Some(corners),
                (_, Some([left, top, right, bottom])) if !in_pixels => {
                    Some([[left, top], [right, top], [right, bottom], [left, bottom]])
                }
                _ => None,
            };
            let printed = corners.map(bounding_box);
            let printed = printed
                .map(|[x, y, width, height]| [x / size[0], y / size[1], width / size[0], height / size[1]]);
            let Some(area) = printed.or(region.page_box) else {
                return Err(wrong(&format!("region {} has no box", region.id)));
            };
            let corners = corners.map(|corners| corners.map(|[x, y]| [x / size[0], y / size[1]]));
            if !area.iter().all(|part| part.is_finite()) || area[2] <= 0.0 || area[3] <= 0.0 {
                return Err(wrong(&format!("the box of region {} is invalid", region.id)));
            }
            Ok(TruthRegion {
                id: region.id,
                is_notice: region.kind == "tender",
                language: region.lang,
                corners,
                area,
                text: region.text,
                fields: region.fields.unwrap_or_default(),
            })
        };
        let regions = page.notices.into_iter().map(region).collect::<Result<_, _>>()?;
        Ok(Self { regions, is_complete: page.complete })
    }
}

impl TruthRegion {
    /// The region with its bounding box on the page after the page was rectified or rotated.
    #[must_use]
    pub fn placed(self, placement: &Placement) -> Self {
        match self.corners {
            Some(corners) => {
                Self { area: bounding_box(corners.map(|corner| placement.on_page(corner))), ..self }
            }
            None => self,
        }
    }
}

/// The bounding box of four corners.
fn bounding_box(corners: [[f64; 2]; 4]) -> PageBox {
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or_default()
    };
    let (left, top) = (bound(0, f64::min), bound(1, f64::min));
    [left, top, bound(0, f64::max) - left, bound(1, f64::max) - top]
}

/// The number of the page that a ground truth file is about, from 2. `None`: it is not about a further
/// page of the file with this stem.
fn further_page(name: &str, stem: &str) -> Option<u32> {
    let number = name.strip_suffix(GROUND_TRUTH_SUFFIX)?.strip_prefix(stem)?.strip_prefix('.')?;
    number.parse().ok().filter(|&number| number > 1)
}

fn find_files(folder: &Path, is_wanted: &dyn Fn(&str) -> bool, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth < MAX_DEPTH {
            find_files(&entry.path(), is_wanted, depth + 1, found);
        } else if !is_folder && entry.file_name().to_str().is_some_and(is_wanted) {
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
    fn a_region_is_placed_by_its_corners() {
        let truth = read(
            r#"{"size_px": [100, 200], "notices": [{"id": "n0", "type": "tender", "lang": "en", "text": "x",
                "quad_px": [[10, 22], [51, 20], [50, 60], [11, 61]], "fields": {"document_fee": 500, "cida": null}}]}"#,
        );
        let region = &truth.unwrap().regions[0];
        assert_eq!(region.area, [0.1, 0.1, 0.41, 0.205]);
        assert_eq!((region.is_notice, region.fields.document_fee), (true, Some(500.0)));
    }

    #[test]
    fn a_page_may_be_measured_in_millimetres() {
        let truth = read(
            r#"{"width_mm": 350, "height_mm": 540, "notices": [{"id": "n9", "type": "ad", "bbox_mm": [35, 54, 105, 108]}]}"#,
        );
        let region = &truth.unwrap().regions[0];
        assert_eq!((region.area, region.is_notice), ([0.1, 0.1, 0.2, 0.1], false));
    }

    #[test]
    fn ground_truth_of_a_portal_lies_on_the_straightened_page() {
        let truth = read(
            r#"{"complete": false, "notices": [{"id": "a1", "type": "tender", "lang": "en", "page_box": [0.7, 0.1, 0.2, 0.2],
                "fields": {"title": "Chairs"}}]}"#,
        );
        let truth = truth.unwrap();
        let region = truth.regions[0].clone().placed(&Placement::default());
        assert_eq!((truth.is_complete, region.area), (false, [0.7, 0.1, 0.2, 0.2]));
        assert_eq!((region.fields.title.as_deref(), region.text.as_str()), (Some("Chairs"), ""));
    }

    #[test]
    fn each_page_of_a_file_has_ground_truth_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, width: u32| {
            let region = format!(r#"{{"id": "n", "type": "ad", "bbox_mm": [0, 0, {width}, 1]}}"#);
            let page = format!(r#"{{"width_mm": 8, "height_mm": 8, "notices": [{region}]}}"#);
            fs::write(folder.path().join(name), page).unwrap();
        };
        write("paper.7.gt.json", 7);
        write("paper.2.gt.json", 2);
        let pages = || {
            let pages = GroundTruth::of_pages(Path::new("paper.pdf"), folder.path()).unwrap();
            pages.iter().map(|(number, truth)| (*number, truth.regions[0].area[2] * 8.0)).collect::<Vec<_>>()
        };
        assert_eq!(pages(), [(2, 2.0), (7, 7.0)]);
        write("paper.gt.json", 1);
        write("paper.1.gt.json", 5);
        write("paper.x.gt.json", 5);
        assert_eq!(pages(), [(1, 1.0), (2, 2.0), (7, 7.0)]);
        assert!(GroundTruth::of_pages(Path::new("other.pdf"), folder.path()).is_err());
    }

    #[rstest]
    #[case("[]")]
    #[case(r#"{"notices": []}"#)]
    #[case(r#"{"size_px": [0, 10], "notices": []}"#)]
    #[case(r#"{"size_px": [10, 10], "notices": [{"id": "a", "type": "tender"}]}"#)]
    #[case(r#"{"size_px": [10, 10], "notices": [{"id": "a", "type": "ad", "quad_px": [[1,1],[1,1],[1,1],[1,1]]}]}"#)]
    #[case(r#"{"notices": [{"id": "a", "type": "tender", "page_box": [0.1, 0.1, 0.2, 0.2]}]}"#)]
    #[case(r#"{"complete": false, "notices": [{"id": "a", "type": "tender", "page_box": [0.1, 0.1, 0.0, 0.2]}]}"#)]
    #[case("\u{0}")]
    fn invalid_ground_truth_is_refused(#[case] json: &str) {
        let error = read(json).unwrap_err();
        assert!(matches!(error, TruthError::InvalidFormat { .. }), "{error}");
    }

    #[test]
    fn ground_truth_in_the_best_matching_folder_is_used() {
        let folder = tempfile::tempdir().unwrap();
        for (place, width) in [("a/2026-11-20", 1), ("a/2026-11-21", 2), ("b/2026-11-20", 4)] {
            let path = folder.path().join("truth").join(place);
            fs::create_dir_all(&path).unwrap();
            let region = format!(r#"{{"id": "n", "type": "ad", "bbox_mm": [0, 0, {width}, 1]}}"#);
            let page = format!(r#"{{"width_mm": 8, "height_mm": 8, "notices": [{region}]}}"#);
            fs::write(path.join("p1.gt.json"), page).unwrap();
        }
        let width =
            |file: &str| GroundTruth::of(Path::new(file), folder.path()).unwrap().regions[0].area[2] * 8.0;
        assert_eq!(width("a/2026-11-21/p1.jpg"), 2.0);
        assert_eq!(width("b/2026-11-20/p1.pdf"), 4.0);
        assert!(matches!(
            GroundTruth::of(Path::new("p2.jpg"), folder.path()),
            Err(TruthError::Missing { .. })
        ));
    }
}
