//! Measures, renders and reads PDF pages with the Poppler tools. They run as subprocesses with
//! limits, so that a hostile file cannot exhaust the machine and a crash affects one page only.
//! Whether the text layer can be trusted is decided later, by the OCR stage.

use super::{
    error::PageFault,
    limits::{MAX_PAGES, MAX_PIXELS, PDF_DPI},
};
use crate::base::Word;
use crate::command::{self, Bounds, CommandError};
use image::{GrayImage, ImageFormat};
use regex::Regex;
use std::sync::LazyLock;
use std::time::Duration;

/// PDF points per inch.
const POINTS_PER_INCH: f64 = 72.0;
/// The longest side of a page, in pixels.
const MAX_SIDE: u64 = 65_535;
/// The limits for one page. A broadsheet takes half a second and 100 MiB.
const BOUNDS: Bounds = Bounds {
    time: Duration::from_secs(120),
    cpu_time: Duration::from_secs(30),
    memory: 1 << 30,
    output: 32 << 20,
};
/// The most words of a page. A broadsheet has about five thousand.
const MAX_WORDS: usize = 100_000;

/// Counts the pages of a PDF. Refuses a truncated file and a file with no or too many pages.
pub(super) fn count_pages(bytes: &[u8]) -> Result<u32, PageFault> {
    // Poppler rebuilds a broken object table and so accepts half a file. The end marker is
    // therefore checked first.
    let tail = bytes.get(bytes.len().saturating_sub(4096)..).unwrap_or(bytes);
    if !tail.windows(5).any(|mark| mark == b"%%EOF") {
        return Err(PageFault::Truncated);
    }
    let info = run_tool("pdfinfo", &["-"], bytes, BOUNDS)?;
    // The last match is taken, because a title of several lines is printed above the page count
    // and may imitate it.
    let pages = COUNT.captures_iter(&String::from_utf8_lossy(&info)).last().and_then(|found| numbers(&found));
    match pages.map(|[pages]| pages as u64) {
        None | Some(0) => Err(PageFault::Unreadable("it has no pages".to_owned())),
        Some(pages) if pages > u64::from(MAX_PAGES) => Err(PageFault::TooManyPages(pages)),
        Some(pages) => Ok(pages as u32),
    }
}

/// Renders a page at [`PDF_DPI`] as a viewer shows it, and reads its text layer if it has one.
pub(super) fn decode(bytes: &[u8], number: u32) -> Result<(GrayImage, Option<Vec<Word>>), PageFault> {
    decode_within(bytes, number, BOUNDS)
}

fn decode_within(
    bytes: &[u8],
    number: u32,
    bounds: Bounds,
) -> Result<(GrayImage, Option<Vec<Word>>), PageFault> {
    let page = number.to_string();
    let only = ["-f", &page, "-l", &page];
    let info = run_tool("pdfinfo", &[&only[..], &["-box", "-"]].concat(), bytes, bounds)?;
    let points = page_size(&String::from_utf8_lossy(&info), &page)
        .ok_or_else(|| PageFault::Unreadable("it has no size".to_owned()))?;
    let [width, height] = points.map(|side| (side * PDF_DPI / POINTS_PER_INCH).ceil().max(0.0) as u64);
    let pixels = width.saturating_mul(height);
    if pixels > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(PageFault::TooLarge { width, height });
    }
    if pixels == 0 {
        return Err(PageFault::Unreadable("it has no area".to_owned()));
    }
    let resolution = PDF_DPI.to_string();
    let drawing = [&only[..], &["-gray", "-cropbox", "-r", &resolution, "-"]].concat();
    // One byte per pixel, one extra row and column for rounding, and a header.
    let output = pixels + width + height + 1024;
    let picture = run_tool("pdftoppm", &drawing, bytes, Bounds { output, ..bounds })?;
    let picture = image::load_from_memory_with_format(&picture, ImageFormat::Pnm)
        .map_err(|error| PageFault::Unreadable(format!("pdftoppm produced no image: {error}")))?
        .into_luma8();
    let reading = [&only[..], &["-bbox", "-cropbox", "-enc", "UTF-8", "-", "-"]].concat();
    let answer = run_tool("pdftotext", &reading, bytes, bounds)?;
    let words = parse_words(&String::from_utf8_lossy(&answer), points);
    Ok((picture, Some(words).filter(|words| !words.is_empty())))
}

/// Runs a Poppler tool on the PDF.
fn run_tool(name: &str, arguments: &[&str], bytes: &[u8], bounds: Bounds) -> Result<Vec<u8>, PageFault> {
    match command::run(command::program(name).args(arguments), bytes, bounds) {
        Ok(answer) if answer.status.success() => Ok(answer.output),
        Ok(answer) if answer.error_output.contains("Incorrect password") => Err(PageFault::Encrypted),
        Ok(answer) => Err(PageFault::Unreadable(format!(
            "{name}: {}",
            answer.error_output.lines().next().unwrap_or("failed")
        ))),
        Err(CommandError::Missing) => Err(PageFault::MissingProgram),
        Err(error) => Err(PageFault::Unreadable(format!("{name}: {error}"))),
    }
}

