//! What a user types into the search box: words that must all be there, `"phrases"`, and `-excluded` ones. Nothing is an error:
//! what can't be read as an operator is text.

use crate::{
    schema::{Fields, stems},
    text::Words,
};
use tantivy::{
    Term,
    query::{AllQuery, BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery},
    schema::{Field, IndexRecordOption},
};

/// How many characters of a text are read, and how many clauses. The rest is ignored.
const LONGEST: usize = 512;
const MOST_CLAUSES: usize = 64;

/// A typed text as it was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    /// All of these.
    pub wanted: Vec<Clause>,
    /// None of these.
    pub unwanted: Vec<Clause>,
}

/// One or more words side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The normalised words; never empty.
    pub words: Vec<String>,
    /// In quotation marks: as written, not by its stem.
    pub quoted: bool,
}

impl Typed {
    /// Reads a typed text.
    ///
    /// What has no space in it stays together: a reference is found whatever separators it is written with.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut typed = Self::default();
        let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
        let mut rest = text[..cut].trim_start();
        while !rest.is_empty() && typed.wanted.len() + typed.unwanted.len() < MOST_CLAUSES {
            let unwanted = rest.strip_prefix('-');
            let (clause, after) = take_clause(unwanted.unwrap_or(rest));
            if let Some(clause) = clause {
                if unwanted.is_some() { typed.unwanted.push(clause) } else { typed.wanted.push(clause) }
            }
            rest = after.trim_start();
        }
        typed
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// The Tantivy query. With nothing wanted, every tender is.
    pub(crate) fn to_query(&self, fields: &Fields) -> Box<dyn Query> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> =
            self.wanted.iter().map(|clause| (Occur::Must, clause.to_query(fields))).collect();
        if clauses.is_empty() {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        // What finds a tender also excludes it: `-bridge` leaves out bridges too.
        clauses.extend(self.unwanted.iter().map(|clause| (Occur::MustNot, clause.to_query(fields))));
        Box::new(BooleanQuery::new(clauses))
    }
}

/// A clause from the beginning of a text, if there is a word in it, and what follows.
fn take_clause(text: &str) -> (Option<Clause>, &str) {
    let quoted =
        text.strip_prefix(['"', '“', '”', '„']).and_then(|inside| inside.split_once(['"', '“', '”']));
    let (part, after) =
        quoted.unwrap_or_else(|| text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())));
    let words: Vec<String> = Words::of(part).iter().map(str::to_owned).collect();
    ((!words.is_empty()).then_some(Clause { words, quoted: quoted.is_some() }), after)
}

impl Clause {
    /// Found in any field; what stands in a title, a reference or a name weighs more.
    fn to_query(&self, fields: &Fields) -> Box<dyn Query> {
        let weighted =
            [(fields.title, 4.0), (fields.reference, 4.0), (fields.organization, 2.0), (fields.words, 1.0)];
        let mut ways: Vec<(Occur, Box<dyn Query>)> = weighted
            .iter()
            .map(|(field, weight)| {
                (Occur::Should, Box::new(BoostQuery::new(side_by_side(*field, &self.words), *weight)) as _)
            })
            .collect();
        if let ([word], false) = (self.words.as_slice(), self.quoted) {
            let mut analyzer = stems();
            let mut stream = analyzer.token_stream(word);
            if stream.advance() {
                let stem = [stream.token().text.clone()];
                ways.push((Occur::Should, Box::new(BoostQuery::new(side_by_side(fields.stems, &stem), 0.5))));
            }
        }
        Box::new(BooleanQuery::new(ways))
    }
}

fn side_by_side(field: Field, words: &[String]) -> Box<dyn Query> {
    let mut terms: Vec<Term> = words.iter().map(|word| Term::from_field_text(field, word)).collect();
    match terms.pop() {
        Some(term) if terms.is_empty() => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
        last => Box::new(PhraseQuery::new(terms.into_iter().chain(last).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let typed = Typed::read(text);
        let show = |clauses: &[Clause], sign: &str| {
            let shown = clauses.iter().map(|clause| {
                let mark = if clause.quoted { "\"" } else { "" };
                format!("{sign}{mark}{}{mark}", clause.words.join("_"))
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        format!("{} {}", show(&typed.wanted, ""), show(&typed.unwanted, "-")).trim().to_owned()
    }

    #[test]
    fn operators_are_read_and_the_rest_is_text() {
        assert_eq!(shown("Road works"), "road works");
        assert_eq!(shown("\"Road works\" -bridge"), "\"road_works\" -bridge");
        assert_eq!(shown("-\"steel bridge\" road"), "road -\"steel_bridge\"");
        assert_eq!(shown("DSO-MT-2021/11"), "dso_mt_2021_11");
        assert_eq!(shown("\"never closed road"), "never closed road");
        assert_eq!(shown("AND ( OR : ^ ~ * ) --"), "and or");
        assert_eq!(shown(" - \" "), "");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,600}") {
            let typed = Typed::read(&text);
            prop_assert!(typed.wanted.len() + typed.unwanted.len() <= MOST_CLAUSES);
        }
    }
}
