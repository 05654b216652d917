//! Names of organisations and towns that the readers do not know yet: what reviewers entered, and
//! what administrators decided.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::HashSet, sync::LazyLock};
use strum::{EnumString, IntoStaticStr};
use tender_model::{
    text::Words,
    vocabulary::{
        District, OrganizationType,
        gazetteer::{MORE_ORGANIZATIONS, ORGANIZATIONS, Place, mentions},
    },
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of characters of a name.
pub const MAX_NAME_CHARS: usize = 200;
/// The maximum number of other spellings of a name.
pub const MAX_SPELLINGS: usize = 20;
/// The maximum number of words of a town's name, as the readers accept it.
const MAX_TOWN_WORDS: usize = 6;

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum NamedThing {
    /// An organisation.
    Organization {
        /// Its type, if it is known.
        #[serde(rename = "type")]
        organization_type: Option<OrganizationType>,
    },
    /// A town.
    Town {
        /// Its district.
        district: District,
    },
}

/// What was decided about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NameState {
    /// A reviewer entered it.
    Proposed,
    /// The readers use it.
    Confirmed,
    /// The readers do not use it.
    Refused,
}

/// A name with what it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewName {
    /// The name.
    pub name: String,
    /// Other spellings.
    pub spellings: Vec<String>,
    /// What it names.
    pub thing: NamedThing,
}

impl NewName {
    /// The name in lower case and without punctuation.
    #[must_use]
    pub fn plain(&self) -> String {
        Words::of(&self.name).as_str().to_owned()
    }

    /// All names: the name, and its other spellings.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.spellings).map(String::as_str)
    }

    /// The line of a gazetteer file, as `ingest` reads it.
    #[must_use]
    pub fn line(&self) -> String {
        let in_script = |wanted: fn(Script) -> bool| {
            self.all().filter(|name| wanted(script_of(name))).collect::<Vec<_>>().join("|")
        };
        let sort = match self.thing {
            NamedThing::Organization { organization_type } => {
                organization_type.map_or_else(String::new, |kind| kind.as_str().to_owned())
            }
            NamedThing::Town { district } => format!("town {}", district.as_str()),
        };
        let english = in_script(|script| script == Script::Latin);
        let sinhala = in_script(|script| script == Script::Sinhala);
        let tamil = in_script(|script| script == Script::Tamil);
        format!("{english}\t\t{sinhala}\t{tamil}\t{sort}\n")
    }
}

/// A name in the gazetteer of the portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredName {
    /// The id.
    pub id: Uuid,
    /// The name.
    pub name: NewName,
    /// What was decided about it.
    pub state: NameState,
    /// In how many notices reviewers used it.
    pub uses: i64,
    /// The key of the last of these notices.
    pub last_notice: Option<String>,
    /// When it was proposed or added.
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Sinhala,
    Tamil,
}

/// The script of the first letter that is Sinhala or Tamil, or else Latin.
fn script_of(name: &str) -> Script {
    let script = |letter: char| match letter {
        '\u{0D80}'..='\u{0DFF}' => Some(Script::Sinhala),
        '\u{0B80}'..='\u{0BFF}' => Some(Script::Tamil),
        _ => None,
    };
    name.chars().find_map(script).unwrap_or(Script::Latin)
}

static KNOWN_ORGANIZATIONS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = ORGANIZATIONS.lines().chain(MORE_ORGANIZATIONS.lines()).filter(|line| !line.starts_with('#'));
    let names = lines.flat_map(|line| line.split('\t').take(4)).flat_map(|cell| cell.split('|'));
    names.map(|name| Words::of(name).as_str().to_owned()).filter(|name| !name.is_empty()).collect()
});

/// Whether the readers know a name without the gazetteer of the portal.
#[must_use]
pub fn is_built_in(name: &NewName) -> bool {
    match name.thing {
        NamedThing::Organization { .. } => KNOWN_ORGANIZATIONS.contains(&name.plain()),
        NamedThing::Town { district } => mentions(&name.name).iter().any(|mention| match mention.place {
            Place::Province(_) => false,
            Place::District(known) => known == district,
            Place::Town(_, known) => known == district,
        }),
    }
}

/// Why a name cannot be in a gazetteer file. `None`: it can.
#[must_use]
pub fn name_problem(name: &str, thing: NamedThing) -> Option<&'static str> {
    let words = Words::of(name).len();
    if words == 0 {
        Some("The name needs letters")
    } else if name.chars().count() > MAX_NAME_CHARS {
        Some("The name is longer than 200 characters")
    } else if name.starts_with('#') || name.contains('|') || name.contains(char::is_control) {
        Some("The name must not begin with #, or contain | or line breaks")
    } else if matches!(thing, NamedThing::Town { .. }) && words > MAX_TOWN_WORDS {
        Some("The name of a town has at most six words")
    } else {
        None
    }
}

/// The text of a gazetteer file with these names, and its version.
#[must_use]
pub fn file(names: &[NewName]) -> (String, String) {
    let text: String = names.iter().map(NewName::line).collect();
    let hash = Sha256::digest(text.as_bytes());
    let version = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    (text, version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn town(name: &str, spellings: &[&str]) -> NewName {
        NewName {
            name: name.to_owned(),
            spellings: spellings.iter().map(|&spelling| spelling.to_owned()).collect(),
            thing: NamedThing::Town { district: District::Gampaha },
        }
    }

    #[test]
    fn a_line_has_each_name_in_the_column_of_its_script() {
        let line = town("Wedamulla", &["Wedamulla North", "වැඩමුල්ල", "வேதமுல்ல"]).line();
        assert_eq!(line, "Wedamulla|Wedamulla North\t\tවැඩමුල්ල\tவேதமுல்ல\ttown Gampaha\n");
        let thing = NamedThing::Organization { organization_type: Some(OrganizationType::SemiGovernment) };
        let works = NewName { name: "Muthurajawela Works".to_owned(), spellings: Vec::new(), thing };
        assert_eq!(works.line(), "Muthurajawela Works\t\t\t\tsemi-government\n");
    }

    #[test]
    fn known_names_are_recognised() {
        assert!(is_built_in(&town("Negombo", &[])));
        assert!(!is_built_in(&town("Wedamulla", &[])));
        let thing = NamedThing::Organization { organization_type: None };
        let name = |name: &str| NewName { name: name.to_owned(), spellings: Vec::new(), thing };
        assert!(is_built_in(&name("ROAD DEVELOPMENT AUTHORITY")));
        assert!(is_built_in(&name("Airport and Aviation Services Sri Lanka Limited")));
        assert!(!is_built_in(&name("Muthurajawela Works Authority")));
    }

    #[test]
    fn names_that_break_a_line_are_refused() {
        let thing = NamedThing::Town { district: District::Gampaha };
        for wrong in ["", " - ", "#Negombo", "A|B", "A\tB", "one two three four five six seven"] {
            assert!(name_problem(wrong, thing).is_some(), "{wrong:?}");
        }
        assert_eq!(name_problem("Wedamulla", thing), None);
    }
}
