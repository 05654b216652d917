//! A report as a file: on disk for a download, or in memory for a mail. The file is written on a
//! blocking thread.

use super::{
    MAX_ROWS,
    columns::RowContext,
    csv::CsvSheet,
    gather::{ReportCounts, visit_tenders},
    texts::ReportTexts,
    totals::Totals,
    xlsx::{TotalsHead, XlsxBook},
};
use crate::{
    app::context::Context,
    base::{
        i18n::{mail_texts::MailTexts, term_names::TermNames},
        temp_files,
    },
    clients::search_engine,
    domain::{
        error::ServiceError,
        report::{ReportDefinition, ReportPeriod},
    },
    services::entitlement::Entitlement,
};
use anyhow::Context as _;
use index::{ListingRequest, SearchEngine};
use serde::{Deserialize, Serialize};
use std::{
    io::{BufWriter, Cursor, Seek, SeekFrom, Write},
    sync::Arc,
};
use tender_model::vocabulary::{Language, Moment};
use tokio::{fs::File, task::spawn_blocking};
use utoipa::ToSchema;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReportFormat)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// A workbook.
    Xlsx,
}

impl Format {
    /// The value of the `Content-Type` header.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => XLSX_TYPE,
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// The media type of a workbook.
pub const XLSX_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A file with a report.
#[derive(Debug)]
pub struct ReportFile {
    /// The file, open at its beginning. It has no name in the file system.
    pub file: File,
    /// The size of the file in bytes.
    pub length: u64,
    /// The numbers of matching and written tenders.
    pub found: ReportCounts,
}

/// The input from which a report's file is written.
#[derive(Debug, Clone)]
pub struct ReportSource {
    name: String,
    definition: ReportDefinition,
    period: ReportPeriod,
    request: ListingRequest,
    language: Language,
    base_url: String,
    now: Moment,
    max_rows: usize,
}

impl ReportSource {
    /// Collects the input for a report with this name, definition and period, at the current time.
    pub fn new(
        context: &Context,
        entitlement: &Entitlement,
        (name, definition, period): (&str, &ReportDefinition, ReportPeriod),
        language: Language,
    ) -> Result<Self, ServiceError> {
        Ok(Self {
            name: name.to_owned(),
            request: definition.request(entitlement, context, period)?,
            definition: definition.clone(),
            period,
            language,
            base_url: context.config.base_url(),
            now: context.clock.moment(),
            max_rows: MAX_ROWS,
        })
    }

    /// The file name: the ASCII letters and digits of the report's name, and the first and last day
    /// of the period.
    #[must_use]
    pub fn file_name(&self, format: Format) -> String {
        let letters =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
        let words = letters.collect::<String>();
        let mut parts: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        if parts.is_empty() {
            parts.push("report".to_owned());
        }
        if let Some((from, until)) = self.period.days(self.now.day()) {
            parts.extend([from.to_string(), until.to_string()]);
        }
        format!("{}.{}", parts.join("-"), format.extension())
    }

    /// Writes the file to disk.
    pub async fn write_to_disk(self, context: &Context, format: Format) -> Result<ReportFile, ServiceError> {
        let file = temp_files::create_unnamed(context.config.data.data.clone())
            .await
            .context("creating a file in the data folder")?;
        let (mut file, search_engine) = (file.into_std().await, context.search_engine.clone());
        let made = spawn_blocking(move || {
            let found = self.write(&*search_engine, format, BufWriter::new(&mut file))?;
            let length = file.seek(SeekFrom::End(0))?;
            file.seek(SeekFrom::Start(0))?;
            anyhow::Ok((file, length, found))
        });
        let (file, length, found) =
            made.await.context("writing a report")?.map_err(search_engine::service_error)?;
        Ok(ReportFile { file: File::from_std(file), length, found })
    }

    /// Writes the file to memory.
    pub async fn write_to_memory(
        self,
        search_engine: Arc<dyn SearchEngine>,
        format: Format,
    ) -> anyhow::Result<(Vec<u8>, ReportCounts)> {
        let made = spawn_blocking(move || {
            let mut bytes = Vec::new();
            let found = self.write(&*search_engine, format, Cursor::new(&mut bytes))?;
            anyhow::Ok((bytes, found))
        });
        made.await.context("writing a report")?
    }

    fn write<W: Write + Seek + Send>(
        &self,
        search_engine: &dyn SearchEngine,
        format: Format,
        out: W,
    ) -> anyhow::Result<ReportCounts> {
        match format {
            Format::Csv => self.write_csv(search_engine, out),
            Format::Xlsx => self.write_xlsx(search_engine, out),
        }
    }

    fn write_csv(&self, search_engine: &dyn SearchEngine, out: impl Write) -> anyhow::Result<ReportCounts> {
        let (context, columns) = (self.context(), &self.definition.file_columns());
        let mut sheet = CsvSheet::begin(out, columns, &context)?;
        let found = visit_tenders(search_engine, self.request.clone(), self.now, self.max_rows, |tender| {
            anyhow::Ok(sheet.add(tender, columns, &context)?)
        })?;
        sheet.finish()?;
        Ok(found)
    }

    fn write_xlsx(
        &self,
        search_engine: &dyn SearchEngine,
        out: impl Write + Seek + Send,
    ) -> anyhow::Result<ReportCounts> {
        let (context, columns) = (self.context(), &self.definition.file_columns());
        let mut book = XlsxBook::begin(columns, &context)?;
        let mut totals = Totals::new((context.words, context.terms), self.period.by, &self.definition.totals);
        let found = visit_tenders(search_engine, self.request.clone(), self.now, self.max_rows, |tender| {
            totals.add(tender);
            anyhow::Ok(book.add(tender, columns, &context)?)
        })?;
        let days = self.period.days(self.now.day());
        let head = TotalsHead {
            words: context.words,
            name: &self.name,
            period: days
                .map(|(from, until)| context.words.period(self.period.by, &from, &until))
                .unwrap_or_default(),
            made: context.words.made.with(&[("moment", &MailTexts::of(self.language).moment(self.now))]),
            columns: columns.len(),
            found,
        };
        book.finish(&head, totals, out)?;
        Ok(found)
    }

    fn context(&self) -> RowContext<'_> {
        let (language, words) = (self.language, ReportTexts::of(self.language));
        RowContext {
            language,
            words,
            terms: TermNames::of(language),
            base_url: &self.base_url,
            now: self.now,
        }
    }
}

#[cfg(test)]
mod tests;
