//! What became of the tenders that alerts found.

use uuid::Uuid;

/// How far the tenders of an alert have come. Each number includes the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AlertOutcome {
    /// Tenders that matched, mailed or not yet.
    pub found: i64,
    /// Those of them that a user has saved or put on the bid board. Opening one does not yet say that it is
    /// relevant. Tenders marked as irrelevant count only if they are on the board.
    pub relevant: i64,
    /// Those of them with a bid that was submitted, won or lost.
    pub bid: i64,
    /// Those of them with a bid that was won.
    pub won: i64,
    /// The sum of the values of the bids that were won, in hundredths of a rupee.
    pub won_cents: i64,
}

/// The outcomes of all alerts together, and of each alert.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlertOutcomes {
    /// All alerts together. A tender that several alerts found counts once.
    pub total: AlertOutcome,
    /// The alerts that found something.
    pub alerts: Vec<(Uuid, AlertOutcome)>,
}
