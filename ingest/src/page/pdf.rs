//! Born-digital pages: drawn in this process, by poppler where that fails, and their words by poppler's `pdftotext`.
//! Whether the words can be trusted is judged where clips are read, not here.

use super::{Fault, MAX_PAGES, MAX_PIXELS, PDF_DPI, picture};
use crate::command::{self, CommandError};
use crate::read::Word;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::GrayImage;
use regex::Regex;
use std::panic::{self, AssertUnwindSafe};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// Points (the unit of a PDF's lengths) in an inch.
const POINTS: f64 = 72.0;
/// How long poppler may take for one page.
const TIME: Duration = Duration::from_secs(60);
/// How much text a page may carry, as poppler writes it.
const TEXT_BYTES: u64 = 32 * 1024 * 1024;
/// The longest side poppler draws: its square is no more than [`MAX_PIXELS`].
const MAX_SIDE: u32 = 12_000;
/// How many words of a page are taken: a broadsheet carries about five thousand.
const MAX_WORDS: usize = 100_000;

/// How many pages the PDF has.
pub(super) fn count(bytes: &[u8]) -> Result<u32, Fault> {
    guarded(|| {
        let pages = load(bytes)?.pages().len();
        match u32::try_from(pages) {
            Ok(0) => Err(Fault::Unreadable("it has no pages".to_owned())),
            Ok(pages) if pages <= MAX_PAGES => Ok(pages),
            _ => Err(Fault::TooManyPages(pages as u64)),
        }
    })
}

/// The page drawn at [`PDF_DPI`].
pub(super) fn draw(bytes: &[u8], number: u32) -> Result<GrayImage, Fault> {
    let drawn = guarded(|| {
        let pdf = load(bytes)?;
        let page = pdf.pages().get(number as usize - 1).ok_or(Fault::Truncated)?;
        let scale = PDF_DPI / POINTS;
        let (width, height) = page.render_dimensions();
        let [width, height] = [width, height].map(|side| (f64::from(side) * scale).max(0.0) as u64);
        if width * height > MAX_PIXELS || width.max(height) > u64::from(u16::MAX) {
            return Err(Fault::TooLarge { width, height });
        }
        if width * height == 0 {
            return Err(Fault::Unreadable("it has no area".to_owned()));
        }
        let settings = PixmapSettings { x_scale: scale as f32, y_scale: scale as f32, bg_color: WHITE };
        let interpreter = InterpreterSettings::default();
        let pixels = render(page, &RenderCache::new(), &interpreter, &RenderSettings::default(), &settings);
        let (width, height) = (u32::from(pixels.width()), u32::from(pixels.height()));
        let gray = pixels.data().iter().map(|pixel| {
            ((u32::from(pixel.r) * 2126 + u32::from(pixel.g) * 7152 + u32::from(pixel.b) * 722 + 5000)
                / 10_000) as u8
        });
        GrayImage::from_raw(width, height, gray.collect())
            .ok_or_else(|| Fault::Unreadable("no picture".to_owned()))
    });
    match drawn {
        Err(Fault::Unreadable(reason)) => draw_by_poppler(bytes, number).map_err(|second| match second {
            Fault::Unreadable(second) => Fault::Unreadable(format!("{reason}; {second}")),
            second => second,
        }),
        drawn => drawn,
    }
}

/// The page drawn by `pdftoppm`, where the first way failed.
fn draw_by_poppler(bytes: &[u8], number: u32) -> Result<GrayImage, Fault> {
    let page = number.to_string();
    let mut program = Command::new("pdftoppm");
    // The crop is bounded, so that a forged page size cannot ask for any amount of memory.
    let side = MAX_SIDE.to_string();
    program.args(["-png", "-gray", "-cropbox", "-r", &PDF_DPI.to_string(), "-f", &page, "-l", &page]);
    program.args(["-x", "0", "-y", "0", "-W", &side, "-H", &side, "-"]);
    let picture = ask(&mut program, bytes, MAX_PIXELS)?;
    picture::decode(&picture, image::ImageFormat::Png, 1).map(|(image, _)| image)
}

