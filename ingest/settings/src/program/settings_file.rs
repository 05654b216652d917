//! The settings file, and the names in it and in the environment.

use super::{Environment, Program, SETTINGS, arguments::names_of};
use crate::{
    env_file,
    findings::SettingProblem,
    names,
    secret_file::{self, FileContent},
};
use clap::Command;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The maximum size of a settings file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The entries of the settings file.
#[derive(Default)]
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) entries: BTreeMap<String, (usize, OsString)>,
    pub(super) problems: Vec<SettingProblem>,
    /// Whether other users can read the file.
    pub(super) is_open_to_all: bool,
}

impl Program {
    /// Reads a settings file and checks its names.
    pub(super) fn read_file(&self, command: &Command, path: &Path) -> SettingsFile {
        let mut file = SettingsFile { path: path.to_owned(), ..SettingsFile::default() };
        let shown = path.display();
        let mut refuse = |variable: &str, place: String, what: String, remedy: String| {
            file.problems.push(SettingProblem { variable: variable.to_owned(), place, what, remedy });
        };
        let content = match secret_file::read_text(path, MAX_FILE_BYTES) {
            Ok(FileContent { text, is_open_to_all }) => {
                file.is_open_to_all = is_open_to_all;
                text
            }
            Err(error) => {
                let remedy = "give a file with lines such as NAME=VALUE".to_owned();
                refuse(SETTINGS, "--settings".to_owned(), format!("{shown} {error}"), remedy);
                return file;
            }
        };
        let entries = match env_file::parse(&content) {
            Ok(entries) => entries,
            Err(errors) => {
                for error in errors {
                    let text = error.to_string();
                    let (what, remedy) = text.split_once("; ").unwrap_or((&text, "write NAME=VALUE"));
                    refuse(SETTINGS, shown.to_string(), what.to_owned(), remedy.to_owned());
                }
                return file;
            }
        };
        let known = names_of(command);
        for entry in entries {
            let place = format!("line {} of {shown}", entry.line);
            if let Some(former) = self.former.iter().find(|former| former.variable == entry.name) {
                refuse(&entry.name, place, "no longer exists".to_owned(), former.remedy.to_owned());
            } else if entry.name == SETTINGS {
                let remedy = "give the file with --settings or in the environment".to_owned();
                refuse(&entry.name, place, "cannot be set in the settings file".to_owned(), remedy);
            } else if !known.contains(&entry.name) {
                let remedy = match names::probable(&entry.name, known.iter().map(String::as_str)) {
                    Some(probable) => format!("did you mean {probable}?"),
                    None => "remove the line, or correct the name".to_owned(),
                };
                refuse(&entry.name, place, "is not a setting".to_owned(), remedy);
            } else if let Some((line, _)) = file.entries.get(&entry.name) {
                let what = format!("is already set in line {line}");
                refuse(&entry.name, place, what, "remove one of the lines".to_owned());
            } else {
                file.entries.insert(entry.name, (entry.line, entry.value.into()));
            }
        }
        file
    }

    /// Refuses former names in the environment, and warns about names that are similar to a setting.
    pub(super) fn check_names(
        &self,
        command: &Command,
        environment: &Environment,
        problems: &mut Vec<SettingProblem>,
        warnings: &mut Vec<String>,
    ) {
        let known = names_of(command);
        let known_names = || known.iter().map(String::as_str);
        for name in environment.0.keys().filter(|name| !known.contains(*name)) {
            if let Some(former) = self.former.iter().find(|former| former.variable == name) {
                problems.push(SettingProblem {
                    variable: name.clone(),
                    place: "environment".to_owned(),
                    what: "no longer exists".to_owned(),
                    remedy: former.remedy.to_owned(),
                });
                continue;
            }
            let probable = names::probable(name, known_names()).or_else(|| {
                let is_ours = self.prefixes.iter().any(|prefix| name.starts_with(prefix));
                is_ours.then(|| names::nearest(name, known_names())).flatten().map(|(_, nearest)| nearest)
            });
            if let Some(probable) = probable {
                warnings.push(format!(
                    "the environment variable {name} is not a setting; did you mean {probable}?"
                ));
            }
        }
    }
}
