//! Evaluation: reads pages as a batch does and compares them with their ground truth. Nothing is
//! written, except images and cached words if requested.

mod ground_truth;
mod ocr_cache;
mod overlay;
mod score;
mod score_table;

pub use ground_truth::{Fields, GROUND_TRUTH_SUFFIX, GroundTruth, TruthError, TruthRegion};
pub use score::{
    FieldScore, LOOSE_IOU, PublishedScore, ReadClip, STRICT_IOU, Scores, letter_errors, overlap,
};

use ocr_cache::{CachedPage, OcrCache};

use crate::{
    base::{Word, memory::peak_memory_mib},
    batch::{BatchError, Issue, PageSource, find_pages},
    extract::{Extracted, Gazetteer, Printed, extract_with_gazetteer},
    layout::{self, Clip},
    ocr::{ClipText, OcrError, ReadError, ReadPage, Readers, Tesseract, read_page},
    page::{self, Page, PageError},
};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// What to evaluate.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folders and files of pages.
    pub batches: Vec<PathBuf>,
    /// The folder of the ground truth.
    pub truth: PathBuf,
    /// The folder for an image of each page. `None` writes no images.
    pub pictures: Option<PathBuf>,
    /// Whether to evaluate Tesseract alone on the whole page as well.
    pub alone: bool,
    /// The folder of cached words. A page with cached words is not recognised again, unless images
    /// or Tesseract alone are requested. Delete the folder when layout or OCR has changed.
    pub keep_words: Option<PathBuf>,
    /// The number of threads.
    pub jobs: usize,
    /// The gazetteer of the rules.
    pub gazetteer: Gazetteer,
}

/// The results of an evaluation.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The scores by group: the part of the page name after the last `_` (`p1_d2` is in `d2`), or
    /// the file extension.
    pub groups: BTreeMap<String, Scores>,
    /// Pages that could not be evaluated, with reasons.
    pub failed: Vec<String>,
    /// The peak memory in MiB, without subprocesses.
    pub peak_memory_mib: Option<u64>,
}

