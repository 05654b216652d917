//! Rebuilds the crate when a migration changes, because queries are checked against the migrated
//! database. Compiles the mails' MJML to HTML templates at build time.

use mrml::prelude::render::RenderOptions;
use std::{env, error::Error, fs, path::Path};

/// The names of the mail templates. Each `templates/mail/NAME.mjml` is inserted into `frame.mjml`.
/// MJML leaves template tags unchanged in text and attributes. Between elements, template tags
/// must be inside `mj-raw`. The modules of `src/services/notifications` include the generated
/// code.
const MAIL_TEMPLATES: [&str; 4] = ["account", "digest", "monthly", "summary"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=templates/mail");
    let out = env::var("OUT_DIR")?;
    let frame = fs::read_to_string("templates/mail/frame.mjml")?;
    for mail in MAIL_TEMPLATES {
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
