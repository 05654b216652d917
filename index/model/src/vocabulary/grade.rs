//! The contractor grades of the Construction Industry Development Authority (formerly ICTAD). A
//! tender keeps the printed text; these grades serve as filter values.

use super::term::terms;
use crate::text::Words;
use std::{cmp::Ordering, fmt};

terms! {
    /// A contractor grade.
    Grade, "grade" {
        /// Construction, the highest special grade.
        Cs2 = "CS2",
        /// Construction, special grade.
        Cs1 = "CS1",
        /// Construction.
        C1 = "C1",
        /// Construction.
        C2 = "C2",
        /// Construction.
        C3 = "C3",
        /// Construction.
        C4 = "C4",
        /// Construction.
        C5 = "C5",
        /// Construction.
        C6 = "C6",
        /// Construction.
        C7 = "C7",
        /// Construction.
        C8 = "C8",
        /// Construction.
        C9 = "C9",
        /// Construction.
        C10 = "C10",
        /// The letter grade M.
        M = "M",
        /// Electrical and mechanical, without a number.
        Em = "EM",
        /// Electrical and mechanical.
        Em1 = "EM1",
        /// Electrical and mechanical.
        Em2 = "EM2",
        /// Electrical and mechanical.
        Em3 = "EM3",
        /// Electrical and mechanical.
        Em4 = "EM4",
        /// Electrical and mechanical.
        Em5 = "EM5",
        /// The letter grade GP.
        Gp = "GP",
        /// The letter grade SP.
        Sp = "SP",
    }
}

terms! {
    /// The grades that a notice admits besides the one it names.
    OtherGrades, "range of grades" {
        /// `C5 or above`: C4 to C1 and CS1 and CS2 too.
        Higher = "higher",
        /// `C5 or below`: C6 to C10 too.
        Lower = "lower",
    }
}

/// A grade with its number, for comparison.
///
/// Within a class, a smaller number is a higher grade, and the special grades of construction stand above C1,
/// with CS2 above CS1 (register of contractors of the Construction Industry Development Authority). Grades of
/// different classes cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GradeLevel {
    class: GradeClass,
    /// Higher grades have greater levels. `None`: a class without a number.
    level: Option<i8>,
}

/// The classes of grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum GradeClass {
    Construction,
    ElectroMechanical,
    Gp,
    Sp,
    M,
}

impl GradeLevel {
    /// Parses a grade as printed; see [`Grade::from_printed`].
    #[must_use]
    pub fn from_printed(text: &str) -> Option<Self> {
        let grade = Grade::from_printed(text)?;
        let class = match grade {
            Grade::Gp => GradeClass::Gp,
            Grade::Sp => GradeClass::Sp,
            Grade::M => GradeClass::M,
            Grade::Em | Grade::Em1 | Grade::Em2 | Grade::Em3 | Grade::Em4 | Grade::Em5 => {
                GradeClass::ElectroMechanical
            }
            _ => GradeClass::Construction,
        };
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let number: Option<i8> = digits.parse().ok();
        let level = match grade {
            Grade::Cs2 => Some(2),
            Grade::Cs1 => Some(1),
            _ => number.map(|number| -number),
        };
        Some(Self { class, level })
    }

    /// Compares two grades of one class. `None`: they cannot be compared.
    #[must_use]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match (self.class == other.class, self.level, other.level) {
            (true, Some(own), Some(other)) => Some(own.cmp(&other)),
            (true, None, None) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

impl fmt::Display for GradeLevel {
    /// Writes the grade in the usual form, such as `C5`, `CS2` or `GP`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = match (self.class, self.level) {
            (GradeClass::Construction, Some(1..)) => "CS",
            (GradeClass::Construction, _) => "C",
            (GradeClass::ElectroMechanical, _) => "EM",
            (GradeClass::Gp, _) => "GP",
            (GradeClass::Sp, _) => "SP",
            (GradeClass::M, _) => "M",
        };
        f.write_str(class)?;
        self.level.map_or(Ok(()), |level| write!(f, "{}", level.unsigned_abs()))
    }
}

impl Grade {
    /// Parses a grade as printed, such as `C 5`, `c-5`, `Grade C5` or `SP1`. Case, separators and
    /// the words CIDA, ICTAD and grade are ignored. `None` if there is no such grade.
    #[must_use]
    pub fn from_printed(text: &str) -> Option<Self> {
        let words = Words::of(text);
        let joined: String = words
            .iter()
            .filter(|word| !["cida", "ictad", "grade", "grades"].contains(word))
            .collect::<String>()
            .to_ascii_uppercase();
        // The grades GP, SP and M have no numbers, so a number printed after one is ignored.
        let letters = joined.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = if ["GP", "SP", "M"].contains(&letters) { letters } else { joined.as_str() };
        name.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_read_in_several_printed_forms() {
        for (printed, grade) in [
            ("C5", Some(Grade::C5)),
            ("c - 10", Some(Grade::C10)),
            ("ICTAD Grade C 3", Some(Grade::C3)),
            ("SP1", Some(Grade::Sp)),
            ("EM", Some(Grade::Em)),
            ("EM-2", Some(Grade::Em2)),
            ("CS2", Some(Grade::Cs2)),
            ("C11", None),
            ("C5 or above", None),
            ("", None),
        ] {
            assert_eq!(Grade::from_printed(printed), grade, "{printed}");
        }
    }

    #[test]
    fn grades_of_a_class_are_ordered_and_others_are_not() {
        let level = |text: &str| GradeLevel::from_printed(text).unwrap();
        let construction = ["CS2", "CS1", "C1", "C2", "C 3", "C-4", "C5", "C6", "C7", "C8", "C9", "C10"];
        for pair in construction.windows(2) {
            assert_eq!(level(pair[0]).compare(level(pair[1])), Some(Ordering::Greater), "{pair:?}");
        }
        assert_eq!(level("EM1").compare(level("EM 3")), Some(Ordering::Greater));
        assert_eq!(level("SP2").compare(level("SP1")), Some(Ordering::Less));
        assert_eq!(level("EM").compare(level("EM")), Some(Ordering::Equal));
        for (left, right) in [("C1", "EM1"), ("EM", "EM1"), ("GP1", "SP1")] {
            assert_eq!(level(left).compare(level(right)), None, "{left}, {right}");
        }
        assert_eq!(GradeLevel::from_printed("C11"), None);
        for text in ["C1", "C10", "CS1", "CS2", "EM", "EM5", "GP", "SP1", "M2"] {
            assert_eq!(level(text).to_string(), text);
        }
    }
}
