//! The score of a field: how a read value is compared with the true one.

use serde::Serialize;
use std::fmt;
use tender_model::{text::normalise, vocabulary::Category};

/// Counts of one field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldScore {
    /// Read values that are right.
    pub right: usize,
    /// Read values that are wrong.
    pub wrong: usize,
    /// True values that were not read correctly.
    pub missed: usize,
    /// Read values that are certain.
    pub certain: usize,
    /// Read values that are certain but wrong.
    pub certain_and_wrong: usize,
}

impl FieldScore {
    /// The harmonic mean of precision and recall; `None` if there are neither true nor read
    /// values.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        let all = 2 * self.right + self.wrong + self.missed;
        (all > 0).then(|| 2.0 * self.right as f64 / all as f64)
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.certain += other.certain;
        self.certain_and_wrong += other.certain_and_wrong;
    }

    /// The number of read values that are right and certain.
    #[must_use]
    pub fn certain_and_right(&self) -> usize {
        self.certain - self.certain_and_wrong
    }
}

/// Returns the true rough category if it covers `category`, else the name of the category.
pub(super) fn rough_category(category: Category, truth: Option<&str>) -> String {
    let words: &[&str] = match category {
        Category::Construction => &["works"],
        Category::ComputersLaptops | Category::MedicalEquipment | Category::Furniture => &["goods"],
        // Printing is an office supply, and networks and vehicles may be hired.
        Category::OfficeSupplies | Category::ComputerIt | Category::Vehicles | Category::CateringServices => {
            &["goods", "services"]
        }
        Category::UpkeepRepair => &["works", "goods", "services"],
        Category::ConsultancyServices => &["consultancy", "services"],
        // This category includes pumps and transformers, which count as goods.
        Category::EngineeringServices => &["consultancy", "services", "works", "goods"],
        Category::SecurityServices | Category::CleaningServices => &["services"],
        Category::Other => &["goods", "services"],
    };
    truth.filter(|truth| words.contains(truth)).map_or_else(|| category.to_string(), str::to_owned)
}

/// A wrong or missed field.
pub(super) struct FieldError {
    pub(super) name: &'static str,
    pub(super) truth: Option<String>,
    pub(super) found: Option<String>,
    pub(super) certain: bool,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |value: &Option<String>| match value {
            Some(value) => format!("`{value}`"),
            None => "nothing".to_owned(),
        };
        let certain = if self.certain && self.found.is_some() { ", certain" } else { "" };
        write!(f, "{} is {}, read {}{certain}", self.name, quoted(&self.truth), quoted(&self.found))
    }
}

/// Compares the texts of a field as the search does, ignoring case and separators.
pub(super) fn compare(truth: Option<&str>, read: Option<&str>, certain: bool) -> FieldScore {
    let is_right = match (truth, read) {
        (Some(truth), Some(read)) => normalise(truth) == normalise(read),
        _ => false,
    };
    let is_wrong = !is_right && read.is_some();
    FieldScore {
        right: usize::from(is_right),
        wrong: usize::from(is_wrong),
        missed: usize::from(!is_right && truth.is_some()),
        certain: usize::from(read.is_some() && certain),
        certain_and_wrong: usize::from(is_wrong && certain),
    }
}
