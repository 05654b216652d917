//! The feature groups of the weights file, and the classes of notices.

use index::vocabulary::Kind;
use std::collections::HashMap;

/// The weights of moments: whether one is the closing.
pub const MOMENTS: &str = "moment";
/// The weights of sums: whether one is the bid security, whether it is the document fee.
pub const SUMS: &str = "sum";
/// The weights of runs of words: whether one is the title,
pub const TITLES: &str = "title";
/// and whether one is the name of the body that invites.
pub const BODIES: &str = "body";
/// The weights of whole texts: of which kind of notice one is, or that it is none.
pub const ASKS: &str = "asks";
/// The trait that every candidate has.
pub const BIAS: &str = "bias";
/// The kinds that are learnt, in the order of their weights; behind them stands what is no notice. Against all of them stand
/// purchases.
pub const KINDS: [Kind; 4] = [Kind::Registration, Kind::ExpressionOfInterest, Kind::Sale, Kind::Corrigendum];
/// Kinds, purchases, and what is no notice.
pub const ROLES_OF_TEXTS: usize = KINDS.len() + 2;

/// What each trait says for each role, against the role of being nothing.
pub(crate) type Weights<const ROLES: usize> = HashMap<String, [f64; ROLES]>;

/// Marks a feature of words in its name; other features tell the candidate's place among the others.
pub const OF_WORDS: char = ':';
