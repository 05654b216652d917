//! Bodies that invite bids often, and what kind each is: for names whose words do not tell (a state-owned company is
//! "Limited" too) and to be surer of a name that was read.

use super::printed::{alike, plain_words};
use index::vocabulary::OrganizationType::{self, Government, Ngo, Private, SemiGovernment};

/// The kind of a well-known body, up to a few misread letters.
pub(super) fn known(name: &str) -> Option<OrganizationType> {
    let plain = plain_words(name);
    let plain = plain.strip_prefix("the ").unwrap_or(&plain);
    KNOWN
        .iter()
        .find(|(known, _)| *known == plain || (plain.len() > 12 && alike(known, plain)))
        .map(|(_, kind)| *kind)
}

/// Whether a well-known body's name begins with these words, of which there must be several.
pub(super) fn begins_known(words: &str) -> bool {
    let plain = plain_words(words);
    plain.contains(' ') && KNOWN.iter().any(|(known, _)| known.starts_with(&plain))
}

const KNOWN: &[(&str, OrganizationType)] = &[
    ("airport and aviation services sri lanka private limited", SemiGovernment),
    ("airport and aviation services sri lanka limited", SemiGovernment),
    ("bank of ceylon", SemiGovernment),
    ("board of investment of sri lanka", SemiGovernment),
    ("central bank of sri lanka", SemiGovernment),
    ("central engineering consultancy bureau", SemiGovernment),
    ("central environmental authority", SemiGovernment),
    ("ceylon electricity board", SemiGovernment),
    ("ceylon fisheries corporation", SemiGovernment),
    ("ceylon petroleum corporation", SemiGovernment),
    ("ceylon petroleum storage terminals limited", SemiGovernment),
    ("ceylon shipping corporation limited", SemiGovernment),
    ("civil aviation authority of sri lanka", SemiGovernment),
    ("coconut development authority", SemiGovernment),
    ("colombo municipal council", Government),
    ("construction industry development authority", SemiGovernment),
    ("department of agrarian development", Government),
    ("department of agriculture", Government),
    ("department of irrigation", Government),
    ("development lotteries board", SemiGovernment),
    ("disaster management centre", Government),
    ("employees trust fund board", SemiGovernment),
    ("general sir john kotelawala defence university", SemiGovernment),
    ("geological survey and mines bureau", SemiGovernment),
    ("irrigation department", Government),
    ("kandy municipal council", Government),
    ("lanka electricity company private limited", SemiGovernment),
    ("lanka sathosa limited", SemiGovernment),
    ("litro gas lanka limited", SemiGovernment),
    ("mahaweli authority of sri lanka", SemiGovernment),
    ("milco private limited", SemiGovernment),
    ("national building research organisation", Government),
    ("national hospital of sri lanka", Government),
    ("national housing development authority", SemiGovernment),
    ("national livestock development board", SemiGovernment),
    ("national lotteries board", SemiGovernment),
    ("national savings bank", SemiGovernment),
    ("national water supply and drainage board", SemiGovernment),
    ("peoples bank", SemiGovernment),
    ("people s bank", SemiGovernment),
    ("presidential secretariat", Government),
    ("provincial department of health services", Government),
    ("regional development bank", SemiGovernment),
    ("road development authority", SemiGovernment),
    ("sri lanka air force", Government),
    ("sri lanka army", Government),
    ("sri lanka broadcasting corporation", SemiGovernment),
    ("sri lanka cement corporation", SemiGovernment),
    ("sri lanka customs", Government),
    ("sri lanka insurance corporation limited", SemiGovernment),
    ("sri lanka land development corporation", SemiGovernment),
    ("sri lanka navy", Government),
    ("sri lanka ports authority", SemiGovernment),
    ("sri lanka post", Government),
    ("sri lanka railways", Government),
    ("sri lanka rupavahini corporation", SemiGovernment),
    ("sri lanka telecom plc", Private),
    ("sri lanka thriposha limited", SemiGovernment),
    ("sri lanka tourism development authority", SemiGovernment),
    ("sri lanka transport board", SemiGovernment),
    ("srilankan airlines limited", SemiGovernment),
    ("state engineering corporation of sri lanka", SemiGovernment),
    ("state pharmaceuticals corporation", SemiGovernment),
    ("state pharmaceuticals corporation of sri lanka", SemiGovernment),
    ("state pharmaceuticals manufacturing corporation", SemiGovernment),
    ("state printing corporation", SemiGovernment),
    ("state timber corporation", SemiGovernment),
    ("undp sri lanka", Ngo),
    ("united nations development programme", Ngo),
    ("urban development authority", SemiGovernment),
    ("water resources board", SemiGovernment),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_letters_do_not_hide_a_known_body() {
        assert_eq!(known("NATIONAL WATER SUPPLY & DRAINAGE BOARD"), Some(SemiGovernment));
        assert_eq!(known("Natlonal Water Supply and Drainage Board"), Some(SemiGovernment));
        assert_eq!(known("Sri Lanka Thriposha Limited"), Some(SemiGovernment));
        assert_eq!(known("Hayleys PLC"), None);
    }
}
