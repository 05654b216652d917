//! A report as comma-separated values (RFC 4180) in UTF-8 with a byte order mark for spreadsheets.

use super::{cell::escape_formula, columns::RowContext};
use crate::domain::report::ReportColumn;
use csv::{Terminator, Writer, WriterBuilder};
use std::io::{self, Write};
use tender_model::tender::Tender;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Writes the CSV file of a report row by row.
pub(super) struct CsvSheet<W: Write>(Writer<W>);

impl<W: Write> CsvSheet<W> {
    /// Starts a file and writes the headings.
    pub(super) fn begin(mut out: W, columns: &[ReportColumn], context: &RowContext<'_>) -> io::Result<Self> {
        out.write_all(BYTE_ORDER_MARK)?;
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        writer.write_record(columns.iter().map(|column| escape_formula(context.words.column(*column))))?;
        Ok(Self(writer))
    }

    /// Adds the row of a tender.
    pub(super) fn add(
        &mut self,
        tender: &Tender,
        columns: &[ReportColumn],
        context: &RowContext<'_>,
    ) -> io::Result<()> {
        Ok(self.0.write_record(columns.iter().map(|column| column.cell(tender, context).plain_text()))?)
    }

    /// Writes the remaining buffered rows.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}
