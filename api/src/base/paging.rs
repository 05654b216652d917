//! Pagination of lists.

use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::{IntoParams, ToSchema};

/// The position of a page in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// The number of this page, from 1.
    pub current: u32,
    /// The number of pages.
    pub total: u64,
    /// The number of items on all pages.
    pub total_count: u64,
    /// Whether there is a previous page.
    pub has_prev: bool,
    /// Whether there is a next page.
    pub has_next: bool,
}

impl Pagination {
    /// Describes a page of `limit` items out of `total_count`.
    #[must_use]
    pub fn new(current: u32, limit: u32, total_count: u64) -> Self {
        let total = total_count.div_ceil(u64::from(limit.max(1)));
        Self {
            current,
            total,
            total_count,
            has_prev: current > 1 && total > 0,
            has_next: u64::from(current) < total,
        }
    }
}

/// The requested page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    /// The page number, from 1.
    #[serde(default = "default_page", deserialize_with = "deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    pub page: u32,
    /// The number of items per page.
    #[serde(default = "default_page_size", deserialize_with = "deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    pub limit: u32,
}

impl PageQuery {
    /// Returns the number of items on the previous pages.
    #[must_use]
    pub fn skip(&self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.limit)
    }
}

/// The default page.
#[must_use]
pub const fn default_page() -> u32 {
    1
}

/// The default page size.
#[must_use]
pub const fn default_page_size() -> u32 {
    10
}

/// Deserializes a page number from 1 to 10,000.
pub fn deserialize_page_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    number_up_to(deserializer, 10_000)
}

/// Deserializes a page size from 1 to 50.
pub fn deserialize_page_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    number_up_to(deserializer, 50)
}

fn number_up_to<'de, D: Deserializer<'de>>(deserializer: D, max: u32) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if (1..=max).contains(&number) {
        Ok(number)
    } else {
        Err(de::Error::custom(format!("must be a number from 1 to {max}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_count_is_rounded_up() {
        let ends = |current, count| {
            let page = Pagination::new(current, 10, count);
            (page.total, page.has_prev, page.has_next)
        };
        assert_eq!(ends(1, 0), (0, false, false));
        assert_eq!(ends(1, 10), (1, false, false));
        assert_eq!(ends(1, 11), (2, false, true));
        assert_eq!(ends(2, 11), (2, true, false));
        assert_eq!(ends(7, 11), (2, true, false));
    }
}
