//! Formats the evaluation as a table, with a row per figure and a column per group of pages.

use super::{
    Evaluation,
    score::{FieldScore, Scores},
};
use std::{collections::BTreeSet, fmt};
use tender_model::terminal_text::single_line;

/// The codes and the names of the languages.
const LANGUAGES: [(&str, &str); 3] = [("en", "English"), ("si", "Sinhala"), ("ta", "Tamil")];

/// The name of a row, and the value of its cell for the scores of a column.
struct TableRow {
    name: String,
    cell: Box<dyn Fn(&Scores) -> String>,
}

impl TableRow {
    fn new(name: impl Into<String>, cell: impl Fn(&Scores) -> String + 'static) -> Self {
        Self { name: name.into(), cell: Box::new(cell) }
    }
}

impl fmt::Display for Evaluation {
    /// Formats the table as Markdown, with messages below.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all();
        let mut columns: Vec<(&str, &Scores)> =
            self.groups.iter().map(|(name, scores)| (name.as_str(), scores)).collect();
        if columns.len() != 1 {
            columns.push(("all", &all));
        }
        write!(f, "| |")?;
        columns.iter().try_for_each(|(name, _)| write!(f, " {name} |"))?;
        write!(f, "\n|---|")?;
        columns.iter().try_for_each(|_| f.write_str("---|"))?;
        writeln!(f)?;
        for row in rows(&all) {
            write!(f, "| {} |", row.name)?;
            columns.iter().try_for_each(|(_, scores)| write!(f, " {} |", (row.cell)(scores)))?;
            writeln!(f)?;
        }
        if let Some(peak) = self.peak_memory_mib {
            writeln!(f, "\npeak memory {peak} MiB, without subprocesses")?;
        }
        for message in &all.certain_errors {
            writeln!(f, "certain but wrong: {}", single_line(message))?;
        }
        for message in &all.published_wrongly {
            writeln!(f, "published but not a notice: {}", single_line(message))?;
        }
        self.failed.iter().try_for_each(|failure| writeln!(f, "failed: {failure}"))
    }
}

fn rows(all: &Scores) -> Vec<TableRow> {
    let mut rows = vec![
        TableRow::new("pages", |scores| scores.pages.to_string()),
        TableRow::new("notices", |scores| scores.notices.to_string()),
        TableRow::new("notices found (IoU ≥ .5)", |scores| {
            format_share(scores.found_loosely, scores.notices)
        }),
        TableRow::new("notices found (IoU ≥ .8)", |scores| {
            format_share(scores.found_strictly, scores.notices)
        }),
        TableRow::new("clips that match a region (IoU ≥ .8)", |scores| {
            format_share(scores.clips_right, scores.clips)
        }),
        TableRow::new("regions rightly accepted or rejected", |scores| {
            format_share(scores.judged_rightly, scores.judged)
        }),
    ];
    let languages: BTreeSet<&String> = all.letter_errors.keys().collect();
    for language in languages {
        let name = language_name(language);
        for (what, alone) in [("", false), (", text recognition alone on the whole page", true)] {
            if alone && all.letter_errors_alone.is_empty() {
                continue;
            }
            let language = language.clone();
            rows.push(TableRow::new(format!("{name}: letter errors, median / mean{what}"), move |scores| {
                let by = if alone { &scores.letter_errors_alone } else { &scores.letter_errors };
                by.get(&language).map_or_else(|| "–".to_owned(), |errors| median_and_mean(errors))
            }));
        }
    }
    for name in all.fields.keys().copied() {
        rows.push(TableRow::new(format!("F1 {name}"), move |scores| {
            format_number(scores.fields.get(name).and_then(FieldScore::f1))
        }));
    }
    for name in all.fields.keys().copied() {
        let score = move |scores: &Scores| scores.fields.get(name).copied().unwrap_or_default();
        rows.push(TableRow::new(format!("{name}: right values shown as certain"), move |scores| {
            format_share(score(scores).certain_and_right(), score(scores).right)
        }));
        rows.push(TableRow::new(format!("{name}: certain values that are wrong"), move |scores| {
            format_counts(score(scores).certain_and_wrong, score(scores).certain)
        }));
    }
    rows.extend([
        TableRow::new("F1 all fields", |scores| format_number(scores.all_fields().f1())),
        TableRow::new("key fields read correctly and shown as certain", |scores| {
            let key = scores.key_fields();
            format_share(key.certain_and_right(), key.right)
        }),
        TableRow::new("fields shown as certain that are wrong", |scores| {
            let fields = scores.all_fields();
            format_counts(fields.certain_and_wrong, fields.certain)
        }),
    ]);
    let languages: BTreeSet<&String> = all.published.keys().collect();
    for language in languages {
        let (code, name) = (language.clone(), language_name(language));
        rows.push(TableRow::new(
            format!("{name}: notices published with the right closing day"),
            move |scores| {
                let score = scores.published.get(&code).copied().unwrap_or_default();
                format_counts(score.right_day, score.with_closing)
            },
        ));
    }
    rows.extend([
        TableRow::new("notices published", |scores| {
            let all = scores.all_published();
            format_counts(all.published, all.notices)
        }),
        TableRow::new("published clips that are not notices", |scores| {
            format_counts(scores.published_wrongly.len(), scores.published_clips)
        }),
        TableRow::new("published clips that are part of a notice, or several", |scores| {
            format_counts(scores.published_in_part, scores.published_clips)
        }),
        TableRow::new("CPU seconds per page: text recognition", |scores| {
            format_seconds_per_page(scores.recognition_seconds, scores.pages)
        }),
        TableRow::new("CPU seconds per page: all else", |scores| {
            format_seconds_per_page(scores.other_seconds, scores.pages)
        }),
    ]);
    rows
}

