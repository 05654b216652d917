//! Finds the pages of a batch. No file is opened here.

use super::page_source::{make_names_unique, page_source};
use crate::batch::{
    BatchError, Issue, PageSource,
    file_names::{LOST_AND_FOUND, RUN_LOCK},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use tender_model::terminal_text::single_line;

/// The file name extensions of pages in a folder. A file that is given by its own path is always
/// read.
const PAGE_EXTENSIONS: [&str; 6] = ["pdf", "jpg", "jpeg", "png", "tif", "tiff"];
/// The maximum number of pages of a batch.
const MAX_FILES: usize = 100_000;
/// The deepest nesting of folders that is searched.
const MAX_DEPTH: usize = 12;
/// Extensions of files that are skipped silently: partial files and files that operating systems
/// create.
const SILENT_EXTENSIONS: [&str; 4] = ["part", "tmp", "db", "ini"];
/// The maximum number of skipped files that a message lists by name.
const MAX_NAMED: usize = 5;

/// The pages of some batches, and what is not read.
#[derive(Debug, Default)]
pub struct DiscoveredPages {
    /// The pages, ordered by path.
    pub sources: Vec<PageSource>,
    /// Why links, folders and files that may contain pages are not read.
    pub left_out: Vec<BatchError>,
    /// Skipped files and output folders, relative to their batch.
    pub passed_over: Vec<String>,
    /// Batches that are folders without pages.
    pub without_pages: Vec<PathBuf>,
}

impl DiscoveredPages {
    /// Adds the batches without pages to `left_out`.
    ///
    /// # Errors
    /// [`BatchError::NoPages`] if there are no pages, and `left_out` does not give another reason.
    pub fn complete(mut self) -> Result<Self, BatchError> {
        let is_bare = self.sources.is_empty() && self.left_out.is_empty();
        let mut without_pages = self.without_pages.drain(..).map(BatchError::NoPages);
        if let Some(error) = without_pages.next() {
            if is_bare {
                return Err(error);
            }
            self.left_out.push(error);
        }
        self.left_out.extend(without_pages);
        Ok(self)
    }
}

/// Finds the pages of these batches. `out` is the output folder, which is skipped; it need not
/// exist.
///
/// # Errors
/// If a batch does not exist, cannot be listed, is an output folder, or is neither a file nor a
/// folder.
pub fn find_pages(
    batches: &[PathBuf],
    issue: &Issue,
    out: Option<&Path>,
) -> Result<DiscoveredPages, BatchError> {
    let mut found = DiscoveredPages::default();
    let out = out.and_then(|out| fs::canonicalize(out).ok());
    for batch in batches {
        let unlisted = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => BatchError::NoSuchBatch(batch.clone()),
            _ => BatchError::Unlisted { path: batch.clone(), source },
        };
        // The path is resolved, so that links and dots do not hide the folder names.
        let root = fs::canonicalize(batch).map_err(unlisted)?;
        if out.as_ref() == Some(&root) || is_output(&root) {
            return Err(BatchError::OwnOutput(batch.clone()));
        }
        let from_batch = |path: &Path| {
            let file = path.strip_prefix(&root).ok().filter(|file| !file.as_os_str().is_empty());
            let file = file.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
            file.to_string_lossy().into_owned()
        };
        let mut walk = Walk::default();
        if root.is_dir() {
            walk.visit_entries(fs::read_dir(&root).map_err(unlisted)?, 0, out.as_deref())
                .map_err(unlisted)?;
            walk.links.retain(|link| !fs::canonicalize(link).is_ok_and(|target| target.starts_with(&root)));
            if walk.files.is_empty() && walk.links.is_empty() {
                found.without_pages.push(batch.clone());
            }
        } else if root.is_file() {
            walk.files.push(root.clone());
        } else {
            return Err(BatchError::NotAFileOrFolder(batch.clone()));
        }
        found.sources.extend(walk.files.into_iter().map(|path| {
            let file = from_batch(&path);
            page_source(path, file, issue)
        }));
        walk.links.sort();
        found.left_out.extend(walk.links.into_iter().map(BatchError::OutsideLink));
        found.left_out.extend(walk.deep.into_iter().map(BatchError::TooDeep));
        found.left_out.extend(walk.unlisted);
        if walk.has_more {
            found.left_out.push(BatchError::TooMany { batch: batch.clone(), most: MAX_FILES });
        }
        found.passed_over.extend(walk.others.iter().map(|path| from_batch(path)));
        let outputs = walk.outputs.iter().map(|path| format!("{} (an output folder)", from_batch(path)));
        found.passed_over.extend(outputs);
    }
    found.sources.sort_by(|a, b| a.path.cmp(&b.path));
    found.sources.dedup_by(|a, b| a.path == b.path);
    make_names_unique(&mut found.sources);
    found.passed_over.sort();
    Ok(found)
}

