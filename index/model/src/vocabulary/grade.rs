//! The contractor grades of the Construction Industry Development Authority (formerly ICTAD). A
//! tender keeps the printed text; these grades serve as filter values.

use super::term::terms;
use crate::text::Words;

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
}