/// Why a page could not be evaluated.
#[derive(Debug, thiserror::Error)]
enum EvalError {
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("{0}")]
    Read(#[from] ReadError),
    #[error("{0}")]
    Ocr(#[from] OcrError),
    #[error("{}: the image cannot be written ({reason})", path.display())]
    Picture { path: PathBuf, reason: String },
    #[error(transparent)]
    OcrCache(#[from] ocr_cache::OcrCacheError),
}

impl Evaluation {
    /// The scores of all groups.
    #[must_use]
    pub fn all(&self) -> Scores {
        let mut all = Scores::default();
        self.groups.values().for_each(|scores| all.add(scores));
        all
    }
}

/// Evaluates the pages that have ground truth. `on_file_done` is called after each file.
///
/// # Errors
/// If the batch does not exist or no reader is available. A failed page is listed in the
/// evaluation.
pub fn run(options: &Options, on_file_done: &dyn Fn(&str)) -> Result<Evaluation, BatchError> {
    let sources = find_pages(&options.batches, &Issue::default(), None)?.complete()?.sources;
    let (readers, tesseract) = (Readers::new()?, Tesseract::new()?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.max(1)).build();
    let pool = pool.map_err(|error| BatchError::Threads(error.to_string()))?;
    if let Some(folder) = &options.pictures {
        fs::create_dir_all(folder).map_err(|source| BatchError::Out { path: folder.clone(), source })?;
    }
    let mut evaluation = Evaluation::default();
    for source in &sources {
        match GroundTruth::of_pages(&source.path, &options.truth) {
            Ok(pages) => {
                for (number, truth) in pages {
                    let scores =
                        pool.install(|| evaluate(source, number, truth, options, &readers, &tesseract));
                    match scores {
                        Ok(scores) => evaluation.groups.entry(group(&source.path)).or_default().add(&scores),
                        Err(error) => evaluation.failed.push(error.to_string()),
                    }
                }
            }
            Err(error) => evaluation.failed.push(error.to_string()),
        }
        on_file_done(&source.file);
    }
    evaluation.peak_memory_mib = peak_memory_mib();
    Ok(evaluation)
}

fn evaluate(
    source: &PageSource,
    number: u32,
    truth: GroundTruth,
    options: &Options,
    readers: &Readers,
    tesseract: &Tesseract,
) -> Result<Scores, EvalError> {
    let before = CpuSeconds::now();
    let cache =
        options.keep_words.as_deref().map(|folder| OcrCache::of(folder, &source.path, number)).transpose()?;
    let needs_page = options.alone || options.pictures.is_some();
    if let Some(words) = cache.as_ref().filter(|_| !needs_page).map(OcrCache::read).transpose()?.flatten() {
        return Ok(score_page(&words, truth, source, &options.gazetteer, before).0);
    }
    let page = page::open(&source.path)?.page(number)?;
    let ReadPage { page, clips, texts } = read_page(&page, readers, layout::clips)?;
    let words = CachedPage { placement: page.placement, clips, texts };
    if let Some(cache) = &cache {
        cache.write(&words)?;
    }
    let (mut scores, regions, blocks) = score_page(&words, truth, source, &options.gazetteer, before);
    if options.alone {
        score_tesseract_alone(&page, &regions, tesseract, &mut scores)?;
    }
    if let Some(folder) = &options.pictures {
        let name = source.file.replace(['/', '\\'], "-");
        let name = if number == 1 { name } else { format!("{name}.{number}") };
        let path = folder.join(format!("{name}.png"));
        let picture = overlay::draw(&page, &regions, &blocks);
        picture.save(&path).map_err(|error| EvalError::Picture { path, reason: error.to_string() })?;
    }
    Ok(scores)
}

/// Extracts the fields from the words of a page and scores them. `before` is the CPU time before
/// the page was read. Also returns the regions and the clips.
fn score_page(
    words: &CachedPage,
    truth: GroundTruth,
    source: &PageSource,
    gazetteer: &Gazetteer,
    before: CpuSeconds,
) -> (Scores, Vec<TruthRegion>, Vec<ReadClip>) {
    let is_complete = truth.is_complete;
    let regions: Vec<TruthRegion> =
        truth.regions.into_iter().map(|region| region.placed(&words.placement)).collect();
    let clips = words.clips.par_iter().zip(&words.texts);
    let mut blocks: Vec<ReadClip> =
        clips.map(|(clip, text)| read_block(clip, text.as_ref(), source, gazetteer)).collect();
    if !is_complete {
        // Nobody knows what is printed elsewhere on the page.
        let is_known = |block: &ReadClip| regions.iter().any(|region| overlap(region.area, block.area) > 0.0);
        blocks.retain(is_known);
    }
    let used = CpuSeconds::now().since(before);
    let mut scores =
        Scores { recognition_seconds: used.programs, other_seconds: used.own, ..Scores::default() };
    scores.add_page(&regions, &blocks);
    scores.messages_mut().for_each(|message| *message = format!("{}, {message}", source.file));
    (scores, regions, blocks)
}

fn read_block(clip: &Clip, text: Option<&ClipText>, source: &PageSource, gazetteer: &Gazetteer) -> ReadClip {
    let read = |text| extract_with_gazetteer(gazetteer, &Printed::of(text), source.date, text.confidence);
    let tender = text.map(read).and_then(|extracted| match extracted {
        Extracted::Notice(tender) => Some(tender),
        Extracted::Rejected(_) => None,
    });
    ReadClip { area: clip.area, text: text.map(ClipText::text).unwrap_or_default(), tender }
}

/// Scores Tesseract alone. The text of a notice is the words within its box, in the order in which
/// Tesseract returns them.
fn score_tesseract_alone(
    page: &Page,
    regions: &[TruthRegion],
    tesseract: &Tesseract,
    scores: &mut Scores,
) -> Result<(), OcrError> {
    let words = tesseract.read_whole_page(page)?;
    for region in regions.iter().filter(|region| region.is_notice && !region.text.is_empty()) {
        let [left, top, width, height] = region.area;
        let is_inside = |word: &&Word| {
            let [x, y, wide, high] = word.area;
            let (x, y) = (x + wide / 2.0 - left, y + high / 2.0 - top);
            (0.0..=width).contains(&x) && (0.0..=height).contains(&y)
        };
        let read: Vec<&str> = words.iter().filter(is_inside).map(|word| word.text.as_str()).collect();
        let errors = scores.letter_errors_alone.entry(region.language.clone()).or_default();
        errors.push(letter_errors(&region.text, &read.join(" ")));
    }
    Ok(())
}

/// The group of a page: the part of its name after the last `_`, or the file extension.
#[must_use]
pub fn group(path: &Path) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = part(path.file_stem());
    stem.rsplit_once('_').map_or_else(|| part(path.extension()), |(_, group)| group.to_owned())
}

/// The CPU time used so far, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct CpuSeconds {
    /// The time of this process.
    own: f64,
    /// The time of finished subprocesses.
    programs: f64,
}

impl CpuSeconds {
    /// The current CPU time; zero if the system does not report it.
    fn now() -> Self {
        fs::read_to_string("/proc/self/stat").and_then(|text| Self::read(&text)).unwrap_or_default()
    }

    fn read(text: &str) -> io::Result<Self> {
        /// The clock ticks per second on Linux.
        const TICKS_PER_SECOND: f64 = 100.0;
        // The program name in parentheses may contain anything.
        let fields = text.rsplit_once(')').map_or(text, |(_, fields)| fields);
        let ticks = |at: usize| {
            let field = fields.split_whitespace().nth(at).and_then(|field| field.parse::<f64>().ok());
            field.ok_or_else(|| io::Error::other("an unexpected format"))
        };
        Ok(Self {
            own: (ticks(11)? + ticks(12)?) / TICKS_PER_SECOND,
            programs: (ticks(13)? + ticks(14)?) / TICKS_PER_SECOND,
        })
    }

    fn since(self, before: Self) -> Self {
        Self { own: self.own - before.own, programs: self.programs - before.programs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_name_gives_its_group() {
        assert_eq!(group(Path::new("a/p1_d2.jpg")), "d2");
        assert_eq!(group(Path::new("a/p1.pdf")), "pdf");
    }

    #[test]
    fn cpu_time_is_parsed_after_the_program_name() {
        let line = "7 (a) b) S 1 7 7 0 -1 4194304 9 0 0 0 150 50 300 25 20 0 1 0 5 1 1";
        let read = CpuSeconds::read(line).unwrap();
        assert_eq!((read.own, read.programs), (2.0, 3.25));
        assert!(CpuSeconds::read("rubbish").is_err());
        assert!(CpuSeconds::now().own >= 0.0);
    }
}
