//! The words by which the name of a company, and of a country after it, is known.

use crate::extract::rules::pattern::patterns;

patterns! {
    // A word of a name of a company or of a state enterprise.
    ENDING = r"(?-i:\b(?:Ltd|LTD|Limited|LIMITED|PLC|Plc|Inc|Corp|Corporation|CORPORATION|Company|Co|LLC|LLP|DMCC|GmbH|GMBH|Gmbh|JV|Joint Venture|Consortium|Bureau|B\.?V|A/S|S\.?A|S\.?p\.?A|SPA|AG|AB|Bhd|BHD|Berhad|BERHAD|SE|Group|Associates|Enterprises?|Holdings|Builders|Contractors|Constructions?|Consultants?|FZE|FZCO|FZC|Oy|K\.?K|P\.?J\.?S\.?C|S\.?A\.?S|SARL|Mills|W\.L\.L|WLL|Airport Services)\b)";
    // The name may end here, and another may follow.
    CLOSED = r"(?-i:(?:\b(?:Ltd|LTD|Limited|LIMITED|PLC|Plc|Inc|LLC|LLP|DMCC|GmbH|Gmbh|JV|Joint Venture|Corporation|Company|Bhd|Berhad|AG|AB|S\.A|SE|B\.V|A/S|Mills|Industries|Group)\.?|\)\.?)$)";
    COUNTRY = r"(?:\s*,\s*|\s+(?:of|in|from)\s+)(?:the\s+)?(?-i:P\.? ?R\.? China|People'?s Republic of China|Republic of \w+|China|India|Pakistan|Singapore|UAE|U\.A\.E|United Arab Emirates|U\.?K|United Kingdom|USA|U\.S\.A|United States(?: of America)?|Japan|Germany|France|Italy|Spain|Denmark|Sweden|Switzerland|(?:The )?Netherlands|Belgium|Austria|Australia|New Zealand|(?:South )?Korea|Thailand|Malaysia|Indonesia|Vietnam|Bangladesh|Nepal|Sri Lanka|Cyprus|Turkey|Iran|Israel|Egypt|Nigeria|Hong Kong|Finland|Norway|Russia|Cuba|Argentina|Brazil|Mexico|Canada|Hungary|Poland|Taiwan|Oman|Kuwait|Qatar|Saudi Arabia|Dubai|Latvia|Ireland|Portugal|Greece|South Africa)\.?(?:\s+\([A-Z]{2,5}\))?$";
    // `LS Cable & System Limited Korea`: the country follows without a comma.
    COUNTRY_OF_CLOSED = r"((?-i:Ltd|Limited|LIMITED|PLC|Inc|LLC|GmbH)\.?|\))\s+(?-i:P\.? ?R\.? China|China|India|Pakistan|Singapore|UAE|U\.K|USA|Japan|Germany|France|Italy|Switzerland|Australia|Korea|South Korea|Thailand|Malaysia|Indonesia|Sri Lanka|Sweden|Denmark|Spain|Austria|Netherlands)\.?$";
    // `Sathuta Builders Pvt. Ltd, Kurunegala`: the town of the company.
    TOWN = r"((?-i:\b(?:Ltd|Limited|PLC|Inc)\.?)),\s+(?-i:[A-Z][a-z]+)$";
    BARE_COUNTRY = r"^(?:the\s+)?(?-i:P\.? ?R\.? China|China|India|Pakistan|Singapore|UAE|U\.A\.E|United Arab Emirates|U\.?K|United Kingdom|USA|Japan|Germany|France|Italy|Switzerland|Netherlands|Belgium|Austria|Australia|New Zealand|Korea|Thailand|Malaysia|Indonesia|Sri Lanka|Nigeria|Sweden|Denmark|Spain)(?:$|\s*[,(]|\s+and\b|\s+&)";
    NOT_A_NAME = r"\b(?:bidders?|lowest|responsive|suppliers?|committees?|recommended|minister|cabinet|government of|selected|above|following|respectively|appeal board|procurement|contract)\b|^(?:joint\s+venture|consortium|company|corporation|group|jv|institute|institutions?|firm)\W*$";
    // A name of a body that buys more often than it wins.
    PUBLIC_BODY = r"(?-i:\b(?:Board|Authority|Department|Ministry|University|Council|Hospital|Secretariat|Army|Navy|Police|SriLankan Airlines|Railways?)\b)";
}

/// Whether a name contains a word that only companies and state enterprises have.
pub(super) fn is_company(name: &str) -> bool {
    ENDING.is_match(name) && !PUBLIC_BODY.is_match(name)
}

/// Whether a name is complete, so that an `and` after it joins another name.
pub(super) fn is_closed(name: &str) -> bool {
    CLOSED.is_match(name)
}

/// Whether a text begins with the name of a country.
pub(super) fn begins_with_country(text: &str) -> bool {
    BARE_COUNTRY.is_match(text)
}

/// A name without its country and without marks at its ends.
pub(super) fn tidy(name: &str) -> String {
    let trim = |name: &str| {
        trim_stop(name.trim_matches([' ', ',', ';', ':', '-', '–', '"', '“', '”', '\''])).to_owned()
    };
    let name = trim(name);
    let name = COUNTRY.find(&name).map_or(name.clone(), |country| trim(&name[..country.start()]));
    let name = trim(&TOWN.replace(&name, "$1"));
    let name = trim(&COUNTRY_OF_CLOSED.replace(&name, "$1"));
    // `Co. Ltd., (CAMCE)`.
    name.replace(", (", " (")
}

/// A name without the full stop at its end. That of `W.L.L.` stays.
fn trim_stop(name: &str) -> &str {
    let last = name.rsplit(' ').next().unwrap_or_default();
    if last.matches('.').count() == 1 || last.ends_with("Ltd.") {
        name.trim_end_matches(['.', ','])
    } else {
        name
    }
}

/// Whether a text can be a name: it has a proper length, and no word of a description.
pub(super) fn is_name(name: &str) -> bool {
    (3..=140).contains(&name.chars().count())
        && name.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && !NOT_A_NAME.is_match(name)
        && name.matches('(').count() == name.matches(')').count()
}
