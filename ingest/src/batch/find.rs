//! Which pages a batch has, and which issue of which newspaper each is from: folders are named
//! `publication/date/page.ext`. Nothing is opened here.

use super::BatchError;
use crate::message::line;
use index::vocabulary::Day;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Files that end in one of these are pages when they stand in a folder. A file named by itself is always taken.
const ENDINGS: [&str; 6] = ["pdf", "jpg", "jpeg", "png", "tif", "tiff"];
/// A batch has no more files.
const MOST_FILES: usize = 100_000;
/// Folders nest no deeper.
const MOST_DEPTH: usize = 12;
/// Files that end in one of these are passed over without a word: what is still being written, and what systems leave in folders.
const UNNAMED: [&str; 4] = ["part", "tmp", "db", "ini"];
/// Of what is passed over, so many are named.
const MOST_NAMED: usize = 5;

/// A file of one or several pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSource {
    /// Where it is.
    pub path: PathBuf,
    /// The same, from its batch on.
    pub file: String,
    /// The newspaper's name; empty where nothing tells but perhaps the page.
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

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The pages, in order of their paths.
    pub sources: Vec<PageSource>,
    /// What may have pages and was not looked into, and why.
    pub left_out: Vec<BatchError>,
    /// Files that are no pages by their names, from their batch on.
    pub passed_over: Vec<String>,
    /// The first folder without any page.
    pub bare: Option<PathBuf>,
}

impl Found {
    /// Itself, where each batch has pages.
    ///
    /// # Errors
    /// Where one has none.
    pub fn complete(mut self) -> Result<Self, BatchError> {
        self.bare.take().map_or(Ok(self), |batch| Err(BatchError::NoPages(batch)))
    }
}

/// The pages of these batches. What stands in `out`, the folder of the output, is none of them; it need not be there.
///
/// # Errors
/// Where a batch does not exist, cannot be listed, or is the output itself.
pub fn find(batches: &[PathBuf], issue: &Issue, out: Option<&Path>) -> Result<Found, BatchError> {
    let mut found = Found::default();
    let out = out.and_then(|out| fs::canonicalize(out).ok());
    for batch in batches {
        let unlisted = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => BatchError::NoSuchBatch(batch.clone()),
            _ => BatchError::Unlisted { path: batch.clone(), source },
        };
        // Told as the folders are named, not as the link or the dots to them.
        let root = fs::canonicalize(batch).map_err(unlisted)?;
        if out.as_ref() == Some(&root) {
            return Err(BatchError::OwnOutput(batch.clone()));
        }
        let from_batch = |path: &Path| {
            let file = path.strip_prefix(&root).ok().filter(|file| !file.as_os_str().is_empty());
            let file = file.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
            file.to_string_lossy().into_owned()
        };
        let mut walk = Walk::default();
        if root.is_dir() {
            walk.entries(fs::read_dir(&root).map_err(unlisted)?, 0, out.as_deref()).map_err(unlisted)?;
            walk.links.retain(|link| !fs::canonicalize(link).is_ok_and(|target| target.starts_with(&root)));
            if walk.files.is_empty() && walk.links.is_empty() {
                found.bare.get_or_insert(batch.clone());
            }
        } else {
            walk.files.push(root.clone());
        }
        found.sources.extend(walk.files.into_iter().map(|path| {
            let file = from_batch(&path);
            page_source(path, file, issue)
        }));
        walk.links.sort();
        found.left_out.extend(walk.links.into_iter().map(BatchError::Link));
        found.left_out.extend(walk.deep.into_iter().map(BatchError::Deep));
        found.left_out.extend(walk.unlisted);
        if walk.has_more {
            found.left_out.push(BatchError::TooMany { batch: batch.clone(), most: MOST_FILES });
        }
        found.passed_over.extend(walk.others.iter().map(|path| from_batch(path)));
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    found.sources.dedup_by(|a, b| a.path == b.path);
    part_namesakes(&mut found.sources);
    found.passed_over.sort();
    Ok(found)
}

