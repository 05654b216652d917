//! Reads the settings of one run of a program.
//!
//! The command line is parsed twice. The first time, the values of settings are taken as they are, so
//! that all wrong values can be reported together. The second time, the values that do not come from
//! the command line are the defaults of their arguments.

mod arguments;
mod secrets;
mod settings_file;
mod values;

pub use arguments::with_secret_files;
pub(crate) use arguments::{all_settings, default_of, variable_of};

use crate::{
    findings::{SettingProblem, SettingsError},
    names::FormerName,
};
use arguments::{Fills, filled, is_secret, levels, relaxed, without_hidden_commands};
use clap::{Arg, ArgMatches, Command};
use settings_file::SettingsFile;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::Path,
};
use values::{Setting, Source, place, probe, settings_of, settings_path, value_outside_command_line};

/// The variable and the option of the settings file.
pub(crate) const SETTINGS: &str = "SETTINGS";
/// What the name of a secret's variable ends with if the value is a file.
const FILE_SUFFIX: &str = "_FILE";

/// The environment variables of a process.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// The environment of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect(),
        )
    }

    /// Returns a variable. An empty variable counts as not set.
    fn get(&self, name: &str) -> Option<&OsString> {
        self.0.get(name).filter(|value| !value.is_empty())
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect())
    }
}

/// What a program knows about its settings besides their arguments.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Names of settings that no longer exist.
    pub former: &'static [FormerName],
    /// Beginnings of names that only settings of this program have.
    pub prefixes: &'static [&'static str],
    /// Examples of settings that have no default.
    pub examples: &'static [(&'static str, &'static str)],
    /// The commands that check all names of the environment.
    pub checked_commands: &'static [&'static str],
}

/// Why the settings can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The command line is wrong, or asks for help.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// Settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// The settings of a run.
#[derive(Debug)]
pub struct Resolved {
    /// The arguments.
    pub matches: ArgMatches,
    /// Wrong settings, which have their defaults in `matches`. The program checks the other settings,
    /// and then reports all problems.
    pub problems: Vec<SettingProblem>,
    /// What the operator should know.
    pub warnings: Vec<String>,
}

impl Resolved {
    /// Adds the problems of further checks, except those of settings that have a problem already.
    ///
    /// # Errors
    /// All problems together.
    pub fn join(self, found: crate::Findings) -> Result<Vec<String>, SettingsError> {
        let known: BTreeSet<&str> = self.problems.iter().map(|problem| problem.variable.as_str()).collect();
        let is_new = |problem: &SettingProblem| !known.contains(problem.variable.as_str());
        let further: Vec<_> = found.problems.into_iter().filter(is_new).collect();
        let problems: Vec<_> = self.problems.iter().cloned().chain(further).collect();
        let warnings = self.warnings.into_iter().chain(found.warnings).collect();
        if problems.is_empty() { Ok(warnings) } else { Err(SettingsError(problems)) }
    }
}

impl Program {
    /// Reads the settings of the command line `arguments`.
    ///
    /// # Errors
    /// [`ResolveError::Usage`] if the command line is wrong, and [`ResolveError::Settings`] if settings
    /// are wrong and the arguments are unknown therefore.
    pub fn resolve(
        &self,
        command: Command,
        arguments: &[OsString],
        environment: &Environment,
    ) -> Result<Resolved, ResolveError> {
        let command = with_secret_files(command);
        let given = match relaxed(command.clone()).try_get_matches_from(arguments) {
            Ok(given) => given,
            // The command itself writes a better message, and the whole help.
            Err(error) => {
                let better = command.clone().try_get_matches_from(arguments).err().unwrap_or(error);
                return Err(without_hidden_commands(better, &command).into());
            }
        };
        let levels = levels(&command, &given);
        let path: Vec<&str> = levels.iter().skip(1).map(|(command, _)| command.get_name()).collect();
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());

        let file = match settings_path(&levels, environment) {
            Some(path) => self.read_file(&command, &path),
            None => SettingsFile::default(),
        };
        problems.extend(file.problems.iter().cloned());
        if self.checked_commands.iter().any(|checked| path.first() == Some(checked)) {
            self.check_names(&command, environment, &mut problems, &mut warnings);
        }

