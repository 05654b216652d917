//! Places blocks on pages, and draws the pages.

use crate::{
    Block, Frame, PdfError,
    fonts::{Fonts, Ruler, Weight, runs},
    lines::break_lines,
};
use krilla::{
    Document,
    color::luma,
    geom::{PathBuilder, Point, Size, Transform},
    image::Image,
    metadata::{DateTime, Metadata},
    num::NormalizedF32,
    page::PageSettings,
    paint::{Fill, Stroke},
    surface::Surface,
    text::TextDirection,
};

/// The size of an A4 page in points.
const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 56.0;
/// The lower end of the text. The foot of the page stands below it.
const BOTTOM: f32 = PAGE.1 - 64.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// The width of the names beside facts.
const NAME_WIDTH: f32 = 140.0;
/// A fact with at most so many lines stands on one page.
const MAX_KEPT_LINES: usize = 8;
/// The height of a heading of one line with its rule.
const HEADING_HEIGHT: f32 = 42.0;
/// The room that must be left below a heading, so that it does not stand alone.
const BELOW_HEADING: f32 = 72.0;
const BLACK: u8 = 0;
const GREY: u8 = 95;

/// How a text looks.
#[derive(Clone, Copy)]
struct Style {
    size: f32,
    weight: Weight,
    grey: u8,
    /// The height of a line, as a multiple of the size. Sinhala and Tamil letters are tall.
    leading: f32,
}

const TITLE: Style = Style { size: 20.0, weight: Weight::Bold, grey: BLACK, leading: 1.45 };
const HEADING: Style = Style { size: 13.0, weight: Weight::Bold, grey: BLACK, leading: 1.5 };
const TEXT: Style = Style { size: 10.0, weight: Weight::Regular, grey: BLACK, leading: 1.55 };
const NOTE: Style = Style { size: 8.5, weight: Weight::Regular, grey: GREY, leading: 1.55 };

/// Something drawn on a page. Positions are measured from the upper left corner.
enum Mark {
    Text { at: (f32, f32), text: String, style: Style },
    Rule { y: f32 },
    Image { at: (f32, f32), size: (f32, f32), image: Image },
}

/// The pages so far, and the place for the next mark.
struct Layout<'f> {
    regular: Ruler<'f>,
    bold: Ruler<'f>,
    pages: Vec<Vec<Mark>>,
    y: f32,
    max_pages: usize,
}