/// What stands in a folder and those within it.
#[derive(Default)]
struct Walk {
    /// Pages by their names.
    files: Vec<PathBuf>,
    /// Other files.
    others: Vec<PathBuf>,
    /// Links to anything.
    links: Vec<PathBuf>,
    /// Folders too deep to be looked into.
    deep: Vec<PathBuf>,
    /// Folders that can't be looked into.
    unlisted: Vec<BatchError>,
    /// There are more files than a batch may have.
    has_more: bool,
}

impl Walk {
    /// One folder's fault must not take the others along.
    fn folder(&mut self, path: PathBuf, depth: usize, out: Option<&Path>) {
        let listed = fs::read_dir(&path).and_then(|entries| self.entries(entries, depth, out));
        match listed {
            // It was taken away meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => self.unlisted.push(BatchError::Unlisted { path, source }),
            Ok(()) => {}
        }
    }

    fn entries(&mut self, entries: fs::ReadDir, depth: usize, out: Option<&Path>) -> io::Result<()> {
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') || out == Some(&path) {
                continue;
            }
            // A link may lead anywhere: out of the batch, or back up. What it leads to within the batch is found there.
            if kind.is_symlink() {
                self.links.push(path);
            } else if kind.is_dir() && depth < MOST_DEPTH {
                self.folder(path, depth + 1, out);
            } else if kind.is_dir() {
                self.deep.push(path);
            } else if kind.is_file() {
                self.file(path);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf) {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ends_in =
            |endings: &[&str]| ending.as_ref().is_some_and(|ending| endings.contains(&ending.as_str()));
        if ends_in(&ENDINGS) {
            self.has_more |= self.files.len() >= MOST_FILES;
            if !self.has_more {
                self.files.push(path);
            }
        } else if !ends_in(&UNNAMED) && self.others.len() < MOST_FILES {
            self.others.push(path);
        }
    }
}

/// What is passed over, in a line; `None` where nothing is.
pub(super) fn passed_over(files: &[String]) -> Option<String> {
    let named: Vec<_> = files.iter().take(MOST_NAMED).map(|file| line(file)).collect();
    let more = match files.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.join(", ");
    (!files.is_empty()).then(|| format!("passed over, as pages are PDF, JPEG, PNG or TIFF: {named}{more}"))
}

fn page_source(path: PathBuf, file: String, issue: &Issue) -> PageSource {
    let name = |folder: Option<&Path>| Some(folder?.file_name()?.to_string_lossy().into_owned());
    let parent = path.parent();
    let folder_date: Option<Day> = name(parent).and_then(|name| name.parse().ok());
    let folder_publication = folder_date.and_then(|_| name(parent?.parent()));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = if folder_date.is_none() { of_name(&stem) } else { None };
    let (name_publication, name_date, name_page) = match named {
        Some(Named { publication, date, page }) => (Some(publication), Some(date), Some(page)),
        None => (None, None, None),
    };
    let publication = folder_publication.or(name_publication).map(|name| title_case(&name));
    let publication = issue.publication.clone().or(publication).unwrap_or_default();
    let date = issue.date.or(folder_date).or(name_date);
    let folder = PathBuf::from(slug(&publication, "unnamed"))
        .join(date.map_or_else(|| "undated".to_owned(), |date| date.to_string()));
    let stem = slug(&name_page.unwrap_or(stem), "page");
    PageSource { path, file, publication, date, folder, stem }
}

/// What a file's own name tells.
struct Named {
    publication: String,
    date: Day,
    page: String,
}