        let mut settings = settings_of(&levels, environment, &file);
        for setting in &mut settings {
            let Some((source, values)) = &setting.value else { continue };
            for value in values {
                if let Err(what) = probe(setting.arg, value) {
                    let place = place(setting.arg, *source, &file.path);
                    problems.push(self.problem(setting.arg, place, what));
                    setting.is_refused = true;
                }
            }
        }
        self.read_secrets(&mut settings, &file.path, &mut problems, &mut warnings);
        if file.is_open_to_all
            && file.entries.keys().any(|name| all_settings(&command).iter().any(|arg| is_secret(arg, name)))
        {
            warnings.push(format!(
                "all users of this machine can read the secrets in {}; run chmod o-r {0}",
                file.path.display()
            ));
        }
        let is_wrong_on_command_line = |setting: &Setting<'_>| {
            setting.is_refused && matches!(setting.value, Some((Source::CommandLine, _)))
        };
        if settings.iter().any(is_wrong_on_command_line) {
            return Err(SettingsError(problems).into());
        }
        let fills = self.fills(&settings, &levels, &mut problems);
        match filled(command.clone(), &path, &fills).try_get_matches_from(arguments) {
            Ok(matches) => Ok(Resolved { matches, problems, warnings }),
            Err(error) if problems.is_empty() => Err(error.into()),
            Err(_) => Err(SettingsError(problems).into()),
        }
    }

    /// Checks the value of every setting in the environment and in a settings file, whichever command
    /// uses it.
    #[must_use]
    pub fn check_values(
        &self,
        command: Command,
        file: Option<&Path>,
        environment: &Environment,
    ) -> Vec<SettingProblem> {
        let command = with_secret_files(command);
        let file = file.map(|path| self.read_file(&command, path)).unwrap_or_default();
        let mut problems = file.problems.clone();
        for arg in all_settings(&command) {
            let Some(variable) = variable_of(arg) else { continue };
            let Some((source, values)) = value_outside_command_line(variable, environment, &file) else {
                continue;
            };
            for value in values {
                if let Err(what) = probe(arg, &value) {
                    problems.push(self.problem(arg, place(arg, source, &file.path), what));
                }
            }
        }
        problems
    }

    /// Describes a refused value, with an example of an accepted one.
    fn problem(&self, arg: &Arg, place: String, what: String) -> SettingProblem {
        let variable = variable_of(arg).unwrap_or_default();
        let remedy = match self.example(arg) {
            Some(example) => format!("write a value such as {variable}={example}"),
            None => "see the help of the option".to_owned(),
        };
        SettingProblem { variable: variable.to_owned(), place, what, remedy }
    }

    /// An accepted value of a setting: an example, its default, or its first possible value.
    pub(crate) fn example(&self, arg: &Arg) -> Option<String> {
        let variable = variable_of(arg)?;
        let example =
            self.examples.iter().find(|(name, _)| *name == variable).map(|(_, value)| (*value).to_owned());
        example.or_else(|| default_of(arg)).or_else(|| {
            if !arg.get_action().takes_values() {
                return Some("true".to_owned());
            }
            arg.get_possible_values().first().map(|value| value.get_name().to_owned())
        })
    }

    /// The defaults of the arguments of each level that have a value elsewhere. Reports missing
    /// settings.
    fn fills(
        &self,
        settings: &[Setting<'_>],
        levels: &[(&Command, &ArgMatches)],
        problems: &mut Vec<SettingProblem>,
    ) -> Vec<Fills> {
        let mut fills: Vec<Fills> = levels.iter().map(|_| Fills::new()).collect();
        for setting in settings {
            let (command, is_last) = (levels[setting.level].0, setting.level + 1 == levels.len());
            let is_needed =
                setting.arg.is_required_set() && (is_last || !command.is_subcommand_negates_reqs_set());
            let fill = match &setting.value {
                Some((Source::CommandLine, _)) => Vec::new(),
                Some((_, values)) if !setting.is_refused => values.clone(),
                _ if !is_needed => Vec::new(),
                _ => {
                    if !setting.is_refused {
                        let place = format!("--{}", setting.arg.get_long().unwrap_or_default());
                        problems.push(self.problem(setting.arg, place, "is not set".to_owned()));
                    }
                    // The value is not used, because the program reports the problem and stops.
                    vec![OsString::new()]
                }
            };
            fills[setting.level].insert(setting.arg.get_id().to_string(), fill);
        }
        fills
    }
}

#[cfg(test)]
mod tests;
