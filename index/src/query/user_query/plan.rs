//! What a typed text means in an index: mistyped words are taken for the likeliest that stand in it, names are looked for in
//! every script, references with any separators, and where no tender has all the words, those that have most. What was
//! taken for what is told.

use super::{
    Clause, Condition, Highlight, Scope, SearchedText, TextCondition, UserQuery,
    node::{self, QueryNode},
    reference_lookup,
    scoring::{ScoringClause, near},
    typos,
};
use crate::schema::Fields;
use tantivy::{
    DocSet, Searcher, TERMINATED, Term,
    query::{AllQuery, BooleanQuery, EnableScoring, Occur, Query},
    schema::Field,
};
use tender_model::vocabulary::{
    Moment, Rates,
    gazetteer::{self, Spelling},
};

/// Where and when a text is looked for.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) now: Moment,
    /// What values in other currencies are worth.
    pub(crate) rates: &'a Rates,
}

/// A text as it was corrected: "did you mean".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DidYouMean {
    /// The whole text, corrected; it can be searched for as it is.
    pub text: String,
    /// The words that were changed, in their order.
    pub changes: Vec<Correction>,
}

/// A word that stands nowhere, and what it was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// As it was typed, normalised.
    pub from: String,
    /// The likeliest word or words.
    pub to: String,
}

/// A typed text as it is looked for in an index.
pub(crate) struct QueryPlan {
    /// All of these must hold, however few of the words do.
    required: Vec<QueryNode>,
    /// Of these, at least [`QueryPlan::at_least`].
    words: Vec<QueryNode>,
    /// How many of the words must hold: all of them, where any tender has them all.
    at_least: usize,
    excluded: Vec<QueryNode>,
    /// References that the whole text is or begins: found whatever else holds.
    references: Vec<String>,
    /// The words in order, to look for them near each other.
    in_order: Vec<String>,
    /// What some words were taken for.
    pub(crate) did_you_mean: Option<DidYouMean>,
}

