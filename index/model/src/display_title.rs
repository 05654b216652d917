//! Titles and names that newspapers print in capitals, in the form in which the other titles are printed.
//! No list of names is needed: a place keeps its capital, as all long words of a title do. The web app has
//! the same rule (`web/src/shared/tender/displayTitle.ts`), with the same tests.

use std::borrow::Cow;

/// A text in capitals with fewer words may consist of abbreviations. It is loud only with two plain words.
const MIN_WORDS: usize = 4;
/// The number of letters from which a word with a vowel is a plain word, unless it is a known abbreviation.
const MIN_PLAIN_LETTERS: usize = 4;

/// Words that are written without a capital, unless a title begins with them.
const SMALL_WORDS: &str =
    "a an and as at by for from in into its of off on or over per the to under up upon via with within";

/// Words of up to three letters that are no abbreviations. Other short words stay as they are printed.
const SHORT_WORDS: &str = "act add age aid air all any are art bag bar bay bed bid bin bio bot box bus cab can cap \
    car co cut dam day die dry due ear ela end eye fan far few fit fly fog fox fun gas gel gem gum gun her his hot \
    ice ink ja jam jar jet job key kit lab law lot low man map mat may men mid new non not nut oil old one our out \
    own oya pay pen pet pin pit pot pre raw ray re red rod row rug run sea set she sir six sky sri sub sun tap tar \
    tax tea ten tie tin tip top toy tub two use uva van war was way we web wet you zoo";

/// Words with a form of their own: abbreviations that are no capitals, and units.
const FORMS: &str = "No Nos Rs Pvt Ltd Dr Mr Mrs St km mm cm kg kV kVA kW kWh MW MVA ha sq ft ml m2 m3";

/// Abbreviations that look like words. Those without a vowel, such as NWSDB, and those of up to three letters
/// need no entry.
const ACRONYMS: &str = "AIDS CECB CIDA COPE GOSL HDPE ICTA JICA LECO MASL MEPA NAITA NARA NHDA NITA PABX PUCSL \
    SLBFE SLIIT SLPA SLTDA TVEC UNDP UNESCO UNICEF UPVC USAID";

/// A word without these letters is an abbreviation.
const VOWELS: [char; 6] = ['A', 'E', 'I', 'O', 'U', 'Y'];

/// The marks between words. Other marks belong to words.
const SEPARATORS: [char; 14] = ['(', ')', '[', ']', ',', ';', ':', '/', '"', '“', '”', '–', '—', '-'];

/// The form in which screens and messages show a printed title or name. If it is printed in capitals, its
/// words begin with a capital and continue in small letters, but abbreviations, numerals, references, and a
/// single word in brackets stay as printed. The number of characters never changes.
#[must_use]
pub fn display_title(printed: &str) -> Cow<'_, str> {
    if !is_shouted(printed) {
        return Cow::Borrowed(printed);
    }
    let chars: Vec<char> = printed.chars().collect();
    let first = chars.iter().position(char::is_ascii_uppercase);
    let mut shown = String::with_capacity(printed.len());
    let mut at = 0;
    while let Some(rest) = chars.get(at..).filter(|rest| !rest.is_empty()) {
        let length = part_length(rest);
        let part: String = rest.iter().take(length.max(1)).collect();
        if length == 0 {
            shown.push_str(&part);
        } else if let Some(inside) = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')) {
            shown.push_str(&format!("({})", form(inside).unwrap_or(inside)));
        } else if is_code(&part) {
            shown.push_str(form(&part).unwrap_or(&part));
        } else if part.to_uppercase() == part {
            push_words(
                &mut shown,
                rest.get(..length).unwrap_or_default(),
                first.and_then(|first| first.checked_sub(at)),
            );
        } else {
            // A part such as "Kandy" or "km" is printed as it should be.
            shown.push_str(&part);
        }
        at += length.max(1);
    }
    Cow::Owned(shown)
}

/// Whether a text is printed in capitals.
fn is_shouted(text: &str) -> bool {
    if text.chars().any(|c| matches!(c, '\u{b80}'..='\u{bff}' | '\u{d80}'..='\u{dff}')) {
        return false;
    }
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let capitals = text.chars().filter(char::is_ascii_uppercase).count();
    let words = || text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() >= 2);
    let is_plain = |word: &&str| {
        word.len() >= MIN_PLAIN_LETTERS
            && word.contains(VOWELS)
            && !ACRONYMS.split(' ').any(|known| known == *word)
    };
    // More than four fifths of the letters are capitals.
    capitals * 5 > letters * 4 && (words().count() >= MIN_WORDS || words().filter(is_plain).count() >= 2)
}

