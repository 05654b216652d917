//! One page from pixels to notices: find the clips, read them, extract. What is written where is not known here.

use super::{
    BatchError,
    extractor::{Extractor, embedded},
    find::PageSource,
    store::key,
};
use crate::{
    extract::{Extracted, Gazetteer, Printed, Reason, extract_with},
    layout::{self, Clip},
    markdown,
    model::Question,
    page::Page,
    picture::Bounds,
    read::{ClipText, ReadError, Reader, ReaderName},
};
use index::{
    tender::{PageBox, Source, Tender},
    vocabulary::{Language, TenderStatus},
};
use rayon::{ThreadPool, prelude::*};
use std::{collections::BTreeMap, time::Instant};

/// A clip is kept no wider than this: it is looked at, not read again.
const PICTURE: Bounds = Bounds { width: 760, sides: u32::MAX, pixels: u32::MAX, quality: 50 };
/// Optical recognition of Sinhala and Tamil is not good enough to be trusted unseen.
const UNTRUSTED: f64 = 0.55;

/// A notice of a page, ready to be written.
pub(super) struct ReadNotice {
    pub(super) key: String,
    pub(super) tender: Tender,
    pub(super) file: String,
    pub(super) clip: Vec<u8>,
    /// Who read it.
    pub(super) extractor: String,
}

/// A notice as the rules read it, and what is needed to ask a model about it.
pub(super) struct Draft {
    pub(super) tender: Tender,
    pub(super) printed: Printed,
    pub(super) legibility: f64,
    /// For a model; `None` where none is asked.
    pub(super) question: Option<Question>,
    pub(super) extractor: String,
    text: ClipText,
    area: PageBox,
    clip: Vec<u8>,
}

/// All that was found on a page.
pub(super) struct ReadPage {
    pub(super) notices: Vec<ReadNotice>,
    pub(super) rejected: Vec<(PageBox, Reason)>,
    pub(super) seconds: BTreeMap<&'static str, f64>,
}

/// What a clip came to, and the seconds of reading, extracting and drawing it.
struct ReadClip {
    outcome: Result<Draft, (PageBox, Reason)>,
    seconds: [f64; 3],
}

/// Reads a page. Clips are read side by side on `pool`; a model is waited for outside of it, so that other pages go on.
pub(super) fn read_page(
    source: &PageSource,
    page: &Page,
    reader: &dyn Reader,
    extractor: &Extractor,
    gazetteer: &Gazetteer,
    pool: &ThreadPool,
) -> Result<ReadPage, BatchError> {
    let started = Instant::now();
    let clips = pool.install(|| layout::clips(page));
    let laid_out = started.elapsed().as_secs_f64();
    let with_question = extractor.model().is_some();
    let read: Result<Vec<ReadClip>, BatchError> = pool.install(|| {
        clips.par_iter().map(|clip| read_clip(source, page, clip, reader, gazetteer, with_question)).collect()
    });
    let mut read = read?;
    let started = Instant::now();
    let mut drafts: Vec<&mut Draft> = read.iter_mut().filter_map(|clip| clip.outcome.as_mut().ok()).collect();
    extractor.improve(&mut drafts, source.date);
    let asked = started.elapsed().as_secs_f64();
    let sum = |stage: usize| read.iter().map(|clip| clip.seconds[stage]).sum();
    let mut seconds =
        BTreeMap::from([("clips", laid_out), ("read", sum(0)), ("extract", sum(1)), ("picture", sum(2))]);
    if with_question {
        seconds.insert("model", asked);
    }
    let (mut notices, mut rejected) = (Vec::new(), Vec::new());
    for clip in read {
        match clip.outcome {
            Ok(draft) => notices.push(complete(draft, source, page, gazetteer)?),
            Err(block) => rejected.push(block),
        }
    }
    Ok(ReadPage { notices, rejected, seconds })
}

fn read_clip(
    source: &PageSource,
    page: &Page,
    clip: &Clip,
    reader: &dyn Reader,
    gazetteer: &Gazetteer,
    with_question: bool,
) -> Result<ReadClip, BatchError> {
    let mut clock = Instant::now();
    let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
    let unread =
        |error: ReadError| BatchError::Read { file: source.file.clone(), page: page.number, source: error };
    let text = reader.read(page, clip).map_err(unread)?;
    let reading = lap();
    let area = clip.area.map(|part| (part * 10_000.0).round() / 10_000.0);
    let rejected = |reason| Err((area, reason));
    let Some(text) = text else {
        return Ok(ReadClip { outcome: rejected(Reason::Empty), seconds: [reading, 0.0, 0.0] });
    };
    let (printed, legibility) = (Printed::of(&text), legibility(&text));
    let extracted = extract_with(gazetteer, &printed, source.date, legibility);
    let extracting = lap();
    let outcome = match extracted {
        Extracted::Notice(tender) => {
            let image = clip.image(page);
            let clip = PICTURE.jpeg(&image).map_err(BatchError::Picture)?;
            let question = with_question.then(|| Question::new(&printed, &image)).transpose();
            let question = question.map_err(BatchError::Picture)?;
            let (tender, extractor) = (*tender, embedded());
            Ok(Draft { tender, printed, legibility, question, extractor, text, area, clip })
        }
        Extracted::Rejected(reason) => rejected(reason),
    };
    Ok(ReadClip { outcome, seconds: [reading, extracting, lap()] })
}

/// How far the text can be trusted.
pub(crate) fn legibility(text: &ClipText) -> f64 {
    match (text.reader, text.language) {
        (ReaderName::Tesseract, Language::Sinhala | Language::Tamil) => text.confidence.min(UNTRUSTED),
        _ => text.confidence,
    }
}

/// What the page itself says of its notices. The file tells of the tender that a notice is once it is published; whether
/// it may be is not said there.
fn complete(
    draft: Draft,
    source: &PageSource,
    page: &Page,
    gazetteer: &Gazetteer,
) -> Result<ReadNotice, BatchError> {
    let Draft { mut tender, area, clip, extractor, text, .. } = draft;
    for evidence in tender.evidence.values_mut() {
        evidence.area = evidence.area.map(|area| area.map(|part| (part * 10_000.0).round() / 10_000.0));
    }
    tender.status = TenderStatus::Published;
    tender.full_text_markdown = markdown::body(&text, gazetteer);
    let digits = source
        .stem
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| !digits.is_empty())
        .unwrap_or_default();
    tender.source_page = Some(if digits.is_empty() { page.number.to_string() } else { digits.to_owned() });
    tender.sources = vec![Source {
        publication: source.publication.clone(),
        date: source.date,
        file: source.file.clone(),
        page: page.number,
        area,
        clip_url: None,
    }];
    let file = markdown::write(&tender, Some(&extractor)).map_err(BatchError::Markdown)?;
    Ok(ReadNotice { key: key(&page.hash, page.number, area), tender, file, clip, extractor })
}
