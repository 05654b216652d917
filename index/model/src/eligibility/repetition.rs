//! [`repeats_grade`]: a sentence of the criteria that says no more than the grade does.

use crate::{tender::Tender, text::Words};
use std::collections::HashSet;

/// The words with which notices ask for a registration with the authority of construction. A sentence that
/// has any other word may ask for something else, and is left to a person.
const PHRASES: &str = "a an the of in for from under by with or and to at all any who whose are is be being been \
    must shall should have has hold holding having possess possessing need needs required requirement \
    bidder bidders tenderer tenderers contractor contractors applicant applicants company companies firm firms \
    eligible qualified suitable reputed interested prospective local only those \
    valid active current registered registration register registrations certificate category categories \
    construction industry development authority institute training cida ictad formerly \
    grade grades class classes level field fields speciality specialty relevant respective related \
    above higher better below lower upwards mentioned said work works project \
    tender tenders bid bids sealed hereby invited invite invites called calls call \
    district province";

/// Whether a criterion only repeats the grades of the Construction Industry Development Authority that the
/// tender has as a field. It names a grade, and each other word is one of [`PHRASES`] or a part of the grade's
/// field of work, the organisation's name, the title or the place.
#[must_use]
pub(crate) fn repeats_grade(tender: &Tender, criterion: &str) -> bool {
    let mut known: HashSet<String> = PHRASES.split_whitespace().map(str::to_owned).collect();
    let mut add = |text: &str| known.extend(Words::of(text).iter().map(str::to_owned));
    add(&tender.organization.name);
    add(&tender.title);
    let place = &tender.location;
    add(place.city.as_deref().unwrap_or_default());
    add(place.district.map_or("", |district| district.as_str()));
    add(place.province.map_or("", |province| province.as_str()));
    for asked in &tender.cida {
        add(asked.field.as_deref().unwrap_or_default());
    }
    let sentence = format!(" {} ", Words::of(criterion).as_str());
    let grades: Vec<String> =
        tender.cida.iter().map(|asked| format!(" {} ", Words::of(asked.grade.as_str()).as_str())).collect();
    if !grades.iter().any(|grade| sentence.contains(grade)) {
        return false;
    }
    let rest = grades.iter().fold(sentence, |rest, grade| rest.replace(grade.as_str(), "  "));
    rest.split_whitespace().all(|word| known.contains(word))
}
