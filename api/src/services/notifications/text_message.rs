//! Writes [`News`] as a text message: one line like the subject of a mail, and one link. A single
//! tender also gets its new closing and its uncertain fields.

use super::{
    news::{News, NewsReason},
    uncertain_fields,
};
use crate::base::i18n::mail_texts::MailTexts;
use tender_model::vocabulary::Moment;

/// Composes the text of the message.
pub(crate) fn compose(news: &News, words: &MailTexts, base_url: &str, now: Moment) -> String {
    let mut message = replace_typographic_characters(&news.subject(words, now));
    let [entry] = news.entries.as_slice() else {
        let alerts = news.alerts();
        let link = match alerts.as_slice() {
            [alert] => super::digest::alert_link(base_url, alert.id),
            _ => format!("{base_url}/alert-settings"),
        };
        return format!("{message} {link}");
    };
    if let (NewsReason::Changed { from }, Some(closing)) = (&entry.reason, entry.tender.dates.closing)
        && from.dates.closing != Some(closing)
    {
        message = format!("{message} ({})", words.news.now.with(&[("value", &words.moment(closing))]));
    }
    let doubt = replace_typographic_characters(&uncertain_fields::doubt_sentence(&entry.tender, words));
    let doubt = if doubt.is_empty() { doubt } else { format!(" {doubt}") };
    format!("{message}{doubt} {base_url}/tenders/{}", entry.tender.id)
}

/// Replaces typographic characters by characters of the SMS alphabet. One character outside that
/// alphabet more than halves the length of text that fits into an SMS.
fn replace_typographic_characters(text: &str) -> String {
    let plain = text.chars().map(|c| match c {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        '–' | '—' => '-',
        '\u{a0}' => ' ',
        other => other,
    });
    plain.collect::<String>().replace('…', "...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typographic_characters_are_replaced_and_letters_are_kept() {
        assert_eq!(replace_typographic_characters("“Supply” – ක්‍රීඩා… it’s"), "\"Supply\" - ක්‍රීඩා... it's");
    }
}