/// The width and height of a page in points, as a viewer shows it, from the output of `pdfinfo
/// -box`.
fn page_size(info: &str, page: &str) -> Option<[f64; 2]> {
    let of_page = |found: &regex::Captures<'_>| found.name("page").is_some_and(|name| name.as_str() == page);
    let last = |form: &Regex| form.captures_iter(info).filter(of_page).last();
    let number = |found: &regex::Captures<'_>, name| found.name(name)?.as_str().parse::<f64>().ok();
    let found = last(&SIZE)?;
    let [width, height] = [number(&found, "width")?, number(&found, "height")?];
    let turn = last(&ROTATION).and_then(|found| number(&found, "turn")).unwrap_or(0.0);
    let is_sideways = turn == 90.0 || turn == 270.0;
    Some(if is_sideways { [height, width] } else { [width, height] })
        .filter(|sides| sides.iter().all(|side| side.is_finite()))
}

/// Parses the words of `pdftotext -bbox` on a page of this size in points.
fn parse_words(answer: &str, [width, height]: [f64; 2]) -> Vec<Word> {
    let word = |found: regex::Captures<'_>| {
        let [left, top, right, bottom] = numbers(&found)?;
        let text = unescape(found.name("text")?.as_str());
        let text = text.trim();
        let area = [left / width, top / height, (right - left) / width, (bottom - top) / height];
        let inside = area[0] > -0.01 && area[1] > -0.01 && area[0] < 1.0 && area[1] < 1.0;
        let sound = inside && area[2] > 0.0 && area[3] > 0.0 && area[2] <= 1.0 && area[3] <= 1.0;
        (sound && !text.is_empty()).then(|| Word::new(text.to_owned(), area, 1.0))
    };
    WORD.captures_iter(answer).filter_map(word).take(MAX_WORDS).collect()
}

/// The capture groups as numbers.
fn numbers<const COUNT: usize>(found: &regex::Captures<'_>) -> Option<[f64; COUNT]> {
    let mut numbers = [0.0; COUNT];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = found.get(place + 1)?.as_str().parse().ok().filter(|number: &f64| number.is_finite())?;
    }
    Some(numbers)
}

/// Decodes the XML escapes of Poppler.
fn unescape(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    plain.replace("&apos;", "'").replace("&amp;", "&")
}

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and the tests of this module compile them"
)]
static COUNT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^Pages: +([0-9]+)$").unwrap());
#[expect(clippy::unwrap_used, reason = "as above")]
static SIZE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^Page +(?<page>[0-9]+) size: +(?<width>[0-9.e+]+) x (?<height>[0-9.e+]+) pts").unwrap()
});
#[expect(clippy::unwrap_used, reason = "as above")]
static ROTATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^Page +(?<page>[0-9]+) rot: +(?<turn>[0-9]+)$").unwrap());
#[expect(clippy::unwrap_used, reason = "as above")]
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    let number = r#"="(-?[0-9.]+)""#;
    Regex::new(&format!("<word xMin{number} yMin{number} xMax{number} yMax{number}>(?<text>[^<]*)</word>"))
        .unwrap()
});

#[cfg(test)]
mod tests {
    use super::*;

    /// A PDF of these objects, numbered from 1, without an object table.
    fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"%PDF-1.4\n".to_vec();
        for (number, object) in objects.iter().enumerate() {
            bytes.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        bytes.extend_from_slice(b"trailer\n<< /Root 1 0 R >>\n%%EOF\n");
        bytes
    }

    fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
        let head = format!("<< {dictionary} /Length {} >>\nstream\n", data.len());
        [head.as_bytes(), data, b"\nendstream"].concat()
    }

    /// A PDF of one page with these dictionary lines, contents and further objects from number 5.
    fn page(lines: &str, contents: Vec<u8>, more: &[Vec<u8>]) -> Vec<u8> {
        let page = format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R {lines} >>");
        let start = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            page.into_bytes(),
            contents,
        ];
        pdf(&[&start, more].concat())
    }

    /// Run-length data that unpacks to 64 times its size.
    fn runs(byte: u8, unpacked: usize) -> Vec<u8> {
        [129, byte].repeat(unpacked / 128)
    }

    /// The error for a page with limits of one second of CPU time and 200 MiB of memory.
    fn refusal(bytes: &[u8]) -> String {
        assert_eq!(count_pages(bytes).unwrap(), 1);
        let bounds = Bounds { cpu_time: Duration::from_secs(1), memory: 200 << 20, ..BOUNDS };
        match decode_within(bytes, 1, bounds) {
            Err(PageFault::Unreadable(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    const LETTER_SIZE: &str = "/MediaBox [0 0 612 792]";

    #[test]
    fn endless_rendering_is_stopped() {
        // A form that draws ten forms that each draw ten forms, and so on: 10,000 million strokes
        // in two kilobytes.
        let forms: Vec<Vec<u8>> = (5..15)
            .map(|number| {
                let next = format!("/Resources << /XObject << /X {} 0 R >> >>", number + 1);
                let dictionary = format!("/Type /XObject /Subtype /Form /BBox [0 0 612 792] {next}");
                stream(&dictionary, "/X Do ".repeat(10).as_bytes())
            })
            .chain([stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", b"0 0 m 612 792 l S")])
            .collect();
        let lines = format!("{LETTER_SIZE} /Resources << /XObject << /X 5 0 R >> >>");
        let reason = refusal(&page(&lines, stream("", b"/X Do"), &forms));
        assert!(reason.contains("pdftoppm: it was stopped after 1 s of CPU time"), "{reason}");
    }

    #[test]
    fn repeated_drawing_of_a_huge_image_is_stopped() {
        let dictionary = "/Type /XObject /Subtype /Image /Width 10000 /Height 10000 /ColorSpace /DeviceGray \
             /BitsPerComponent 8 /Filter /RunLengthDecode";
        let picture = stream(dictionary, &runs(0, 100_000_000));
        let contents = stream("", "q 612 0 0 792 0 0 cm /X Do Q ".repeat(10_000).as_bytes());
        let lines = format!("{LETTER_SIZE} /Resources << /XObject << /X 5 0 R >> >>");
        let reason = refusal(&page(&lines, contents, &[picture]));
        assert!(reason.contains("pdftoppm: it was stopped after 1 s of CPU time"), "{reason}");
    }

    #[test]
    fn decompression_bombs_are_refused() {
        let word = [&[0, b'('][..], &runs(b'a', 400_000_000), &[128]].concat();
        let reason = refusal(&page(LETTER_SIZE, stream("/Filter /RunLengthDecode", &word), &[]));
        assert!(reason.contains("it needed more than 200 MiB of memory"), "{reason}");
    }

    #[test]
    fn recursive_objects_do_not_hang() {
        let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
        let own_child = b"<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>".to_vec();
        let tree = pdf(&[catalog, own_child]);
        assert!(count_pages(&tree).and_then(|_| decode(&tree, 1)).is_err());
        let lines = format!("{LETTER_SIZE} /Resources << /XObject << /X 5 0 R >> >>");
        let form =
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 5 0 R >> >>";
        let own_form = page(&lines, stream("", b"/X Do"), &[stream(form, b"/X Do /X Do")]);
        assert_eq!(decode(&own_form, 1).unwrap().0.dimensions(), (2550, 3300));
        let own_box = page("/MediaBox 3 0 R /Rotate 3 0 R", stream("", b""), &[]);
        assert!(decode(&own_box, 1).is_ok_and(|(image, _)| image.width() < 4000));
    }

    #[test]
    fn an_invalid_box_is_replaced_and_a_huge_box_is_refused() {
        let size = |media_box: &str| {
            let bytes = page(&format!("/MediaBox [{media_box}]"), stream("", b"0 0 m 9 9 l S"), &[]);
            decode(&bytes, 1).map(|(image, _)| image.dimensions())
        };
        // Invalid or empty boxes are drawn in letter format, as other viewers do.
        for media_box in ["0 0 nan nan", "0 0 1e999 1e999", "0 0 0 0", "", "(a) /b [] null"] {
            assert_eq!(size(media_box).unwrap(), (2550, 3300), "{media_box}");
        }
        assert_eq!(size("0 0 -360 -720").unwrap(), (1500, 3000));
        for media_box in ["0 0 14400 14400", "0 0 1000000000 1000000000", "-99999999999 0 99999999999 9"] {
            assert!(matches!(size(media_box), Err(PageFault::TooLarge { .. })), "{media_box}");
        }
        assert!(matches!(
            size("0 0 100000 0.001"),
            Err(PageFault::TooLarge { .. } | PageFault::Unreadable(_))
        ));
    }

    #[test]
    fn a_title_cannot_forge_the_page_size() {
        let lines = "Title: x\nPages: 7\nPage    1 size: 1 x 1 pts\n";
        let info = format!(
            "{lines}Pages:           1\nPage    1 size:  612 x 792 pts (letter)\nPage    1 rot:   270\n"
        );
        assert_eq!(page_size(&info, "1"), Some([792.0, 612.0]));
        assert_eq!(page_size(&info, "2"), None);
    }
}
