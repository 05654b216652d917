//! Registrations of contractors: which ones a notice admits.

use super::{CidaRegistration, Verdict, VerdictReason};
use crate::{
    tender::Cida,
    text::Words,
    vocabulary::{Day, GradeLevel, OtherGrades, terms},
};
use std::cmp::Ordering;

terms! {
    /// The fields of work in which the Construction Industry Development Authority registers contractors.
    WorkField, "field of work" {
        /// Building construction.
        Buildings = "buildings",
        /// Roads and highways.
        Highways = "highways",
        /// Bridges.
        Bridges = "bridges",
        /// Water supply and sewerage.
        WaterSupply = "water-supply",
        /// Irrigation and drainage canals.
        Irrigation = "irrigation",
        /// Storm water disposal and land drainage.
        StormWater = "storm-water",
        /// Dredging and reclamation.
        Dredging = "dredging",
        /// Heavy construction, also maritime.
        Heavy = "heavy",
    }
}

impl WorkField {
    /// The words of each field. The first field with a word in a text counts, because `irrigation and land
    /// drainage` also names drainage.
    const WORDS: [(Self, &'static [&'static str]); 8] = [
        (Self::Bridges, &["bridge", "bridges"]),
        (Self::Dredging, &["dredging", "reclamation"]),
        (Self::Irrigation, &["irrigation", "canal", "canals"]),
        (Self::StormWater, &["storm", "stormwater", "drainage"]),
        (Self::WaterSupply, &["water", "sewerage", "sewer"]),
        (Self::Highways, &["highway", "highways", "road", "roads"]),
        (Self::Heavy, &["heavy", "maritime", "harbour", "harbours", "marine"]),
        (Self::Buildings, &["building", "buildings"]),
    ];

    /// The field that a text names. `None`: none of them, or one of another class of contractors.
    #[must_use]
    pub fn from_printed(text: &str) -> Option<Self> {
        let words = Words::of(text);
        let names = |(_, names): &&(Self, &[&str])| words.iter().any(|word| names.contains(&word));
        Self::WORDS.iter().find(names).map(|(field, _)| *field)
    }
}

/// Whether a registration is for the field of work that a notice names.
pub(super) fn is_same_field(asked: &Cida, held: &CidaRegistration) -> bool {
    compare_fields(asked.field.as_deref(), &held.field).0 == Verdict::Met
}

/// Whether a registration meets one of the grades that a notice names. The day is that of the closing.
pub(super) fn compare(
    asked: &Cida,
    held: &CidaRegistration,
    on: Option<Day>,
) -> (Verdict, Option<VerdictReason>) {
    let (grade, grade_reason) = compare_grades(asked, held);
    let (field, field_reason) = compare_fields(asked.field.as_deref(), &held.field);
    let is_expired = held.expires.zip(on).is_some_and(|(last, day)| last < day);
    match (grade, field) {
        (Verdict::Missing, _) => (grade, grade_reason),
        (_, Verdict::Missing) => (field, field_reason),
        _ if is_expired => (Verdict::Missing, Some(VerdictReason::Expired)),
        (Verdict::NotCertain, _) => (grade, grade_reason),
        (Verdict::Met, _) => (field, field_reason),
    }
}

fn compare_grades(asked: &Cida, held: &CidaRegistration) -> (Verdict, Option<VerdictReason>) {
    let levels = GradeLevel::from_printed(&asked.grade).zip(GradeLevel::from_printed(&held.grade));
    match (levels.and_then(|(asked, held)| held.compare(asked)), asked.also_admits) {
        (Some(Ordering::Equal), _)
        | (Some(Ordering::Greater), Some(OtherGrades::Higher))
        | (Some(Ordering::Less), Some(OtherGrades::Lower)) => (Verdict::Met, None),
        (Some(Ordering::Greater), None) => (Verdict::NotCertain, Some(VerdictReason::HigherGrade)),
        (Some(Ordering::Greater | Ordering::Less), _) => (Verdict::Missing, Some(VerdictReason::TooLow)),
        (None, _) => (Verdict::Missing, Some(VerdictReason::NotInProfile)),
    }
}

fn compare_fields(asked: Option<&str>, held: &str) -> (Verdict, Option<VerdictReason>) {
    let Some(asked) = asked else { return (Verdict::Met, None) };
    match (WorkField::from_printed(asked), WorkField::from_printed(held)) {
        (Some(asked), Some(held)) if asked == held => (Verdict::Met, None),
        (Some(_), Some(_)) => (Verdict::Missing, Some(VerdictReason::OtherField)),
        _ if Words::of(asked).as_str() == Words::of(held).as_str() => (Verdict::Met, None),
        _ => (Verdict::NotCertain, Some(VerdictReason::FieldUnclear)),
    }
}