/// `daily-news_2026-11-20_p12`: the newspaper, the issue and the page, parted by low lines or blanks.
fn of_name(stem: &str) -> Option<Named> {
    let is_joint = |c: char| c == '_' || c == ' ';
    let (date, at) = stem.match_indices(is_joint).find_map(|(at, joint)| {
        let at = at + joint.len();
        let text = stem.get(at..at + 10)?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        is_plain.then(|| text.parse::<Day>().ok().map(|date| (date, at))).flatten()
    })?;
    let publication = stem[..at].trim_matches(is_joint);
    let rest = &stem[at + 10..];
    let is_named =
        publication.contains(char::is_alphabetic) && (rest.is_empty() || rest.starts_with(is_joint));
    let page = rest.trim_matches(is_joint).to_owned();
    is_named.then(|| Named { publication: publication.to_owned(), date, page })
}

/// `p1.jpg` and `p1.pdf` of one folder would write over one another, and so would `p1.jpg` of two batches: the first two differ by where
/// they stand in their batch, the others by where that is.
fn part_namesakes(found: &mut [PageSource]) {
    part(found, |page| {
        let ending = page.path.extension().unwrap_or_default().to_string_lossy();
        format!("{}-{}", slug(&ending, "file"), place(page.file.as_bytes()))
    });
    part(found, |page| place(page.path.as_os_str().as_encoded_bytes()));
}

/// Gives those that have one output a name with more to it.
fn part(found: &mut [PageSource], more: impl Fn(&PageSource) -> String) {
    let output = |page: &PageSource| page.folder.join(&page.stem);
    let mut counts: HashMap<PathBuf, usize> = HashMap::new();
    for page in &*found {
        *counts.entry(output(page)).or_default() += 1;
    }
    for page in found.iter_mut().filter(|page| counts.get(&output(page)).is_some_and(|&count| count > 1)) {
        page.stem = format!("{}-{}", page.stem, more(page));
    }
}

