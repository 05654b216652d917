//! The specification's enumerations, each written in JSON exactly as the specification spells it.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A word that is not a member of the enumeration it was read as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a {what}")]
pub struct UnknownTerm {
    /// The enumeration, in words: "tender status".
    pub what: &'static str,
    /// What was found instead of a member.
    pub found: String,
}

/// Declares an enumeration of fixed words: serialised, displayed and parsed as written, with `ALL` in order.
macro_rules! terms {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$item_doc:meta])* $item:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$item_doc])* #[serde(rename = $word)] $item),+ }

        impl $name {
            /// Every member, in the specification's order.
            pub const ALL: &'static [$name] = &[$($name::$item),+];

            /// The word as the specification spells it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$item => $word),+ }
            }
        }

        // Derived, it would list the members' names in Rust: it doesn't see words that a macro passes on.
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
    /// Where a tender stands. Only the owner's action moves it; being past its closing date is computed, not stored.
    #[derive(Default)]
    TenderStatus, "tender status" {
        /// Being written; seen by its owner alone.
        #[default] Draft = "draft",
        /// Open to bids until its closing.
        Published = "published",
        /// Closed by its owner.
        Closed = "closed",
        /// A bidder was chosen.
        Awarded = "awarded",
        /// Called off.
        Cancelled = "cancelled",
        /// Taken down by its owner; kept, but neither listed nor matched.
        Withdrawn = "withdrawn",
    }
}

impl TenderStatus {
    /// Whether tenders of this status are listed, searched and matched.
    #[must_use]
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::Draft | Self::Withdrawn)
    }
}

terms! {
    /// How urgent the publisher says the tender is.
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
    /// Who may read all of a tender.
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
    /// What kind of body invites bids.
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
    /// What a notice asks of its reader.
    #[derive(Default)]
    Kind, "kind of notice" {
        /// Bids to supply goods, works or services.
        #[default] Purchase = "purchase",
        /// Registration of suppliers.
        Registration = "registration",
        /// Expressions of interest, ahead of a later invitation.
        ExpressionOfInterest = "expression-of-interest",
        /// An organisation's auction: the reader is the buyer.
        Sale = "sale",
        /// A change to an earlier tender.
        Corrigendum = "corrigendum",
        /// The outcome of an earlier tender.
        Award = "award",
    }
}

terms! {
    /// The language a notice is printed in, by its ISO 639-1 code.
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
    /// Which sides of a keyword are open: see [`crate::alert::Keyword`].
    #[derive(Default)]
    MatchType, "match type" {
        /// Whole words, side by side.
        Exact = "exact",
        /// A substring of the words joined by one space.
        #[default] Contains = "contains",
        /// The last word may go on.
        StartsWith = "starts_with",
        /// The first word may begin earlier.
        EndsWith = "ends_with",
    }
}

terms! {
    /// The currencies an alert's value range can be given in.
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
    fn the_contract_lists_terms_as_json_spells_them() {
        let schema = serde_json::to_value(OrganizationType::schema()).unwrap();
        assert_eq!(schema["enum"], serde_json::to_value(OrganizationType::ALL).unwrap());
    }
}
