//! Input types of a tender's form: numbers as typed, and read-only fields that are ignored.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IgnoredAny, MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::Value;
use std::{fmt, marker::PhantomData};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

/// A number, or the text that was typed instead. Invalid text is kept too, because a draft stores
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum NumberInput {
    /// A number.
    Number(f64),
    /// The text as typed, such as `1,500.50`.
    Text(String),
}

impl NumberInput {
    /// Reads the number. `None`: the text is blank.
    ///
    /// # Errors
    /// Fails if the text is not a number.
    pub(super) fn read(&self) -> Result<Option<f64>, ()> {
        match self {
            Self::Number(number) => Ok(Some(*number)),
            Self::Text(text) => {
                let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
                let is_decimal = plain.chars().all(|c| c.is_ascii_digit() || c == '.');
                match plain.is_empty() {
                    true => Ok(None),
                    false if is_decimal => plain.parse().map(Some).map_err(|_| ()),
                    false => Err(()),
                }
            }
        }
    }
}

impl<'de> Deserialize<'de> for NumberInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = NumberInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<NumberInput, E> {
                Ok(NumberInput::Number(number))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<NumberInput, E> {
                Ok(NumberInput::Number(number as f64))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<NumberInput, E> {
                Ok(NumberInput::Number(number as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<NumberInput, E> {
                Ok(NumberInput::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// The fields of `T` that a form ignores, so that a client can send back a tender as it received
/// it. Deserialization refuses a field that `T` does not have.
pub(super) struct ReadOnly<T>(PhantomData<T>);

impl<T> Default for ReadOnly<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> Clone for ReadOnly<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for ReadOnly<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadOnly")
    }
}

impl<'de, T: PartialSchema> Deserialize<'de> for ReadOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);
        impl<'de, T: PartialSchema> Visitor<'de> for Reader<T> {
            type Value = ReadOnly<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<ReadOnly<T>, A::Error> {
                let mut known = None;
                while let Some(name) = fields.next_key::<String>()? {
                    let known = known.get_or_insert_with(|| property_names(T::schema()));
                    if !known.contains(&name) {
                        return Err(de::Error::unknown_field(&name, &[]));
                    }
                    fields.next_value::<IgnoredAny>()?;
                }
                Ok(ReadOnly::default())
            }
        }
        deserializer.deserialize_map(Reader(PhantomData))
    }
}

impl<T> Serialize for ReadOnly<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

/// The property names of an object schema.
fn property_names(schema: RefOr<Schema>) -> Vec<String> {
    match schema {
        RefOr::T(Schema::Object(object)) => object.properties.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

/// Removes the null fields of JSON objects, also of nested ones and of those in lists.
pub(super) fn without_nulls(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        json => json,
    }
}