/// Stands for a place in a name.
fn place(bytes: &[u8]) -> String {
    hex::encode(&super::store::digest(bytes)[..3])
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
        let found = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap().sources;
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
        let batches = [folder.path().join("scans/x.jpg"), folder.path().join("scans")];
        let found = find(&batches, &issue, None).unwrap().sources;
        assert_eq!(found.len(), 2, "a file named twice is one page");
        assert_eq!(found[0].folder, Path::new("the-isle/2025-01-02"));
        assert_ne!(found[0].stem, found[1].stem);
        let unknown = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap().sources;
        assert_eq!((unknown[0].publication.as_str(), unknown[0].date), ("", None));
    }

    #[test]
    fn a_files_name_tells_what_its_folders_do_not() {
        let source = |path: &str| page_source(path.into(), path.to_owned(), &Issue::default());
        let told = |path: &str| {
            let PageSource { publication, folder, stem, .. } = source(path);
            format!("{publication}|{}|{stem}", folder.display())
        };
        assert_eq!(told("in/daily-news_2026-11-20_p12.jpg"), "Daily News|daily-news/2026-11-20|p12");
        assert_eq!(told("in/Daily News 2026-11-20.pdf"), "Daily News|daily-news/2026-11-20|page");
        assert_eq!(told("in/silumina_2026-11-20_p1_b.tif"), "Silumina|silumina/2026-11-20|p1-b");
        // The folders have the word where they tell.
        assert_eq!(
            told("isle/2026-11-19/daily-news_2026-11-20_p1.jpg"),
            "Isle|isle/2026-11-19|daily-news-2026-11-20-p1"
        );
        for name in [
            "scan_2026-13-40_p1",
            "2026-11-20_p1",
            "_2026-11-20_p1",
            "x_2026-11-20p1",
            "සිළුමිණ_2026",
            "a_é026-11-20",
        ] {
            let path = format!("in/{name}.jpg");
            assert!(told(&path).starts_with("|unnamed/undated|"), "{name}: {}", told(&path));
        }
    }

    #[test]
    fn no_name_leads_out_of_the_output() {
        for publication in ["../../etc", "/etc", "..", "a/b", "\0", "\n"] {
            let issue = Issue { publication: Some(publication.into()), date: None };
            let source = page_source("in/..x..jpg".into(), "x".into(), &issue);
            let plain =
                source.folder.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            assert!(plain && source.folder.components().count() == 2, "{publication:?}: {:?}", source.folder);
            assert!(!source.stem.contains(['/', '.']), "{}", source.stem);
        }
    }

    #[test]
    fn links_are_not_followed_and_named_where_they_lead_out() {
        let (folder, other) = (tree(&["a/p1.jpg"]), tree(&["secret.jpg", "more/p9.jpg"]));
        let link = |to: &Path, name: &str| {
            std::os::unix::fs::symlink(to, folder.path().join("a").join(name)).unwrap()
        };
        link(&other.path().join("secret.jpg"), "p2.jpg");
        link(&other.path().join("more"), "more");
        link(&folder.path().join("a/p1.jpg"), "p3.jpg");
        link(folder.path(), "up");
        link(Path::new("/nowhere"), "p4.jpg");
        let found = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.sources.len(), 1);
        let names: Vec<_> = found
            .left_out
            .iter()
            .map(|error| match error {
                BatchError::Link(link) => link.file_name().unwrap().to_str().unwrap(),
                other => panic!("{other}"),
            })
            .collect();
        assert_eq!(names, ["more", "p2.jpg", "p4.jpg"]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let folder = tree(&["a/readme.txt"]);
        assert!(matches!(
            find(&[folder.path().join("b")], &Issue::default(), None),
            Err(BatchError::NoSuchBatch(_))
        ));
        let found = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert!(found.sources.is_empty());
        assert!(matches!(found.complete(), Err(BatchError::NoPages(_))));
    }

    #[test]
    fn what_is_no_page_by_its_name_is_named() {
        let folder = tree(&[
            "a/p1.jpg",
            "a/phone.HEIC",
            "a/notice.docx",
            "a/p2.jpg.part",
            "a/Thumbs.db",
            "a/.hidden.gif",
            "noending",
        ]);
        let found = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.passed_over, ["a/notice.docx", "a/phone.HEIC", "noending"]);
        let many: Vec<String> = (1..=8).map(|nth| format!("{nth}.gif")).collect();
        assert_eq!(
            passed_over(&many).unwrap(),
            "passed over, as pages are PDF, JPEG, PNG or TIFF: 1.gif, 2.gif, 3.gif, 4.gif, 5.gif and 3 more"
        );
        assert_eq!(passed_over(&[]), None);
    }

    #[test]
    fn the_output_is_no_part_of_its_batch() {
        let folder = tree(&["in/p1.jpg", "out/daily-lanka/2026-11-20/p1-01.jpg"]);
        let all = [folder.path().to_owned()];
        let found = find(&all, &Issue::default(), Some(&folder.path().join("in/../out"))).unwrap();
        assert_eq!(found.sources.len(), 1);
        assert_eq!(found.sources[0].file, "in/p1.jpg");
        let own = find(&all, &Issue::default(), Some(folder.path()));
        assert!(matches!(own, Err(BatchError::OwnOutput(_))), "{own:?}");
    }

    #[test]
    fn no_two_pages_have_one_output() {
        let folder =
            tree(&["mon/scan.jpg", "tue/scan.jpg", "wed/a/scan.jpg", "wed/b/scan.jpg", "wed/b/scan.png"]);
        let batches = ["mon", "tue", "wed"].map(|day| folder.path().join(day));
        let found = find(&batches, &Issue::default(), None).unwrap();
        let outputs: std::collections::HashSet<_> =
            found.sources.iter().map(|page| page.folder.join(&page.stem)).collect();
        assert_eq!((found.sources.len(), outputs.len()), (5, 5), "{outputs:?}");
    }

    #[test]
    fn what_lies_too_deep_is_named() {
        let deep = "d/".repeat(14);
        let folder = tree(&["p1.jpg", &format!("{deep}p2.jpg")]);
        let found = find(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.sources.len(), 1);
        assert!(matches!(found.left_out.as_slice(), [BatchError::Deep(_)]), "{:?}", found.left_out);
    }
}
