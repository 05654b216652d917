//! Progress output: a progress bar at a terminal, or one line of JSON per event. Otherwise only the
//! cost estimate is printed.

use crate::llm::Tokens;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::{
    io::{IsTerminal, Write},
    time::Duration,
};
use tender_model::terminal_text::{counted, single_line};

/// A stage in the processing of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Stage {
    /// Decode or render the page.
    Draw,
    /// Read the clips of the page.
    Read,
    /// Write the notices of the page.
    Write,
    /// Send the notices of the page.
    Publish,
}

/// An event of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event<'e> {
    /// Work begins.
    Started {
        /// The number of files to read, or of page records whose notices are published.
        files: usize,
    },
    /// The estimated cost of a model, if every file is a new page with an average number of
    /// notices.
    Estimate {
        /// The model.
        model: &'e str,
        /// The number of files.
        files: usize,
        /// Input and output tokens.
        tokens: Tokens,
        /// The cost, if prices are known.
        cost: Option<f64>,
    },
    /// A page was written.
    PageDone {
        /// Its file.
        file: &'e str,
        /// The page number.
        page: u32,
        /// The number of notices.
        notices: usize,
        /// The number of blocks that are not notices.
        rejected: usize,
    },
    /// A page is unchanged since an earlier run.
    PageUnchanged {
        /// Its file.
        file: &'e str,
        /// The page number.
        page: u32,
    },
    /// A page failed.
    PageFailed {
        /// Its file.
        file: &'e str,
        /// What failed, where, and what to do.
        message: &'e str,
    },
    /// A page has reached a stage.
    Stage {
        /// Its file.
        file: &'e str,
        /// The page number.
        page: u32,
        /// The stage.
        stage: Stage,
    },
    /// The work on a file, or on the notices of a page record, has ended.
    FileDone {
        /// The file.
        file: &'e str,
        /// The number of files done, including this one.
        done: usize,
        /// The number of files in total.
        files: usize,
        /// The estimated remaining seconds, once a file has been read.
        remaining: Option<u64>,
    },
    /// The portal answered for a notice.
    Published {
        /// The name of the notice.
        notice: &'e str,
        /// What the portal did with the notice.
        outcome: crate::portal_client::Outcome,
    },
    /// A notice could not be read or sent, or the portal refused it.
    NotPublished {
        /// The name of the notice.
        notice: &'e str,
        /// The reason and what to do.
        message: &'e str,
    },
}

impl Event<'_> {
    /// The text of an estimate; `None` for other events.
    fn estimate_text(&self) -> Option<String> {
        let Self::Estimate { model, files, tokens: Tokens { input, output }, cost } = self else {
            return None;
        };
        let cost = cost.map_or_else(|| "no prices given".to_owned(), |cost| format!("cost {cost:.2}"));
        let model = single_line(model);
        Some(format!(
            "{model}: about {input} input and {output} output tokens for {}, {cost}",
            counted(*files, "new page")
        ))
    }
}

/// Where events are written.
pub enum Progress {
    /// Nowhere.
    Silent,
    /// Only the cost estimate, to standard error.
    Plain,
    /// A progress bar on standard error.
    Bar(ProgressBar),
    /// Lines of JSON on standard output.
    Json,
}

impl Progress {
    /// JSON if requested, a progress bar at a terminal, otherwise plain output.
    #[must_use]
    pub fn choose(json: bool) -> Self {
        if json {
            Self::Json
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(0);
            // The template is constant. If it were refused, the default style would be used.
            if let Ok(style) =
                ProgressStyle::with_template("{bar:32} {pos}/{len} files {elapsed} {prefix} {wide_msg}")
            {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            Self::Bar(bar)
        } else {
            Self::Plain
        }
    }

    /// Writes an event.
    pub fn report(&self, event: &Event<'_>) {
        match self {
            Self::Silent => {}
            Self::Plain => {
                if let Some(estimate) = event.estimate_text() {
                    let _ = writeln!(std::io::stderr().lock(), "{estimate}");
                }
            }
            Self::Json => {
                if let Ok(line) = serde_json::to_string(event) {
                    // A closed pipe is not a reason to stop reading pages.
                    let _ = writeln!(std::io::stdout().lock(), "{line}");
                }
            }
            Self::Bar(bar) => match event {
                Event::Started { files } => bar.set_length(*files as u64),
                Event::Estimate { .. } => bar.println(event.estimate_text().unwrap_or_default()),
                Event::Stage { file, page, stage } => {
                    bar.set_message(format!("{}, page {page}: {stage}", single_line(file)))
                }
                Event::FileDone { remaining, .. } => {
                    bar.inc(1);
                    if let Some(seconds) = remaining {
                        bar.set_prefix(format!(
                            "about {} left",
                            HumanDuration(Duration::from_secs(*seconds))
                        ));
                    }
                }
                Event::PageDone { file, page, notices, .. } => bar.set_message(format!(
                    "{}, page {page}: {}",
                    single_line(file),
                    counted(*notices, "notice")
                )),
                Event::PageUnchanged { file, .. } => {
                    bar.set_message(format!("{}: unchanged", single_line(file)))
                }
                Event::PageFailed { message, .. } | Event::NotPublished { message, .. } => {
                    bar.println(format!("! {message}"))
                }
                Event::Published { notice, .. } => bar.set_message(format!("published {notice}")),
            },
        }
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
