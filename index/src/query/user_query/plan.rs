//! [`QueryPlan`]: how a search text is evaluated in a given index. Typing errors are corrected,
//! names are searched for in every script, and references are found regardless of separators. If no
//! tender has all words, tenders with as many as possible are found.

use super::{
    context::SearchContext,
    did_you_mean::{DidYouMean, correct_typos},
    node::{Highlight, QueryNode, Scope},
    reference_lookup,
    scoring::{ScoringClause, proximity_clauses},
    syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery},
    typos,
};
use tantivy::{
    DocId, DocSet, Searcher, SegmentOrdinal, TERMINATED,
    query::{AllQuery, BooleanQuery, EnableScoring, Occur, Query},
};
use tender_model::vocabulary::gazetteer::{self, Spelling};

/// A search text, planned for an index.
pub(crate) struct QueryPlan {
    /// All of these nodes must match.
    required: Vec<QueryNode>,
    /// At least [`QueryPlan::at_least`] of these nodes must match.
    words: Vec<QueryNode>,
    /// The number of `words` that must match.
    at_least: usize,
    excluded: Vec<QueryNode>,
    /// References that equal or start with the whole text. Tenders with one of them match
    /// regardless of the clauses.
    references: Vec<String>,
    /// The words in order. Tenders in which they are near each other score higher.
    in_order: Vec<String>,
    /// The corrections that were applied.
    pub(crate) did_you_mean: Option<DidYouMean>,
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
    pub(crate) fn new(
        typed: &UserQuery,
        at_least: Option<u64>,
        context: &SearchContext<'_>,
    ) -> tantivy::Result<Self> {
        let (typed, others, did_you_mean) = correct_typos(typed, context)?;
        let mut plan = Self {
            required: Vec::new(),
            words: Vec::new(),
            at_least: 0,
            excluded: Vec::new(),
            references: references_for_text(&typed, context)?,
            in_order: Vec::new(),
            did_you_mean,
        };
        let plain: Vec<Option<&str>> = typed.clauses.iter().map(Clause::plain_word).collect();
        let is_stop_word = |word: &str| STOP_WORDS.contains(&word);
        let only_stop_words =
            typed.clauses.iter().all(|clause| clause.plain_word().is_some_and(is_stop_word));
        let mut at = 0;
        while let Some(clause) = typed.clauses.get(at) {
            let run: Vec<&str> = plain[at..].iter().map_while(|word| *word).collect();
            let Some(word) = run.first() else {
                let nodes = clause.any.iter().map(|condition| condition_node(condition, context));
                let node = QueryNode::Any(nodes.collect::<tantivy::Result<_>>()?);
                if clause.excluded {
                    plan.excluded.push(node)
                } else {
                    plan.required.push(node)
                }
                at += 1;
                continue;
            };
            let name = gazetteer::find_name(&run);
            let count = name.as_ref().map_or(1, |name| name.count);
            let words = (at..at + count).map(|index| {
                let likeliest = QueryNode::Word(plain[index].unwrap_or_default().to_owned(), 1.0);
                let also = others[index].iter().map(|words| all_words(words, 0.5));
                QueryNode::Any(std::iter::once(likeliest).chain(also).collect())
            });
            if count == 1 && is_stop_word(word) && !only_stop_words {
                // A stop word would only add a constant, because nearly every tender has it.
            } else {
                let mut ways = vec![QueryNode::All(words.collect())];
                if let (1, Some(parts)) = (count, typos::split_compound(word, context)?) {
                    ways.push(QueryNode::Phrase(parts, SearchedText::Anything));
                }
                if let Some(name) = name {
                    let as_typed = Spelling { words: run[..count].join(" "), takes_endings: false };
                    let spellings = name.spellings.into_iter().cloned().chain([as_typed]);
                    ways.extend(
                        spellings.map(|spelling| QueryNode::Name(spelling, SearchedText::Anything, count)),
                    );
                }
                plan.words.push(QueryNode::Any(ways));
                plan.in_order.extend(run[..count].iter().map(|word| (*word).to_owned()));
            }
            at += count;
        }
        match at_least.and_then(|at_least| usize::try_from(at_least).ok()) {
            Some(at_least) => plan.at_least = at_least.max(1).min(plan.words.len()),
            None => plan.relax(context)?,
        }
        Ok(plan)
    }

    /// The query to run. If only exclusions were typed, it finds every tender that is not excluded.
    pub(crate) fn query(&self, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
        let words = self.required_query(context, scope, self.at_least);
        if self.references.is_empty() {
            return words;
        }
        let references = QueryNode::References(self.references.clone()).to_query(context, scope);
        Box::new(BooleanQuery::union(vec![words, references]))
    }

    /// The clauses that contribute to the score.
    pub(crate) fn scoring_clauses(&self, context: &SearchContext<'_>, scope: Scope) -> Vec<ScoringClause> {
        let mut scoring_clauses = proximity_clauses(&self.in_order, context);
        let references = QueryNode::References(self.references.clone());
        let references = Some(&references).filter(|_| !self.references.is_empty());
        for node in self.required.iter().chain(&self.words).chain(references) {
            node.add_scoring_clauses(context, scope, &mut scoring_clauses);
        }
        scoring_clauses
    }

