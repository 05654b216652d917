//! Which pages a batch has, and which issue of which newspaper each is from: folders are named
//! `publication/date/page.ext`. Nothing is opened here.

use super::BatchError;
use index::vocabulary::Day;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Files that end in one of these are pages when they stand in a folder. A file named by itself is always taken.
const ENDINGS: [&str; 6] = ["pdf", "jpg", "jpeg", "png", "tif", "tiff"];
/// A batch has no more files.
const MOST_FILES: usize = 100_000;
/// Folders nest no deeper.
const MOST_DEPTH: usize = 12;

/// A file of one or several pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSource {
    /// Where it is.
    pub path: PathBuf,
    /// The same, from its batch on.
    pub file: String,
    /// The newspaper's name; empty where nothing tells.
    pub publication: String,
    /// The issue; `None` where nothing tells.
    pub date: Option<Day>,
    /// The folder of its output: `daily-lanka/2026-11-20`.
    pub folder: PathBuf,
    /// The name of its output: `p1`.
    pub stem: String,
}

/// What the operator says about files whose folders do not tell.
#[derive(Debug, Clone, Default)]
pub struct Issue {
    /// The newspaper.
    pub publication: Option<String>,
    /// Its issue.
    pub date: Option<Day>,
}

/// The pages of these batches, in order of their paths.
///
/// # Errors
/// Where a batch does not exist, cannot be listed, or has no page at all.
pub fn find(batches: &[PathBuf], issue: &Issue) -> Result<Vec<PageSource>, BatchError> {
    let mut found = Vec::new();
    for batch in batches {
        let unlisted = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => BatchError::NoSuchBatch(batch.clone()),
            _ => BatchError::Unlisted { path: batch.clone(), source },
        };
        // Told as the folders are named, not as the link or the dots to them.
        let root = fs::canonicalize(batch).map_err(unlisted)?;
        let mut files = Vec::new();
        if root.is_dir() {
            walk(&root, 0, &mut files).map_err(unlisted)?;
            if files.is_empty() {
                return Err(BatchError::NoPages(batch.clone()));
            }
        } else {
            files.push(root.clone());
        }
        found.extend(files.into_iter().map(|path| {
            let file = path.strip_prefix(&root).ok().filter(|file| !file.as_os_str().is_empty());
            let file = file
                .or_else(|| path.file_name().map(Path::new))
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned();
            page_source(path, file, issue)
        }));
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    part_namesakes(&mut found);
    Ok(found)
}

fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') || files.len() >= MOST_FILES {
            continue;
        }
        // A linked folder may lead back up.
        if kind.is_dir() && depth < MOST_DEPTH {
            walk(&path, depth + 1, files)?;
        } else if !kind.is_dir() && path.is_file() {
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                files.push(path);
            }
        }
    }
    Ok(())
}

fn page_source(path: PathBuf, file: String, issue: &Issue) -> PageSource {
    let name = |folder: Option<&Path>| Some(folder?.file_name()?.to_string_lossy().into_owned());
    let parent = path.parent();
    let folder_date: Option<Day> = name(parent).and_then(|name| name.parse().ok());
    let folder_publication = folder_date.and_then(|_| name(parent?.parent()));
    let publication = issue.publication.clone().or_else(|| folder_publication.map(|name| title_case(&name)));
    let date = issue.date.or(folder_date);
    let publication = publication.unwrap_or_default();
    let folder = PathBuf::from(slug(&publication, "unnamed"))
        .join(date.map_or_else(|| "undated".to_owned(), |date| date.to_string()));
    let stem = slug(&path.file_stem().unwrap_or_default().to_string_lossy(), "page");
    PageSource { path, file, publication, date, folder, stem }
}

/// `p1.jpg` and `p1.pdf` of one folder would write over one another.
fn part_namesakes(found: &mut [PageSource]) {
    let outputs: Vec<PathBuf> = found.iter().map(|page| page.folder.join(&page.stem)).collect();
    for (nth, page) in found.iter_mut().enumerate() {
        if outputs.iter().enumerate().any(|(other, output)| other != nth && *output == outputs[nth]) {
            let ending = page.path.extension().unwrap_or_default().to_string_lossy();
            let place = hex::encode(&super::store::digest(page.file.as_bytes())[..3]);
            page.stem = format!("{}-{}-{place}", page.stem, slug(&ending, "file"));
        }
    }
}

/// `daily-lanka` as `Daily Lanka`.
fn title_case(name: &str) -> String {
    let words = name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A name that is safe as a file's: letters and digits of any script in lower case, joined by hyphens.
fn slug(name: &str, otherwise: &str) -> String {
    let plain: String =
        name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let slug = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let slug: String = slug.chars().take(60).collect();
    if slug.is_empty() { otherwise.to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        folder
    }

    #[test]
    fn folders_tell_the_issue() {
        let folder = tree(&[
            "daily-lanka/2026-11-20/p1.JPG",
            "daily-lanka/2026-11-20/p2.pdf",
            "daily-lanka/2026-11-20/notes.txt",
            "daily-lanka/.p3.jpg",
        ]);
        let found = find(&[folder.path().to_owned()], &Issue::default()).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].publication.as_str(), found[0].stem.as_str()), ("Daily Lanka", "p1"));
        assert_eq!(found[0].date.unwrap().to_string(), "2026-11-20");
        assert_eq!(found[0].file, "daily-lanka/2026-11-20/p1.JPG");
        assert_eq!(found[0].folder, Path::new("daily-lanka/2026-11-20"));
    }

    #[test]
    fn the_operator_tells_what_folders_do_not() {
        let folder = tree(&["scans/x.jpg", "scans/x.png"]);
        let issue = Issue { publication: Some("The Isle".into()), date: "2025-01-02".parse().ok() };
        let found = find(&[folder.path().join("scans/x.jpg"), folder.path().join("scans")], &issue).unwrap();
        assert_eq!(found.len(), 2, "a file named twice is one page");
        assert_eq!(found[0].folder, Path::new("the-isle/2025-01-02"));
        assert_ne!(found[0].stem, found[1].stem);
        let unknown = find(&[folder.path().to_owned()], &Issue::default()).unwrap();
        assert_eq!((unknown[0].publication.as_str(), unknown[0].date), ("", None));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let folder = tree(&["a/readme.txt"]);
        assert!(matches!(
            find(&[folder.path().join("b")], &Issue::default()),
            Err(BatchError::NoSuchBatch(_))
        ));
        assert!(matches!(find(&[folder.path().to_owned()], &Issue::default()), Err(BatchError::NoPages(_))));
    }
}
