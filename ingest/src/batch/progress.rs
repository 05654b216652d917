//! What a batch says while it runs: a bar for a person at a terminal, a line of JSON per event for a program; otherwise
//! only what is asked to be known beforehand, which is the cost.

use crate::llm::Tokens;
use crate::message::line;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

/// A stage of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Stage {
    /// Decode or render it.
    Draw,
    /// Read its clips.
    Read,
    /// Write its notices.
    Write,
    /// Send its notices.
    Publish,
}

/// Something that happened.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event<'e> {
    /// The batch was listed.
    Started {
        /// Files of pages.
        files: usize,
    },
    /// What asking a model takes, where every file is one new page as full as was measured.
    Estimate {
        /// The model.
        model: &'e str,
        /// Files of pages.
        files: usize,
        /// Tokens sent and answered.
        tokens: Tokens,
        /// Their cost, where prices are known.
        cost: Option<f64>,
    },
    /// A page is in place.
    PageDone {
        /// Its file.
        file: &'e str,
        /// Its number.
        page: u32,
        /// Notices found.
        notices: usize,
        /// Other blocks found.
        rejected: usize,
    },
    /// A page was done by an earlier run.
    PageUnchanged {
        /// Its file.
        file: &'e str,
        /// Its number.
        page: u32,
    },
    /// A page could not be read.
    PageFailed {
        /// Its file.
        file: &'e str,
        /// What, where and what to do.
        message: &'e str,
    },
    /// A page comes to its next stage.
    Stage {
        /// Its file.
        file: &'e str,
        /// Its number.
        page: u32,
        /// The stage.
        stage: Stage,
    },
    /// A file's pages are all through.
    FileDone {
        /// The file.
        file: &'e str,
        /// Files through, this one included.
        done: usize,
        /// Files in all.
        files: usize,
        /// Seconds until all are through, should the rest be like what was read; nothing while nothing was.
        remaining: Option<u64>,
    },
    /// The portal answered for a notice.
    Published {
        /// Its name.
        notice: &'e str,
        /// `created`, `updated` or `unchanged`.
        outcome: crate::publish::Outcome,
    },
    /// The portal did not take a notice.
    NotPublished {
        /// Its name.
        notice: &'e str,
        /// Why and what to do.
        message: &'e str,
    },
}

impl Event<'_> {
    /// What asking the model will take, in words.
    fn estimate(&self) -> Option<String> {
        let Self::Estimate { model, files, tokens: Tokens { input, output }, cost } = self else {
            return None;
        };
        let cost = cost.map_or_else(|| "no prices given".to_owned(), |cost| format!("cost {cost:.2}"));
        let model = line(model);
        Some(format!(
            "{model}: about {input} tokens sent and {output} answered for {files} new pages, {cost}"
        ))
    }
}

/// Where events go.
pub enum Progress {
    /// Nowhere.
    Silent,
    /// The estimate of the cost, on the error output: there is neither a terminal nor a program that listens.
    Plain,
    /// A bar on the error output.
    Bar(ProgressBar),
    /// Lines of JSON on the standard output.
    Json,
}

impl Progress {
    /// The one that suits: JSON where asked for, a bar at a terminal, else silence.
    #[must_use]
    pub fn choose(json: bool) -> Self {
        if json {
            Self::Json
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(0);
            // The template is a constant; should it be refused, the default bar will do.
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

    /// Tells an event.
    pub fn tell(&self, event: &Event<'_>) {
        match self {
            Self::Silent => {}
            Self::Plain => {
                if let Some(estimate) = event.estimate() {
                    let _ = writeln!(std::io::stderr().lock(), "{estimate}");
                }
            }
            Self::Json => {
                if let Ok(line) = serde_json::to_string(event) {
                    // A reader that went away is no reason to stop reading pages.
                    let _ = writeln!(std::io::stdout().lock(), "{line}");
                }
            }
            Self::Bar(bar) => match event {
                Event::Started { files } => bar.set_length(*files as u64),
                Event::Estimate { .. } => bar.println(event.estimate().unwrap_or_default()),
                Event::Stage { file, page, stage } => {
                    bar.set_message(format!("{}, page {page}: {stage}", line(file)))
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
                Event::PageDone { file, page, notices, .. } => {
                    bar.set_message(format!("{}, page {page}: {notices} notices", line(file)))
                }
                Event::PageUnchanged { file, .. } => bar.set_message(format!("{}: unchanged", line(file))),
                Event::PageFailed { message, .. } | Event::NotPublished { message, .. } => {
                    bar.println(format!("! {message}"))
                }
                Event::Published { notice, .. } => bar.set_message(format!("published {notice}")),
            },
        }
    }

    /// Clears the bar.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
