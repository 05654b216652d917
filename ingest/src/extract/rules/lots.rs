//! Tables of lots, or of several tenders in one notice. The cells of a table with a single row are
//! values of the notice.

use super::{money, pattern::patterns};
use crate::extract::printed::Printed;
use std::{collections::BTreeSet, ops::Range};
use tender_model::{
    tender::{Bond, Lot},
    vocabulary::{Amount, Currency},
};

/// A row of a table of lots, or a numbered lot.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LotRow {
    pub(crate) range: Range<usize>,
    pub(crate) number: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) bid_bond: Option<Amount>,
    pub(crate) fee: Option<Amount>,
    pub(crate) estimate: Option<Amount>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Number,
    Title,
    BidBond,
    Fee,
    Estimate { millions: bool },
    Other,
}

patterns! {
    BOND = r"^\s*(?:security|bond)\b|\bdeposit to be (?:lodged|made|furnished)|\b(?:bid|tender)\s?(?:security|bond|guarantee)|ඇප|සුරක්ෂ|பிணை";
    CASH = r"\bcash\b";
    FEE = r"\bfee\b|price of (?:the )?(?:form|doc|set|bid|tender)|non-?\s?refundable|charge|deposit|ගාස්තු|கட்டண";
    ESTIMATE = r"estimat|\bcost\b|\bvalue\b";
    MILLIONS = r"\bM\b|million|mn";
    TITLE = r"descri|project|name of|work|title|particulars|scheme|goods|විස්තර|කාර්යය|ව්‍යාපෘති|භාණ්ඩ|விபர|விவர|வேலை|பொருள்|கருத்திட்ட";
    ITEM = r"\bitems?\b";
    NUMBER = r"\blot\b|\bno\b|number|\bs/?n\b|serial|package|\bpkg\b|අංක|இலக்க";
    // The header and the rows of a table that was read without cells.
    LOOSE_HEADER = r"^\s*lot\b.*(?:description|item).*(?:security|bond)";
    LOOSE_ROW = r"^\s*(\d{1,2})[.)]?\s+(.+?)\s+([\d,]+)\s+(\d{1,3}(?:[,.]\d{3})+(?:\.\d\d)?)\s*$";
}

patterns! {
    // `Lot 01 - Two buses`, `Package B: Roofing`. The rest of the paragraph belongs to the lot.
    LOT = r"(?m)^\s*\(?(?:lot|package)\s*(?:no\.?\s*)?[-:]?\s*((?-i:\d{1,3}|[A-Z]\d?|[IVX]{1,4}))\s*\)?\s*[-–:.)\s]\s*";
    CLAUSE = r"(?m)^\s*\d{1,2}[.)]\s";
    LOT_BOND = r"[\s,;:(\-–\t]*\b(?:bid|tender)\s?(?:security|bond|guarantee|deposit)";
}

/// The maximum number of rows in a list of lots.
const MAX_ROWS: usize = 200;

/// The rows of the first table with a header, or else the numbered lots.
pub(crate) fn read_rows(printed: &Printed) -> Vec<LotRow> {
    let lines: Vec<(Range<usize>, &str)> = printed.lines().collect();
    for (at, (_, line)) in lines.iter().enumerate() {
        let mut columns: Vec<Column> = line.split('\t').map(classify_column).collect();
        let named = columns.iter().filter(|column| **column != Column::Other).count();
        if !columns.contains(&Column::Title)
            && let Some(unnamed) = columns.iter().skip(1).position(|column| *column == Column::Other)
        {
            // A column with an unusual header, such as `Tank` or `School`, has the titles of the
            // lots.
            columns[unnamed + 1] = Column::Title;
        }
        if columns.len() >= 3
            && named >= 2
            && !line.split('\t').skip(1).any(|cell| money::amount_in_cell(cell, false).is_some())
        {
            return rows_with_cells(&lines[at + 1..], &columns);
        }
        if LOOSE_HEADER.is_match(line) && columns.len() < 3 {
            return rows_without_cells(&lines[at + 1..]);
        }
    }
    numbered_rows(printed)
}

