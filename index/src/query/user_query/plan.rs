//! [`QueryPlan`]: how a search text is evaluated in a given index. Typing errors are corrected,
//! names are searched for in every script, and references are found regardless of separators. If no
//! tender has all words, tenders with as many as possible are found.

use super::{
    did_you_mean::{DidYouMean, correct_typos},
    reference_lookup,
    scoring::{ScoringClause, add_scoring_clauses, proximity_clauses},
    search_field::{FieldTerm, SearchField},
    syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery},
    term_index::TermIndex,
    text_query::{Highlight, QueryNode, Scope, TextQuery},
    typos,
};
use crate::{analysis::stem, error::IndexError};
use tender_model::vocabulary::gazetteer::{self, Spelling};

/// A search text, planned for an index.
pub struct QueryPlan {
    /// The tenders that the text finds.
    pub query: TextQuery,
    /// The words in order. Tenders in which they are near each other score higher.
    in_order: Vec<String>,
    /// The corrections that were applied.
    pub did_you_mean: Option<DidYouMean>,
}

/// Stop words. They are ignored unless the text consists only of stop words.
const STOP_WORDS: [&str; 24] = [
    "a",
    "an",
    "and",
    "at",
    "by",
    "for",
    "from",
    "in",
    "is",
    "of",
    "on",
    "or",
    "the",
    "to",
    "under",
    "with",
    "සහ",
    "හා",
    "සඳහා",
    "වෙනුවෙන්",
    "මෙම",
    "மற்றும்",
    "க்கான",
    "இந்த",
];

impl QueryPlan {
    /// Plans a search text. `at_least` is the number of required words on the first page of the
    /// listing. `None` for the first page itself.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    pub fn new(typed: &UserQuery, at_least: Option<u64>, index: &dyn TermIndex) -> Result<Self, IndexError> {
        index.prefetch(&terms_of(typed))?;
        let (typed, others, did_you_mean) = correct_typos(typed, index)?;
        let references = references_for_text(&typed, index)?;
        let mut query = TextQuery { references, ..TextQuery::default() };
        let mut in_order = Vec::new();
        let plain: Vec<Option<&str>> = typed.clauses.iter().map(Clause::plain_word).collect();
        let is_stop_word = |word: &str| STOP_WORDS.contains(&word);
        let only_stop_words =
            typed.clauses.iter().all(|clause| clause.plain_word().is_some_and(is_stop_word));
        let mut at = 0;
        while let Some(clause) = typed.clauses.get(at) {
            let run: Vec<&str> = plain[at..].iter().map_while(|word| *word).collect();
            let Some(word) = run.first() else {
                let nodes = clause.any.iter().map(|condition| condition_node(condition, index));
                let node = QueryNode::Any(nodes.collect::<Result<_, _>>()?);
                if clause.excluded {
                    query.excluded.push(node)
                } else {
                    query.required.push(node)
                }
                at += 1;
                continue;
            };
            let name = gazetteer::find_name(&run);
            let count = name.as_ref().map_or(1, |name| name.count);
            let words = (at..at + count).map(|number| {
                let likeliest = QueryNode::Word(plain[number].unwrap_or_default().to_owned(), 1.0);
                let also = others[number].iter().map(|words| all_words(words, 0.5));
                QueryNode::Any(std::iter::once(likeliest).chain(also).collect())
            });
            if count == 1 && is_stop_word(word) && !only_stop_words {
                // A stop word would only add a constant, because nearly every tender has it.
            } else {
                let mut ways = vec![QueryNode::All(words.collect())];
                if let (1, Some(parts)) = (count, typos::split_compound(word, index)?) {
                    ways.push(QueryNode::Phrase(parts, SearchedText::Anything));
                }
                if let Some(name) = name {
                    let as_typed = Spelling { words: run[..count].join(" "), takes_endings: false };
                    let spellings = name.spellings.into_iter().cloned().chain([as_typed]);
                    ways.extend(
                        spellings.map(|spelling| QueryNode::Name(spelling, SearchedText::Anything, count)),
                    );
                }
                query.words.push(QueryNode::Any(ways));
                in_order.extend(run[..count].iter().map(|word| (*word).to_owned()));
            }
            at += count;
        }
        match at_least.and_then(|at_least| usize::try_from(at_least).ok()) {
            Some(at_least) => query.at_least = at_least.max(1).min(query.words.len()),
            None => relax(&mut query, index)?,
        }
        Ok(Self { query, in_order, did_you_mean })
    }

    /// The clauses that contribute to the score.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    pub fn scoring_clauses(
        &self,
        index: &dyn TermIndex,
        scope: Scope,
    ) -> Result<Vec<ScoringClause>, IndexError> {
        let mut scoring_clauses = proximity_clauses(&self.in_order, index)?;
        let references = QueryNode::References(self.query.references.clone());
        let references = Some(&references).filter(|_| !self.query.references.is_empty());
        for node in self.query.required.iter().chain(&self.query.words).chain(references) {
            add_scoring_clauses(node, scope, &mut scoring_clauses);
        }
        Ok(scoring_clauses)
    }

    /// The number of words that must match.
    #[must_use]
    pub const fn at_least(&self) -> u64 {
        self.query.at_least as u64
    }

    /// Whether no tender has all words, so that fewer are required.
    #[must_use]
    pub fn is_relaxed(&self) -> bool {
        self.query.at_least < self.query.words.len()
    }

    /// The words to mark in texts.
    #[must_use]
    pub fn highlights(&self) -> Vec<Highlight> {
        let mut highlights = Vec::new();
        for node in self.query.required.iter().chain(&self.query.words) {
            node.add_highlights(&mut highlights);
        }
        highlights.sort_unstable();
        highlights.dedup();
        highlights
    }
}