/// The number of characters of the part that a text begins with: a reference such as `RDA/WP/118`, a single
/// word in brackets, or a word. 0: the text begins with a mark or a space.
fn part_length(text: &[char]) -> usize {
    let length_of = |belongs: &dyn Fn(char) -> bool| text.iter().take_while(|c| belongs(**c)).count();
    let run = length_of(&|c| !c.is_whitespace() && !matches!(c, '(' | ')'));
    let has_number = |after_slash: usize| text[after_slash..run].iter().any(char::is_ascii_digit);
    if text.iter().take(run).position(|c| *c == '/').is_some_and(has_number) {
        return run;
    }
    if let ['(', inside @ ..] = text {
        let letters = inside.iter().take_while(|c| c.is_ascii_uppercase()).count();
        let is_closed = inside.get(letters) == Some(&')');
        return if is_closed && (2..=6).contains(&letters) { letters + 2 } else { 0 };
    }
    length_of(&|c| !c.is_whitespace() && !SEPARATORS.contains(&c))
}

/// Adds a part in capitals with the forms of its words. `first`: the place of the first capital of the whole
/// text in the part.
fn push_words(shown: &mut String, part: &[char], first: Option<usize>) {
    let mut at = 0;
    while let Some(rest) = part.get(at..).filter(|rest| !rest.is_empty()) {
        let is_word = rest.first().is_some_and(char::is_ascii_uppercase);
        let belongs = |c: &&char| c.is_ascii_uppercase() || (matches!(**c, '\'' | '’'));
        let length = if is_word { rest.iter().take_while(belongs).count() } else { 1 };
        let text: String = rest.iter().take(length).collect();
        shown.push_str(&if is_word { word_form(&text, first == Some(at)) } else { text });
        at += length;
    }
}

/// The form of a word in capitals. `is_first`: the text begins with it.
fn word_form(word: &str, is_first: bool) -> String {
    let is_one_of = |words: &str, word: &str| words.split(' ').any(|known| known == word);
    let lower = word.to_ascii_lowercase();
    let capitalised: String = word.chars().take(1).chain(lower.chars().skip(1)).collect();
    if is_one_of(SMALL_WORDS, &lower) {
        return if is_first { capitalised } else { lower };
    }
    if let Some(form) = form(word) {
        return form.to_owned();
    }
    let stem = word.split(['\'', '’']).next().unwrap_or_default();
    let is_roman = !stem.is_empty() && stem.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    let has_vowel = stem.contains(VOWELS);
    let is_short = stem.len() <= 3 && !is_one_of(SHORT_WORDS, &stem.to_ascii_lowercase());
    if is_roman || is_one_of(ACRONYMS, stem) || !has_vowel || is_short {
        word.to_owned()
    } else {
        capitalised
    }
}

/// The form of its own of a word.
fn form(word: &str) -> Option<&'static str> {
    FORMS.split(' ').find(|form| form.eq_ignore_ascii_case(word))
}