    /// The number of words that must match.
    pub(crate) const fn at_least(&self) -> u64 {
        self.at_least as u64
    }

    /// Whether no tender has all words, so that fewer are required.
    pub(crate) fn is_relaxed(&self) -> bool {
        self.at_least < self.words.len()
    }

    /// The words to mark in texts.
    pub(crate) fn highlights(&self) -> Vec<Highlight> {
        let mut highlights = Vec::new();
        for node in self.required.iter().chain(&self.words) {
            node.add_highlights(&mut highlights);
        }
        highlights.sort_unstable();
        highlights.dedup();
        highlights
    }

    /// The query for the clauses, of which at least `at_least` words must match.
    fn required_query(&self, context: &SearchContext<'_>, scope: Scope, at_least: usize) -> Box<dyn Query> {
        let query = |node: &QueryNode| node.to_query(context, scope);
        let mut clauses: Vec<(Occur, Box<dyn Query>)> =
            self.required.iter().map(|node| (Occur::Must, query(node))).collect();
        if at_least < self.words.len() {
            let words = self.words.iter().map(query).collect();
            let most = BooleanQuery::union_with_minimum_required_clauses(words, at_least);
            clauses.push((Occur::Must, Box::new(most)));
        } else {
            clauses.extend(self.words.iter().map(|node| (Occur::Must, query(node))));
        }
        if clauses.is_empty() {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        // Exclusion uses the same matching: `-bridge` excludes "bridges" too.
        clauses.extend(self.excluded.iter().map(|node| (Occur::MustNot, query(node))));
        Box::new(BooleanQuery::new(clauses))
    }

    /// Requires as many words as some tender has, but at least half of the words that occur in any
    /// tender. If no tender has that many, all words stay required.
    fn relax(&mut self, context: &SearchContext<'_>) -> tantivy::Result<()> {
        let all = self.words.len();
        self.at_least = all;
        if all < 2 || !self.references.is_empty() {
            return Ok(());
        }
        if finds_any(|scope| self.required_query(context, scope, all), context)? {
            return Ok(());
        }
        let mut known = 0;
        for node in &self.words {
            known += usize::from(finds_any(|scope| node.to_query(context, scope), context)?);
        }
        for at_least in (known.div_ceil(2).max(1)..=known.min(all - 1)).rev() {
            if finds_any(|scope| self.required_query(context, scope, at_least), context)? {
                self.at_least = at_least;
                break;
            }
        }
        Ok(())
    }
}

/// The references that equal or start with the whole text. Empty if the text contains quotation
/// marks, fields, exclusions or `OR`.
fn references_for_text(typed: &UserQuery, context: &SearchContext<'_>) -> tantivy::Result<Vec<String>> {
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
    reference_lookup::find_by_prefix(words.into_iter(), context)
}

/// The node of a condition whose clause is not a plain word.
fn condition_node(condition: &Condition, context: &SearchContext<'_>) -> tantivy::Result<QueryNode> {
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
        let references = reference_lookup::find_by_prefix(words.iter().copied(), context)?;
        if !references.is_empty() {
            ways.push(QueryNode::References(references));
        }
    }
    let has_digits = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if words.len() > 1 && !has_digits && text.within == SearchedText::Anything {
        let side_by_side = QueryNode::Any(ways.clone());
        if !finds_any(|scope| side_by_side.to_query(context, scope), context)? {
            ways.push(all_words(&text.words, 1.0));
        }
    }
    Ok(QueryNode::Any(ways))
}

fn all_words(words: &[String], weight: f32) -> QueryNode {
    QueryNode::All(words.iter().map(|word| QueryNode::Word(word.clone(), weight)).collect())
}

/// Whether a query finds any tender by a text that the viewer may read. `query` makes the query for a
/// scope.
fn finds_any(query: impl Fn(Scope) -> Box<dyn Query>, context: &SearchContext<'_>) -> tantivy::Result<bool> {
    match context.readable {
        None => has_result(&*query(Scope::Everything), context.searcher, |_, _| true),
        Some(readable) => Ok(has_result(&*query(Scope::Stub), context.searcher, |_, _| true)?
            || has_result(&*query(Scope::Everything), context.searcher, |segment, document| {
                readable.contains(segment, document)
            })?),
    }
}

/// Whether a query finds a tender that `is_accepted` accepts.
fn has_result(
    query: &dyn Query,
    searcher: &Searcher,
    is_accepted: impl Fn(SegmentOrdinal, DocId) -> bool,
) -> tantivy::Result<bool> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    for (segment, reader) in (0..).zip(searcher.segment_readers()) {
        let mut found = weight.scorer(reader, 1.0)?;
        while found.doc() != TERMINATED {
            let is_alive = reader.alive_bitset().is_none_or(|alive| alive.is_alive(found.doc()));
            if is_alive && is_accepted(segment, found.doc()) {
                return Ok(true);
            }
            found.advance();
        }
    }
    Ok(false)
}