/// The words the page carries, `None` where it carries none. `size` is that of the drawn page.
pub(super) fn words(bytes: &[u8], number: u32, size: (u32, u32)) -> Result<Option<Vec<Word>>, Fault> {
    let page = number.to_string();
    let mut program = Command::new("pdftotext");
    program.args(["-bbox", "-cropbox", "-f", &page, "-l", &page, "-enc", "UTF-8", "-", "-"]);
    let answer = ask(&mut program, bytes, TEXT_BYTES)?;
    Ok(Some(parse_words(&String::from_utf8_lossy(&answer), size)).filter(|words| !words.is_empty()))
}

/// Runs one of poppler's programs over the PDF.
fn ask(program: &mut Command, bytes: &[u8], limit: u64) -> Result<Vec<u8>, Fault> {
    let name = program.get_program().to_string_lossy().into_owned();
    match command::run(program, bytes, TIME, limit) {
        Ok(answer) if answer.status.success() => Ok(answer.output),
        Ok(answer) => {
            Err(Fault::Unreadable(format!("{name}: {}", answer.complaint.lines().next().unwrap_or("failed"))))
        }
        Err(CommandError::Missing) => Err(Fault::MissingProgram),
        Err(error) => Err(Fault::Unreadable(format!("{name}: {error}"))),
    }
}

/// The words of `pdftotext -bbox`. A page that poppler measures otherwise than it was drawn has none that can be placed.
fn parse_words(answer: &str, (columns, rows): (u32, u32)) -> Vec<Word> {
    let Some([width, height]) = PAGE.captures(answer).and_then(|found| numbers(&found)) else {
        return Vec::new();
    };
    let alike = (width / height) / (f64::from(columns) / f64::from(rows));
    if !(0.98..=1.02).contains(&alike) {
        return Vec::new();
    }
    let word = |found: regex::Captures<'_>| {
        let [left, top, right, bottom] = numbers(&found)?;
        let text = unescape(found.name("text")?.as_str());
        let text = text.trim();
        let area = [left / width, top / height, (right - left) / width, (bottom - top) / height];
        let inside = area[0] > -0.01 && area[1] > -0.01 && area[0] < 1.0 && area[1] < 1.0;
        let sound = inside && area[2] > 0.0 && area[3] > 0.0 && area[2] <= 1.0 && area[3] <= 1.0;
        (sound && !text.is_empty()).then(|| Word { text: text.to_owned(), area, confidence: 1.0 })
    };
    WORD.captures_iter(answer).filter_map(word).take(MAX_WORDS).collect()
}

/// The groups that follow the whole match, as numbers.
fn numbers<const COUNT: usize>(found: &regex::Captures<'_>) -> Option<[f64; COUNT]> {
    let mut numbers = [0.0; COUNT];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = found.get(place + 1)?.as_str().parse().ok().filter(|number: &f64| number.is_finite())?;
    }
    Some(numbers)
}

/// Undoes the escapes that poppler writes.
fn unescape(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    plain.replace("&apos;", "'").replace("&amp;", "&")
}

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and every test of this module compiles them"
)]
static PAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<page width="([0-9.]+)" height="([0-9.]+)">"#).unwrap());
#[expect(clippy::unwrap_used, reason = "as above")]
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    let number = r#"="(-?[0-9.]+)""#;
    Regex::new(&format!("<word xMin{number} yMin{number} xMax{number} yMax{number}>(?<text>[^<]*)</word>"))
        .unwrap()
});

fn load(bytes: &[u8]) -> Result<Pdf, Fault> {
    // A reader that rebuilds a broken table of objects also accepts half a file, so the end mark is looked for first.
    let tail = bytes.get(bytes.len().saturating_sub(4096)..).unwrap_or(bytes);
    if !tail.windows(5).any(|mark| mark == b"%%EOF") {
        return Err(Fault::Truncated);
    }
    Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => Fault::Encrypted,
        LoadPdfError::Invalid => Fault::Unreadable("it is no sound PDF".to_owned()),
    })
}

/// Runs what meets hostile bytes: where it panics, only this page is lost.
fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Fault::Unreadable("its decoder gave up".to_owned())))
}
