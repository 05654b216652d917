//! A report as a workbook: typed cells on the first sheet, ready to be filtered, and totals on the
//! second.

use super::{
    cell::Cell,
    columns::RowContext,
    gather::ReportCounts,
    texts::ReportTexts,
    totals::{Sum, Totals},
};
use crate::domain::report::ReportColumn;
use rust_xlsxwriter::{Color, Format, FormatBorder, Url, Workbook, Worksheet, XlsxError};
use std::io::{Seek, Write};
use tender_model::{tender::Tender, vocabulary::Currency};

/// The maximum number of characters of a cell. Longer text is cut.
const MAX_CELL_CHARS: usize = 32_000;

/// The formats of cells.
struct Formats {
    heading: Format,
    title: Format,
    money: Format,
    percent: Format,
    day: Format,
    moment: Format,
    sum: Format,
}

impl Formats {
    fn new() -> Self {
        let number = |pattern: &str| Format::new().set_num_format(pattern);
        Self {
            heading: Format::new()
                .set_bold()
                .set_background_color(Color::RGB(0xE6_EFED))
                .set_border_bottom(FormatBorder::Thin),
            title: Format::new().set_bold().set_font_size(14),
            money: number(MONEY_FORMAT),
            percent: number("0.00%"),
            day: number("yyyy-mm-dd"),
            moment: number("yyyy-mm-dd hh:mm"),
            sum: number(MONEY_FORMAT).set_bold(),
        }
    }
}

const MONEY_FORMAT: &str = "#,##0.00";

/// Writes a report row by row to a temporary file before the workbook is assembled.
pub(super) struct XlsxBook {
    book: Workbook,
    formats: Formats,
    row: u32,
}

impl XlsxBook {
    /// Starts a workbook and writes the headings of its first sheet.
    pub(super) fn begin(columns: &[ReportColumn], context: &RowContext<'_>) -> Result<Self, XlsxError> {
        let (mut book, formats) = (Workbook::new(), Formats::new());
        let sheet = book.add_worksheet_with_constant_memory()?;
        sheet.set_name(&context.words.tenders)?.set_freeze_panes(1, 0)?;
        for (nth, column) in (0..).zip(columns) {
            sheet.set_column_width(nth, column.width())?;
            sheet.write_string_with_format(0, nth, context.words.column(*column), &formats.heading)?;
        }
        Ok(Self { book, formats, row: 0 })
    }

    /// Adds the row of a tender.
    pub(super) fn add(
        &mut self,
        tender: &Tender,
        columns: &[ReportColumn],
        context: &RowContext<'_>,
    ) -> Result<(), XlsxError> {
        self.row += 1;
        let sheet = self.book.worksheet_from_index(0)?;
        for (nth, column) in (0..).zip(columns) {
            write_cell(sheet, (self.row, nth), &column.cell(tender, context), &self.formats)?;
        }
        Ok(())
    }

    /// Writes the second sheet and the whole workbook.
    pub(super) fn finish<W: Write + Seek + Send>(
        mut self,
        head: &TotalsHead<'_>,
        totals: Totals<'_>,
        out: W,
    ) -> Result<(), XlsxError> {
        let last = u16::try_from(head.columns.saturating_sub(1)).unwrap_or(0);
        self.book.worksheet_from_index(0)?.autofilter(0, 0, self.row, last)?;
        let sheet = self.book.add_worksheet();
        sheet.set_name(&head.words.totals)?;
        TotalsSheetWriter { sheet, formats: &self.formats, words: head.words, row: 0 }.write(head, totals)?;
        self.book.save_to_writer(out)
    }
}

/// The head of the second sheet.
pub(super) struct TotalsHead<'a> {
    pub(super) words: &'a ReportTexts,
    /// The report's name.
    pub(super) name: &'a str,
    /// The sentence that states the report's period.
    pub(super) period: String,
    /// The sentence that says when the report was written.
    pub(super) made: String,
    /// The number of columns of the first sheet.
    pub(super) columns: usize,
    pub(super) found: ReportCounts,
}

