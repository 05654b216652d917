//! The gazetteer lists places, and organisations with their types. Some names do not show the
//! type: a state-owned company may also be called `Limited`. An organisation that the gazetteer
//! lists is read with a higher confidence.
//!
//! The gazetteer is built from data files. An operator can add a file in the same format. Names
//! that several notices agree on can be learned.

mod places;

pub(crate) use places::{Mention, Place};

use super::printed::{is_similar, plain_words};
use places::Places;
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fs, io::Read, path::Path, sync::LazyLock};
use tender_model::{
    tender::Tender,
    vocabulary::{
        District, OrganizationType,
        gazetteer::{MORE_ORGANIZATIONS, ORGANIZATIONS},
    },
};

/// The maximum size of a gazetteer file, in bytes.
pub const MAX_BYTES: u64 = 1024 * 1024;

/// The minimum confidence that a name must have in a notice to be learned. A name that the notice
/// prints twice has this confidence.
pub const MIN_LEARNED_CONFIDENCE: f64 = 0.97;

/// The minimum number of notices that must agree on a name before the name is learned.
pub const MIN_AGREEING_NOTICES: usize = 2;

/// Names of up to this length, in bytes, must match exactly. Longer names may have a few misread
/// letters. Different short names may differ by only one letter.
const MAX_EXACT_LENGTH: usize = 12;

/// Words that do not identify an organisation. A name of only such words is not listed.
const GENERIC_WORDS: [&str; 28] = [
    "teaching",
    "district",
    "general",
    "base",
    "divisional",
    "regional",
    "hospital",
    "municipal",
    "urban",
    "provincial",
    "council",
    "pradeshiya",
    "sabha",
    "sabhawa",
    "secretariat",
    "kachcheri",
    "department",
    "ministry",
    "authority",
    "board",
    "university",
    "the",
    "of",
    "and",
    "committee",
    "procurement",
    "limited",
    "company",
];

/// Why a gazetteer file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GazetteerError {
    /// The file cannot be read.
    #[error("the gazetteer cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The file is larger than [`MAX_BYTES`].
    #[error("the gazetteer is larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// A line is invalid.
    #[error(
        "line {line} of the gazetteer: {what}; a line is: English names, acronyms, Sinhala names, Tamil names, type, separated by tabs, \
         and the type is empty, government, semi-government, private, ngo, `town` and its district, or `district` and its name"
    )]
    Line {
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        what: &'static str,
    },
}

/// A name of an organisation, normalised by `normalise_name`, with the type of the organisation.
#[derive(Debug, Clone)]
struct OrganizationName {
    plain: String,
    kind: Option<OrganizationType>,
}

/// Organisations and places by their names in three scripts.
#[derive(Debug, Clone, Default)]
pub struct Gazetteer {
    names: Vec<OrganizationName>,
    places: Places,
    /// The digest of the operator's file; empty without such a file.
    fingerprint: String,
}

static BUILT_IN: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut gazetteer = Gazetteer::default();
    // A test checks that every line of these files is valid.
    for text in [MORE_ORGANIZATIONS, ORGANIZATIONS] {
        let _ = gazetteer.add(text);
    }
    gazetteer
});