/// Words that say nothing by themselves: where others are asked for, a tender without these will do.
const EMPTY_WORDS: [&str; 24] = [
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
    /// What a text means in an index. `at_least` is how many of its words had to hold when its listing was begun.
    ///
    /// # Errors
    /// When the index can't be read.
    pub(crate) fn new(
        typed: &UserQuery,
        at_least: Option<u64>,
        context: &SearchContext<'_>,
    ) -> tantivy::Result<Self> {
        let (typed, others, did_you_mean) = correct(typed, context)?;
        let mut asked = Self {
            required: Vec::new(),
            words: Vec::new(),
            at_least: 0,
            excluded: Vec::new(),
            references: whole_reference(&typed, context)?,
            in_order: Vec::new(),
            did_you_mean,
        };
        let plain: Vec<Option<&str>> = typed.clauses.iter().map(Clause::plain_word).collect();
        let is_empty_word = |word: &str| EMPTY_WORDS.contains(&word);
        let only_empty_words =
            typed.clauses.iter().all(|clause| clause.plain_word().is_some_and(is_empty_word));
        let mut at = 0;
        while let Some(clause) = typed.clauses.get(at) {
            let run: Vec<&str> = plain[at..].iter().map_while(|word| *word).collect();
            let Some(word) = run.first() else {
                let nodes = clause.any.iter().map(|condition| condition_node(condition, context));
                let node = QueryNode::Any(nodes.collect::<tantivy::Result<_>>()?);
                if clause.excluded {
                    asked.excluded.push(node)
                } else {
                    asked.required.push(node)
                }
                at += 1;
                continue;
            };
            let name = gazetteer::named(&run);
            let count = name.as_ref().map_or(1, |name| name.count);
            let words = (at..at + count).map(|index| {
                let likeliest = QueryNode::Word(plain[index].unwrap_or_default().to_owned(), 1.0);
                let also = others[index].iter().map(|words| all_words(words, 0.5));
                QueryNode::Any(std::iter::once(likeliest).chain(also).collect())
            });
            if count == 1 && is_empty_word(word) && !only_empty_words {
                // It would only add weight, and nearly every tender has it.
            } else {
                let mut ways = vec![QueryNode::All(words.collect())];
                if let (1, Some(parts)) = (count, typos::parts(word, context)?) {
                    ways.push(QueryNode::Phrase(parts, SearchedText::Anything));
                }
                if let Some(name) = name {
                    let as_typed = Spelling { words: run[..count].join(" "), grows: false };
                    let spellings = name.spellings.into_iter().cloned().chain([as_typed]);
                    ways.extend(
                        spellings.map(|spelling| QueryNode::Name(spelling, SearchedText::Anything, count)),
                    );
                }
                asked.words.push(QueryNode::Any(ways));
                asked.in_order.extend(run[..count].iter().map(|word| (*word).to_owned()));
            }
            at += count;
        }
        match at_least.and_then(|at_least| usize::try_from(at_least).ok()) {
            Some(at_least) => asked.at_least = at_least.max(1).min(asked.words.len()),
            None => asked.relax(context)?,
        }
        Ok(asked)
    }

    /// The query that finds it. With nothing asked for but exclusions, every other tender is found.
    pub(crate) fn query(&self, context: &SearchContext<'_>, scope: Scope) -> Box<dyn Query> {
        let words = self.must(context, scope, self.at_least);
        if self.references.is_empty() {
            return words;
        }
        let references = QueryNode::References(self.references.clone()).to_query(context, scope);
        Box::new(BooleanQuery::union(vec![words, references]))
    }

    /// What makes one of the tenders found better than another.
    pub(crate) fn merits(&self, context: &SearchContext<'_>, scope: Scope) -> Vec<ScoringClause> {
        let mut merits = near(&self.in_order, context);
        let references = QueryNode::References(self.references.clone());
        let references = Some(&references).filter(|_| !self.references.is_empty());
        for node in self.required.iter().chain(&self.words).chain(references) {
            node.add_merits(context, scope, &mut merits);
        }
        merits
    }

    /// How many of the words must hold.
    pub(crate) const fn at_least(&self) -> u64 {
        self.at_least as u64
    }

    /// Whether no tender has all the words, and those are found that have most of them.
    pub(crate) fn is_relaxed(&self) -> bool {
        self.at_least < self.words.len()
    }

    /// What is to be shown as found in a text.
    pub(crate) fn sought(&self) -> Vec<Highlight> {
        let mut sought = Vec::new();
        for node in self.required.iter().chain(&self.words) {
            node.add_sought(&mut sought);
        }
        sought.sort_unstable();
        sought.dedup();
        sought
    }

    /// What must hold.
    fn must(&self, context: &SearchContext<'_>, scope: Scope, at_least: usize) -> Box<dyn Query> {
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
        // What finds a tender also excludes it: `-bridge` leaves out bridges too.
        clauses.extend(self.excluded.iter().map(|node| (Occur::MustNot, query(node))));
        Box::new(BooleanQuery::new(clauses))
    }

    /// Asks for as many of the words as some tender has, but for no less than half of those that stand anywhere.
    fn relax(&mut self, context: &SearchContext<'_>) -> tantivy::Result<()> {
        let all = self.words.len();
        self.at_least = all;
        if all < 2 || !self.references.is_empty() {
            return Ok(());
        }
        if stands(&*self.must(context, Scope::Everything, all), context.searcher)? {
            return Ok(());
        }
        let mut known = 0;
        for node in &self.words {
            known += usize::from(stands(&*node.to_query(context, Scope::Everything), context.searcher)?);
        }
        for at_least in (known.div_ceil(2).max(1)..=known.min(all - 1)).rev() {
            if stands(&*self.must(context, Scope::Everything, at_least), context.searcher)? {
                self.at_least = at_least;
                break;
            }
        }
        Ok(())
    }
}