impl Layout<'_> {
    fn ruler(&self, style: Style) -> &Ruler<'_> {
        match style.weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        break_lines(self.ruler(style), text, width / style.size)
    }

    fn new_page(&mut self) -> Result<(), PdfError> {
        if self.pages.len() >= self.max_pages {
            return Err(PdfError::TooManyPages(self.max_pages));
        }
        self.pages.push(Vec::new());
        self.y = MARGIN;
        Ok(())
    }

    /// Begins a new page if this height does not fit on the current one.
    fn require(&mut self, height: f32) -> Result<(), PdfError> {
        if self.y + height > BOTTOM && self.y > MARGIN { self.new_page() } else { Ok(()) }
    }

    fn draw(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    fn line(&mut self, x: f32, text: String, style: Style) {
        let at = (x, self.y + style.size * (style.leading + 0.7) / 2.0);
        self.draw(Mark::Text { at, text, style });
    }

    fn paragraph(&mut self, text: &str, style: Style, after: f32) -> Result<(), PdfError> {
        let height = style.size * style.leading;
        for line in self.lines(text, style, WIDTH) {
            self.require(height)?;
            self.line(MARGIN, line, style);
            self.y += height;
        }
        self.y += after;
        Ok(())
    }

    fn heading(&mut self, text: &str) -> Result<(), PdfError> {
        self.require(BELOW_HEADING)?;
        if self.y > MARGIN {
            self.y += 12.0;
        }
        self.paragraph(text, HEADING, 2.0)?;
        let y = self.y;
        self.draw(Mark::Rule { y });
        self.y += 8.0;
        Ok(())
    }

    fn fact(&mut self, name: &str, value: &str) -> Result<(), PdfError> {
        let height = TEXT.size * TEXT.leading;
        let grey = Style { grey: GREY, ..TEXT };
        let names = self.lines(name, grey, NAME_WIDTH - 12.0);
        let values = self.lines(value, TEXT, WIDTH - NAME_WIDTH);
        let rows = names.len().max(values.len());
        if rows <= MAX_KEPT_LINES {
            self.require(rows as f32 * height)?;
        }
        let (mut names, mut values) = (names.into_iter(), values.into_iter());
        loop {
            let (left, right) = (names.next(), values.next());
            if left.is_none() && right.is_none() {
                self.y += 3.0;
                return Ok(());
            }
            self.require(height)?;
            for (x, text, style) in [(MARGIN, left, grey), (MARGIN + NAME_WIDTH, right, TEXT)] {
                if let Some(text) = text {
                    self.line(x, text, style);
                }
            }
            self.y += height;
        }
    }

    /// The size of an image that would begin at `y`, unless it begins a new page.
    fn image_size(&self, image: &Image, caption_height: f32, y: f32) -> (f32, f32) {
        let (width, height) = (image.size().0 as f32, image.size().1 as f32);
        let room = BOTTOM - MARGIN - caption_height - 8.0;
        // An image is not enlarged beyond 100 pixels an inch, and may fill the rest of the page if half is left.
        let left = BOTTOM - y - caption_height - 8.0;
        let room = if left > room / 2.0 { left } else { room };
        let scale = (WIDTH / width).min(room / height).min(0.72);
        (width * scale, height * scale)
    }

    /// Begins a new page if the image below a heading does not fit on the current one.
    fn require_with_heading(&mut self, bytes: &[u8], caption: &str) -> Result<(), PdfError> {
        let Some(image) = decode(bytes) else { return Ok(()) };
        let caption_height = self.lines(caption, NOTE, WIDTH).len() as f32 * NOTE.size * NOTE.leading;
        let y = self.y + HEADING_HEIGHT;
        let height = self.image_size(&image, caption_height, y).1;
        self.require(HEADING_HEIGHT + height + caption_height + 8.0)
    }

    fn image(&mut self, bytes: &[u8], caption: &str) -> Result<(), PdfError> {
        let caption_height = self.lines(caption, NOTE, WIDTH).len() as f32 * NOTE.size * NOTE.leading;
        let Some(image) = decode(bytes) else { return self.paragraph(caption, NOTE, 8.0) };
        let size = self.image_size(&image, caption_height, self.y);
        self.require(size.1 + caption_height + 8.0)?;
        let at = (MARGIN, self.y);
        self.draw(Mark::Image { at, size, image });
        self.y += size.1 + 4.0;
        self.paragraph(caption, NOTE, 10.0)
    }

    fn block(&mut self, block: &Block) -> Result<(), PdfError> {
        match block {
            Block::Title(text) => self.paragraph(text, TITLE, 6.0),
            Block::Heading(text) => self.heading(text),
            Block::Text(text) => self.paragraph(text, TEXT, 6.0),
            Block::Note(text) => self.paragraph(text, NOTE, 6.0),
            Block::Facts(rows) => rows.iter().try_for_each(|(name, value)| self.fact(name, value)),
            Block::Image { bytes, caption } => self.image(bytes, caption),
            Block::NewPage if self.y > MARGIN => self.new_page(),
            Block::NewPage => Ok(()),
        }
    }
}

/// Reads an image that has a sensible size.
fn decode(bytes: &[u8]) -> Option<Image> {
    let data = || bytes.to_vec().into();
    let image = match bytes {
        [0xff, 0xd8, ..] => Image::from_jpeg(data(), true),
        [0x89, b'P', ..] => Image::from_png(data(), true),
        [b'R', b'I', b'F', b'F', ..] => Image::from_webp(data(), true),
        _ => return None,
    };
    image.ok().filter(|image| image.size().0 > 0 && image.size().1 > 0)
}