impl Gazetteer {
    /// The built-in gazetteer.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// The built-in gazetteer plus the file of an operator.
    ///
    /// # Errors
    /// If the file cannot be read, is too large or has an invalid line.
    pub fn read(path: &Path) -> Result<Self, GazetteerError> {
        let mut text = String::new();
        fs::File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(GazetteerError::TooLarge);
        }
        // Entries of the operator come first and take precedence.
        let mut gazetteer = Self::default();
        // An editor may have written a byte order mark.
        gazetteer.add(text.strip_prefix('\u{FEFF}').unwrap_or(&text))?;
        gazetteer.names.extend(BUILT_IN.names.iter().cloned());
        gazetteer.fingerprint = hex::encode(&Sha256::digest(text.as_bytes())[..8]);
        Ok(gazetteer)
    }

    /// This gazetteer plus the lines of another file, which take precedence.
    ///
    /// # Errors
    /// If a line is invalid.
    pub fn extended(&self, text: &str) -> Result<Self, GazetteerError> {
        let mut gazetteer = Self { places: self.places.clone(), ..Self::default() };
        gazetteer.add(text)?;
        gazetteer.names.extend(self.names.iter().cloned());
        let identity = format!("{}\n{text}", self.fingerprint);
        gazetteer.fingerprint = hex::encode(&Sha256::digest(identity.as_bytes())[..8]);
        Ok(gazetteer)
    }

    /// Identifies the content of the operator's file; empty for the built-in gazetteer. Pages that
    /// were read with another gazetteer are read again.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Adds the organisations and places of a file with this text. Blank lines and lines that
    /// begin with `#` are skipped.
    fn add(&mut self, text: &str) -> Result<(), GazetteerError> {
        for (nth, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let invalid = |what| GazetteerError::Line { line: nth + 1, what };
            let cells: Vec<&str> = line.split('\t').collect();
            if cells.len() > 5 {
                return Err(invalid("it has more than five columns"));
            }
            let kind = match cells.get(4).map(|cell| cell.trim()) {
                None | Some("") => None,
                Some(kind) => match kind.split_once(' ') {
                    Some((sort @ ("town" | "district"), district)) => {
                        let district = District::from_spelling(district)
                            .ok_or_else(|| invalid("the district is not one of the twenty-five"))?;
                        self.add_place(&cells, sort == "town", district).map_err(invalid)?;
                        continue;
                    }
                    _ => Some(kind.parse().map_err(|_| invalid("the type is unknown"))?),
                },
            };
            let names: Vec<String> = cells
                .iter()
                .take(4)
                .flat_map(|cell| cell.split('|'))
                .map(normalise_name)
                .filter(|name| name.chars().count() > 1)
                .collect();
            if names.is_empty() {
                return Err(invalid("it has no name of an organisation"));
            }
            let names = names.into_iter().filter(|name| !is_generic(name));
            self.names.extend(names.map(|plain| OrganizationName { plain, kind }));
        }
        Ok(())
    }

    /// Adds a place with the names in a line. The first name becomes the name of the town.
    fn add_place(&mut self, cells: &[&str], is_town: bool, district: District) -> Result<(), &'static str> {
        let names = cells.iter().take(4).flat_map(|cell| cell.split('|')).map(str::trim);
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let first = *names.first().ok_or("it has no name of a place")?;
        let place = if is_town { Place::Town(first.to_owned(), district) } else { Place::District(district) };
        let are_added = names.iter().all(|name| self.places.add(name, place.clone()));
        are_added.then_some(()).ok_or("a name has no words, or more than six")
    }

    /// The places named in a text, in order.
    pub(crate) fn mentions(&self, text: &str) -> Vec<Mention> {
        self.places.mentions(text)
    }

    /// Whether the gazetteer lists an organisation with this name. A long name may have a few
    /// misread letters.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        self.find(name).next().is_some()
    }

    /// Whether the gazetteer lists an organisation with exactly this name.
    #[must_use]
    pub fn has_exact_name(&self, name: &str) -> bool {
        let plain = normalise_name(name);
        self.names.iter().any(|known| known.plain == plain)
    }

    /// The type of an organisation, if the gazetteer lists its name with a type.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<OrganizationType> {
        self.find(name).find_map(|name| name.kind)
    }

    /// Whether a listed name begins with these words. A single word is not enough.
    #[must_use]
    pub fn has_name_starting_with(&self, words: &str) -> bool {
        let plain = normalise_name(words);
        plain.contains(' ') && self.names.iter().any(|name| name.plain.starts_with(&plain))
    }

    fn find(&self, name: &str) -> impl Iterator<Item = &OrganizationName> {
        let plain = normalise_name(name);
        self.names.iter().filter(move |known| {
            known.plain == plain || (plain.len() > MAX_EXACT_LENGTH && is_similar(&known.plain, &plain))
        })
    }

    /// The organisations in notices that the gazetteer does not list yet, as lines of a gazetteer
    /// file. At least [`MIN_AGREEING_NOTICES`] notices must agree on a name. None of them may need
    /// review. In each of them, the confidence of the name must be at least
    /// [`MIN_LEARNED_CONFIDENCE`], or a reviewer must have set the name.
    pub fn learn<'t>(&self, notices: impl IntoIterator<Item = &'t Tender>) -> String {
        let mut counted: BTreeMap<String, (&Tender, usize)> = BTreeMap::new();
        for tender in notices {
            let name = &tender.organization.name;
            let confidence = tender.confidence.get("organization.name").copied().unwrap_or(1.0);
            let plain = normalise_name(name);
            let is_name = !is_generic(&plain) && !name.contains(['\t', '|', '\n', '#']);
            if !tender.needs_review && confidence >= MIN_LEARNED_CONFIDENCE && is_name && !self.knows(name) {
                counted.entry(plain).or_insert((tender, 0)).1 += 1;
            }
        }
        let agreed = counted.into_values().filter(|(_, count)| *count >= MIN_AGREEING_NOTICES);
        agreed.map(|(tender, _)| gazetteer_line(tender)).collect()
    }
}

