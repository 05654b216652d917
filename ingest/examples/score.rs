//! Holds clips and their text against a page's truth, and prints what was found, how well it was read and how long each
//! stage took: `score [--read] [--picture DIR] PAGE TRUTH …`. For tuning; tests hold the fixture pages to their bars.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ingest::layout::{self, Clip};
use ingest::page;
use ingest::read::{Reader, Readers};
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let read = arguments.first().is_some_and(|first| first == "--read");
    if read {
        arguments.remove(0);
    }
    let mut picture = None;
    if arguments.first().is_some_and(|first| first == "--picture") {
        arguments.remove(0);
        picture = Some(arguments.remove(0));
    }
    for pair in arguments.chunks(2) {
        score(Path::new(&pair[0]), Path::new(&pair[1]), read, picture.as_deref());
    }
}

fn score(path: &Path, truth: &Path, read: bool, picture: Option<&str>) {
    let truth: Value = serde_json::from_slice(&std::fs::read(truth).unwrap()).unwrap();
    let start = Instant::now();
    let page = page::open(path).unwrap().page(1).unwrap();
    let opened = start.elapsed();
    let start = Instant::now();
    let clips = layout::clips(&page);
    let laid_out = start.elapsed();
    let pieces: Vec<(&Value, [f64; 4])> = truth["notices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| (piece, piece_box(piece, &truth["size_px"])))
        .collect();
    let best = |area: [f64; 4]| {
        clips.iter().map(|clip| (overlap(area, clip.area), clip)).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let (mut tenders, mut at_half, mut at_eight) = (0, 0, 0);
    for (piece, area) in &pieces {
        let found = best(*area).map_or(0.0, |found| found.0);
        if piece["type"] == "tender" {
            tenders += 1;
            at_half += usize::from(found >= 0.5);
            at_eight += usize::from(found >= 0.8);
        }
        if found < 0.8 {
            println!("  {} {} {}: IoU {found:.2} {area:.3?}", piece["id"], piece["kind"], piece["border"]);
        }
    }
    let right =
        clips.iter().filter(|clip| pieces.iter().any(|(_, area)| overlap(*area, clip.area) >= 0.8)).count();
    println!(
        "{}: tenders {tenders}, found at .5 {at_half}, at .8 {at_eight}; clips {}, right at .8 {right}; \
         open {:.2} s, layout {:.2} s",
        path.display(),
        clips.len(),
        opened.as_secs_f64(),
        laid_out.as_secs_f64()
    );
    if let Some(folder) = picture {
        draw(&page, &clips, &format!("{folder}/{}.png", path.file_stem().unwrap().to_string_lossy()));
    }
    if read {
        let readers = Readers::new().unwrap();
        let start = Instant::now();
        let mut rates: Vec<(f64, String, String)> = pieces
            .par_iter()
            .filter(|(piece, _)| piece["type"] == "tender")
            .filter_map(|(piece, area)| {
                let (share, clip) = best(*area)?;
                let started = Instant::now();
                let text = readers.read(&page, clip).unwrap();
                let wanted = piece["text"].as_str().unwrap();
                let got = text.as_ref().map(ingest::read::ClipText::text).unwrap_or_default();
                let rate = error_rate(wanted, &got);
                let how = text.map_or(String::new(), |text| {
                    format!("{} {:.2} {}", text.reader, text.confidence, text.language.as_str())
                });
                let line = format!(
                    "{} {} {} IoU {share:.2} CER {rate:.4} {how} {:.1} s",
                    piece["id"],
                    piece["lang"],
                    piece["kind"],
                    started.elapsed().as_secs_f64()
                );
                if let Some(folder) = picture.filter(|_| rate > 0.05) {
                    clip.image(&page)
                        .save(format!(
                            "{folder}/{}-{}.png",
                            path.file_name().unwrap().to_string_lossy(),
                            piece["id"].as_str().unwrap()
                        ))
                        .unwrap();
                }
                (share >= 0.5).then_some((
                    rate,
                    piece["lang"].as_str().unwrap().to_owned(),
                    format!("{line}\n{got}\n"),
                ))
            })
            .collect();
        rates.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(folder) = picture {
            let all: String = rates.iter().map(|rate| rate.2.clone() + "\n=====\n").collect();
            std::fs::write(format!("{folder}/{}.txt", path.file_name().unwrap().to_string_lossy()), all)
                .unwrap();
        }
        for language in ["en", "si", "ta"] {
            let of: Vec<f64> = rates.iter().filter(|rate| rate.1 == language).map(|rate| rate.0).collect();
            if !of.is_empty() {
                println!(
                    "  {language}: {} clips, CER median {:.4}, mean {:.4}",
                    of.len(),
                    of[of.len() / 2],
                    of.iter().sum::<f64>() / of.len() as f64
                );
            }
        }
        for rate in rates.iter().rev().take(4) {
            println!("  worst: {}", rate.2.lines().next().unwrap_or_default());
        }
        println!("  read in {:.1} s (wall)", start.elapsed().as_secs_f64());
    }
}

fn piece_box(piece: &Value, size: &Value) -> [f64; 4] {
    let corners: Vec<[f64; 2]> = serde_json::from_value(piece["quad_px"].clone()).unwrap();
    let size: [f64; 2] = serde_json::from_value(size.clone()).unwrap();
    let bound = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
        corners.iter().map(|corner| corner[axis] / size[axis]).fold(start, pick)
    };
    let (left, top) = (bound(0, 9.0, f64::min), bound(1, 9.0, f64::min));
    [left, top, bound(0, 0.0, f64::max) - left, bound(1, 0.0, f64::max) - top]
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> f64 {
    let side =
        |axis: usize| ((a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis])).max(0.0);
    let both = side(0) * side(1);
    both / (a[2] * a[3] + b[2] * b[3] - both)
}

/// Levenshtein distance over the truth's length, white space counted as one blank.
fn error_rate(wanted: &str, got: &str) -> f64 {
    let plain =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect::<Vec<char>>();
    let (wanted, got) = (plain(wanted), plain(got));
    let mut row: Vec<usize> = (0..=got.len()).collect();
    for (i, letter) in wanted.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for j in 0..got.len() {
            let change = corner + usize::from(*letter != got[j]);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[got.len()] as f64 / wanted.len().max(1) as f64
}

fn draw(page: &page::Page, clips: &[Clip], name: &str) {
    let mut small = image::imageops::resize(
        &page.image,
        page.image.width() / 5,
        page.image.height() / 5,
        image::imageops::FilterType::Triangle,
    );
    let (width, height) = (f64::from(small.width()), f64::from(small.height()));
    for clip in clips {
        for side in 0..4 {
            let (from, to) = (clip.corners[side], clip.corners[(side + 1) % 4]);
            for step in 0..2000 {
                let at = |axis: usize, scale: f64| {
                    ((from[axis] + (to[axis] - from[axis]) * f64::from(step) / 2000.0) * scale) as u32
                };
                let (x, y) = (at(0, width).min(small.width() - 2), at(1, height).min(small.height() - 2));
                small.put_pixel(x, y, image::Luma([if clip.framed { 0 } else { 90 }]));
                small.put_pixel(x + 1, y + 1, image::Luma([if clip.framed { 0 } else { 90 }]));
            }
        }
    }
    small.save(name).unwrap();
}
