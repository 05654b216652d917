//! "Did you mean": detects typing errors and corrects them. Words that occur only in the text of
//! tenders that are locked for the viewer are treated like words that do not occur.

use super::{
    search_field::SearchField,
    syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery},
    term_index::TermIndex,
    typos,
};
use crate::{analysis::stem, error::IndexError};
use tender_model::vocabulary::gazetteer;

/// A corrected query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DidYouMean {
    /// The whole corrected search text.
    pub text: String,
    /// The corrected words, in order.
    pub changes: Vec<Correction>,
}

/// A word that is not in the index, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The normalised typed word.
    pub from: String,
    /// The most likely word or words.
    pub to: String,
}

/// Returns the corrected query, further corrections for each clause, and the corrections to report
/// to the user.
#[expect(clippy::type_complexity, reason = "the three parts of one answer, read in one place")]
pub(super) fn correct_typos(
    typed: &UserQuery,
    index: &dyn TermIndex,
) -> Result<(UserQuery, Vec<Vec<Vec<String>>>, Option<DidYouMean>), IndexError> {
    let (mut corrected, mut others, mut changes) = (UserQuery::default(), Vec::new(), Vec::new());
    let words: Vec<&str> =
        typed.clauses.iter().map(|clause| clause.plain_word().unwrap_or_default()).collect();
    let mut named = 0;
    for (at, clause) in typed.clauses.iter().enumerate() {
        let mut clause = clause.clone();
        if let Some(name) = gazetteer::find_name(&words[at..]) {
            named = named.max(at + name.count);
        }
        let mistyped = if at < named { None } else { find_typo(&clause, index)? };
        let Some((word, field)) = mistyped else {
            corrected.clauses.push(clause);
            others.push(Vec::new());
            continue;
        };
        let mut taken_for = typos::corrections(&word, field, index)?.into_iter();
        let Some(best) = taken_for.next() else {
            corrected.clauses.push(clause);
            others.push(Vec::new());
            continue;
        };
        changes.push(Correction { from: word, to: best.join(" ") });
        let mut also: Vec<Vec<String>> = taken_for.collect();
        for word in best {
            if let [Condition::Text(text)] = clause.any.as_mut_slice() {
                text.words = vec![word];
            }
            corrected.clauses.push(clause.clone());
            others.push(std::mem::take(&mut also));
        }
    }
    let did_you_mean = (!changes.is_empty()).then(|| DidYouMean { text: corrected.to_string(), changes });
    Ok((corrected, others, did_you_mean))
}

/// The only word of a clause, if no text that the viewer may read contains it, and the field that was
/// searched.
fn find_typo(clause: &Clause, index: &dyn TermIndex) -> Result<Option<(String, SearchField)>, IndexError> {
    let [Condition::Text(TextCondition { words, quoted: false, within })] = clause.any.as_slice() else {
        return Ok(None);
    };
    let [word] = words.as_slice() else { return Ok(None) };
    let field = match within {
        SearchedText::Anything => SearchField::Words,
        SearchedText::Title => SearchField::Title,
        SearchedText::Organization => SearchField::Organization,
        SearchedText::Reference => return Ok(None),
    };
    if clause.excluded || typos::allowed_edits(word) == 0 || gazetteer::find_name(&[word.as_str()]).is_some()
    {
        return Ok(None);
    }
    let found = index.occurs(field, word)?
        || (field == SearchField::Words && index.occurs(SearchField::Stems, &stem(word))?);
    Ok((!found).then(|| (word.clone(), field)))
}
