//! The contact: telephone number, e-mail address and person.

use super::pattern::patterns;
use crate::extract::printed::{Found, Printed};

patterns! {
    EMAIL = r"\b[a-z0-9][a-z0-9._+\-]{0,60}@[a-z0-9][a-z0-9\-]{0,60}(?:\.[a-z0-9\-]{1,60})*\.[a-z]{2,12}\b";
    PHONE = r"(?:\+?\s?94|\(0\d{2,3}\)|\b0\d{2})[\s\-()]{0,3}\(?\d{1,3}\)?(?:[\s\-]{0,2}\d{2,4}){1,3}\b";
    PERSON = r"(?:further (?:details|information)|inquiries|contact)[^.\n]{0,30}?\b(?:from|contact|:)?\s*the\s+(?-i:((?:[A-Z(][\w()&]+\s?){2,8}))";
}

/// The telephone numbers in order.
pub(crate) fn phones(printed: &Printed) -> impl Iterator<Item = Found<String>> {
    let numbers = PHONE.find_iter(printed.flow()).filter(|found| {
        let digits = found.as_str().chars().filter(char::is_ascii_digit).count();
        (9..=13).contains(&digits)
    });
    numbers.map(|found| {
        Found::new(found.as_str().split_whitespace().collect::<Vec<_>>().join(" "), 0.9, found.range())
    })
}

/// The first telephone number.
pub(crate) fn phone(printed: &Printed) -> Option<Found<String>> {
    phones(printed).next()
}

/// The e-mail addresses in order.
pub(crate) fn emails(printed: &Printed) -> impl Iterator<Item = Found<String>> {
    EMAIL.find_iter(printed.flow()).map(|found| Found::new(found.as_str().to_owned(), 0.93, found.range()))
}

/// The first e-mail address.
pub(crate) fn email(printed: &Printed) -> Option<Found<String>> {
    emails(printed).next()
}

/// The person or office to contact.
pub(crate) fn person(printed: &Printed) -> Option<Found<String>> {
    let groups = PERSON.captures(printed.flow())?;
    let found = groups.get(1)?;
    Some(Found::new(found.as_str().trim().to_owned(), 0.7, found.range()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_read() {
        let printed = Printed::plain(
            "For more details contact the Deputy Director (Administration), Tel: 081-2607942. E-mail: a.b@dsw.gov.lk.",
        );
        assert_eq!(phone(&printed).unwrap().value, "081-2607942");
        assert_eq!(email(&printed).unwrap().value, "a.b@dsw.gov.lk");
        assert_eq!(person(&printed).unwrap().value, "Deputy Director (Administration)");
        assert_eq!(phone(&Printed::plain("Tel.No+94-112236588")).unwrap().value, "+94-112236588");
        assert_eq!(phone(&Printed::plain("on 03.05.2027, Rs. 10,000.00")), None);
    }
}
