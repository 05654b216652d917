//! Fixed lists of values for tenders and alerts: status, kind, language and so on.

use super::terms;

terms! {
    /// The status of a tender, as set by its owner. A cancellation notice and the erasure of the
    /// owner's account also change the status. Whether the closing date has passed is computed, not
    /// stored.
    #[derive(Default)]
    TenderStatus, "tender status" {
        /// Not published yet. Only its owner sees it.
        #[default] Draft = "draft",
        /// Open for bids until its closing date.
        Published = "published",
        /// Closed by its owner.
        Closed = "closed",
        /// A bidder was chosen.
        Awarded = "awarded",
        /// Cancelled by its owner or by a corrigendum.
        Cancelled = "cancelled",
        /// Taken down by its owner or after the erasure of the owner's account. It is stored, but
        /// not listed or matched.
        Withdrawn = "withdrawn",
    }
}

impl TenderStatus {
    /// Whether tenders with this status are listed, searched and matched.
    #[must_use]
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::Draft | Self::Withdrawn)
    }
}

terms! {
    /// The urgency, as stated by the publisher.
    #[derive(Default)]
    Priority, "priority" {
        /// Low.
        Low = "low",
        /// The default.
        #[default] Medium = "medium",
        /// High.
        High = "high",
        /// Urgent.
        Urgent = "urgent",
    }
}

terms! {
    /// The procurement methods that publishers choose from. A tender keeps the method as printed.
    ProcurementMethod, "procurement method" {
        /// National competitive bidding.
        Ncb = "NCB",
        /// International competitive bidding.
        Icb = "ICB",
        /// Limited national bidding.
        Lnb = "LNB",
        /// Limited international bidding.
        Lib = "LIB",
        /// Quotations from a few suppliers.
        Shopping = "shopping",
    }
}

terms! {
    /// How bids may be submitted.
    SubmissionMethod, "method of submission" {
        /// In a sealed envelope.
        SealedEnvelope = "sealed-envelope",
        /// The technical and the financial bid in envelopes of their own.
        TwoEnvelopes = "two-envelopes",
        /// Through a site or by e-mail.
        Electronic = "electronic",
        /// By registered post or courier.
        Post = "post",
        /// Into the tender box.
        TenderBox = "tender-box",
    }
}

terms! {
    /// Who may read the whole tender.
    #[derive(Default)]
    Visibility, "visibility" {
        /// Anyone.
        #[default] Public = "public",
        /// Any signed-in user.
        Registered = "registered",
        /// Professional and enterprise subscribers.
        Premium = "premium",
    }
}

terms! {
    /// The type of the procuring organisation.
    OrganizationType, "organization type" {
        /// Ministries, departments, and provincial and local authorities.
        Government = "government",
        /// Boards, corporations and state-owned companies.
        SemiGovernment = "semi-government",
        /// Private companies.
        Private = "private",
        /// Non-governmental and international organisations.
        Ngo = "ngo",
    }
}

terms! {
    /// The kind of notice.
    #[derive(Default)]
    Kind, "kind of notice" {
        /// An invitation to supply goods, works or services.
        #[default] Purchase = "purchase",
        /// An invitation to register as a supplier.
        Registration = "registration",
        /// A call for expressions of interest before a later invitation.
        ExpressionOfInterest = "expression-of-interest",
        /// A sale, such as an auction. The bidders are buyers.
        Sale = "sale",
        /// A change to an earlier tender.
        Corrigendum = "corrigendum",
        /// The outcome of an earlier tender.
        Award = "award",
    }
}

terms! {
    /// The language of a notice, as an ISO 639-1 code.
    Language, "language" {
        /// English.
        English = "en",
        /// Sinhala.
        Sinhala = "si",
        /// Tamil.
        Tamil = "ta",
    }
}

terms! {
    /// How a keyword matches. See [`crate::alert::Keyword`].
    #[derive(Default)]
    MatchType, "match type" {
        /// Adjacent whole words.
        Exact = "exact",
        /// A substring of the words joined by one space.
        #[default] Contains = "contains",
        /// Like `exact`, but more characters may directly follow the last word.
        StartsWith = "starts_with",
        /// Like `exact`, but more characters may directly precede the first word.
        EndsWith = "ends_with",
    }
}

terms! {
    /// The currency of the value range of an alert.
    #[derive(Default)]
    AlertCurrency, "currency" {
        /// Sri Lankan rupee.
        #[default] Lkr = "LKR",
        /// United States dollar.
        Usd = "USD",
        /// Euro.
        Eur = "EUR",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utoipa::PartialSchema;

    #[test]
    fn the_schema_lists_values_as_spelled_in_json() {
        let schema = serde_json::to_value(OrganizationType::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::to_value(OrganizationType::ALL).unwrap());
    }
}
