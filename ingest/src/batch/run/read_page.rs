//! Reads a page: finds its clips, recognises them and extracts the notices. Nothing is written
//! here.

use super::extractor::{Extractor, NoticeDraft, embedded_extractor};
use crate::{
    base::jpeg::JpegLimits,
    batch::{
        BatchError, PageSource,
        output::{
            page_reading::{ReadNotice, ReadPage},
            record::key,
        },
    },
    extract::{
        Extracted, Gazetteer, HEADER_HEIGHT, PageHeader, Printed, RejectionReason, extract_confirmed,
        extract_with_gazetteer, find_page_header, notice_words,
    },
    layout::{self, Clip},
    llm::Prompt,
    markdown,
    ocr::{self, ClipText, ReadError, Reader},
    page::Page,
};
use rayon::{ThreadPool, prelude::*};
use std::{collections::BTreeMap, time::Instant};
use tender_model::{
    page_reading::{BoxDecision, DecidedBox, is_same_box},
    tender::{PageBox, Source},
    vocabulary::TenderStatus,
};

/// The limits of a stored clip. The image is small, because it is for viewing only.
const CLIP_LIMITS: JpegLimits = JpegLimits { width: 760, sides: u32::MAX, pixels: u32::MAX, quality: 50 };
/// The limits of the picture of a page.
const PICTURE_LIMITS: JpegLimits = JpegLimits { width: u32::MAX, sides: 1600, pixels: u32::MAX, quality: 60 };
/// A page header with a lower confidence is ignored.
const MIN_HEADER_CONFIDENCE: f64 = 0.6;

/// The result of a clip, and how many seconds its extraction and its encoding took.
struct ReadClip {
    outcome: Result<NoticeDraft, (PageBox, RejectionReason)>,
    seconds: [f64; 2],
}

/// The rectangles of a page about which people have decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DecidedBoxes {
    /// Those that are read as notices.
    pub(crate) notices: Vec<PageBox>,
    /// Those that are not read.
    pub(crate) dismissed: Vec<PageBox>,
}

impl DecidedBoxes {
    pub(crate) fn of(boxes: &[DecidedBox]) -> Self {
        let with = |decision| {
            boxes.iter().filter(move |decided| decided.decision == decision).map(|decided| decided.area)
        };
        Self {
            notices: with(BoxDecision::Notice).collect(),
            dismissed: with(BoxDecision::Dismissed).collect(),
        }
    }

    /// Replaces the found clips at these rectangles. The drawn clips are the last ones.
    fn apply(&self, mut clips: Vec<Clip>) -> Vec<Clip> {
        let decided: Vec<PageBox> = self.notices.iter().chain(&self.dismissed).copied().collect();
        clips.retain(|clip| !decided.iter().any(|area| is_same_box(*area, clip.area)));
        clips.extend(self.notices.iter().map(|area| Clip::upright(*area)));
        clips
    }
}

/// Whether a clip is a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClipOrigin {
    /// The layout found it. The rules decide whether it is a notice.
    Found,
    /// A person has drawn it, because it is a notice.
    Drawn,
}

/// Reads a page. Clips are read in parallel on `pool`. A model is awaited outside the pool, so that
/// other pages continue. If a portal shows the page, `shown` contains its decided boxes, and the
/// result has a picture of the page.
pub(crate) fn read_page(
    source: &PageSource,
    page: &Page,
    reader: &dyn Reader,
    extractor: &Extractor,
    gazetteer: &Gazetteer,
    pool: &ThreadPool,
    shown: Option<&DecidedBoxes>,
) -> Result<ReadPage, BatchError> {
    let boxes = shown.cloned().unwrap_or_default();
    let mut clock = Instant::now();
    let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
    let unread =
        |error: ReadError| BatchError::Read { file: source.file.clone(), page: page.number, source: error };
    let mut laid_out = 0.0;
    let read = pool.install(|| {
        ocr::read_page(page, reader, |page| {
            lap();
            let mut clips = boxes.apply(layout::clips(page));
            // The header is read together with the clips. A separate reading would take as long as
            // a notice.
            clips.push(Clip::upright([0.0, 0.0, 1.0, HEADER_HEIGHT]));
            laid_out += lap();
            clips
        })
    });
    let ocr::ReadPage { page, mut clips, mut texts } = read.map_err(unread)?;
    let page = &*page;
    clips.pop();
    let head = texts.pop().flatten().and_then(|text| find_page_header([&text]));
    let remark = head.as_ref().and_then(|head| issue_contradiction(source, head, page.number));
    let source = &complete_issue(source, head);
    let reading = lap();
    let with_prompt = extractor.model().is_some();
    let read: Result<Vec<ReadClip>, BatchError> = pool.install(|| {
        let first_drawn = clips.len() - boxes.notices.len();
        let clips = clips.par_iter().zip(texts).enumerate();
        clips
            .map(|(nth, (clip, text))| {
                let origin = if nth < first_drawn { ClipOrigin::Found } else { ClipOrigin::Drawn };
                read_clip(source, page, (clip, origin), text, gazetteer, with_prompt)
            })
            .collect()
    });
    let mut read = read?;
    lap();
    let mut drafts: Vec<&mut NoticeDraft> =
        read.iter_mut().filter_map(|clip| clip.outcome.as_mut().ok()).collect();
    extractor.read_with_model(&mut drafts, gazetteer, source.date);
    let asked = lap();
    let sum = |stage: usize| read.iter().map(|clip| clip.seconds[stage]).sum();
    let mut seconds =
        BTreeMap::from([("clips", laid_out), ("read", reading), ("extract", sum(0)), ("picture", sum(1))]);
    if with_prompt {
        seconds.insert("model", asked);
    }
    let picture = shown.map(|_| PICTURE_LIMITS.jpeg(&page.image)).transpose();
    let picture = picture.map_err(BatchError::ClipEncoding)?;
    let (mut notices, mut rejected) = (Vec::new(), Vec::new());
    for clip in read {
        match clip.outcome {
            Ok(draft) => notices.push(finish_notice(draft, source, page, gazetteer)),
            Err(block) => rejected.push(block),
        }
    }
    Ok(ReadPage {
        notices,
        rejected,
        seconds,
        remark,
        publication: source.publication.clone(),
        date: source.date,
        picture,
    })
}

