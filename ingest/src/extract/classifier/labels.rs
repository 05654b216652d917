//! The feature groups of the weights file, and the classes of texts.

use std::collections::HashMap;
use tender_model::vocabulary::Kind;

/// The feature group of dates: is the date the closing?
pub const DATE_GROUP: &str = "moment";
/// The feature group of amounts: is the amount the bid security or the document fee?
pub const AMOUNT_GROUP: &str = "sum";
/// The feature group of spans: is the span the title?
pub const TITLE_GROUP: &str = "title";
/// The feature group of spans: is the span the organisation?
pub const ORGANIZATION_GROUP: &str = "body";
/// The feature group of whole texts: which kind of notice is the text, if any?
pub const NOTICE_KIND_GROUP: &str = "asks";
/// The bias feature, which every candidate has.
pub const BIAS: &str = "bias";
/// The learned kinds, in the order of their weights in the file. The weight of texts that are not
/// notices comes last. Purchases are the reference class and have no weight.
pub const LEARNED_KINDS: [Kind; 4] =
    [Kind::Registration, Kind::ExpressionOfInterest, Kind::Sale, Kind::Corrigendum];
/// The number of text classes: the learned kinds, purchases and texts that are not notices.
pub const TEXT_CLASSES: usize = LEARNED_KINDS.len() + 2;

/// The weights of each feature for each class. The reference class has no weights.
pub(crate) type Weights<const CLASSES: usize> = HashMap<String, [f64; CLASSES]>;

/// Separates the word from the prefix in the name of a word feature. Names of other features do
/// not have this character.
pub const WORD_FEATURE_MARK: char = ':';
