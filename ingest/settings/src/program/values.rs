//! The values of settings: where each comes from, and whether its argument accepts it.

use super::{
    Environment, SETTINGS,
    arguments::{values_of, variable_of},
    settings_file::SettingsFile,
};
use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::Resettable,
    error::{ContextKind, ContextValue, ErrorKind},
    value_parser,
};
use std::{
    error::Error as _,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    CommandLine,
    Environment,
    /// The line of the settings file.
    File(usize),
    /// The file of a secret, wherever its name comes from.
    SecretFile,
}

/// A setting of the invoked command, with its value.
pub(super) struct Setting<'a> {
    /// The level of the command: 0 is the program, 1 its subcommand.
    pub(super) level: usize,
    pub(super) arg: &'a Arg,
    pub(super) variable: &'a str,
    pub(super) value: Option<(Source, Vec<OsString>)>,
    /// Whether the value was refused.
    pub(super) is_refused: bool,
}

/// The settings file that the command line or the environment names.
pub(super) fn settings_path(
    levels: &[(&Command, &ArgMatches)],
    environment: &Environment,
) -> Option<PathBuf> {
    let (command, matches) = levels.first()?;
    let arg = command.get_arguments().find(|arg| variable_of(arg) == Some(SETTINGS))?;
    let given = values_of(arg, matches).and_then(|values| values.into_iter().next());
    given.or_else(|| environment.get(SETTINGS).cloned()).map(PathBuf::from)
}

pub(super) fn settings_of<'a>(
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

pub(super) fn value_outside_command_line(
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

pub(super) fn place(arg: &Arg, source: Source, file: &Path) -> String {
    match source {
        Source::File(line) => format!("line {line} of {}", file.display()),
        _ => format!("--{}", arg.get_long().unwrap_or_default()),
    }
}

/// Parses one value of an argument. Returns what is wrong with the value.
pub(super) fn probe(arg: &Arg, value: &OsStr) -> Result<(), String> {
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
