//! Validates the definition of a report, and converts it to a request to the index.

use crate::{
    app::context::Context,
    base::query_string::read_query,
    domain::{
        error::{FieldError, ServiceError},
        report::{ReportColumn, ReportDefinition, ReportPeriod, ReportSpan},
    },
    services::{entitlement::Entitlement, search::list_query::ListQuery},
};
use index::ListingRequest;
use tender_model::vocabulary::Day;

/// The maximum number of characters of a report's name.
pub const MAX_NAME_LENGTH: usize = 100;

/// The maximum number of characters of a report's query string.
const MAX_QUERY_LENGTH: usize = 3500;

impl ReportDefinition {
    /// The columns of a file: the chosen ones, and always the one for uncertain fields.
    #[must_use]
    pub fn file_columns(&self) -> Vec<ReportColumn> {
        let mut columns = self.columns.clone();
        if !columns.contains(&ReportColumn::Uncertain) {
            columns.push(ReportColumn::Uncertain);
        }
        columns
    }

    /// Validates the definition and returns it in the form that is stored.
    ///
    /// # Errors
    /// 422 for invalid fields, 403 for filters that the plan does not include.
    pub fn validated(mut self, entitlement: &Entitlement, context: &Context) -> Result<Self, ServiceError> {
        let mut errors = Vec::new();
        if self.columns.is_empty() {
            errors.push(FieldError::new("columns", "Choose at least one column"));
        }
        if has_duplicates(&self.columns) {
            errors.push(FieldError::new("columns", "Each column can be chosen only once"));
        }
        if has_duplicates(&self.totals) {
            errors.push(FieldError::new("totals", "Each grouping can be chosen only once"));
        }
        match (self.period.span, self.period.from, self.period.until) {
            (ReportSpan::Range, Some(from), Some(until)) if from > until => {
                errors.push(FieldError::new("period", "The first day must not be after the last"));
            }
            (ReportSpan::Range, Some(_), Some(_)) => {}
            (ReportSpan::Range, ..) => {
                errors.push(FieldError::new("period", "Choose a first and a last day"))
            }
            // Days that have no effect are not stored.
            _ => (self.period.from, self.period.until) = (None, None),
        }
        if self.query.chars().count() > MAX_QUERY_LENGTH {
            let message = format!("The filters may have at most {MAX_QUERY_LENGTH} characters");
            errors.push(FieldError::new("query", message));
        }
        if !errors.is_empty() {
            return Err(ServiceError::Invalid(errors));
        }
        self.query = self.query_without_period();
        self.request(entitlement, context, self.period)?;
        Ok(self)
    }

    /// Converts the definition to a request to the index for a period.
    ///
    /// # Errors
    /// 422 for an invalid query string, 403 for filters that the plan does not include.
    pub fn request(
        &self,
        entitlement: &Entitlement,
        context: &Context,
        period: ReportPeriod,
    ) -> Result<ListingRequest, ServiceError> {
        let query = self.listing_query(period, context.clock.moment().day());
        read_query::<ListQuery>(&query)?.request(entitlement, context)
    }

    /// The query string with which `GET /tenders` lists the tenders of this period. `today` is the
    /// current day.
    #[must_use]
    pub fn listing_query(&self, period: ReportPeriod, today: Day) -> String {
        let mut query = form_urlencoded::Serializer::new(self.query_without_period());
        if let Some((from, until)) = period.days(today) {
            let [first, last] = period.by.parameters();
            query.append_pair(first, &from.to_string()).append_pair(last, &until.to_string());
        }
        query.finish()
    }

    /// The query string without page, page size and the dates that the period sets.
    fn query_without_period(&self) -> String {
        let own = self.period.by.parameters();
        let query = ListQuery::without_page(&self.query);
        let pairs =
            form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| !own.contains(&name.as_ref()));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

fn has_duplicates<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(nth, item)| items.iter().skip(nth + 1).any(|other| other == item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::DatedBy;
    use jiff::civil::date;

    #[test]
    fn a_period_replaces_only_its_own_days() {
        let definition = ReportDefinition {
            query: "page=3&publishedFrom=2020-01-01&closingFrom=2026-12-01&search=a%26b".to_owned(),
            period: ReportPeriod {
                by: DatedBy::Published,
                span: ReportSpan::LastMonth,
                from: None,
                until: None,
            },
            columns: vec![ReportColumn::Title],
            totals: vec![],
        };
        assert_eq!(
            definition.listing_query(definition.period, date(2026, 11, 20)),
            "closingFrom=2026-12-01&search=a%26b&publishedFrom=2026-10-01&publishedUntil=2026-10-31"
        );
        let month = ReportPeriod::month(DatedBy::Published, date(2026, 2, 3));
        assert!(definition.listing_query(month, date(2026, 11, 20)).ends_with("publishedUntil=2026-02-28"));
    }
}