/// Numbered lots, one per line or paragraph.
fn numbered_rows(printed: &Printed) -> Vec<LotRow> {
    let text = printed.text();
    let starts: Vec<(Range<usize>, &str)> = LOT
        .captures_iter(text)
        .take(MAX_ROWS)
        .filter_map(|groups| Some((groups.get(0)?.range(), groups.get(1)?.as_str())))
        .collect();
    let ends = starts.iter().skip(1).map(|(next, _)| next.start).chain([text.len()]);
    let rows: Vec<LotRow> =
        starts.iter().zip(ends).map(|((head, number), end)| numbered_row(text, head, number, end)).collect();
    let numbers: BTreeSet<_> = starts.iter().map(|(_, number)| number).collect();
    // Lots with repeated numbers are not a list.
    if rows.len() < 2 || numbers.len() < rows.len() { Vec::new() } else { rows }
}

/// The lot whose number is in `head`. It ends at a new paragraph, a numbered clause or `end`.
fn numbered_row(text: &str, head: &Range<usize>, number: &str, end: usize) -> LotRow {
    let content = &text[head.end..end];
    let ends = [content.find("\n\n"), CLAUSE.find(content).map(|clause| clause.start())];
    let content = &content[..ends.into_iter().flatten().min().unwrap_or(content.len())];
    let bond = LOT_BOND.find(content);
    let title = &content[..bond.as_ref().map_or(content.len(), |bond| bond.start())];
    let title = title.split('\t').next().unwrap_or_default();
    LotRow {
        range: head.start..head.end + content.len(),
        number: Some(number.to_owned()),
        title: Some(title.split_whitespace().collect::<Vec<_>>().join(" ")),
        bid_bond: bond.and_then(|bond| money::amounts(&content[bond.end()..]).first().map(|sum| sum.amount)),
        ..LotRow::default()
    }
}

fn classify_column(header: &str) -> Column {
    if CASH.is_match(header) {
        Column::Other
    } else if BOND.is_match(header) {
        Column::BidBond
    } else if FEE.is_match(header) {
        Column::Fee
    } else if ESTIMATE.is_match(header) {
        Column::Estimate { millions: MILLIONS.is_match(header) }
    } else if TITLE.is_match(header) {
        Column::Title
    } else if NUMBER.is_match(header) {
        Column::Number
    } else if ITEM.is_match(header) {
        Column::Title
    } else {
        Column::Other
    }
}

fn rows_with_cells(lines: &[(Range<usize>, &str)], columns: &[Column]) -> Vec<LotRow> {
    let mut rows: Vec<LotRow> = Vec::new();
    for (range, line) in lines.iter().take(MAX_ROWS) {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() < 2 {
            break;
        }
        let mut row = LotRow { range: range.clone(), ..LotRow::default() };
        for (cell, column) in cells.iter().zip(columns) {
            let words = || Some(cell.trim().to_owned()).filter(|words| !words.is_empty());
            match column {
                Column::Number => row.number = row.number.take().or_else(words),
                Column::Title => row.title = row.title.take().or_else(words),
                Column::BidBond => row.bid_bond = money::amount_in_cell(cell, false),
                Column::Fee => row.fee = money::amount_in_cell(cell, false),
                Column::Estimate { millions } => row.estimate = money::amount_in_cell(cell, *millions),
                Column::Other => {}
            }
        }
        if cells.len() < columns.len() && row.bid_bond.is_none() && row.number.is_none() {
            // The line is the rest of a wrapped cell.
            if let (Some(last), Some(more)) = (rows.last_mut(), row.title) {
                last.title =
                    Some(format!("{} {more}", last.title.as_deref().unwrap_or_default()).trim().to_owned());
            }
            continue;
        }
        rows.push(row);
    }
    rows
}

