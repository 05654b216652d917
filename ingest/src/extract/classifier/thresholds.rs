//! The thresholds of the classifier. They were chosen on notices that were not used to train the
//! weights: each data source was measured with weights trained on the others.

/// The highest confidence of a value that only the classifier found with less than
/// [`CERTAIN_ALONE`], and of a value of the rules that the classifier doubts. It is below the
/// confidence threshold.
pub(crate) const CLASSIFIER_CEILING: f64 = 0.7;
/// The lowest probability at which a date is proposed as the closing.
pub(super) const MIN_CLOSING: f64 = 0.3;
/// The lowest probability at which an amount is proposed as the bid security or the document fee.
pub(super) const MIN_AMOUNT: f64 = 0.6;
/// Below this probability, an amount that the rules read becomes doubtful.
pub(super) const AMOUNT_CONFIRMS: f64 = 0.5;
/// The minimum lead of the best candidate over the next one with another value, as a difference of
/// probabilities.
pub(super) const MARGIN: f64 = 0.2;
/// The highest confidence of a predicted closing before the newspaper's issue date.
pub(super) const PAST_CLOSING_CEILING: f64 = 0.5;
/// The highest plausible document fee, in any currency.
pub(super) const MAX_DOCUMENT_FEE: f64 = 1e6;

/// A text that no rule recognises may be a notice if it has a closing, and an amount that is a
/// security or fee with at least this probability.
pub(super) const PAYMENT_INDICATES_NOTICE: f64 = 0.7;
/// A text that no rule recognises may be a notice if it has a closing, and its title and its
/// organisation have at least this probability each.
pub(super) const NAMES_INDICATE_NOTICE: f64 = 0.5;
/// A text that no rule recognises may be a notice if it has a closing, and its wording is that of
/// a notice with at least this probability.
pub(super) const WORDS_INDICATE_NOTICE: f64 = 0.5;
/// A text that no rule recognises may be a notice even without a closing, if its title and its
/// organisation have at least this probability each.
pub(super) const NAMES_SUFFICE_FOR_NOTICE: f64 = 0.8;
/// A text that no rule recognises is certainly a notice if its wording has at least this
/// probability and its closing has at least [`CERTAIN_CLOSING`].
pub(super) const CERTAIN_NOTICE: f64 = 0.9;
/// The lowest probability of the closing that makes a text certainly a notice. See
/// [`CERTAIN_NOTICE`].
pub(super) const CERTAIN_CLOSING: f64 = 0.9;
/// A text that the rules accept is doubtful as a notice if its wording has at most this
/// probability.
pub(super) const DOUBTFUL_NOTICE: f64 = 0.3;
/// A text that the rules accept is doubtful as a notice if its title or its organisation is less
/// likely than this, and its closing is less likely than [`MIN_NOTICE_CLOSING`].
pub(super) const MIN_NOTICE_NAMES: f64 = 0.15;
/// The lowest probability of the closing that prevents doubt. See [`MIN_NOTICE_NAMES`].
pub(super) const MIN_NOTICE_CLOSING: f64 = 0.4;

/// A value that the rules read with at least this confidence is hard to replace. A predicted
/// closing never replaces it, and a predicted name must have at least [`OVERRULES_CERTAIN`].
pub(super) const RULES_CERTAIN: f64 = 0.9;
/// An amount that the rules read with at most this confidence may be replaced.
pub(super) const RULES_DOUBTFUL: f64 = 0.6;
/// The minimum confidence of the rules in a value that the notice prints twice.
pub(super) const RULES_READ_TWICE: f64 = 0.95;
/// The minimum confidence of the rules in a title with the wording or the position of a title.
pub(super) const RULES_WORDED_TITLE: f64 = 0.85;

/// The lowest probability at which a predicted name replaces a name that the rules read with at
/// least [`RULES_CERTAIN`].
pub(super) const OVERRULES_CERTAIN: f64 = 0.8;
/// The lowest probability at which a prediction fills a missing title, or replaces a title that
/// the rules read with less than [`RULES_CERTAIN`]. Another organisation with this probability
/// also contradicts a listed one.
pub(super) const TITLE_OVERRULES: f64 = 0.3;
/// The lowest probability at which a prediction replaces an organisation that the rules read with
/// less than [`RULES_CERTAIN`].
pub(super) const ORGANIZATION_OVERRULES: f64 = 0.5;
/// The lowest probability at which a prediction fills a missing organisation. It is low because
/// every notice has an organisation.
pub(super) const ORGANIZATION_FILLS: f64 = 0.2;
/// The lowest probability at which a prediction replaces the kind of the rules.
pub(super) const KIND_OVERRULES: f64 = 0.6;
/// The lowest probability of a predicted name that is shown to a reviewer as an alternative.
pub(super) const WORTH_SHOWING: f64 = 0.15;
/// Predicted names below this probability are dropped.
pub(super) const MIN_NAME_PROBABILITY: f64 = 0.001;

/// A title of the rules is certain if it is the most likely prediction and has at least this
/// probability.
pub(super) const TITLE_CONFIRMS: f64 = 0.8;
/// A title of the rules with at least [`RULES_WORDED_TITLE`] is certain from this probability on.
/// Predictions with other text around the title add their probabilities.
pub(super) const WORDED_TITLE_CONFIRMS: f64 = 0.4;
/// A title of the rules with at least [`RULES_READ_TWICE`] is certain from this probability on.
/// Predictions with other text around the title add their probabilities.
pub(super) const REPEATED_TITLE_CONFIRMS: f64 = 0.3;
/// An organisation that rules and classifier agree on, and that is listed or printed twice, is
/// certain from this probability on.
pub(super) const KNOWN_ORGANIZATION_CONFIRMS: f64 = 0.3;
/// An organisation that rules and classifier agree on, but that is neither listed nor printed
/// twice, is certain from this probability on.
pub(super) const UNKNOWN_ORGANIZATION_CONFIRMS: f64 = 0.7;
/// A title or organisation that only the classifier found is certain from this probability on.
pub(super) const CERTAIN_ALONE: f64 = 0.9;
/// The minimum confidence of a name of the rules that the classifier makes certain, and of a name
/// that is certain because of [`CERTAIN_ALONE`].
pub(super) const AGREED_CONFIDENCE: f64 = 0.85;
