//! The thresholds of the classifier. They are chosen on held-out notices, from data sources that
//! were not used to train the weights.

/// The highest confidence that the classifier gives by itself. It is below the confidence line.
pub(crate) const CLASSIFIER_CEILING: f64 = 0.7;
/// The lowest probability at which a date is proposed as the closing.
pub(super) const MIN_CLOSING: f64 = 0.3;
/// The lowest probability at which an amount is proposed as the bid security or the document fee.
pub(super) const MIN_AMOUNT: f64 = 0.6;
/// Below this probability, an amount that the rules read becomes doubtful.
pub(super) const AMOUNT_CONFIRMS: f64 = 0.5;
/// The minimum lead of the best candidate over the second best, as a difference of probabilities.
pub(super) const MARGIN: f64 = 0.2;
/// The highest confidence of a closing before the newspaper's issue date.
pub(super) const PAST_CLOSING_CEILING: f64 = 0.5;
/// The highest plausible document fee, in any currency.
pub(super) const MAX_DOCUMENT_FEE: f64 = 1e6;

/// A text that no rule recognises is a possible notice if it has a closing, and a security or fee
/// of this probability.
pub(super) const PAYMENT_INDICATES_NOTICE: f64 = 0.7;
/// The same for a closing, and a title and an organisation of this probability.
pub(super) const NAMES_INDICATE_NOTICE: f64 = 0.5;
/// The same for a closing, and notice wording of this probability.
pub(super) const WORDS_INDICATE_NOTICE: f64 = 0.5;
/// The same for a title and an organisation of this probability without a closing.
pub(super) const NAMES_SUFFICE_FOR_NOTICE: f64 = 0.8;
/// A text is certainly a notice if its wording has this probability and its closing has
/// [`CERTAIN_CLOSING`].
pub(super) const CERTAIN_NOTICE: f64 = 0.9;
/// See [`CERTAIN_NOTICE`].
pub(super) const CERTAIN_CLOSING: f64 = 0.9;
/// At or below this probability, a text that the rules accept is doubtful as a notice.
pub(super) const DOUBTFUL_NOTICE: f64 = 0.3;
/// A text is doubtful as a notice if its names are less likely than this and its closing is less
/// likely than [`MIN_NOTICE_CLOSING`].
pub(super) const MIN_NOTICE_NAMES: f64 = 0.15;
/// See [`MIN_NOTICE_NAMES`].
pub(super) const MIN_NOTICE_CLOSING: f64 = 0.4;

/// A value that the rules read with this confidence is kept unless the classifier contradicts it.
pub(super) const RULES_CERTAIN: f64 = 0.9;
/// A value that the rules read with at most this confidence may be replaced.
pub(super) const RULES_DOUBTFUL: f64 = 0.6;
/// The confidence of the rules in a value that the notice prints twice.
pub(super) const RULES_READ_TWICE: f64 = 0.95;
/// The confidence of the rules in a title that is worded like a title.
pub(super) const RULES_WORDED_TITLE: f64 = 0.85;

/// The lowest probability at which a prediction replaces a value of [`RULES_CERTAIN`].
pub(super) const OVERRULES_CERTAIN: f64 = 0.8;
/// The lowest probability at which a prediction fills a missing title or replaces a less certain
/// one.
pub(super) const TITLE_OVERRULES: f64 = 0.3;
/// The lowest probability at which a prediction replaces a less certain organisation.
pub(super) const ORGANIZATION_OVERRULES: f64 = 0.5;
/// The lowest probability at which a prediction fills a missing organisation. It is low because
/// every notice has one.
pub(super) const ORGANIZATION_FILLS: f64 = 0.2;
/// The lowest probability at which a prediction replaces the kind of the rules.
pub(super) const KIND_OVERRULES: f64 = 0.6;
/// The lowest probability of an alternative that is shown to a reviewer.
pub(super) const WORTH_SHOWING: f64 = 0.15;
/// Candidates below this probability are dropped.
pub(super) const NEGLIGIBLE: f64 = 0.001;

/// A title that rules and classifier agree on is certain from this probability on.
pub(super) const TITLE_CONFIRMS: f64 = 0.8;
/// The same for a title of [`RULES_WORDED_TITLE`]. Longer spans that end with the title add their
/// probability.
pub(super) const WORDED_TITLE_CONFIRMS: f64 = 0.4;
/// The same for a title of [`RULES_READ_TWICE`].
pub(super) const REPEATED_TITLE_CONFIRMS: f64 = 0.3;
/// An organisation that rules and classifier agree on is certain from this probability on, if it is
/// listed or printed twice.
pub(super) const KNOWN_ORGANIZATION_CONFIRMS: f64 = 0.3;
/// The same for any other organisation.
pub(super) const UNKNOWN_ORGANIZATION_CONFIRMS: f64 = 0.7;
/// A title or organisation that only the classifier found is certain from this probability on.
pub(super) const CERTAIN_ALONE: f64 = 0.9;
/// The confidence of a value that rules and classifier agree on.
pub(super) const AGREED_CONFIDENCE: f64 = 0.85;
