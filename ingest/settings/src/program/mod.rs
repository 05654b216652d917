//! Reads the settings of one run of a program.
//!
//! The command line is parsed twice. The first time, the values of settings are taken as they are, so
//! that all wrong values can be reported together. The second time, the values that do not come from
//! the command line are the defaults of their arguments.

use crate::{
    env_file,
    findings::{SettingProblem, SettingsError},
    names::{self, FormerName},
    secret_file::{self, FileContent},
};
use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::Resettable,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
    value_parser,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error as _,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The variable and the option of the settings file.
pub(crate) const SETTINGS: &str = "SETTINGS";
/// The maximum size of a settings file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
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

/// Adds an option and a variable for the file of each secret. A secret is an argument whose
/// variable is hidden in the help.
#[must_use]
pub fn with_secret_files(command: Command) -> Command {
    let files: Vec<Arg> = command.get_arguments().filter_map(secret_file_arg).collect();
    // Otherwise, an option without a heading gets the heading of the last option.
    command.next_help_heading(Resettable::Reset).args(files).mut_subcommands(with_secret_files)
}

fn secret_file_arg(secret: &Arg) -> Option<Arg> {
    let variable = variable_of(secret).filter(|_| secret.is_hide_env_values_set())?;
    let name = format!("{variable}{FILE_SUFFIX}");
    let arg = Arg::new(name.clone())
        .long(format!("{}-file", secret.get_long()?))
        .env(name)
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help(format!("The file that contains the value of {variable}; it replaces {variable}"));
    Some(match secret.get_help_heading() {
        Some(heading) => arg.help_heading(heading.to_owned()),
        None => arg,
    })
}

pub(crate) fn variable_of(arg: &Arg) -> Option<&str> {
    arg.get_env().and_then(OsStr::to_str)
}

/// The settings of all commands, without repetitions: the first argument of each variable. The file of
/// a secret follows the secret.
pub(crate) fn all_settings(command: &Command) -> Vec<&Arg> {
    let mut seen = BTreeSet::new();
    let mut settings = Vec::new();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        settings.extend(
            command
                .get_arguments()
                .filter(|arg| variable_of(arg).is_some_and(|name| seen.insert(name.to_owned()))),
        );
        commands.extend(command.get_subcommands().collect::<Vec<_>>().into_iter().rev());
    }
    let place = |name: &str| settings.iter().position(|arg| variable_of(arg) == Some(name));
    let mut sorted: Vec<_> = settings.iter().copied().enumerate().collect();
    sorted.sort_by_key(|(index, arg)| {
        let secret = variable_of(arg).and_then(|name| place(name.strip_suffix(FILE_SUFFIX)?));
        (secret.unwrap_or(*index), secret.is_some())
    });
    sorted.into_iter().map(|(_, arg)| arg).collect()
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    CommandLine,
    Environment,
    /// The line of the settings file.
    File(usize),
    /// The file of a secret, wherever its name comes from.
    SecretFile,
}

/// A setting of the invoked command, with its value.
struct Setting<'a> {
    /// The level of the command: 0 is the program, 1 its subcommand.
    level: usize,
    arg: &'a Arg,
    variable: &'a str,
    value: Option<(Source, Vec<OsString>)>,
    /// Whether the value was refused.
    is_refused: bool,
}

/// The entries of the settings file.
#[derive(Default)]
struct SettingsFile {
    path: PathBuf,
    entries: BTreeMap<String, (usize, OsString)>,
    problems: Vec<SettingProblem>,
    /// Whether other users can read the file.
    is_open_to_all: bool,
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