/// The content of a folder and its subfolders.
#[derive(Default)]
struct Walk {
    /// Files with the extension of a page.
    files: Vec<PathBuf>,
    /// Other files.
    others: Vec<PathBuf>,
    /// Symbolic links.
    links: Vec<PathBuf>,
    /// Output folders.
    outputs: Vec<PathBuf>,
    /// Folders that are nested too deeply.
    deep: Vec<PathBuf>,
    /// Folders that cannot be listed.
    unlisted: Vec<BatchError>,
    /// Whether there are more files than a batch may have.
    has_more: bool,
}

impl Walk {
    /// Visits a folder. An unreadable folder must not affect the others.
    fn visit_folder(&mut self, path: PathBuf, depth: usize, out: Option<&Path>) {
        let listed = fs::read_dir(&path).and_then(|entries| self.visit_entries(entries, depth, out));
        match listed {
            // The folder was removed in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => self.unlisted.push(BatchError::Unlisted { path, source }),
            Ok(()) => {}
        }
    }

    fn visit_entries(&mut self, entries: fs::ReadDir, depth: usize, out: Option<&Path>) -> io::Result<()> {
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') || out == Some(&path) {
                continue;
            }
            if kind.is_dir() && entry.file_name() == LOST_AND_FOUND {
                continue;
            }
            if kind.is_dir() && is_output(&path) {
                self.outputs.push(path);
                continue;
            }
            // A link is not followed: it may lead out of the batch or to a folder above it. A
            // target within the batch is found without the link.
            if kind.is_symlink() {
                self.links.push(path);
            } else if kind.is_dir() && depth < MAX_DEPTH {
                self.visit_folder(path, depth + 1, out);
            } else if kind.is_dir() {
                self.deep.push(path);
            } else if kind.is_file() {
                self.add_file(path);
            } else {
                self.others.push(path);
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: PathBuf) {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ends_in =
            |endings: &[&str]| ending.as_ref().is_some_and(|ending| endings.contains(&ending.as_str()));
        if ends_in(&PAGE_EXTENSIONS) {
            self.has_more |= self.files.len() >= MAX_FILES;
            if !self.has_more {
                self.files.push(path);
            }
        } else if !ends_in(&SILENT_EXTENSIONS) && self.others.len() < MAX_FILES {
            self.others.push(path);
        }
    }
}

/// Whether a folder is an output folder, whose clips are not pages.
fn is_output(folder: &Path) -> bool {
    folder.join(RUN_LOCK).exists()
}

