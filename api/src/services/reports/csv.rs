//! A report as comma-separated values (RFC 4180) in UTF-8 with a byte order mark for spreadsheets.

use super::{cell::harmless, columns::RowContext};
use crate::domain::report::ReportColumn;
use csv::{Terminator, Writer, WriterBuilder};
use index::tender::Tender;
use std::io::{self, Write};

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Writes a report row by row.
pub(super) struct CsvSheet<W: Write>(Writer<W>);

impl<W: Write> CsvSheet<W> {
    /// Begins a file with its headings.
    pub(super) fn begin(mut out: W, columns: &[ReportColumn], context: &RowContext<'_>) -> io::Result<Self> {
        out.write_all(BYTE_ORDER_MARK)?;
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        writer.write_record(columns.iter().map(|column| harmless(context.words.column(*column))))?;
        Ok(Self(writer))
    }

    /// Adds the row of a tender.
    pub(super) fn add(
        &mut self,
        tender: &Tender,
        columns: &[ReportColumn],
        context: &RowContext<'_>,
    ) -> io::Result<()> {
        Ok(self.0.write_record(columns.iter().map(|column| column.cell(tender, context).plain()))?)
    }

    /// Flushes the rest.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}
