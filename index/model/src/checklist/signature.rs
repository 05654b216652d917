//! The address under a notice: the office that signs it.

/// Words of the office of who signs.
const OFFICES: [&str; 16] = [
    "chairman",
    "chairperson",
    "chairwoman",
    "secretary",
    "director",
    "manager",
    "engineer",
    "principal",
    "commissioner",
    "president",
    "registrar",
    "superintendent",
    "controller",
    "general",
    "head",
    "officer",
];
/// The most lines of an address.
const MAX_LINES: usize = 7;
/// The longest line in characters. A longer one belongs to a paragraph.
const MAX_LINE: usize = 90;

/// The office and the address under a notice in Markdown, in one line: its last lines, all but the last of
/// which end with a comma. `None`: it ends otherwise.
#[must_use]
pub(super) fn signature(markdown: &str) -> Option<String> {
    let lines = markdown.lines().map(|line| line.trim().trim_end_matches('\\').trim_end());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    // A date may stand below the address.
    let is_date = |line: &str| !line.chars().any(char::is_alphabetic);
    let end = lines.iter().rposition(|line| !is_date(line))?;
    let above = lines[..end].iter().rev().take_while(|line| line.ends_with(',')).count();
    let block = &lines[end.checked_sub(above)?..=end];
    let is_short = block.iter().all(|line| line.chars().count() <= MAX_LINE);
    let first = block.first()?.to_lowercase();
    let mut words = first.split(|sign: char| !sign.is_alphabetic());
    let is_office = words.any(|word| OFFICES.contains(&word));
    ((2..=MAX_LINES).contains(&block.len()) && is_short && is_office).then(|| block.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_the_address_of_the_office() {
        let notice = "Bids shall reach this office, room 3,\nbefore 2 p.m.\nFurther details: 063-2169715.\\\n\
            Zonal Director / Chairman,\\\nZonal Education Office - Lahugala,\\\nNo. 448, Lake Road, Lahugala.\n";
        let address =
            "Zonal Director / Chairman, Zonal Education Office - Lahugala, No. 448, Lake Road, Lahugala.";
        assert_eq!(signature(notice).as_deref(), Some(address));
        assert_eq!(signature(&format!("{notice}\n20.11.2026\n")).as_deref(), Some(address));
    }

    #[test]
    fn other_ends_are_no_address() {
        for notice in [
            "",
            "20.11.2026",
            "Bids are rejected.",
            "The Chairman\nColombo",
            "Bring the forms,\nthe bond,\nand the fee.",
            &format!("Chairman,\n{}", "x".repeat(MAX_LINE + 1)),
            &format!("Chairman,\n{}Colombo", "Room,\n".repeat(MAX_LINES)),
        ] {
            assert_eq!(signature(notice), None, "{notice}");
        }
    }
}