/// Names the skipped files in one line; `None` if there are none.
pub(crate) fn describe_skipped(files: &[String]) -> Option<String> {
    let named: Vec<_> = files.iter().take(MAX_NAMED).map(|file| single_line(file)).collect();
    let more = match files.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.join(", ");
    (!files.is_empty()).then(|| format!("skipped, because pages are PDF, JPEG, PNG or TIFF: {named}{more}"))
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
    fn folder_names_give_the_issue() {
        let folder = tree(&[
            "daily-lanka/2026-11-20/p1.JPG",
            "daily-lanka/2026-11-20/p2.pdf",
            "daily-lanka/2026-11-20/notes.txt",
            "daily-lanka/.p3.jpg",
        ]);
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap().sources;
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].publication.as_str(), found[0].stem.as_str()), ("Daily Lanka", "p1"));
        assert_eq!(found[0].date.unwrap().to_string(), "2026-11-20");
        assert_eq!(found[0].file, "daily-lanka/2026-11-20/p1.JPG");
        assert_eq!(found[0].folder, Path::new("daily-lanka/2026-11-20"));
    }

    #[test]
    fn the_issue_of_the_operator_is_used_without_folder_names() {
        let folder = tree(&["scans/x.jpg", "scans/x.png"]);
        let issue = Issue { publication: Some("The Isle".into()), date: "2025-01-02".parse().ok() };
        let batches = [folder.path().join("scans/x.jpg"), folder.path().join("scans")];
        let found = find_pages(&batches, &issue, None).unwrap().sources;
        assert_eq!(found.len(), 2, "a file given twice is one page");
        assert_eq!(found[0].folder, Path::new("the-isle/2025-01-02"));
        assert_ne!(found[0].stem, found[1].stem);
        let unknown = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap().sources;
        assert_eq!((unknown[0].publication.as_str(), unknown[0].date), ("", None));
    }

    #[test]
    fn links_out_of_the_batch_are_reported_and_not_followed() {
        let (folder, other) = (tree(&["a/p1.jpg"]), tree(&["secret.jpg", "more/p9.jpg"]));
        let link = |to: &Path, name: &str| {
            std::os::unix::fs::symlink(to, folder.path().join("a").join(name)).unwrap()
        };
        link(&other.path().join("secret.jpg"), "p2.jpg");
        link(&other.path().join("more"), "more");
        link(&folder.path().join("a/p1.jpg"), "p3.jpg");
        link(folder.path(), "up");
        link(Path::new("/nowhere"), "p4.jpg");
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.sources.len(), 1);
        let names: Vec<_> = found
            .left_out
            .iter()
            .map(|error| match error {
                BatchError::OutsideLink(link) => link.file_name().unwrap().to_str().unwrap(),
                other => panic!("{other}"),
            })
            .collect();
        assert_eq!(names, ["more", "p2.jpg", "p4.jpg"]);
    }

    #[test]
    fn a_missing_batch_and_a_batch_without_pages_are_errors() {
        let folder = tree(&["a/readme.txt"]);
        assert!(matches!(
            find_pages(&[folder.path().join("b")], &Issue::default(), None),
            Err(BatchError::NoSuchBatch(_))
        ));
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert!(found.sources.is_empty());
        assert!(matches!(found.complete(), Err(BatchError::NoPages(_))));
    }

    #[test]
    fn other_files_are_reported_except_partial_and_hidden_files() {
        let folder = tree(&[
            "a/p1.jpg",
            "a/phone.HEIC",
            "a/notice.docx",
            "a/p2.jpg.part",
            "a/Thumbs.db",
            "a/.hidden.gif",
            "noending",
        ]);
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.passed_over, ["a/notice.docx", "a/phone.HEIC", "noending"]);
        let many: Vec<String> = (1..=8).map(|nth| format!("{nth}.gif")).collect();
        assert_eq!(
            describe_skipped(&many).unwrap(),
            "skipped, because pages are PDF, JPEG, PNG or TIFF: 1.gif, 2.gif, 3.gif, 4.gif, 5.gif and 3 more"
        );
        assert_eq!(describe_skipped(&[]), None);
    }

    #[test]
    fn the_output_is_not_part_of_its_batch() {
        let folder = tree(&["in/p1.jpg", "out/daily-lanka/2026-11-20/p1-01.jpg"]);
        let all = [folder.path().to_owned()];
        let found = find_pages(&all, &Issue::default(), Some(&folder.path().join("in/../out"))).unwrap();
        assert_eq!(found.sources.len(), 1);
        assert_eq!(found.sources[0].file, "in/p1.jpg");
        let own = find_pages(&all, &Issue::default(), Some(folder.path()));
        assert!(matches!(own, Err(BatchError::OwnOutput(_))), "{own:?}");
    }

    #[test]
    fn other_outputs_and_special_files_are_skipped() {
        let folder = tree(&["in/p1.jpg", "out/.run.lock", "out/a/p1-01.jpg", "lost+found/p3.jpg"]);
        let pipe = folder.path().join("in/p2.jpg");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.sources.len(), 1, "{:?}", found.sources);
        assert_eq!(found.passed_over, ["in/p2.jpg", "out (an output folder)"]);
        let of = |place: &str| find_pages(&[folder.path().join(place)], &Issue::default(), None);
        assert!(matches!(of("in/p2.jpg"), Err(BatchError::NotAFileOrFolder(_))));
        assert!(matches!(of("out"), Err(BatchError::OwnOutput(_))));
    }

    #[test]
    fn an_empty_folder_is_reported_and_does_not_affect_others() {
        let (empty, full) = (tree(&[]), tree(&["p1.jpg"]));
        let both = [empty.path().to_owned(), full.path().to_owned()];
        let found = find_pages(&both, &Issue::default(), None).unwrap().complete().unwrap();
        assert_eq!(found.sources.len(), 1);
        assert!(matches!(found.left_out.as_slice(), [BatchError::NoPages(_)]), "{:?}", found.left_out);
    }

    #[test]
    fn no_two_pages_share_an_output() {
        let folder =
            tree(&["mon/scan.jpg", "tue/scan.jpg", "wed/a/scan.jpg", "wed/b/scan.jpg", "wed/b/scan.png"]);
        let batches = ["mon", "tue", "wed"].map(|day| folder.path().join(day));
        let found = find_pages(&batches, &Issue::default(), None).unwrap();
        let outputs: std::collections::HashSet<_> =
            found.sources.iter().map(|page| page.folder.join(&page.stem)).collect();
        assert_eq!((found.sources.len(), outputs.len()), (5, 5), "{outputs:?}");
    }

    #[test]
    fn deeply_nested_folders_are_reported() {
        let deep = "d/".repeat(14);
        let folder = tree(&["p1.jpg", &format!("{deep}p2.jpg")]);
        let found = find_pages(&[folder.path().to_owned()], &Issue::default(), None).unwrap();
        assert_eq!(found.sources.len(), 1);
        assert!(matches!(found.left_out.as_slice(), [BatchError::TooDeep(_)]), "{:?}", found.left_out);
    }
}
