//! One page from pixels to notices: find the clips, read them, extract. What is written where is not known here.

use super::{BatchError, find::PageSource, store::key};
use crate::{
    extract::{Extracted, Printed, Reason, extract},
    layout::{self, Clip},
    markdown,
    page::Page,
    read::{ClipText, ReadError, Reader, ReaderName},
};
use image::{GrayImage, codecs::jpeg::JpegEncoder, imageops};
use index::{
    tender::{PageBox, Source, Tender},
    vocabulary::{Language, TenderStatus},
};
use rayon::prelude::*;
use std::{collections::BTreeMap, time::Instant};

/// A clip is kept no wider than this: it is looked at, not read again.
const CLIP_WIDTH: u32 = 760;
const CLIP_QUALITY: u8 = 50;
/// Optical recognition of Sinhala and Tamil is not good enough to be trusted unseen.
const UNTRUSTED: f64 = 0.55;

/// A notice of a page, ready to be written.
pub(super) struct ReadNotice {
    pub(super) key: String,
    pub(super) tender: Tender,
    pub(super) file: String,
    pub(super) clip: Vec<u8>,
}

/// All that was found on a page.
pub(super) struct ReadPage {
    pub(super) notices: Vec<ReadNotice>,
    pub(super) rejected: Vec<(PageBox, Reason)>,
    pub(super) seconds: BTreeMap<&'static str, f64>,
}

/// What a clip came to, and the seconds of reading and extracting.
struct ReadClip {
    outcome: Result<ReadNotice, (PageBox, Reason)>,
    reading: f64,
    extracting: f64,
    picturing: f64,
}

/// Reads a page. Clips are read side by side on the current pool.
pub(super) fn read_page(
    source: &PageSource,
    page: &Page,
    reader: &dyn Reader,
) -> Result<ReadPage, BatchError> {
    let started = Instant::now();
    let clips = layout::clips(page);
    let laid_out = started.elapsed().as_secs_f64();
    let read: Result<Vec<ReadClip>, BatchError> =
        clips.par_iter().map(|clip| read_clip(source, page, clip, reader)).collect();
    let read = read?;
    let seconds = BTreeMap::from([
        ("clips", laid_out),
        ("read", read.iter().map(|clip| clip.reading).sum()),
        ("extract", read.iter().map(|clip| clip.extracting).sum()),
        ("picture", read.iter().map(|clip| clip.picturing).sum()),
    ]);
    let (mut notices, mut rejected) = (Vec::new(), Vec::new());
    for clip in read {
        match clip.outcome {
            Ok(notice) => notices.push(notice),
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
) -> Result<ReadClip, BatchError> {
    let started = Instant::now();
    let unread =
        |error: ReadError| BatchError::Read { file: source.file.clone(), page: page.number, source: error };
    let text = reader.read(page, clip).map_err(unread)?;
    let reading = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let area = clip.area.map(|part| (part * 10_000.0).round() / 10_000.0);
    let extracted = text.as_ref().map_or(Extracted::Rejected(Reason::Empty), |text| {
        extract(&Printed::of(text), source.date, legibility(text))
    });
    let extracting = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let outcome = match (extracted, &text) {
        (Extracted::Notice(tender), Some(text)) => {
            let tender = complete(*tender, source, page, area, text);
            let file = markdown::write(&tender).map_err(BatchError::Markdown)?;
            let clip = picture(clip.image(page)).map_err(BatchError::Picture)?;
            Ok(ReadNotice { key: key(&page.hash, page.number, area), tender, file, clip })
        }
        (Extracted::Rejected(reason), _) => Err((area, reason)),
        (Extracted::Notice(_), None) => Err((area, Reason::Empty)),
    };
    Ok(ReadClip { outcome, reading, extracting, picturing: started.elapsed().as_secs_f64() })
}

/// How far the text can be trusted.
fn legibility(text: &ClipText) -> f64 {
    match (text.reader, text.language) {
        (ReaderName::Tesseract, Language::Sinhala | Language::Tamil) => text.confidence.min(UNTRUSTED),
        _ => text.confidence,
    }
}

/// What the page itself says of its notices. The file tells of the tender that a notice is once it is published; whether
/// it may be is not said there.
fn complete(mut tender: Tender, source: &PageSource, page: &Page, area: PageBox, text: &ClipText) -> Tender {
    for evidence in tender.evidence.values_mut() {
        evidence.area = evidence.area.map(|area| area.map(|part| (part * 10_000.0).round() / 10_000.0));
    }
    tender.status = TenderStatus::Published;
    tender.full_text_markdown = markdown::body(text);
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
    tender
}

/// A compact grey JPEG.
fn picture(image: GrayImage) -> Result<Vec<u8>, image::ImageError> {
    let image = match image.width() {
        width if width > CLIP_WIDTH => {
            let height = (u64::from(image.height()) * u64::from(CLIP_WIDTH) / u64::from(width)).max(1) as u32;
            imageops::resize(&image, CLIP_WIDTH, height, imageops::FilterType::Triangle)
        }
        _ => image,
    };
    let mut bytes = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, CLIP_QUALITY))?;
    Ok(bytes)
}