/// The terms whose frequency or occurrence planning and scoring usually ask for.
fn terms_of(typed: &UserQuery) -> Vec<FieldTerm> {
    use SearchField::{Organization, Reference, Stems, Title, TitleStems, Words};
    let mut terms = Vec::new();
    for clause in typed.clauses.iter().filter(|clause| !clause.excluded) {
        for condition in &clause.any {
            let Condition::Text(text) = condition else { continue };
            for word in &text.words {
                let words = [Title, Organization, Reference, Words];
                terms.extend(words.map(|field| FieldTerm::new(field, word)));
                terms.extend([Stems, TitleStems].map(|field| FieldTerm::new(field, &stem(word))));
            }
        }
        if let Some(word) = clause.plain_word() {
            let parts = typos::compound_parts(word).flat_map(|(left, right)| [left, right]);
            terms.extend(parts.map(|part| FieldTerm::new(Title, part)));
        }
    }
    terms
}

/// Requires as many words as some tender has, but at least half of the words that occur in any
/// tender. If no tender has that many, all words stay required.
fn relax(query: &mut TextQuery, index: &dyn TermIndex) -> Result<(), IndexError> {
    let all = query.words.len();
    query.at_least = all;
    if all < 2 || !query.references.is_empty() || index.finds_any(query)? {
        return Ok(());
    }
    let mut known = 0;
    for node in &query.words {
        known += usize::from(index.finds_any(&TextQuery::of_node(node.clone()))?);
    }
    for at_least in (known.div_ceil(2).max(1)..=known.min(all - 1)).rev() {
        let relaxed = TextQuery { at_least, ..query.clone() };
        if index.finds_any(&relaxed)? {
            query.at_least = at_least;
            break;
        }
    }
    Ok(())
}

/// The references that equal or start with the whole text. Empty if the text contains quotation
/// marks, fields, exclusions or `OR`.
fn references_for_text(typed: &UserQuery, index: &dyn TermIndex) -> Result<Vec<String>, IndexError> {
    let mut words = Vec::new();
    for clause in &typed.clauses {
        match clause.any.as_slice() {
            [
                Condition::Text(TextCondition { words: some, quoted: false, within: SearchedText::Anything }),
            ] if !clause.excluded => {
                words.extend(some.iter().map(String::as_str));
            }
            _ => return Ok(Vec::new()),
        }
    }
    reference_lookup::find_by_prefix(words.into_iter(), index)
}

/// The node of a condition whose clause is not a plain word.
fn condition_node(condition: &Condition, index: &dyn TermIndex) -> Result<QueryNode, IndexError> {
    let text = match condition {
        Condition::Field(condition) => return Ok(QueryNode::Field(condition.clone())),
        Condition::Text(text) => text,
    };
    let phrase = QueryNode::Phrase(text.words.clone(), text.within);
    if text.quoted {
        return Ok(phrase);
    }
    let words: Vec<&str> = text.words.iter().map(String::as_str).collect();
    let mut ways = vec![match (words.as_slice(), text.within) {
        ([word], SearchedText::Anything) => QueryNode::Word((*word).to_owned(), 1.0),
        _ => phrase,
    }];
    if let Some(name) = gazetteer::find_name(&words).filter(|name| name.count == words.len()) {
        let node = |spelling: &Spelling| QueryNode::Name(spelling.clone(), text.within, name.count);
        ways.extend(name.spellings.into_iter().map(node));
    }
    if matches!(text.within, SearchedText::Anything | SearchedText::Reference) {
        let references = reference_lookup::find_by_prefix(words.iter().copied(), index)?;
        if !references.is_empty() {
            ways.push(QueryNode::References(references));
        }
    }
    let has_digits = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if words.len() > 1 && !has_digits && text.within == SearchedText::Anything {
        let side_by_side = QueryNode::Any(ways.clone());
        if !index.finds_any(&TextQuery::of_node(side_by_side))? {
            ways.push(all_words(&text.words, 1.0));
        }
    }
    Ok(QueryNode::Any(ways))
}

fn all_words(words: &[String], weight: f32) -> QueryNode {
    QueryNode::All(words.iter().map(|word| QueryNode::Word(word.clone(), weight)).collect())
}
