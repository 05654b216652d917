//! Every threshold of the classifier. They are chosen on held-out notices: data sources that did
//! not train the weights.

/// The highest confidence the classifier gives by itself. It lies below the line of certainty.
pub(crate) const CLASSIFIER_CEILING: f64 = 0.7;
/// The lowest probability at which a date is proposed as the closing.
pub(super) const MIN_CLOSING: f64 = 0.3;
/// The lowest probability at which an amount is proposed as the bid security or the document fee.
pub(super) const MIN_AMOUNT: f64 = 0.6;
/// Below this probability, an amount that the rules read becomes doubtful.
pub(super) const AMOUNT_CONFIRMS: f64 = 0.5;
/// How far the best candidate must lead the second best.
pub(super) const MARGIN: f64 = 0.2;
/// The highest confidence of a closing before the newspaper's own date.
pub(super) const PAST_CLOSING_CEILING: f64 = 0.5;
/// No set of documents costs more, in any currency.
pub(super) const MAX_DOCUMENT_FEE: f64 = 1e6;

/// A text without a rule's cue is a possible notice when it has a closing and an amount with this
/// probability.
pub(super) const PAYMENT_INDICATES_NOTICE: f64 = 0.7;
/// The same for a closing with a title and a body of this probability.
pub(super) const NAMES_INDICATE_NOTICE: f64 = 0.5;
/// The same for a closing with the words of a notice.
pub(super) const WORDS_INDICATE_NOTICE: f64 = 0.5;
/// The same for a title and a body alone.
pub(super) const NAMES_SUFFICE_FOR_NOTICE: f64 = 0.8;
/// A text is certainly a notice when its words have this probability and its closing has
/// [`CERTAIN_CLOSING`].
pub(super) const CERTAIN_NOTICE: f64 = 0.9;
/// See [`CERTAIN_NOTICE`].
pub(super) const CERTAIN_CLOSING: f64 = 0.9;
/// At or below this probability, a text that the rules accept is doubtful as a notice.
pub(super) const DOUBTFUL_NOTICE: f64 = 0.3;
/// A text with less likely names and a less likely closing than these two is doubtful as a notice.
pub(super) const MIN_NOTICE_NAMES: f64 = 0.15;
/// See [`MIN_NOTICE_NAMES`].
pub(super) const MIN_NOTICE_CLOSING: f64 = 0.4;

/// A value that the rules read with this confidence stands unless the classifier contradicts it.
pub(super) const RULES_CERTAIN: f64 = 0.9;
/// A value that the rules read with at most this confidence may be replaced.
pub(super) const RULES_DOUBTFUL: f64 = 0.6;
/// The confidence of the rules in a value that the notice prints twice.
pub(super) const RULES_READ_TWICE: f64 = 0.95;
/// The confidence of the rules in a title that is worded like one.
pub(super) const RULES_WORDED_TITLE: f64 = 0.85;

/// The probability that replaces a value of [`RULES_CERTAIN`].
pub(super) const OVERRULES_CERTAIN: f64 = 0.8;
/// The probability that fills a missing title or replaces a less certain one.
pub(super) const TITLE_OVERRULES: f64 = 0.3;
/// The probability that replaces a less certain body.
pub(super) const BODY_OVERRULES: f64 = 0.5;
/// The probability that fills a missing body: every notice has one.
pub(super) const BODY_FILLS: f64 = 0.2;
/// The probability that names another kind than the rules.
pub(super) const KIND_OVERRULES: f64 = 0.6;
/// The lowest probability of an alternative that is shown to a reviewer.
pub(super) const WORTH_SHOWING: f64 = 0.15;
/// Candidates below this probability are dropped.
pub(super) const NEGLIGIBLE: f64 = 0.001;

/// A title that both read alike is certain from this probability on.
pub(super) const TITLE_CONFIRMS: f64 = 0.8;
/// The same for a title of [`RULES_WORDED_TITLE`], with the probability of longer runs that end in
/// it.
pub(super) const WORDED_TITLE_CONFIRMS: f64 = 0.4;
/// The same for a title of [`RULES_READ_TWICE`].
pub(super) const REPEATED_TITLE_CONFIRMS: f64 = 0.3;
/// A body that both read alike is certain from this probability on, when it is listed or printed
/// twice.
pub(super) const KNOWN_BODY_CONFIRMS: f64 = 0.3;
/// The same for any other body.
pub(super) const UNKNOWN_BODY_CONFIRMS: f64 = 0.7;
/// A title or body that the classifier alone reads is certain from this probability on.
pub(super) const CERTAIN_ALONE: f64 = 0.9;
/// The confidence of a value that rules and classifier agree on.
pub(super) const AGREED_CONFIDENCE: f64 = 0.85;
