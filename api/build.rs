//! Rebuilds the crate when a migration changes, as queries are checked against a database that has them all; and makes HTML templates of
//! the mails' MJML, once, so that a mail is written without it.

use mrml::prelude::render::RenderOptions;
use std::{env, error::Error, fs, path::Path};

/// Mails, each `templates/mail/NAME.mjml` for the place of its content in `frame.mjml`. The template language's tags pass through MJML: in
/// text and attributes as they stand, between elements within `mj-raw`. The module of the mail in `src/services/notifications` includes what is made and has the `Parts`.
const MAILS: [&str; 4] = ["digest", "letter", "monthly", "summary"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=templates/mail");
    let out = env::var("OUT_DIR")?;
    let frame = fs::read_to_string("templates/mail/frame.mjml")?;
    for mail in MAILS {
        let content = fs::read_to_string(format!("templates/mail/{mail}.mjml"))?;
        let whole = frame.replace("<!-- content -->", &content);
        let parsed = mrml::parse(whole).map_err(|error| format!("{mail}.mjml: {error}"))?;
        let html = parsed.element.render(&RenderOptions::default())?;
        let item = format!(
            r#####"/// The HTML of the mail.
#[derive(Template)]
#[template(ext = "html", source = r####"{html}"####)]
struct Html<'a> {{
    frame: &'a Frame<'a>,
    parts: &'a Parts<'a>,
}}
"#####
        );
        fs::write(Path::new(&out).join(format!("{mail}.rs")), item)?;
    }
    Ok(())
}
