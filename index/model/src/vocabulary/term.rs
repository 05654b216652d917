//! The fixed vocabularies of tenders and alerts.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A value that is not in the list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a {what}")]
pub struct UnknownTerm {
    /// The name of the list, such as "tender status".
    pub what: &'static str,
    /// The unknown value.
    pub found: String,
}

/// Declares an enum of fixed values. The name of each value is written once. Serialisation,
/// parsing, display and schema follow from it.
///
/// With `strum`, each name would be written twice (also for `serde`), and there would be no
/// constant `ALL` and `as_str`. Its parse errors do not contain the list and the value.
macro_rules! terms {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$item_doc:meta])* $item:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$item_doc])* #[serde(rename = $word)] $item),+ }

        impl $name {
            /// All values, in the order of the list.
            pub const ALL: &'static [$name] = &[$($name::$item),+];

            /// The value, as spelled in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$item => $word),+ }
            }
        }

        // A derived schema would list the Rust names, because the derive does not see names passed
        // by a macro.
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(Self::ALL.iter().map(|member| member.as_str())))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.as_str()) }
        }

        impl FromStr for $name {
            type Err = UnknownTerm;
            fn from_str(word: &str) -> Result<Self, UnknownTerm> {
                match word {
                    $($word => Ok($name::$item),)+
                    _ => Err(UnknownTerm { what: $what, found: word.chars().take(60).collect() }),
                }
            }
        }
    };
}
pub(crate) use terms;

terms! {
    /// The status of a tender. Only the owner changes it. Whether the closing date has passed is
    /// computed, not stored.
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
        /// Cancelled by its owner.
        Cancelled = "cancelled",
        /// Taken down by its owner. It is stored, but not listed or matched.
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
        /// Ministries, departments, provincial and local authorities.
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
        /// Bids to supply goods, works or services.
        #[default] Purchase = "purchase",
        /// Registration of suppliers.
        Registration = "registration",
        /// Expressions of interest before a later invitation.
        ExpressionOfInterest = "expression-of-interest",
        /// Bids in an auction, where the bidder is the buyer.
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
        /// Like `exact`, but the last word may continue.
        StartsWith = "starts_with",
        /// Like `exact`, but the first word may start earlier.
        EndsWith = "ends_with",
    }
}

terms! {
    /// The currencies for the value range of an alert.
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