pub(crate) fn write(
    blocks: &[Block],
    frame: &Frame,
    fonts: &Fonts,
    max_pages: usize,
) -> Result<Vec<u8>, PdfError> {
    let mut layout = Layout {
        regular: fonts.ruler(Weight::Regular),
        bold: fonts.ruler(Weight::Bold),
        pages: Vec::new(),
        y: MARGIN,
        max_pages,
    };
    layout.new_page()?;
    let following = blocks.iter().skip(1).map(Some).chain([None]);
    for (block, next) in blocks.iter().zip(following) {
        if let (Block::Heading(_), Some(Block::Image { bytes, caption })) = (block, next) {
            layout.require_with_heading(bytes, caption)?;
        }
        layout.block(block)?;
    }
    let mut document = Document::new();
    document.set_metadata(metadata(frame));
    let count = layout.pages.len();
    for (number, marks) in layout.pages.iter().enumerate() {
        let settings = PageSettings::from_wh(PAGE.0, PAGE.1)
            .ok_or_else(|| PdfError::Write("the page has no size".to_owned()))?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, mark, &layout, fonts);
        }
        for mark in foot(frame, &layout, number + 1, count) {
            draw(&mut surface, &mark, &layout, fonts);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| PdfError::Write(format!("{error:?}")))
}

fn metadata(frame: &Frame) -> Metadata {
    let (year, month, day, hour, minute, second) = frame.created;
    let created = DateTime::new(year).month(month).day(day).hour(hour).minute(minute).second(second);
    Metadata::new()
        .title(frame.title.clone())
        .language(frame.language.clone())
        .creator(frame.creator.clone())
        .creation_date(created.utc_offset_hour(0).utc_offset_minute(0))
}

/// The foot of a page.
fn foot(frame: &Frame, layout: &Layout<'_>, page: usize, pages: usize) -> [Mark; 3] {
    let y = PAGE.1 - 36.0;
    let number = frame.page_of.replace("{page}", &page.to_string()).replace("{pages}", &pages.to_string());
    let right = PAGE.0 - MARGIN - layout.regular.width(&number) * NOTE.size;
    [
        Mark::Rule { y: y - 14.0 },
        Mark::Text { at: (MARGIN, y), text: frame.footer.clone(), style: NOTE },
        Mark::Text { at: (right, y), text: number, style: NOTE },
    ]
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, layout: &Layout<'_>, fonts: &Fonts) {
    match mark {
        Mark::Text { at, text, style } => draw_text(surface, *at, (text, *style), layout, fonts),
        Mark::Rule { y } => {
            let mut path = PathBuilder::new();
            path.move_to(MARGIN, *y);
            path.line_to(PAGE.0 - MARGIN, *y);
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: luma::Color::new(190).into(),
                width: 0.6,
                ..Stroke::default()
            }));
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
            surface.set_stroke(None);
        }
        Mark::Image { at, size, image } => {
            if let Some(size) = Size::from_wh(size.0, size.1) {
                surface.push_transform(&Transform::from_translate(at.0, at.1));
                surface.draw_image(image.clone(), size);
                surface.pop();
            }
        }
    }
}

fn draw_text(
    surface: &mut Surface<'_>,
    (mut x, y): (f32, f32),
    (text, style): (&str, Style),
    layout: &Layout<'_>,
    fonts: &Fonts,
) {
    surface.set_fill(Some(Fill {
        paint: luma::Color::new(style.grey).into(),
        opacity: NormalizedF32::ONE,
        ..Fill::default()
    }));
    for run in runs(text) {
        let font = fonts.font(run.script, style.weight);
        surface.draw_text(
            Point::from_xy(x, y),
            font,
            style.size,
            run.text,
            false,
            TextDirection::LeftToRight,
        );
        x += layout.ruler(style).run_width(run) * style.size;
    }
}