fn read_clip(
    source: &PageSource,
    page: &Page,
    (clip, origin): (&Clip, ClipOrigin),
    text: Option<ClipText>,
    gazetteer: &Gazetteer,
    with_prompt: bool,
) -> Result<ReadClip, BatchError> {
    let mut clock = Instant::now();
    let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
    let area = clip.area.map(|part| (part * 10_000.0).round() / 10_000.0);
    let rejected = |reason| Err((area, reason));
    let Some(text) = text else {
        return Ok(ReadClip { outcome: rejected(RejectionReason::Empty), seconds: [0.0; 2] });
    };
    let (printed, legibility) = (Printed::of(&text), text.confidence);
    let extract = match origin {
        ClipOrigin::Found => extract_with_gazetteer,
        ClipOrigin::Drawn => extract_confirmed,
    };
    let extracted = extract(gazetteer, &printed, source.date, legibility);
    let extracting = lap();
    let outcome = match extracted {
        Extracted::Notice(tender) => {
            let image = clip.image(page);
            let clip = CLIP_LIMITS.jpeg(&image).map_err(BatchError::ClipEncoding)?;
            let prompt = with_prompt.then(|| Prompt::new(&printed, &image)).transpose();
            let prompt = prompt.map_err(BatchError::ClipEncoding)?;
            let (tender, extractor) = (*tender, embedded_extractor());
            let is_drawn = origin == ClipOrigin::Drawn;
            Ok(NoticeDraft { tender, printed, legibility, prompt, extractor, text, area, is_drawn, clip })
        }
        Extracted::Rejected(reason) => rejected(reason),
    };
    Ok(ReadClip { outcome, seconds: [extracting, lap()] })
}

/// Completes a partly unknown issue from the page header.
fn complete_issue(source: &PageSource, head: Option<PageHeader>) -> PageSource {
    let mut source = source.clone();
    if let Some(head) = head.filter(|head| head.confidence >= MIN_HEADER_CONFIDENCE) {
        source.date = source.date.or(Some(head.date));
        if source.publication.is_empty() {
            source.publication = head.publication;
        }
    }
    source
}

/// A remark if the page header contradicts the issue that the operator, the folders or the file
/// name gave.
fn issue_contradiction(source: &PageSource, head: &PageHeader, page: u32) -> Option<String> {
    let said = format!("{} {}", head.publication, head.date);
    let known = source.date.map(|date| date.to_string()).unwrap_or_default();
    let known = format!("{} {known}", source.publication);
    let is_other_date = source.date.is_some_and(|date| date != head.date);
    let plain = |name: &str| name.to_lowercase().trim_start_matches("the ").to_owned();
    let is_other_paper = !source.publication.is_empty()
        && !head.publication.is_empty()
        && plain(&source.publication) != plain(&head.publication);
    (head.confidence >= MIN_HEADER_CONFIDENCE && (is_other_date || is_other_paper)).then(|| {
        format!(
            "{}, page {page}: its header says `{}`, but it was read as `{}`; if the header is right, give --publication or --date",
            source.file,
            said.trim(),
            known.trim()
        )
    })
}

/// Adds the text, the source and the status to a notice. The status is always `Published`; the
/// publication rule decides separately whether the notice is published.
fn finish_notice(draft: NoticeDraft, source: &PageSource, page: &Page, gazetteer: &Gazetteer) -> ReadNotice {
    let NoticeDraft { mut tender, printed, area, is_drawn, clip, extractor, text, .. } = draft;
    let others = tender.other_readings.values_mut().flatten().filter_map(|other| other.evidence.as_mut());
    for evidence in tender.evidence.values_mut().chain(others) {
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
    let words = notice_words(&printed, source.date);
    ReadNotice { key: key(&page.hash, page.number, area), tender, words, clip, is_drawn, extractor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_clips_give_way_to_decided_boxes() {
        let boxes = DecidedBoxes::of(&[
            DecidedBox { area: [0.1, 0.1, 0.4, 0.2], decision: BoxDecision::Notice },
            DecidedBox { area: [0.6, 0.6, 0.3, 0.3], decision: BoxDecision::Dismissed },
        ]);
        let found =
            [[0.1, 0.1, 0.2, 0.2], [0.1, 0.25, 0.4, 0.4], [0.6, 0.61, 0.3, 0.3], [0.1, 0.7, 0.2, 0.2]];
        let clips = boxes.apply(found.map(Clip::upright).to_vec());
        let areas: Vec<PageBox> =
            clips.iter().map(|clip| clip.area.map(|part| (part * 100.0).round() / 100.0)).collect();
        assert_eq!(areas, [[0.1, 0.25, 0.4, 0.4], [0.1, 0.7, 0.2, 0.2], [0.1, 0.1, 0.4, 0.2]]);
    }
}
