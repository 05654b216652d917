//! Dates and times as mails say them: the absolute first, the relative beside it, in Colombo's time.

use index::vocabulary::Moment;
use jiff::fmt::strtime;

/// `Tue 14 May 2024, 2.30 p.m.`
pub(crate) fn moment(at: Moment) -> String {
    let civil = at.civil();
    let day = strtime::format("%a %-d %b %Y", civil).unwrap_or_default();
    let (hour, half) = match civil.hour() {
        0 => (12, "a.m."),
        hour @ 1..=11 => (hour, "a.m."),
        12 => (12, "p.m."),
        hour => (hour - 12, "p.m."),
    };
    format!("{day}, {hour}.{:02} {half}", civil.minute())
}

/// `3 days left`, counted in Colombo days.
pub(super) fn time_left(now: Moment, closing: Moment) -> String {
    match now.days_until(closing) {
        _ if closing < now => "closed".to_owned(),
        0 => "closes today".to_owned(),
        1 => "1 day left".to_owned(),
        days => format!("{days} days left"),
    }
}

/// `title`, cut at a word to at most `limit` characters.
pub(crate) fn shortened(title: &str, limit: usize) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().count() <= limit {
        return title;
    }
    let cut: String = title.chars().take(limit.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end_matches([',', ';', ':', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_sri_lankan_papers_print_them() {
        let at = |text: &str| moment(text.parse().unwrap());
        assert_eq!(at("2024-05-14T14:30:00+05:30"), "Tue 14 May 2024, 2.30 p.m.");
        assert_eq!(at("2024-05-14T00:05:00+05:30"), "Tue 14 May 2024, 12.05 a.m.");
        assert_eq!(at("2024-05-14T12:00:00+05:30"), "Tue 14 May 2024, 12.00 p.m.");
    }

    #[test]
    fn days_left_are_days_of_the_calendar() {
        let closing = "2024-05-14T14:30:00+05:30".parse().unwrap();
        let left = |now: &str| time_left(now.parse().unwrap(), closing);
        assert_eq!(left("2024-05-11T23:59:00+05:30"), "3 days left");
        assert_eq!(left("2024-05-13T23:59:00+05:30"), "1 day left");
        assert_eq!(left("2024-05-14T14:00:00+05:30"), "closes today");
        assert_eq!(left("2024-05-14T14:30:01+05:30"), "closed");
    }

    #[test]
    fn a_long_title_is_cut_at_a_word() {
        assert_eq!(shortened("Supply of  surgical\nconsumables", 60), "Supply of surgical consumables");
        assert_eq!(shortened("Supply of surgical consumables", 20), "Supply of surgical…");
        assert_eq!(shortened("අඅඅඅඅඅඅඅඅඅඅඅ", 5), "අඅඅඅ…");
    }
}
