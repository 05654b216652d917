//! The macro `terms!`, which declares an enum of fixed values.

/// The error for a value that is not in a list of `terms!`.
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
/// With `strum`, each name would be written twice, once for `strum` and once for `serde`. The
/// default parse error of `strum` contains neither the list nor the value.
macro_rules! terms {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$item_doc:meta])* $item:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.as_str()) }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::vocabulary::UnknownTerm;
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok($name::$item),)+
                    _ => Err($crate::vocabulary::UnknownTerm { what: $what, found: word.chars().take(60).collect() }),
                }
            }
        }
    };
}
pub(crate) use terms;