/// Whether a part of a text is an abbreviation with dots, a number or a word with digits.
fn is_code(part: &str) -> bool {
    let mut letters = part.split('.');
    let last = letters.next_back().unwrap_or_default();
    let is_capital = |text: &str| text.len() == 1 && text.starts_with(|c: char| c.is_ascii_uppercase());
    let has_dots = part.matches('.').count() >= 2;
    part.contains(|c: char| c.is_ascii_digit())
        || (has_dots && letters.all(is_capital) && (last.is_empty() || is_capital(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use std::fs;

    #[rstest]
    #[case(
        "CONSTRUCTION OF FOUR STOREYED HOSTEL BUILDING FOR FEMALE STUDENTS AT FACULTY OF TECHNOLOGY, KAMBURUPITIYA",
        "Construction of Four Storeyed Hostel Building for Female Students at Faculty of Technology, Kamburupitiya"
    )]
    #[case(
        "SUPPLY, INSTALLATION AND COMMISSIONING OF FOUR (04) HAND BAGGAGE X-RAY SCREENING MACHINES",
        "Supply, Installation and Commissioning of Four (04) Hand Baggage X-Ray Screening Machines"
    )]
    #[case(
        "REHABILITATION OF D110 CANAL ROAD FROM 3.000 KM TO 12.450 KM (PHASE II) - HALI-ELA",
        "Rehabilitation of D110 Canal Road from 3.000 km to 12.450 km (Phase II) - Hali-Ela"
    )]
    #[case(
        "BID NO. PRDA/WP/S/2026/118 - SUPPLY OF EMULSION CRS-1 IN BULK TO RDA AND NWSDB",
        "Bid No. PRDA/WP/S/2026/118 - Supply of Emulsion CRS-1 in Bulk to RDA and NWSDB"
    )]
    #[case(
        "SUPPLY OF 33KV INSULATORS AND 11 KV SWITCHGEAR TO CEB, LECO AND SLPA",
        "Supply of 33KV Insulators and 11 kV Switchgear to CEB, LECO and SLPA"
    )]
    #[case(
        "REPAIRS TO THE NURSES' QUARTERS, CHILDREN'S WARD AND O.P.D. OF THE HOSPITAL",
        "Repairs to the Nurses' Quarters, Children's Ward and O.P.D. of the Hospital"
    )]
    #[case(
        "GRANT OF THE CHILDREN'S FUND (UNICEF) TO SCHOOLS",
        "Grant of the Children's Fund (UNICEF) to Schools"
    )]
    #[case(
        "RE-ROOFING OF THE CO-OPERATIVE SHOP AND SUPPLY OF PRE-STRESSED BEAMS",
        "Re-Roofing of the Co-Operative Shop and Supply of Pre-Stressed Beams"
    )]
    #[case("MAHAWELI AUTHORITY OF SRI LANKA", "Mahaweli Authority of Sri Lanka")]
    #[case("CEYLON PETROLEUM STORAGE TERMINALS (PVT) LTD", "Ceylon Petroleum Storage Terminals (Pvt) Ltd")]
    #[case("LAND REFORM COMMISSION", "Land Reform Commission")]
    #[case("PEOPLE'S BANK", "People's Bank")]
    #[case("SUPPLY OF TYRES", "Supply of Tyres")]
    #[case("SUPPLY OF 225 m3 TANKS TO Kandy AND MATALE", "Supply of 225 m3 Tanks to Kandy and Matale")]
    fn a_title_in_capitals_is_shown_in_title_form(#[case] printed: &str, #[case] shown: &str) {
        assert_eq!(display_title(printed), shown);
    }

    #[rstest]
    #[case::abbreviations("SLPA COLOMBO")]
    #[case::one_plain_word("CIDA ICTAD CCTV")]
    #[case::capitals_that_are_not_most_letters("Supply of ABC CONDUCTOR and accessories for the Area Office")]
    #[case::sinhala("ග්‍රාමීය මාර්ග CONCRETE ROADS OF THE PRADESHIYA SABHA")]
    #[case::tamil("கிராமிய வீதிகளை CONCRETE ROADS OF THE PRADESHIYA SABHA")]
    #[case::nothing("")]
    fn other_titles_stay_as_printed(#[case] printed: &str) {
        assert_eq!(display_title(printed), printed);
    }

    /// The titles of the notices that were read from the newspaper pages of the fixtures.
    fn fixture_titles() -> Vec<String> {
        let mut folders = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/notices").into()];
        let mut titles = Vec::new();
        while let Some(folder) = folders.pop() {
            let folder: std::path::PathBuf = folder;
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|kind| kind == "md") {
                    let text = fs::read_to_string(path).unwrap();
                    titles.extend(
                        text.lines().find_map(|line| line.strip_prefix("title: ")).map(str::to_owned),
                    );
                }
            }
        }
        titles
    }

    #[test]
    fn titles_of_the_fixtures_stay_and_get_their_form_back() {
        let titles = fixture_titles();
        assert!(titles.len() > 40, "{}", titles.len());
        for title in titles {
            assert_eq!(display_title(&title), title);
            let capitals = title.to_uppercase();
            let shown = display_title(&capitals);
            assert_eq!(shown.to_uppercase(), capitals);
            assert_eq!(shown.chars().count(), capitals.chars().count());
            if title.split(' ').count() >= 4 && title.contains(|c: char| c.is_ascii_lowercase()) {
                assert_eq!(shown, title);
            }
        }
    }
}
