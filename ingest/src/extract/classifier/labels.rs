//! The feature groups of the weights file, and the classes of notices.

use index::vocabulary::Kind;
use std::collections::HashMap;

/// The feature group of dates: is it the closing?
pub const MOMENTS: &str = "moment";
/// The feature group of amounts: is it the bid security or the document fee?
pub const SUMS: &str = "sum";
/// The feature group of spans: is it the title?
pub const TITLES: &str = "title";
/// The feature group of spans: is it the organisation?
pub const BODIES: &str = "body";
/// The feature group of whole texts: which kind of notice is it, if any?
pub const ASKS: &str = "asks";
/// The bias feature, which every candidate has.
pub const BIAS: &str = "bias";
/// The learned kinds in the order of their weights, followed by the class of other texts. Purchases
/// are the reference class.
pub const KINDS: [Kind; 4] = [Kind::Registration, Kind::ExpressionOfInterest, Kind::Sale, Kind::Corrigendum];
/// The number of classes of texts: the kinds, purchases and other texts.
pub const ROLES_OF_TEXTS: usize = KINDS.len() + 2;

/// The weights of each feature for each class, relative to the reference class.
pub(crate) type Weights<const ROLES: usize> = HashMap<String, [f64; ROLES]>;

/// Marks a word feature in its name. Other features describe the relation to other candidates.
pub const OF_WORDS: char = ':';