fn language_name(language: &str) -> &str {
    LANGUAGES.iter().find(|(code, _)| *code == language).map_or(language, |(_, name)| name)
}

/// Formats a part of a small total as two counts.
fn format_counts(part: usize, whole: usize) -> String {
    format!("{part} of {whole}")
}

fn format_share(part: usize, whole: usize) -> String {
    format_number((whole > 0).then(|| part as f64 / whole as f64))
}

fn format_number(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.3}"))
}

fn format_seconds_per_page(seconds: f64, pages: usize) -> String {
    format!("{:.1}", seconds / pages.max(1) as f64)
}

fn median_and_mean(errors: &[f64]) -> String {
    let mut errors = errors.to_vec();
    errors.sort_unstable_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or_default();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    format!("{median:.3} / {mean:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::PublishedScore;
    use std::collections::BTreeMap;

    #[test]
    fn a_table_has_a_column_for_each_group() {
        let scores = |right: usize| Scores {
            pages: 1,
            notices: 4,
            found_loosely: right,
            letter_errors: BTreeMap::from([("en".to_owned(), vec![0.0, 0.1, 0.5])]),
            fields: BTreeMap::from([(
                "title",
                FieldScore { right, missed: 4 - right, certain: right, certain_and_wrong: 1, wrong: 1 },
            )]),
            published: BTreeMap::from([(
                "en".to_owned(),
                PublishedScore { notices: 4, published: right, with_closing: 3, right_day: right - 1 },
            )]),
            published_clips: 3,
            published_wrongly: vec!["n7: `Shop`".to_owned()],
            certain_errors: vec!["n1: title is `A`, read `B`, certain".to_owned()],
            recognition_seconds: 12.34,
            ..Scores::default()
        };
        let evaluation = Evaluation {
            groups: BTreeMap::from([("d1".to_owned(), scores(4)), ("d2".to_owned(), scores(2))]),
            failed: vec!["p3.jpg: no truth".to_owned()],
            peak_memory_mib: Some(300),
        };
        insta::assert_snapshot!("table", evaluation.to_string());
    }
}