/// The text with what is mistyped put right, what else each of its clauses may have meant, and what to tell of it.
#[expect(clippy::type_complexity, reason = "the three parts of one answer, read in one place")]
fn correct(
    typed: &UserQuery,
    context: &SearchContext<'_>,
) -> tantivy::Result<(UserQuery, Vec<Vec<Vec<String>>>, Option<DidYouMean>)> {
    let (mut corrected, mut others, mut changes) = (UserQuery::default(), Vec::new(), Vec::new());
    let words: Vec<&str> =
        typed.clauses.iter().map(|clause| clause.plain_word().unwrap_or_default()).collect();
    let mut named = 0;
    for (at, clause) in typed.clauses.iter().enumerate() {
        let mut clause = clause.clone();
        if let Some(name) = gazetteer::named(&words[at..]) {
            named = named.max(at + name.count);
        }
        let mistyped = if at < named { None } else { mistyped(&clause, context)? };
        let Some((word, field)) = mistyped else {
            corrected.clauses.push(clause);
            others.push(Vec::new());
            continue;
        };
        let mut taken_for = typos::corrections(&word, field, context)?.into_iter();
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

/// The one word of a clause that stands nowhere, and the field it should stand in.
fn mistyped(clause: &Clause, context: &SearchContext<'_>) -> tantivy::Result<Option<(String, Field)>> {
    let [Condition::Text(TextCondition { words, quoted: false, within })] = clause.any.as_slice() else {
        return Ok(None);
    };
    let [word] = words.as_slice() else { return Ok(None) };
    let fields = context.fields;
    let field = match within {
        SearchedText::Anything => fields.words,
        SearchedText::Title => fields.title,
        SearchedText::Organization => fields.organization,
        SearchedText::Reference => return Ok(None),
    };
    if clause.excluded || typos::allowed(word) == 0 || gazetteer::named(&[word.as_str()]).is_some() {
        return Ok(None);
    }
    let stands = |field: Field, word: &str| {
        context.searcher.doc_freq(&Term::from_field_text(field, word)).map(|count| count > 0)
    };
    let found = stands(field, word)? || (field == fields.words && stands(fields.stems, &node::stem(word))?);
    Ok((!found).then(|| (word.clone(), field)))
}

/// The solid references that a text of nothing but words and runs begins, where there are several of them.
fn whole_reference(typed: &UserQuery, context: &SearchContext<'_>) -> tantivy::Result<Vec<String>> {
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
    reference_lookup::beginning_with(words.into_iter(), context)
}

/// What a condition that is no plain word looks for.
fn condition_node(condition: &Condition, context: &SearchContext<'_>) -> tantivy::Result<QueryNode> {
    let text = match condition {
        Condition::Fact(fact) => return Ok(QueryNode::Fact(fact.clone())),
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
    if let Some(name) = gazetteer::named(&words).filter(|name| name.count == words.len()) {
        let node = |spelling: &Spelling| QueryNode::Name(spelling.clone(), text.within, name.count);
        ways.extend(name.spellings.into_iter().map(node));
    }
    if matches!(text.within, SearchedText::Anything | SearchedText::Reference) {
        let references = reference_lookup::beginning_with(words.iter().copied(), context)?;
        if !references.is_empty() {
            ways.push(QueryNode::References(references));
        }
    }
    let has_digits = words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if words.len() > 1 && !has_digits && text.within == SearchedText::Anything {
        let side_by_side = QueryNode::Any(ways.clone()).to_query(context, Scope::Everything);
        if !stands(&*side_by_side, context.searcher)? {
            ways.push(all_words(&text.words, 1.0));
        }
    }
    Ok(QueryNode::Any(ways))
}

fn all_words(words: &[String], weight: f32) -> QueryNode {
    QueryNode::All(words.iter().map(|word| QueryNode::Word(word.clone(), weight)).collect())
}

/// Whether any tender is found.
fn stands(query: &dyn Query, searcher: &Searcher) -> tantivy::Result<bool> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    for reader in searcher.segment_readers() {
        let mut found = weight.scorer(reader, 1.0)?;
        while found.doc() != TERMINATED {
            if reader.alive_bitset().is_none_or(|alive| alive.is_alive(found.doc())) {
                return Ok(true);
            }
            found.advance();
        }
    }
    Ok(false)
}
