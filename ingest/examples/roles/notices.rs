//! Notices with what is true of them.

use anyhow::{Context, Result};
use index::vocabulary::Day;
use ingest::extract::Printed;
use jiff::civil::Time;
use serde_json::Value;
use std::{fs, path::Path};

/// A notice and its truth.
pub(crate) struct Notice {
    pub(crate) printed: Printed,
    pub(crate) closing: Option<(Day, Option<Time>)>,
    pub(crate) security: Option<f64>,
    pub(crate) fee: Option<f64>,
}

/// The notices of a folder's pages.
pub(crate) fn hand(folder: &Path) -> Result<Vec<Notice>> {
    let mut files = Vec::new();
    pages(folder, &mut files)?;
    files.sort();
    let mut notices = Vec::new();
    for file in files {
        let page: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        let blocks = page["notices"].as_array().into_iter().flatten();
        notices.extend(blocks.filter(|block| block["type"] == "tender").map(|block| {
            let truth = &block["fields"];
            let day = truth["closing_date"].as_str().and_then(|day| day.parse().ok());
            Notice {
                printed: Printed::plain(block["text"].as_str().unwrap_or_default()),
                closing: day.map(|day| (day, truth["closing_time"].as_str().and_then(time))),
                security: truth["bid_security_amount"].as_f64(),
                fee: truth["document_fee"].as_f64(),
            }
        }));
    }
    Ok(notices)
}

fn pages(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            pages(&path, files)?;
        } else if path.to_string_lossy().ends_with(".gt.json") {
            files.push(path);
        }
    }
    Ok(())
}

/// The texts that stand beside a `gold.json`.
pub(crate) fn shapes(gold: &Path) -> Result<Vec<Notice>> {
    let shapes: Vec<Value> = serde_json::from_str(&fs::read_to_string(gold)?)?;
    let folder = gold.parent().unwrap_or(Path::new("."));
    let notices = shapes.iter().map(|shape| {
        let file = shape["file"].as_str().context("a shape without a file")?;
        let text = fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
        // The first lines tell where the text is from.
        let text = text.split_once("\n\n").map_or(text.as_str(), |(_, text)| text);
        let truth = &shape["gold"];
        let closing = truth["closing"].as_str().and_then(|closing| {
            let (day, hour) =
                closing.split_once('T').map_or((closing, None), |(day, hour)| (day, hour.get(..5)));
            Some((day.parse().ok()?, hour.and_then(time)))
        });
        Ok(Notice {
            printed: Printed::plain(text),
            closing,
            security: truth["bidSecurity"].as_f64(),
            fee: truth["docFee"].as_f64(),
        })
    });
    notices.collect()
}

fn time(hour: &str) -> Option<Time> {
    format!("{hour}:00").parse().ok()
}