struct TotalsSheetWriter<'a> {
    sheet: &'a mut Worksheet,
    formats: &'a Formats,
    words: &'a ReportTexts,
    row: u32,
}

impl TotalsSheetWriter<'_> {
    fn write(mut self, head: &TotalsHead<'_>, totals: Totals<'_>) -> Result<(), XlsxError> {
        self.sheet.set_column_width(0, 44)?.set_column_width(1, 12)?;
        self.sheet.write_string_with_format(0, 0, truncate(head.name), &self.formats.title)?;
        self.sheet.write_string(1, 0, &head.period)?;
        self.sheet.write_string(2, 0, &head.made)?;
        self.row = 4;
        if head.found.is_truncated() {
            let words = self.words.cut.with(&[("rows", &head.found.rows), ("total", &head.found.total)]);
            self.sheet.write_string(3, 0, words)?;
            self.row = 5;
        }
        let currencies = totals.currencies();
        for nth in 0..u16::try_from(currencies.len()).unwrap_or(0) {
            self.sheet.set_column_width(2 + nth, 22)?;
        }
        self.write_heading("", &currencies)?;
        self.write_sum(&self.words.all.clone(), totals.all(), &currencies, &self.formats.sum)?;
        for table in totals.tables() {
            self.row += 1;
            self.write_heading(self.words.grouping(table.grouping), &currencies)?;
            for (name, sum) in &table.rows {
                self.write_sum(name, sum, &currencies, &self.formats.money)?;
            }
        }
        Ok(())
    }

    fn write_heading(&mut self, first: &str, currencies: &[Currency]) -> Result<(), XlsxError> {
        let values = currencies.iter().map(|currency| self.words.value.with(&[("currency", currency)]));
        let heads = [first.to_owned(), self.words.count.clone()].into_iter().chain(values);
        for (nth, head) in (0..).zip(heads) {
            self.sheet.write_string_with_format(self.row, nth, head, &self.formats.heading)?;
        }
        self.row += 1;
        Ok(())
    }

    fn write_sum(
        &mut self,
        name: &str,
        sum: &Sum,
        currencies: &[Currency],
        money: &Format,
    ) -> Result<(), XlsxError> {
        self.sheet.write_string(self.row, 0, truncate(name))?;
        self.sheet.write_number(self.row, 1, sum.tenders as f64)?;
        for (nth, currency) in (2..).zip(currencies) {
            if let Some(minor) = sum.values.get(currency) {
                self.sheet.write_number_with_format(self.row, nth, *minor as f64 / 100.0, money)?;
            }
        }
        self.row += 1;
        Ok(())
    }
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Text(words) => {
            sheet.write_string(row, column, truncate(words))?;
        }
        Cell::Money(minor, currency) => {
            let amount = *minor as f64 / 100.0;
            match currency {
                None => sheet.write_number_with_format(row, column, amount, &formats.money)?,
                Some(other) => {
                    let pattern = format!("\"{other}\" {MONEY_FORMAT}");
                    sheet.write_number_with_format(
                        row,
                        column,
                        amount,
                        &Format::new().set_num_format(pattern),
                    )?
                }
            };
        }
        Cell::Percent(share) => {
            sheet.write_number_with_format(row, column, share / 100.0, &formats.percent)?;
        }
        Cell::Day(day) => {
            sheet.write_datetime_with_format(row, column, *day, &formats.day)?;
        }
        Cell::Moment(at) => {
            sheet.write_datetime_with_format(row, column, *at, &formats.moment)?;
        }
        Cell::Link(address) => {
            sheet.write_url(row, column, Url::new(address))?;
        }
    }
    Ok(())
}

fn truncate(words: &str) -> String {
    words.chars().take(MAX_CELL_CHARS).collect()
}