/// The gazetteer line of a learned organisation, with the name in the column of its script.
fn gazetteer_line(tender: &Tender) -> String {
    let name = &tender.organization.name;
    let kind = tender.organization.kind.map_or("", |kind| kind.as_str());
    let (english, sinhala, tamil) = match super::language::detect(name).map(|(language, _)| language) {
        Some(tender_model::vocabulary::Language::Sinhala) => ("", name.as_str(), ""),
        Some(tender_model::vocabulary::Language::Tamil) => ("", "", name.as_str()),
        _ => (name.as_str(), "", ""),
    };
    format!("{english}\t\t{sinhala}\t{tamil}\t{kind}\n")
}

/// The words of a name in lower case, without punctuation, `and`, a leading `the` and trailing
/// legal forms such as `Ltd`.
fn normalise_name(name: &str) -> String {
    let plain = plain_words(name).replace('’', " ");
    let plain = plain.strip_prefix("the ").unwrap_or(&plain);
    let mut words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty() && *word != "and").collect();
    while words.len() > 2 && matches!(words.last(), Some(&("limited" | "ltd" | "pvt" | "private" | "plc"))) {
        words.pop();
    }
    words.join(" ")
}

fn is_generic(plain: &str) -> bool {
    plain.split(' ').all(|word| word.chars().count() < 2 || GENERIC_WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::vocabulary::OrganizationType::{Ngo, SemiGovernment};

    #[test]
    fn every_line_of_the_data_is_valid() {
        let mut gazetteer = Gazetteer::default();
        gazetteer.add(MORE_ORGANIZATIONS).unwrap();
        gazetteer.add(ORGANIZATIONS).unwrap();
        assert!(gazetteer.names.len() > 300, "{}", gazetteer.names.len());
    }

    #[test]
    fn an_organisation_is_known_in_three_scripts_and_with_misread_letters() {
        let gazetteer = Gazetteer::built_in();
        assert_eq!(gazetteer.kind("NATIONAL WATER SUPPLY & DRAINAGE BOARD"), Some(SemiGovernment));
        assert_eq!(gazetteer.kind("Natlonal Water Supply and Drainage Board"), Some(SemiGovernment));
        assert_eq!(gazetteer.kind("Sri Lanka Thriposha Ltd."), Some(SemiGovernment));
        assert_eq!(gazetteer.kind("UNDP SRI LANKA"), Some(Ngo));
        assert!(gazetteer.knows("මාර්ග සංවර්ධන අධිකාරිය"));
        assert!(gazetteer.knows("இலங்கை மின்சார சபை"));
        assert!(!gazetteer.knows("Hayleys PLC"));
        assert!(!gazetteer.knows("Teaching Hospital"), "the name is generic");
    }

    #[test]
    fn the_operators_file_takes_precedence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bodies.tsv");
        fs::write(
            &path,
            "\u{FEFF}# ours\n\nMuthurajawela Works|MW Company\tMWC\t\t\tprivate\nBank of Ceylon\t\t\t\tngo\n\
             Wedamulla|Wedamulla North\t\tවැඩමුල්ල\t\ttown Gampaha\nKilinochi\t\t\t\tdistrict Kilinochchi\n",
        )
        .unwrap();
        let gazetteer = Gazetteer::read(&path).unwrap();
        assert_eq!(gazetteer.kind("MWC"), Some(OrganizationType::Private));
        assert_eq!(gazetteer.kind("Bank of Ceylon"), Some(Ngo));
        assert!(gazetteer.knows("Road Development Authority"));
        let places = gazetteer.mentions("at වැඩමුල්ල, or Kilinochi").into_iter().map(|mention| mention.place);
        let expected =
            [Place::Town("Wedamulla".into(), District::Gampaha), Place::District(District::Kilinochchi)];
        assert_eq!(places.collect::<Vec<_>>(), expected);
        assert_eq!((gazetteer.fingerprint().len(), Gazetteer::built_in().fingerprint()), (16, ""));
    }

    #[test]
    fn invalid_lines_are_reported_with_their_number() {
        let error = |text: &str| Gazetteer::default().add(text).unwrap_err().to_string();
        assert!(
            error("A Body\t\t\t\tgovernment\nB\t\t\t\tking").starts_with("line 2 of the gazetteer: the type")
        );
        assert!(error("a\tb\tc\td\t\tf").contains("more than five"));
        assert!(error("\t\t\t\tprivate").contains("no name of an organisation"));
        assert!(error("Wedamulla\t\t\t\ttown Atlantis").contains("not one of the twenty-five"));
        assert!(error("\t|\t\t\ttown Galle").contains("no name of a place"));
        assert!(error("a b c d e f g\t\t\t\ttown Galle").contains("more than six"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bodies.tsv");
        fs::write(&path, vec![b'x'; 2 * 1024 * 1024]).unwrap();
        assert!(matches!(Gazetteer::read(&path), Err(GazetteerError::TooLarge)));
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(matches!(Gazetteer::read(&path), Err(GazetteerError::Read(_))));
        assert!(matches!(Gazetteer::read(&folder.path().join("none")), Err(GazetteerError::Read(_))));
    }

    #[test]
    fn names_on_which_notices_agree_are_learned() {
        let notice = |name: &str, confidence: Option<f64>, needs_review: bool| {
            let mut tender = Tender { needs_review, ..Tender::default() };
            tender.organization.name = name.to_owned();
            tender.confidence =
                confidence.map(|sure| ("organization.name".to_owned(), sure)).into_iter().collect();
            tender
        };
        let notices = [
            notice("Muthurajawela Works Authority", Some(0.97), false),
            notice("MUTHURAJAWELA WORKS AUTHORITY", None, false),
            notice("Once Only Board of Kandy", Some(0.98), false),
            notice("Doubtful Works Authority", Some(0.6), false),
            notice("Doubtful Works Authority", Some(0.6), false),
            notice("Waiting Works Authority", Some(0.98), true),
            notice("Waiting Works Authority", Some(0.98), true),
            notice("Bank of Ceylon", Some(0.98), false),
            notice("Bank of Ceylon", Some(0.98), false),
        ];
        let learned = Gazetteer::built_in().learn(&notices);
        assert_eq!(learned, "Muthurajawela Works Authority\t\t\t\t\n");
        let mut gazetteer = Gazetteer::default();
        gazetteer.add(&learned).unwrap();
        assert!(gazetteer.knows("Muthurajawela Works Authority"));
    }
}