fn rows_without_cells(lines: &[(Range<usize>, &str)]) -> Vec<LotRow> {
    let rows = lines.iter().take(MAX_ROWS).map_while(|(range, line)| {
        let groups = LOOSE_ROW.captures(line)?;
        let cell = |n: usize| groups.get(n).map(|m| m.as_str().to_owned());
        Some(LotRow {
            range: range.clone(),
            number: cell(1),
            title: cell(2),
            bid_bond: cell(4).and_then(|amount| money::amount_in_cell(&amount, false)),
            ..LotRow::default()
        })
    });
    rows.collect()
}

/// The rows as lots; empty for fewer than two.
pub(crate) fn lots(rows: &[LotRow]) -> Vec<Lot> {
    if rows.len() < 2 {
        return Vec::new();
    }
    let lots = rows.iter().map(|row| Lot {
        number: row.number.clone(),
        title: row.title.clone().unwrap_or_default(),
        bid_bond: row.bid_bond.map(|amount| Bond {
            required: true,
            percentage: None,
            amount: Some(amount),
            currency: Some(Currency::LKR),
        }),
    });
    lots.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_read_from_a_table() {
        let text = "Lot\tDescription\tQty\tBid Security (Rs.)\n01\tInstallation works at Deniyaya\t31\t180,000.00\n02\tSpare parts\t45\t105,000.00\n\nDocuments";
        let rows = read_rows(&Printed::plain(text));
        let lots = lots(&rows);
        assert_eq!(lots.len(), 2);
        assert_eq!(lots[0].title, "Installation works at Deniyaya");
        assert_eq!(lots[1].bid_bond.as_ref().unwrap().amount.unwrap().number(), 105_000.0);
    }

    #[test]
    fn a_table_without_cells_is_read() {
        let text = "Lot Description Qty Bid Security (Rs.)\n01 Installation works at Deniyaya 31 180,000.00\n02 Spare parts 45 105,000.00";
        assert_eq!(lots(&read_rows(&Printed::plain(text))).len(), 2);
    }

    #[test]
    fn numbered_paragraphs_are_lots() {
        let text = "Lot 01 - Two 45-seater buses - bid security Rs. 60,000.00\nLot 02 - Three vans with\ndrivers - bid security Rs. 45,000.00\n\n2. Bidding";
        let lots = lots(&read_rows(&Printed::plain(text)));
        assert_eq!(lots.len(), 2);
        assert_eq!(
            (lots[1].number.as_deref(), lots[1].title.as_str()),
            (Some("02"), "Three vans with drivers")
        );
        assert_eq!(lots[1].bid_bond.as_ref().unwrap().amount.unwrap().number(), 45_000.0);
        assert!(read_rows(&Printed::plain("Lot 1: Renovation of a mill. Contractors per lot.")).is_empty());
    }

    #[test]
    fn a_row_with_one_recognised_column_is_not_a_header() {
        let text = "Closing | Bid Security (Rs.) | Place\n12 March | amounts below | Shroff\n13 March | more | Counter";
        assert!(read_rows(&Printed::plain(text)).is_empty());
    }

    #[test]
    fn a_single_row_belongs_to_the_notice() {
        let text = "Bid No. | Project | CIDA Registration | Direct construction cost, approx. (Rs. M., without VAT) | Non-refundable fee (Rs.) | Bid security (Rs.) | Cash deposit alternative (Rs.)\n\
                    DSO.MT.2021/11/PRO/05 | Construction of Dialysis Unit | C3 or C4 (Building Construction) | 58.90 | 12,500.00 | 1,091,000.00 | 545,500.00";
        let rows = read_rows(&Printed::plain(text));
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].bid_bond.unwrap().number(), 1_091_000.0);
        assert_eq!(rows[0].fee.unwrap().number(), 12_500.0);
        assert_eq!(rows[0].estimate.unwrap().number(), 58_900_000.0);
        assert!(lots(&rows).is_empty());
    }
}
