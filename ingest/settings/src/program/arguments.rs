//! The arguments of a program: which of them are settings, and their form while the command line is
//! parsed.

use super::FILE_SUFFIX;
use clap::{
    Arg, ArgMatches, Command,
    builder::Resettable,
    error::{ContextKind, ContextValue},
    parser::ValueSource,
    value_parser,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    path::PathBuf,
};

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

/// The names of all settings.
pub(super) fn names_of(command: &Command) -> BTreeSet<String> {
    all_settings(command).into_iter().filter_map(variable_of).map(str::to_owned).collect()
}

/// An error about a missing command that lists only the commands of the help.
pub(super) fn without_hidden_commands(mut error: clap::Error, command: &Command) -> clap::Error {
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
pub(super) fn is_secret(arg: &Arg, name: &str) -> bool {
    arg.is_hide_env_values_set() && variable_of(arg) == Some(name)
}

/// The invoked command: the program, its subcommand, and so on.
pub(super) fn levels<'a>(
    command: &'a Command,
    matches: &'a ArgMatches,
) -> Vec<(&'a Command, &'a ArgMatches)> {
    let mut levels = vec![(command, matches)];
    while let Some((command, matches)) = levels.last().and_then(|(command, matches)| {
        let (name, matches) = matches.subcommand()?;
        Some((command.find_subcommand(name)?, matches))
    }) {
        levels.push((command, matches));
    }
    levels
}

/// The values of an argument on the command line.
pub(super) fn values_of(arg: &Arg, matches: &ArgMatches) -> Option<Vec<OsString>> {
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if !arg.get_action().takes_values() {
        return Some(vec!["true".into()]);
    }
    matches.get_raw(id).map(|values| values.map(OsStr::to_owned).collect())
}

/// The command without the checks of its settings: every text is accepted, and none is required.
pub(super) fn relaxed(command: Command) -> Command {
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

/// The value of each argument that becomes its default. It is empty if the argument has no value.
pub(super) type Fills = BTreeMap<String, Vec<OsString>>;

/// The command with these values as the defaults of its arguments.
pub(super) fn filled(command: Command, path: &[&str], fills: &[Fills]) -> Command {
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