    /// Reads a settings file and checks its names.
    fn read_file(&self, command: &Command, path: &Path) -> SettingsFile {
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
    fn check_names(
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

    /// Gives each secret the content of its file.
    fn read_secrets(
        &self,
        settings: &mut Vec<Setting<'_>>,
        settings_file: &Path,
        problems: &mut Vec<SettingProblem>,
        warnings: &mut Vec<String>,
    ) {
        for index in 0..settings.len() {
            if !settings[index].arg.is_hide_env_values_set() {
                continue;
            }
            let name = format!("{}{FILE_SUFFIX}", settings[index].variable);
            let level = settings[index].level;
            let of_file = settings.iter().find(|other| other.level == level && other.variable == name);
            let Some((source, paths)) = of_file.and_then(|file| file.value.clone()) else { continue };
            let Some(arg) = of_file.map(|file| file.arg) else { continue };
            let place = place(arg, source, settings_file);
            let secret = &mut settings[index];
            match secret.value.as_ref().map(|(source, _)| *source) {
                // The command line takes precedence over the environment and the settings file.
                Some(Source::CommandLine) if source != Source::CommandLine => continue,
                Some(own) if own == Source::CommandLine || source != Source::CommandLine => {
                    problems.push(SettingProblem {
                        variable: name,
                        place,
                        what: format!("{} is set too", secret.variable),
                        remedy: format!("remove {}, or remove the file", secret.variable),
                    });
                    continue;
                }
                _ => {}
            }
            let Some(path) = paths.first().map(PathBuf::from) else { continue };
            match secret_file::read(&path) {
                Ok(content) => {
                    if content.is_open_to_all {
                        let shown = path.display();
                        warnings.push(format!(
                            "{name}: all users of this machine can read {shown}; run chmod o-r {shown}"
                        ));
                    }
                    secret.value = Some((Source::SecretFile, vec![content.text.into()]));
                }
                Err(error) => {
                    secret.is_refused = true;
                    problems.push(SettingProblem {
                        variable: name,
                        place,
                        what: format!("{} {error}", path.display()),
                        remedy: format!(
                            "give a file of at most 64 KiB that contains the value of {}",
                            secret.variable
                        ),
                    });
                }
            }
        }
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

/// An error about a missing command that lists only the commands of the help.
fn without_hidden_commands(mut error: clap::Error, command: &Command) -> clap::Error {
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::ValidSubcommand) {
        let shown = names.iter().filter(|name| !is_hidden(command, name)).cloned().collect();
        error.insert(ContextKind::ValidSubcommand, ContextValue::Strings(shown));
    }
    error
}

/// Whether a command with this name, at any level, is not in the help.
fn is_hidden(command: &Command, name: &str) -> bool {
    command.get_subcommands().any(|sub| sub.is_hide_set() && sub.get_name() == name || is_hidden(sub, name))
}

/// Whether a name is the variable of this secret.
fn is_secret(arg: &Arg, name: &str) -> bool {
    arg.is_hide_env_values_set() && variable_of(arg) == Some(name)
}

/// The value of each argument that becomes its default. It is empty if the argument has no value.
type Fills = BTreeMap<String, Vec<OsString>>;

/// The names of all settings.
fn names_of(command: &Command) -> BTreeSet<String> {
    all_settings(command).into_iter().filter_map(variable_of).map(str::to_owned).collect()
}

/// The command without the checks of its settings: every text is accepted, and none is required.
fn relaxed(command: Command) -> Command {
    command
        .mut_args(|arg| match (variable_of(&arg).is_some(), arg.get_action().takes_values()) {
            (false, _) => arg,
            (true, true) => {
                let arg = arg.env(Resettable::Reset).required(false).default_value(Resettable::Reset);
                arg.value_parser(value_parser!(OsString))
            }
            (true, false) => arg.env(Resettable::Reset),
        })
        .mut_subcommands(relaxed)
}

/// The invoked command: the program, its subcommand, and so on.
fn levels<'a>(command: &'a Command, matches: &'a ArgMatches) -> Vec<(&'a Command, &'a ArgMatches)> {
    let mut levels = vec![(command, matches)];
    while let Some((command, matches)) = levels.last().and_then(|(command, matches)| {
        let (name, matches) = matches.subcommand()?;
        Some((command.find_subcommand(name)?, matches))
    }) {
        levels.push((command, matches));
    }
    levels
}

/// The settings file that the command line or the environment names.
fn settings_path(levels: &[(&Command, &ArgMatches)], environment: &Environment) -> Option<PathBuf> {
    let (command, matches) = levels.first()?;
    let arg = command.get_arguments().find(|arg| variable_of(arg) == Some(SETTINGS))?;
    let given = values_of(arg, matches).and_then(|values| values.into_iter().next());
    given.or_else(|| environment.get(SETTINGS).cloned()).map(PathBuf::from)
}

/// The values of an argument on the command line.
fn values_of(arg: &Arg, matches: &ArgMatches) -> Option<Vec<OsString>> {
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if !arg.get_action().takes_values() {
        return Some(vec!["true".into()]);
    }
    matches.get_raw(id).map(|values| values.map(OsStr::to_owned).collect())
}

fn settings_of<'a>(
    levels: &[(&'a Command, &ArgMatches)],
    environment: &Environment,
    file: &SettingsFile,
) -> Vec<Setting<'a>> {
    let mut settings = Vec::new();
    for (level, (command, matches)) in levels.iter().enumerate() {
        for arg in command.get_arguments() {
            let Some(variable) = variable_of(arg) else { continue };
            let given = values_of(arg, matches).map(|values| (Source::CommandLine, values));
            let value = given.or_else(|| value_outside_command_line(variable, environment, file));
            settings.push(Setting { level, arg, variable, value, is_refused: false });
        }
    }
    settings
}

fn value_outside_command_line(
    variable: &str,
    environment: &Environment,
    file: &SettingsFile,
) -> Option<(Source, Vec<OsString>)> {
    if let Some(value) = environment.get(variable) {
        return Some((Source::Environment, vec![value.clone()]));
    }
    let (line, value) = file.entries.get(variable).filter(|(_, value)| !value.is_empty())?;
    Some((Source::File(*line), vec![value.clone()]))
}

fn place(arg: &Arg, source: Source, file: &Path) -> String {
    match source {
        Source::File(line) => format!("line {line} of {}", file.display()),
        _ => format!("--{}", arg.get_long().unwrap_or_default()),
    }
}

/// Parses one value of an argument. Returns what is wrong with the value.
fn probe(arg: &Arg, value: &OsStr) -> Result<(), String> {
    let mut argument = OsString::from("--value=");
    argument.push(value);
    let mut tried = arg.clone().env(Resettable::Reset).long("value").required(false).global(false);
    if !arg.get_action().takes_values() {
        tried = tried.action(ArgAction::Set).num_args(1).value_parser(value_parser!(bool));
    }
    let command = Command::new("value").no_binary_name(true).disable_help_flag(true).arg(tried);
    let Err(error) = command.try_get_matches_from([argument]) else { return Ok(()) };
    if arg.is_hide_env_values_set() {
        return Err("the value is not accepted".to_owned());
    }
    let shown = format!("{:?}", value.to_string_lossy());
    Err(match error.kind() {
        ErrorKind::InvalidUtf8 => "the value is not UTF-8 text".to_owned(),
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(valid)) => format!("{shown} is not one of {}", valid.join(", ")),
            _ => format!("{shown} is not accepted"),
        },
        _ => match error.source() {
            Some(cause) => format!("{shown} is not accepted: {cause}"),
            None => format!("{shown} is not accepted"),
        },
    })
}

/// The command with these values as the defaults of its arguments.
fn filled(command: Command, path: &[&str], fills: &[Fills]) -> Command {
    let Some((fills, deeper)) = fills.split_first() else { return command };
    let command = command.mut_args(|arg| match fills.get(arg.get_id().as_str()) {
        None => arg,
        Some(values) if values.is_empty() => {
            let is_required = arg.is_required_set();
            arg.env(Resettable::Reset).required(is_required)
        }
        Some(values) => {
            let takes_values = arg.get_action().takes_values();
            let arg = arg.env(Resettable::Reset).required(false).default_values(values.clone());
            if takes_values { arg.hide_default_value(true) } else { arg }
        }
    });
    match path.split_first() {
        Some((name, path)) => command.mut_subcommand(*name, |command| filled(command, path, deeper)),
        None => command,
    }
}

/// The default of an argument, as it is written in a settings file.
pub(crate) fn default_of(arg: &Arg) -> Option<String> {
    if !arg.get_action().takes_values() {
        return None;
    }
    let values: Vec<_> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    (!values.is_empty()).then(|| values.join(",")).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests;
